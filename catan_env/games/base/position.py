"""Base-game positions described as facts: pieces on the board, cards in hand, pending decisions.

`BatchEngine.from_position` creates game records from a `Position`. Cards that only their owner sees may be given as a
plain count.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_env.board.terrain import RESOURCES
from catan_env.engine.binding import did_you_mean, module_name
from catan_env.engine.decision_stack import CAPACITY, CHANCE, TRUNCATED
from catan_env.errors import PositionError
from catan_env.games.base.development_cards import DECK_CARDS, KNIGHT
from catan_env.games.base.network import CITY, ROAD, SETTLEMENT, place_city, place_edge_piece, place_settlement
from catan_env.games.vocabulary import NOBODY

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

BOARD_FIELDS = ("terrain", "number", "harbor", "frame")
BUILDINGS = {"settlement": SETTLEMENT, "city": CITY}
ROAD_PIECE = 0
"""Code for a road in `lay_pieces`; buildings use their own codes."""
INITIAL = ("place_initial_settlement", "place_initial_road")
RULED = None
"""Value that lets the rules decide who holds a special card."""

Cards = Sequence[int] | int
"""Cards by kind, or only their number if the kinds are unknown."""


def lay_pieces(batch, kinds, seats, places):
    """Kernel that places pieces in the first game according to the rules."""
    game, params = batch.records[0], batch.params[0]
    for k in range(kinds.shape[0]):
        if kinds[k] == ROAD_PIECE:
            place_edge_piece(game, params, seats[k], ROAD, places[k])
        else:
            place_settlement(game, params, seats[k], places[k])
            if kinds[k] == CITY:
                place_city(game, params, seats[k], places[k])


@dataclass(frozen=True, kw_only=True)
class Position:
    """A base-game position as one seat knows it. The board is the engine's.

    Attributes:
        decisions: pending decisions, as (name, seat) or (name, seat, argument); the last one is resolved next.
        hands: each seat's resource cards in the order of `RESOURCES`, or the number of cards.
        bank: resource cards in the bank; default: all cards not in hand, if every hand is known.
        buildings: (seat, "settlement" or "city"), keyed by intersection.
        roads: each road's seat, keyed by path.
        robber: the robber's hex; default: its hex in the engine's game.
        development_cards: each seat's cards in the order of `DECK_CARDS`, or the number of cards.
        new_development_cards: those bought in the current turn.
        cards_used: development cards played so far by all players, in the order of `DECK_CARDS`.
        knights_played: knights played by each seat.
        card_played: whether a development card was played this turn.
        on_turn: seat on turn; default: the seat of the first decision, or nobody during the initial placement.
        turn: number of turns begun so far.
        dice: sum of the last roll; 0 before the first.
        to_discard: number of cards that each seat still has to discard.
        longest_road, largest_army: holder of the special card, -1 for nobody; default: decided by the rules.
    """

    decisions: Sequence[Sequence[Any]]
    hands: Sequence[Cards]
    bank: Sequence[int] | None = None
    buildings: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    roads: Mapping[int, int] = field(default_factory=dict)
    robber: int | None = None
    development_cards: Sequence[Cards] = ()
    new_development_cards: Sequence[Cards] = ()
    cards_used: Sequence[int] = (0, 0, 0, 0, 0)
    knights_played: Sequence[int] = ()
    card_played: bool = False
    on_turn: int | None = None
    turn: int = 1
    dice: int = 0
    to_discard: Sequence[int] = ()
    longest_road: int | None = RULED
    largest_army: int | None = RULED

    def write(self, spare: BatchEngine, board: np.void, seat: int | None) -> list[str]:
        """Write the position into an engine's only game and return all contradictions found in it.

        Unknown cards are dealt in any consistent way.

        Args:
            spare: engine with a single game, which will be overwritten.
            board: record that contains the board.
            seat: seat whose knowledge the position reflects; None if all cards are known.

        Raises:
            PositionError: the position is malformed, or the scenario includes more than the base game.
        """
        _check_scenario(spare)
        spare.reset()
        record = spare.state[0]
        for name in BOARD_FIELDS:
            record[name] = board[name]
        players = spare.num_players
        found = [*self._lay(spare, record, board), *self._deal_hands(spare, record, seat)]
        found += self._deal_development_cards(spare, record, seat)
        self._set_turn(spare, record, players)
        spare.refresh()
        if not found:
            found += _broken(spare)
        return found

    # -- the board ----------------------------------------------------------------------------------------

    def _lay(self, spare: BatchEngine, record: np.void, board: np.void) -> Iterator[str]:
        """Place the buildings, which can end others' roads, then the roads and the robber; yield contradictions."""
        topology, players = spare.topology, spare.num_players
        robber = board["robber"] if self.robber is None else _index(self.robber, "robber", topology.num_hexes)
        pieces = []
        for place, building in self.buildings.items():
            where = _index(place, "intersection of a building", topology.num_intersections)
            if not isinstance(building, (tuple, list)) or len(building) != 2 or building[1] not in BUILDINGS:
                raise PositionError(
                    f"The building on intersection {place} is {building!r}; write (seat, 'settlement') or "
                    "(seat, 'city')."
                )
            owner = _index(building[0], f"seat of the building on intersection {place}", players)
            pieces.append((BUILDINGS[building[1]], owner, where))
            neighbors = topology.intersection_neighbors[where].tolist()
            for other in sorted(n for n in neighbors if n > where and n in self.buildings):
                yield f"the buildings on intersections {where} and {other} are one path apart"
        roads = []
        for place, owner in self.roads.items():
            path = _index(place, "path of a road", topology.num_paths)
            roads.append((ROAD_PIECE, _index(owner, f"seat of the road on path {place}", players), path))
            if not self._joins(topology, path, owner):
                yield f"the road on path {path} touches neither a road nor a building of seat {owner}"
        yield from self._missing_pieces(spare, [*pieces, *roads])
        if pieces or roads:
            kinds, seats, places = np.array([*pieces, *roads], np.int64).T.copy()
            spare.run_kernel(lay_pieces, kinds, seats, places)
        record["robber"] = robber
        record["depth"], record["decision_stack"], record["decision_seats"] = 0, 0, 0
        knights = _row(self.knights_played or (0,) * players, "knights_played", players)
        record["knights_played"][:players] = knights
        if self.longest_road is not RULED:
            record["longest_road"] = _index(self.longest_road, "longest_road", players, NOBODY)
        most = max(knights)
        holders = [k for k in range(players) if knights[k] == most]
        if self.largest_army is not RULED:
            record["largest_army"] = _index(self.largest_army, "largest_army", players, NOBODY)
        elif most >= spare.rules["largest_army_minimum"]:
            record["largest_army"] = holders[0]
            if len(holders) > 1:
                yield f"seats {holders} have played {most} knights each; largest_army has to say who holds the card"

    def _joins(self, topology: Any, path: int, owner: int) -> bool:
        """Return whether a road touches another road or a building of the same owner."""
        for end in topology.path_intersections[path].tolist():
            if self.buildings.get(end, (None,))[0] == owner:
                return True
            around = topology.intersection_paths[end].tolist()
            if any(other != path and self.roads.get(other) == owner for other in around):
                return True
        return False

    def _missing_pieces(self, spare: BatchEngine, pieces: list[tuple[int, int, int]]) -> Iterator[str]:
        counts = Counter(piece[:2] for piece in pieces)
        for kind, name in ((ROAD_PIECE, "roads"), (SETTLEMENT, "settlements"), (CITY, "cities")):
            most = spare.rules[f"{name}_per_player"]
            for seat in range(spare.num_players):
                if (count := counts[kind, seat]) > most:
                    yield f"seat {seat} has {count} {name} on the board, of {most}"

    # -- cards --------------------------------------------------------------------------------------------

    def _deal_hands(self, spare: BatchEngine, record: np.void, seat: int | None) -> Iterator[str]:
        players, in_play = spare.num_players, int(spare.rules["bank_per_resource"])
        hands = _rows(self.hands, "hands", players, len(RESOURCES))
        known = np.array([hand for hand in hands if not isinstance(hand, int)], np.int64).reshape(-1, len(RESOURCES))
        yield from _unknown(hands, "hand", seat)
        if self.bank is None and len(known) < players:
            raise PositionError("bank is missing; the hands leave it open, since only the size of some is known.")
        left = in_play - known.sum(axis=0)
        bank = left if self.bank is None else np.array(_row(self.bank, "bank", len(RESOURCES)))
        pool = left - bank
        for k in np.flatnonzero((pool < 0) | ((pool > 0) & (len(known) == players)) | (bank < 0)):
            yield (
                f"bank and known hands hold {in_play - pool[k]} {RESOURCES[k]} cards, of {in_play} in the game"
                if bank[k] >= 0
                else f"the known hands hold {in_play - left[k]} {RESOURCES[k]} cards, of {in_play} in the game"
            )
        sizes = sum(hand for hand in hands if isinstance(hand, int))
        if len(known) < players and (pool >= 0).all() and sizes != pool.sum():
            yield f"the unknown hands hold {sizes} cards, but bank and known hands leave {pool.sum()}"
        record["bank"] = np.clip(bank, 0, 100)
        for player, hand in enumerate(hands):
            record["hands"][player] = np.minimum(_take(pool, hand) if isinstance(hand, int) else hand, 100)
        record["to_discard"][:players] = _row(self.to_discard or (0,) * players, "to_discard", players)

    def _deal_development_cards(self, spare: BatchEngine, record: np.void, seat: int | None) -> Iterator[str]:
        players, kinds = spare.num_players, len(DECK_CARDS)
        held = _rows(self.development_cards or (0,) * players, "development_cards", players, kinds)
        new = _rows(self.new_development_cards or (0,) * players, "new_development_cards", players, kinds)
        used = np.array(_row(self.cards_used, "cards_used", kinds))
        yield from _unknown([cards or [0] * kinds for cards in held], "development cards", seat)
        pool = np.array(spare.rules["development_deck"]) - used
        pool -= sum((np.array(cards) for cards in held if not isinstance(cards, int)), np.zeros(kinds, np.int64))
        for k in np.flatnonzero(pool < 0):
            yield f"there are {-pool[k]} more {DECK_CARDS[k]} cards than the game has"
        sizes = sum(cards for cards in held if isinstance(cards, int))
        if sizes > np.maximum(pool, 0).sum():
            yield f"the unknown development cards are {sizes}, but {np.maximum(pool, 0).sum()} are left"
        played = sum(self.knights_played)
        if used[KNIGHT] != played:
            yield f"knights_played adds up to {played}, but cards_used has {used[KNIGHT]} knights"
        for player in range(players):
            cards = held[player]
            row = _take(pool, cards) if isinstance(cards, int) else np.array(cards)
            fresh = new[player]
            record["development_cards"][player] = row
            fresh_row = _take(row.copy(), fresh) if isinstance(fresh, int) else np.array(fresh)
            if (fresh_row > row).any() or (isinstance(fresh, int) and fresh > row.sum()):
                yield f"seat {player} has more new development cards than development cards"
                continue
            record["new_development_cards"][player] = fresh_row
        record["deck"], record["cards_used"] = np.maximum(pool, 0), used
        record["card_played"] = bool(self.card_played)

    # -- the turn -----------------------------------------------------------------------------------------

    def _set_turn(self, spare: BatchEngine, record: np.void, players: int) -> None:
        composition = spare.program.composition
        if not 1 <= len(self.decisions) <= CAPACITY:
            raise PositionError(f"{len(self.decisions)} decisions are pending; a game waits for 1 to {CAPACITY}.")
        known = [*composition.decisions, *composition.draws]
        for depth, entry in enumerate(self.decisions):
            if not isinstance(entry, (tuple, list)) or len(entry) not in (2, 3):
                raise PositionError(f"A decision is {entry!r}; write (name, seat) or (name, seat, argument).")
            name, seat, argument = (*entry, 0)[:3]
            if name not in known:
                raise PositionError(f"There is no decision {name!r}.{did_you_mean(name, known)}")
            least = 0 if name in composition.decisions else CHANCE
            record["decision_stack"][depth] = composition.code(name)
            record["decision_seats"][depth] = _index(seat, f"seat of {name!r}", players, least)
            record["decision_arguments"][depth] = operator.index(argument)
        record["depth"] = len(self.decisions)
        first, first_seat = self.decisions[0][:2]
        last = self.decisions[-1][0]
        on_turn = self.on_turn if self.on_turn is not None else NOBODY if last in INITIAL else first_seat
        record["on_turn"] = _index(on_turn, "on_turn", players, NOBODY)
        record["next_player"] = (record["on_turn"] + 1) % players if on_turn != NOBODY else self.decisions[0][1]
        record["turn"] = 0 if on_turn == NOBODY else operator.index(self.turn)
        record["dice"] = _index(self.dice, "dice", 13)
        record["rolls_made"] = int(on_turn != NOBODY and first not in ("pre_roll", *composition.draws))


