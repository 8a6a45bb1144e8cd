"""Rules reference pages: the rule statements of a game system, with the code and tests for each statement."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from catan_env.games.reference import Rules, Statement, sources


def covering_tests(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the tests in a folder as "file.py::test", keyed by the statement they cover."""
    covered: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        functions = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
        for node in functions:
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    for argument in mark.args:
                        covered.setdefault(ast.literal_eval(argument), []).append(f"{path.name}::{node.name}")
    return {key: tuple(names) for key, names in covered.items()}


def rules_reference_page(
    rules: Rules, carriers: Mapping[str, Sequence[str]], tests: Mapping[str, Sequence[str]], note: str = ""
) -> str:
    """Return the rules reference of a game system in Markdown.

    Args:
        rules: the rule statements of the system, keyed by section.
        carriers: functions that implement each statement, keyed by statement id.
        tests: tests of each statement, keyed by statement id.
        note: text to show below the title.
    """
    lines = [f"# Rules: {rules.title}", "", *([note, ""] if note else []), *([rules.intro, ""] if rules.intro else [])]
    for section in rules.sections:
        lines += [f"## {section.title}", "", *([section.intro, ""] if section.intro else [])]
        left_out = [statement for statement in section.statements if statement.status == "left_out"]
        played = [statement for statement in section.statements if statement.status != "left_out"]
        if played:
            lines += ["| Id | Rule | Status | Source | Played by | Test |", "| --- | --- | --- | --- | --- | --- |"]
            lines += [_row(statement, carriers, tests) for statement in played] + [""]
        if left_out:
            lines += ["| Id | Left out | Why | Source |", "| --- | --- | --- | --- |"]
            lines += [
                f"| {statement.id} | {statement.text} | {statement.reason} | {_origin(statement)} |"
                for statement in left_out
            ] + [""]
    used = dict.fromkeys(statement.source for statement in rules.statements if statement.source)
    lines += ["## Sources", "", *(f"- `{key}`: {sources()[key]}" for key in used), ""]
    return "\n".join(lines)


def _row(statement: Statement, carriers: Mapping[str, Sequence[str]], tests: Mapping[str, Sequence[str]]) -> str:
    names = "<br>".join(f"`{name}`" for name in carriers.get(statement.id, ()))
    covering = "<br>".join(f"`{name}`" for name in tests.get(statement.id, ()))
    return f"| {statement.id} | {statement.text} | {statement.status} | {_origin(statement)} | {names} | {covering} |"


def _origin(statement: Statement) -> str:
    return f"`{statement.source}`: {statement.at}" if statement.source else ""
