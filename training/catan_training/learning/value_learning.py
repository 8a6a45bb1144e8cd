"""Train value networks to predict win probabilities from self-play, using TD(lambda).

In each round, agents using the current network play each other (Tesauro, 1992) and take some random actions. States
after actions are sampled as training data. Their targets combine the network's values for later states with the game's
result (TD(lambda); Sutton, 1988). The network trains on the most recent rounds, and its averaged weights play the next
round. `greedy` plays round 0. A network may also learn what `greedy`'s weighted sum of terms misses. A fraction of it
is then added to the sum, which remains the larger part of the evaluation. The network may learn from compared actions
of its decisions as well, see `catan_training.learning.siblings`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import torch

from catan_agents.bundled import VALUE_FILE, value_file
from catan_agents.evaluation import terms_of
from catan_agents.evaluation.network_evaluation import MOST_INPUTS, MOST_UNITS
from catan_agents.search import GreedyAgent, weights_in
from catan_agents.search.value_network import (
    GameSignature,
    ValueNetwork,
    inputs_of,
    load_value_network,
    save_value_network,
    signature_of,
)
from catan_env.engine.arguments import check_count
from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import reference_to
from catan_env.errors import OptionError
from catan_env.text_files import read_json
from catan_env.whole_files import naming
from catan_training.evaluation.matches import evaluate
from catan_training.evaluation.workers import Run, Workers, worker_pool
from catan_training.json_files import write_json
from catan_training.learning.siblings import Siblings
from catan_training.learning.tuning import without_offers
from catan_training.learning.value_fitting import (
    Sample,
    TrainableValueNetwork,
    fit,
    mean_of,
    placed,
    seeing,
    value_targets,
)
from catan_training.learning.value_games import States, opponents_of, play_part
from catan_training.learning.value_settings import ValueTraining
from catan_training.machine import OWN, versions

PART = 500
"""Number of games that a worker plays at a time."""
SEEDS = 1000
"""Number of consecutive seeds per round and scenario; see `seed_of`."""
CURVE, SETTINGS = "curve.csv", "values.json"


own = partial(np.require, requirements="W")
"""Copies arrays that a cluster shares between processes and that are therefore read-only."""


def seed_of(number: int, part: int) -> int:
    """Return the seed of a part of a round. No other part of any round has it."""
    further, position = divmod(part, SEEDS)
    return further << 32 | SEEDS * number + position


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
        opponents_of(about)  # an unknown agent is refused before the folder is written, as is an unsuitable start
        self.start = None if self.file(0).exists() else self.start_network()
        first = load_value_network(self.file(0)) if self.file(0).exists() else self.start
        self.terms = first.terms if first else self.terms_to_correct({})
        settings = {**asdict(about), "rules": dict(about.rules), "rounds": rounds, "inputs": list(self.inputs)}
        _settle(self.folder, settings)
        torch.manual_seed(about.seed)
        self.network = TrainableValueNetwork(len(self.inputs), about.hidden, about.correction or 1.0)

    def start_network(self) -> ValueNetwork | None:
        """Return the mean of the networks in `start`, extended to the run's inputs, or None if there are none."""
        paths, hidden = self.about.start, self.about.hidden
        if not paths:
            return None
        rules = {**self.probes[0].rules, **self.about.rules}
        networks = [for_some_of(self.signatures, load_value_network(value_file(path)), rules) for path in paths]
        network = mean_of(networks)
        if bool(network.terms) != bool(self.about.correction):
            kind, setting = ("corrects", "more than 0") if network.terms else ("does not correct", "0")
            raise OptionError(f"{paths[0]} {kind} the sum of terms. Set correction to {setting}.")
        for path, correction in zip(paths, (one.made.get("correction") for one in networks), strict=True):
            if network.terms and correction not in (None, self.about.correction):
                raise OptionError(
                    f"{path} was trained with correction {correction}; correction is {self.about.correction}. Set it "
                    f"to {correction}."
                )
        known_terms = dict(zip(network.games, network.terms, strict=False))
        network = replace(seeing(network, self.signatures), terms=self.terms_to_correct(known_terms))
        if any(units < len(biases) for units, (_, biases) in zip(hidden, network.layers, strict=False)):
            raise OptionError(f"{paths[0]} has wider layers than {hidden}. Increase hidden.")
        return network

    def terms_to_correct(self, known: Mapping[GameSignature, Mapping[str, float]]) -> tuple[Mapping[str, float], ...]:
        """Return the term weights of each game: those of `known` or else of `greedy`, or nothing to correct."""
        if not self.about.correction:
            return ()
        return tuple(
            known.get(signature) or greedy_weights(probe)
            for signature, probe in zip(self.signatures, self.probes, strict=True)
        )

    def file(self, number: int) -> Path:
        """Return the path of a round's network file."""
        return self.folder / f"round-{number:04}.safetensors"

    def kept(self, number: int) -> ValueNetwork:
        """Return the current network with a round's metadata."""
        about = self.about
        metadata = {"made": "by `catan train-value`", "rounds": number, **asdict(about), "rules": dict(about.rules)}
        games, layers = tuple(self.signatures), self.network.parts()
        return ValueNetwork(games, layers, metadata, terms=self.terms, rules=dict(about.rules))

    def played(self, number: int, run_jobs: Run) -> list[States]:
        """Play a round using the previous round's network, or using `greedy` in round 0."""
        network = load_value_network(self.file(number - 1)) if number else None
        sizes = [min(PART, self.about.games - first) for first in range(0, self.about.games, PART)]
        jobs = [
            (which, network, tuple(self.network.logit_of_sum.tolist()), games, seed_of(number, part))
            for which in range(len(self.each))
            for part, games in enumerate(sizes)
        ]
        states_by_part = dict(run_jobs(iter(jobs)))
        return [
            self.with_inputs(states, self.signatures[which])
            for (which, _), states in sorted(states_by_part.items(), key=itemgetter(0))
        ]

    def with_inputs(self, states: States, games: GameSignature) -> States:
        """Return states of one scenario with features in the order of the network's inputs."""
        siblings = states.siblings and Siblings(
            own(placed(states.siblings.seen, games, self.inputs)),
            own(states.siblings.sums),
            own(states.siblings.chances),
        )
        seen = own(placed(states.seen, games, self.inputs))
        return replace(states, seen=seen, sums=own(states.sums), siblings=siblings)

    def sampled(self, states: States, td_lambda: float) -> Sample:
        """Return states as training samples."""
        return Sample(states.seen, states.sums, value_targets(self.network, states, td_lambda), states.siblings)

    def samples(self, number: int, run_jobs: Run) -> list[Sample]:
        """Play a round and return its samples, after loading the previous round's network."""
        if number:
            self.network.take(load_value_network(self.file(number - 1)))
        return [self.sampled(states, self.about.td_lambda) for states in self.played(number, run_jobs)]

    def begin(self, first: list[States], tell: Callable[[str], Any]) -> None:
        """Create the network for round 0 from `greedy` games or from the networks in `start`."""
        about = self.about
        if self.start is None:
            if about.correction:
                self.network.clear_output()
            for td_lambda in (
                1.0,
                about.td_lambda,
            ):  # fit to game results first, then to TD(lambda) targets
                samples = [self.sampled(states, td_lambda) for states in first]
                loss = fit(self.network, samples, about.batch, about.rate, 2, about.seed)
            tell(f"round 0: {about.games} games of greedy, loss {loss:.4f}")
        else:
            self.network.take(self.start)
        save_value_network(self.file(0), self.kept(0))
        _note(self.folder, ["round", "loss", "scenario", "opponent", "games", "win_rate", "low", "high"])

    def learn(self, run_jobs: Run, tell: Callable[[str], Any]) -> None:
        """Train all rounds after the last saved one. `run_jobs` runs jobs of `play_part`."""
        about = self.about
        first = self.played(0, run_jobs)
        self.network.adapt([states.seen for states in first])
        if self.about.correction:
            self.network.adapt_to_sums(
                np.concatenate([states.sums.ravel() for states in first]),
                np.concatenate([states.won[states.game].ravel() for states in first]),
            )
        if not self.file(0).exists():
            self.begin(first, tell)
        last_round = max(number for number in range(self.rounds + 1) if self.file(number).exists())
        samples = {
            number: self.samples(number, run_jobs)
            for number in range(max(1, last_round + 2 - about.replay_rounds), last_round + 1)
        }
        for number in range(last_round + 1, self.rounds + 1):
            samples[number] = self.samples(number, run_jobs)
            samples = {
                earlier_round: round_samples
                for earlier_round, round_samples in samples.items()
                if earlier_round > number - about.replay_rounds
            }
            rate = about.rate + (about.rate_end - about.rate) * number / self.rounds
            latest = [sample for round_samples in samples.values() for sample in round_samples]
            loss = fit(self.network, latest, about.batch, rate, 1, about.seed + number, about.sibling_weight)
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


