"""Tune evaluation weights by self-play, using an evolution strategy with common random numbers.

Each generation evaluates pairs of candidates: the current weights plus and minus a random perturbation (Salimans et
al., 2017). A candidate plays one seat; the current weights or other agents play the rest. All candidates play the same
seeds from every seat. The gradient is estimated from the score differences within pairs, and Adam takes a step whose
size decays over the run. The result is the mean of the weights over the second half of the generations.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents import Agent, make_agent
from catan_agents.evaluation import terms_of
from catan_agents.search import ExpectimaxAgent, save_weights, weights_in
from catan_env.engine.arguments import check_count, check_number
from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import game_seeds
from catan_env.errors import OptionError
from catan_env.text_files import check_keys, read_json
from catan_env.whole_files import naming
from catan_training.evaluation.intervals import wilson_interval
from catan_training.evaluation.matches import play
from catan_training.json_files import write_json

POINT = 0.02
"""Score per point of lead over the mean of the other seats; a win scores 1. Including the lead reduces noise."""
LEAST_SCALE = 0.1
MEMORY, SPREAD = 0.9, 0.99
STATE, CURVE, RESULT = "tuning.json", "curve.csv", "weights.toml"


@dataclass(frozen=True)
class Tuning:
    """Settings for a tuning run.

    Attributes:
        scenario, players, rules: the games to play. Trade offers are off unless `rules` sets them.
        depth: search depth, in decisions by the same seat: 1 to tune weights for `greedy`, more for `expectimax`.
        opponents: agents for all other seats, cycled through by generation; empty to play the current weights.
        pairs: number of candidate pairs per generation.
        paired_seeds: number of seeds per generation. Each candidate plays every seed once from each seat.
        sigma: standard deviation of the perturbations, relative to each term's scale, which is its absolute untuned
            weight but at least 0.1.
        step: Adam's initial learning rate, on the same scale. It decays with the square root of the remaining fraction
            of generations.
        worlds: number of worlds that candidates sample to fill in hidden information.
        start: initial weights, as a file or "untuned"; None for the bundled weights.
        check: number of generations between matches against the initial weights.
        seed: seed for perturbations and games.

    Raises:
        OptionError: a number is out of bounds.
    """

    scenario: str = "base"
    players: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    depth: int = 1
    opponents: tuple[str, ...] = ()
    pairs: int = 16
    paired_seeds: int = 12
    sigma: float = 0.3
    step: float = 0.04
    worlds: int = 1
    start: str | None = "untuned"
    check: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("depth", "pairs", "paired_seeds", "worlds", "check"):
            check_count(name, getattr(self, name))
        check_number("sigma", self.sigma, above=0)
        check_number("step", self.step)
        check_count("seed", self.seed, 0)


class Candidates(ExpectimaxAgent):
    """An agent that plays all seats of all games, using separate weights for each seat.

    Args:
        depth: search depth, in decisions by the same seat.
        rows: weights, shape (candidates, terms).
        owner: (games, players) index into `rows` for each seat.
        worlds: number of worlds to sample.
    """

    name = "candidates"

    def __init__(self, depth: int, rows: np.ndarray, owner: np.ndarray, worlds: int):
        super().__init__(depth, worlds)
        self.rows, self.owner = rows, owner

    def _weights_of(self, engine: BatchEngine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.rows, self.owner[games, engine.seat_to_act[games]]


def without_offers(engine: BatchEngine, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules with trade offers disabled, unless the scenario has no offers or `rules` sets them."""
    return ({"offers_per_turn": 0} if "offers_per_turn" in engine.rules else {}) | dict(rules)


