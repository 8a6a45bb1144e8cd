"""Hand-made positions: a builder that reads like a description of the table, and a game to play on from there.

    game = (
        position("base", num_players=3)
        .settlement(0, "N", 0, -1).road(0, (0, -1, "NE E"))     # two roads along hex (0, -1)
        .hand(0, lumber=1, brick=1).cards(1, knight=2).on_turn(0, "play")
        .game()
    )
    game.do("end_turn"); game.roll(8)

Pieces are set by the scenario's own rules, in the order of the calls: who gets five roads first holds Longest Road.
`build()` gives the engine (one game, chance explicit), `game()` one with helpers; what could not arise is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from catan_env import BatchEngine
from catan_env.board.terrain import RESOURCES
from catan_env.engine.arrays import as_records
from catan_env.engine.decision_stack import CHANCE
from catan_env.engine.declare import ACTION_RESOLVED
from catan_env.engine.program import program_of
from catan_env.engine.registry import find_scenario
from catan_env.errors import IllegalActionError
from catan_env.games.base.development_cards import DECK_CARDS, KNIGHT
from catan_env.games.base.network import ROAD as ROAD_KIND
from catan_env.games.base.network import place_city, place_edge_piece, place_settlement
from catan_env.games.base.turns import begin_turn
from catan_env.games.vocabulary import KNIGHT_PLAYED

ROAD, SETTLEMENT, CITY, TURN, SETTLE = range(5)


def arrange(states, all_params, step, seat, place):
    """Kernel: sets one piece, begins a turn, or lets all modules take note of what was edited."""
    game, params = states[0], all_params[0]
    if step == ROAD:
        place_edge_piece(game, params, seat, ROAD_KIND, place)
    elif step == SETTLEMENT:
        place_settlement(game, params, seat, place)
    elif step == CITY:
        place_city(game, params, seat, place)
    elif step == TURN:
        begin_turn(game, params, seat)
    else:
        ACTION_RESOLVED(game, params, seat, 0)


def play_knights(states, all_params, seat, number):
    """Kernel: lets a seat have played some knights, whose robbers have been placed."""
    game, params, depth = states[0], all_params[0], states[0].depth
    for _ in range(number):
        game.deck[KNIGHT] -= 1
        game.cards_used[KNIGHT] += 1
        game.knights_played[seat] += 1
        KNIGHT_PLAYED(game, params, seat, 0)
    game.depth = depth


def position(scenario: str, num_players: int | None = None, rules: Mapping[str, Any] | None = None) -> Position:
    """An empty board of a scenario, to be filled."""
    return Position(scenario, num_players, rules)


def new_game(scenario: str, num_players: int | None = None, board: Any = None, seed: int = 0, **rules: Any) -> Game:
    """A game from its very beginning, with chance explicit."""
    return Game(BatchEngine(scenario, num_players=num_players, seed=seed, chance="explicit", rules=rules, board=board))


class Position:
    """A position under construction; every method but `build` and `game` returns it.

    Where no board is named it is the first published layout of the scenario's map.
    """

    def __init__(self, scenario: str, num_players: int | None, rules: Mapping[str, Any] | None):
        self._scenario = find_scenario(scenario)
        self._topology = self._scenario.board.topology
        self._options: dict[str, Any] = {"num_players": num_players, "rules": rules}
        self._steps: list[tuple[Callable, int, int]] = []
        self._edits: list[Callable[[np.void], None]] = []
        self._last_edits: list[Callable[[np.void], None]] = []
        self._turn: tuple[int, str, int] | None = None
        self._options["board"] = next(iter(self._scenario.board.map.layouts), None)

    # -- the board ----------------------------------------------------------------------------------------

    def board(self, board: Any) -> Position:
        """Another layout: a name, a `Layout`, or hexes and harbors by coordinates."""
        self._options["board"] = board
        return self

    def beginner_board(self) -> Position:
        """The printed board for beginners."""
        return self.board("beginner")

    def fixed_board(self) -> Position:
        """The published board for five and six."""
        return self.board("fixed")

    def robber(self, q: int, r: int) -> Position:
        """Sets the robber on a hex."""
        return self.field("robber", self._topology.hex_at(q, r))

    # -- pieces, in the order they are set ----------------------------------------------------------------

    def settlement(self, seat: int, corner: str, q: int, r: int) -> Position:
        """A settlement on a corner ("N", "NE", ...) of a hex."""
        return self.piece(SETTLEMENT, seat, self._topology.intersection_at(corner, q, r))

    def city(self, seat: int, corner: str, q: int, r: int) -> Position:
        """A city on a corner of a hex."""
        return self.settlement(seat, corner, q, r).piece(CITY, seat, self._topology.intersection_at(corner, q, r))

    def road(self, seat: int, *sides: tuple[int, int, str]) -> Position:
        """Roads along sides of hexes, `(q, r, "NE E SE")`."""
        for q, r, names in sides:
            for side in names.split():
                self.piece(ROAD, seat, self._topology.path_at(q, r, side))
        return self

    def piece(self, kind: int, seat: int, place: int) -> Position:
        """A piece by the number of its place."""
        self._steps.append((arrange, kind, seat, int(place)))
        return self

    def knights(self, seat: int, number: int) -> Position:
        """Knights that a seat has played."""
        self._steps.append((play_knights, seat, number))
        return self

    # -- cards --------------------------------------------------------------------------------------------

    def hand(self, seat: int, **cards: int) -> Position:
        """Resource cards in a seat's hand, on top of those it has."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                record["hands"][seat, RESOURCES.index(name)] += number
                record["bank"][RESOURCES.index(name)] -= number

        return self._edit(edit)

    def bank(self, to: int, **cards: int) -> Position:
        """Leaves so many cards in the bank and gives the others to a seat."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                resource = RESOURCES.index(name)
                record["hands"][to, resource] += record["bank"][resource] - number
                record["bank"][resource] = number

        self._last_edits.append(edit)
        return self

    def cards(self, seat: int, **cards: int) -> Position:
        """Development cards bought in earlier turns."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                record["development_cards"][seat, DECK_CARDS.index(name)] += number
                record["deck"][DECK_CARDS.index(name)] -= number

        return self._edit(edit)

    def new_development_cards(self, seat: int, **cards: int) -> Position:
        """Development cards bought in the running turn."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                record["new_development_cards"][seat, DECK_CARDS.index(name)] += number

        return self.cards(seat, **cards)._edit(edit)

    def deck(self, **cards: int) -> Position:
        """Leaves only these cards in the stack; the others have been played."""

        def edit(record: np.void) -> None:
            for card, name in enumerate(DECK_CARDS):
                record["cards_used"][card] += record["deck"][card] - cards.get(name, 0)
                record["deck"][card] = cards.get(name, 0)

        self._last_edits.append(edit)
        return self

    # -- the rest -----------------------------------------------------------------------------------------

    def on_turn(self, seat: int, decision: str = "play", turn: int = 20) -> Position:
        """It is the own turn of a seat, number `turn` of the game, at this decision."""
        self._turn = (seat, decision, turn)
        return self

    def field(self, name: str, value: Any) -> Position:
        """A field of the record, written as it is."""

        def edit(record: np.void) -> None:
            record[name] = value

        return self._edit(edit)

    def _edit(self, edit: Callable[[np.void], None]) -> Position:
        self._edits.append(edit)
        return self

    # -- done ---------------------------------------------------------------------------------------------

    def build(self) -> BatchEngine:
        """The engine: one game, chance explicit."""
        assert self._turn is not None, "say whose turn it is: on_turn(seat)"
        engine = BatchEngine(self._scenario, chance="explicit", **self._options)
        program = program_of(engine.scenario)
        states, all_params = as_records(engine.state), as_records(program.params(engine.rules, engine.scenario.board))
        record = engine.state[0]
        record["decision_stack"], record["decision_seats"], record["depth"] = 0, 0, 0
        seat, decision, turn = self._turn
        for kernel, *arguments in [*self._steps, (arrange, TURN, seat, 0)]:
            program.kernel(kernel)(states, all_params, *arguments)
        record["turn"] = turn
        if decision != "pre_roll":
            record["decision_stack"][record["depth"] - 1] = program.composition.code(decision)
            record["rolls_made"], record["dice"] = engine.rules["rolls_per_turn"], 4
        for edit in (*self._edits, *self._last_edits):
            edit(record)
        program.kernel(arrange)(states, all_params, SETTLE, CHANCE, 0)
        engine.refresh()
        check(engine)
        return engine

    def game(self) -> Game:
        """The engine in a `Game`."""
        return Game(self.build())


def check(engine: BatchEngine) -> None:
    """Fails unless the invariants hold and every field is within its declared bounds."""
    assert engine.broken_invariants() == [], engine.broken_invariants()
    for field in program_of(engine.scenario).composition.fields.values():
        values = engine.state[field.name].astype(int)
        assert ((field.low <= values) & (values <= field.high)).all(), f"{field.name} is out of bounds: {values}"


class Game:
    """One game of an engine in explicit mode, played by names. `check` follows every step that leaves chance out."""

    def __init__(self, engine: BatchEngine):
        self.engine = engine
        self._composition = program_of(engine.scenario).composition

    # -- doing --------------------------------------------------------------------------------------------

    def do(self, kind: str, argument: int | str = 0) -> Game:
        """The seat to act does this."""
        return self._step(self.engine.actions.id(kind, argument))

    def draw(self, kind: str, outcome: int | str) -> Game:
        """Chance decides so."""
        assert self.decision == kind, f"at hand is {self.decision}"
        return self._step(self.engine.outcomes.id(kind, outcome))

    def roll(self, total: int) -> Game:
        """The seat to act rolls this sum."""
        return self.do("roll").draw("dice", str(total))

    def theft(self, resource: str) -> Game:
        """The stolen card is one of these."""
        return self.draw("theft", resource)

    def buy(self, card: str) -> Game:
        """The seat to act buys a development card and gets this one."""
        return self.do("buy_development_card").draw("draw_card", card)

    def refuses(self, kind: str, argument: int | str = 0) -> bool:
        """Whether the seat to act may not do this: it is not marked, and attempting it changes nothing."""
        action = self.engine.actions.id(kind, argument)
        if self.engine.action_mask[0, action]:
            return False
        before = self.engine.state.copy()
        try:
            self.engine.step(np.array([action]))
        except IllegalActionError:
            return bool((self.engine.state == before).all())
        return False

    def _step(self, action: int) -> Game:
        self.engine.step(np.array([action]))
        if self.seat != CHANCE:
            check(self.engine)
            assert self.over or self.engine.action_mask[0].any()
        return self

    # -- looking ------------------------------------------------------------------------------------------

    def legal(self, kind: str) -> list:
        """Arguments of this kind of action that the seat to act may choose now: names, or numbers of places."""
        names = self._composition.names_along(self._composition.actions[kind].over)
        legal = [self.engine.actions.pair(a)[1] for a in self.engine.actions.ids(kind) if self.engine.action_mask[0, a]]
        return [names[k] for k in legal] if names else legal

    def can(self, kind: str, argument: int | str | None = None) -> bool:
        """Whether the seat to act may do this now, with any argument or with this one."""
        if argument is None:
            return bool(self.legal(kind))
        return bool(self.engine.action_mask[0, self.engine.actions.id(kind, argument)])

    def kinds(self) -> set[str]:
        """Kinds of action the seat to act may choose from."""
        return {self.engine.actions.pair(int(a))[0] for a in np.flatnonzero(self.engine.action_mask[0])}

    def chances(self) -> dict:
        """Probability of every possible outcome of the draw at hand, by name or number of place."""
        names = self.engine.outcomes.argument_names(self.decision) if self._called_by_name() else ()
        found = {}
        for outcome in np.flatnonzero(self.engine.chance_mask[0]).tolist():
            k = self.engine.outcomes.pair(outcome)[1]
            found[names[k] if names else k] = float(self.engine.chance_probabilities[0, outcome])
        return found

    def _called_by_name(self) -> bool:
        """Whether the outcomes of the draw at hand have names; places and seats are numbers here."""
        over = self._composition.draws[self.decision].over
        return bool(self._composition.names_along(over)) or over.name == "terrains"

    @property
    def state(self) -> np.void:
        """The record."""
        return self.engine.state[0]

    @property
    def seat(self) -> int:
        """Seat to act; -1 chance, -2 nobody."""
        return int(self.engine.seat_to_act[0])

    @property
    def decision(self) -> str:
        """What is to be decided."""
        return self.engine.decision(0)

    @property
    def argument(self) -> int:
        return int(self.state["decision_arguments"][self.state["depth"] - 1])

    @property
    def over(self) -> bool:
        return bool(self.engine.terminated[0] or self.engine.truncated[0])

    @property
    def winner(self) -> int:
        """Seat that has won, -1 nobody."""
        return int(self.engine.winner[0])

    def hand(self, seat: int) -> dict[str, int]:
        """Resource cards of a seat, by name."""
        return _named(self._composition.axes["hand_cards"], self.state["hands"][seat])

    def bank(self) -> dict[str, int]:
        """Resource cards in the bank, by name."""
        return _named(self._composition.axes["hand_cards"], self.state["bank"])

    def cards(self, seat: int) -> dict[str, int]:
        """Development cards of a seat, by name."""
        return _named(DECK_CARDS, self.state["development_cards"][seat])

    def points(self, seat: int) -> int:
        """Victory points of a seat, hidden ones included."""
        return int(self.engine.victory_points[0, seat])

    def visible_points(self, seat: int) -> int:
        """Victory points of a seat that everybody sees."""
        return int(self.engine.visible_points[0, seat])

    # -- places -------------------------------------------------------------------------------------------

    def hex(self, q: int, r: int) -> int:
        """Number of a hex."""
        return self.engine.topology.hex_at(q, r)

    def corner(self, corner: str, q: int, r: int) -> int:
        """Number of the intersection on a corner of a hex."""
        return self.engine.topology.intersection_at(corner, q, r)

    def path(self, q: int, r: int, side: str) -> int:
        """Number of the path at a side of a hex."""
        return self.engine.topology.path_at(q, r, side)

    def paths_at(self, corner: str, q: int, r: int) -> set[int]:
        """Numbers of the paths that meet at a corner of a hex."""
        paths = self.engine.topology.intersection_paths[self.corner(corner, q, r)]
        return {int(path) for path in paths if path >= 0}

    def opponent(self, seat: int) -> int:
        """A seat as the seat to act counts it: 0 is its left neighbor."""
        return (seat - self.seat - 1) % self.engine.num_players


def _named(names: tuple[str, ...], numbers: np.ndarray) -> dict[str, int]:
    return {name: int(number) for name, number in zip(names, numbers, strict=True) if number}