def for_some_of(games: Sequence[GameSignature], network: ValueNetwork, rules: Mapping[str, Any]) -> ValueNetwork:
    """Return the one of a file's networks that suits the games and rule numbers, limited to these games.

    If none was trained on any of them, return the first of those for the closest number of players, limited to its
    first game.
    """
    if found := network.suited_to(games, rules):
        return found.limited_to(games)
    closest = min(network.networks, key=lambda one: abs(one.games[0].players - games[0].players))
    return closest.limited_to(closest.games[:1])


def greedy_weights(engine: BatchEngine) -> dict[str, float]:
    """Return `greedy`'s weights in an engine's game, keyed by term name."""
    terms = terms_of(engine.program.composition)
    return {term.name: float(weight) for term, weight in zip(terms, weights_in(engine), strict=True)}


def learn_values(
    about: ValueTraining,
    folder: str | Path,
    rounds: int,
    tell: Callable[[str], Any] = lambda line: None,
    workers: Workers = 1,
) -> ValueNetwork:
    """Train a value network for `rounds` rounds.

    The folder keeps the network from every round, so repeating the call resumes an interrupted run and produces the
    same networks. The last network is also saved as `value.safetensors`. `workers` play the games; their number does
    not change the networks. One process fits the network.

    Raises:
        CatanError: a scenario, rule, opponent, round number or network is invalid, or the folder contains a different
            run.
    """
    run = ValueRun(about, folder, rounds)
    last = run.file(rounds)
    if not last.exists():
        trainings = [replace(training, scenario=reference_to(training.scenario)) for training in run.each]
        with worker_pool(trainings, workers, play_part) as run_jobs:
            run.learn(run_jobs, tell)
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
