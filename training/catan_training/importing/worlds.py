"""`FollowedWorlds`: many games that replay the same public record with different hidden cards.

Every game plays the same public moves. Each game samples the stolen cards, discards, development cards and rolls that
the record does not specify. If the next move is impossible given a game's cards, that game is replaced by a copy of
another. Any game left at the end is consistent with the whole record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from catan_env.board.terrain import RESOURCES
from catan_env.engine.replay import annotated
from catan_env.errors import GameImportError
from catan_env.games.base.turns import LOWEST_SUM, SUMS
from catan_training.importing.follow import FREE_ROADS, FollowingEngine, counts_of

LEAVE = -1
NEEDED = 0.001
"""Weight of a card that its owner will need, relative to 1 for other cards."""
WANTED = 50
"""Extra weight of a card to steal that the thief lacks and will need for later moves."""
SEVEN = 7


class NoWorldError(GameImportError):
    """No sampled world is consistent with a move."""


class FollowedWorlds(FollowingEngine):
    """Games with the same public moves and different sampled hidden cards.

    Args:
        count: number of games.
        players: player names by seat.
        rules: rule numbers.
        board: the board, as a `Layout`.
        first: seat that places first.
        plans: development card obtained by each purchase, shape (count, purchases); -1 for a random one.
        seed: seed for sampling.

    Attributes:
        players: player names by seat.
        where: position in the file, for messages.
        filled: number of sampled facts, keyed by kind.
        needs: cards that each seat needs for later moves, shape (players, 5). Sampling avoids taking them, so that more
            games survive.
        wanted: kind of card that the next theft should take if possible; -1 for any.
        engine: the engine that holds all games.
    """

    def __init__(
        self,
        count: int,
        players: Sequence[str],
        rules: Mapping[str, Any],
        board: Any,
        first: int,
        plans: np.ndarray,
        seed: int,
    ):
        super().__init__("base", count, players, rules, board, first)
        self.filled = Counter[str]()
        self.wanted = -1
        self.needs = np.zeros((len(players), len(RESOURCES)))
        self._count, self._plans, self._bought = count, plans, 0
        self._rng = np.random.default_rng(seed)
        self._step(np.full(count, self.engine.outcomes.id("start_player", first)))

    # -- all games ----------------------------------------------------------------------------------------

    @property
    def decisions(self) -> np.ndarray:
        """The name of each game's current decision or draw, shape (N,)."""
        return np.array([self.engine.decision(game) for game in range(self.engine.num_games)])

    def keep(self, fits: np.ndarray, problem: str) -> np.ndarray:
        """Keep the games selected by a mask, shape (N,), and replace the rest with copies of the kept ones.

        Returns:
            The former index of each game, shape (N,).

        Raises:
            NoWorldError: no game is left.
        """
        if not fits.any():
            raise NoWorldError(f"{self.where}: {problem} This holds for all {len(fits)} samples of the hidden cards.")
        if fits.all():
            return np.arange(self._count)
        kept = np.flatnonzero(fits)
        picks = np.concatenate([kept, self._rng.choice(kept, self._count - len(kept))])
        self.engine, self._plans = self.engine.clone(picks), self._plans[picks]
        return picks

    def act(self, seat: int, kind: str, argument: int = 0) -> None:
        """Play an action for a seat in every game.

        Raises:
            NoWorldError: the action is not legal in any game.
        """
        if kind not in FREE_ROADS:
            self._where("free_road", "forgo_free_roads")
        action = self.engine.actions.id(kind, argument)
        fits = (self.engine.seat_to_act == seat) & self.engine.action_mask[:, action]
        self.keep(fits, f"{self.players[seat]} may not {self.engine.describe(0, action)}.")
        self._step(np.full(self._count, action))

    def _where(self, decision: str, kind: str, argument: int = 0) -> None:
        """Play an action in the games that are at a given decision."""
        action = self.engine.actions.id(kind, argument)
        self._step(np.where(self.decisions == decision, action, LEAVE))

    def _step(self, actions: np.ndarray) -> None:
        if (actions != LEAVE).any():
            self.engine.step(actions)

    def _sample(self, kind: str, weights: np.ndarray) -> np.ndarray:
        """Draw outcomes by `weights`, shape (N, outcomes of a kind), in the games at this draw; return their mask."""
        at = self.decisions == kind
        weights = weights[self.keep(~at | (weights.sum(axis=1) > 0), f"no outcome of {kind!r} fits.")]
        at = self.decisions == kind
        first = self.engine.outcomes.id(kind, 0)
        actions = np.full(self._count, LEAVE)
        for game in np.flatnonzero(at):
            actions[game] = first + self._rng.choice(weights.shape[1], p=weights[game] / weights[game].sum())
        self._step(actions)
        return at

    # -- moves --------------------------------------------------------------------------------------------

    def roll(self, seat: int, total: int | None, discards: Mapping[int, Sequence[int]] | None = None) -> None:
        """Roll the dice; None means a roll missing from the record, which cannot have been a 7.

        `discards` holds the cards that the record shows, keyed by seat; those of other seats are sampled.
        """
        self.act(seat, "roll")
        if total is None:
            self.filled["rolls"] += 1
            weights = np.array([6 - abs(k - 5) for k in range(len(SUMS))], float)
            weights[SEVEN - LOWEST_SUM] = 0
            self._sample("dice", np.tile(weights, (self._count, 1)))
        else:
            if not 0 <= total - LOWEST_SUM < len(SUMS):
                self.fail("there is no such outcome of 'dice'.")
            self._step(np.full(self._count, self.engine.outcomes.id("dice", total - LOWEST_SUM)))
        self._discard({seat: list(cards) for seat, cards in (discards or {}).items()})

    def _discard(self, shown: dict[int, list[int]]) -> None:
        """Discard the shown cards, and sample the discards of other seats."""
        first = self.engine.actions.id("discard_card", 0)
        due = self.engine.state["to_discard"][:, : len(self.players)]
        for seat, cards in shown.items():
            kept = counts_of(cards) <= self.engine.state["hands"][:, seat]
            fits = (due[:, seat] == len(cards)) & kept.all(axis=1)
            self.keep(fits, f"{self.players[seat]} discards {len(cards)} cards that our rules do not ask for.")
            due = self.engine.state["to_discard"][:, : len(self.players)]
        self.filled["discarded cards"] += int(due[0].sum()) - sum(map(len, shown.values()))
        given = {(game, seat): list(cards) for seat, cards in shown.items() for game in range(self._count)}
        while (at := self.decisions == "discard").any():
            actions = np.full(self._count, LEAVE)
            for game in np.flatnonzero(at).tolist():
                seat = int(self.engine.seat_to_act[game])
                if (game, seat) in given:
                    actions[game] = first + given[game, seat].pop()
                else:
                    weights = self._spare(int(game), seat)
                    actions[game] = first + self._rng.choice(len(weights), p=weights / weights.sum())
            self._step(actions)

    def _spare(self, game: int, seat: int) -> np.ndarray:
        """Return weights for the cards that a seat may lose, shape (5,), favoring those that it will not need."""
        hand = self.engine.state["hands"][game, seat].astype(float)
        return np.maximum(hand - self.needs[seat], 0) + NEEDED * hand

    def move_robber(self, seat: int, hex: int, victim: int | None, card: int | None = None) -> None:
        """Move the robber and steal a card from a victim; None means no victim, or a hidden card."""
        self.act(seat, "move_robber", hex)
        owners = set(self.engine.state["building_owner"][0][self.engine.topology.hex_intersections[hex]].tolist())
        if victim is not None and victim not in owners:
            self.fail(f"{self.players[seat]} steals from {self.players[victim]}, who has no building there.")
        hands = self.engine.state["hands"][:, : len(self.players)].sum(axis=2)
        poor = [owner for owner in sorted(owners - {-1, seat}) if not hands[:, owner].any()]
        at = self.decisions == "choose_victim"
        if at.any():
            if victim is None and not poor:
                self.fail("nobody loses a card, but everybody with a building there has cards.")
            self._where(
                "choose_victim", "steal", ((poor[0] if victim is None else victim) - seat - 1) % len(self.players)
            )
        if victim is None:
            self.keep(self.decisions != "theft", f"{self.players[seat]} steals a card by our rules.")
        else:
            first = self.engine.outcomes.id("theft", 0)
            chances = np.asarray(self.engine.chance_probabilities)[:, first : first + len(RESOURCES)]
            spare = np.array([self._spare(game, victim) for game in range(self._count)])
            lacking = np.maximum(self.needs[seat] - self.engine.state["hands"][:, seat], 0)
            chances = (chances > 0) * spare * (1 + WANTED * lacking)
            if card is not None:
                chances *= np.arange(len(RESOURCES)) == card
            elif self.wanted >= 0:
                chances[:, self.wanted] /= NEEDED**2
            self.filled["stolen cards"] += int(self._sample("theft", chances).any() and card is None)

    def check_hand(self, seat: int, hand: Sequence[int]) -> None:
        """Keep the games in which a seat holds the given cards, shape (5,)."""
        fits = (self.engine.state["hands"][:, seat] == hand).all(axis=1)
        self.keep(fits, f"the file has {list(hand)} as hand of {self.players[seat]}, but our rules give another.")

    def buy_card(self, seat: int, card: int | None = None) -> None:
        """Buy a development card: a known one, or one from the plans if it is played later, or one that is drawn."""
        self.act(seat, "buy_development_card")
        decks = np.maximum(self.engine.state["deck"].astype(float), 0)
        kinds = decks.shape[1]
        plans = self._plans[:, self._bought]
        later = np.array([np.bincount(row[row >= 0], minlength=kinds) for row in self._plans[:, self._bought + 1 :]])
        weights = np.where(plans[:, None] >= 0, np.eye(kinds)[plans], np.maximum(decks - later, 0))
        self.filled["drawn cards"] += card is None
        self._bought += 1
        self._sample("draw_card", weights * (decks > 0))

    def trade_with_bank(self, seat: int, given: int, count: int, received: int) -> None:
        """Trade `count` cards of one kind for one card from the bank."""
        rate = int(self.state["trade_rate"][seat, given])
        if count != rate:
            self.fail(f"{self.players[seat]} gives the bank {count} {RESOURCES[given]}; the rate is {rate}.")
        self.act(seat, "trade_with_bank", given * (len(RESOURCES) - 1) + received - (received > given))

    def trade(self, seat: int, partner: int, given: Sequence[int], received: Sequence[int]) -> None:
        """Trade with another player; `given` and `received` have shape (5,)."""
        self.act(seat, "make_offer")
        for kind, counts in (("offer_card", given), ("ask_card", received)):
            for card, count in enumerate(counts):
                for _ in range(count):
                    self.act(seat, kind, card)
        self.act(seat, "submit_offer")
        accept, decline = self.engine.actions.id("accept"), self.engine.actions.id("decline")
        while (at := self.decisions == "answer_offer").any():
            asks_partner = self.engine.seat_to_act == partner
            fits = ~(at & asks_partner) | self.engine.action_mask[:, accept]
            self.keep(fits, f"{self.players[partner]} does not have the cards of the trade.")
            at = self.decisions == "answer_offer"
            answers = np.where(self.engine.seat_to_act == partner, accept, decline)
            self._step(np.where(at, answers, LEAVE))
        self.act(seat, "confirm", (partner - seat - 1) % len(self.players))

    def log(self, **notes: Any) -> dict[str, Any]:
        """Return the replay log of one world, with `players` and `notes` as its notes."""
        return annotated(self.engine.replay_log(0), players=self.players, **notes)
