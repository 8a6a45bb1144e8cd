"""The vocabulary of rule modules.

A rule module is a Python file, or any other namespace, with declarations and decorated functions:

- `Field`, `Kind`, `Number`, `BoardArray`, `BoardCheck`, `Action`, `Decision`, `Draw`, `Event`, `Question`, `Feature`
  and `Invariant` declare the module's parts.
- `@set_up`, `@legal`, `@apply`, `@when`, `@weights`, `@outcome`, `@answers`, `@shows`, `@checks`, `@redeals` and
  `@describes` give a function its role. `@rule` links a function to the rules reference.

Rule functions refer to declarations by name. Composition replaces each declaration with a number or a compiled function
(see `compose.py`):

====================  ==============================================================================
`Size`, `Axis`        the length of an axis: `for path in range(PATHS)`
`Kind`                its index on its axis: `game.hands[seat, LUMBER]`
`Action`              its first action id: `mask[BUILD_ROAD + path] = True`
`Decision`, `Draw`    the code to push on the decision stack: `push(game, PLAY, seat)`
`Event`               a function that notifies all modules: `CITY_BUILT(game, params, seat, where)`
`Question`            a function that combines the modules' answers: `PUBLIC_POINTS(game, params, seat)`
====================  ==============================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

ALL, OWNER, HIDDEN = "all", "owner", "nobody"
"""Visibility of a field: to all seats, to the seat that indexes its first axis, or to no seat."""


class Symbol:
    """A declaration that rule functions refer to by name."""

    name: str


@dataclass(frozen=True)
class Size(Symbol):
    """The length of an axis, fixed per scenario: players, hexes, intersections, paths."""

    name: str


@dataclass(frozen=True)
class Axis(Size):
    """An axis whose entries are the kinds that a scenario's modules declare.

    With `beyond`, the axis starts with all entries of that axis, at the same indices.
    """

    beyond: Axis | None = None


@dataclass(frozen=True)
class Pairs(Size):
    """An axis whose entries are ordered pairs of distinct entries of another axis.

    The index of a pair is `first * (n - 1) + second`, where `second` is the index among the entries other than `first`.
    `text` is the template for the name of a pair, with one `{}` for each entry.
    """

    of: Axis
    text: str


@dataclass(frozen=True)
class Bitset(Size):
    """An axis of 32-bit words that hold one bit for each entry of another axis.

    A field of dtype "u4" over this axis represents a set of those entries; see `bitset.py`.
    """

    of: Size


@dataclass(frozen=True)
class Kind(Symbol):
    """An entry of an axis, such as a kind of card or of edge piece.

    Modules list their kinds in `KINDS`. The kinds are ordered by module.
    """

    name: str
    axis: Axis


@dataclass(frozen=True)
class Count:
    """Observed as a number. Float observations divide it by the field's upper bound."""


@dataclass(frozen=True)
class OneHot:
    """Observed as one flag per category; `names[k]` is the name of the value `first + k`.

    With `size`, there is one category for each entry that this axis has in the scenario.
    """

    names: Sequence[str]
    first: int = 0
    size: Size | None = None


@dataclass(frozen=True)
class SeatFlag:
    """Observed as one flag per seat, starting with the viewer and continuing with the seats to the left.

    The field's value is a seat, or -1 for none.
    """


