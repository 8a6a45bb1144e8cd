"""Registered scenarios, by name. Scenarios outside the package register themselves the same way."""

from __future__ import annotations

import difflib
from types import ModuleType
from typing import Any

from catan_env.engine.scenario import Scenario
from catan_env.errors import UnknownScenarioError

_scenarios: dict[str, Scenario] = {}
_extras: dict[str, ModuleType] = {}


def register(scenario: Scenario) -> Scenario:
    """Makes a scenario known under its name, in place of an earlier one of that name; returns it."""
    _scenarios[scenario.name] = scenario
    return scenario


def register_extra(name: str, module: ModuleType) -> None:
    """Makes an optional rule module known: "base+name" is then the scenario "base" with it."""
    _extras[name] = module


def find_scenario(name: str) -> Scenario:
    """The registered scenario of this name, with optional rule modules after plus signs ("base+card_counting").

    Raises:
        UnknownScenarioError: there is no such scenario or module; the message lists those there are.
    """
    first, *extras = str(name).split("+")
    scenario = _known(first, "scenario", _scenarios)
    for extra in extras:
        scenario = scenario.with_module(extra, _known(extra, "optional module", _extras))
    return scenario


def _known(name: str, what: str, known: dict[str, Any]) -> Any:
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownScenarioError(f"Unknown {what} {name!r}.{hint} Registered: {', '.join(sorted(known))}.")
    return known[name]


def extras() -> tuple[str, ...]:
    """Names of the optional rule modules."""
    return tuple(_extras)


def scenarios() -> dict[str, Scenario]:
    """All registered scenarios by name, with their player counts (`.players`) and versions (`.version`)."""
    return dict(_scenarios)
