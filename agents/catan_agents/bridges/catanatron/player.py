"""Our agents as players in catanatron games."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from catan_agents.bridges.catanatron import library
from catan_agents.bridges.catanatron.translation import CatanatronPlaces, position_of, rules_of, sequences
from catan_agents.bridges.mirror import Mirror
from catan_agents.protocol import Agent
from catan_agents.registry import make_agent
from catan_env import find_scenario

library.load()
from catanatron.models.player import Color, Player  # noqa: E402 (from the checkout chosen by `load`)

TRADES = ("ACCEPT_TRADE", "REJECT_TRADE", "CONFIRM_TRADE", "CANCEL_TRADE")
REFUSALS = ("REJECT_TRADE", "CANCEL_TRADE")


class CatanEnvPlayer(Player):
    """A catanatron player that delegates to one of our agents.

    For each decision, the agent gets a game in our engine: its own seat holds its real cards, and all hidden cards
    are sampled. The player refuses offers, since the rules used here do not include them.

    Args:
        agent: an agent, its name, or the folder of a checkpoint.
        color: the player's color; red by default.
        seed: seed for the agent and for sampling cards.

    When catanatron itself creates players, it passes a color followed by strings. This also works:
    `register_cli_player("CE", CatanEnvPlayer)`, then `--players=CE:base-value,F`.

    Attributes:
        differences: number of differences between the engines, keyed by kind.
    """

    def __init__(self, agent: Any = "greedy", color: Any = None, seed: int = 0):
        if isinstance(agent, Color):
            agent, color = color or "greedy", agent
        super().__init__(color or Color.RED)
        self.agent: Agent = make_agent(agent) if isinstance(agent, (str, Path)) else agent
        self.seed = int(seed)
        self.differences: Counter[str] = Counter()
        self._game_id: Any = None
        self._mirror: Mirror | None = None
        self._places: CatanatronPlaces | None = None

    def reset_state(self) -> None:
        """Forget the current game. All games start with the same seed."""
        self._game_id = None

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """Return the catanatron action that the agent chooses."""
        actions = list(playable_actions)
        if len(actions) == 1:
            return actions[0]
        if actions[0].action_type.name in TRADES:
            self.differences["an offer was refused, since the rules here play without offers"] += 1
            return next(action for action in actions if action.action_type.name in REFUSALS)
        mirror, places = self._follow(game)
        seat = game.state.color_to_index[self.color]
        mirror.set_up(position_of(game, places, seat), seat)
        table = mirror.engine.actions
        options = {}
        for action in actions:
            for moves in sequences(action, seat, places, game.state):
                options[tuple(table.id(kind, argument) for _, kind, argument in moves)] = action
        return mirror.choose(self.agent, options)

    def _follow(self, game: Any) -> tuple[Mirror, CatanatronPlaces]:
        """Return the mirror of a game, which is created at the first decision."""
        if self._game_id != game.id or self._mirror is None or self._places is None:
            self._game_id = game.id
            scenario = find_scenario("base")
            self._places = CatanatronPlaces(game.state.board.map, scenario.board.topology)
            players = len(game.state.colors)
            self._mirror = Mirror("base", players, rules_of(game), self._places.layout, seed=self.seed)
            self._mirror.differences = self.differences
            self.agent.reset(self.seed)
        return self._mirror, self._places

    def __repr__(self) -> str:
        return f"{type(self).__name__}:{self.color.value}({self.agent.name})"
