"""Hand-built positions for testing rules: a builder that describes the table, and a game that continues from there.

    game = (
        position("base", num_players=3)
        .settlement(0, "N", 0, -1).road(0, (0, -1, "NE E"))     # two roads along hex (0, -1)
        .hand(0, lumber=1, brick=1).cards(1, knight=2).on_turn(0, "play")
        .game()
    )
    game.do("end_turn")
    game.do("roll").draw("dice", "8")

Pieces are placed by the scenario's own rules, in call order, so the first player with five roads in a row holds Longest
Road. `build()` returns an engine that runs a single game with explicit chance; `game()` returns a `Game` with helper
methods. Both fail if the position breaks an invariant. Positions work for scenarios that include the base game's rules.
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


def arrange(states: Any, all_params: Any, step: int, seat: int, place: int) -> None:
    """Kernel: place one piece, begin a turn, or notify all modules of edits."""
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


def play_knights(states: Any, all_params: Any, seat: int, number: int) -> None:
    """Kernel: mark a seat as having played some knights."""
    game, params, depth = states[0], all_params[0], states[0].depth
    for _ in range(number):
        game.deck[KNIGHT] -= 1
        game.cards_used[KNIGHT] += 1
        game.knights_played[seat] += 1
        KNIGHT_PLAYED(game, params, seat, 0)
    game.depth = depth


def position(scenario: str, num_players: int | None = None, rules: Mapping[str, Any] | None = None) -> PositionBuilder:
    """Return a position for a scenario, starting with an empty board."""
    return PositionBuilder(scenario, num_players, rules)


def new_game(scenario: str, num_players: int | None = None, board: Any = None, seed: int = 0, **rules: Any) -> Game:
    """Return a new game with explicit chance. Additional keyword arguments are rule numbers."""
    return Game(BatchEngine(scenario, num_players=num_players, seed=seed, chance="explicit", rules=rules, board=board))


class PositionBuilder:
    """A position under construction. Every method except `build` and `game` returns the position itself.

    The default board is the first published layout of the scenario's map.
    """

    def __init__(self, scenario: str, num_players: int | None, rules: Mapping[str, Any] | None):
        self._scenario = find_scenario(scenario)
        board: Any = self._scenario.board  # one with a map
        self._topology = board.topology
        self._options: dict[str, Any] = {"num_players": num_players, "rules": rules}
        self._steps: list[tuple[Any, ...]] = []
        """The kernels to run, each with its arguments."""
        self._edits: list[Callable[[np.void], None]] = []
        self._last_edits: list[Callable[[np.void], None]] = []
        self._turn: tuple[int, str, int] | None = None
        self._options["board"] = next(iter(board.map.layouts), None)

    # -- the board ----------------------------------------------------------------------------------------

    def board(self, board: Any) -> PositionBuilder:
        """Use another layout, given as a name, a `Layout`, or hexes and harbors by coordinates."""
        self._options["board"] = board
        return self

    def beginner_board(self) -> PositionBuilder:
        """Use the published beginners' board."""
        return self.board("beginner")

    def fixed_board(self) -> PositionBuilder:
        """Use the published board for five and six players."""
        return self.board("fixed")

    def robber(self, q: int, r: int) -> PositionBuilder:
        """Put the robber on a hex."""
        return self.field("robber", self._topology.hex_at(q, r))

    # -- pieces, in the order they are placed --------------------------------------------------------------

    def settlement(self, seat: int, corner: str, q: int, r: int) -> PositionBuilder:
        """Place a settlement on a corner ("N", "NE", ...) of a hex."""
        return self.piece(SETTLEMENT, seat, self._topology.intersection_at(corner, q, r))

    def city(self, seat: int, corner: str, q: int, r: int) -> PositionBuilder:
        """Place a city on a corner of a hex."""
        return self.settlement(seat, corner, q, r).piece(CITY, seat, self._topology.intersection_at(corner, q, r))

    def road(self, seat: int, *sides: tuple[int, int, str]) -> PositionBuilder:
        """Place roads along sides of hexes, `(q, r, "NE E SE")`."""
        for q, r, names in sides:
            for side in names.split():
                self.piece(ROAD, seat, self._topology.path_at(q, r, side))
        return self

    def piece(self, kind: int, seat: int, place: int) -> PositionBuilder:
        """Place a piece (`SETTLEMENT`, `CITY`, `ROAD`) at a place given by its index."""
        self._steps.append((arrange, kind, seat, int(place)))
        return self

    def knights(self, seat: int, number: int) -> PositionBuilder:
        """Mark a seat as having played this number of knights."""
        self._steps.append((play_knights, seat, number))
        return self

    # -- cards --------------------------------------------------------------------------------------------

    def hand(self, seat: int, **cards: int) -> PositionBuilder:
        """Move resource cards from the bank to a seat's hand."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                record["hands"][seat, RESOURCES.index(name)] += number
                record["bank"][RESOURCES.index(name)] -= number

        return self._edit(edit)

    def bank(self, to: int, **cards: int) -> PositionBuilder:
        """Leave these cards in the bank and give all other cards of the same kinds to a seat."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                resource = RESOURCES.index(name)
                record["hands"][to, resource] += record["bank"][resource] - number
                record["bank"][resource] = number

        self._last_edits.append(edit)
        return self

    def cards(self, seat: int, **cards: int) -> PositionBuilder:
        """Give a seat development cards that it bought in earlier turns."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                record["development_cards"][seat, DECK_CARDS.index(name)] += number
                record["deck"][DECK_CARDS.index(name)] -= number

        return self._edit(edit)

    def new_development_cards(self, seat: int, **cards: int) -> PositionBuilder:
        """Give a seat development cards that it bought in the current turn."""

        def edit(record: np.void) -> None:
            for name, number in cards.items():
                record["new_development_cards"][seat, DECK_CARDS.index(name)] += number

        return self._edit(edit).cards(seat, **cards)

    def deck(self, **cards: int) -> PositionBuilder:
        """Leave only these cards in the deck; the others are treated as played."""

        def edit(record: np.void) -> None:
            for card, name in enumerate(DECK_CARDS):
                record["cards_used"][card] += record["deck"][card] - cards.get(name, 0)
                record["deck"][card] = cards.get(name, 0)

        self._last_edits.append(edit)
        return self

    # -- the rest -----------------------------------------------------------------------------------------

    def on_turn(self, seat: int, decision: str = "play", turn: int = 20) -> PositionBuilder:
        """Set the seat whose turn it is, its decision, and the turn number."""
        self._turn = (seat, decision, turn)
        return self

    def field(self, name: str, value: Any) -> PositionBuilder:
        """Write a value to a field of the record."""

        def edit(record: np.void) -> None:
            record[name] = value

        return self._edit(edit)

    def _edit(self, edit: Callable[[np.void], None]) -> PositionBuilder:
        self._edits.append(edit)
        return self

    # -- done ---------------------------------------------------------------------------------------------

    def build(self) -> BatchEngine:
        """Return an engine that runs a single game with explicit chance.

        Raises:
            AssertionError: the position breaks an invariant, or `on_turn` is missing.
        """
        assert self._turn is not None, "The position lacks a seat on turn: call on_turn(seat)."
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
        """Return the engine wrapped in a `Game`."""
        return Game(self.build())


def check(engine: BatchEngine) -> None:
    """Fail unless all invariants hold and every field is within its bounds.

    Raises:
        AssertionError: an invariant or a bound is violated.
    """
    broken = engine.broken_invariants()
    assert not broken, f"broken invariants (game, name): {broken}"


class Game:
    """A game in an engine with explicit chance, with moves given by name.

    Whenever a step ends at a decision, all invariants must hold and the seat to act must have a legal action.

    Attributes:
        engine: engine that runs the game.
    """

    def __init__(self, engine: BatchEngine):
        self.engine = engine
        self._composition = program_of(engine.scenario).composition

    # -- doing --------------------------------------------------------------------------------------------

    def do(self, kind: str, argument: int | str = 0) -> Game:
        """Take an action for the seat to act."""
        return self._step(self.engine.actions.id(kind, argument))

    def draw(self, kind: str, outcome: int | str) -> Game:
        """Set the outcome of the current draw."""
        assert self.decision == kind, f"The current decision is {self.decision!r}, not {kind!r}."
        return self._step(self.engine.outcomes.id(kind, outcome))

    def roll(self, total: int) -> Game:
        """Roll a given total."""
        return self.do("roll").draw("dice", str(total))

    def theft(self, resource: str) -> Game:
        """Make this card the stolen one."""
        return self.draw("theft", resource)

    def buy(self, card: str) -> Game:
        """Buy a development card, drawing this one."""
        return self.do("buy_development_card").draw("draw_card", card)

    def refuses(self, kind: str, argument: int | str = 0) -> bool:
        """Return whether an action is illegal, meaning that it is masked out and taking it changes nothing."""
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
        """Return the legal arguments for a kind of action, as names or place indices."""
        names = self._composition.names_along(self._composition.actions[kind].over)
        legal = [self.engine.actions.pair(a)[1] for a in self.engine.actions.ids(kind) if self.engine.action_mask[0, a]]
        return [names[k] for k in legal] if names else legal

    def can(self, kind: str, argument: int | str | None = None) -> bool:
        """Return whether a kind of action is legal now, with any argument or with the given one."""
        if argument is None:
            return bool(self.legal(kind))
        return bool(self.engine.action_mask[0, self.engine.actions.id(kind, argument)])

    def kinds(self) -> set[str]:
        """Return the kinds of action that are legal now."""
        return {self.engine.actions.pair(int(a))[0] for a in np.flatnonzero(self.engine.action_mask[0])}

    def chances(self) -> dict:
        """Return the probability of each possible outcome of the current draw, keyed by name or place index."""
        names = self.engine.outcomes.argument_names(self.decision) if self._called_by_name() else ()
        found = {}
        for outcome in np.flatnonzero(self.engine.chance_mask[0]).tolist():
            k = self.engine.outcomes.pair(outcome)[1]
            found[names[k] if names else k] = float(self.engine.chance_probabilities[0, outcome])
        return found

    def _called_by_name(self) -> bool:
        """Return whether the outcomes of the current draw have names. Places and seats have indices instead."""
        over = self._composition.draws[self.decision].over
        return bool(self._composition.names_along(over)) or getattr(over, "name", "") == "terrains"

    @property
    def state(self) -> np.void:
        """The record of the game."""
        return self.engine.state[0]

    @property
    def seat(self) -> int:
        """The seat to act; -1 for chance, -2 for nobody."""
        return int(self.engine.seat_to_act[0])

    @property
    def decision(self) -> str:
        """The current decision or draw; "over" once the game has ended."""
        return self.engine.decision(0)

    @property
    def argument(self) -> int:
        """The argument of the current decision."""
        return int(self.state["decision_arguments"][self.state["depth"] - 1])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.engine.terminated[0] or self.engine.truncated[0])

    @property
    def winner(self) -> int:
        """The winner; -1 if there is none."""
        return int(self.engine.winner[0])

    def observed(self, seat: int) -> dict[str, int]:
        """Return a seat's `flat` observation, keyed by feature name."""
        (row,) = self.engine.observe("flat", seat=seat, dtype="uint8")
        return dict(zip(self.engine.feature_names("flat"), row, strict=True))

    def hand(self, seat: int) -> dict[str, int]:
        """Return a seat's resource cards, keyed by name."""
        return _named(self._composition.axes["hand_cards"], self.state["hands"][seat])

    def bank(self) -> dict[str, int]:
        """Return the bank's resource cards, keyed by name."""
        return _named(self._composition.axes["hand_cards"], self.state["bank"])

    def cards(self, seat: int) -> dict[str, int]:
        """Return a seat's development cards, keyed by name."""
        return _named(DECK_CARDS, self.state["development_cards"][seat])

    def points(self, seat: int) -> int:
        """Return a seat's victory points, including hidden ones."""
        return int(self.engine.victory_points[0, seat])

    def visible_points(self, seat: int) -> int:
        """Return a seat's public victory points."""
        return int(self.engine.visible_points[0, seat])

    # -- places -------------------------------------------------------------------------------------------

    def hex(self, q: int, r: int) -> int:
        """Return a hex's index."""
        return self.engine.topology.hex_at(q, r)

    def corner(self, corner: str, q: int, r: int) -> int:
        """Return the index of the intersection at a corner of a hex."""
        return self.engine.topology.intersection_at(corner, q, r)

    def path(self, q: int, r: int, side: str) -> int:
        """Return the index of the path on a side of a hex."""
        return self.engine.topology.path_at(q, r, side)

    def paths_at(self, corner: str, q: int, r: int) -> set[int]:
        """Return the indices of the paths that meet at a corner of a hex."""
        paths = self.engine.topology.intersection_paths[self.corner(corner, q, r)]
        return {int(path) for path in paths if path >= 0}

    def opponent(self, seat: int) -> int:
        """Return the position of a seat relative to the seat to act, where 0 is the neighbor to the left."""
        return (seat - self.seat - 1) % self.engine.num_players


def _named(names: tuple[str, ...], numbers: np.ndarray) -> dict[str, int]:
    return {name: int(number) for name, number in zip(names, numbers, strict=True) if number}
