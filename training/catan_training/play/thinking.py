"""How an agent evaluates a decision: the best actions and their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_agents import make_agent
from catan_env.errors import OptionError
from catan_env.render.words import sentence_for
from catan_training.play.chances import chances_of_seats
from catan_training.play.game import PlayedGame
from catan_training.play.seats import agents_for

BEST = 8
"""Number of actions to show."""
GAME = np.zeros(1, np.int64)


class Thinker:
    """Asks agents to evaluate the decisions in a game. An agent sees what the seat to act sees."""

    def __init__(self, game: PlayedGame):
        self._game = game
        self._agents: dict[str, Any] = {}

    def advisers(self) -> list[str]:
        """Return the names of the agents that can evaluate actions in this game, strongest first."""
        engine = self._game.engine
        known = agents_for(engine.scenario.name, engine.num_players)
        return [name for name in known if name.endswith("-value") or name in ("greedy", "expectimax")]

    def think(self, seat: int, name: str) -> dict[str, Any]:
        """Return the best actions for the seat to act.

        Returns:
            `agent`; win probabilities by seat in `chances`; and `actions`, best first: [id, sentence, value or None,
            whether the agent would take it]. The scale of the values depends on the agent; compare them only within
            this decision.

        Raises:
            OptionError: it is not this seat's turn to act, or the agent cannot evaluate actions.
        """
        engine = self._game.engine
        if self._game.seat_to_act != seat:
            raise OptionError("An agent thinks about your own decisions; wait for your turn.")
        if name not in self.advisers():
            raise OptionError(f"Agents that evaluate actions here: {', '.join(self.advisers()) or 'none'}.")
        if name not in self._agents:
            self._agents[name] = make_agent(name)
        agent = self._agents[name]
        chosen, values = (row[0] for row in agent.evaluate_actions(engine, GAME))
        legal = np.flatnonzero(engine.action_mask[0])
        finite = [action for action in legal.tolist() if np.isfinite(values[action]) or action == chosen]
        ordered = sorted(finite, key=lambda action: (-values[action], action != chosen))[:BEST]
        return {
            "agent": name,
            "chances": chances_of_seats(engine, seat, agent.weights),
            "actions": [
                [
                    action,
                    sentence_for(engine, 0, action),
                    float(values[action]) if np.isfinite(values[action]) else None,
                    action == int(chosen),
                ]
                for action in ordered
            ],
        }
