"""Value networks: how likely a seat is to win, learned from states after actions in games against itself.

In each round agents that take the action after which a network finds them likeliest to win play each other (Tesauro,
1992), now and then at random. Some of the states that they come to, as all seats see them, are told what became of
them: a mean of what the network made of later states of the game, those soon after counting most, and of who won in the
end (TD(lambda); Sutton, 1988). The network learns from the last rounds, and plays the next with the mean of what its
weights were meanwhile. The first round is `greedy`'s.
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

from catan_agents.bundled import VALUE_FILE
from catan_agents.evaluation.features import EXTRACT_FEATURES, feature_names
from catan_agents.evaluation.network_evaluation import MOST_INPUTS, MOST_UNITS
from catan_agents.evaluation.terms import with_networks
from catan_agents.search import GreedyAgent
from catan_agents.search.agent import Searcher
from catan_agents.search.value_network import (
    ValueNetwork,
    inputs_of,
    load_value_network,
    save_value_network,
    signature_of,
)
from catan_env.engine.arrays import as_records
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

AT_ONCE = 2000
"""Games in memory."""
CURVE, SETTINGS = "curve.csv", "values.json"


@dataclass(frozen=True)
class ValueTraining:
    """What is learned, and how.

    Attributes:
        scenario, players, rules: the games. Offers between players are left out where the scenario has them.
        also: scenarios that the same network learns beside, each with as many players as it allows, or as stand behind
            a colon.
        hidden: units of the two layers.
        games: of a round, of each scenario.
        replay_rounds: rounds that are learned from.
        state_sample_rate: share of the states after actions that are kept.
        epsilon: share of the actions that are random.
        temperature: actions are drawn in proportion to exp(value / temperature), with values in victory points; 0 for
            the best.
        opponent_fraction: share of seats that `greedy` plays.
        td_lambda: how much of the value of a later state comes from those after it.
        rate, rate_end: learning rate of the first and of the last round.
        batch: states of a gradient step.
        check: after so many rounds the network plays `greedy` and `heuristic`; 0 for never.
        check_games: against each of them.
        start: file of a network to begin with, in place of the first round; its layers may be narrower, and it may see
            less. Of several, that learned on from the same network, the mean of their weights.
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
    td_lambda: float = 0.9
    rate: float = 1e-3
    rate_end: float = 1e-4
    batch: int = 4096
    check: int = 5
    check_games: int = 1000
    start: tuple[str, ...] = ()
    seed: int = 0

    def each(self) -> list[ValueTraining]:
        """The same for each of the scenarios by itself.

        Raises:
            ConfigError: one is named with a number of players that is none.
        """
        trainings = [replace(self, also=())]
        for scenario, players in map(scenario_and_players, self.also):
            trainings.append(replace(self, scenario=scenario, players=players, also=()))
        return trainings


def extract(states, all_params, found, start, stop):
    """Kernel: the features of games as all seats see them, (games, players, features) float64."""
    for i in range(start, stop):
        for seat in range(found.shape[1]):
            for k in range(found.shape[2]):
                found[i, seat, k] = 0.0
            EXTRACT_FEATURES(states[i], all_params[0], seat, found[i, seat])


def drawn(
    agent: Searcher, engine: BatchEngine, games: np.ndarray, temperature: float, rng: np.random.Generator
) -> np.ndarray:
    """(n,) actions of an agent; with a temperature any action may be drawn, better ones more often."""
    if not temperature:
        return agent.act(engine, games)
    legal = engine.action_mask[games]
    actions, rows_with_choice = legal.argmax(axis=1), np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)
    if len(rows_with_choice):
        _, action_values = agent.evaluate_actions(engine, games[rows_with_choice])
        actions[rows_with_choice] = (action_values + temperature * rng.gumbel(size=action_values.shape)).argmax(axis=1)
    return actions


def play(about: ValueTraining, agent: Searcher, games: int, seed: int) -> States:
    """Plays games to their end, `greedy` in some of the seats, and keeps some of the states after actions."""
    rng = np.random.default_rng([about.seed, seed])
    probe = BatchEngine(about.scenario, 1, about.players)
    rules = without_offers(probe, about.rules)  # forced moves are made here: before them is where agents look
    engine = BatchEngine(about.scenario, games, about.players, int(rng.integers(2**62)), rules=rules)
    composition, players = engine.program.composition, engine.num_players
    kernel, feature_count = with_networks(composition).kernel(extract), len(feature_names(composition, players))
    greedy = GreedyAgent(worlds=1, trade=False)
    for player in (agent, greedy):
        player.reset(int(rng.integers(2**31)))
    plays_greedy = rng.random((games, players)) < about.opponent_fraction
    seen, game_indices, actions = [], [], np.full(games, -1)
    running = np.flatnonzero(engine.seat_to_act >= 0)
    while len(running):
        actions[:] = -1
        seats, depths_before = engine.seat_to_act[running].copy(), engine.state["depth"][running].copy()
        by_greedy = plays_greedy[running, seats]
        for games_to_act, player, temperature in (
            (running[~by_greedy], agent, about.temperature),
            (running[by_greedy], greedy, 0.0),
        ):
            if len(games_to_act):
                actions[games_to_act] = drawn(player, engine, games_to_act, temperature, rng)
        random_games = running[rng.random(len(running)) < about.epsilon]
        if len(random_games):
            random_keys = rng.random((len(random_games), engine.actions.n)) * engine.action_mask[random_games]
            actions[random_games] = random_keys.argmax(axis=1)
        engine.step(actions)
        states = engine.state[running]
        action_resolved = (engine.seat_to_act[running] != seats) | (states["depth"] <= depths_before)
        sampled = (states["ended"] == RUNNING) & action_resolved & (rng.random(len(running)) < about.state_sample_rate)
        if sampled.any():
            feature_values = np.zeros((np.count_nonzero(sampled), players, feature_count))
            kernel(as_records(states[sampled]), engine.batch.params, feature_values, 0, len(feature_values))
            seen.append(feature_values.astype(np.float16))
            game_indices.append(running[sampled])
        running = np.flatnonzero(engine.seat_to_act >= 0)
    if not seen:
        raise OptionError("These games have too few states to learn from: look at a larger share of them.")
    game_of_state = np.concatenate(game_indices)
    order = np.argsort(game_of_state, kind="stable")
    won = (engine.winner[:, None] == np.arange(players)).astype(np.float32)
    return States(np.concatenate(seen)[order], game_of_state[order], won)


