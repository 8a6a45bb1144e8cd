"""Random play for tests: a chooser that exercises many of the rules, and loops that use it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from catan_env.engine.actions import ActionTable
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import CHANCE


@lru_cache
def kinds_of(actions: ActionTable) -> tuple[np.ndarray, np.ndarray]:
    """Return the kind of each action, (actions,) int64, and the one-hot equivalent, (actions, kinds) float32.

    Kinds are numbered in alphabetical order.
    """
    kinds = np.unique(actions.kind_of, return_inverse=True)[1]
    return kinds, np.eye(kinds.max() + 1, dtype=np.float32)[kinds]


class Chooser:
    """Draws a legal action, or an outcome if chance acts, for every game of an engine; -1 for finished games.

    All kinds of legal actions are equally likely, as are the actions within a kind. Games therefore exercise more of
    the rules and end sooner than with uniform play.

    Args:
        seed: seed for the choices.
        wild: whether to draw possible outcomes uniformly instead of by probability, so that rare ones occur often.

    Attributes:
        rng: random generator for the choices.
        wild: the value passed in.
    """

    def __init__(self, seed: int, wild: bool = False):
        self.rng = np.random.default_rng(seed)
        self.wild = wild

    def __call__(self, engine: BatchEngine) -> np.ndarray:
        """Return ids for `engine.step`, as an (N,) int64 array."""
        actions = self._draw(engine.action_mask / self._crowd(engine))
        waiting = engine.seat_to_act == CHANCE
        if waiting.any():
            likely = engine.chance_mask if self.wild else engine.chance_probabilities
            actions[waiting] = self._draw(likely)[waiting]
        return actions

    def _crowd(self, engine: BatchEngine) -> np.ndarray:
        """Return the number of legal actions that share each action's kind, shape (N, actions)."""
        kinds, of_kind = kinds_of(engine.actions)
        return np.maximum((engine.action_mask.astype(np.float32) @ of_kind)[:, kinds], 1.0)

    def _draw(self, weights: np.ndarray) -> np.ndarray:
        """Return an index drawn by weight from each row, shape (N,); -1 for rows of zeros."""
        sums = np.cumsum(weights, axis=1, dtype=np.float64)
        points = self.rng.random((len(sums), 1)) * sums[:, -1:]
        return np.where(sums[:, -1] > 0, (sums > points).argmax(axis=1), -1)


def play(engine: BatchEngine, steps: int, seed: int = 0, wild: bool = False) -> Iterator[np.ndarray]:
    """Play random moves in all games, yielding the actions, shape (N,), after each step."""
    choose = Chooser(seed, wild)
    engine.idle_watch = None  # games may end before the last step
    for _ in range(steps):
        actions = choose(engine)
        engine.step(actions)
        yield actions


def play_on(engine: BatchEngine, steps: int, seed: int = 0, wild: bool = False) -> BatchEngine:
    """Play random moves in all games and return the engine."""
    for _ in play(engine, steps, seed, wild):
        pass
    return engine
