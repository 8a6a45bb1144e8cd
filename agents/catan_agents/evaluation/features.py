"""Features of a position: what a value network sees of it, and who writes them down.

Where a term is worth more the more there is of it, a feature is just a number that a network may make something of.
The functions that see them are written like rules, and compiled with the rules of the scenario; as those of terms, they
look at what their seat knows and at nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from catan_env.engine.compose import Composition
from catan_env.engine.declare import Axis, Composed
from catan_env.errors import CompositionError

EXTRACT_FEATURES = Composed("extract_features")
PARAMETERS = ("game", "params", "seat", "seen")


@dataclass(frozen=True)
class ValueFeature:
    """Something that can be seen of a position.

    Attributes:
        name: by which networks know it.
        meaning: what is seen, and in which unit.
        along: an axis such as `HAND_CARDS`: as many numbers as there are kinds.
    """

    name: str
    meaning: str
    along: Axis | None = None


@dataclass(frozen=True)
class FeatureExtractor:
    """A function that sees some features, of each player or of the position as a whole, in games with these modules."""

    function: Callable
    features: tuple[ValueFeature, ...]
    each: bool
    of: tuple


_extractors: list[FeatureExtractor] = []


def feature(*features: ValueFeature, of: object = (), each: bool = False) -> Callable[[Callable], Callable]:
    """`f(game, params, seat, seen)`: writes these features into `seen`, which holds zeros, as far as a seat sees them.

    With `each` they are of every player: first all those of the seat itself, then those of the next to its left, and
    so on; `steps_to` counts the seats between.
    """

    def register(function: Callable) -> Callable:
        code = function.__code__
        if code.co_varnames[: code.co_argcount] != PARAMETERS:
            raise CompositionError(f"{function.__name__} sees features: it must take ({', '.join(PARAMETERS)}).")
        _extractors.append(FeatureExtractor(function, features, each, of if isinstance(of, tuple) else (of,)))
        return function

    return register


def steps_to(params, seat, player):
    """Seats from one to another, counted to the left."""
    steps = player - seat
    return steps + params.num_players if steps < 0 else steps


def feature_names(composition: Composition, players: int) -> tuple[str, ...]:
    """The names of all that is seen where these rules are played, in the order in which it is written: those of the
    n-th player to the left end in `@n`."""
    names: list[str] = []
    for extractor in _extractors_of(composition):
        own_names = [name for feature in extractor.features for name in _names(composition, feature)]
        names += [f"{name}@{steps}" for steps in range(players) for name in own_names] if extractor.each else own_names
    return tuple(names)


def _names(composition: Composition, feature: ValueFeature) -> list[str]:
    if feature.along is None:
        return [feature.name]
    return [f"{feature.name}/{kind}" for kind in composition.names_along(feature.along)]


def _extractors_of(composition: Composition) -> list[FeatureExtractor]:
    return [
        extractor
        for extractor in _extractors
        if all(any(module is played_module for played_module in composition.modules) for module in extractor.of)
    ]


def define_extract_features(composition: Composition) -> None:
    """Defines the function behind `EXTRACT_FEATURES`, of `(game, params, seat, seen)`: it adds all that is seen of a
    position to
    `seen`, (features,) float64 zeros."""
    if composition.defines(EXTRACT_FEATURES.name):
        return
    extractors = _extractors_of(composition)
    functions = {f"extract_{k}": extractor.function for k, extractor in enumerate(extractors)}
    lines = ["players = int(params.num_players)", "last = 0"]
    for name, extractor in zip(functions, extractors, strict=True):
        count = sum(len(_names(composition, feature)) for feature in extractor.features)
        lines += [
            "first = last",
            f"last += {count}{' * players' if extractor.each else ''}",
            f"{name}(game, params, seat, seen[first:last])",
        ]
    composition.add_function(EXTRACT_FEATURES.name, "game, params, seat, seen", [*lines, "return last"], functions)
