"""The agent `mcts`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from agents.search.agent import Searcher
from agents.search.tree import LONGEST, grow
from agents.search.weights import chances_for
from catan_env.engine.program import as_records
from catan_env.errors import OptionError

NODES_OF_SIMULATION = 64
"""Nodes that memory is kept for; a tree that has no more room keeps its size, and goes on to be played through."""
MOST_NODES = 2**19
BETWEEN_LOOKS = 20
"""Simulations after which the clock is looked at."""


class MCTSAgent(Searcher):
    """Takes the action that most simulations of a tree search took, see `agents.search.tree`.

    Args:
        simulations: for each decision.
        seconds: for each decision instead, on one core; the games then depend on the machine.
        turns: to play greedily after a leaf, before the position is judged; 0 for none. Positions where turns begin
            are what the chances were fitted to.
        explore: how much priors count beside what simulations found.
        sharpness: how much higher the prior of a better action is: exp(value * sharpness).
        seed: of worlds, and of chance in them.
        weights: as those of `ExpectimaxAgent`; priors and the play after a leaf go by them.
        chances: weights by which positions become chances to win, likewise.

    Raises:
        OptionError: one of them is out of range.
    """

    name = "mcts"

    def __init__(
        self, simulations: int = 100, seconds: float | None = None, turns: int = 1, explore: float = 1.0,
        sharpness: float = 2.0, seed: int = 0, weights: Any = None, chances: Any = None,
    ):
        if simulations < 1 or turns < 0 or min(explore, sharpness) <= 0 or (seconds is not None and seconds <= 0):
            raise OptionError(
                f"simulations is {simulations!r}, turns {turns!r}, explore {explore!r}, sharpness {sharpness!r} and "
                f"seconds {seconds!r}; turns must be 0 or more, simulations 1 or more, and all others above 0."
            )
        super().__init__(1, seed, weights)
        self.simulations, self.seconds, self.turns = int(simulations), seconds, int(turns)
        self.explore, self.sharpness, self.chances = float(explore), float(sharpness), chances
        self._judges: dict[tuple[str, int], np.ndarray] = {}
        nodes = MOST_NODES if seconds else min(MOST_NODES, self.simulations * NODES_OF_SIMULATION + 1024)
        self._links = np.zeros((nodes, 3), np.int64)
        self._counts = np.zeros((nodes, 4), np.float64)
        self._used = np.zeros(1, np.int64)
        self._path, self._movers = np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.int64)

    def _decide(self, engine, games: np.ndarray, weights: np.ndarray, which: np.ndarray) -> np.ndarray:
        space = self._space(engine)
        worlds = engine.imagine(games, seed=self._streams.words(games))
        legal, seats = engine.action_mask[games], engine.seat_to_act[games]
        actions = np.zeros(len(games), np.int64)
        found = np.zeros(engine.num_players)

        key = engine.scenario.name, engine.num_players
        if key not in self._judges:
            self._judges[key] = chances_for(space.terms, *key, self.chances)
        judge = self._judges[key]

        def search(simulations: int, fresh: bool, start: int, stop: int) -> None:
            engine._program.kernel(grow)(
                as_records(worlds), engine._tables_in, legal, seats, weights[0],
                space.manners, space.secret, simulations, fresh, judge, self.sharpness, self.explore, self.turns,
                as_records(space.stack), space.masks, space.words, space.odds, space.met, space.pool,
                as_records(space.deals), space.dealing, self._links, self._counts, self._used, self._path, self._movers,
                found, actions, start, stop,
            )

        if self.seconds is None:
            search(self.simulations, True, 0, len(games))
            return actions
        for game in range(len(games)):
            end = time.perf_counter() + self.seconds
            search(BETWEEN_LOOKS, True, game, game + 1)
            while time.perf_counter() < end:
                search(BETWEEN_LOOKS, False, game, game + 1)
        return actions
