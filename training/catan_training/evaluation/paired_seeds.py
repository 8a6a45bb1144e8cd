"""Jobs of a tournament: some deals of a table, played to the end by all lineups in all orders of seats."""

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
from catan_training.evaluation.fixtures import Entrant, Fixtures, Table
from catan_training.evaluation.matches import play

MOST = 2**31 - 1
"""Of points and lengths: more than any game has."""


@dataclass(frozen=True)
class PairedSeeds:
    """How the games of `count` deals, from the `first` on, ended at a table: N = count * G games, deal by deal.

    Everything in a way that JSON can hold: it is what the journal keeps.
    """

    table: int
    first: int
    count: int
    won: list[list[int]]
    """N rows of the seats that won: none where nobody did, several where they won together."""
    points: list[list[int]]
    sources: dict[str, list[list[int]]]
    """Victory points by what they were for, laid out as `points`."""
    length: list[int]
    """Actions of all seats."""
    truncated: list[int]
    """Indices of games that a limit cut off."""

    @classmethod
    def read(cls, given: Any, name: str, fixtures: Fixtures) -> PairedSeeds:
        """From what `to_json` wrote, which `name` says where it is from.

        Raises:
            CatanError: it is no job of a tournament with these fixtures.
        """
        kinds = {"table": int, "first": int, "count": int, "won": list, "points": list, "sources": dict}
        check_keys(given, name, CatanError, **kinds, length=list, truncated=list)
        if not 0 <= given["table"] < len(fixtures.tables):
            raise CatanError(f"{name}: table is {given['table']}; the tournament has {len(fixtures.tables)} tables.")
        table = fixtures.tables[given["table"]]
        count = paired_seeds_in_a_job(fixtures, table)
        if given["count"] != count or given["first"] < 0 or given["first"] % count:
            raise CatanError(
                f"{name}: count is {given['count']} and first {given['first']}; here jobs have {count} deals, from the "
                f"first, the {count}th, and so on."
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
            raise CatanError(f"{name}: this is no job of {games} games with {players} players. Remove the line.")
        return cls(**given)

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def winners(self, table: Table) -> np.ndarray:
        """(N, players) bool: seats that have won."""
        won = np.zeros((len(self.won), table.num_players), bool)
        for game, seats in enumerate(self.won):
            won[game, seats] = True
        return won


def paired_seeds_in_a_job(fixtures: Fixtures, table: Table) -> int:
    """Whole deals, about `fixtures.batch` games: it depends on nothing else, so that results do not either."""
    return max(1, fixtures.batch // len(table.seating))


def play_paired_seeds(fixtures: Fixtures, number: int, first: int) -> PairedSeeds:
    """Plays one job.

    The games of a deal share their seed: the same board, and the same random numbers for chance in the same order.
    Agents' own random numbers depend on the job and the game only, not on who works it off or when.
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
    """Whether these are whole numbers in a list, none lower or higher than allowed."""
    return isinstance(values, list) and all(type(value) is int and low <= value <= high for value in values)


@lru_cache(maxsize=64)
def _player(given: str) -> Agent:
    """One agent a process, since some take long to make."""
    return make_player(Entrant.read(json.loads(given)))


def make_player(entrant: Entrant) -> Agent:
    """The agent itself.

    Raises:
        CatanError: there is no such agent, or it does not take these options.
    """
    try:
        return make_agent(entrant.agent, **entrant.options)
    except TypeError as error:
        raise OptionError(f"Agent {entrant.agent!r} cannot be made with {dict(entrant.options)}: {error}.") from error