@dataclass(frozen=True)
class Field(Symbol):
    """A field of the game record.

    `shape` consists of sizes and ints. If the first axis is `PLAYERS`, it is seat-relative in observations. `low` and
    `high` bound every value, and invariant checks test these bounds. `show` selects the encoding in observations.

    Each row of a field with visibility OWNER is observed by its owner. With `total`, the other seats see the row's sum;
    otherwise they see nothing.
    """

    name: str
    shape: tuple[Size | int, ...]
    dtype: str
    low: int
    high: int
    meaning: str
    default: int = 0
    visible: str = ALL
    show: Count | OneHot | SeatFlag | None = None
    total: bool = False
    labels: tuple[str, ...] = ()
    """Names of the entries along the last axis, for feature names and tables. An `Axis` supplies its own names."""
    neutrals: bool = False
    """Whether the rows of neutral colors are meaningful. If so, observations show them after the players' rows."""
    along: Size | None = None
    """The axis that the values index, such as seats or hexes; -1 means none. The axis length limits the values in
    addition to `high`. A `SeatFlag` needs no `along`."""
    derived: bool = False
    """Whether this field is only a cache that can be recomputed from other fields. Logs and layouts do not depend on
    derived fields."""


class ByName(tuple):
    """(kind name, count) pairs that composition turns into a default array along an axis."""


@dataclass(frozen=True)
class Number(Symbol):
    """A rule number, read as `params.<name>`. Users can override it by name.

    `default` is an int, or a (nested) tuple of ints for an array. With `choices`, users see and pass one of these
    names, and `params` holds its index. `over` is the axis of an array with one entry per kind; missing entries are 0.
    Such an array may be given as a mapping from kinds or their names, such as `{"salt": 1, ORE: 2}`, so that a price
    does not depend on a scenario's other modules. `labels` are the names of the entries, set by composition. `along`
    is the axis that the values index, such as kinds of cards; its length bounds them. `some` requires at least one
    entry above 0, for example in a draw's weights.
    """

    name: str
    default: Any
    meaning: str
    low: int = 0
    high: int = 10_000
    choices: tuple[str, ...] = ()
    over: Axis | None = None
    along: Size | None = None
    some: bool = False
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.default, Mapping):
            entries = ((getattr(kind, "name", kind), count) for kind, count in self.default.items())
            object.__setattr__(self, "default", ByName(entries))

    def by_kind(self, value: Any) -> Any:
        """Convert a mapping keyed by kind to a tuple along `labels`, with 0 for kinds that are missing.

        Raises:
            KeyError: the kind does not exist.
        """
        named_counts = {getattr(kind, "name", kind): count for kind, count in dict(value).items()}
        for kind in named_counts:
            if kind not in self.labels:
                raise KeyError(kind)
        return tuple(named_counts.get(kind, 0) for kind in self.labels)


@dataclass(frozen=True)
class BoardArray(Symbol):
    """Bounds for an array that the board provides, read as `params.<name>`.

    The engine checks the array at construction, since compiled rules use its values as indices without bounds checks.
    Modules list their board arrays in `BOARD_ARRAYS`.

    `key` is the array's key in map files, and `meaning` describes the values. `low` and `high` bound every value; with
    `field`, that field's bounds apply instead. `along` is the axis that the values index; its length bounds them.
    `least` and `most` bound the number of entries, as counts or axis lengths. With `entry`, the value bounds apply only
    to this entry along the last axis, and the others are unrestricted.
    """

    name: str
    key: str
    meaning: str
    low: int = 0
    high: int = 2**15 - 1
    field: Field | None = None
    along: Size | None = None
    least: Size | int = 0
    most: Size | int | None = None
    entry: int | None = None


@dataclass(frozen=True)
class BoardCheck(Symbol):
    """A condition on several board arrays. Modules list their checks in `BOARD_CHECKS`.

    `holds(arrays)` takes a mapping from names to arrays and returns whether the condition holds. It is ordinary Python
    and is never compiled. `text` states the condition, including the key in the map file.
    """

    name: str
    text: str
    holds: Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True)
class Action(Symbol):
    """A kind of action, with one id per argument.

    `over` is a size, a tuple of names, or None for a single action. `text` is a human-readable sentence, with `{}` for
    the argument. `needs` states when the action is legal; error messages about illegal actions quote it. With
    `visible=OWNER`, only the acting seat knows the argument.
    """

    name: str
    text: str
    over: Size | tuple[str, ...] | None = None
    needs: str = ""
    visible: str = ALL


