"""Check that games are identical across Numba versions, with the compiler patches on and off.

    python tools/compare_numba.py                         # this Python's Numba, patches on and off
    python tools/compare_numba.py --versions 0.61.0 0.68.1  # these versions, each in its own virtual environment
    python tools/compare_numba.py --versions supported      # the oldest, the pinned and the newest supported version

Each process plays the same random games of each scenario and prints digests of the records, masks, rewards, end flags
and observations. All digests must match.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = ("base", "cities_and_knights", "seafarers_new_shores")
GAMES, CHUNKS = 16, 10
SWITCH = "CATAN_ENV_NUMBA_PATCHES"
PATCH_MODES = {"patches on": {SWITCH: "1"}, "patches off": {SWITCH: "0"}}
PLAIN_PYTHON = {"plain Python": {"NUMBA_DISABLE_JIT": "1"}}


def trajectory(scenario: str, steps: int, threads: int = 1) -> list[str]:
    """Play random games for a total of `steps` actions, and return a digest after each tenth of them."""
    import numpy as np

    import catan_env

    engine = catan_env.BatchEngine(scenario, GAMES, seed=1, autoreset=True, threads=threads)
    engine.reset()
    generator, digest, digests = random.Random(2), hashlib.sha256(), []
    for chunk in range(CHUNKS):
        for _ in range(steps * (chunk + 1) // (CHUNKS * GAMES) - steps * chunk // (CHUNKS * GAMES)):
            mask = engine.action_mask
            legal = [np.flatnonzero(game_mask) for game_mask in mask]
            actions = np.array([choices[int(generator.random() * len(choices))] for choices in legal])
            engine.step(actions)
            for array in (mask, engine.state, engine.rewards, engine.terminated, engine.truncated):
                digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(engine.observe(dtype="uint8").tobytes())
        digests.append(digest.hexdigest()[:16])
    return digests


def play(scenarios: list[str], steps: int) -> None:
    """Print the digests of the scenarios as a line of JSON. Each process to be compared runs this function."""
    import numba
    import numpy

    report: dict = {"numba": numba.__version__, "numpy": numpy.__version__, "seconds": {}, "digests": {}}
    for scenario in scenarios:
        start = time.perf_counter()
        report["digests"][scenario] = trajectory(scenario, steps)
        report["seconds"][scenario] = round(time.perf_counter() - start, 1)
    print(json.dumps(report))


def played_by(python: str, scenarios: list[str], steps: int, environment: dict[str, str]) -> dict:
    """Play in a new process with an empty compilation cache, and return the report that it prints."""
    command = [python, "-W", "error::RuntimeWarning", __file__, "--play", "--steps", str(steps), "--scenarios"]
    with tempfile.TemporaryDirectory() as cache:
        settings = (
            os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": cache} | {"NUMBA_DISABLE_JIT": "0"} | environment
        )
        process = subprocess.run([*command, *scenarios], env=settings, capture_output=True, text=True, cwd=cache)
    if process.returncode:
        raise SystemExit(f"{python} with {environment} failed:\n{process.stderr}")
    return json.loads(process.stdout.splitlines()[-1])


def supported_versions() -> list[str]:
    """Return pip requirements for the oldest, the pinned and the newest supported version of Numba."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = next(line for line in project["dependencies"] if line.startswith("numba"))
    oldest = required.split(">=")[1].split(",")[0].strip()
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = next(line for line in pins if line.startswith("numba==")).split("==")[1]
    return [f"numba=={oldest}.0" if oldest.count(".") == 1 else f"numba=={oldest}", f"numba=={pinned}", required]


def environment_with(requirement: str, folder: Path) -> str:
    """Create or update a virtual environment with this Numba and the engine's dependencies; return its Python path."""
    venv = folder / re.sub(r"[^\w.]+", "_", requirement)
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    requirements = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    other_requirements = [line for line in requirements if not line.startswith("numba")]
    subprocess.run(
        [str(python), "-m", "pip", "install", "-q", "--upgrade", requirement, *other_requirements], check=True
    )
    return str(python)


def compare(found: list[tuple[str, dict]], scenarios: list[str]) -> list[str]:
    """Print all reports, and return how each one differs from the first."""
    differences = []
    for name, report in found:
        print(
            f"{name:32} numpy {report['numpy']:8}",
            *(f"{scenario_name} {seconds} s" for scenario_name, seconds in report["seconds"].items()),
            sep="  ",
        )
    first_name, expected = found[0]
    for scenario in scenarios:
        print(f"{scenario}: {expected['digests'][scenario][-1]}")
        for name, report in found[1:]:
            pairs = zip(expected["digests"][scenario], report["digests"][scenario], strict=True)
            differing = next(
                (tenth for tenth, (expected_digest, digest) in enumerate(pairs, 1) if expected_digest != digest), None
            )
            if differing:
                differences.append(f"{scenario}: {name} differs from {first_name} in tenth {differing} of the steps")
    return differences


def main() -> None:
    """Parse the command line, play, and exit with status 1 if the games differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenarios", nargs="+", default=list(SCENARIOS), help="registered names")
    parser.add_argument("--steps", type=int, default=10_000, help="choices in each scenario, over all games")
    parser.add_argument("--versions", nargs="+", default=[], help="versions of Numba to install, or 'supported'")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "numba", help="for virtual environments")
    parser.add_argument("--plain-python", action="store_true", help="play without compiling as well")
    parser.add_argument("--play", action="store_true", help="play in this process, and print digests as JSON")
    options = parser.parse_args()
    if options.play:
        return play(options.scenarios, options.steps)
    requirements = [f"numba=={version}" for version in options.versions]
    if options.versions == ["supported"]:
        requirements = supported_versions()
    pythons = [environment_with(requirement, options.folder) for requirement in requirements] or [sys.executable]
    modes = PATCH_MODES | (PLAIN_PYTHON if options.plain_python else {})
    reports = {}  # keyed by version because the newest may also be the pinned one
    for python in pythons:
        for mode, environment in modes.items():
            report = played_by(python, options.scenarios, options.steps, environment)
            reports[f"numba {report['numba']}, {mode}"] = report
    differences = compare(list(reports.items()), options.scenarios)
    print("\n".join(differences) or "All games are the same.")
    raise SystemExit(bool(differences))


if __name__ == "__main__":
    main()
