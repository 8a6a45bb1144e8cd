"""The options of all environments: every name has one meaning, and every kind of environment has one signature.

`catan_env.spec` lists and prints the options. `documented` sets the signature and documentation of an environment.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from catan_env.engine.binding import did_you_mean
from catan_env.errors import OptionError

Made = TypeVar("Made", bound=Callable[..., Any])

MEANINGS = {
    "scenario": (
        'registered name, "module:name", path of a scenario file, or `Scenario`; optional rules follow after plus signs'
    ),
    "num_envs": "number of games, N",
    "num_players": "number of seats; None for the maximum of the scenario",
    "opponents": (
        'agents on the other seats: a name, "module:Class", the path of a folder or file, an object with act(engine, '
        "games), or a list of these, assigned in turn to the seats to the learner's left; `set_opponents` changes them"
    ),
    "seat": 'the learner\'s seat: an index, "random" for a new one each episode, or "rotate" for 0, 1, ... in turn',
    "encoder": (
        'encoder of observations: "flat", "graph", "planes", another that is registered, or a function of a '
        '`SeatView`, or its "module:function"'
    ),
    "dtype": 'dtype of observations: "float32" or "uint8"',
    "observation": '"array" for the output of the encoder; "dict" for {"observation", "action_mask"}',
    "render_mode": '"human", "rgb_array", "ansi" or None',
    "rules": "rule numbers to override, a mapping by name",
    "board": "layout to play on: a name, a file, or hexes by coordinates; None for the board of the scenario",
    "reward": (
        '"win_loss" (+1 for the winner, -1 for all others), "zero_sum" (the losers share the -1), or a function '
        'reward(engine) that returns (N, players) rewards, or its "module:function"'
    ),
    "shaping": "weight of potential-based shaping by visible victory points; 0 for none",
    "discount": "discount of the shaping, from 0 to 1; use the discount of the learner",
    "illegal": (
        'effect of an illegal action: "substitute" plays a legal one, drawn reproducibly; "raise" refuses it; '
        '"penalise" (one learner) leaves the game unchanged and subtracts `illegal_penalty`'
    ),
    "illegal_penalty": 'penalty of an illegal action with illegal="penalise"',
    "forced_moves": '"ask" stops at every decision; "play" only at decisions with several legal actions',
    "max_cycles": "cycles after which the game is truncated; None for the turn limit of the rules",
    "max_episode_steps": "learner's actions after which an episode is truncated; None for the turn limit of the rules",
    "record": "whether to keep a replay log of every game",
    "threads": "number of threads that share the batch",
    "compiled": 'True waits for the compiler; "auto" starts in plain Python while rules compile; False never compiles',
    "noop": "whether agents that do not act have one more action, the last id, that does nothing",
    "autoreset_mode": '"NextStep", "SameStep" or "Disabled", or `gymnasium.vector.AutoresetMode`',
    "monitor": "whether infos report finished episodes",
    "buf": "buffers of PufferLib to write to; None for buffers of the environment",
    "seed": "seed of the first reset; None for a random one",
    "with_state": "whether tensordicts hold the whole state of each game, for a centralized critic",
}
"""The meaning of every environment option."""
OTHER_NAMES = {
    "num_games": "num_envs",
    "n_envs": "num_envs",
    "players": "num_players",
    "opponent": "opponents",
    "agents": "opponents",
    "max_steps": "max_episode_steps",
    "max_cycles": "max_episode_steps",
    "max_episode_steps": "max_cycles",
}
"""Other names that people try for options, mapped to the intended option."""


@dataclass(frozen=True)
class Option:
    """An option of an environment.

    Attributes:
        name: name of the keyword.
        default: the default value.
        meaning: what the option sets.
    """

    name: str
    default: Any
    meaning: str

    def __str__(self) -> str:
        default = getattr(self.default, "value", self.default)
        return textwrap.fill(f"{self.name} = {default!r}: {self.meaning}.", 110, subsequent_indent="    ")


@dataclass(frozen=True)
class Spec:
    """The options of a kind of environment. `print` shows all of them; `spec["seat"]` returns one.

    Attributes:
        kind: kind of environment, as for `catan_env.make`.
        options: the options in order.
    """

    kind: str
    options: tuple[Option, ...]

    @property
    def names(self) -> list[str]:
        """Names of the options in order."""
        return [option.name for option in self.options]

    def __getitem__(self, name: str) -> Option:
        self.check([name])
        return self.options[self.names.index(name)]

    def __str__(self) -> str:
        return "\n".join([f"Options of catan_env.make(..., kind={self.kind!r}):", *map(str, self.options)])

    def check(self, names: Iterable[str]) -> None:
        """Raise OptionError if a name is unknown; the message suggests a close one."""
        for name in names:
            if name in self.names:
                continue
            meant = OTHER_NAMES.get(name)
            hint = f" Did you mean {meant!r}?" if meant in self.names else did_you_mean(name, self.names)
            others = [kind for kind, other in SPECS.items() if name in other.names]
            elsewhere = f" Environments of the kind {' and '.join(map(repr, others))} have it." if others else ""
            raise OptionError(
                f"Environments of the kind {self.kind!r} have no option {name!r}.{hint}{elsewhere} They have: "
                f"{', '.join(self.names)}. print(catan_env.spec({self.kind!r})) explains them."
            )


def check_reset_options(options: Mapping[str, Any] | None, *allowed: str) -> None:
    """Raise OptionError if the options passed to `reset` contain a name that is not allowed."""
    for name in options or {}:
        if name not in allowed:
            raise OptionError(
                f"reset has no option {name!r}; allowed: {', '.join(map(repr, allowed)) or 'none'}. Give options when "
                "you make the environment."
            )


SPECS: dict[str, Spec] = {}
"""Specs of the kinds of environment imported so far."""


def documented(
    kind: str, *sources: Callable[..., Any], without: Iterable[str] = (), **defaults: Any
) -> Callable[[Made], Made]:
    """Return a decorator that sets an environment's signature, registers its spec and documents its options.

    Args:
        kind: kind of environment.
        sources: functions and classes whose parameters are options in addition to the environment's own.
        without: names of parameters that are not options.
        defaults: defaults that override the parameters' own.
    """

    def decorate(made: Made) -> Made:
        parameters = _parameters_of([made, *sources], set(without), defaults)
        SPECS[kind] = Spec(kind, tuple(Option(name, each.default, MEANINGS[name]) for name, each in parameters.items()))
        made.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]
        lines = [textwrap.indent(str(option), "    ") for option in SPECS[kind].options]
        made.__doc__ = "\n".join([inspect.getdoc(made) or "", "", "Options:", *lines])
        return made

    return decorate


def _parameters_of(
    sources: Sequence[Callable[..., Any]], without: set[str], defaults: Mapping[str, Any]
) -> dict[str, inspect.Parameter]:
    """Merge the parameters of several functions into one signature. The first source of each option wins."""
    parameters: dict[str, inspect.Parameter] = {}
    for source in sources:
        # Use the constructor, since some libraries' metaclasses have uninformative signatures.
        function = source.__init__ if isinstance(source, type) else source  # type: ignore[misc]
        for name, parameter in inspect.signature(function).parameters.items():
            if name == "self" or parameter.kind is parameter.VAR_KEYWORD or name in without or name in parameters:
                continue
            default = defaults.get(name, parameter.default)
            kind = parameter.kind if source is sources[0] else parameter.KEYWORD_ONLY
            parameters[name] = parameter.replace(default=default, kind=kind)
    return dict(sorted(parameters.items(), key=lambda entry: entry[1].kind))
