"""The ladder: how the agents that come along do against one another, on every scenario.

Each scenario has a tournament with a journal of its own, so that a run that was cut short goes on where it was. What
came out is kept as a measurement, of which `tools.pages.ladder` makes the page.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from catan_agents.registry import pretrained_for
from catan_env.engine.program import program_of
from catan_env.engine.registry import find_scenario
from catan_training.benchmarks.bench import NO_TRADE
from catan_training.evaluation import published
from catan_training.evaluation.fixtures import Fixtures
from catan_training.evaluation.tournaments import Tell, run_tournament
from catan_training.evaluation.workers import Workers
from tools.measurements import read

PART = "ladder"
ROSTER = ("random", "weighted", "heuristic", "greedy", "expectimax")
"""Who plays every scenario."""


def entrants(scenario: str) -> list[str]:
    """Agents of good speed for a scenario: those that play all, and what was trained on it with its largest number of
    players."""
    return [*ROSTER, *pretrained_for(scenario, find_scenario(scenario).players[-1])]


def fixtures_of(scenario: str, paired_seeds: int) -> Fixtures:
    """What is played on a scenario, so many deals: by its largest number of players, in all lineups of different
    agents, everybody on every seat equally often; no offers between players.

    Raises:
        CatanError: there is no such scenario, or no deal.
    """
    rules = {key: value for key, value in NO_TRADE.items() if key in _numbers(scenario)}
    draft = Fixtures.read(
        {
            "agents": entrants(scenario),
            "scenarios": [scenario],
            "orders": "rotations",
            "rules": rules,
            "games": paired_seeds,
        }
    )
    games_of_a_seed = len(draft.tables[0].seating)
    return replace(draft, games=paired_seeds * games_of_a_seed, batch=max(games_of_a_seed, draft.batch))


def _numbers(scenario: str) -> Any:
    return program_of(find_scenario(scenario)).composition.numbers


def is_kept(file: Path, fixtures: Fixtures) -> bool:
    """Whether a file of measurements holds what came of these fixtures or of more games of the same."""
    (scenario,) = fixtures.scenarios
    kept = read(file).get(scenario, {}).get(PART, {}).get("figures")
    return (
        kept is not None
        and current(kept)
        and kept["games"] >= fixtures.games
        and kept["settings"] | {"games": 0} == fixtures.to_dict() | {"games": 0}
    )


def current(said: dict[str, Any]) -> bool:
    """Whether what was kept is about the present version of its scenario."""
    return said["version"] == find_scenario(said["scenario"]).version


def climb(fixtures: Fixtures, folder: Path, workers: Workers = None, tell: Tell = lambda tables: None) -> Any:
    """Plays the tournament of a scenario, or what a former run has left of it; returns its settings and standings.

    Raises:
        CatanError: the folder holds another tournament.
    """
    (standings,) = published.results(run_tournament(fixtures, folder, workers, tell))
    return {"settings": fixtures.to_dict(), **standings}
