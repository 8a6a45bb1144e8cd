"""Checks of the source as text: which modules may import which, and no links or paths of some machine."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("catan_env", "catan_agents", "catan_training", "tools")

# The table of parts. A module may import from its own row and from the rows above it.
ROWS = (
    "catan_env.errors",
    "catan_env.numeric",
    "catan_env.text_files",
    "catan_env.whole_files",
    "catan_env.outside",
    "catan_env.notebook",
    "catan_env.board",
    "catan_env.engine",
    "catan_env.games",
    "catan_env.encoders",
    "catan_env.rollouts",
    "catan_env.envs",
    "catan_env.render",
    "catan_env.text",
    "catan_env.openspiel",
    DRAWINGS := "catan_env.games.*.drawing",
    "catan_agents",
    "catan_env.testing",
    "catan_training",  # modules that its subpackages share: machine, tables
    "catan_training.evaluation",
    "catan_training.datasets",
    "catan_training.analysis",
    "catan_training.importing",
    "catan_training.balance",
    "catan_training.learning",
    "catan_training.benchmarks",
    "catan_training.examples",
    "catan_training.play",
    "catan_training.cli",
    "tools",  # not installed: `catan docs`, `measure` and `ladder` use it in a checkout
)
# `catan_env` itself is the public face. It may import everything in the package, and the rows below may import it.
FACE = "catan_env"
FACE_ROW = ROWS.index(DRAWINGS)

FOLDERS = {"catan_env": ROOT, "catan_agents": ROOT / "agents", "catan_training": ROOT / "training", "tools": ROOT}
"""Where each package stands."""
SOURCES = sorted(path for package, folder in FOLDERS.items() for path in (folder / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def relative(path):
    return path.relative_to(ROOT).as_posix()


def module_name(path):
    folder = next(folder for package, folder in FOLDERS.items() if folder / package in path.parents)
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path) for path in SOURCES}


def row_of(module):
    """Return the index of the row of `module`, or None for other libraries. Raise ValueError if it is in no row."""
    if module.split(".")[0] not in PACKAGES:
        return None
    if module == FACE:
        return FACE_ROW
    if module.startswith("catan_env.games.") and module.rpartition(".")[2].startswith("drawing"):
        return ROWS.index(DRAWINGS)
    rows = [row for row in ROWS if module == row or module.startswith(row + ".")]
    if rows:
        return ROWS.index(max(rows, key=len))
    raise ValueError(f"{module} is in no row of the table of parts")


def imported_modules(tree, module, is_package):
    """Yield (line, module) for every import anywhere in `tree`, with relative imports resolved."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                base = package[: len(package) - node.level + 1]
                origin = ".".join([*base, origin] if origin else base)
            for alias in node.names:
                name = f"{origin}.{alias.name}"
                # `from catan_env import board` imports the part, `from catan_env import BatchEngine` imports the face.
                yield node.lineno, name if name in ROWS or name in MODULES else origin


def violations(tree, module, is_package):
    own = row_of(module)
    for line, name in imported_modules(tree, module, is_package):
        try:
            other = row_of(name)
        except ValueError as error:
            yield f"line {line}: {error}"
            continue
        # No module of the package may import the face, not even in the last row: the import would be circular.
        if other is not None and (other > own or (name == FACE and own <= FACE_ROW)):
            yield f"line {line}: {module} ({ROWS[own]}) imports {name}, which stands below it"


