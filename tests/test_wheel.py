"""The wheel works on its own: built, installed in a clean environment, used from outside the checkout."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("catan_env", "catan_agents", "catan_training")
FOLDERS = ("", "agents", "training")
DATA = ("*.toml", "*.json", "*.html", "py.typed")

# One group: what the fixture builds is built once, by one worker.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]

MAKE_EVERY_SCENARIO = """
import sys
from pathlib import Path
import numpy as np
import catan_env

prefix, checkout = Path(sys.prefix).resolve(), Path(sys.argv[1]).resolve()
assert prefix in Path(catan_env.__file__).resolve().parents, catan_env.__file__
assert checkout not in [Path(entry).resolve() for entry in sys.path], sys.path

names = [getattr(entry, "name", entry) for entry in catan_env.scenarios()]
assert names
for name in names:
    engine = catan_env.BatchEngine(name, num_games=2, seed=0)
    engine.reset()
    engine.step(np.argmax(engine.action_mask, axis=1))
    print("made", name)
print("total", len(names))
"""

LOAD_ENTRY_POINTS = """
from importlib.metadata import distribution
for entry in distribution("catan-env").entry_points:
    entry.load()
    print("loaded", entry.name)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The built wheel. Needs no network: the build backend of this environment is used."""
    target = tmp_path_factory.mktemp("dist")
    checked([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT)])
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def clean_python(wheel, tmp_path_factory):
    """Interpreter of a new environment that holds the wheel and sees this one's libraries.

    A directory named in a .pth file is put on the path without its own .pth files being read, so an editable
    installation of the checkout in this environment stays out.
    """
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    checked(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "-q",
            "--no-deps",
            "--no-index",
            "--disable-pip-version-check",
            str(wheel),
        ]
    )
    purelib = checked([str(python), "-Ic", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(purelib, "libraries.pth").write_text("\n".join(sorted(libraries)) + "\n", encoding="utf-8")
    return python


def checked(command, **options):
    """Run, return stdout; on failure show what the command said."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)
    assert done.returncode == 0, f"{command[:4]} failed\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def outside(python, script, folder, *arguments):
    """Run `script` isolated (-I: no PYTHONPATH, no current directory) and in plain Python: no compiling."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    environment.pop("PYTHONPATH", None)
    return checked([str(python), "-I", "-c", script, *arguments], cwd=folder, env=environment)


def test_every_data_file_travels(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    needed = {
        path.relative_to(ROOT / folder).as_posix()
        for folder, package in zip(FOLDERS, PACKAGES, strict=True)
        for pattern in ("*.py", *DATA)
        for path in (ROOT / folder / package).rglob(pattern)
    }
    missing = sorted(needed - packed)
    assert not missing
    assert {name.split("/")[0] for name in packed if ".dist-info/" not in name} <= set(PACKAGES)


def test_every_scenario_makes_an_engine(clean_python, tmp_path):
    said = outside(clean_python, MAKE_EVERY_SCENARIO, tmp_path, str(ROOT))
    assert said.count("made ") == int(said.split("total ")[1])


def test_entry_points_load(clean_python, tmp_path):
    said = outside(clean_python, LOAD_ENTRY_POINTS, tmp_path)
    assert {"loaded random", "loaded weighted", "loaded catan"} <= set(said.splitlines())
