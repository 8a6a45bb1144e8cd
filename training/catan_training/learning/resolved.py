"""Resolved settings for a training run, with one section for each part of the run.

`TrainConfig` holds the user's settings. `ResolvedConfig` replaces "best" and 0 players with concrete values and drops
default rules that a scenario does not have. Section fields have the same names as the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from catan_agents.bundled import TUNED
from catan_env.engine.program import composition_of
from catan_env.engine.registry import find_scenario, reference_to, short_name
from catan_training.learning.config import BEST, ConfigError, TrainConfig, scenario_and_players

CURVE_GAMES, FINAL_GAMES = 200, 2000
"""Default numbers of evaluation games, scaled down proportionally if training takes less than a minute."""


@dataclass(frozen=True)
class ScenarioConfig:
    """One scenario in a training run.

    Attributes:
        scenario: name of the scenario.
        num_players: number of players.
        rules: overridden rule numbers, all of which exist in the scenario.
        teacher: name of the agent to imitate; empty for no imitation.
    """

    scenario: str
    num_players: int
    rules: Mapping[str, Any]
    teacher: str

    @property
    def title(self) -> str:
        """Display name of the scenario, including the number of players."""
        return f"{short_name(self.scenario)}, {self.num_players} players"


@dataclass(frozen=True)
class RolloutConfig:
    """Rollout settings, shared by all scenarios."""

    num_games: int
    rollout_steps: int
    encoder: str
    lookahead_features: bool
    reward: str
    shaping: float
    discount: float
    gae_lambda: float
    auxiliary_targets: tuple[str, ...]
    teacher_games: float
    teacher_inverse_temperature: float
    pool_share: float
    device: str
    torch_threads: int
    env_threads: int


@dataclass(frozen=True)
class PoolConfig:
    """Opponent pool settings. `opponents` is empty if no games are played against the pool."""

    opponents: tuple[str, ...]
    pool_size: int
    pool_updates: int


@dataclass(frozen=True)
class NetworkConfig:
    """Network settings: architecture, initial weights, device and precision."""

    start: str
    hidden: tuple[int, ...]
    activation: str
    auxiliary_targets: tuple[str, ...]
    device: str
    compiled: bool
    precision: str


@dataclass(frozen=True)
class UpdateConfig:
    """Settings for gradient updates. `imitation_fraction` is 0 without a teacher."""

    batch_size: int
    epochs: int
    max_grad_norm: float
    imitation_fraction: float
    teacher_inverse_temperature: float
    teacher_rate: float
    teacher_rate_end: float
    learning_rate: float
    learning_rate_end: float
    clip_range: float
    entropy_weight: float
    entropy_weight_end: float
    value_weight: float
    others_weight: float
    auxiliary_targets: tuple[str, ...]
    auxiliary_weight: float


@dataclass(frozen=True)
class BudgetConfig:
    """Settings for the training budget and the checkpoint interval."""

    minutes: float
    steps: int
    clock: str
    torch_threads: int
    checkpoint_minutes: float


@dataclass(frozen=True)
class EvaluationConfig:
    """Settings for evaluations and for how the agent selects actions."""

    choice: str
    eval_opponents: tuple[str, ...]
    curve_points: int
    curve_games: int
    final_games: int


@dataclass(frozen=True)
class ResolvedConfig:
    """All settings for a training run on one or more scenarios, created by `resolve`.

    Attributes:
        settings: the resolved settings as a `TrainConfig`; resolving them again has no effect.
        scenarios: the scenarios to train on.
        rollout, pool, network, update, budget, evaluation: settings for the individual parts of the run.
    """

    settings: TrainConfig
    scenarios: tuple[ScenarioConfig, ...]
    rollout: RolloutConfig
    pool: PoolConfig
    network: NetworkConfig
    update: UpdateConfig
    budget: BudgetConfig
    evaluation: EvaluationConfig

    @property
    def seed(self) -> int:
        """Seed for games, the network and agents."""
        return self.settings.seed


def resolve(settings: TrainConfig) -> ResolvedConfig:
    """Resolve the settings for a training run.

    Raises:
        CatanError: a scenario, number of players or rule is invalid, or a scenario is listed twice.
    """
    named_scenarios = [
        (reference_to(settings.scenario), settings.num_players or None),
        *map(scenario_and_players, settings.also),
    ]
    scenarios = tuple(_scenario(settings, scenario, players) for scenario, players in named_scenarios)
    games = [(game.scenario, game.num_players) for game in scenarios]
    for scenario, players in games:
        if games.count((scenario, players)) > 1:
            raise ConfigError(f"{scenario!r} with {players} players is listed twice; name it once.")
    settings = _written_out(settings, scenarios)
    return ResolvedConfig(
        settings,
        scenarios,
        _section(RolloutConfig, settings),
        _section(PoolConfig, settings, **({} if settings.pool_share else {"opponents": ()})),
        _section(NetworkConfig, settings),
        _section(UpdateConfig, settings, **({} if settings.teacher else {"imitation_fraction": 0.0})),
        _section(BudgetConfig, settings),
        _section(EvaluationConfig, settings),
    )


def _scenario(settings: TrainConfig, name: str, players: int | None) -> ScenarioConfig:
    """Resolve one scenario, dropping default rules that it does not have."""
    scenario = find_scenario(name)
    players = scenario.check_players(players)
    composition_numbers, default_rules = composition_of(scenario).numbers, TrainConfig().rules
    rules = {
        key: value
        for key, value in settings.rules.items()
        if key in composition_numbers or default_rules.get(key) != value
    }
    scenario.values(composition_numbers, players, rules)  # raises for invalid rules
    return ScenarioConfig(name, players, rules, settings.teacher if settings.teacher != BEST else _best_teacher(name))


def _best_teacher(scenario: str) -> str:
    """Return the strongest agent that is fast enough to label every game during imitation."""
    return "greedy" if (TUNED / f"{scenario}.toml").exists() else "heuristic"


def _written_out(settings: TrainConfig, scenarios: tuple[ScenarioConfig, ...]) -> TrainConfig:
    """Fill in settings that depend on scenario or budget. For several scenarios, leave `teacher` and `rules` as is."""
    first, *other_scenarios = scenarios
    name = settings.name or "-".join(short_name(game.scenario) for game in scenarios)
    resolved_values: dict[str, Any] = {"name": name, "scenario": first.scenario, "num_players": first.num_players}
    fraction = min(1.0, settings.minutes or 1.0)
    resolved_values["curve_games"] = settings.curve_games or max(1, round(CURVE_GAMES * fraction))
    resolved_values["final_games"] = settings.final_games or max(1, round(FINAL_GAMES * fraction))
    if other_scenarios:
        resolved_values["also"] = [f"{game.scenario}:{game.num_players}" for game in other_scenarios]
    else:
        resolved_values |= {"teacher": first.teacher, "rules": dict(first.rules)}
    return settings.updated(resolved_values)


def _section(kind: type, settings: TrainConfig, **others: Any) -> Any:
    """Create a section from the settings with the same names as its fields; `others` take precedence."""
    return kind(**{item.name: getattr(settings, item.name) for item in fields(kind)} | others)
