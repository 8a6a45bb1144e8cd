"""The registry of scenarios, by name or by the path of a file.

Scenarios outside the package register in the same way.
"""

from __future__ import annotations

import copyreg
import pickle
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from catan_env.engine.binding import did_you_mean
from catan_env.engine.scenario import OptionalRule, Scenario
from catan_env.errors import CatanError, UnknownScenarioError
from catan_env.text_files import other_file

FILE = re.compile(r"(?P<file>.*\.(?i:toml))(?P<rules>(\+\w+)*)", re.DOTALL)
"""The path of a scenario file, followed by optional rules."""

_scenarios: dict[str, Scenario] = {}
_optional: dict[str, OptionalRule] = {}
_readers: list[Callable[[Path], Scenario]] = []


def register(scenario: Scenario) -> Scenario:
    """Register a scenario under its name, replacing an earlier one of that name, and return it."""
    _scenarios[scenario.name] = scenario
    return scenario


def register_optional(name: str, module: Any) -> None:
    """Register an optional rule for every scenario: "base+name" is then the scenario "base" with this rule.

    Scenario files declare rules for single scenarios themselves (`[optional.NAME]`).
    """
    _optional[name] = OptionalRule(module)


def register_reader(reader: Callable[[Path], Scenario]) -> None:
    """Set the function that reads scenario files."""
    _readers[:] = [reader]


def find_scenario(name: str | Path) -> Scenario:
    """Return a scenario by name or by the path of its file, which ends in .toml.

    Optional rules follow after plus signs: "base+card_counting", "my_scenario.toml+card_counting".

    Raises:
        UnknownScenarioError: no such scenario, file or rule exists, or they do not fit together; the message lists the
            known ones.
        ScenarioFileError: the file does not describe a scenario; the message names file, line and key.
    """
    text = str(name)
    if file_match := FILE.fullmatch(text):
        base_reference, rules = file_match["file"], file_match["rules"].split("+")[1:]
        scenario = _readers[0](Path(base_reference))
    else:
        base_reference, *rules = text.split("+")
        scenario = _known(
            base_reference, "scenario", _scenarios, "; or give the path of a scenario file, which ends in .toml", name
        )
    for rule in rules:
        scenario = scenario.with_rule(rule, _rule_of(scenario, base_reference, rule))
    return scenario


def reference_to(name: str | Path) -> str:
    """Return a reference that other processes understand: a scenario's name, or the absolute path of its file."""
    file_match = FILE.fullmatch(str(name))
    return f"{Path(file_match['file']).expanduser().resolve()}{file_match['rules']}" if file_match else str(name)


def split_scenario(text: str) -> tuple[str, str]:
    """Split "base:players=3" into the scenario, as `reference_to` gives it, and the text after the colon."""
    file_match = re.fullmatch(rf"({FILE.pattern})(:(?P<rest>.*))?", text, re.DOTALL)
    name, _, suffix = (file_match[1], "", file_match["rest"] or "") if file_match else text.partition(":")
    return reference_to(name), suffix


def short_name(reference: str | Path) -> str:
    """Return a short name for files: the scenario's name, or the name of its file without folder and ending."""
    file_match = FILE.fullmatch(str(reference))
    return f"{Path(file_match['file']).stem}{file_match['rules']}" if file_match else str(reference)


def _rule_of(scenario: Scenario, first: str, rule: str) -> OptionalRule:
    if rule in scenario.optional:
        return scenario.optional[rule]
    scenario_names = sorted(candidate.name for candidate in _scenarios.values() if rule in candidate.optional)
    if scenario_names:
        raise UnknownScenarioError(
            f"Scenario {first!r} has no {rule!r}. Scenarios that have: {', '.join(scenario_names)}."
        )
    return _known(rule, "optional rule", {**_optional, **scenario.optional})


def _known(name: str, what: str, known: Mapping[str, Any], more: str = "", path: Any = None) -> Any:
    if name not in known:
        hint = did_you_mean(name, known) + other_file(path, ".toml")
        raise UnknownScenarioError(f"Unknown {what} {name!r}.{hint} Registered: {', '.join(sorted(known))}{more}.")
    return known[name]


def optional_rules(scenario: Scenario | None = None) -> tuple[str, ...]:
    """Return the names of a scenario's optional rules; without a scenario, of those for every scenario."""
    return tuple(_optional if scenario is None else scenario.optional)


def scenarios() -> dict[str, Scenario]:
    """Return all registered scenarios by name, with their numbers of players (`.players`) and versions (`.version`)."""
    return dict(_scenarios)


def _reduce(scenario: Scenario) -> tuple:
    """Pickle a scenario by its reference; another process finds it in the registry or reads its file."""
    reference = scenario.reference
    try:
        registered_scenario = find_scenario(reference)
    except CatanError:
        registered_scenario = None
    if registered_scenario is None or (
        registered_scenario.modules,
        registered_scenario.numbers,
        registered_scenario.version,
    ) != (
        scenario.modules,
        scenario.numbers,
        scenario.version,
    ):
        raise pickle.PicklingError(
            f"Scenario {scenario.name!r} cannot be pickled, since no other process could find it by {reference!r}. "
            "Register it in a module that other processes import, or write it as a scenario file and load that."
        )
    return find_scenario, (reference,)


copyreg.pickle(Scenario, _reduce)
