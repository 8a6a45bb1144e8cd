"""The page for rule authors, listing events, questions, menus, helpers and numbers, and the modules that use them."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

from catan_env.engine import declare
from catan_env.engine.binding import module_name, rule_functions
from catan_env.engine.helpers import helpers_of, purpose_of, signature_of
from catan_env.engine.registry import scenarios
from catan_env.games import vocabulary
from catan_env.games.base import both_dice, yields
from catan_env.games.base.bank_trade import forbid_giving, forbid_receiving
from catan_env.games.base.network import remove_building
from tools.pages.markdown import page, table

FOR_AUTHORS = (both_dice, yields)
"""Rule modules that are not used by any bundled scenario."""
HELPERS_FOR_AUTHORS = (remove_building, forbid_giving, forbid_receiving)
"""Helpers that are not used by any bundled module."""
ANSWER_WITHOUT_MODULES = {declare.ANY: "no", declare.EVERY: "yes"}
FOLDS = {
    declare.SUM: "sum",
    declare.ANY: "any yes",
    declare.EVERY: "all yes",
    declare.LEAST: "minimum",
    declare.MOST: "maximum",
}


def words_page() -> str:
    """Return the page, which is generated from the declarations in all rule modules of registered scenarios."""
    used = {module for scenario in scenarios().values() for module in scenario.modules}
    modules = sorted({*used, *FOR_AUTHORS}, key=module_name)
    return page(
        "Events, questions, helpers and numbers",
        " from the declarations of the rule modules",
        "Rule modules work together through these words. Import them from the module in the last column, or from "
        "`catan_env.games.vocabulary`. [Parts of a rule module](rule_module_parts.md) explains how to use them.",
        "## Events",
        "A module announces `EVENT(game, params, player, where)`. Functions marked `@when(EVENT)` react in the order "
        "of the modules.",
        table(("Event", "Announced when", "Announced by", "Reactions"), _events(modules)),
        "## Questions",
        "A rule asks `QUESTION(game, params, player, where)`. Functions marked `@answers(QUESTION)` answer. The fold "
        "combines the answers; the start is the answer without modules.",
        table(("Question", "Asks for", "Fold", "Start", "Asked by", "Answered by"), _questions(modules)),
        "## Draws",
        "Chance events. A rule pushes a draw with the seat `CHANCE`; the last one pushed is drawn first. "
        "`@weights(DRAW)` functions set the weights of its outcomes, without them it is uniform, and "
        "`@outcome(DRAW)` functions carry them out.",
        table(("Draw", "Outcome", "Pushed by", "Weights by"), _draws(modules)),
        "## Menus",
        "Options that decisions offer. `@legal(MENU)` functions apply to every decision that lists the menu.",
        table(("Menu", "Offers", "Options from"), _menus(modules)),
        "## Helpers",
        "Functions of rule modules that other modules call. Import them by name.",
        table(("Function", "Purpose", "Module"), _helpers(modules)),
        "## Numbers",
        "Rule numbers by name. Set them with `rules=`, `--rules` or in `[numbers]` of a scenario file.",
        table(("Number", "Meaning", "Default", "Bounds", "Module"), _numbers(modules)),
    )


def _declared(modules: Iterable[Any], kind: type) -> dict[str, Any]:
    """Return all declarations of one kind, keyed by Python name."""
    found: dict[str, Any] = {}
    for module in (vocabulary, declare, *modules):
        for name, value in vars(module).items():
            if isinstance(value, kind):
                found.setdefault(name, value)
    return found


def _users(modules: Iterable[Any], role_kind: str, symbol: Any) -> str:
    """Return the modules with a function that has the given role for a declaration."""
    names = [
        module_name(module)
        for module in modules
        if any(
            role.kind == role_kind and symbol in role.symbols
            for function in rule_functions(module)
            for role in function.roles
        )
    ]
    return ", ".join(f"`{name}`" for name in names)


def _mentions(modules: Iterable[Any], symbol: Any) -> str:
    """Return the modules with a function that refers to a declaration, for example to announce, ask or push it."""
    names = [
        module_name(module)
        for module in modules
        if any(
            isinstance(function, types.FunctionType)
            and function.__module__ == module.__name__
            and any(function.__globals__.get(name) == symbol for name in function.__code__.co_names)
            for function in vars(module).values()
        )
    ]
    return ", ".join(f"`{name}`" for name in names)


def _events(modules: list[Any]) -> Iterator[tuple[str, ...]]:
    for name, event in sorted(_declared(modules, declare.Event).items()):
        yield f"`{name}`", event.meaning, _mentions(modules, event), _users(modules, "when", event)


def _questions(modules: list[Any]) -> Iterator[tuple[str, ...]]:
    for name, question in sorted(_declared(modules, declare.Question).items()):
        start = ANSWER_WITHOUT_MODULES.get(question.fold, str(question.start))
        asked, answered = _mentions(modules, question), _users(modules, "answers", question)
        yield f"`{name}`", question.meaning, FOLDS[question.fold], start, asked, answered


def _draws(modules: list[Any]) -> Iterator[tuple[str, ...]]:
    for name, draw in sorted(_declared(modules, declare.Draw).items()):
        yield f"`{name}`", draw.text, _mentions(modules, draw), _users(modules, "weights", draw)


def _menus(modules: list[Any]) -> Iterator[tuple[str, ...]]:
    for name, menu in sorted(_declared(modules, declare.Menu).items()):
        yield f"`{name}`", menu.meaning, _users(modules, "legal", menu)


def _helpers(modules: list[Any]) -> Iterator[tuple[str, ...]]:
    """Yield the functions of rule modules and of the shared vocabulary that other rule modules import."""
    found = helpers_of(modules) | {function.__name__: function for function in HELPERS_FOR_AUTHORS}
    for _, function in sorted(found.items()):
        module = function.__module__.removeprefix("catan_env.games.")
        yield f"`{signature_of(function)}`", purpose_of(function), f"`{module}`"


def _numbers(modules: list[Any]) -> Iterator[tuple[str, ...]]:
    rows = []
    for module in modules:
        for number in getattr(module, "NUMBERS", ()):
            bounds = ", ".join(number.choices) if number.choices else f"{number.low} to {number.high}"
            rows.append((f"`{number.name}`", number.meaning, f"{number.default}", bounds, f"`{module_name(module)}`"))
    yield from sorted(rows)
