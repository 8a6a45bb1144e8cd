"""Opponents by name: the entry points of `GROUPS`, and those registered at run time.

An opponent is any object with `act(engine, games) -> (len(games),) action ids`, where `games` holds the indices of
the games in which it is to act, and, if it draws random numbers, `reset(seed)`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

from catan_env.errors import OptionError, UnknownAgentError

GROUPS = ("catan_env.agents", "catan_env.pretrained")
"""Agents for every scenario, and trained ones for the games they were trained on."""

_factories: dict[str, Callable[[], Any]] = {}


def register_opponent(name: str, factory: Callable[[], Any]) -> None:
    """Makes `factory()` the opponent of this name, before any entry point of the same name.

    Raises:
        OptionError: the name is no string, or the factory cannot be called.
    """
    if not isinstance(name, str) or not name:
        raise OptionError(f"An opponent's name must be a non-empty string; given: {name!r}.")
    if not callable(factory):
        raise OptionError(f"The factory of opponent {name!r} must be callable without arguments; given: {factory!r}.")
    _factories[name] = factory


def opponent_names() -> list[str]:
    """Every name that can be given as an opponent, in alphabetical order."""
    return sorted({*_factories, *(point.name for group in GROUPS for point in entry_points(group=group))})


def make_opponent(name: str) -> Any:
    """A new opponent of this name.

    Raises:
        UnknownAgentError: there is none; the message lists those there are.
    """
    if name in _factories:
        return _checked(_factories[name](), f"Opponent {name!r}")
    matching_points = [point for group in GROUPS for point in entry_points(group=group, name=name)]
    if not matching_points:
        names = opponent_names()
        closest_names = difflib.get_close_matches(name, names, n=1)
        hint = f" Did you mean {closest_names[0]!r}?" if closest_names else ""
        raise UnknownAgentError(
            f"Unknown opponent {name!r}.{hint} There are: {', '.join(names) or 'none installed'}. "
            "Or pass an object with act(engine, games), or register one with register_opponent."
        )
    return _checked(matching_points[0].load()(), f"Opponent {name!r}")


def make_opponents(opponents: Any, num_others: int) -> tuple[list[Any], list[bool]]:
    """The agents that play the seats to the learner's left, in this order and over again.

    Args:
        opponents: a name, an object that acts, or a list of these.
        num_others: how many seats there are for them.

    Returns:
        the agents, and for each whether it was made here, of a name.

    Raises:
        UnknownAgentError, OptionError: bad arguments, with what is allowed.
    """
    opponent_list = (
        list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
    )
    if not 1 <= len(opponent_list) <= num_others:
        raise OptionError(
            f"opponents lists {len(opponent_list)}; give one for all, or 1 to {num_others} that take turns."
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
