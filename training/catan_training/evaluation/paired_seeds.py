"""Tournament jobs, which play paired seeds of a table with all lineups in all seat orders."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np

from catan_agents import Agent, make_agent
from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import game_seeds
from catan_env.errors import CatanError, OptionError
from catan_env.text_files import check_keys
from catan_training.evaluation.fixtures import Entrant, Fixtures, SeatedScenario
from catan_training.evaluation.matches import play

MOST = 2**31 - 1
"""Upper bound on points and game lengths, which no game can reach."""


@dataclass(frozen=True)
class PairedSeeds:
    """Results of the N = count * G games for `count` paired seeds starting at `first`, ordered by paired seed.

    All values are JSON types, so that the journal can store them.
    """

    table: int
    first: int
    count: int
    won: list[list[int]]
    """N lists of winning seats; a list is empty if nobody won and has several entries for a shared win."""
    points: list[list[int]]
    sources: dict[str, list[list[int]]]
    """Victory points by source, each in the same layout as `points`."""
    length: list[int]
    """Number of actions taken by all seats."""
    truncated: list[int]
    """Indices of truncated games."""

    @classmethod
    def read(cls, given: Any, name: str, fixtures: Fixtures) -> PairedSeeds:
        """Create the results from the output of `to_json`. `name` identifies the source in messages.

        Raises:
            CatanError: the results do not belong to a tournament with these fixtures.
        """
        kinds = {"table": int, "first": int, "count": int, "won": list, "points": list, "sources": dict}
        check_keys(given, name, CatanError, **kinds, length=list, truncated=list)
        if not 0 <= given["table"] < len(fixtures.tables):
            raise CatanError(f"{name}: table is {given['table']}; the tournament has {len(fixtures.tables)} tables.")
        table = fixtures.tables[given["table"]]
        count = paired_seeds_in_a_job(fixtures, table)
        if given["count"] != count or given["first"] < 0 or given["first"] % count:
            raise CatanError(
                f"{name}: count is {given['count']} and first is {given['first']}; count must be {count}, and first a "
                f"multiple of {count}."
            )
        games, players = count * len(table.seating), table.num_players
        laid_out = [given["points"], *given["sources"].values()]
        if not (
            set(given) == {item.name for item in fields(cls)}
            and len(given["won"]) == games
            and all(_are_whole(seats, 0, players - 1) and len(set(seats)) == len(seats) for seats in given["won"])
            and all(isinstance(rows, list) and len(rows) == games for rows in laid_out)
            and all(_are_whole(row, -MOST, MOST) and len(row) == players for rows in laid_out for row in rows)
            and _are_whole(given["length"], 0, MOST)
            and len(given["length"]) == games
            and _are_whole(given["truncated"], 0, games - 1)
        ):
            raise CatanError(f"{name}: not a job of {games} games with {players} players. Remove the line.")
        return cls(**given)

    def to_json(self) -> str:
        """Return the results as a single line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def winners(self, table: SeatedScenario) -> np.ndarray:
        """Return whether each seat won, (N, players) bool."""
        won = np.zeros((len(self.won), table.num_players), bool)
        for game, seats in enumerate(self.won):
            won[game, seats] = True
        return won


def paired_seeds_in_a_job(fixtures: Fixtures, table: SeatedScenario) -> int:
    """Return the number of paired seeds per job, chosen to give about `fixtures.batch` games.

    It depends only on the settings, so results do not depend on the workers.
    """
    return max(1, fixtures.batch // len(table.seating))


def play_paired_seeds(fixtures: Fixtures, number: int, first: int) -> PairedSeeds:
    """Run one job.

    All games of a paired seed have the same board and use the same random numbers for chance, in the same order.
    Agents' random numbers depend on the job and the game, not on the worker or the time.
    """
    table = fixtures.tables[number]
    paired_seed_count = paired_seeds_in_a_job(fixtures, table)
    seeds = np.repeat(game_seeds(fixtures.seed, first + paired_seed_count)[first:], len(table.seating))
    engine = BatchEngine(table.scenario, len(seeds), table.num_players, seeds, rules=fixtures.rules)
    agents = [_player(json.dumps(entrant.to_dict())) for entrant in fixtures.agents]
    for k, player in enumerate(agents):
        seed_words = np.random.SeedSequence([fixtures.seed, number, first, k]).generate_state(2)
        player.reset(int(seed_words[0]) << 31 | int(seed_words[1]) >> 1)
    length = play(engine, agents, np.tile(table.seating, (paired_seed_count, 1)))
    return PairedSeeds(
        number,
        first,
        paired_seed_count,
        [np.flatnonzero(won).tolist() for won in engine.winners],
        engine.victory_points.tolist(),
        {name: points.tolist() for name, points in engine.points_by_source.items()},
        length.tolist(),
        np.flatnonzero(engine.truncated).tolist(),
    )


def _are_whole(values: Any, low: int, high: int) -> bool:
    """Return whether `values` is a list of integers within bounds."""
    return isinstance(values, list) and all(type(value) is int and low <= value <= high for value in values)


@lru_cache(maxsize=64)
def _player(given: str) -> Agent:
    """Return the agent for an entrant given as JSON. Agents are created once per process."""
    return make_player(Entrant.read(json.loads(given)))


def make_player(entrant: Entrant) -> Agent:
    """Create an entrant's agent.

    Raises:
        CatanError: the agent does not exist or does not accept the options.
    """
    try:
        return make_agent(entrant.agent, **entrant.options)
    except TypeError as error:
        raise OptionError(f"Agent {entrant.agent!r} rejects the options {dict(entrant.options)}: {error}.") from error
