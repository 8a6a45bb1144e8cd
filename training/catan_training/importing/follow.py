"""`FollowedGame`: a game in this engine that replays the moves in another program's file.

The reader for a format translates each record into calls to these methods, which handle the order of our decisions: the
robber's victim, secret discards, free roads and offers. Every call checks the rules, so the resulting log can always be
replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from catan_env import BatchEngine
from catan_env.board.terrain import RESOURCES
from catan_env.engine.decision_stack import CHANCE
from catan_env.engine.replay import annotated
from catan_env.errors import ActionFormatError, GameImportError, IllegalActionError
from catan_env.games.base.turns import LOWEST_SUM

NO_LIMIT = 1_000_000
"""Turn limit of imported games."""
MALFORMED = (KeyError, IndexError, TypeError, ValueError, AttributeError)
"""Python errors that a malformed record may cause in a reader."""
FREE_ROADS = ("build_road", "forgo_free_roads")


class FollowingEngine:
    """An engine whose games replay a file.

    Args:
        scenario: scenario whose rules apply to the games.
        count: number of games.
        players: player names by seat, for logs and messages.
        rules: rule numbers that the file requires.
        board: the board, as a `Layout`.
        first: seat that places first.

    Attributes:
        engine: the engine that holds the games. Chance is explicit.
        players: player names by seat.
        where: the current record's position in the file, for messages.
    """

    def __init__(
        self, scenario: str, count: int, players: Sequence[str], rules: Mapping[str, Any], board: Any, first: int
    ):
        numbers = {"start_player": "seat_0" if first == 0 else "random", "turn_limit": NO_LIMIT, **rules}
        self.engine = BatchEngine(
            scenario, count, len(players), rules=numbers, board=board, chance="explicit", record=True, compiled="auto"
        )
        self.players = list(players)
        self.where = "the start"

    @property
    def state(self) -> np.void:
        """The record of the first game, whose public part is that of every game."""
        return self.engine.state[0]

    @property
    def decision(self) -> str:
        """Name of the first game's current decision or draw; "over" once that game has ended."""
        return self.engine.decision(0)

    def fail(self, problem: str) -> NoReturn:
        """Raise an error that names the current position in the file.

        Raises:
            GameImportError: always.
        """
        raise GameImportError(f"{self.where}: {problem}")


