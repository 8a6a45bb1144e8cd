"""Registered scenarios, by name. Scenarios outside the package register themselves the same way."""

from __future__ import annotations

import difflib
from types import ModuleType
from typing import Any

from catan_env.engine.scenario import Scenario
from catan_env.errors import UnknownScenarioError

_scenarios: dict[str, Scenario] = {}
_extras: dict[str, ModuleType] = {}
_for_all: dict[str, bool] = {}


def register(scenario: Scenario) -> Scenario:
    """Makes a scenario known under its name, in place of an earlier one of that name; returns it."""
    _scenarios[scenario.name] = scenario
    return scenario


def register_extra(name: str, module: ModuleType, for_all: bool = True) -> None:
    """Makes an optional rule module known: "base+name" is then the scenario "base" with it.

    Unless it is `for_all`, it goes with the scenarios only that name it among their `extras`.
    """
    _extras[name] = module
    _for_all[name] = for_all


def find_scenario(name: str) -> Scenario:
    """The registered scenario of this name, with optional rule modules after plus signs ("base+card_counting").

    Raises:
        UnknownScenarioError: there is no such scenario or module, or they do not go together; the message lists those
            there are.
    """
    first, *extras = str(name).split("+")
    scenario = _known(first, "scenario", _scenarios)
    for extra in extras:
        module = _known(extra, "optional module", _extras)
        if not _for_all[extra] and extra not in scenario.extras:
            having = ", ".join(sorted(one.name for one in _scenarios.values() if extra in one.extras))
            raise UnknownScenarioError(f"Scenario {first!r} has no {extra!r}. Scenarios that have: {having}.")
        scenario = scenario.with_module(extra, module)
    return scenario


def _known(name: str, what: str, known: dict[str, Any]) -> Any:
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownScenarioError(f"Unknown {what} {name!r}.{hint} Registered: {', '.join(sorted(known))}.")
    return known[name]


def extras(scenario: Scenario | None = None) -> tuple[str, ...]:
    """Names of the optional rule modules that go with every scenario; those of one scenario only, if it is given."""
    return tuple(name for name in _extras if (_for_all[name] if scenario is None else name in scenario.extras))


def scenarios() -> dict[str, Scenario]:
    """All registered scenarios by name, with their player counts (`.players`) and versions (`.version`)."""
    return dict(_scenarios)
