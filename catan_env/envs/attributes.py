"""Environment options as attributes: some can be changed, while assigning to the others raises an error."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Space

from catan_env.engine.binding import did_you_mean
from catan_env.envs.state import WholeState
from catan_env.errors import OptionError


class PartAttribute:
    """An environment attribute that delegates to an attribute of one of the environment's parts.

    Args:
        part: name of the attribute that refers to the part, such as "engine".
    """

    def __init__(self, part: str):
        self.part = part

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, env: Any, owner: type | None = None) -> Any:
        return self if env is None else getattr(getattr(env, self.part), self.name)

    def __set__(self, env: Any, value: Any) -> None:
        setattr(getattr(env, self.part), self.name, value)


class EngineAttributes:
    """Engine options exposed on the environment as fixed attributes."""

    scenario, num_players, rules, board = (
        PartAttribute("engine"),
        PartAttribute("engine"),
        PartAttribute("engine"),
        PartAttribute("engine"),
    )
    reward, shaping, discount = PartAttribute("engine"), PartAttribute("engine"), PartAttribute("engine")
    forced_moves, compiled = PartAttribute("engine"), PartAttribute("engine")


class LearnerAttributes(EngineAttributes):
    """Options of environments with one learner per game.

    `opponents`, `seat`, `illegal`, `illegal_penalty` and `max_episode_steps` may be changed at any time, by assignment
    or with `set_attr`. All other options are fixed.
    """

    games: Any
    changeable: tuple[str, ...] = ("opponents", "seat", "illegal", "illegal_penalty", "max_episode_steps")
    """Names of the attributes that `set_attr` accepts."""
    opponents, seat, illegal = PartAttribute("games"), PartAttribute("games"), PartAttribute("games")
    illegal_penalty, max_episode_steps = PartAttribute("games"), PartAttribute("games")
    encoder, dtype, observation = PartAttribute("games"), PartAttribute("games"), PartAttribute("games")
    record, threads = PartAttribute("engine"), PartAttribute("engine")

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents immediately, including in games already in progress.

        Args:
            opponents: a name, "module:Class", the path of a folder or file, an object with `act(engine, games)`, or a
                list of these, which are assigned in turn to the seats to the learner's left.

        Raises:
            UnknownAgentError, OptionError: an opponent is invalid; the opponents are left unchanged.
        """
        self.games.set_opponents(opponents)

    @property
    def whole_state(self) -> WholeState:
        """Description of `state()`: the `names` of the entries and the `space` of one game."""
        return self.games.whole_state

    @property
    def state_space(self) -> Space:
        """The space of the state of one game."""
        return self.whole_state.space

    def state(self) -> np.ndarray:
        """Return the complete game states as a fresh (N, size) float32 array in [0, 1]; (size,) for one game.

        States include hidden cards but not future dice. They are meant for training, for example for a centralized
        critic; no player sees them. See `WholeState`.
        """
        return self.whole_state.read()

    def _change(self, name: str, value: Any) -> None:
        """Set an attribute, or raise OptionError if setting it would have no effect."""
        if name not in self.changeable and not isinstance(getattr(type(self), name, None), PartAttribute):
            raise OptionError(
                f"{type(self).__name__} has no option {name!r} that can be set.{did_you_mean(name, self.changeable)} "
                f"These can: {', '.join(self.changeable)}."
            )
        setattr(self, name, value)
