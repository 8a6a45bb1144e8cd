"""Terms of a seat's position: who measures them, and the compiled function that adds them up.

A term is a number that is measured from the record by a function written like a rule, and compiled with the rules of
the scenario. Its weight is no part of the program: agents hand the weights over, so that tuning compiles nothing.

A function that measures looks at what its seat knows, and at nothing else: what lies open, its own hidden rows, how
many hidden cards others have. `tests/test_search.py` deals all else anew and finds the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from catan_agents.evaluation.features import define_extract_features
from catan_agents.evaluation.memo import EvalCache, make_cache
from catan_agents.evaluation.network_evaluation import evaluate
from catan_env.engine.binding import module_name
from catan_env.engine.compose import Composition
from catan_env.engine.declare import Action, Composed
from catan_env.engine.record_views import ENTRIES, add_record_view
from catan_env.errors import CompositionError

VALUE = Composed("value_of_position")
MEASURE = Composed("measure_position")
IS_NETWORK = Composed("is_value_network")
EITHER, TOLD_APART = "value_by_terms_or_network", "is_value_network_told_apart"
PARAMETERS = ("game", "params", "seat", "pool")
PARAMETERS_OF_VALUE = "game, params, seat, weights, cache"

AVOIDED, UNCERTAIN = 1, 2


@dataclass(frozen=True)
class Term:
    """Something that a position has more or less of.

    Attributes:
        name: by which files of weights know it.
        meaning: what is measured, and in which unit.
        weight: what one of it is worth where nobody tuned, in victory points.
    """

    name: str
    meaning: str
    weight: float


@dataclass(frozen=True)
class TermFunction:
    """A function that measures some terms, in games that have all of these rule modules; whether they are kept."""

    function: Callable
    terms: tuple[Term, ...]
    of: tuple
    memo: bool


_measures: list[TermFunction] = []
_manners: dict[Action, int] = {}
_with_networks: WeakKeyDictionary[Composition, Composition] = WeakKeyDictionary()


def measures(*terms: Term, of: object = (), memo: bool = False) -> Callable[[Callable], Callable]:
    """`f(game, params, seat, pool)`: measures these terms of a seat's position, in games with these rule modules.

    It returns a number, or a tuple of as many numbers as there are terms. `pool`, (POOL,) float64, is to count in:
    what it holds at first is anything. Where measuring takes longer than comparing all that is read, terms are `memo`
    (see `evaluation.memo`).
    """

    def register(function: Callable) -> Callable:
        code = function.__code__
        if code.co_varnames[: code.co_argcount] != PARAMETERS:
            raise CompositionError(f"{function.__name__} measures terms: it must take ({', '.join(PARAMETERS)}).")
        _measures.append(TermFunction(function, terms, of if isinstance(of, tuple) else (of,), memo))
        return function

    return register


def avoids(*actions: Action) -> None:
    """Searching agents take these actions only where there is no other."""
    for action in actions:
        _manners[action] = _manners.get(action, 0) | AVOIDED


def uncertain(*actions: Action) -> None:
    """What these actions bring depends on cards that others hold hidden, and no draw says so: searching agents average
    them over several worlds, as they do with draws that not everybody sees."""
    for action in actions:
        _manners[action] = _manners.get(action, 0) | UNCERTAIN


def manners_of(composition: Composition) -> list[int]:
    """For each kind of action of a composition, whether it is avoided or uncertain, as bits."""
    return [_manners.get(action, 0) for action in composition.actions.values()]


def measures_of(composition: Composition) -> list[TermFunction]:
    """What is measured where these rules are played."""
    return [
        measure
        for measure in _measures
        if all(any(module is played_module for played_module in composition.modules) for module in measure.of)
    ]


def terms_of(composition: Composition) -> tuple[Term, ...]:
    """The terms of a composition, in the order of their weights. Defines the functions behind `VALUE`, of
    `(game, params, seat, weights, cache)`, `MEASURE`, of `(game, params, seat, found, pool)`, and `IS_NETWORK`, of
    `(weights)`.

    Raises:
        CompositionError: two terms have one name.
    """
    term_functions = measures_of(composition)
    terms = tuple(term for measure in term_functions for term in measure.terms)
    names = [term.name for term in terms]
    for name in names:
        if names.count(name) > 1:
            modules = ", ".join(module_name(module) for module in composition.modules)
            raise CompositionError(f"Two terms are named {name!r}, where {modules} are played.")
    if not composition.defines(VALUE.name):
        _define(composition, term_functions)
    return terms


def with_networks(composition: Composition) -> Composition:
    """A composition whose `VALUE` takes value networks as well as weights of the terms, and whose `IS_NETWORK` tells
    them apart. Others leave networks out, since compiling them takes time."""
    if composition not in _with_networks:
        is_network = f"weights.shape[0] > {len(terms_of(composition))}"
        define_extract_features(composition)
        functions, lines, _ = _sums(composition, measures_of(composition))
        lines = [f"if {is_network}:", "    return evaluate(game, params, seat, weights, cache.pool)", *lines]
        composition.add_function(EITHER, PARAMETERS_OF_VALUE, lines, functions | {"evaluate": evaluate})
        composition.add_function(TOLD_APART, "weights", [f"return {is_network}"], {})
        _with_networks[composition] = composition.instead(**{VALUE.name: EITHER, IS_NETWORK.name: TOLD_APART})
    return _with_networks[composition]


def _define(composition: Composition, found: list[TermFunction]) -> None:
    for k, measure in enumerate(measure for measure in found if measure.memo):
        add_record_view(composition, f"read_{k}", composition.reads(measure.function))
    functions, value_lines, found_lines = _sums(composition, found)
    composition.add_function(VALUE.name, PARAMETERS_OF_VALUE, value_lines, functions)
    composition.add_function(MEASURE.name, "game, params, seat, found, pool", found_lines, functions)
    composition.add_function(IS_NETWORK.name, "weights", ["return False"], {})


def cache_of(composition: Composition, blank: np.ndarray) -> EvalCache:
    """Fresh memory to judge positions of these rules in; `blank` is a record, (1,)."""
    memo = [len(measure.terms) for measure in measures_of(composition) if measure.memo]
    return make_cache(blank, len(memo), max(memo, default=1))


def _sums(composition: Composition, found: list[TermFunction]) -> tuple[dict[str, Callable], list[str], list[str]]:
    """Functions that measure, by name; the lines that add up what they find, and those that write it down."""
    functions = {f"measure_{k}": measure.function for k, measure in enumerate(found)}
    value_lines, found_lines, first_term, memo_index = ["total = 0.0"], [], 0, 0
    for name, measure in zip(tuple(functions), found, strict=True):
        part_names = [f"part_{k}" for k in range(first_term, first_term + len(measure.terms))]
        call = f"{', '.join(part_names)} = {name}(game, params, seat, {{}}pool)"
        found_lines += [call.format(""), *(f"found[{first_term + k}] = {part}" for k, part in enumerate(part_names))]
        if measure.memo:
            for function_name in (f"hash_of_read_{memo_index}", f"equal_read_{memo_index}", f"copy_read_{memo_index}"):
                functions[function_name] = composition.function(function_name)
            value_lines += _memoised(call.format("cache."), part_names, memo_index)
            memo_index += 1
        else:
            value_lines.append(call.format("cache."))
        value_lines.append(
            "total += " + " + ".join(f"weights[{first_term + k}] * {part}" for k, part in enumerate(part_names))
        )
        first_term += len(part_names)
    return functions, [*value_lines, "return total"], found_lines


def _memoised(call: str, parts: list[str], memo: int) -> list[str]:
    """The lines of a call that measures some parts, where these are not kept from before."""
    return [
        f"entry = (hash_of_read_{memo}(game) + {ENTRIES // 4 + 1} * seat) & {ENTRIES - 1}",
        f"if cache.seats[{memo}, entry] == seat and equal_read_{memo}(game, cache.records[{memo}, entry]):",
        *(f"    {part} = cache.found[{memo}, entry, {k}]" for k, part in enumerate(parts)),
        "else:",
        f"    {call}",
        f"    copy_read_{memo}(cache.records[{memo}, entry], game)",
        f"    cache.seats[{memo}, entry] = seat",
        *(f"    cache.found[{memo}, entry, {k}] = {part}" for k, part in enumerate(parts)),
    ]
