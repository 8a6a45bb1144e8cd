"""The words a rule module is written in.

A rule module is a Python file (or any namespace) that holds declarations and decorated functions:

- `Field`, `Kind`, `Number`, `BoardArray`, `Action`, `Decision`, `Draw`, `Event`, `Question`, `Feature` declare what the
  module adds;
- `@set_up`, `@legal`, `@apply`, `@when`, `@weights`, `@outcome`, `@answers`, `@shows`, `@redeals`,
  `@describes` say what a function is for; `@rule` names the statements of the rules that it carries out.

Declarations are symbols: inside a rule function they are used by name and become numbers or compiled
functions when the scenario is composed (see `compose.py`):

====================  ==============================================================================
`Size`, `Axis`        the length of an axis: `for path in range(PATHS)`
`Kind`                its position on its axis: `game.hands[seat, LUMBER]`
`Action`              its first action id: `mask[BUILD_ROAD + path] = True`
`Decision`, `Draw`    the code to push on the decision stack: `push(game, PLAY, seat)`
`Event`               a function that tells every module: `CITY_BUILT(game, params, seat, where)`
`Question`            a function that puts the modules' answers together: `PUBLIC_POINTS(game, params, seat)`
====================  ==============================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

ALL, OWNER, HIDDEN = "all", "owner", "nobody"
"""Who may see a field: every seat; the seat that its first axis names; no seat."""


class Symbol:
    """A declaration that a rule function refers to by name."""

    name: str


@dataclass(frozen=True)
class Size(Symbol):
    """Length of an axis, fixed per scenario (players, hexes, intersections, paths)."""

    name: str


@dataclass(frozen=True)
class Axis(Size):
    """An axis whose entries modules declare as kinds: its length and names are those of the scenario's modules.

    With `beyond`, its entries begin with those of another axis, and an entry of that one is the same number on both.
    """

    beyond: Axis | None = None


@dataclass(frozen=True)
class Pairs(Size):
    """An axis over ordered pairs of different entries of another: entry `first * (n - 1) + second`, where `second`
    does not count the first. `text` names a pair, with `{}` for each."""

    of: Axis
    text: str


@dataclass(frozen=True)
class Bitset(Size):
    """As many words of 32 bits as have a bit for each entry of another axis: a field of type "u4" over it is a set of
    them, see `bitset.py`."""

    of: Size


@dataclass(frozen=True)
class Kind(Symbol):
    """An entry of an axis: a kind of card, of edge piece, ... Modules list theirs in `KINDS`, the scenario's order
    counts."""

    name: str
    axis: Axis


@dataclass(frozen=True)
class Count:
    """Shown as the value itself, scaled by the field's upper bound in float observations."""


@dataclass(frozen=True)
class OneHot:
    """Shown as one flag per category. `names[k]` stands for the value `first + k`.

    With `size`, a scenario has as many of the names as this axis is long there.
    """

    names: tuple[str, ...]
    first: int = 0
    size: Size | None = None


@dataclass(frozen=True)
class SeatFlag:
    """The value is a seat, -1 for none: shown as one flag per seat, the viewer first, then to the left."""


@dataclass(frozen=True)
class Field(Symbol):
    """A part of the game record.

    `shape` is given in sizes and ints; a first axis `PLAYERS` is seat-relative in observations. `low` and
    `high` bound every value, checked by the invariants. `show` says how observations encode it; a field
    visible to its owner only shows other seats' rows as totals when `total` is set, not at all otherwise.
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
    """Names along the last axis, for feature names and tables, where it is no `Axis`, which has names of its own."""
    neutrals: bool = False
    """Whether it says something of neutral colors too, so that observations show them after the players."""
    along: Size | None = None
    """The axis whose entries the values number (seats, hexes), -1 for none: bounds them below `high`. A `SeatFlag`
    says so of seats by itself."""
    derived: bool = False
    """Whether it follows from other fields and is kept to be quick alone: logs and layouts do not depend on it."""


@dataclass(frozen=True)
class Number(Symbol):
    """A number of the rules, read as `params.<name>`, which a user may override by name.

    `default` is an int, or a (nested) tuple of ints for an array. With `choices`, users give and see one of
    these names; the record holds its index. `over` names the axis of an array over kinds: what is not given is 0.
    `along` is the axis whose entries the values number, such as kinds of cards: none may lie beyond its end.
    `some` says that not all entries may be 0, as of the weights of a draw.
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


