"""The example packages: their own tests pass, and an installed copy works in every command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PATHS = [str(ROOT / folder) for folder in ("", "agents", "training")]
PACKAGES = sorted(path.parent for path in (ROOT / "examples").glob("*/pyproject.toml"))

each_package = pytest.mark.parametrize("package", PACKAGES, ids=[path.name for path in PACKAGES])


def run(*command, folder, paths=()):
    """Runs Python in a folder, where rules are plain Python and our packages are those of this checkout."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([*map(str, paths), *PATHS])}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )


def test_packages_are_found():
    assert [path.name for path in PACKAGES] == ["fishermen", "harbormaster"]


@each_package
def test_the_tests_of_a_package_pass(package):
    tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=package)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "catan_check" not in tested.stdout and " passed" in tested.stdout