@pytest.mark.parametrize("path", [p for p in SOURCES if module_name(p) != FACE], ids=relative)
def test_imports_point_up_the_table_only(path):
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    found = list(violations(tree, module_name(path), path.name == "__init__.py"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("module", "source", "count"),
    [
        ("catan_env.games.roads", "from ..engine.declare import Field\nimport numpy", 0),
        ("catan_env.games.roads", "from . import robber\nfrom ..board import hexgrid", 0),
        ("catan_env.games.roads", "def f():\n    from ..encoders import flat", 1),
        ("catan_env.games.roads", "from .. import render", 1),
        ("catan_env.games.roads", "if TYPE_CHECKING:\n    import catan_env.envs.aec as aec", 1),
        ("catan_env.games.roads", "from catan_env.games.base import drawing_board", 1),
        ("catan_env.games.base.drawing", "from catan_env.render import words", 0),
        ("catan_env.render.svg", "import catan_env", 1),
        ("catan_env.board.hexgrid", "from catan_env.stray import x", 1),
        ("catan_agents.heuristic", "from catan_env import BatchEngine\nimport catan_env.games.roads", 0),
        ("catan_agents.heuristic", "import catan_training.learning.ppo", 1),
        ("catan_training.learning.ppo", "import catan_agents.random, catan_env, catan_training.evaluation.matches", 0),
        ("catan_training.evaluation.matches", "from catan_training.learning.ppo import Learner", 1),
        ("catan_training.tables", "from catan_training.evaluation import matches", 1),
    ],
)
def test_the_checker_itself(module, source, count):
    assert len(list(violations(ast.parse(source), module, is_package=False))) == count


COMPILER = "catan_env.engine.compiler"
BENEATH_NUMBA = ("llvmlite", "numba.core", "numba.extending", "numba.np", "numba.cpython", "numba.parfors")


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_only_the_compiler_package_knows_the_inside_of_numba(path):
    module = module_name(path)
    if module == COMPILER or module.startswith(COMPILER + "."):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    names = [name for _, name in imported_modules(tree, module, path.name == "__init__.py")]
    found = [name for name in names if any(name == part or name.startswith(part + ".") for part in BENEATH_NUMBA)]
    assert not found, f"{relative(path)} imports {found}: move what needs it to {COMPILER}"


def circles(imports):
    """Return sets of modules that import each other, even indirectly. `imports` maps modules to their imports."""
    reach = {name: set(found) for name, found in imports.items()}
    for between in imports:
        for others in reach.values():
            if between in others:
                others |= reach[between]
    in_circles = [name for name in imports if name in reach[name]]
    return {
        frozenset(other for other in in_circles if other in reach[name] and name in reach[other]) for name in in_circles
    }


def test_no_module_imports_itself_by_way_of_others():
    imports = {}
    for path in SOURCES:
        name, is_package = module_name(path), path.name == "__init__.py"
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        imports[name] = {other for _, other in imported_modules(tree, name, is_package)} - {name}
    found = circles(imports)
    assert not found, "\n".join(", ".join(sorted(circle)) for circle in found)


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c", "numpy"}, "c": {"a"}, "d": {"a"}}) == {frozenset("abc")}
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == set()


def files_of_the_repository(*options):
    """Return the tracked files, with `--others` also untracked ones; without git, the packages and tests."""
    command = ["git", "ls-files", "-z", "--cached", "--exclude-standard", *options]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return SOURCES + TESTS
    return [ROOT / name for name in listed.split("\0") if name]


def test_no_tracked_file_is_a_link():
    """A link to a file outside the repository breaks in every clone."""
    assert not [relative(path) for path in files_of_the_repository() if path.is_symlink()]


# An absolute path on some machine, in a string or in prose. The pattern is assembled so that it does not match itself.
MACHINE_PATH = re.compile(
    r"(?<![\w.~$})>*-])/(?:" + "|".join(["work", "root", "home", "Users", "opt", "mnt"]) + r")/[\w.]"
    r"|\b[A-Z]:\\\\?Users\b"
)


def test_no_file_mentions_a_path_of_some_machine():
    found = []
    for path in filter(Path.is_file, files_of_the_repository("--others")):
        raw = path.read_bytes()
        if b"\0" in raw:
            continue
        for number, line in enumerate(raw.decode("utf-8", errors="replace").splitlines(), 1):
            if match := MACHINE_PATH.search(line):
                found.append(f"{relative(path)}:{number}: {match.group()}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "is_path"),
    [
        ("open('{}work/main/a.py')", True),
        ("see {}home/me", True),
        ("{}root/.cache", True),
        ("a{}work/b", False),
        ("https:{}{}host{}opt/x", False),
        ("docs{}home/x", False),
        ("~{}work/x", False),
    ],
)
def test_the_path_pattern_itself(text, is_path):
    assert bool(MACHINE_PATH.search(text.replace("{}", "/"))) == is_path
