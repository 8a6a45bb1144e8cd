"""Train value networks to predict win probabilities from self-play, using TD(lambda).

In each round, agents using the current network play each other (Tesauro, 1992) and take some random actions. States
after actions are sampled as training data. Their targets combine the network's values for later states with the game's
result (TD(lambda); Sutton, 1988). The network trains on the most recent rounds, and its averaged weights play the next
round. `greedy` plays round 0.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from catan_agents import Agent, make_agent
from catan_agents.bundled import VALUE_FILE
from catan_agents.evaluation.extraction import features_in
from catan_agents.evaluation.network_evaluation import MOST_INPUTS, MOST_UNITS
from catan_agents.search import GreedyAgent
from catan_agents.search.agent import Searcher
from catan_agents.search.value_network import (
    ValueNetwork,
    inputs_of,
    load_value_network,
    save_value_network,
    signature_of,
)
from catan_env.engine.arguments import check_count, check_number
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import RUNNING
from catan_env.errors import OptionError
from catan_env.text_files import read_json
from catan_env.whole_files import naming
from catan_training.evaluation.matches import evaluate
from catan_training.json_files import write_json
from catan_training.learning.config import scenario_and_players
from catan_training.learning.tuning import without_offers
from catan_training.learning.value_fitting import (
    States,
    TrainableValueNetwork,
    fit,
    mean_of,
    placed,
    seeing,
    value_targets,
)
from catan_training.machine import OWN, versions

AT_ONCE = 2000
"""Maximum number of games held in memory."""
CURVE, SETTINGS = "curve.csv", "values.json"


@dataclass(frozen=True)
class ValueTraining:
    """Settings for value learning.

    Attributes:
        scenario, players, rules: the games to play. Trade offers are off unless `rules` sets them.
        also: additional scenarios for the same network, as NAME or NAME:PLAYERS; by default, the maximum number of
            players is used.
        hidden: sizes of the two hidden layers.
        games: number of games per round and scenario.
        replay_rounds: number of recent rounds to train on.
        state_sample_rate: fraction of states after actions to keep.
        epsilon: fraction of actions taken at random.
        temperature: softmax temperature over action values, in victory points; 0 always takes the best action.
        opponent_fraction: fraction of seats played by `opponents`.
        opponents: names of agents, drawn evenly for each of these seats. `greedy` samples one world and never trades.
        td_lambda: the lambda in TD(lambda).
        rate, rate_end: learning rates in the first and last rounds.
        batch: samples per gradient step, where a sample is a state as seen by one seat.
        check: number of rounds between evaluations against `greedy` and `heuristic`; 0 disables evaluation.
        check_games: number of games per evaluation.
        start: network files to start from instead of `greedy` games. They may have narrower layers and fewer inputs. If
            several are given, their weights are averaged, so they must all have been trained from the same network.
        seed: seed for games and the network.

    Raises:
        OptionError: a number is out of bounds, or `opponents` is empty.
    """

    scenario: str = "base"
    players: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    hidden: tuple[int, int] = (64, 32)
    games: int = 10_000
    replay_rounds: int = 4
    state_sample_rate: float = 0.15
    epsilon: float = 0.01
    temperature: float = 0.02
    opponent_fraction: float = 0.3
    opponents: tuple[str, ...] = ("greedy",)
    td_lambda: float = 0.9
    rate: float = 1e-3
    rate_end: float = 1e-4
    batch: int = 4096
    check: int = 5
    check_games: int = 1000
    start: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("games", "replay_rounds", "batch", "check_games"):
            check_count(name, getattr(self, name))
        for name in ("check", "seed"):
            check_count(name, getattr(self, name), 0)
        check_number("state_sample_rate", self.state_sample_rate, 1, above=0)
        for name in ("epsilon", "opponent_fraction", "td_lambda"):
            check_number(name, getattr(self, name), 1)
        for name in ("temperature", "rate", "rate_end"):
            check_number(name, getattr(self, name))
        if not self.opponents:
            raise OptionError(
                "opponents is empty; name at least one agent. Set opponent_fraction to 0 to train without opponents."
            )

    def each(self) -> list[ValueTraining]:
        """Return separate settings for each scenario.

        Raises:
            ConfigError: an entry of `also` has an invalid number of players.
        """
        trainings = [replace(self, also=())]
        for scenario, players in map(scenario_and_players, self.also):
            trainings.append(replace(self, scenario=scenario, players=players, also=()))
        return trainings


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


def play(about: ValueTraining, agent: GreedyAgent, games: int, seed: int) -> States:
    """Play games to completion, with opponents in some seats, sampling states after actions."""
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
    seen, game_indices, actions = [], [], np.full(games, -1)
    running = np.flatnonzero(engine.seat_to_act >= 0)
    while len(running):
        actions[:] = -1
        seats, depths_before = engine.seat_to_act[running].copy(), engine.state["depth"][running].copy()
        agent_to_act = agent_of_seat[running, seats]
        for index, player in enumerate(agents):
            games_to_act = running[agent_to_act == index]
            if len(games_to_act):
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
            seen.append(features_in(engine, states[sampled], waits=True).astype(np.float16))
            game_indices.append(running[sampled])
        running = np.flatnonzero(engine.seat_to_act >= 0)
    if not seen:
        raise OptionError("Too few states were sampled. Increase state_sample_rate or the number of games.")
    game_of_state = np.concatenate(game_indices)
    order = np.argsort(game_of_state, kind="stable")
    return States(np.concatenate(seen)[order], game_of_state[order], engine.winners.astype(np.float32))


class ValueRun:
    """A value learning run. Its folder keeps the network from every round.

    Args:
        about: the settings.
        folder: a new folder, or the folder of the run to resume.
        rounds: total number of rounds.

    Raises:
        CatanError: a scenario, rule, opponent, round number or network is invalid, or the folder contains a different
            run.
    """

    def __init__(self, about: ValueTraining, folder: str | Path, rounds: int):
        check_count("rounds", rounds, 0)
        self.about, self.folder, self.rounds, self.each = about, Path(folder), rounds, about.each()
        self.probes = [BatchEngine(training.scenario, 1, training.players) for training in self.each]
        self.signatures = [signature_of(probe) for probe in self.probes]
        self.inputs = inputs_of(self.signatures)
        if len(self.inputs) > MOST_INPUTS or not 1 <= min(about.hidden) <= max(about.hidden) <= MOST_UNITS:
            raise OptionError(
                f"The network has {len(self.inputs)} features and layers of {about.hidden} units; allowed are at most "
                f"{MOST_INPUTS} features, and layers of 1 to {MOST_UNITS} units."
            )
        opponents_of(about)  # an unknown agent is refused before the folder is written
        settings = {**asdict(about), "rules": dict(about.rules), "rounds": rounds, "inputs": list(self.inputs)}
        _settle(self.folder, settings)
        torch.manual_seed(about.seed)
        self.network = TrainableValueNetwork(len(self.inputs), about.hidden)

    def file(self, number: int) -> Path:
        """Return the path of a round's network file."""
        return self.folder / f"round-{number:04}.safetensors"

    def kept(self, number: int) -> ValueNetwork:
        """Return the current network with a round's metadata."""
        about = self.about
        metadata = {"made": "by `catan train-value`", "rounds": number, **asdict(about), "rules": dict(about.rules)}
        return ValueNetwork(tuple(self.signatures), self.network.parts(), metadata)

    def played(self, number: int) -> list[States]:
        """Play a round using the previous round's network, or using `greedy` in round 0."""
        weights = load_value_network(self.file(number - 1)) if number else None
        agent = GreedyAgent(worlds=1, weights=weights, trade=False)
        sizes = [min(AT_ONCE, self.about.games - first) for first in range(0, self.about.games, AT_ONCE)]
        states_of_round = []
        for training, signature in zip(self.each, self.signatures, strict=True):
            for k, game_count in enumerate(sizes):
                states = play(training, agent, game_count, 1000 * number + k)
                states_of_round.append(replace(states, seen=placed(states.seen, signature, self.inputs)))
        return states_of_round

    def samples(self, number: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Play a round and return features and targets, after loading the previous round's network."""
        if number:
            self.network.take(load_value_network(self.file(number - 1)))
        return [
            (states.seen, value_targets(self.network, states, self.about.td_lambda)) for states in self.played(number)
        ]

    def begin(self, first: list[States], tell: Callable[[str], Any]) -> None:
        """Create the network for round 0 from `greedy` games or from the networks in `start`."""
        about = self.about
        if not about.start:
            for td_lambda in (
                1.0,
                about.td_lambda,
            ):  # fit to game results first, then to TD(lambda) targets
                samples = [(states.seen, value_targets(self.network, states, td_lambda)) for states in first]
                loss = fit(self.network, samples, about.batch, about.rate, 2, about.seed)
            tell(f"round 0: {about.games} games of greedy, loss {loss:.4f}")
        else:
            start_network = seeing(mean_of([load_value_network(Path(path)) for path in about.start]), self.signatures)
            if any(units < len(biases) for units, (_, biases) in zip(about.hidden, start_network.layers, strict=False)):
                raise OptionError(f"{about.start[0]} has wider layers than {about.hidden}. Increase hidden.")
            self.network.take(start_network)
        save_value_network(self.file(0), self.kept(0))
        _note(self.folder, ["round", "loss", "scenario", "opponent", "games", "win_rate", "low", "high"])

    def learn(self, tell: Callable[[str], Any]) -> None:
        """Train all rounds after the last saved one."""
        about = self.about
        first = self.played(0)
        self.network.adapt([states.seen for states in first])
        if not self.file(0).exists():
            self.begin(first, tell)
        last_round = max(number for number in range(self.rounds + 1) if self.file(number).exists())
        samples = {
            number: self.samples(number)
            for number in range(max(1, last_round + 2 - about.replay_rounds), last_round + 1)
        }
        for number in range(last_round + 1, self.rounds + 1):
            samples[number] = self.samples(number)
            samples = {
                earlier_round: round_samples
                for earlier_round, round_samples in samples.items()
                if earlier_round > number - about.replay_rounds
            }
            rate = about.rate + (about.rate_end - about.rate) * number / self.rounds
            latest = [sample for round_samples in samples.values() for sample in round_samples]
            loss = fit(self.network, latest, about.batch, rate, 1, about.seed + number)
            line = f"round {number}: loss {loss:.4f}{self.checked(number, loss)}"
            save_value_network(self.file(number), self.kept(number))
            tell(line)

    def checked(self, number: int, loss: float) -> str:
        """Run an evaluation if one is due, and return the results as text."""
        about, line = self.about, ""
        if about.check and (number % about.check == 0 or number == self.rounds):
            for training, probe in zip(self.each, self.probes, strict=True):
                line += f"; {training.scenario}" if about.also else ""
                line += _check(training, probe, self.folder, number, loss, self.kept(number))
        return line


def learn_values(
    about: ValueTraining, folder: str | Path, rounds: int, tell: Callable[[str], Any] = lambda line: None
) -> ValueNetwork:
    """Train a value network for `rounds` rounds.

    The folder keeps the network from every round, so repeating the call resumes an interrupted run and produces the
    same networks. The last network is also saved as `value.safetensors`.

    Raises:
        CatanError: a scenario, rule, opponent, round number or network is invalid, or the folder contains a different
            run.
    """
    run = ValueRun(about, folder, rounds)
    last = run.file(rounds)
    if not last.exists():
        run.learn(tell)
        save_value_network(run.folder / VALUE_FILE, load_value_network(last))
    return load_value_network(last)


def _check(
    about: ValueTraining, probe: BatchEngine, folder: Path, number: int, loss: float, network: ValueNetwork
) -> str:
    """Evaluate against fixed agents on fixed seeds, adding rows to the curve, and return the results as text."""
    line = ""
    for opponent in ("heuristic", "greedy"):
        result = evaluate(
            GreedyAgent(weights=network),
            opponent,
            about.scenario,
            about.players,
            about.check_games,
            about.seed + 1,
            without_offers(probe, about.rules),
        )
        rates = result.win_rate, *result.interval
        line += "; against {} {:.1%} ({:.1%} to {:.1%})".format(opponent, *rates)
        curve_row = [number, f"{loss:.4f}", about.scenario, opponent, result.games]
        _note(folder, curve_row + [f"{rate:.4f}" for rate in rates])
    return line


def _note(folder: Path, row: list) -> None:
    with naming(folder / CURVE), open(folder / CURVE, "a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerow(row)


def _settle(folder: Path, settings: dict[str, Any]) -> None:
    """Write the settings to a new folder, or check them against the settings in an existing folder.

    Raises:
        OptionError: the folder contains a different run.
    """
    settings = json.loads(json.dumps(settings))
    path = folder / SETTINGS
    if not path.exists():
        write_json(path, settings | {"versions": versions(OWN, "numpy", "numba", "torch")})
        return
    stored_settings = read_json(path, "value training", OptionError)
    if different := [key for key, value in settings.items() if stored_settings.get(key) != value]:
        raise OptionError(
            f"{folder} holds a value training with different {', '.join(different)}. Choose another folder."
        )
