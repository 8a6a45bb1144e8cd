"""Fill in what a file hides: play its records in many sampled worlds, and learn from those that fail.

A reader states what its records show in public (`PublicFacts`). `WorldSearch` derives the cards that each seat needs
for later records, and plays all records in `FollowedWorlds`. If no world is left, it starts again, with more worlds or
with a theft that takes the missing card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from catan_env.board.terrain import RESOURCES
from catan_env.errors import GameImportError
from catan_env.games.base.development_cards import DECK_CARDS
from catan_training.importing.follow import reading
from catan_training.importing.worlds import FollowedWorlds, NoWorldError

SIZES = (*(64 for _ in range(12)), 512, 2048)
"""Number of worlds in each attempt. Each attempt learns from the record at which the previous one failed."""
HIDDEN = -1
"""The card of a purchase that a file hides."""
VICTORY_POINT = DECK_CARDS.index("victory_point")


@dataclass(frozen=True)
class Purchase:
    """A purchase of a development card in a given turn; the card is `HIDDEN` if the file does not show it."""

    seat: int
    turn: int
    card: int = HIDDEN


@dataclass(frozen=True)
class CardPlay:
    """A development card that a seat plays at a place in the file, bought in a turn before `before`."""

    where: str
    seat: int
    card: int
    before: int


@dataclass(frozen=True)
class PublicFacts:
    """What a file's records show to everybody.

    Attributes:
        program: name of the program that writes such files, for messages.
        players: player names by seat.
        where: each record's position in the file, for messages.
        seats: seat that acts in each record.
        changes: cards that each seat visibly gains minus the cards it pays, shape (records, players, 5).
        thefts: thief and victim of each theft of a hidden card, keyed by record.
        monopolies: resource taken by each monopoly, keyed by record.
        purchases: purchases of development cards, in order.
        plays: development cards played, in order.
        winner: seat that has won when the file ends; None if the file does not say.
    """

    program: str
    players: Sequence[str]
    where: Sequence[str]
    seats: Sequence[int]
    changes: np.ndarray
    thefts: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    monopolies: Mapping[int, int] = field(default_factory=dict)
    purchases: Sequence[Purchase] = ()
    plays: Sequence[CardPlay] = ()
    winner: int | None = None


class WorldSearch:
    """Plays a file in sampled worlds until some of them are consistent with every record.

    Args:
        facts: what the records show.
        begin: `begin(count, plans, seed)` returns `count` worlds at the start; see `FollowedWorlds`.
        carry_out: `carry_out(worlds, index)` plays a record. The last call has the number of records as index: it
            checks the end of the game.
        seed: seed for everything that is sampled.

    Attributes:
        played: number of records played so far.
        filled: number of sampled facts, keyed by kind.
    """

    def __init__(
        self,
        facts: PublicFacts,
        begin: Callable[[int, np.ndarray, int], FollowedWorlds],
        carry_out: Callable[[FollowedWorlds, int], None],
        seed: int,
    ):
        self.played = 0
        self.filled: dict[str, int] = {}
        self._facts, self._begin, self._carry_out, self._seed = facts, begin, carry_out, seed
        self._lacking = np.zeros(len(RESOURCES))
        self._points = 0
        """Victory point cards that the winner has bought at least, as learned from failed attempts."""
        self._taken: dict[int, int] = {}
        """The card that each theft should take, keyed by record, as learned from failed attempts."""

    def play(self) -> Iterator[FollowedWorlds]:
        """Play the records, yielding the worlds at the start and after each record.

        Raises:
            GameImportError: no sampled world is consistent with a record.
        """
        rng, failed = np.random.default_rng(self._seed), -1
        for attempt, size in enumerate(SIZES, 1):
            try:
                yield from self._attempt(size, attempt)
                return
            except NoWorldError:
                at_end = self.played == len(self._facts.where)
                self._points += at_end
                fails_again = self.played == failed and not (self._lacking > 0).any() and not at_end
                if attempt == len(SIZES) or (fails_again and not self._taken):
                    raise
                failed = self.played
                if fails_again:
                    self._taken.clear()  # the wrong theft was blamed
                elif not at_end:
                    self._blame_a_theft(rng)

    def _attempt(self, count: int, attempt: int) -> Iterator[FollowedWorlds]:
        facts, rng = self._facts, np.random.default_rng([self._seed, attempt])
        seed = int(rng.integers(2**31))
        worlds, needs = self._begin(count, self._plans(count, rng), seed), self._needs()
        self.played = 0
        yield worlds
        for index, where in enumerate(facts.where):
            worlds.where, worlds.needs, worlds.wanted = where, needs[index + 1], self._taken.get(index, -1)
            self.played, seat = index, facts.seats[index]
            self._lacking = needs[index, seat] - worlds.engine.state["hands"][:, seat].mean(axis=0)
            with reading(worlds.fail, facts.program):
                self._carry_out(worlds, index)
            self.filled, self.played = {kind: n for kind, n in worlds.filled.items() if n}, index + 1
            yield worlds
        self._carry_out(worlds, len(facts.where))

    def _blame_a_theft(self, rng: np.random.Generator) -> None:
        """Require one of a seat's earlier thefts to take a card that the seat was missing in the sampled worlds."""
        seat, missing = self._facts.seats[self.played], np.maximum(self._lacking, 0)
        thefts = [
            index
            for index, (thief, _) in self._facts.thefts.items()
            if thief == seat and index < self.played and index not in self._taken
        ]
        if thefts and missing.any():
            self._taken[int(rng.choice(thefts))] = int(rng.choice(len(missing), p=missing / missing.sum()))

    def _needs(self) -> np.ndarray:
        """Return the cards that each seat needs before each record to pay for all later ones.

        The shape is (records + 1, players, 5). Gains that the file does not specify, such as stolen cards, are ignored.
        """
        facts = self._facts
        needs = np.zeros((len(facts.where) + 1, *facts.changes.shape[1:]))
        for index in reversed(range(len(facts.where))):
            needs[index] = np.maximum(needs[index + 1] - facts.changes[index], 0)
            if index in self._taken:
                (thief, victim), card = facts.thefts[index], self._taken[index]
                needs[index, thief, card] = max(needs[index, thief, card] - 1, 0)
                needs[index, victim, card] += 1
            if index in facts.monopolies:
                needs[index, :, facts.monopolies[index]] = 0  # the other players lose these cards to this player
        return needs

    def _plans(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Sample the card that each purchase yields, shape (count, purchases), so that every card played was bought.

        Raises:
            GameImportError: a player plays a card too early or too often.
        """
        purchases, players = self._facts.purchases, self._facts.players
        plans = np.tile([purchase.card for purchase in purchases] or [HIDDEN], (count, 1))
        is_played = np.zeros(plans.shape, bool)
        for play in self._facts.plays:
            fits = [k for k, own in enumerate(purchases) if own.seat == play.seat and own.turn < play.before]
            for plan, used in zip(plans, is_played, strict=True):
                known = [k for k in fits if plan[k] == play.card and not used[k]]
                choices = known[:1] or [k for k in fits if plan[k] < 0]
                if not choices:
                    raise GameImportError(
                        f"{play.where}: {players[play.seat]} plays {DECK_CARDS[play.card]}, but has bought no card "
                        "before this turn for it."
                    )
                place = rng.choice(choices)
                plan[place], used[place] = play.card, True
        for plan in plans:
            hidden = [k for k, own in enumerate(purchases) if own.seat == self._facts.winner and plan[k] < 0]
            plan[rng.permutation(hidden)[: self._points].astype(int)] = VICTORY_POINT
        return plans