class FollowedGame(FollowingEngine):
    """A game that replays a file.

    Seats, hexes, intersections, paths, cards and development cards are indices, as in the engine.

    Args:
        scenario: scenario whose rules apply to the game.
        players: player names by seat, for logs and messages.
        rules: rule numbers that the file requires.
        board: the board, as a `Layout`.
        first: seat that places first.

    Attributes:
        engine: the engine that holds the game. Chance is explicit.
        players: player names by seat.
        where: the current record's position in the file, for messages.
    """

    def __init__(self, scenario: str, players: Sequence[str], rules: Mapping[str, Any], board: Any, first: int = 0):
        super().__init__(scenario, 1, players, rules, board, first)
        self._discards: dict[int, list[int]] = {}
        self.draw("start_player", first)

    # -- state --------------------------------------------------------------------------------------------

    @property
    def seat_to_act(self) -> int:
        """Seat to act, -1 for chance."""
        return int(self.engine.seat_to_act[0])

    @property
    def waits_for_discards(self) -> bool:
        """Whether some, but not all, of the discards after a 7 are known."""
        return bool(self._discards)

    @property
    def hands(self) -> np.ndarray:
        """Resource cards of all seats, shape (players, 5), excluding cards already discarded in the file."""
        hands = self.state["hands"][: len(self.players)].astype(np.int64)
        for seat, cards in self._discards.items():
            hands[seat] -= counts_of(cards)
        return hands

    @property
    def bank(self) -> np.ndarray:
        """Resource cards in the bank, shape (5,), including cards already discarded in the file."""
        return self.engine.rules["bank_per_resource"] - self.hands.sum(axis=0)

    def owners_at(self, hex: int, thief: int) -> list[int]:
        """Return the other seats with a building on a hex."""
        owners = self.state["building_owner"][self.engine.topology.hex_intersections[hex]]
        return sorted({int(owner) for owner in owners} - {-1, thief})

    def pays_in_part(self, total: int) -> bool:
        """Return whether a roll leaves the bank short of a kind of card that only one player is owed.

        Our rules pay out the remaining cards; some programs pay nothing.
        """
        state = self.state
        claims = np.zeros((len(self.players), len(RESOURCES)), np.int64)
        for hex in np.flatnonzero(state["number"] == total):
            if hex != state["robber"]:
                for place in self.engine.topology.hex_intersections[hex]:
                    if (owner := state["building_owner"][place]) >= 0:
                        claims[owner, state["terrain"][hex]] += state["building"][place]
        is_short = (claims.sum(axis=0) > state["bank"]) & (state["bank"] > 0)
        return bool((is_short & ((claims > 0).sum(axis=0) == 1)).any())

    def check_hand(self, seat: int, hand: Sequence[int]) -> None:
        """Check that a seat holds the given cards, shape (5,).

        Raises:
            GameImportError: it holds others.
        """
        self.check(f"hand of {self._name(seat)}", self.hands[seat], hand)

    def check(self, what: str, ours: Any, theirs: Any) -> None:
        """Check that a fact in the file matches the game.

        Raises:
            GameImportError: they differ.
        """
        if not np.array_equal(np.asarray(ours), np.asarray(theirs)):
            self.fail(f"the file has {_text(theirs)} as {what}, but by its moves and our rules it is {_text(ours)}.")

    # -- single moves -------------------------------------------------------------------------------------

    def act(self, seat: int, kind: str, argument: int = 0) -> None:
        """Play an action for a seat. Free roads missing from the file are forgone.

        Raises:
            GameImportError: it is another seat's turn to act, or the rules forbid the action.
        """
        if self.decision == "free_road" and kind not in FREE_ROADS:
            self._step(self.engine.actions.id("forgo_free_roads"))
        if self.seat_to_act != seat:
            whose = "chance" if self.seat_to_act == CHANCE else self._name(self.seat_to_act)
            self.fail(
                f"{self._name(seat)} cannot {kind.replace('_', ' ')} now; "
                + ("the game is over." if self.decision == "over" else f"{self.decision!r} of {whose} comes first.")
            )
        try:
            action = self.engine.actions.id(kind, argument)
        except ActionFormatError as error:
            self.fail(str(error))
        try:
            self._step(action)
        except IllegalActionError as error:
            self.fail(f"{self._name(seat)} does something that our rules forbid here. {error}")

    def draw(self, kind: str, outcome: int) -> None:
        """Play a chance outcome.

        Raises:
            GameImportError: the game is waiting for a different draw, or the outcome is impossible.
        """
        if self.decision != kind:
            self.fail(f"the file has an outcome of {kind!r}, but the game is at {self.decision!r}.")
        try:
            entry = self.engine.outcomes.id(kind, outcome)
        except ActionFormatError:
            self.fail(f"there is no such outcome of {kind!r}.")
        try:
            self._step(entry)
        except IllegalActionError:
            self.fail(f"{self.engine.outcomes.describe(entry)!r} is impossible here.")

    def _step(self, action: int) -> None:
        self.engine.step(np.array([action]))

    def _name(self, seat: int) -> str:
        return self.players[seat] if 0 <= seat < len(self.players) else f"seat {seat}"

    # -- moves of the game --------------------------------------------------------------------------------

    def roll(self, seat: int, total: int, discards: Mapping[int, Sequence[int]] | None = None) -> None:
        """Roll the dice, and discard the given cards, keyed by seat."""
        self.act(seat, "roll")
        self.draw("dice", total - LOWEST_SUM)
        for loser, cards in (discards or {}).items():
            self.discard(loser, cards)

    def buy_card(self, seat: int, card: int | None) -> None:
        """Buy a development card of a known kind."""
        if card is None:
            self.fail("the development card is hidden.")
        self.act(seat, "buy_development_card")
        self.draw("draw_card", card)

    def year_of_plenty(self, seat: int, cards: Sequence[int]) -> None:
        """Play year of plenty and take the cards."""
        self.act(seat, "play_year_of_plenty")
        for card in cards:
            self.act(seat, "take_card", card)
        if self.decision == "choose_card":
            self.fail(f"{self._name(seat)} takes {len(cards)} cards by year of plenty; our rules ask for one more.")

    def discard(self, seat: int, cards: Sequence[int]) -> None:
        """Record a seat's discards, and play all discards once those of every seat are known."""
        due = self.state["to_discard"]
        if self.decision != "discard" or due[seat] < len(self._discards.get(seat, [])) + len(cards):
            self.fail(f"{self._name(seat)} discards {len(cards)} cards, but has to discard {int(due[seat])}.")
        self._discards.setdefault(seat, []).extend(cards)
        if any(due[k] != len(self._discards.get(k, [])) for k in range(len(self.players))):
            return
        pending, self._discards = self._discards, {}
        while self.decision == "discard":
            self.act(self.seat_to_act, "discard_card", pending[self.seat_to_act].pop(0))

    def move_robber(self, seat: int, hex: int, victim: int | None, card: int | None) -> None:
        """Move the robber and steal a card from a victim; None means no victim or no card."""
        self.act(seat, "move_robber", hex)
        self.steal(seat, hex, victim, card)

    def steal(self, seat: int, hex: int, victim: int | None, card: int | None) -> None:
        """Steal a card once the robber has moved to a hex; None means no victim or no card."""
        owners = self.owners_at(hex, seat)
        if victim is not None and victim not in owners:
            self.fail(f"{self._name(seat)} steals from {self._name(victim)}, who has no building there.")
        if self.decision == "choose_victim":
            poor = [owner for owner in owners if not self.state["hands"][owner].any()]
            if victim is None and not poor:
                self.fail("the file has no theft, but everybody with a building there has cards.")
            self.act(seat, "steal", self.opponent(seat, poor[0] if victim is None else victim))
        if self.decision == "theft":
            if card is None:
                self.fail(f"the file has no card, but {self._name(seat)} steals one by our rules.")
            self.draw("theft", card)
        elif card is not None:
            self.fail(f"the file has a stolen {RESOURCES[card]} card, but the victim has no card by our rules.")

    def trade_with_bank(self, seat: int, given: int, count: int, received: int) -> None:
        """Trade `count` cards of one kind for one card from the bank."""
        rate = int(self.state["trade_rate"][seat, given])
        if count != rate:
            self.fail(
                f"{self._name(seat)} gives the bank {count} {RESOURCES[given]} for a card; the rate by our rules is "
                f"{rate}."
            )
        self.act(seat, "trade_with_bank", given * (len(RESOURCES) - 1) + received - (received > given))

    def trade(self, seat: int, partner: int, given: Sequence[int], received: Sequence[int]) -> None:
        """Trade between the player on turn and another player; `given` and `received` have shape (5,)."""
        self.act(seat, "make_offer")
        for kind, counts in (("offer_card", given), ("ask_card", received)):
            for card, count in enumerate(counts):
                for _ in range(int(count)):
                    self.act(seat, kind, card)
        self.act(seat, "submit_offer")
        while self.decision == "answer_offer":
            answerer = self.seat_to_act
            self.act(answerer, "accept" if answerer == partner else "decline")
        self.act(seat, "confirm", self.opponent(seat, partner))

    def opponent(self, seat: int, other: int) -> int:
        """Return the argument that refers to another seat in actions."""
        return (other - seat - 1) % len(self.players)

    # -- the log ------------------------------------------------------------------------------------------

    def log(self, **notes: Any) -> dict[str, Any]:
        """Return the replay log, with `players` and `notes` as its notes."""
        return annotated(self.engine.replay_log(0), players=self.players, **notes)


@contextmanager
def reading(fail: Callable[[str], NoReturn], program: str) -> Iterator[None]:
    """Convert Python errors caused by malformed records into messages that name the record.

    Args:
        fail: function that raises `GameImportError` with a problem, and names the record.
        program: name of the program that writes such records.

    Raises:
        GameImportError: a record read in the block is malformed.
    """
    try:
        yield
    except GameImportError:
        raise
    except MALFORMED as error:
        fail(f"it has another form than {program} writes ({type(error).__name__}: {error}).")


def counts_of(cards: Sequence[int], kinds: int = len(RESOURCES)) -> list[int]:
    """Return the number of cards of each kind in a list."""
    return np.bincount(np.asarray(cards, np.int64), minlength=kinds).tolist()


def _text(value: Any) -> str:
    return str(np.asarray(value).tolist())
