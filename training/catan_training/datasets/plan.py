"""Dataset settings. The same settings produce identical files, regardless of worker count and interruptions."""

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
"""Encoders that produce a single array per observation, which fits in a table row."""


@dataclass(frozen=True)
class DatasetPlan:
    """All settings that determine a dataset's rows."""

    agents: tuple[Entrant, ...]
    """One agent for all seats, or one per seat. Several agents rotate through the seats from game to game."""
    scenario: str = "base"
    players: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    games: int = 1000
    shard: int = 256
    """Games per file. A worker keeps the decisions of one file in memory."""
    seed: int = 0
    encoder: str = "flat"
    dtype: str = "uint8"
    """"uint8" for raw integer observations, "float32" for values in [0, 1]."""
    reward: str = "win_loss"
    forced: bool = False
    """Whether to include rows for decisions with only one legal action."""
    board: Any = None
    """Name or contents of the board; None for the scenario's own board."""
    recorded: bool = False
    """Whether the games were played elsewhere. If so, `agents` lists all players; the games table has the seeds."""

    @classmethod
    def read(cls, given: Mapping[str, Any], name: str) -> DatasetPlan:
        """Create a plan from `to_dict` output; `name` identifies its source in messages.

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
        """Return a JSON-serializable mapping that `read` accepts."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return json.loads(json.dumps(values | {"agents": [agent.to_dict() for agent in self.agents]}))

    @property
    def shards(self) -> int:
        """Number of decision files."""
        return -(-self.games // self.shard)

    def games_of(self, shard: int) -> range:
        """Return the numbers of the games in a shard."""
        return range(shard * self.shard, min((shard + 1) * self.shard, self.games))

    def engine(self, games: range, record: bool = True) -> BatchEngine:
        """Return an engine that holds the given games, each before its first decision.

        Args:
            games: numbers of the games within the dataset.
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
