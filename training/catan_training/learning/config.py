"""Settings of a training run: one declaration each, from which defaults, checks and command-line options derive."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from catan_env.engine.registry import split_scenario
from catan_env.errors import CatanError
from catan_env.text_files import read_toml

BEST = "best"
"""Of the teachers: the best agent that plays the scenario at good speed."""


class ConfigError(CatanError, ValueError):
    """A training setting is unknown, of the wrong type or out of bounds."""


def scenario_and_players(entry: str) -> tuple[str, int | None]:
    """The scenario of an entry of `also`, and its number of players; None where that is not said.

    Raises:
        ConfigError: what stands behind the colon is no number.
    """
    scenario, players = split_scenario(entry)
    if players and not players.isdecimal():
        raise ConfigError(f"also has {entry!r}; a number of players must stand behind the colon.")
    return scenario, int(players) if players else None


def setting(
    default: Any, meaning: str, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """A field of `TrainConfig` with what it means and what it may be."""
    metadata = {"default": default, "meaning": meaning, "low": low, "high": high, "choices": choices}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class TrainConfig:
    """What a user asks of a training run; `resolve` says what the run does. `configs/train_base.toml` holds the same
    values, with comments."""

    name: str = setting("", "name of the run, first part of its folder's name; none: that of the scenario")
    seed: int = setting(0, "of games, network and agents", 0)
    minutes: float = setting(5.0, "time to train, in minutes; 0: no limit", 0)
    clock: str = setting(
        "wall",
        "what minutes are of: the clock on the wall, or processor time over torch_threads, for busy machines",
        choices=("wall", "processor"),
    )
    steps: int = setting(0, "choices to learn from; 0: no limit", 0)
    out: str = setting("runs", "folder that run folders are made in")

    scenario: str = setting("base", "what is played")
    also: tuple[str, ...] = setting(
        (), "further scenarios that the same network learns, as NAME or NAME:PLAYERS; its encoder must be graph"
    )
    num_players: int = setting(0, "seats of a game; 0: as many as the scenario allows", 0, 8)
    rules: dict = setting({"offers_per_turn": 0}, "numbers of the rules to override, KEY=VALUE; others are left out")
    num_games: int = setting(512, "games played at once, of each scenario", 1)
    encoder: str = setting("flat", "how games are observed")
    lookahead_features: bool = setting(False, "whether the network also sees where each action leads, as `greedy` does")
    start: str = setting("", "trained agent whose network it begins with, by its name or folder; none: a fresh one")
    reward: str = setting("zero_sum", "of winning and losing", choices=("win_loss", "zero_sum"))
    shaping: float = setting(0.5, "weight of potential-based shaping on visible victory points", 0)

    teacher: str = setting(
        BEST, f"agent whose choices are learned first; {BEST}: the best of good speed for the scenario; none: empty"
    )
    imitation_fraction: float = setting(1.0, "part of the training in which they are", 0, 1)
    teacher_games: float = setting(0.5, "part of the games that the teacher plays meanwhile", 0, 1)
    teacher_inverse_temperature: float = setting(
        10.0,
        "logit of an action that is worth a victory point more to a teacher that says so, or that `mcts` finds e times "
        "as likely to be the best, where 1 fits; 0: its choices alone",
        0,
    )
    teacher_rate: float = setting(1.5e-3, "learning rate meanwhile, at the start", 0)
    teacher_rate_end: float = setting(3e-5, "to which it falls linearly", 0)
    opponents: tuple[str, ...] = setting(("heuristic",), "fixed agents of the pool")
    pool_share: float = setting(0.125, "part of the games in which opponents of the pool have half of the seats", 0, 1)
    pool_size: int = setting(4, "earlier selves in the pool, the newest", 0)
    pool_updates: int = setting(20, "updates after which the present self joins the pool", 1)

    hidden: tuple[int, ...] = setting(
        (256, 256), "sizes of the hidden layers; of a graph the width, once for each round; of planes the channels", 1
    )
    activation: str = setting("relu", "of the hidden layers", choices=("relu", "tanh"))
    device: str = setting(
        "auto", "where the network learns; auto: on a GPU where there is one", choices=("auto", "cpu", "cuda")
    )
    compiled: bool = setting(
        True, "whether a GPU gets the network compiled, if Triton is there, which takes some seconds at first"
    )
    precision: str = setting(
        "auto",
        "of the network's products; auto: bfloat16 where the device multiplies it",
        choices=("auto", "float32", "bfloat16"),
    )
    rollout_steps: int = setting(64, "choices in each game between two updates", 2)
    batch_size: int = setting(4096, "samples of one gradient step", 2)
    epochs: int = setting(1, "passes over each rollout", 1)
    learning_rate: float = setting(3e-4, "of PPO, at the start", 0)
    learning_rate_end: float = setting(0.0, "to which it falls linearly", 0)
    discount: float = setting(0.999, "discount factor (gamma) from one choice of a seat to its next", 0, 1)
    gae_lambda: float = setting(0.95, "of generalised advantage estimation", 0, 1)
    clip_range: float = setting(0.2, "of the policy ratio", 0)
    entropy_weight: float = setting(0.01, "of the entropy bonus, at the start", 0)
    entropy_weight_end: float = setting(0.003, "to which it falls linearly", 0)
    value_weight: float = setting(0.5, "of the loss of the own value", 0)
    others_weight: float = setting(0.1, "of the loss of the values of all other seats", 0)
    auxiliary_targets: tuple[str, ...] = setting(
        (),
        "what else is learned of every seat: its points in the end, its choices until then",
        choices=("points", "length"),
    )
    auxiliary_weight: float = setting(0.1, "of the loss of what is foretold of all seats", 0)
    max_grad_norm: float = setting(0.5, "gradients are clipped to this norm", 0)
    torch_threads: int = setting(2, "threads of PyTorch, and of the teacher", 1)
    env_threads: int = setting(1, "threads of the engine", 1)

    choice: str = setting(
        "tried",
        "how the agent chooses: its likeliest action, one sampled, or what wins more at points of the curve",
        choices=("tried", "likeliest", "sampled"),
    )
    eval_opponents: tuple[str, ...] = setting(("random", "weighted"), "each is played on all other seats")
    curve_points: int = setting(8, "points of the learning curve after the first", 0)
    curve_games: int = setting(200, "games for each of them, against each opponent", 1)
    final_games: int = setting(2000, "games of the final evaluation, against each opponent", 1)
    checkpoint_minutes: float = setting(1.0, "time of training between two checkpoints, in minutes", 0)

    def __post_init__(self) -> None:
        for item in fields(self):
            object.__setattr__(self, item.name, _checked(item, getattr(self, item.name)))
        if not self.minutes and not self.steps:
            raise ConfigError("Training needs an end: set minutes, or steps, or both (the first to be reached counts).")
        if self.num_games * self.rollout_steps < self.batch_size:
            raise ConfigError(
                f"batch_size is {self.batch_size}; a rollout holds only num_games * rollout_steps = "
                f"{self.num_games * self.rollout_steps} samples."
            )
        if self.also and self.encoder != "graph":
            raise ConfigError(
                f"One network learns several scenarios from the encoder 'graph' only, which names what they share; "
                f"encoder is {self.encoder!r}."
            )

    def updated(self, values: Mapping[str, Any]) -> TrainConfig:
        """The same settings with some of them replaced.

        Raises:
            ConfigError: a setting is unknown or has a value it may not have.
        """
        setting_names = [item.name for item in fields(self)]
        for name in values:
            if name not in setting_names:
                close = difflib.get_close_matches(str(name), setting_names, n=2)
                hint = (
                    f"Did you mean {' or '.join(map(repr, close))}?"
                    if close
                    else f"There are: {', '.join(setting_names)}."
                )
                raise ConfigError(f"Unknown training setting {name!r}. {hint}")
        return replace(self, **values)

    def to_dict(self) -> dict[str, Any]:
        """The settings as a dictionary that JSON can hold."""
        return asdict(self)


def _checked(item: Any, value: Any) -> Any:
    """The value in the setting's own type."""
    rule, name = item.metadata, item.name
    default = rule["default"]
    if isinstance(default, tuple):
        value = (value,) if isinstance(value, (str, int)) else value
        if not isinstance(value, (list, tuple)) or not value and default:
            raise ConfigError(f"Setting {name!r} is {value!r}; it must be a list ({rule['meaning']}).")
        return tuple(_checked_scalar(name, rule, default[0] if default else "", entry) for entry in value)
    if isinstance(default, dict):
        if not isinstance(value, Mapping):
            raise ConfigError(f"Setting {name!r} is {value!r}; it must be a table ({rule['meaning']}).")
        return dict(value)
    return _checked_scalar(name, rule, default, value)


