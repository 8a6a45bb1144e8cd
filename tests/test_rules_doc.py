"""The pages of docs/rules/ name functions and tests that exist and every rule function; every rule module names
its sources."""

import ast
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import catan_env
from catan_env import games
from catan_env.engine.binding import module_name, rule_functions

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split(" | ")]
    for page in PAGES
    for line in page.read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| Rule |", "| --- |"))
]
MODULES = {
    name.rpartition(".")[2]: importlib.import_module(name)
    for _, name, is_package in pkgutil.walk_packages(games.__path__, f"{games.__name__}.")
    if not is_package and not name.rpartition(".")[2].startswith("drawing")
}
WITHOUT_RULES = {"vocabulary", "load", "paper"}


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_every_row_names_a_rule_a_function_and_a_test():
    assert len(ROWS) > 100
    for row in ROWS:
        assert len(row) == 3 and row[0] and quoted(row[1]) and quoted(row[2]), row


def test_functions_named_exist():
    for _, where, _ in ROWS:
        for name in quoted(where):
            module, function = name.split(".")
            assert hasattr(MODULES[module], function), f"{name} does not exist"


def test_tests_named_exist():
    found = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        found[path.name] = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for _, _, tests in ROWS:
        for name in quoted(tests):
            file, test = name.split("::")
            assert test in found.get(file, ()), f"{name} does not exist"


@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_every_rule_function_is_named(scenario):
    named = {name for _, where, _ in ROWS for name in quoted(where)}
    for module in catan_env.find_scenario(scenario).modules:
        for function in rule_functions(module):
            name = f"{module_name(module)}.{function.__name__}"
            assert name in named, f"docs/rules says nothing of {name}"


@pytest.mark.parametrize("name", sorted(MODULES.keys() - WITHOUT_RULES))
def test_every_rule_module_names_its_sources(name):
    text = MODULES[name].__doc__ or ""
    sources = re.search(r"^Sources?: (.+?)(?:\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    assert sources, f"the docstring of module {name} has no line that begins with 'Source:' or 'Sources:'"
    assert re.search(r"\w+\.(md|yaml|json|toml)\b", sources[1]), f"module {name} names no document"
