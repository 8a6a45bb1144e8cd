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


def play(
    about: ValueTraining, agent: GreedyAgent, games: int, seed: int, logit_of_sum: tuple[float, float] = (0.0, 1.0)
) -> States:
    """Play games to completion, with opponents in some seats, sampling states after actions.

    If the agent has a network, actions of a fraction `sibling_rate` of its decisions are compared, see `Comparisons`.
    """
    rng = np.random.default_rng([about.seed, seed])
    probe = BatchEngine(about.scenario, 1, about.players)
    rules = without_offers(probe, about.rules)  # forced moves are not automatic: agents evaluate positions before them
    engine = BatchEngine(about.scenario, games, about.players, int(rng.integers(2**62)), rules=rules)
    players = engine.num_players
    agents: list[Agent] = [agent, *opponents_of(about)]
    for player in agents:
        player.reset(int(rng.integers(2**31)))
    by_opponent = rng.random((games, players)) < about.opponent_fraction
    agent_of_seat = by_opponent * rng.integers(1, len(agents), by_opponent.shape)
    term_weights = term_weights_of(agent, engine)
    comparisons = (
        Comparisons(about, engine, agent.weights, logit_of_sum, rng)
        if about.sibling_rate and isinstance(agent.weights, ValueNetwork)
        else None
    )
    seen, sums, game_indices, actions = [], [], [], np.full(games, -1)
    running = np.flatnonzero(engine.seat_to_act >= 0)
    while len(running):
        actions[:] = -1
        seats, depths_before = engine.seat_to_act[running].copy(), engine.state["depth"][running].copy()
        agent_to_act = agent_of_seat[running, seats]
        for index, player in enumerate(agents):
            games_to_act = running[agent_to_act == index]
            if len(games_to_act):
                if comparisons and not index:
                    comparisons.sample(games_to_act)
                actions[games_to_act] = (
                    player.act(engine, games_to_act)
                    if index
                    else drawn(agent, engine, games_to_act, about.temperature, rng)
                )
        random_games = running[rng.random(len(running)) < about.epsilon]
        if len(random_games):
            random_keys = rng.random((len(random_games), engine.actions.n)) * engine.action_mask[random_games]
            actions[random_games] = random_keys.argmax(axis=1)
        engine.step(actions)
        states = engine.state[running]
        action_resolved = (engine.seat_to_act[running] != seats) | (states["depth"] <= depths_before)
        sampled = (states["ended"] == RUNNING) & action_resolved & (rng.random(len(running)) < about.state_sample_rate)
        if sampled.any():
            records = states[sampled]
            seen.append(features_in(engine, records, waits=True).astype(np.float16))
            sums.append(
                values_in(engine, records, term_weights, waits=True)
                if about.correction
                else np.zeros((len(records), players))
            )
            game_indices.append(running[sampled])
        running = np.flatnonzero(engine.seat_to_act >= 0)
    if not seen:
        raise OptionError("Too few states were sampled. Increase state_sample_rate or the number of games.")
    game_of_state = np.concatenate(game_indices)
    order = np.argsort(game_of_state, kind="stable")
    return States(
        np.concatenate(seen)[order],
        np.concatenate(sums)[order].astype(np.float32),
        game_of_state[order],
        engine.winners.astype(np.float32),
        comparisons.siblings() if comparisons else None,
    )


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
