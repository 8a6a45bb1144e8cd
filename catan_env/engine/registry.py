"""Registered scenarios, by name. Scenarios outside the package register themselves the same way."""

from __future__ import annotations

import difflib

from catan_env.engine.scenario import Scenario
from catan_env.errors import UnknownScenarioError

_scenarios: dict[str, Scenario] = {}


def register(scenario: Scenario) -> Scenario:
    """Makes a scenario known under its name, in place of an earlier one of that name; returns it."""
    _scenarios[scenario.name] = scenario
    return scenario


def find_scenario(name: str) -> Scenario:
    """The registered scenario of this name.

    Raises:
        UnknownScenarioError: there is none; the message lists those there are.
    """
    if name not in _scenarios:
        close = difflib.get_close_matches(str(name), _scenarios, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownScenarioError(f"Unknown scenario {name!r}.{hint} Registered: {', '.join(sorted(_scenarios))}.")
    return _scenarios[name]


def scenarios() -> dict[str, Scenario]:
    """All registered scenarios by name, with their player counts (`.players`) and versions (`.version`)."""
    return dict(_scenarios)
