"""The rules reference: every rule statement with its source and the code that implements it.

`<system>/rules.toml` holds a game system's statements, grouped into sections. `sources.toml` lists the publications. A
rule function names the statements that it implements with `@rule("base.robber.1")`. A test names the statements that it
covers with `@pytest.mark.rule("base.robber.1")`.

An id consists of the system, a topic and a number. Ids never change; a new statement takes the next free number in its
topic.
"""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files

PACKAGE = "catan_env.games"
STATUSES = {
    "official": "as the source says",
    "reading": "our reading, where the source is silent or ambiguous or editions differ",
    "reconstruction": "stands in for what no public source tells",
    "addition": "from no rulebook: a limit or an option of this environment",
    "left_out": "not played, for the reason given",
}


@dataclass(frozen=True)
class Source:
    """A publication that contains rules."""

    title: str
    publisher: str
    edition: str

    def __str__(self) -> str:
        return f"{self.title} ({self.publisher}, {self.edition})"


@dataclass(frozen=True)
class Statement:
    """One rule statement.

    `source` is a key of `sources()`, or "" if it is an addition; `at` is the section or topic in the source. Functions
    in the same system name the id in `@rule`. `played_by` lists other implementations: functions as
    "system.module.function", and files with numbers or boards as paths relative to this folder. `reason` explains why a
    statement is left out.
    """

    id: str
    text: str
    status: str
    source: str
    at: str
    played_by: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Section:
    """Statements on one subject, with an optional introduction."""

    title: str
    intro: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Rules:
    """The statements of one game system."""

    system: str
    title: str
    intro: str
    sections: tuple[Section, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of all sections, in order."""
        return tuple(statement for section in self.sections for statement in section.statements)


@cache
def sources() -> Mapping[str, Source]:
    """Return all publications, keyed by their keys in `sources.toml`."""
    text = (files(PACKAGE) / "sources.toml").read_text("utf-8")
    return {key: Source(**entry) for key, entry in tomllib.loads(text).items()}


@cache
def systems() -> tuple[str, ...]:
    """Return the game systems with a rules reference, in alphabetical order."""
    return tuple(sorted(folder.name for folder in files(PACKAGE).iterdir() if (folder / "rules.toml").is_file()))


@cache
def rules_of(system: str) -> Rules:
    """Return the statements of a game system.

    A statement without `source` and `at` inherits them from its section, unless it is an addition.
    """
    content = tomllib.loads((files(PACKAGE) / system / "rules.toml").read_text("utf-8"))
    sections = []
    for section in content["section"]:
        origin = {"source": section.get("source", ""), "at": section.get("at", "")}
        statements = []
        for entry in section["rule"]:
            entry_origin = {"source": "", "at": ""} if entry["status"] == "addition" else origin
            entry["played_by"] = tuple(entry.get("played_by", ()))
            statements.append(Statement(**entry_origin | entry))
        sections.append(Section(section["title"], section.get("intro", ""), tuple(statements)))
    return Rules(system, content["title"], content.get("intro", ""), tuple(sections))


@cache
def statements() -> Mapping[str, Statement]:
    """Return the statements of all systems, keyed by id."""
    return {statement.id: statement for system in systems() for statement in rules_of(system).statements}


@cache
def carriers_by_id() -> Mapping[str, tuple[str, ...]]:
    """Return the code that implements each statement: functions of its system, then its `played_by` entries."""
    carriers: dict[str, list[str]] = {}
    for system in systems():
        for module in rule_modules(system):
            for name, member in vars(module).items():
                if getattr(member, "__module__", "") == module.__name__:
                    for statement in getattr(member, "rules", ()):
                        carriers.setdefault(statement, []).append(f"{module.__name__.removeprefix(PACKAGE)[1:]}.{name}")
    for statement in statements().values():
        carriers.setdefault(statement.id, []).extend(statement.played_by)
    return {key: tuple(names) for key, names in carriers.items() if names}


def rule_modules(system: str) -> list:
    """Return a game system's rule modules: all its modules except drawings."""
    package = import_module(f"{PACKAGE}.{system}")
    names = [module.name for module in pkgutil.iter_modules(package.__path__) if not module.ispkg]
    return [import_module(f"{package.__name__}.{name}") for name in names if not name.startswith("drawing")]
