"""Games that value networks learn from: agents play them, and some states are kept as each seat sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from catan_agents import Agent, make_agent
from catan_agents.evaluation.extraction import features_in, values_in
from catan_agents.search import GreedyAgent, weights_in
from catan_agents.search.agent import Searcher
from catan_agents.search.value_network import ValueNetwork
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import RUNNING
from catan_env.errors import OptionError
from catan_training.learning.siblings import Comparisons, Siblings
from catan_training.learning.tuning import without_offers
from catan_training.learning.value_settings import ValueTraining

NO_OPPONENT = -1


@dataclass
class States:
    """Sampled states as seen by every seat, ordered by game and time.

    Attributes:
        seen: (states, players, features) float16.
        sums: (states, players) float32, the weighted sum of terms that the network corrects, or 0.
        game: (states,) game index.
        won: (games, players) float32, 1 for winners.
        siblings: compared actions of some of the network's decisions, or None.
    """

    seen: np.ndarray
    sums: np.ndarray
    game: np.ndarray
    won: np.ndarray
    siblings: Siblings | None = None


def drawn(
    agent: Searcher, engine: BatchEngine, games: np.ndarray, temperature: float, rng: np.random.Generator
) -> np.ndarray:
    """Return an agent's actions, shape (n,), sampled by softmax over action values unless `temperature` is 0."""
    if not temperature:
        return agent.act(engine, games)
    legal = engine.action_mask[games]
    actions, rows_with_choice = legal.argmax(axis=1), np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)
    if len(rows_with_choice):
        _, action_values = agent.evaluate_actions(engine, games[rows_with_choice])
        actions[rows_with_choice] = (action_values + temperature * rng.gumbel(size=action_values.shape)).argmax(axis=1)
    return actions


def opponents_of(about: ValueTraining) -> list[Agent]:
    """Return the agents that play some of the seats. Raises the errors of `make_agent`."""
    return [
        make_agent(name, worlds=1, trade=False) if name == GreedyAgent.name else make_agent(name)
        for name in about.opponents
    ]


def term_weights_of(agent: GreedyAgent, engine: BatchEngine) -> np.ndarray:
    """Return the weights of the sum of terms that an agent's network corrects, or those of `greedy` without a network.

    Their shape is (terms,); it is (0,) if the network corrects no terms.
    """
    if isinstance(agent.weights, ValueNetwork):
        return agent.weights.term_weights_for(engine)
    return weights_in(engine)


class Sample:
    """Some of the states of games in progress, as seen by every seat.

    Args:
        about: the settings; `state_sample_rate` is the fraction of states to keep.
        engine: the games.
        term_weights: (terms,) weights of the sum that the network corrects, see `term_weights_of`.
        rng: draws the states to keep.
    """

    def __init__(self, about: ValueTraining, engine: BatchEngine, term_weights: np.ndarray, rng: np.random.Generator):
        self.about, self.engine, self.term_weights, self.rng = about, engine, term_weights, rng
        self._seen: list[np.ndarray] = []
        self._sums: list[np.ndarray] = []
        self._games: list[np.ndarray] = []

    def add(self, games: np.ndarray, is_suitable: np.ndarray) -> None:
        """Keep the states of some of the given games; `is_suitable`, shape (games,), tells which may be kept."""
        is_drawn = self.rng.random(len(games)) < self.about.state_sample_rate
        kept = (self.engine.state["ended"][games] == RUNNING) & is_suitable & is_drawn
        if kept.any():
            records = self.engine.state[games[kept]]
            self._seen.append(features_in(self.engine, records, waits=True).astype(np.float16))
            self._sums.append(
                values_in(self.engine, records, self.term_weights, waits=True)
                if self.about.correction
                else np.zeros((len(records), self.engine.num_players))
            )
            self._games.append(games[kept])

    def states(self, siblings: Siblings | None) -> States:
        """Return the states of the ended games.

        Raises:
            OptionError: there are none.
        """
        if not self._seen:
            raise OptionError("Too few states were sampled. Increase state_sample_rate or the number of games.")
        game_of_state = np.concatenate(self._games)
        order = np.argsort(game_of_state, kind="stable")
        return States(
            np.concatenate(self._seen)[order],
            np.concatenate(self._sums)[order].astype(np.float32),
            game_of_state[order],
            self.engine.winners.astype(np.float32),
            siblings,
        )


