"""The page of rule modules: what each does, as its docstring says, and the events that it announces or reacts to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from catan_env.engine import declare
from catan_env.engine.binding import module_name, rule_functions
from catan_env.engine.registry import find_scenario, optional_rules, scenarios
from catan_env.games import vocabulary
from tools.pages.markdown import page, table
from tools.pages.scenario import REFERENCE


def rules_page() -> str:
    """What every rule module does, as its docstring says, and where it is used."""
    users: dict[Any, list[str]] = {}
    for name, scenario in sorted(scenarios().items()):
        for module in scenario.modules:
            users.setdefault(module, []).append(name)
    for name in optional_rules():
        users.setdefault(find_scenario(f"{REFERENCE}+{name}").modules[-1], []).append(f"any, as `+{name}`")
    for scenario, name in [
        (any_scenario, rule) for _, any_scenario in sorted(scenarios().items()) for rule in optional_rules(any_scenario)
    ]:
        reference = f"{scenario.name}+{name}"
        users.setdefault(find_scenario(reference).modules[-1], []).append(f"`{reference}`")
    modules = sorted(users, key=module_name)

    def used_in(module: Any) -> str:
        return "all" if len(users[module]) == len(scenarios()) else ", ".join(users[module])

    module_rows = [
        (
            f"[`{module_name(rule_module)}`](#{module_name(rule_module)})",
            _docstring(rule_module)[0],
            used_in(rule_module),
        )
        for rule_module in modules
    ]
    parts = [
        "A scenario is an ordered list of rule modules. Each module covers one system of the rules; a rule that no "
        "module below describes is not played. The [rules reference](rules/index.md) has every statement with its "
        "source.",
        table(("Module", "What it covers", "Scenarios"), module_rows),
        "## Events",
        "What modules announce, as `EVENT(game, table, player, where)`, and which modules react.",
        table(("Event", "Says that", "Reactions"), _events(modules)),
    ]
    for module in modules:
        parts += [f"## `{module_name(module)}`", *_docstring(module)]
        numbers = [f"`{rule_number.name}`" for rule_number in getattr(module, "NUMBERS", ())]
        if numbers:
            parts.append(f"Numbers: {', '.join(numbers)}.")
    return page("Rule modules", " from the docstrings of the rule modules", *parts)


def _events(modules: Iterable[Any]) -> Iterable[tuple[str, str, str]]:
    """Every event that a module can name, and the modules that react to it."""
    event_by_name: dict[str, declare.Event] = {}
    reactions_by_event: dict[str, list[str]] = {}
    for module in (vocabulary, declare, *modules):
        event_by_name |= {name: value for name, value in vars(module).items() if isinstance(value, declare.Event)}
    for module in modules:
        functions: list[Any] = rule_functions(module)
        for role in (role for function in functions for role in function.roles if role.kind == "when"):
            for event in role.symbols:
                names = reactions_by_event.setdefault(event.name, [])
                names += [module_name(module)] * (module_name(module) not in names)
    for name, event in event_by_name.items():
        yield f"`{name}`", event.meaning, ", ".join(f"`{module}`" for module in reactions_by_event.get(event.name, ()))


def _docstring(module: Any) -> list[str]:
    """Paragraphs of a rule module's docstring."""
    return [part.strip() for part in (module.__doc__ or module_name(module)).split("\n\n")]
