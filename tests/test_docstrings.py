"""The names that docstrings list under `Args:` and `Attributes:` exist in the code."""

import ast
import inspect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("catan_env", "agents/catan_agents", "training/catan_training", "tools")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAME = r"\*{0,2}\w+(?: \([^)]*\))?"
"""With its stars, and perhaps with its type in parentheses."""
ENTRY = re.compile(rf" {{4}}({NAME}(?:, {NAME})*):(?: |$)")
"""What stands before the colon: one name or several."""


def listed(node, section):
    """Return the names that a docstring lists in `section`. A line that is not an entry is returned as it is."""
    text = ast.get_docstring(node, clean=False) or ""
    names, inside = [], False
    for line in inspect.cleandoc(text).splitlines() if section in text else ():
        if re.match(r"\S", line):
            inside = line == f"{section}:"
        elif inside and re.match(r" {4}\S", line):
            entry = ENTRY.match(line)
            names += re.sub(r" \([^)]*\)|\*", "", entry[1]).split(", ") if entry else [line.strip()]
    return names


def parameters(function):
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in every if argument}


def with_bases(node, classes):
    """Return a class and those of its bases that the project defines."""
    found = [node]
    for each in found:
        names = [ast.unparse(base).split("[")[0].split(".")[-1] for base in each.bases]
        found += [base for name in names for base in classes.get(name, []) if base not in found]
    return found


def fields(node):
    """Return the annotated names in a class body, such as the fields of a dataclass or NamedTuple."""
    return {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}


def attributes(node):
    """Return the names that a class defines in its body or that its methods assign to `self`."""
    defined = {part.name for part in node.body if isinstance(part, (*FUNCTIONS, ast.ClassDef))}
    assigned = {
        target.id
        for part in node.body
        if isinstance(part, (ast.Assign, ast.AnnAssign))
        for target in ast.walk(part)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
    }
    of_self = {
        target.attr
        for target in ast.walk(node)
        if isinstance(target, ast.Attribute)
        and isinstance(target.ctx, ast.Store)
        and ast.unparse(target.value) == "self"
    }
    return defined | assigned | of_self


def allowed_arguments(node, classes):
    if isinstance(node, FUNCTIONS):
        return parameters(node)
    family = with_bases(node, classes)
    makers = [part for each in family for part in each.body if isinstance(part, FUNCTIONS) and part.name == "__init__"]
    return set().union(*map(fields, family), *map(parameters, makers[:1]))


def allowed_attributes(node, classes):
    return set() if isinstance(node, FUNCTIONS) else set().union(*map(attributes, with_bases(node, classes)))


def unknown_names(sources):
    """Return (file, class or function, name) for every name that a docstring lists but the code does not have.

    Args:
        sources: texts by file name.
    """
    worth_parsing = re.compile("Args:|Attributes:|^class ", re.MULTILINE)  # any file with a class may define a base
    trees = {file: ast.parse(text) for file, text in sources.items() if worth_parsing.search(text)}
    nodes = [(file, node) for file, tree in trees.items() for node in ast.walk(tree)]
    nodes = [(file, node) for file, node in nodes if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    classes = {}
    for _, node in nodes:
        if isinstance(node, ast.ClassDef):
            classes.setdefault(node.name, []).append(node)
    unknown = []
    for file, node in nodes:
        for section, allowed in (("Args", allowed_arguments), ("Attributes", allowed_attributes)):
            if names := listed(node, section):
                known = allowed(node, classes)
                unknown += [(file, node.name, name) for name in names if name not in known]
    return unknown


def test_every_name_listed_in_a_docstring_is_in_the_code():
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    assert len(paths) > 100
    assert not unknown_names({str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths})


FUNCTION = '''
def roll(dice, *more, sides=6, **options):
    """Roll.

    Args:
        {}: what it is about:
            colons: in a line further in name nothing.

    Returns:
        total: nor does what stands in another section.
    """
'''

CLASS = '''
class Base:
    color = "red"

    def __init__(self, size):
        self.size, self.rest = size, 0

class Bag(Base):
    """A bag.

    {}:
        {}: what it is about.
    """

    weight: int = 0

    @property
    def full(self):
        self.memo["key"] = local = 0
'''


@pytest.mark.parametrize("names", ["dice", "dice, sides", "*more", "**options", "dice (list of int), sides (int)"])
def test_parameters_may_be_listed(names):
    assert unknown_names({"f.py": FUNCTION.format(names)}) == []


@pytest.mark.parametrize(
    ("names", "wrong"),
    [("die", "die"), ("dice, side", "side"), ("*less", "less"), ("the dice", "the dice: what it is about:")],
)
def test_nothing_else_may_be_listed_as_a_parameter(names, wrong):
    assert unknown_names({"f.py": FUNCTION.format(names)}) == [("f.py", "roll", wrong)]


@pytest.mark.parametrize(
    ("section", "names"), [("Args", "size, weight"), ("Attributes", "color, size, rest, weight, full")]
)
def test_a_class_lists_what_it_and_its_bases_have(section, names):
    assert unknown_names({"c.py": CLASS.format(section, names)}) == []


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("Args", "rest"),
        ("Args", "self.size"),
        ("Attributes", "volume"),
        ("Attributes", "memo"),
        ("Attributes", "local"),
    ],
)
def test_a_class_lists_nothing_that_it_does_not_have(section, name):
    found = unknown_names({"c.py": CLASS.format(section, name)})
    assert [(file, node) for file, node, _ in found] == [("c.py", "Bag")]


def test_a_function_has_no_attributes():
    assert unknown_names({"f.py": FUNCTION.format("dice").replace("Args", "Attributes")}) == [("f.py", "roll", "dice")]
