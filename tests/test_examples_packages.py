"""The example packages: their tests pass, installed copies are found, and the tutorial shows their rules."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell_blocks import commands_of
from tests.test_page_commands import smaller

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
PATHS = [str(ROOT / folder) for folder in ("", "agents", "training")]
PACKAGES = sorted(path.parent for path in EXAMPLES.glob("*/pyproject.toml"))


def run(*command, folder, paths=()):
    """Run Python in a folder, with uncompiled rules and the packages of this checkout, and return its output."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([*map(str, paths), *PATHS])}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES, ids=[path.name for path in PACKAGES])
def test_the_tests_of_a_package_pass(package):
    assert re.search(r"\d+ passed", run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=package))


USE = """
import json, sys
import gymnasium
import numpy as np
import catan_env
from catan_agents import make_agent

env = gymnasium.make(sys.argv[1], num_players=3)
env.reset(seed=0)
engine = catan_env.BatchEngine(sys.argv[2], num_players=3, seed=0, record=True)
agent = make_agent("heuristic", seed=0)
for _ in range(12):
    engine.step(agent.act(engine, np.array([0])))
log = engine.replay_log(0)
references = [env.unwrapped.engine.scenario.reference, engine.scenario.reference]
print(json.dumps([*references, log["requires"], len(catan_env.replay(log).log_entries(0))]))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a folder with both packages installed as wheels."""
    folder = tmp_path_factory.mktemp("installed")
    options = ["-q", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder)]
    run("-m", "pip", "install", *options, *map(str, PACKAGES), folder=folder)
    return folder


@pytest.mark.parametrize(
    ("gym_id", "scenario", "module"),
    [
        ("fishermen:catan/Fishermen-v0", "fishermen", "fishermen"),
        ("harbormaster:catan/Harbormaster-v0", "cities_and_knights+harbormaster", "harbormaster"),
    ],
)
def test_installed_packages_are_found_without_an_import(installed, tmp_path, gym_id, scenario, module):
    made, played, required, entries = json.loads(
        run("-c", USE, gym_id, scenario, folder=tmp_path, paths=[installed]).splitlines()[-1]
    )
    assert made == f"{module}:{module}"
    assert played == f"{module}:{scenario}"
    assert required == {"module": module, "version": "0.1.0"}
    assert entries > 12


SLOW = re.compile("catan train ")
"""Learning takes minutes in plain Python, and compiling the rules for it as well. `test_page_commands.py` trains."""
COMMANDS = """
import json, sys
import uvicorn
from catan_training import cli

uvicorn.Server.run = lambda server, sockets: [socket.close() for socket in sockets]
for command in json.loads(sys.argv[1]):
    assert cli.main(command) == 0, command
"""


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES, ids=[path.name for path in PACKAGES])
def test_the_commands_of_a_readme_run(package, installed, tmp_path):
    commands = [smaller(command) for command in commands_of(package / "README.md") if not SLOW.match(command)]
    assert len(commands) >= 4
    run("-c", COMMANDS, json.dumps(commands), folder=tmp_path, paths=[installed])


def test_installed_packages_are_listed(installed, tmp_path):
    text = run("-m", "catan_training.cli", "scenarios", folder=tmp_path, paths=[installed])
    assert "fishermen" in text and "harbormaster" in text


@pytest.mark.parametrize(
    ("name", "file"),
    [("harbormaster", "harbormaster/harbormaster/rules.py"), ("old_boot", "fishermen/fishermen/old_boot.py")],
)
def test_the_tutorial_shows_the_rules_of_the_packages(name, file):
    page = (ROOT / "docs" / "tutorials" / "first_variant.md").read_text("utf-8")
    (shown,) = re.findall(rf"^```python\n# {name}\.py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert shown == (EXAMPLES / file).read_text("utf-8")
