"""Terms that describe a position, and the compiled function that sums them.

A term is a number computed from the record by a function that is written like a rule and compiled with the rules of the
scenario. Agents pass the weights at run time, so tuning weights does not trigger recompilation.

A measuring function reads only information visible to the seat: public fields, the seat's own hidden rows, and the
number of hidden cards that other players hold. `tests/test_search.py` changes everything else and checks that the
values do not change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from catan_agents.evaluation.features import (
    MOST_PLAYERS,
    add_terms,
    define_extract_features,
    memoized_features,
    size_of,
)
from catan_agents.evaluation.memo import EvalCache, make_cache
from catan_agents.evaluation.memo_lines import memo_functions, memo_lines
from catan_agents.evaluation.network_evaluation import TERM_WEIGHTS, evaluate
from catan_env.engine.binding import module_name
from catan_env.engine.compose import Composition
from catan_env.engine.declare import Action, Composed
from catan_env.engine.record_views import add_record_view
from catan_env.errors import CompositionError

VALUE = Composed("value_of_position")
MEASURE = Composed("measure_position")
IS_NETWORK = Composed("is_value_network")
EITHER, DISTINGUISHED = "value_by_terms_or_network", "is_value_network_distinguished"
PARAMETERS = ("game", "params", "seat", "pool")
PARAMETERS_OF_VALUE = "game, params, seat, weights, cache"

AVOIDED, UNCERTAIN = 1, 2


@dataclass(frozen=True)
class Term:
    """A quantity measured in a position.

    Attributes:
        name: identifier used in weight files.
        meaning: description, including the unit.
        weight: default weight, in victory points per unit.
    """

    name: str
    meaning: str
    weight: float


@dataclass(frozen=True)
class TermFunction:
    """A function that measures terms in games that include all of its rule modules.

    With `memo`, its results are cached.
    """

    function: Callable
    terms: tuple[Term, ...]
    of: tuple
    memo: bool


_measures: list[TermFunction] = []
_manners: dict[Action, int] = {}
_with_networks: WeakKeyDictionary[Composition, Composition] = WeakKeyDictionary()


def measures(
    *terms: Term, of: object = (), memo: bool = False, as_features: bool = True
) -> Callable[[Callable], Callable]:
    """Register `f(game, params, seat, pool)`, a function that measures the given terms of a position for a seat.

    The function returns one number, or a tuple with one number per term. `of` lists the rule modules that a game must
    include. `pool`, shape (POOL,), float64, is scratch space with arbitrary contents up to `SCRATCH`; beyond it, terms
    may keep values that they need again. With `memo`, results are cached, which pays off if measuring takes longer than
    comparing all fields that the function reads (see `evaluation.memo`).
    With `as_features`, the terms are also inputs of value networks, named `term/NAME`; turn it off where declared
    features describe the same thing better.
    """

    def register(function: Callable) -> Callable:
        code = function.__code__
        if code.co_varnames[: code.co_argcount] != PARAMETERS:
            raise CompositionError(
                f"{function.__name__} measures terms: its parameters must be ({', '.join(PARAMETERS)})."
            )
        modules = of if isinstance(of, tuple) else (of,)
        _measures.append(TermFunction(function, terms, modules, memo))
        if as_features:
            add_terms(function, {term.name: term.meaning for term in terms}, modules)
        return function

    return register


def avoids(*actions: Action) -> None:
    """Declare actions that search agents take only if no other action is legal."""
    for action in actions:
        _manners[action] = _manners.get(action, 0) | AVOIDED


def uncertain(*actions: Action) -> None:
    """Declare actions whose outcome depends on hidden cards although no draw is involved.

    Search agents average the results of these actions over several worlds, as they do for draws that some players
    cannot see.
    """
    for action in actions:
        _manners[action] = _manners.get(action, 0) | UNCERTAIN


def manners_of(composition: Composition) -> list[int]:
    """Return the `AVOIDED` and `UNCERTAIN` bit flags for each kind of action."""
    return [_manners.get(action, 0) for action in composition.actions.values()]


def measures_of(composition: Composition) -> list[TermFunction]:
    """Return the measuring functions whose rule modules all belong to a composition."""
    return [measure for measure in _measures if composition.has_modules(measure.of)]


def terms_of(composition: Composition) -> tuple[Term, ...]:
    """Return the terms of a composition, in the same order as the weights.

    The first call defines three compiled functions: `VALUE(game, params, seat, weights, cache)`, `MEASURE(game, params,
    seat, found, pool)` and `IS_NETWORK(weights)`.

    Raises:
        CompositionError: two terms have the same name.
    """
    term_functions = measures_of(composition)
    terms = tuple(term for measure in term_functions for term in measure.terms)
    names = [term.name for term in terms]
    for name in names:
        if names.count(name) > 1:
            modules = ", ".join(module_name(module) for module in composition.modules)
            raise CompositionError(f"Two terms have the name {name!r} in games with the modules {modules}. Rename one.")
    if not composition.defines(VALUE.name):
        _define(composition, term_functions)
    return terms


def with_networks(composition: Composition) -> Composition:
    """Return a composition whose `VALUE` accepts a value network as an alternative to weights.

    The function `IS_NETWORK` tells the two apart; a network that corrects the sum of terms counts as weights. Other
    compositions do not support networks, to save compile time.
    """
    if composition not in _with_networks:
        is_network = f"weights.shape[0] > {len(terms_of(composition))}"
        define_extract_features(composition, memo_numbers_of(composition))
        functions, sum_lines, _ = _sums(composition, measures_of(composition))
        lines = [
            "total = 0.0",
            f"if {is_network}:",
            "    total = evaluate(game, params, seat, weights, cache)",
            f"    first_weight = int(weights[{TERM_WEIGHTS}])",
            "    if first_weight == 0:",
            "        return total",
            "    weights = weights[first_weight:]",
            *sum_lines,
            "return total",
        ]
        composition.add_function(EITHER, PARAMETERS_OF_VALUE, lines, functions | {"evaluate": evaluate})
        is_chance = f"{is_network} and weights[{TERM_WEIGHTS}] == 0"
        composition.add_function(DISTINGUISHED, "weights", [f"return {is_chance}"], {})
        _with_networks[composition] = composition.instead(**{VALUE.name: EITHER, IS_NETWORK.name: DISTINGUISHED})
    return _with_networks[composition]


def _define(composition: Composition, found: list[TermFunction]) -> None:
    for function, memo in memo_numbers_of(composition).items():
        add_record_view(composition, f"read_{memo}", composition.reads(function))
    functions, sum_lines, found_lines = _sums(composition, found)
    composition.add_function(VALUE.name, PARAMETERS_OF_VALUE, ["total = 0.0", *sum_lines, "return total"], functions)
    composition.add_function(MEASURE.name, "game, params, seat, found, pool", found_lines, functions)
    composition.add_function(IS_NETWORK.name, "weights", ["return False"], {})


def cache_of(composition: Composition, blank: np.ndarray) -> EvalCache:
    """Return an empty evaluation cache for a composition, given a blank record, shape (1,)."""
    sizes = [len(measure.terms) for measure in measures_of(composition) if measure.memo]
    sizes += [size_of(extractor, composition, MOST_PLAYERS) for extractor in memoized_features(composition)]
    return make_cache(blank, len(memo_numbers_of(composition)), max(sizes, default=1))


def memo_numbers_of(composition: Composition) -> dict[Callable, int]:
    """Return the memoized functions of a composition, which measure terms or extract features, and their numbers."""
    measure_functions = [measure.function for measure in measures_of(composition) if measure.memo]
    feature_functions = [extractor.function for extractor in memoized_features(composition)]
    return {function: k for k, function in enumerate([*measure_functions, *feature_functions])}


def _sums(composition: Composition, found: list[TermFunction]) -> tuple[dict[str, Any], list[str], list[str]]:
    """Return the measuring functions keyed by name, source lines that add the weighted terms to `total`, and lines that
    store the terms."""
    functions: dict[str, Any] = {f"measure_{k}": measure.function for k, measure in enumerate(found)}
    sum_lines: list[str] = []
    found_lines: list[str] = []
    first_term = 0
    memo_numbers = memo_numbers_of(composition)
    for name, measure in zip(tuple(functions), found, strict=True):
        part_names = [f"part_{k}" for k in range(first_term, first_term + len(measure.terms))]
        call = f"{', '.join(part_names)} = {name}(game, params, seat, {{}}pool)"
        found_lines += [call.format(""), *(f"found[{first_term + k}] = {part}" for k, part in enumerate(part_names))]
        if measure.memo:
            memo = memo_numbers[measure.function]
            functions |= memo_functions(memo)
            sum_lines += _memoized(call.format("cache."), part_names, memo)
        else:
            sum_lines.append(call.format("cache."))
        sum_lines.append(
            "total += " + " + ".join(f"weights[{first_term + k}] * {part}" for k, part in enumerate(part_names))
        )
        first_term += len(part_names)
    return functions, sum_lines, found_lines


def _memoized(call: str, parts: list[str], memo: int) -> list[str]:
    """Return source lines that read terms from the cache and, on a miss, measure them."""
    places = [f"cache.found[{memo}, entry, {k}]" for k in range(len(parts))]
    found = [f"{part} = {place}" for part, place in zip(parts, places, strict=True)]
    return memo_lines(memo, found, [call, *(f"{place} = {part}" for part, place in zip(parts, places, strict=True))])