def _check_scenario(engine: BatchEngine) -> None:
    own = __name__.rpartition(".")[0] + "."
    foreign = [module_name(m) for m in engine.program.composition.modules if not m.__name__.startswith(own)]
    if foreign:
        raise PositionError(
            f"A Position describes games of the base rules; {engine.scenario.name!r} has other rules too: "
            f"{', '.join(foreign)}. Load a snapshot instead."
        )


def _broken(spare: BatchEngine) -> Iterator[str]:
    """Yield a description of each invariant that the record violates."""
    invariants = spare.program.composition.invariants
    for _, name in spare.broken_invariants():
        yield f"{name}: {invariants[name].meaning} does not hold" if name in invariants else f"{name} are exceeded"
    if spare.batch.ended[0] > TRUNCATED:
        yield f"nothing can be done at {spare.state['depth'][0]} pending decisions"


def _index(value: Any, what: str, length: int, least: int = 0) -> int:
    try:
        index = operator.index(value)
    except TypeError:
        index = least - 1
    if not least <= index < length:
        raise PositionError(f"The {what} is {value!r}; allowed are {least} to {length - 1}.")
    return index


def _row(values: Any, what: str, length: int) -> list[int]:
    row = [operator.index(value) for value in values]
    if len(row) != length or min(row) < 0:
        raise PositionError(f"{what} is {values!r}; it must be {length} numbers of at least 0.")
    return row


def _rows(values: Sequence[Cards], what: str, players: int, kinds: int) -> list[Any]:
    if len(values) != players:
        raise PositionError(f"{what} has {len(values)} entries; there are {players} players.")
    rows: list[Any] = []
    for value in values:
        if isinstance(value, (int, np.integer)):
            rows += _row([value], what, 1)
        else:
            rows.append(_row(value, what, kinds))
    return rows


def _unknown(rows: Sequence[Any], what: str, seat: int | None) -> Iterator[str]:
    """Yield contradictions between the cards marked unknown and what the seat must know."""
    for player, row in enumerate(rows):
        if isinstance(row, int) and seat is None:
            yield f"only the number of seat {player}'s cards is known ({what}); say which seat knows this: seat=..."
        elif isinstance(row, int) and player == seat:
            yield f"seat {seat} knows its own {what}; give them by kind"


def _take(pool: np.ndarray, count: int) -> np.ndarray:
    """Take cards from a pool in order of kind, and return the number taken of each kind."""
    before = np.minimum(np.cumsum(np.maximum(pool, 0)), count)
    taken = np.diff(before, prepend=0)
    pool -= taken
    return taken