@dataclass(frozen=True)
class Menu(Symbol):
    """A group of options offered by several decisions, such as building.

    A menu's `@legal` functions run at each of these decisions.
    """

    name: str
    meaning: str


@dataclass(frozen=True)
class Decision(Symbol):
    """A decision that a seat makes.

    `argument` declares what the number pushed with the decision means: an index into an axis (places, seats, kinds), or
    a count up to the given maximum. Observations encode it accordingly. None means that there is no number or that no
    seat may see it.
    """

    name: str
    text: str
    menus: tuple[Menu, ...] = ()
    argument: Size | int | None = None


@dataclass(frozen=True)
class Draw(Symbol):
    """A chance event. All outcomes are equally likely unless rules set weights.

    `over` specifies the outcomes, just as it specifies the arguments of an action. `argument` bounds the number pushed
    with the draw: an axis, the maximum count, or two axes whose entries are packed into one number.

    With `visible=OWNER`, only the seats whose hidden fields change know the outcome. If `argument` contains a player,
    only that player knows it. `unordered` means that the order of consecutive outcomes does not matter.
    """

    name: str
    text: str
    over: Size | tuple[str, ...]
    visible: str = ALL
    argument: Size | int | tuple[Size, Size] | None = None
    unordered: bool = False


@dataclass(frozen=True)
class Event(Symbol):
    """Something that has happened. `EVENT(game, params, player, where)` announces it to all modules."""

    name: str
    meaning: str

    if TYPE_CHECKING:  # rules and kernels call it; composition replaces it with a function

        def __call__(self, *arguments: Any) -> Any: ...


SUM, ANY, EVERY, LEAST, MOST = "sum", "any", "every", "least", "most"
"""The ways to combine the answers to a question."""


@dataclass(frozen=True)
class Question(Symbol):
    """A question to all modules, asked as `QUESTION(game, params, player, where)`; `where` is optional.

    `fold` determines how the answers are combined: SUM, ANY, EVERY, LEAST or MOST. `start` is the initial value for
    SUM, LEAST and MOST, and therefore the result if no module answers. A question without answers compiles to a
    constant.
    """

    name: str
    meaning: str
    fold: str = SUM
    start: int = 0

    if TYPE_CHECKING:  # rules and kernels call it; composition replaces it with a function

        def __call__(self, *arguments: Any) -> Any: ...


@dataclass(frozen=True)
class Feature(Symbol):
    """A computed observation value from 0 to `high`; see `shows`.

    With `kinds`, there is one value for each combination of seat and kind on that axis.
    """

    name: str
    over: Size | tuple[str, ...] | None
    high: int
    meaning: str
    kinds: Axis | None = None


@dataclass(frozen=True)
class Invariant(Symbol):
    """A condition that must hold in every state; see `checks`."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Named(Symbol):
    """A field referred to by name, as in `redeals`."""

    name: str


class Composed(Symbol):
    """A generated function of a composed scenario. Kernels refer to it by name.

    Attributes:
        name: name of the function.
    """

    def __init__(self, name: str):
        self.name = name

    if TYPE_CHECKING:  # rules and kernels call it; composition replaces it with a function

        def __call__(self, *arguments: Any) -> Any: ...


@dataclass(frozen=True)
class Role:
    """A decorated function's role, with the declarations that the role refers to."""

    kind: str
    symbols: tuple[Symbol, ...] = ()
    at: tuple[Decision, ...] = ()


def _mark(kind: str, *symbols: Symbol, at: tuple[Decision, ...] = ()) -> Callable[[Callable], Callable]:
    def mark(function: Callable) -> Callable:
        marked: Any = function
        marked.roles = (*getattr(function, "roles", ()), Role(kind, symbols, at))
        return function

    return mark


def set_up(function: Callable) -> Callable:
    """Run `f(game, params)` when a game starts, in module order."""
    return _mark("set_up")(function)


