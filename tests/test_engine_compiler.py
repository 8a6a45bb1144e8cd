"""Numba is patched only in versions that the patches were tested with, and games are the same without patches."""

import importlib.util
import re
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import numba
import pytest

from catan_env.engine.compiler.patches import KNOWN_VERSIONS, SWITCH, patches_wanted
from tests.strategies import CHECKED, PLAIN_PYTHON

ROOT = Path(__file__).resolve().parent.parent
TOOL = ROOT / "tools" / "compare_numba.py"


def silently(version, environment):
    """Return the result of `patches_wanted`, with warnings as errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return patches_wanted(version, environment)


@pytest.mark.core
@pytest.mark.parametrize("release", KNOWN_VERSIONS)
def test_patches_apply_to_known_versions(release):
    major, minor = release
    assert silently(f"{major}.{minor}.1", {}) and silently(f"{major}.{minor}.0rc1", {})


@pytest.mark.core
@pytest.mark.parametrize("version", ["0.60.0", "0.690.1", "1.61.0", "0.99.0.dev1", "unknown"])
def test_patches_step_aside_for_other_versions_with_one_warning(version):
    with pytest.warns(RuntimeWarning) as caught:
        assert not patches_wanted(version, {})
    text = str(caught.pop(RuntimeWarning).message)
    assert f"Numba {version} is installed" in text and "0.61, 0.62" in text and f"{SWITCH}=0" in text
    assert not caught.list


@pytest.mark.core
def test_the_switch_decides():
    assert not silently(numba.__version__, {SWITCH: "0"}) and not silently("0.99.0", {SWITCH: "0"})
    assert silently("0.99.0", {SWITCH: "1"})
    with pytest.raises(ValueError, match=f"{SWITCH} is 'off': set it to 0"):
        patches_wanted(numba.__version__, {SWITCH: "off"})


def test_the_project_requires_the_known_versions():
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    required = next(line for line in dependencies if line.startswith("numba"))
    (oldest, newest), found = (KNOWN_VERSIONS[0], KNOWN_VERSIONS[-1]), re.findall(r"(\d+)\.(\d+)", required)
    assert [tuple(map(int, one)) for one in found] == [oldest, (newest[0], newest[1] + 1)], required


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON or CHECKED, reason="compiles in processes of its own")
def test_games_are_the_same_with_patches_and_without():
    """`make numba-versions` compares the other scenarios and versions of Numba, which takes longer."""
    command = [sys.executable, str(TOOL), "--scenarios", "dice_game", "--steps", "2000", "--plain-python"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(f"{how} " in done.stdout for how in ("patches on", "patches off", "plain Python")), done.stdout


@pytest.mark.core
def test_the_comparison_finds_where_games_differ(capsys):
    spec = importlib.util.spec_from_file_location("compare_numba", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    found = [
        (who, {"numpy": "2", "seconds": {}, "digests": {"base": list(digests)}})
        for who, digests in (("on", "abcd"), ("off", "abcd"), ("other", "abxd"))
    ]
    assert tool.compare(found[:2], ["base"]) == []
    assert tool.compare(found, ["base"]) == ["base: other differs from on in tenth 3 of the steps"]
    capsys.readouterr()
