"""Datasets of games that were played elsewhere and saved as replay logs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

import catan_env
from catan_env.engine.decision_stack import CHANCE
from catan_env.engine.registry import short_name
from catan_env.errors import OptionError
from catan_training.datasets.dataset import Dataset
from catan_training.datasets.plan import DatasetPlan
from catan_training.datasets.recording import LEVEL, games_table, record
from catan_training.evaluation.fixtures import Entrant
from catan_training.parquet_files import bytes_of

MOST_PLAYERS = 256
"""Maximum number of distinct players in a dataset, since the `agent` column is one byte wide."""


class RecordedGame(NamedTuple):
    """A finished game: its replay log and the player in each seat. People are entrants with the agent "human"."""

    log: Mapping[str, Any]
    players: Sequence[Entrant]


class ReplayedGame:
    """A log that acts as a one-game engine and as the agent for all seats; chance and forced moves follow the log.

    Args:
        log: the replay log of a finished game.
        forced: whether the agent is asked for decisions with only one legal action.

    Raises:
        CatanError: the log is corrupt, or the game is unfinished.
    """

    def __init__(self, log: Mapping[str, Any], forced: bool):
        self._steps = catan_env.replay_steps(log)
        self.engine = next(self._steps)
        self._moves, self._forced = iter(log["moves"]), forced
        self._next: Any = next(self._moves, None)
        self.num_games, self.num_players = 1, self.engine.num_players
        self.rewards = np.zeros((1, self.num_players))
        self._skip()

    @property
    def seat_to_act(self) -> np.ndarray:
        return self.engine.seat_to_act

    @property
    def action_mask(self) -> np.ndarray:
        return self.engine.action_mask

    @property
    def truncated(self) -> np.ndarray:
        return self.engine.truncated

    def observation_space(self, encoder: str, dtype: str) -> Any:
        """Return the observation space; see `BatchEngine.observation_space`."""
        return self.engine.observation_space(encoder, dtype)

    def observe(self, encoder: str, dtype: str, games: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Write the observation of the seat to act; see `BatchEngine.observe`."""
        return self.engine.observe(encoder, out=out, dtype=dtype, games=games)

    def act(self, engine: Any, games: np.ndarray) -> np.ndarray:
        """Return the recorded action, shape (1,)."""
        return np.array([self.engine.actions.id(*self._next)])

    def step(self, actions: np.ndarray) -> None:
        """Carry out the recorded action and any forced actions after it."""
        self.rewards[:] = 0.0
        self._move()
        self._skip()

    def _move(self) -> None:
        next(self._steps)
        self.rewards += self.engine.rewards
        self._next = next(self._moves, None)

    def _skip(self) -> None:
        """Carry out chance and forced moves, whose rewards `step` credits to the preceding action."""
        while self._next is not None:
            is_chance = self.engine.seat_to_act[0] == CHANCE
            if not is_chance and (self._forced or self.engine.action_mask[0].sum() > 1):
                return
            self._move()
        if not (self.engine.terminated[0] or self.engine.truncated[0]):
            raise OptionError(
                "A log ends before its game is over. A dataset holds finished games only; leave this log out."
            )


def write_recorded(
    folder: str | Path,
    games: Iterable[RecordedGame],
    encoder: str = "flat",
    dtype: str = "uint8",
    forced: bool = False,
    shard: int = 256,
) -> list[Dataset]:
    """Write finished games as datasets, one per combination of scenario, number of players, rule numbers and board.

    Args:
        folder: the parent folder; each dataset gets its own folder in it, such as `base-4`.
        games: the games.
        encoder, dtype, forced, shard: see `DatasetPlan`.

    Raises:
        OptionError: an option is invalid, or a folder already holds a dataset.
        CatanError: a log is corrupt, is unfinished, or was recorded with a different version of its scenario.
    """
    groups: dict[str, list[RecordedGame]] = defaultdict(list)
    for game in games:
        key = [game.log.get(name) for name in ("scenario", "num_players", "rules", "board")]
        groups[json.dumps(key, sort_keys=True)].append(game)
    datasets: list[Dataset] = []
    for group in groups.values():
        log = group[0].log
        name = f"{short_name(log['scenario'])}-{log['num_players']}"
        number = sum(other.folder.name.startswith(name) for other in datasets)
        path = Path(folder) / (f"{name}-{number + 1}" if number else name)
        settings = {"encoder": encoder, "dtype": dtype, "forced": forced, "shard": shard}
        datasets.append(_write(path, group, settings))
    return datasets


def _write(folder: Path, games: list[RecordedGame], settings: dict[str, Any]) -> Dataset:
    """Write the games with one combination of scenario, number of players, rule numbers and board."""
    log, players = games[0].log, list(dict.fromkeys(_key(entrant) for game in games for entrant in game.players))
    if len(players) > MOST_PLAYERS:
        raise OptionError(f"{folder}: {len(players)} different players; a dataset holds up to {MOST_PLAYERS}.")
    by_key = {_key(entrant): entrant for game in games for entrant in game.players}
    plan = DatasetPlan(
        tuple(by_key[key] for key in players),
        scenario=log["scenario"],
        players=log["num_players"],
        rules=log["rules"],
        board=log["board"],
        games=len(games),
        recorded=True,
        **settings,
    )
    dataset = Dataset.begin(folder, plan)
    if dataset.shards:
        raise OptionError(f"{folder} holds a dataset already. Give another folder.")
    with dataset.writing() as write:
        for shard in range(plan.shards):
            tables = [_tables(number, games[number], players, plan) for number in plan.games_of(shard)]
            decisions, about_games = (pl.concat(parts) for parts in zip(*tables, strict=True))
            write(shard, bytes_of(decisions, LEVEL), bytes_of(about_games, LEVEL), decisions.height)
    return dataset


def _tables(number: int, game: RecordedGame, players: list[str], plan: DatasetPlan) -> tuple[pl.DataFrame, ...]:
    """Return a game's decisions table and games table."""
    replayed: Any = ReplayedGame(game.log, plan.forced)
    owner = np.array([[players.index(_key(entrant)) for entrant in game.players]])
    decisions, length = record(replayed, [replayed] * len(players), owner, plan.encoder, plan.dtype)
    tables = decisions, games_table(replayed.engine, length)
    return tuple(table.with_columns(pl.lit(number, pl.UInt32).alias("game")) for table in tables)


def _key(entrant: Entrant) -> str:
    return json.dumps(entrant.to_dict(), sort_keys=True)
