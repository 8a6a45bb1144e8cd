"""Settings for a training run. Defaults, checks and options are all derived from each setting's declaration.

`resolve` completes settings for a run.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from catan_agents.bundled import TUNED
from catan_env.engine.program import composition_of
from catan_env.engine.registry import find_scenario, reference_to, short_name
from catan_env.engine.rewards import check_reward
from catan_env.errors import CatanError
from catan_env.text_files import read_toml

BEST = "best"
"""The `teacher` value that selects the scenario's best fast agent."""
CURVE_GAMES, FINAL_GAMES = 200, 2000
"""Default numbers of evaluation games, scaled down proportionally if training takes less than a minute."""


class ConfigError(CatanError, ValueError):
    """Raised if a training setting is unknown, has the wrong type or is out of bounds."""


def setting(
    default: Any, meaning: str, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """Declare a `TrainConfig` field, including its description and bounds."""
    metadata = {"default": default, "meaning": meaning, "low": low, "high": high, "choices": choices}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class TrainConfig:
    """Settings for a training run as given by the user; `resolve` fills in the rest.

    `configs/train_base.toml` lists all defaults.
    """

    name: str = setting("", "name of the run, the first part of its folder's name; empty: name of the scenario")
    seed: int = setting(0, "seed of games, network and agents", 0)
    minutes: float = setting(5.0, "training time in minutes; 0: no limit", 0)
    clock: str = setting(
        "wall",
        "clock for the training time: wall time, or processor time divided by torch_threads for busy machines",
        choices=("wall", "processor"),
    )
    steps: int = setting(0, "number of decisions to learn from; 0: no limit", 0)
    out: str = setting("runs", "folder for run folders")

    scenario: str = setting("base", "scenario to learn")
    num_players: int = setting(0, "number of players; 0: the maximum of the scenario", 0, 8)
    rules: dict = setting(
        {"offers_per_turn": 0}, "rule numbers to override, as KEY=VALUE; the option replaces all overrides"
    )
    num_games: int = setting(512, "number of games in the batch", 1)
    encoder: str = setting("flat", "encoder of observations: a name, or MODULE:FUNCTION for a function of a SeatView")
    lookahead_features: bool = setting(
        False, "also show the network the expected effect of each action, as `greedy` computes it"
    )
    start: str = setting("", "trained agent to start from, by name or folder; empty: a new network")
    reward: str = setting("zero_sum", "reward: win_loss or zero_sum, or MODULE:FUNCTION for a function of the batch")
    shaping: float = setting(0.5, "weight of potential-based shaping by visible victory points", 0)

    teacher: str = setting(BEST, f"agent to imitate; {BEST}: the best fast agent of the scenario; empty: no imitation")
    imitation_fraction: float = setting(1.0, "fraction of training time spent imitating the teacher", 0, 1)
    teacher_games: float = setting(0.5, "fraction of games that the teacher plays during imitation", 0, 1)
    teacher_inverse_temperature: float = setting(
        10.0,
        "inverse temperature of the softmax over the teacher's action values, per victory point; for mcts 1 keeps its "
        "probabilities; 0: imitate the chosen action",
        0,
    )
    teacher_rate: float = setting(1.5e-3, "learning rate of imitation at the start", 0)
    teacher_rate_end: float = setting(3e-5, "learning rate of imitation at the end; it falls linearly", 0)
    opponents: tuple[str, ...] = setting(("heuristic",), "agents in the opponent pool")
    pool_share: float = setting(
        0.125, "fraction of games in which opponents from the pool play half of the seats", 0, 1
    )
    pool_size: int = setting(4, "number of recent versions of the learner in the pool", 0)
    pool_updates: int = setting(20, "updates after which the current version joins the pool", 1)

    hidden: tuple[int, ...] = setting(
        (256, 256), "sizes of the hidden layers; graph: the width of each round; planes: channels", 1
    )
    activation: str = setting("relu", "activation of the hidden layers", choices=("relu", "tanh"))
    device: str = setting("auto", "device of the network; auto: a GPU if there is one", choices=("auto", "cpu", "cuda"))
    compiled: bool = setting(True, "compile the network on a GPU with Triton, which takes some seconds at the start")
    precision: str = setting(
        "auto",
        "precision of matrix products; auto: bfloat16 if the device supports it",
        choices=("auto", "float32", "bfloat16"),
    )
    rollout_steps: int = setting(64, "decisions per game between two updates", 2)
    batch_size: int = setting(4096, "samples per gradient step", 2)
    epochs: int = setting(1, "passes over each rollout", 1)
    learning_rate: float = setting(3e-4, "learning rate of PPO at the start", 0)
    learning_rate_end: float = setting(0.0, "learning rate of PPO at the end; it falls linearly", 0)
    discount: float = setting(0.999, "discount factor (gamma) per decision of a seat", 0, 1)
    gae_lambda: float = setting(0.95, "lambda of generalized advantage estimation", 0, 1)
    clip_range: float = setting(0.2, "clip range of the policy ratio", 0)
    entropy_weight: float = setting(0.01, "weight of the entropy bonus at the start", 0)
    entropy_weight_end: float = setting(0.003, "weight of the entropy bonus at the end; it falls linearly", 0)
    value_weight: float = setting(0.5, "weight of the value loss of the seat itself", 0)
    others_weight: float = setting(0.1, "weight of the value loss of the other seats", 0)
    max_grad_norm: float = setting(0.5, "maximum norm of gradients", 0)
    torch_threads: int = setting(2, "threads of PyTorch and of the teacher", 1, 1024)
    env_threads: int = setting(1, "threads of the engine", 1, 1024)

    choice: str = setting(
        "tried",
        "how the trained agent acts: tried tests both at each point of the curve and keeps the better",
        choices=("tried", "likeliest", "sampled"),
    )
    eval_opponents: tuple[str, ...] = setting(
        ("random", "weighted"), "opponents of evaluations; each plays all other seats"
    )
    curve_points: int = setting(8, "points of the learning curve after the first", 0)
    curve_games: int = setting(
        0, "games per point of the learning curve and opponent; 0: 200, fewer if minutes is below 1", 0
    )
    final_games: int = setting(0, "games of the final evaluation per opponent; 0: 2000, fewer if minutes is below 1", 0)
    checkpoint_minutes: float = setting(1.0, "training time between checkpoints, in minutes", 0)

    def __post_init__(self) -> None:
        for item in fields(self):
            object.__setattr__(self, item.name, _checked(item, getattr(self, item.name)))
        check_reward(self.reward)
        if not self.minutes and not self.steps:
            raise ConfigError(
                "Training has no limit: set minutes, steps, or both. The limit that is reached first ends the run."
            )
        if self.num_games * self.rollout_steps < self.batch_size:
            raise ConfigError(
                f"batch_size is {self.batch_size}; it must be at most the size of a rollout, num_games * "
                f"rollout_steps = {self.num_games * self.rollout_steps}."
            )

    def updated(self, values: Mapping[str, Any]) -> TrainConfig:
        """Return a copy of the settings with some values replaced.

        Raises:
            ConfigError: a setting is unknown or has an invalid value.
        """
        setting_names = [item.name for item in fields(self)]
        for name in values:
            if name not in setting_names:
                close = difflib.get_close_matches(str(name), setting_names, n=2)
                hint = (
                    f"Did you mean {' or '.join(map(repr, close))}?"
                    if close
                    else f"Settings: {', '.join(setting_names)}."
                )
                raise ConfigError(f"Unknown training setting {name!r}. {hint}")
        return replace(self, **values)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as a JSON-serializable dictionary."""
        return asdict(self)


def _checked(item: Any, value: Any) -> Any:
    """Convert a value to the setting's type.

    Raises:
        ConfigError: the value has the wrong type or is out of bounds.
    """
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
    """Read settings from a TOML file; missing keys get their default values.

    Raises:
        ConfigError: the file does not exist, is not valid TOML, or contains an invalid setting.
    """
    settings = read_toml(path, "settings file", ConfigError)
    try:
        return TrainConfig().updated(settings)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def resolve(settings: TrainConfig) -> TrainConfig:
    """Return the settings with every value that depends on the scenario or the budget filled in.

    Default rules that the scenario does not have are left out. Resolving the result has no effect.

    Raises:
        CatanError: the scenario, number of players or a rule is invalid.
    """
    scenario = find_scenario(reference_to(settings.scenario))
    players = scenario.check_players(settings.num_players or None)
    numbers, default_rules = composition_of(scenario).numbers, TrainConfig().rules
    rules = {key: value for key, value in settings.rules.items() if key in numbers or default_rules.get(key) != value}
    scenario.values(numbers, players, rules)  # raises for invalid rules
    reference, fraction = reference_to(settings.scenario), min(1.0, settings.minutes or 1.0)
    return replace(
        settings,
        name=settings.name or short_name(reference),
        scenario=reference,
        num_players=players,
        rules=rules,
        teacher=_best_teacher(reference) if settings.teacher == BEST else settings.teacher,
        curve_games=settings.curve_games or max(1, round(CURVE_GAMES * fraction)),
        final_games=settings.final_games or max(1, round(FINAL_GAMES * fraction)),
    )


def _best_teacher(scenario: str) -> str:
    """Return the strongest agent that is fast enough to label every game during imitation."""
    return "greedy" if (TUNED / f"{scenario}.toml").exists() else "heuristic"


def as_command(config: TrainConfig) -> str:
    """Return the `catan train` command line for these settings."""
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
