"""Siblings: states after several actions of one decision, and the deciding seat's chances after each of them.

Agents compare siblings, but games contain only the chosen ones. From each sibling, the network plays on for all seats.
Siblings share the hidden cards, the draws of each turn and the agent's random numbers, so luck affects them alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catan_agents.evaluation.extraction import features_in, values_in
from catan_agents.search import GreedyAgent
from catan_agents.search.lookahead import END
from catan_agents.search.value_network import ValueNetwork, signature_of
from catan_agents.streams import GOLDEN, mix
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import CHANCE, NO_SEAT_TO_ACT
from catan_env.engine.field_names import field_names
from catan_training.learning.forecasts import Forecasts
from catan_training.learning.value_settings import ValueTraining

BEST, RANKS = 3, 6
"""The best actions of a decision are compared with each other and with one of the next, of the first `RANKS`."""
CLOSE = 0.8
"""Largest lead of the best action over the next, in victory points; other decisions are not worth comparing."""


@dataclass
class Siblings:
    """Siblings of several decisions, as seen by the seat that decided.

    Attributes:
        seen: (decisions, BEST + 1, features) float16.
        sums: (decisions, BEST + 1) float32, the weighted sum of terms that the network corrects, or 0.
        chances: (decisions, BEST + 1) float32, the seat's mean chance of winning at the starts of later turns,
            without luck: it may be below 0 or above 1. NaN where a decision has fewer siblings.
    """

    seen: np.ndarray
    sums: np.ndarray
    chances: np.ndarray


def candidates_of(action_values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the actions to compare in each decision, shape (decisions, BEST + 1), -1 for none.

    They are the `BEST` actions with the highest values, and one of the next. A decision has none if the best action
    wins, or leads by more than `CLOSE`.

    Args:
        action_values: (decisions, actions), minus infinity for actions that are not considered.
    """
    order = np.argsort(-action_values, axis=1, kind="stable")
    ranked, counts = np.take_along_axis(action_values, order, 1), np.isfinite(action_values).sum(axis=1)
    other = BEST + (rng.random(len(order)) * (np.clip(counts, BEST + 1, RANKS) - BEST)).astype(np.int64)
    ranks = np.column_stack([np.tile(np.arange(BEST), (len(order), 1)), other])
    close = (counts > 1) & (ranked[:, 0] < END) & (ranked[:, 1] > ranked[:, 0] - CLOSE)
    exists = close[:, None] & (ranks < counts[:, None])
    return np.where(exists, np.take_along_axis(order, np.where(exists, ranks, 0), 1), -1)


class Comparisons:
    """Sampled decisions of one engine's games, and the games played on from their siblings.

    Args:
        about: the settings.
        engine: the engine.
        network: the network that plays on and estimates chances.
        logit_of_sum: intercept and slope of the logit of winning, given an evaluation in victory points. Only networks
            that correct the sum of terms need it.
        rng: source of all random numbers.
    """

    def __init__(
        self,
        about: ValueTraining,
        engine: BatchEngine,
        network: ValueNetwork,
        logit_of_sum: tuple[float, float],
        rng: np.random.Generator,
    ):
        self.about, self.engine, self.rng = about, engine, rng
        self.term_weights = network.term_weights_for(engine)
        self.forecasts = Forecasts(engine, network.row_for(engine), logit_of_sum)
        self.agent = GreedyAgent(worlds=1, weights=network, trade=False)
        self.agent.reset(int(rng.integers(2**31)))
        self.worlds, self.candidates = [engine.state[:0]], [np.zeros((0, BEST + 1), np.int64)]
        self.seats = [engine.seat_to_act[:0]]

    def sample(self, games: np.ndarray) -> None:
        """Keep the current decisions of some of the games for comparison."""
        games = games[np.count_nonzero(self.engine.action_mask[games], axis=1) > 1]
        games = games[self.rng.random(len(games)) < self.about.sibling_rate]
        if not len(games):
            return
        candidates = candidates_of(self.agent.evaluate_actions(self.engine, games)[1], self.rng)
        compared = candidates[:, 0] >= 0
        games = games[compared]
        if len(games):
            seeds = self.rng.integers(2**63, size=len(games), dtype=np.uint64)
            self.worlds.append(self.engine.determinise(games, seed=seeds))
            self.candidates.append(candidates[compared])
            self.seats.append(self.engine.seat_to_act[games].copy())

    def siblings(self) -> Siblings:
        """Play on from the siblings of all kept decisions."""
        worlds, candidates, seats = map(np.concatenate, (self.worlds, self.candidates, self.seats))
        siblings = Siblings(
            np.zeros((*candidates.shape, len(signature_of(self.engine).features)), np.float16),
            np.zeros(candidates.shape, np.float32),
            np.full(candidates.shape, np.nan, np.float32),
        )
        agent_seed, seeds = int(self.rng.integers(2**31)), self.rng.integers(2**63, size=len(worlds), dtype=np.uint64)
        settings = self.engine.settings | {"num_games": len(worlds), "chance": "explicit"}
        for rank in range(BEST + 1 if len(worlds) else 0):
            engine = BatchEngine(**settings)
            engine.state[:] = worlds
            engine.refresh()
            self.agent.reset(agent_seed)
            playout = Playout(self, engine, seats, seeds)
            playout.run(candidates[:, rank])
            siblings.seen[:, rank], siblings.sums[:, rank] = playout.seen, playout.sums
            siblings.chances[:, rank] = np.where(candidates[:, rank] >= 0, playout.chances, np.nan)
        return siblings


