"""The example scripts run, and learn in a minute. A test is skipped if its library is not installed."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = {
    "maskable_ppo": "sb3_contrib",
    "clean_ppo": "torch",
    "torchrl_ppo": "torchrl",
    "tianshou_ppo": "tianshou",
    "rllib_ppo": "ray.rllib",
    "agilerl_ppo": "agilerl",
}
QUICK = {"rules": {"offers_per_turn": 0, "victory_points": 4}}


OTHERS = [name for name, library in EXAMPLES.items() if library not in ("torch", "sb3_contrib")]
HIDDEN = """
import runpy, sys
names, libraries = eval(sys.argv[1]), eval(sys.argv[2])
sys.modules.update(dict.fromkeys(libraries))
for name in names:
    module = f"catan_training.examples.{name}"
    for run in (lambda: __import__(module), lambda: runpy.run_module(module, None, "__main__")):
        try:
            run()
        except (ImportError, SystemExit) as error:
            print(name, type(error).__name__, error)
"""


def test_examples_say_how_to_install_their_libraries():
    """Run examples as modules and as scripts, with their libraries hidden. Each library has an extra and a CI job."""
    libraries = sorted({EXAMPLES[name].partition(".")[0] for name in OTHERS} | {"tensordict"})
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, repr(OTHERS), repr(libraries)], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    jobs = re.search(r"library: \[(.*)\]", (ROOT / ".github/workflows/ci.yml").read_text()).group(1).split(", ")
    for name, as_module, as_script in zip(OTHERS, lines[::2], lines[1::2], strict=True):
        extra = name.removesuffix("_ppo")
        assert as_module.startswith(f"{name} MissingExtraError") and as_script.startswith(f"{name} SystemExit")
        assert all(f"pip install 'catan-env[{extra}]'" in line for line in (as_module, as_script))
        assert any(each.startswith(EXAMPLES[name].partition(".")[0]) for each in extras[extra]) and extra in jobs


def example(name):
    pytest.importorskip(EXAMPLES[name])
    return importlib.import_module(f"catan_training.examples.{name}")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name):
    _, wins = example(name).train(1.0, games=16, **QUICK)
    assert wins and set(wins) <= {False, True}


@pytest.mark.soak
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_learns_in_a_minute(name):
    _, wins = example(name).train(60.0, **QUICK)
    assert np.mean(wins[len(wins) // 2 :]) > 0.3  # against three random players
