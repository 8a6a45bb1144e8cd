"""The settings of a training run, resolved once: what is played, and what each part of the run needs to know.

`TrainConfig` holds what a user asks for, `ResolvedConfig` what a run does: names stand in place of "best" and "as many
as the scenario allows", and numbers of the rules are those that a scenario has. Each part of a run takes its own small
section, whose fields are named as the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from catan_agents import best_agent
from catan_env.engine.program import composition_of
from catan_env.engine.registry import find_scenario, reference_to, short_name
from catan_training.learning.config import BEST, ConfigError, TrainConfig, scenario_and_players


@dataclass(frozen=True)
class ScenarioConfig:
    """What is played of one scenario.

    Attributes:
        scenario, num_players: which, and by how many.
        rules: numbers to override, all of which the scenario has.
        teacher: name of the agent that is imitated; empty for none.
    """

    scenario: str
    num_players: int
    rules: Mapping[str, Any]
    teacher: str

    @property
    def title(self) -> str:
        """The scenario and its number of players, for people."""
        return f"{short_name(self.scenario)}, {self.num_players} players"


@dataclass(frozen=True)
class RolloutConfig:
    """How games are played and observed between two updates, the same in every scenario."""

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
    """Who is in the pool of opponents; nobody fixed where no games are played against it."""

    opponents: tuple[str, ...]
    pool_size: int
    pool_updates: int


@dataclass(frozen=True)
class NetworkConfig:
    """The network, where it begins, and where and how it is computed."""

    start: str
    hidden: tuple[int, ...]
    activation: str
    auxiliary_targets: tuple[str, ...]
    device: str
    compiled: bool
    precision: str


@dataclass(frozen=True)
class UpdateConfig:
    """How the network learns from rollouts. `imitation_fraction` is 0 where there is no teacher."""

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
    """When a run ends, and how often its state is written."""

    minutes: float
    steps: int
    clock: str
    torch_threads: int
    checkpoint_minutes: float


@dataclass(frozen=True)
class EvaluationConfig:
    """How the agent chooses, and what it is measured by."""

    choice: str
    eval_opponents: tuple[str, ...]
    curve_points: int
    curve_games: int
    final_games: int


@dataclass(frozen=True)
class ResolvedConfig:
    """Everything that a training run does, in one or several scenarios, as `resolve` finds it.

    Attributes:
        settings: the same as settings that a user could give; resolving them gives this.
        scenarios: each scenario that the network learns, by itself.
        rollout, pool, network, update, budget, evaluation: what each part of the run needs.
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
        """The seed of games, network and agents."""
        return self.settings.seed


def resolve(settings: TrainConfig) -> ResolvedConfig:
    """Return what a run with these settings does.

    Raises:
        CatanError: a scenario, number of players or rule does not exist or fit, or a game is named twice.
    """
    named_scenarios = [
        (reference_to(settings.scenario), settings.num_players or None),
        *map(scenario_and_players, settings.also),
    ]
    scenarios = tuple(_scenario(settings, scenario, players) for scenario, players in named_scenarios)
    games = [(game.scenario, game.num_players) for game in scenarios]
    for scenario, players in games:
        if games.count((scenario, players)) > 1:
            raise ConfigError(f"{scenario!r} with {players} players is to be learned twice; name it once.")
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
    """One of the scenarios. The default's rules are left out where the scenario does not have them."""
    scenario = find_scenario(name)
    players = scenario.check_players(players)
    composition_numbers, default_rules = composition_of(scenario).numbers, TrainConfig().rules
    rules = {
        key: value
        for key, value in settings.rules.items()
        if key in composition_numbers or default_rules.get(key) != value
    }
    scenario.values(composition_numbers, players, rules)  # refuses what it does not have, or out of bounds
    return ScenarioConfig(name, players, rules, best_agent(name) if settings.teacher == BEST else settings.teacher)


def _written_out(settings: TrainConfig, scenarios: tuple[ScenarioConfig, ...]) -> TrainConfig:
    """The settings with what was left to the scenarios; where they differ in it, it stays."""
    first, *other_scenarios = scenarios
    name = settings.name or "-".join(short_name(game.scenario) for game in scenarios)
    resolved_values: dict[str, Any] = {"name": name, "scenario": first.scenario, "num_players": first.num_players}
    if other_scenarios:
        resolved_values["also"] = [f"{game.scenario}:{game.num_players}" for game in other_scenarios]
    else:
        resolved_values |= {"teacher": first.teacher, "rules": dict(first.rules)}
    return settings.updated(resolved_values)


def _section(kind: type, settings: TrainConfig, **others: Any) -> Any:
    """A section of the settings, with others in place of some."""
    return kind(**{item.name: getattr(settings, item.name) for item in fields(kind)} | others)
