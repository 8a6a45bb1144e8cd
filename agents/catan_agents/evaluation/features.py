"""Position features, which are the inputs of value networks.

Unlike a term, a feature has no weight; the network decides how to use it. Feature functions are written like rules and
compiled with the rules of the scenario. Like terms, they read no information hidden from the seat. Terms are features
too, unless `measures` says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from catan_agents.evaluation.memo_lines import memo_functions, memo_lines
from catan_env.engine.compiler.rows import copy_numbers
from catan_env.engine.compose import Composition
from catan_env.engine.declare import Composed, Size
from catan_env.errors import CompositionError

EXTRACT_FEATURES = Composed("extract_features")
PARAMETERS = ("game", "params", "seat", "seen")
PARAMETERS_OF_EACH = ("game", "params", "player", "seen")
PARAMETERS_OF_ALL = "game, params, seat, seen, cache"
MOST_PLAYERS = 8
"""Maximum number of players; a byte has a bit for each seat."""


@dataclass(frozen=True)
class ValueFeature:
    """A number that describes a position, or one such number per kind along an axis.

    Attributes:
        name: identifier by which stored networks refer to the feature.
        meaning: description, including the unit.
        along: axis with one number per entry, such as `HAND_CARDS`.
    """

    name: str
    meaning: str
    along: Size | None = None


@dataclass(frozen=True)
class FeatureExtractor:
    """A function that computes features in games that include all of its rule modules.

    With `measures_terms`, it returns the features, one number each, instead of writing them. With `memo`, its results
    are cached.
    """

    function: Callable
    features: tuple[ValueFeature, ...]
    each: bool
    of: tuple
    measures_terms: bool = False
    memo: bool = False


_extractors: list[FeatureExtractor] = []


def feature(
    *features: ValueFeature, of: object = (), each: bool = False, memo: bool = False
) -> Callable[[Callable], Callable]:
    """Register `f(game, params, seat, seen)`, a function that writes the given features to `seen`.

    `seen` has one entry for each feature, or for each kind of a feature `along` an axis, and initially contains all
    zeros. The function must not read anything hidden from the seat. `of` lists the rule modules that a game must
    include. With `each`, the function is `f(game, params, player, seen)`. It is called for every player, starting with
    the seat and continuing to its left, with the entries of that player, and must read nothing hidden from anyone. With
    `memo`, results are cached, as in `measures`.

    Raises:
        CompositionError: if the function has other parameters.
    """

    def register(function: Callable) -> Callable:
        code, parameters = function.__code__, PARAMETERS_OF_EACH if each else PARAMETERS
        if code.co_varnames[: code.co_argcount] != parameters:
            raise CompositionError(
                f"{function.__name__} extracts features{' of each player' if each else ''}: its parameters must be "
                f"({', '.join(parameters)})."
            )
        modules = of if isinstance(of, tuple) else (of,)
        _extractors.append(FeatureExtractor(function, features, each, modules, memo=memo))
        return function

    return register


def add_terms(function: Callable, meanings: Mapping[str, str], of: tuple) -> None:
    """Make the terms that a function measures features, named `term/NAME`. `meanings` is keyed by term name."""
    features = tuple(ValueFeature(f"term/{name}", meaning) for name, meaning in meanings.items())
    _extractors.append(FeatureExtractor(function, features, False, of, measures_terms=True))


def feature_names(composition: Composition, players: int) -> tuple[str, ...]:
    """Return the names of a composition's features, in column order.

    Names of per-player features end in `@n` for the n-th player to the left of the seat, or `@0` for the seat itself.
    """
    names: list[str] = []
    for extractor in _extractors_of(composition):
        own_names = [name for feature in extractor.features for name in _names(composition, feature)]
        names += [f"{name}@{steps}" for steps in range(players) for name in own_names] if extractor.each else own_names
    return tuple(names)


def _names(composition: Composition, feature: ValueFeature) -> list[str]:
    if feature.along is None:
        return [feature.name]
    kinds = composition.names_along(feature.along) or range(composition.extent(feature.along))
    return [f"{feature.name}/{kind}" for kind in kinds]


def _extractors_of(composition: Composition) -> list[FeatureExtractor]:
    return [extractor for extractor in _extractors if composition.has_modules(extractor.of)]


def memoized_features(composition: Composition) -> list[FeatureExtractor]:
    """Return the memoized extractors of a composition, except for those that measure terms."""
    return [extractor for extractor in _extractors_of(composition) if extractor.memo]


def size_of(extractor: FeatureExtractor, composition: Composition, players: int) -> int:
    """Return the number of features of an extractor."""
    count = sum(len(_names(composition, feature)) for feature in extractor.features)
    return count * players if extractor.each else count


def define_extract_features(composition: Composition, memo_numbers: Mapping[Callable, int]) -> None:
    """Define `EXTRACT_FEATURES(game, params, seat, seen, cache)` for a composition.

    The function writes all features to `seen`, shape (features,), float64, which must initially contain all zeros.
    `cache` is an `EvalCache`. Functions in `memo_numbers` are memoized.
    """
    if composition.defines(EXTRACT_FEATURES.name):
        return
    extractors = _extractors_of(composition)
    functions: dict[str, Any] = {f"extract_{k}": extractor.function for k, extractor in enumerate(extractors)}
    lines = ["players = int(params.num_players)", "last = 0"]
    for name, extractor in zip(tuple(functions), extractors, strict=True):
        count = size_of(extractor, composition, 1)
        lines += ["first = last", f"last += {count}{' * players' if extractor.each else ''}"]
        if extractor.measures_terms:
            columns = ", ".join(f"seen[first + {k}]" for k in range(count))
            own_lines = [f"{columns} = {name}(game, params, seat, cache.pool)"]
        elif extractor.each:
            own_lines = [
                "for player in range(players):",
                "    steps = player - seat if player >= seat else player - seat + players",
                f"    start = first + {count} * steps",
                f"    {name}(game, params, player, seen[start : start + {count}])",
            ]
        else:
            own_lines = [f"{name}(game, params, seat, seen[first:last])"]
        if (memo := memo_numbers.get(extractor.function)) is not None:
            functions |= memo_functions(memo) | {"copy_numbers": copy_numbers}
            place = f"cache.found[{memo}, entry, : last - first]"
            found, kept = f"copy_numbers(seen[first:last], {place}, 0)", f"copy_numbers({place}, seen, first)"
            own_lines = memo_lines(memo, [found], [*own_lines, kept])
        lines += own_lines
    composition.add_function(EXTRACT_FEATURES.name, PARAMETERS_OF_ALL, [*lines, "return last"], functions)
