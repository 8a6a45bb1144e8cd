"""Estimating the values of a board's starting sites, and searching for the boards or rules closest to a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.board import Layout
from catan_env.engine.random import game_seeds
from catan_env.errors import OptionError
from catan_training.balance.measures import MEASURES, ConditionGames, even, seats
from catan_training.balance.plan import Condition, Plan
from catan_training.balance.study import Study
from catan_training.evaluation.statistics import SHARE, Estimates
from catan_training.evaluation.workers import Workers

PART = 10
"""Games with assigned sites use 1 / PART of the paired seeds, because each paired seed has a game for every site."""
SITE_CHOICE = "build_settlement"
SEATS = "seats"
FRESH = 1_000_003
"""Seed offset for the final evaluation, so that it plays fresh games."""


# -- a board -----------------------------------------------------------------------------------------------


def conditions_of(condition: Condition) -> list[Condition]:
    """Return two conditions for a board: free play, and play with the first settlement assigned to each site in turn.

    Raises:
        OptionError: a game's first decision is not the choice of a settlement site.
    """
    engine = condition.engine(np.zeros(1, np.uint64))
    opening = [int(action) for action in np.flatnonzero(engine.action_mask[0])]
    if not opening or {engine.actions.pair(action)[0] for action in opening} != {SITE_CHOICE}:
        raise OptionError(
            f"{condition.label} has no starting sites to compare: the first decision of a game must be the choice of a "
            "site for a settlement."
        )
    return [
        condition,
        replace(condition, label=f"{condition.label}, first site assigned", openings=tuple(opening), part=PART),
    ]


def site_values(condition: Condition, games: ConditionGames) -> tuple[Estimates, np.ndarray]:
    """For each assigned first site, estimate how often the first player to place wins.

    Returns:
        Estimates named after the sites, best first, and the intersections of the sites, shape (K,).
    """
    engine = condition.engine(np.array(games.table["seed"][:1].to_numpy()))
    intersections = np.array([engine.actions.pair(action)[1] for action in condition.openings])
    names = engine.place_names(0)["intersections"]
    site_given = games.game("opening")[:, None] == np.array(condition.openings)
    wins = np.any(games.won & (games.order == 1), axis=1)[:, None] * np.ones_like(site_given)
    numbered_names = [f"{names[intersection]} ({intersection})" for intersection in intersections]
    estimates = games.over(numbered_names, wins * 1.0, site_given * games.decided[:, None], SHARE)
    site_indices = np.array([numbered_names.index(name) for name in estimates.names])
    order = np.argsort(-estimates.values, kind="stable")
    return estimates.take([estimates.names[k] for k in order]), intersections[site_indices[order]]


def board_of(condition: Condition, seed: int) -> dict[str, Any]:
    """Return the board drawn from a seed, as coordinates in the format of board files and `BatchEngine`."""
    engine = condition.engine(np.array([seed], np.uint64))
    topology, state = engine.topology, engine.state[0]
    harbors = [(int(topology.coast_paths[k]), int(kind)) for k, kind in enumerate(state["harbor"]) if kind >= 0]
    layout = Layout(topology, state["terrain"].copy(), state["number"].copy(), tuple(harbors), int(state["robber"]))
    return layout.to_coordinates()


# -- designs -----------------------------------------------------------------------------------------------


def drawn_boards(condition: Condition, count: int, seed: int) -> list[Condition]:
    """Return conditions with randomly drawn boards."""
    seeds = game_seeds(seed, count).tolist()
    return [
        replace(condition, label=f"board {k + 1}", board=board_of(condition, board_seed))
        for k, board_seed in enumerate(seeds)
    ]


def distance(games: ConditionGames, measure: str, target: float) -> float:
    """Return a condition's squared distance from the target, corrected for sampling error; may be negative.

    The measure "seats" is the seat advantage, defined as the root-mean-square deviation of win shares from an even
    share. Any other measure is given by the name of an estimate in the report.
    """
    if measure == SEATS:
        shares = seats(games)
        excess = np.mean((shares.values - even(games)) ** 2 - shares.standard_errors**2)
        return float(excess) if target == 0 else float((np.sqrt(max(excess, 0)) - target) ** 2)
    value, error = named(games, measure)
    return float((value - target) ** 2 - error**2)


def named(games: ConditionGames, name: str) -> tuple[float, float]:
    """Look up an estimate in the report by name, and return its value and standard error.

    Raises:
        OptionError: the name is unknown.
    """
    known_names: list[str] = [SEATS]
    for measure in MEASURES:
        estimates = measure.estimate(games)
        if estimates is not None:
            if name in estimates.names:
                index = estimates.names.index(name)
                return float(estimates.values[index]), float(estimates.standard_errors[index])
            known_names += estimates.names
    raise OptionError(f"Unknown measure {name!r}. Choose one of: {', '.join(known_names)}.")


def search(  # noqa: PLR0913 (options passed by name)
    folder: Path,
    conditions: Sequence[Condition],
    agents: Sequence[Any],
    measure: str = SEATS,
    target: float = 0.0,
    games: int = 200,
    final: int = 3000,
    seed: int = 0,
    workers: Workers = None,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Study:
    """Find the condition closest to a target by successive halving, then evaluate it on fresh games.

    In the first round, all conditions play `games` games. The half closer to the target then plays twice as many, and
    so on until only one is left. Each round has its own folder. Because the best of many candidates is overestimated,
    the winner and the first candidate play `final` more games from fresh seeds. The report covers only these final
    games. Source: Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits (2013).

    Returns:
        The study of the final evaluation, which is in the folder "final".
    """
    candidates, halvings = list(conditions), 0
    while len(candidates) > 1:
        plan = Plan.make("compare", candidates, agents, games * 2**halvings, seed=seed + halvings)
        study = Study.begin(folder / f"round_{halvings + 1}", plan)
        tables = study.run(workers, tell)
        distances = [
            distance(ConditionGames(*(table.filter(table["condition"] == k) for table in tables)), measure, target)
            for k in range(len(candidates))
        ]
        candidates = [candidates[k] for k in np.argsort(distances, kind="stable")[: -(-len(candidates) // 2)]]
        halvings += 1
    baseline = [condition for condition in conditions[:1] if condition.label != candidates[0].label]
    plan = Plan.make("compare" if baseline else "study", [candidates[0], *baseline], agents, final, seed=seed + FRESH)
    study = Study.begin(folder / "final", plan)
    study.run(workers, tell)
    return study
