"""Rewards from the rules and from user-defined functions of the batch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.errors import OptionError
from catan_env.outside import load_object

REWARDS = ("win_loss", "zero_sum")


def check_reward(reward: Any) -> None:
    """Raise OptionError unless `reward` is a name in `REWARDS`, "module:function", or a callable."""
    if (
        isinstance(reward, str)
        and reward not in REWARDS
        and ":" not in reward
        or not isinstance(reward, str)
        and not callable(reward)
    ):
        raise OptionError(
            f"reward is {reward!r}; allowed: {', '.join(map(repr, REWARDS))}, 'module:function', or a function "
            "reward(engine) that returns (N, players) rewards."
        )


class CustomReward:
    """A custom reward: a user-defined function of the batch, called after every step.

    `reward(engine)` returns the rewards of the step, shape (N, players). When it is called, `engine.rewards` holds the
    rewards from the rules. A reward with memory also has `reset(engine, games)`, called with the indices of games that
    are starting. Each engine copies the reward, so engines do not share its memory. A reward may depend on hidden
    cards, because observations do not contain the reward.

    Args:
        engine: the engine whose steps are rewarded.
        reward: the function, or "module:function".

    Raises:
        OptionError: the module has no such function.
    """

    def __init__(self, engine: Any, reward: Callable[[Any], Any] | str):
        function = load_object(reward, OptionError) if isinstance(reward, str) else reward
        if not callable(function):
            raise OptionError(f"reward is {reward!r}, which is {function!r}; it must be a function of the engine.")
        self.engine, self.name = engine, reward
        self.function = copy.deepcopy(function)

    def reset(self, games: np.ndarray) -> None:
        """Tell the reward that these games have started."""
        if games.size and hasattr(self.function, "reset"):
            self.function.reset(self.engine, games)

    def reward(self, games: np.ndarray) -> None:
        """Replace the rewards of these games after a step has changed them.

        Raises:
            OptionError: the function returned anything other than finite numbers of shape (N, players). The step has
                already been taken.
        """
        rewards, shape = np.asarray(self.function(self.engine)), self.engine.rewards.shape
        if rewards.shape != shape or rewards.dtype.kind not in "fiub" or not np.isfinite(rewards[games]).all():
            raise OptionError(
                f"The reward {self.name!r} returned shape {rewards.shape}, dtype {rewards.dtype}; it must return "
                f"finite numbers of shape {shape}, one per game and seat."
            )
        self.engine.batch.rewards[games] = rewards[games]


class Change:
    """A reward equal to the change in a function of the batch since the last step, plus the reward from the rules.

    `Change(lambda engine: 0.1 * engine.victory_points)` rewards each point when a seat gains it.

    Args:
        function: `function(engine)` returns (N, players) numbers.
    """

    def __init__(self, function: Callable[[Any], np.ndarray]):
        self.function = function
        self._before: np.ndarray = np.zeros(0)

    def reset(self, engine: Any, games: np.ndarray) -> None:
        """Start measuring changes in these games."""
        now = np.array(self.function(engine), np.float64)
        if self._before.shape != now.shape:
            self._before = now
        self._before[games] = now[games]

    def __call__(self, engine: Any) -> np.ndarray:
        """Return the change since the last call plus the reward from the rules, float64 of shape (N, players)."""
        now = np.array(self.function(engine), np.float64)
        change, self._before = now - self._before, now
        return engine.rewards + change