class ValueRun:
    """A training in its folder, which keeps the network of every round.

    Args:
        about: what is learned, and how.
        folder: a new one, or that of the same training.
        rounds: in all.

    Raises:
        CatanError: scenario, rules, rounds, games or network do not fit, or the folder holds another training.
    """

    def __init__(self, about: ValueTraining, folder: str | Path, rounds: int):
        if rounds < 0 or about.games < 1:
            raise OptionError(
                f"rounds is {rounds} and games is {about.games}; a round needs a game, and none is before 0."
            )
        self.about, self.folder, self.rounds, self.each = about, Path(folder), rounds, about.each()
        self.probes = [BatchEngine(training.scenario, 1, training.players) for training in self.each]
        self.signatures = [signature_of(probe) for probe in self.probes]
        self.inputs = inputs_of(self.signatures)
        if len(self.inputs) > MOST_INPUTS or not 1 <= min(about.hidden) <= max(about.hidden) <= MOST_UNITS:
            raise OptionError(
                f"There are {len(self.inputs)} features and layers of {about.hidden} units; there is room for "
                f"{MOST_INPUTS} features and for layers of 1 to {MOST_UNITS} units."
            )
        settings = {**asdict(about), "rules": dict(about.rules), "rounds": rounds, "inputs": list(self.inputs)}
        _settle(self.folder, settings)
        torch.manual_seed(about.seed)
        self.network = TrainableValueNetwork(len(self.inputs), about.hidden)

    def file(self, number: int) -> Path:
        """Where the network of a round is kept."""
        return self.folder / f"round-{number:04}.safetensors"

    def kept(self, number: int) -> ValueNetwork:
        """The network as it is, to be kept as that of a round."""
        about = self.about
        metadata = {"made": "by `catan train-value`", "rounds": number, **asdict(about), "rules": dict(about.rules)}
        return ValueNetwork(tuple(self.signatures), self.network.parts(), metadata)

    def played(self, number: int) -> list[States]:
        """The games of a round, played by the network of the round before; those of round 0 by `greedy`."""
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
        """The states of a round, and what became of them; the network becomes that of the round before."""
        if number:
            self.network.take(load_value_network(self.file(number - 1)))
        return [
            (states.seen, value_targets(self.network, states, self.about.td_lambda)) for states in self.played(number)
        ]

    def begin(self, first: list[States], tell: Callable[[str], Any]) -> None:
        """Makes the network of round 0: from games of `greedy`, or from networks that were learned before."""
        about = self.about
        if not about.start:
            for td_lambda in (
                1.0,
                about.td_lambda,
            ):  # who won first; then what the network makes of later states as well
                samples = [(states.seen, value_targets(self.network, states, td_lambda)) for states in first]
                loss = fit(self.network, samples, about.batch, about.rate, 2, about.seed)
            tell(f"round 0: {about.games} games of greedy, loss {loss:.4f}")
        else:
            start_network = seeing(mean_of([load_value_network(Path(path)) for path in about.start]), self.signatures)
            if any(units < len(biases) for units, (_, biases) in zip(about.hidden, start_network.layers, strict=False)):
                raise OptionError(f"{about.start[0]} has wider layers than {about.hidden}.")
            self.network.take(start_network)
        save_value_network(self.file(0), self.kept(0))
        _note(self.folder, ["round", "loss", "scenario", "opponent", "games", "win_rate", "low", "high"])

    def learn(self, tell: Callable[[str], Any]) -> None:
        """Learns from the last rounds that are kept on to the last of all."""
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
        """What the network is worth after a round, where that is due: the end of a line."""
        about, line = self.about, ""
        if about.check and (number % about.check == 0 or number == self.rounds):
            for training, probe in zip(self.each, self.probes, strict=True):
                line += f"; {training.scenario}" if about.also else ""
                line += _check(training, probe, self.folder, number, loss, self.kept(number))
        return line


def learn_values(
    about: ValueTraining, folder: str | Path, rounds: int, tell: Callable[[str], Any] = lambda line: None
) -> ValueNetwork:
    """Learns until there were so many rounds. The folder keeps the network of every round, so that the same call goes
    on after an interruption, to the same networks; the last is also kept as `value.safetensors`.

    Raises:
        CatanError: scenario, rules, rounds, games or network do not fit, or the folder holds another training.
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
    """Plays against fixed agents, always on the same deals; lines of the curve."""
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
    """Keeps the settings in a new folder; of another, looks whether they are the same."""
    settings = json.loads(json.dumps(settings))
    path = folder / SETTINGS
    if not path.exists():
        write_json(path, settings)
        return
    stored_settings = read_json(path, "training of values", OptionError)
    if different := [key for key, value in settings.items() if stored_settings.get(key) != value]:
        raise OptionError(f"{folder} holds a training with another {', '.join(different)}; give another folder.")