@dataclass(frozen=True)
class BoardArray(Symbol):
    """What the numbers of an array that the board brings, read as `params.<name>`, may be. The array is checked when an
    engine is made, as compiled rules index with what they read. Modules list theirs in `BOARD_ARRAYS`.

    `key` says where a map file has them, `meaning` what they are. `low` and `high` bound every number; where a field
    takes them, `field`, its bounds do instead. `along` is the axis whose entries they number: none lies beyond its end.
    `least` and `most` bound how many there are: an axis or a count. With `entry`, all of this is said of that entry
    along the last axis alone.
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
    """Something that must hold of several arrays of a board together. Modules list theirs in `BOARD_CHECKS`.

    `holds(arrays)` says whether it does of the arrays by name; ordinary Python, never compiled. `text` says what must
    hold, with the key of the map file.
    """

    name: str
    text: str
    holds: Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True)
class Action(Symbol):
    """A kind of action, with one id per argument.

    `over` is a size, a tuple of names, or None for a single action. `text` is the sentence for people, with
    `{}` for the argument; `needs` says when it is legal and completes the message of an illegal attempt.
    `visible` is OWNER where only the acting seat knows the argument.
    """

    name: str
    text: str
    over: Size | tuple[str, ...] | None = None
    needs: str = ""
    visible: str = ALL


@dataclass(frozen=True)
class Menu(Symbol):
    """Something that several decisions may offer, such as building: `@legal` rules of an offer hold at each of them."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Decision(Symbol):
    """Something a seat has to decide.

    `argument` says what the number that was pushed with it means, and so how observations show it: an axis (a place,
    a seat, a kind), or the highest count; None where there is none, or where nobody may see it.
    """

    name: str
    text: str
    menus: tuple[Menu, ...] = ()
    argument: Size | int | None = None


@dataclass(frozen=True)
class Draw(Symbol):
    """Something chance decides, with the same odds for all outcomes unless rules weigh them. `over` names its outcomes
    like an action's arguments; `argument` bounds the number that was pushed with it: an axis, the highest count, or two
    axes whose entries are packed into one number.

    `visible` is OWNER where only those seats know the outcome whose own, hidden fields it changes; where `argument` is
    a player, or a player and something else, that player alone. `unordered` says that outcomes drawn one right after
    the other come to the same in any order.
    """

    name: str
    text: str
    over: Size | tuple[str, ...]
    visible: str = ALL
    argument: Size | int | tuple[Size, Size] | None = None
    unordered: bool = False


@dataclass(frozen=True)
class Event(Symbol):
    """Something that happened, announced to all modules as `EVENT(game, params, player, where)`."""

    name: str
    meaning: str

    if TYPE_CHECKING:  # rules and kernels call it: in compiled code it stands for a function

        def __call__(self, *arguments: Any) -> Any: ...


SUM, ANY, EVERY, LEAST, MOST = "sum", "any", "every", "least", "most"
"""How the answers to a question are put together."""


@dataclass(frozen=True)
class Question(Symbol):
    """Something a rule asks all modules, as `QUESTION(game, params, player, where)`; `where` may be left out.

    Answers are summed, or-ed, and-ed, or the least or the most of them counts. `start` is what sums, leasts and mosts
    begin with: the answer where no module has one. What nobody answers costs nothing.
    """

    name: str
    meaning: str
    fold: str = SUM
    start: int = 0

    if TYPE_CHECKING:  # rules and kernels call it: in compiled code it stands for a function

        def __call__(self, *arguments: Any) -> Any: ...


@dataclass(frozen=True)
class Feature(Symbol):
    """Something observations show that is computed, not stored: see `shows`. Values are in 0 .. `high`.

    With `kinds`, there is a value for every seat and every kind on that axis.
    """

    name: str
    over: Size | tuple[str, ...] | None
    high: int
    meaning: str
    kinds: Axis | None = None


