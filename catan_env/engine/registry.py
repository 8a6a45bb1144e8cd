"""The scenario registry. Scenarios are found by name, by the module that registers them, or by file path.

Scenarios outside this package are registered in the same way. Installed packages declare their modules as entry points
in the group `catan_env.scenarios`, so their scenarios are found without an import.
"""

from __future__ import annotations

import copyreg
import pickle
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from catan_env.engine.binding import did_you_mean
from catan_env.engine.program import composition_of
from catan_env.engine.scenario import OptionalRule, Scenario
from catan_env.errors import CatanError, UnknownScenarioError
from catan_env.outside import absolute, calling_module, importing, load_module, may_import, version_of
from catan_env.text_files import other_file

GROUP = "catan_env.scenarios"
"""Entry point group for packages with scenarios or optional rules. An entry point is a module that registers them, or
"module:attribute" if the attribute is a `Scenario`."""

FILE = re.compile(r"(?P<file>.*\.(?i:toml))(?P<rules>(\+\w+)*)", re.DOTALL)
"""Matches the path of a scenario file, followed by optional rules."""

_scenarios: dict[str, Scenario] = {}
_optional: dict[str, OptionalRule] = {}
_numbers_of_rule: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {}
"""Functions that compute the numbers of an optional rule for a scenario, keyed by rule name."""
_readers: list[Callable[[Path], Scenario]] = []
_listeners: list[Callable[[Scenario], Any]] = []
_loaded_packages: list[str] = []
"""Names of the entry points loaded so far."""


def register(scenario: Scenario) -> Scenario:
    """Register a scenario under its name, replacing any earlier one with that name, and return it.

    The scenario stores the calling module (`scenario.module`), so that logs, checkpoints and other processes can find
    it by `scenario.reference`, "module:name".
    """
    module = calling_module()
    return _add(replace(scenario, module=module) if module else scenario)


def _add(scenario: Scenario) -> Scenario:
    _scenarios[scenario.name] = scenario
    for listener in _listeners:
        listener(scenario)
    return scenario


def on_register(listener: Callable[[Scenario], Any]) -> None:
    """Call `listener` with every scenario that is already registered or will be registered later."""
    _listeners.append(listener)
    for scenario in _scenarios.values():
        listener(scenario)


def register_optional(
    name: str,
    module: Any,
    numbers: Mapping[str, Any] | Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
) -> None:
    """Register an optional rule for every scenario, so that "base+name" is the scenario "base" with this rule.

    Rules for a single scenario are declared in its scenario file (`[optional.NAME]`). "my_package:base+name" imports
    `my_package`, which registers the rule. If the group `catan_env.scenarios` has an entry point called "name",
    "base+name" does the same.

    Args:
        name: name of the rule.
        module: rule module, which runs after all of the scenario's modules.
        numbers: rule numbers that the rule sets, by name; or a function that computes them from the scenario's numbers,
            such as `lambda numbers: {"victory_points": numbers["victory_points"] + 1}`.
    """
    set_numbers = {} if numbers is None or callable(numbers) else numbers
    _optional[name] = OptionalRule(module, set_numbers, registered_by=calling_module())
    _numbers_of_rule.pop(name, None)
    if callable(numbers):
        _numbers_of_rule[name] = numbers


def register_reader(reader: Callable[[Path], Scenario]) -> None:
    """Set the function that reads scenario files."""
    _readers[:] = [reader]


def find_scenario(name: str | Path) -> Scenario:
    """Find a scenario by name, by module and name, or by the path of its .toml file.

    "my_package:fishermen" imports `my_package`, which registers the scenario "fishermen"; "fishermen.py:fishermen"
    imports a file. Append optional rules with plus signs: "base+card_counting", "my_scenario.toml+card_counting".

    Raises:
        UnknownScenarioError: no such scenario, module, file or rule exists, or they are incompatible; the message lists
            the known ones.
        ScenarioFileError: the file does not describe a scenario; the message names the file, line and key.
    """
    text = str(name)
    if file_match := FILE.fullmatch(text):
        base_reference, rules = file_match["file"], file_match["rules"].split("+")[1:]
        scenario = _readers[0](Path(base_reference))
    else:
        module, _, plain_name = text.rpartition(":")
        base_reference, *rules = plain_name.split("+")
        scenario = _scenario_of(module, base_reference, name)
    for rule in rules:
        scenario = scenario.with_rule(rule, _rule_of(scenario, base_reference, rule))
    return scenario


def scenario_in_file(name: str | Path) -> Scenario:
    """Return a scenario named in a log or other file, without importing modules just because the file names them.

    Only modules that are already imported, and those of installed packages with entry points, are used.

    Raises:
        UnknownScenarioError, ScenarioFileError: as for `find_scenario`, or a module is not loaded; the message explains
            how to load it.
    """
    with importing(allowed=False):
        return find_scenario(name)


def _scenario_of(module: str, name: str, reference: str | Path) -> Scenario:
    """Return a registered scenario after importing its module; `module` is "" if the module is unknown."""
    if module and not may_import.get():
        load_packages()
    if module:
        try:
            load_module(module, UnknownScenarioError)
        except UnknownScenarioError as error:
            raise UnknownScenarioError(f"Scenario {str(reference)!r} needs the module {module!r}. {error}") from error
    if name not in _scenarios:
        load_packages(name)
    more = '; or give the path of a scenario file that ends in .toml, or "module:name". '
    more += "On the command line, --import MODULE loads a module that registers scenarios"
    what = f"scenario in module {module!r}:" if module else "scenario"
    return _known(name, what, _scenarios, more, reference)


