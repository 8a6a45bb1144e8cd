"""`catan new` writes a variant that passes `catan check` and its own tests, which use the pytest plug-in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_env.errors import OptionError
from catan_training import cli
from catan_training.cli.new import write_package

ROOT = Path(__file__).resolve().parent.parent
PATHS = [str(ROOT / folder) for folder in ("", "agents", "training")]


def run(folder, *command):
    """Run Python in a folder, with uncompiled rules and the packages of this checkout."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(PATHS)}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )


@pytest.mark.slow
def test_a_new_variant_passes_its_checks_and_its_tests(tmp_path, capsys):
    folder = tmp_path / "tea"
    assert cli.main(["new", "tea_party", "--out", str(folder)]) == 0
    assert "catan check tea_party --import tea_party" in capsys.readouterr().out
    options = ["--import", "tea_party", "--games", "1", "--steps", "30"]
    checked = run(folder, "-m", "catan_training.cli", "check", "tea_party", *options)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout.startswith("tea_party:tea_party, 4 players: ok (")
    tested = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    assert "17 passed" in tested.stdout


def test_a_package_has_its_name_everywhere(tmp_path):
    folder = write_package("tea_party", tmp_path / "tea", "Tea & cake")
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert {"README.md", "pyproject.toml", "tea_party/rules.py", "tea_party/tea_party.toml"} <= set(files)
    assert all("$" not in path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())
    assert 'title = "Tea & cake"' in (folder / "tea_party" / "tea_party.toml").read_text("utf-8")
    with pytest.raises(OptionError, match="exists already"):
        write_package("tea_party", folder)


@pytest.mark.parametrize(
    ("name", "words"),
    [("base", "a scenario has"), ("Tea", "small letters"), ("class", "small letters"), ("a-b", "small")],
)
def test_names_that_do_not_fit_are_refused(tmp_path, name, words):
    with pytest.raises(OptionError, match=f"(?i){words}"):
        write_package(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


CHECKS_OF_BASE = """
def test_scenario(catan_check):
    catan_check(games=1, steps=5)
"""
FAULTY = """
import pytest

@pytest.fixture
def catan_scenario():
    return "faulty.toml"
"""
UNSOUND = """
from catan_env.engine.declare import Count, Field, set_up

FIELDS = (Field("tokens", (), "i1", 0, 2, "tokens of the table", show=Count()),)


@set_up
def lay_out_too_many(game, params):
    game.tokens = 3
"""


def test_the_plug_in_runs_checks_of_the_scenario_that_the_configuration_names(tmp_path):
    (tmp_path / "test_it.py").write_text(CHECKS_OF_BASE)
    (tmp_path / "pytest.ini").write_text("[pytest]\ncatan_scenario = base\n")
    options = ["-q", "-p", "catan_training.pytest_plugin", "-p", "no:cacheprovider", "-k", "fields or randomness"]
    assert "2 passed" in run(tmp_path, "-m", "pytest", *options).stdout
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    assert "set catan_scenario in the configuration" in run(tmp_path, "-m", "pytest", *options).stdout


def test_a_fixture_names_the_scenario_and_findings_are_failures(tmp_path):
    (tmp_path / "test_it.py").write_text(FAULTY + CHECKS_OF_BASE)
    (tmp_path / "unsound.py").write_text(UNSOUND)
    (tmp_path / "faulty.toml").write_text('title = "Faulty"\nextends = "base"\nadd = ["./unsound.py"]\n')
    options = ["-q", "-p", "catan_training.pytest_plugin", "-p", "no:cacheprovider", "-k", "soundness"]
    tested = run(tmp_path, "-m", "pytest", *options)
    assert tested.returncode == 1
    assert "field 'tokens' holds 3 .. 3; its bounds are 0 .. 2 - see it with: catan replay" in tested.stdout