def legal(*decisions: Decision | Menu) -> Callable:
    """Run `f(game, params, seat, mask)` at these decisions and menus to mark the legal actions of `seat`.

    The function sets entries of `mask` and may also clear entries set by earlier modules. It may depend only on what
    `seat` is allowed to see: seats observe the mask, so hidden information that changes the mask would leak.
    """
    return _mark("legal", *decisions)


def apply(*actions: Action, at: tuple[Decision, ...] = ()) -> Callable:
    """Run `f(game, params, seat, argument)` to carry out a legal action.

    With `at`, the function applies only at these decisions, where it replaces the action's general function.
    """
    return _mark("apply", *actions, at=at)


def when(*events: Event) -> Callable:
    """Run `f(game, params, player, where)` after these events, in module order."""
    return _mark("when", *events)


def weights(draw: Draw) -> Callable:
    """Run `f(game, params, weights)` to fill in the relative integer weight of each outcome of a draw."""
    return _mark("weights", draw)


def outcome(draw: Draw) -> Callable:
    """Run `f(game, params, outcome)` to carry out a draw's outcome."""
    return _mark("outcome", draw)


def answers(question: Question) -> Callable:
    """Answer a question with `f(game, params, player, where) -> int or bool`."""
    return _mark("answers", question)


def shows(feature: Feature) -> Callable:
    """Compute a feature with `f(game, params, seat, index) -> int`, using only what `seat` may see.

    If the feature is defined over players, `index` is a seat, and the columns are in seat-relative order. If it
    also has kinds, `index` is `seat * number of kinds + kind`.
    """
    return _mark("shows", feature)


def checks(invariant: Invariant) -> Callable:
    """Test an invariant with `f(game, params) -> bool`."""
    return _mark("checks", invariant)


def redeals(*fields: str) -> Callable:
    """Run `f(game, params, seat, pool)` to sample the parts of these fields that `seat` cannot see.

    `pool` is an int64 array for counting cards, and `below(game, n)` is the only source of randomness. `dealing.py`
    provides functions for most fields. Every hidden field needs such a function. If several modules define one for a
    field, the last one is used.
    """
    return _mark("redeals", *map(Named, fields))


def describes(action: Action, at: Decision) -> Callable:
    """Describe an action at a decision with `f(game, rules, seat) -> str` instead of with its `text`.

    If `f` returns an empty string, `text` is used. It is ordinary Python and is never compiled; `game` is a record.
    """
    return _mark("describes", action, at=(at,))


def rule(*ids: str) -> Callable:
    """Link a function to the statements of the rules reference that it implements (`catan_env/games/reference.py`)."""

    def mark(function: Callable) -> Callable:
        marked: Any = function
        marked.rules = ids
        return function

    return mark


PLAYERS = Size("players")
"""The number of colors: the scenario's largest number of players, plus neutral colors. `params.num_players` is the
number of players in a game."""
NEUTRALS = Size("neutrals")
"""The neutral colors, which no player controls and which take the last of the `PLAYERS` seats. `params.traits` holds
their abilities."""
NEUTRAL_LETTERS = "abcdefgh"
"""Letters that identify the neutral colors in text and feature names."""

TRAITS = ("acts", "holds_cards", "scores")
"""A color's abilities, as bits of `params.traits` (PLAYERS,). Players have all abilities, neutral colors have the ones
that the scenario lists, and unused seats have none."""

NUM_PLAYERS = Number("num_players", 1, "how many play", 1, 8)

ACTION_RESOLVED = Event("action_resolved", "an action or a chance outcome has been carried out in full")
PUBLIC_POINTS = Question("public_points", "victory points that everybody sees")
HIDDEN_POINTS = Question("hidden_points", "victory points that only their owner sees")
CONTRADICTS = Question("contradicts", "number of public facts that the hidden cards of `player` contradict")
