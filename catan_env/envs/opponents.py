"""Look up opponents by name: entry points, bundled networks, and opponents registered at run time.

An opponent is an object with `act(engine, games) -> (len(games),) action ids`, where `games` are the indices of the
games to act in. An opponent that draws random numbers also has a `reset(seed)` method.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from catan_env.errors import OptionError, UnknownAgentError

AGENTS = "catan_env.agents"
"""Entry points for agents that play every scenario or solve one."""
PRETRAINED_NAMES = "catan_env.pretrained_names"
"""Entry points for functions that list trained agents, which play the games that they were trained on."""
MAKERS = "catan_env.make_agent"
"""Entry points for functions that create agents from a trained agent's name, "module:Class", or a folder or file."""
MARKS = (":", "/", "\\", ".zip", ".onnx")
"""Texts in the name of a class, folder or file."""

_factories: dict[str, Callable[[], Any]] = {}


def register_opponent(name: str, factory: Callable[[], Any]) -> None:
    """Register `factory()` as the opponent with this name, which takes precedence over entry points.

    Raises:
        OptionError: the name is not a string, or the factory is not callable.
    """
    if not isinstance(name, str) or not name:
        raise OptionError(f"An opponent's name must be a non-empty string; given: {name!r}.")
    if not callable(factory):
        raise OptionError(f"The factory of opponent {name!r} must be callable without arguments; given: {factory!r}.")
    _factories[name] = factory


def opponent_names() -> list[str]:
    """Return the names of all opponents in alphabetical order."""
    return sorted({*_factories, *(point.name for point in entry_points(group=AGENTS)), *_pretrained_names()})


def _pretrained_names() -> list[str]:
    return [name for point in entry_points(group=PRETRAINED_NAMES) for name in point.load()()]


def make_opponent(name: str) -> Any:
    """Create an opponent from a name, from "module:Class", or from a folder or file as in `catan_agents.make_agent`.

    Raises:
        UnknownAgentError: no opponent has this name; the message lists all names.
        CatanError: see `catan_agents.make_agent`.
    """
    if name in _factories:
        return _checked(_factories[name](), f"Opponent {name!r}")
    for point in entry_points(group=AGENTS, name=name):
        return _checked(point.load()(), f"Opponent {name!r}")
    if any(mark in name for mark in MARKS) or Path(name).exists() or name in _pretrained_names():
        for point in entry_points(group=MAKERS):
            return _checked(point.load()(name), f"Opponent {name!r}")
    names = opponent_names()
    closest_names = difflib.get_close_matches(name, names, n=1)
    hint = f" Did you mean {closest_names[0]!r}?" if closest_names else ""
    raise UnknownAgentError(
        f"Unknown opponent {name!r}.{hint} Available: {', '.join(names) or 'none'}. "
        "Or give module:Class, a folder or a file, pass an object with act(engine, games), or register one with "
        "register_opponent."
    )


def make_opponents(opponents: Any, num_others: int) -> tuple[list[Any], list[bool]]:
    """Return the agents that fill the seats to the learner's left, in order.

    Args:
        opponents: a name, an object that acts, or a list of these.
        num_others: number of seats to fill.

    Returns:
        the agents, and for each whether it was created here from a name.

    Raises:
        UnknownAgentError, OptionError: an argument is invalid; the message lists valid values.
    """
    opponent_list = (
        list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
    )
    if not 1 <= len(opponent_list) <= num_others:
        raise OptionError(
            f"opponents has {len(opponent_list)} entries; give one opponent, or a list of 1 to {num_others}."
        )
    new_flags = [isinstance(opponent, str) for opponent in opponent_list]
    return [
        make_opponent(opponent) if is_new else _checked(opponent, "An opponent")
        for opponent, is_new in zip(opponent_list, new_flags, strict=True)
    ], new_flags


def _checked(agent: Any, what: str) -> Any:
    if isinstance(agent, type) or not callable(getattr(agent, "act", None)):
        raise OptionError(
            f"{what} must be an object with act(engine, games), or one of the names {', '.join(opponent_names())}; "
            f"given: {agent!r}."
        )
    return agent
