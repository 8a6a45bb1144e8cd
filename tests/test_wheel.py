"""The wheel, built, installed in a clean environment, and used from outside the checkout."""

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

# One group, so that a single worker builds the wheel, once.
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


USE_BOTH = """
import agents
import training
import numpy as np
import catan_agents
import catan_env
import catan_training.cli

assert agents.WHO == "a stranger" and training.WHO == "a stranger"
engine = catan_env.BatchEngine("base", num_games=2, seed=0)
engine.reset()
actions = catan_agents.make_agent("heuristic").act(engine, np.arange(2))
engine.step(actions)
print("both work")
"""

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the built wheel. The build uses this environment's build backend and needs no network."""
    target = tmp_path_factory.mktemp("dist")
    checked([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT)])
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def clean_python(wheel, tmp_path_factory):
    """Return the Python of a new environment with the wheel, a stranger's wheel, and this environment's libraries.

    Python adds a directory named in a .pth file to the path, but does not read that directory's own .pth files.
    Therefore an editable installation of the checkout in this environment stays out.
    """
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stranger = wheel_of_a_stranger(folder.parent)
    options = ["-q", "--no-deps", "--no-index", "--no-cache-dir", "--disable-pip-version-check"]
    checked([sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(wheel), str(stranger)])
    purelib = checked([str(python), "-Ic", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(purelib, "libraries.pth").write_text("\n".join(sorted(libraries)) + "\n", encoding="utf-8")
    return python


def wheel_of_a_stranger(folder):
    """Return the wheel of another distribution, with packages `agents` (as in openai-agents) and `training`."""
    files = {f"{package}/__init__.py": 'WHO = "a stranger"\n' for package in ("agents", "training")}
    information = "stranger-1.0.dist-info"
    files[f"{information}/METADATA"] = "Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n"
    files[f"{information}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = f"{information}/RECORD"
    files[record] = "".join(f"{name},,\n" for name in [*files, record])
    path = folder / "stranger-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def checked(command, **options):
    """Run a command and return its stdout; on failure, show its output."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)
    assert done.returncode == 0, f"{command[:4]} failed\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def outside(python, script, folder, *arguments):
    """Run `script` isolated (-I: no PYTHONPATH, no current directory) and in plain Python, without compiling."""
    return checked([str(python), "-I", "-c", script, *arguments], cwd=folder, env=without_jit())


def without_jit():
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"NUMBA_DISABLE_JIT": "1"}


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


def test_it_installs_three_packages_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        top = {name.split("/")[0] for name in archive.namelist()}
    (information,) = {name for name in top if name.endswith(".dist-info")}
    assert top == {*PACKAGES, information} and information.startswith("catan_env-")


def test_it_is_small(wheel, record_property):
    size = wheel.stat().st_size
    record_property("wheel_bytes", size)
    print(f"{wheel.name}: {size:,} bytes")
    assert size < 8 * MEGABYTE


def test_it_works_beside_packages_named_agents_and_training(clean_python, tmp_path):
    said = outside(clean_python, USE_BOTH, tmp_path)
    assert said.strip() == "both work"


def test_the_command_runs(clean_python, tmp_path):
    catan = clean_python.with_name("catan.exe" if os.name == "nt" else "catan")
    said = checked([str(catan), "--help"], cwd=tmp_path, env=without_jit())
    assert "usage: catan" in said


def test_every_scenario_makes_an_engine(clean_python, tmp_path):
    said = outside(clean_python, MAKE_EVERY_SCENARIO, tmp_path, str(ROOT))
    assert said.count("made ") == int(said.split("total ")[1])


def test_entry_points_load(clean_python, tmp_path):
    said = outside(clean_python, LOAD_ENTRY_POINTS, tmp_path)
    assert {"loaded random", "loaded weighted", "loaded catan_agents", "loaded catan"} <= set(said.splitlines())
