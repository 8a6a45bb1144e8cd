"""Settings of a dataset. Equal settings give equal files, for any number of workers and interruptions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from catan_env.encoders.flat import DTYPES
from catan_env.engine.arguments import check_count, check_flag, check_option
from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import check_seed, game_seeds
from catan_env.engine.registry import find_scenario
from catan_env.engine.rewards import REWARDS
from catan_env.errors import OptionError
from catan_env.text_files import check_keys
from catan_training.evaluation.fixtures import Entrant

ENCODERS = ("flat", "planes")
"""Encoders with one array per observation, which a row of a table can hold."""


@dataclass(frozen=True)
class DatasetPlan:
    """All settings that determine the rows of a dataset."""

    agents: tuple[Entrant, ...]
    """Agents by seat, or one for all seats. With several, the seats rotate from game to game."""
    scenario: str = "base"
    players: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    games: int = 1000
    shard: int = 256
    """Games per file. A worker holds the decisions of one file in memory."""
    seed: int = 0
    encoder: str = "flat"
    dtype: str = "uint8"
    """ "uint8" for the raw integers of the observation, "float32" for values in [0, 1]."""
    reward: str = "win_loss"
    forced: bool = False
    """Whether decisions with one legal action have rows too."""
    board: Any = None
    """Name or contents of the board; None for that of the scenario."""
    recorded: bool = False
    """Whether the games were played elsewhere. Then `agents` are all players, and the table of games has the seeds."""

    @classmethod
    def read(cls, given: Mapping[str, Any], name: str) -> DatasetPlan:
        """Create a plan from the output of `to_dict`; `name` is its source, for messages.

        Raises:
            CatanError: a setting, agent, scenario or rule is unknown or invalid.
        """
        kinds = {"agents": list, "scenario": str, "players": int, "rules": dict, "games": int, "shard": int}
        texts = {"encoder": str, "dtype": str, "reward": str}
        check_keys(given, name, OptionError, **kinds, seed=int, **texts, forced=bool)
        if unknown := set(given) - {item.name for item in fields(cls)}:
            raise OptionError(f"{name}: a dataset has no setting {min(unknown)!r}.")
        return cls(**{**given, "agents": tuple(map(Entrant.read, given["agents"]))})

    def __post_init__(self) -> None:
        for name in ("games", "shard"):
            check_count(name, getattr(self, name))
        check_seed(self.seed)
        check_flag("forced", self.forced)
        check_flag("recorded", self.recorded)
        for name, allowed in (("encoder", ENCODERS), ("dtype", DTYPES), ("reward", REWARDS)):
            check_option(name, getattr(self, name), allowed)
        seats = find_scenario(self.scenario).check_players(self.players)
        object.__setattr__(self, "players", seats)
        if not self.recorded and len(self.agents) not in (1, seats):
            raise OptionError(f"{len(self.agents)} agents for {seats} seats; give one, or one for each seat.")

    def to_dict(self) -> dict[str, Any]:
        """Return a mapping that `read` accepts and JSON can store."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return json.loads(json.dumps(values | {"agents": [agent.to_dict() for agent in self.agents]}))

    @property
    def shards(self) -> int:
        """Number of files with decisions."""
        return -(-self.games // self.shard)

    def games_of(self, shard: int) -> range:
        """Return the numbers of the games in a shard."""
        return range(shard * self.shard, min((shard + 1) * self.shard, self.games))

    def engine(self, games: range, record: bool = True) -> BatchEngine:
        """Return an engine with these games, before their first decision.

        Args:
            games: numbers of the games in the dataset.
            record: whether the engine keeps replay logs.
        """
        return BatchEngine(
            self.scenario,
            len(games),
            self.players,
            game_seeds(self.seed, games.stop)[games.start :],
            rules=self.rules,
            board=self.board,
            reward=self.reward,
            record=record,
            forced_moves="ask" if self.forced else "play",
        )