def load_packages(first: str = "") -> None:
    """Load the scenario entry points of installed packages, each only once, starting with those named `first`.

    If a package cannot be loaded, a warning is issued.
    """
    points = [point for point in _points(tuple(sys.path)) if point.name not in _loaded_packages]
    for point in sorted(points, key=lambda point: point.name != first):
        if first and (first in _scenarios or first in _optional):
            return
        _loaded_packages.append(point.name)
        try:
            with importing(allowed=True):
                loaded = point.load()
        except Exception as error:
            warnings.warn(
                f"Scenario {point.name!r} of an installed package cannot be loaded from {point.value}: "
                f"{type(error).__name__}: {error}",
                stacklevel=2,
            )
            continue
        if isinstance(loaded, Scenario) and loaded.name not in _scenarios:
            _add(replace(loaded, module=point.module))


@lru_cache(1)
def _points(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Return the entry points of packages with scenarios, cached because reading them takes milliseconds."""
    return tuple(entry_points(group=GROUP))


def reference_to(name: str | Path) -> str:
    """Return a reference that other processes can resolve: "name", "module:name", or the absolute path of a file."""
    text = str(name)
    if file_match := FILE.fullmatch(text):
        return f"{Path(file_match['file']).expanduser().resolve()}{file_match['rules']}"
    module, _, plain_name = text.rpartition(":")
    scenario_name, *rules = plain_name.split("+")
    if not module and scenario_name in _scenarios:
        module = _scenarios[scenario_name].module
    for rule in rules:
        module = module or (_optional[rule].registered_by if rule in _optional else "")
    return f"{absolute(module)}:{plain_name}" if module else plain_name


def split_scenario(text: str) -> tuple[str, str]:
    """Split "base:players=3" into the scenario's reference (see `reference_to`) and the text after the colon."""
    file_match = re.fullmatch(rf"({FILE.pattern})(:(?P<rest>.*))?", text, re.DOTALL)
    if file_match:
        return reference_to(file_match[1]), file_match["rest"] or ""
    parts = re.fullmatch(r"(?P<name>[^=]*?)(:(?P<rest>[^:=]*=.*|\d+)?)?", text, re.DOTALL)
    return (reference_to(parts["name"]), parts["rest"] or "") if parts else (text, "")


def requirement_of(scenario: Scenario) -> dict[str, str]:
    """Return the module outside this package that a scenario needs, with its version; {} if it needs none.

    Logs and checkpoints contain this information for people who load them elsewhere.
    """
    if not scenario.module or scenario.file:
        return {}
    return {"module": scenario.module, "version": version_of(scenario.module)}


def import_of(scenario: Scenario) -> str:
    """Return the module or scenario file to import before replaying a log of this scenario, or "" if there is none."""
    if scenario.file:
        names = [getattr(module, "__name__", "") for module in scenario.modules]
        return "" if all(name.startswith("catan_env.") for name in names) else scenario.file
    return scenario.module if scenario.module not in {point.module for point in _points(tuple(sys.path))} else ""


def requirements_of(references: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the requirements of several scenarios, keyed by reference, omitting scenarios that need nothing."""
    required = {reference: requirement_of(find_scenario(reference)) for reference in references}
    return {reference: requirement for reference, requirement in required.items() if requirement}


def short_name(reference: str | Path) -> str:
    """Return a short name for use in file names: the scenario's name, or its file name without folder and extension."""
    file_match = FILE.fullmatch(str(reference))
    return f"{Path(file_match['file']).stem}{file_match['rules']}" if file_match else str(reference).rpartition(":")[2]


def _rule_of(scenario: Scenario, first: str, rule: str) -> OptionalRule:
    if rule in scenario.optional:
        return scenario.optional[rule]
    scenario_names = sorted(candidate.name for candidate in _scenarios.values() if rule in candidate.optional)
    if scenario_names:
        raise UnknownScenarioError(
            f"Scenario {first!r} has no {rule!r}. Scenarios with it: {', '.join(scenario_names)}."
        )
    if rule not in _optional:
        load_packages(rule)
    known_rule: OptionalRule = _known(rule, "optional rule", {**_optional, **scenario.optional})
    if rule not in _numbers_of_rule:
        return known_rule
    declared = composition_of(scenario).numbers
    values_for = {count: scenario.values(declared, count, {}) for count in scenario.players}
    return replace(known_rule, numbers_for={count: _numbers_of_rule[rule](values_for[count]) for count in values_for})


def _known(name: str, what: str, known: Mapping[str, Any], more: str = "", path: Any = None) -> Any:
    if name not in known:
        hint = did_you_mean(name, known) + other_file(path, ".toml")
        raise UnknownScenarioError(f"Unknown {what} {name!r}.{hint} Registered: {', '.join(sorted(known))}{more}.")
    return known[name]


def optional_rules(scenario: Scenario | None = None) -> tuple[str, ...]:
    """Return the names of a scenario's optional rules, or, without a scenario, of the rules for every scenario."""
    return tuple(_optional if scenario is None else scenario.optional)


def scenarios() -> dict[str, Scenario]:
    """Return all registered scenarios, keyed by name; each has `.players` (player counts) and `.version`.

    This includes the scenarios of installed packages.
    """
    load_packages()
    return dict(_scenarios)


def is_registered(name: str) -> bool:
    """Return whether a scenario with this name exists, without loading any packages."""
    return name in _scenarios


def _reduce(scenario: Scenario) -> tuple:
    """Pickle a scenario as its reference, which lets another process find it in the registry or read its file."""
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
            f"Scenario {scenario.name!r} cannot be pickled, because other processes cannot find it by {reference!r}. "
            "Register it in a module that other processes import, or write it as a scenario file and load that."
        )
    return find_scenario, (reference,)


copyreg.pickle(Scenario, _reduce)