def surprise(engine: BatchEngine, actions: np.ndarray, games: np.ndarray, rng: np.random.Generator) -> None:
    """Replace the actions of the given games by random legal ones."""
    if len(games):
        random_keys = rng.random((len(games), engine.actions.n)) * engine.action_mask[games]
        actions[games] = random_keys.argmax(axis=1)


def play(
    about: ValueTraining, agent: GreedyAgent, games: int, seed: int, logit_of_sum: tuple[float, float] = (0.0, 1.0)
) -> States:
    """Play games to completion, with opponents in some seats, sampling states after actions.

    If the agent has a network, actions of a fraction `sibling_rate` of its decisions are compared, see `Comparisons`.

    Raises:
        OptionError: no state was sampled.
    """
    rng = np.random.default_rng([about.seed, seed])
    probe = BatchEngine(about.scenario, 1, about.players)
    rules = without_offers(probe, about.rules)  # forced moves are not automatic: agents evaluate positions before them
    engine = BatchEngine(about.scenario, games, about.players, int(rng.integers(2**62)), rules=rules)
    opponents = opponents_of(about)
    for player in (agent, *opponents):
        player.reset(int(rng.integers(2**31)))
    by_opponent = rng.random((games, engine.num_players)) < about.opponent_fraction
    opponent_of_seat = np.where(by_opponent, rng.integers(0, len(opponents), by_opponent.shape), NO_OPPONENT)
    comparisons = (
        Comparisons(about, engine, agent.weights, logit_of_sum, rng)
        if about.sibling_rate and isinstance(agent.weights, ValueNetwork)
        else None
    )
    sample, actions = Sample(about, engine, term_weights_of(agent, engine), rng), np.full(games, -1)
    while len(running := np.flatnonzero(engine.seat_to_act >= 0)):
        actions[:] = -1
        seats, depths_before = engine.seat_to_act[running].copy(), engine.state["depth"][running].copy()
        opponents_to_act = opponent_of_seat[running, seats]
        if len(own_games := running[opponents_to_act == NO_OPPONENT]):
            if comparisons:
                comparisons.sample(own_games)
            actions[own_games] = drawn(agent, engine, own_games, about.temperature, rng)
        for index, opponent in enumerate(opponents):
            if len(its_games := running[opponents_to_act == index]):
                actions[its_games] = opponent.act(engine, its_games)
        surprise(engine, actions, running[rng.random(len(running)) < about.epsilon], rng)
        engine.step(actions)
        is_resolved = (engine.seat_to_act[running] != seats) | (engine.state["depth"][running] <= depths_before)
        sample.add(running, is_resolved)
    return sample.states(comparisons.siblings() if comparisons else None)


def play_part(
    trainings: Sequence[ValueTraining],
    which: int,
    network: ValueNetwork | None,
    logit_of_sum: tuple[float, float],
    games: int,
    seed: int,
) -> tuple[tuple[int, int], States]:
    """Play part of a round, as a job for workers.

    Args:
        trainings: the settings of each scenario.
        which: index of the scenario to play.
        network: the network that plays, or None for `greedy` with its own weights.
        logit_of_sum: as in `play`.
        games: number of games.
        seed: seed of these games, different for each part of a run.

    Returns:
        (which, seed), by which parts are put in order, and the sampled states.
    """
    agent = GreedyAgent(worlds=1, weights=network, trade=False)
    return (which, seed), play(trainings[which], agent, games, seed, logit_of_sum)
