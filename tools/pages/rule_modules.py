"""The rule modules page: the docstring, numbers and scenarios of each module."""

from __future__ import annotations

from typing import Any

from catan_env.engine.binding import module_name
from catan_env.engine.registry import find_scenario, optional_rules, scenarios
from tools.pages.markdown import page, table
from tools.pages.scenario import REFERENCE


def rules_page() -> str:
    """Return the page that covers all rule modules."""
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
        "A scenario is an ordered list of rule modules. Each module covers one system of the rules; rules without a "
        "module are not implemented. The [rules reference](rules/index.md) has every statement with its "
        "source.",
        table(("Module", "Content", "Scenarios"), module_rows),
        "[Events, questions, helpers and numbers](rule_words.md) lists the words through which modules work together.",
    ]
    for module in modules:
        parts += [f"## `{module_name(module)}`", *_docstring(module)]
        numbers = [f"`{rule_number.name}`" for rule_number in getattr(module, "NUMBERS", ())]
        if numbers:
            parts.append(f"Numbers: {', '.join(numbers)}.")
    return page("Rule modules", " from the docstrings of the rule modules", *parts)


def _docstring(module: Any) -> list[str]:
    """Return the paragraphs in the docstring of a rule module."""
    return [part.strip() for part in (module.__doc__ or module_name(module)).split("\n\n")]