def contest(
    about: Tuning, rows: np.ndarray, seeds: np.ndarray, rival: Agent | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Play every candidate in `rows[1:]` from every seat on each seed, against `rows[0]` or a rival.

    Returns:
        Wins (bool) and leads over the mean points of the other seats (float64), both of shape (candidates, seeds *
        players).
    """
    probe = BatchEngine(about.scenario, 1, about.players)
    players, candidates = probe.num_players, len(rows) - 1
    game_count = candidates * len(seeds) * players
    candidate, paired_seed, seat = (indices.ravel() for indices in np.indices((candidates, len(seeds), players)))
    owner = np.zeros((game_count, players), np.int64)
    owner[np.arange(game_count), seat] = 1 + candidate
    engine = BatchEngine(
        about.scenario,
        game_count,
        players,
        seeds[paired_seed],
        rules=without_offers(probe, about.rules),
        forced_moves="play",
    )
    agents: list[Agent] = [Candidates(about.depth, rows, owner, about.worlds)]
    if rival is not None:
        agents.append(rival)
    for index, agent in enumerate(agents):
        agent.reset(int(seeds[0] % 2**31) + index)
    play(engine, agents, np.where(owner > 0, 0, len(agents) - 1))
    points = engine.victory_points
    own_points = points[np.arange(game_count), seat]
    leads = own_points - (points.sum(axis=1) - own_points) / max(players - 1, 1)
    shape = candidates, len(seeds) * players
    return engine.winners[np.arange(game_count), seat].reshape(shape), leads.reshape(shape)


def tune(
    about: Tuning, folder: str | Path, generations: int, tell: Callable[[str], None] = lambda line: None
) -> np.ndarray:
    """Tune weights for `generations` generations, saving progress in a folder.

    An unfinished run with the same settings is resumed.

    Returns:
        The tuned weights, shape (terms,), which are also written to `weights.toml` in the folder.

    Raises:
        CatanError: the scenario, rules, weights or number of generations are invalid, or the folder contains a
            different tuning run.
    """
    check_count("generations", generations, 0)
    folder = Path(folder)
    probe = BatchEngine(about.scenario, 1, about.players)
    terms = terms_of(probe.program.composition)
    start = weights_in(probe, about.start, about.depth)
    rivals = [make_agent(name) for name in about.opponents]
    scale = np.maximum(np.abs([term.weight for term in terms]), LEAST_SCALE)
    state = _load(folder, about, [term.name for term in terms])
    if state is None:
        state = {"generation": 0, "weights": start, "summed": 0, **dict.fromkeys(("mean", "square", "sum"), 0 * start)}
        (folder / CURVE).unlink(missing_ok=True)  # left over from a run that stopped in its first generation
        _note(folder, ["generation", "games", "win_rate_against_start", "low", "high"])
    while state["generation"] < generations:
        generation = state["generation"]
        rng = np.random.default_rng([about.seed, generation])
        changes = about.sigma * rng.standard_normal((about.pairs, len(terms)))
        candidate_weights = state["weights"] + np.concatenate([np.zeros((1, len(terms))), changes, -changes]) * scale
        rival = rivals[generation % len(rivals)] if rivals else None
        wins, leads = contest(about, candidate_weights, game_seeds(int(rng.integers(2**62)), about.paired_seeds), rival)
        scores = (wins + POINT * leads).mean(axis=1)
        gradient = ((scores[: about.pairs] - scores[about.pairs :])[:, None] * changes).mean(axis=0)
        state["mean"] = MEMORY * state["mean"] + (1 - MEMORY) * gradient
        state["square"] = SPREAD * state["square"] + (1 - SPREAD) * gradient**2
        age = generation + 1
        mean, square = state["mean"] / (1 - MEMORY**age), state["square"] / (1 - SPREAD**age)
        step = about.step * (1 - generation / generations) ** 0.5
        state["weights"] = state["weights"] + step * scale * mean / (np.sqrt(square) + 1e-12)
        if 2 * generation >= generations:
            state["sum"], state["summed"] = state["sum"] + state["weights"], state["summed"] + 1
        state["generation"] = age
        line = f"generation {age}: {wins.size} games, candidates win {wins.mean():.1%}"
        if age % about.check == 0 or age == generations:
            line += _check(about, folder, state, start)
        _save(folder, about, [term.name for term in terms], state)
        tell(line)
    weights = _result(state)
    metadata = {
        "made": f"by catan tune --generations {state['generation']} {_options(about)}".strip(),
        "scenario": probe.scenario.name,
        "version": probe.scenario.version,
        "players": probe.num_players,
    }
    save_weights(folder / RESULT, terms, weights, metadata)
    return weights


def _options(about: Tuning) -> str:
    """Return the settings other than the game that differ from the defaults, as options of `catan tune`."""
    defaults = asdict(Tuning(about.scenario, about.players, start=None, check=about.check))
    words = []
    for name, value in asdict(about).items():
        if value != defaults[name]:
            values = [f"{key}={number}" for key, number in value.items()] if name == "rules" else value
            words += [f"--{name.replace('_', '-')}", *(values if isinstance(values, (list, tuple)) else [str(values)])]
    return " ".join(words)


def _result(state: Mapping[str, Any]) -> np.ndarray:
    return state["sum"] / state["summed"] if state["summed"] else state["weights"]


def _check(about: Tuning, folder: Path, state: Mapping[str, Any], start: np.ndarray) -> str:
    """Play the current result against the initial weights on fixed seeds, adding a row to the curve."""
    wins, _ = contest(about, np.stack([start, _result(state)]), game_seeds(about.seed + 1, 8 * about.paired_seeds))
    low, high = wilson_interval(int(wins.sum()), wins.size)
    _note(folder, [state["generation"], wins.size, f"{wins.mean():.4f}", f"{low:.4f}", f"{high:.4f}"])
    return f"; against the start {wins.mean():.1%} ({low:.1%} to {high:.1%})"


def _note(folder: Path, row: list) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with naming(folder / CURVE), open(folder / CURVE, "a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerow(row)


def _identity(about: Tuning, names: list[str]) -> dict[str, Any]:
    return {**asdict(about), "rules": dict(about.rules), "opponents": list(about.opponents), "terms": names}


def _save(folder: Path, about: Tuning, names: list[str], state: Mapping[str, Any]) -> None:
    plain = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in state.items()}
    write_json(folder / STATE, {"about": _identity(about, names), **plain})


def _load(folder: Path, about: Tuning, names: list[str]) -> dict[str, Any] | None:
    """Return the unfinished run's state, or None if there is none."""
    if not (folder / STATE).exists():
        return None
    path = folder / STATE
    stored_state = read_json(path, "tuning", OptionError)
    check_keys(
        stored_state,
        str(path),
        OptionError,
        about=dict,
        generation=int,
        summed=int,
        **dict.fromkeys(("weights", "mean", "square", "sum"), list),
    )
    stored_identity = stored_state.pop("about")
    different = [key for key, value in _identity(about, names).items() if stored_identity.get(key) != value]
    if different:
        raise OptionError(f"{folder} holds a tuning with different {', '.join(different)}. Choose another folder.")
    for key, value in stored_state.items():
        if isinstance(value, list):
            stored_state[key] = _row(value, len(names), f"{path}: {key}")
    if min(stored_state["generation"], stored_state["summed"]) < 0:
        raise OptionError(f"{path}: generation and summed must be at least 0. Tune again in another folder.")
    return stored_state


def _row(values: list, size: int, name: str) -> np.ndarray:
    """Convert a list with one number per term to an array."""
    if len(values) != size or not all(type(value) in (int, float) and np.isfinite(value) for value in values):
        raise OptionError(f"{name} must hold {size} finite numbers, one per term. Tune again in another folder.")
    return np.array(values, np.float64)