def _checked_scalar(name: str, rule: Mapping[str, Any], default: Any, value: Any) -> Any:
    kind = type(default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ConfigError(f"Setting {name!r} is {value!r}; it must be of type {kind.__name__} ({rule['meaning']}).")
    if rule["choices"] and value not in rule["choices"]:
        raise ConfigError(f"Setting {name!r} is {value!r}; allowed: {', '.join(rule['choices'])}.")
    low, high = rule["low"], rule["high"]
    if kind in (int, float) and not (
        value >= (low if low is not None else value) and value <= (high if high is not None else value)
    ):
        bounds = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ConfigError(f"Setting {name!r} is {value!r}; it must be {bounds} ({rule['meaning']}).")
    return value


def read_config(path: str | Path) -> TrainConfig:
    """The settings of a TOML file; what it leaves out has its default.

    Raises:
        ConfigError: there is no such file, it is not TOML, or it holds a setting that is not allowed.
    """
    settings = read_toml(path, "file of settings", ConfigError)
    try:
        return TrainConfig().updated(settings)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def as_command(config: TrainConfig) -> str:
    """The command line that trains with these settings."""
    words = ["catan", "train"]
    for item in fields(TrainConfig):
        value, default = getattr(config, item.name), item.metadata["default"]
        option = f"--{item.name.replace('_', '-')}"
        if value == default:
            continue
        if isinstance(value, bool):
            words.append(option if value else option.replace("--", "--no-", 1))
        elif isinstance(value, dict):
            words += [option, *(f"{key}={entry}" for key, entry in value.items())]
        else:
            words += [option, *map(str, value if isinstance(value, tuple) else (value,))]
    return shlex.join(words)