class Playout:
    """Games that go on from one action of each decision.

    Draws are the same in each playout of a decision, as long as as many were drawn in the same turn. By how much they
    have raised or lowered a chance, compared with the mean over their outcomes, is subtracted from it: this does not
    change its expected value, but makes it less noisy.

    Args:
        comparisons: the comparisons.
        engine: an engine with explicit chance and a game for each decision.
        seats: (games,) the seats that decide.
        seeds: (games,) uint64, seeds of draws.

    Attributes:
        seen, sums, chances: as in `Siblings`, without ranks.
    """

    def __init__(self, comparisons: Comparisons, engine: BatchEngine, seats: np.ndarray, seeds: np.ndarray):
        self.comparisons, self.engine, self.seats, self.seeds = comparisons, engine, seats, seeds
        self.first, self.last = comparisons.about.sibling_turns
        self.depths, self.first_turns = engine.state["depth"].copy(), turns_of(engine)
        self.seen = np.zeros((len(seats), len(signature_of(engine).features)), np.float16)
        self.sums, self.chances, self.luck = np.zeros(len(seats)), np.zeros(len(seats)), np.zeros(len(seats))
        self.resolved = np.zeros(len(seats), bool)
        self.turns, self.draws, self.draw_turns = (np.zeros(len(seats), np.int64) for _ in range(3))

    def run(self, actions: np.ndarray) -> None:
        """Take the actions, shape (games,), -1 for none, and play on until the last turn."""
        engine, playing, last = self.engine, np.flatnonzero(actions >= 0), self.last
        while len(playing):
            engine.step(actions)
            over = engine.seat_to_act == NO_SEAT_TO_ACT
            decides = (engine.seat_to_act != self.seats) | (engine.state["depth"] <= self.depths)
            self.see(playing[(over | (decides & (engine.seat_to_act != CHANCE)))[playing]])
            turns = np.where(over, last, np.minimum(turns_of(engine) - self.first_turns, last))
            self.count(playing[self.resolved[playing]], turns)
            playing = playing[self.turns[playing] < last]
            actions = np.full(len(actions), -1)
            deciding, drawing = (
                playing[choice[playing]] for choice in (engine.seat_to_act >= 0, engine.seat_to_act == CHANCE)
            )
            if len(deciding):
                actions[deciding] = self.comparisons.agent.act(engine, deciding)
            if len(drawing):
                actions[drawing] = self.drawn(drawing)

    def see(self, games: np.ndarray) -> None:
        """Keep what the seats see after the action and the decisions that it triggers."""
        games = games[~self.resolved[games]]
        if not len(games):
            return
        records, own, comparisons = (
            self.engine.state[games],
            (np.arange(len(games)), self.seats[games]),
            self.comparisons,
        )
        self.seen[games] = features_in(self.engine, records, waits=True)[own]
        if comparisons.about.correction:
            self.sums[games] = values_in(self.engine, records, comparisons.term_weights, waits=True)[own]
        self.resolved[games] = True

    def count(self, games: np.ndarray, turns: np.ndarray) -> None:
        """Add the chances at the starts of turns up to `turns`, shape (all games,), to the means."""
        counted = turns[games] - np.maximum(self.turns[games], self.first - 1)
        self.turns[games] = turns[games]
        games, counted = games[counted > 0], counted[counted > 0]
        if len(games):
            shares = self.comparisons.forecasts.shares(self.engine, games)[np.arange(len(games)), self.seats[games]]
            self.chances[games] += counted * (shares - self.luck[games]) / (self.last - self.first + 1)

    def drawn(self, games: np.ndarray) -> np.ndarray:
        """Return outcomes of the current draws, shape (n,)."""
        turns = turns_of(self.engine)[games]
        self.draws[games] = np.where(turns == self.draw_turns[games], self.draws[games] + 1, 0)
        self.draw_turns[games] = turns
        places = ((turns << 16) + self.draws[games] + 1).astype(np.uint64)
        lots = (mix(self.seeds[games] + places * GOLDEN) >> np.uint64(11)) * 2.0**-53
        outcomes, swings = self.comparisons.forecasts.draw(self.engine, games, self.seats[games], lots)
        self.luck[games] += np.where(self.resolved[games], swings, 0.0)
        return outcomes


def turns_of(engine: BatchEngine) -> np.ndarray:
    """Return the number of turns begun in each game, shape (games,), or zeros if the game does not count them."""
    if "turn" not in field_names(engine.state):
        return np.zeros(engine.num_games, np.int64)
    return engine.state["turn"].astype(np.int64)
