"""Tables where matches are played: other engines' tables and this package's own."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Protocol

import numpy as np

from catan_agents import make_agent
from catan_agents.bridges.games import Result
from catan_agents.protocol import Agent
from catan_env import BatchEngine
from catan_env.engine.replay import annotated
from catan_env.errors import OptionError, UnknownAgentError

FIRST_GAME = np.zeros(1, np.int64)


class OutsideTable(Protocol):
    """A table where matches are played.

    Attributes:
        players: the numbers of players that the table can seat.
    """

    players: range

    def check(self, match: Any) -> None:
        """Check a match's opponent and rule numbers.

        Raises:
            CatanError: the engine has no such player or does not support these rule numbers.
        """

    def sees(self, opponent: str) -> str:
        """Describe what a player can see at this table."""

    def release(self) -> str:
        """Return the version of the engine in use."""

    def play(self, match: Any, agent: Agent, seat: int, seed: int) -> Result:
        """Play one game of a match."""


class Catanatron:
    """catanatron's table."""

    players = range(2, 5)

    def check(self, match: Any) -> None:
        """Check that catanatron has this opponent."""
        from catan_agents.bridges.catanatron.players import kind_of

        kind_of(match.opponent)

    def sees(self, opponent: str) -> str:
        """Describe what a player can see at this table."""
        from catan_agents.bridges.catanatron.players import kind_of

        return kind_of(opponent).sees

    def release(self) -> str:
        """Return the version of catanatron in use, including the commit if it is a checkout."""
        from catan_agents.bridges.catanatron import library

        return library.release()

    def play(self, match: Any, agent: Agent, seat: int, seed: int) -> Result:
        """Play one game of a match."""
        from catan_agents.bridges.catanatron.player import CatanEnvPlayer, Color
        from catan_agents.bridges.catanatron.players import make_player
        from catan_agents.bridges.catanatron.table import play_game

        options: dict[str, Any] = {"vps_to_win": match.points, "discard_limit": match.hand_limit}
        if match.friendly_robber:
            options["friendly_robber"] = True
        players = [
            CatanEnvPlayer(agent, color, seed=seed % 2**62)
            if place == seat
            else make_player(match.opponent, color, **match.opponent_options)
            for place, color in enumerate(list(Color)[: match.players])
        ]
        return play_game(players, seed, options)


class Fastcatan:
    """fastcatan's table, which has four seats, one kind of player and fixed rules."""

    players = range(4, 5)

    def check(self, match: Any) -> None:
        """Check the opponent and the rule numbers."""
        from catan_agents.bridges.fastcatan.player import AlphaBeta

        if match.opponent != AlphaBeta.name:
            raise UnknownAgentError(
                f"fastcatan has no player {match.opponent!r}; write 'fastcatan', or options as in 'fastcatan:depth=2'."
            )
        AlphaBeta.made(match.opponent_options)
        for name, value, fixed in (
            ("points", match.points, 10),
            ("hand_limit", match.hand_limit, 7),
            ("friendly_robber", match.friendly_robber, False),
        ):
            if value != fixed:
                raise OptionError(f"{name} is {value!r}; fastcatan allows only {fixed!r}.")

    def sees(self, opponent: str) -> str:
        """Describe what a player can see at this table."""
        from catan_agents.bridges.fastcatan.player import AlphaBeta

        return AlphaBeta.sees

    def release(self) -> str:
        """Return the version of fastcatan in use."""
        from catan_agents.bridges.fastcatan import library

        return library.release()

    def play(self, match: Any, agent: Agent, seat: int, seed: int) -> Result:
        """Play one game of a match."""
        from catan_agents.bridges.fastcatan.player import AlphaBeta
        from catan_agents.bridges.fastcatan.table import play_game

        return play_game({seat: agent}, AlphaBeta.made(match.opponent_options), seed)


class Here:
    """This package's own table, for agents that play one game at a time, such as language models."""

    players = range(2, 5)

    def check(self, match: Any) -> None:
        """Check that the opponent exists."""
        make_agent(match.opponent, **match.opponent_options)

    def sees(self, opponent: str) -> str:
        """Describe what a player can see at this table."""
        return "what its seat may see"

    def release(self) -> str:
        """Return this package's version."""
        return version("catan-env")

    def play(self, match: Any, agent: Agent, seat: int, seed: int) -> Result:
        """Play one game of a match, without trade offers."""
        rules = {
            "victory_points": match.points,
            "hand_limit": match.hand_limit,
            "friendly_robber": 2 if match.friendly_robber else 0,
            "offers_per_turn": 0,
        }
        engine = BatchEngine("base", 1, match.players, seed=seed, rules=rules, record=True, compiled="auto")
        agents = [
            agent if place == seat else make_agent(match.opponent, **match.opponent_options)
            for place in range(match.players)
        ]
        for place, player in enumerate(agents):
            player.reset((seed + place) % 2**62)
        seconds, decisions = [0.0] * match.players, [0] * match.players
        start = time.perf_counter()
        while (to_act := int(engine.seat_to_act[0])) >= 0:
            asked = time.perf_counter()
            action = agents[to_act].act(engine, FIRST_GAME)
            seconds[to_act] += time.perf_counter() - asked
            decisions[to_act] += int(engine.action_mask[0].sum() > 1)
            engine.step(action)
        return Result(
            seed=seed,
            winner=int(engine.winner[0]),
            points=engine.victory_points[0].tolist(),
            turns=int(engine.state["turn"][0]),
            seconds=time.perf_counter() - start,
            seconds_by_seat=seconds,
            decisions_by_seat=decisions,
            differences={},
            actions=[],
            log=annotated(engine.replay_log(), is_exact=True),
        )


HERE = "catan_env"
TABLES: Mapping[str, OutsideTable] = {"catanatron": Catanatron(), "fastcatan": Fastcatan(), HERE: Here()}
"""Tables, keyed by engine name."""