@dataclass(frozen=True)
class Invariant(Symbol):
    """Something that must hold in every state: see `checks`."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Named(Symbol):
    """A field by its name, as `redeals` takes it."""

    name: str


class Composed(Symbol):
    """A function that exists only once a scenario is composed; kernels refer to it by name."""

    def __init__(self, name: str):
        self.name = name

    if TYPE_CHECKING:  # rules and kernels call it: in compiled code it stands for a function

        def __call__(self, *arguments: Any) -> Any: ...


@dataclass(frozen=True)
class Role:
    """What a decorated function is for."""

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
    """`f(game, params)`: called when a game starts, in the scenario's module order."""
    return _mark("set_up")(function)


def legal(*decisions: Decision | Menu) -> Callable:
    """`f(game, params, seat, mask)`: marks (or strikes out) what `seat` may do at these decisions, or wherever one of
    these offers is made."""
    return _mark("legal", *decisions)


def apply(*actions: Action, at: tuple[Decision, ...] = ()) -> Callable:
    """`f(game, params, seat, argument)`: carries out a legal action.

    With `at`, only as the answer to these decisions, in place of what the action does otherwise.
    """
    return _mark("apply", *actions, at=at)


def when(*events: Event) -> Callable:
    """`f(game, params, player, where)`: reacts to these events, modules in the scenario's order."""
    return _mark("when", *events)


def weights(draw: Draw) -> Callable:
    """`f(game, params, weights)`: fills the relative integer weight of each outcome of a draw."""
    return _mark("weights", draw)


def outcome(draw: Draw) -> Callable:
    """`f(game, params, outcome)`: carries out what chance decided."""
    return _mark("outcome", draw)


def answers(question: Question) -> Callable:
    """`f(game, params, player, where) -> int or bool`: this module's answer to a question."""
    return _mark("answers", question)


def shows(feature: Feature) -> Callable:
    """`f(game, params, seat, index) -> int`: the value of a computed feature as `seat` may see it.

    Where the feature is over the players, `index` is a seat, and the columns come in seat-relative order; with kinds it
    is `seat * number of kinds + kind`.
    """
    return _mark("shows", feature)


def checks(invariant: Invariant) -> Callable:
    """`f(game, params) -> bool`: whether the invariant holds."""
    return _mark("checks", invariant)


def redeals(*fields: str) -> Callable:
    """`f(game, params, seat, pool)`: deals anew, as chance would, what `seat` does not see of these fields.

    `pool` is an int64 array to count cards in, and `below(game, n)` the only chance; `dealing.py` has what most fields
    need. Every hidden field is dealt by some module; where several deal it, the last one does.
    """
    return _mark("redeals", *map(Named, fields))


def describes(action: Action, at: Decision) -> Callable:
    """`f(game, rules, seat) -> str`: the action's sentence where, as the answer to this decision, it is not its
    `text`; "" where it is. Ordinary Python, never compiled; `game` is a record."""
    return _mark("describes", action, at=(at,))


def rule(*ids: str) -> Callable:
    """Names the statements of the rules reference that a function carries out (`catan_env/games/reference.py`)."""

    def mark(function: Callable) -> Callable:
        marked: Any = function
        marked.rules = ids
        return function

    return mark


PLAYERS = Size("players")
"""The largest number of players of the scenario, and the colors that nobody plays; a game's own number of players is
`params.num_players`."""
NEUTRALS = Size("neutrals")
"""Colors that nobody plays: the last of the `PLAYERS` seats. What they do is said by `params.traits`."""
NEUTRAL_LETTERS = "abcdefgh"
"""What people and feature names call the neutral colors."""

TRAITS = ("acts", "holds_cards", "scores")
"""What a color may do, as bits of `params.traits` (PLAYERS,): seats that play do all of it, others what their scenario
says, seats without a player nothing."""

NUM_PLAYERS = Number("num_players", 0, "how many play", 1, 8)

ACTION_RESOLVED = Event("action_resolved", "an action or a chance outcome has been carried out in full")
PUBLIC_POINTS = Question("public_points", "victory points that everybody sees")
HIDDEN_POINTS = Question("hidden_points", "victory points that only their owner sees")
CONTRADICTS = Question("contradicts", "facts known to all that what `player` holds unseen would contradict")
