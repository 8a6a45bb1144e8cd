"""A fast reinforcement-learning environment for Catan and its scenarios.

`BatchEngine` is the vectorized engine. `make` creates the environments in `catan_env.envs`, for PettingZoo, Gymnasium
and Stable-Baselines3. The exceptions in `catan_env.errors` can also be imported from here.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from catan_env import encoders, envs, errors, render
from catan_env import games as _registered  # noqa: F401 (registers them)
from catan_env.engine import replay as _replay
from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario, on_register, register, register_optional, scenarios
from catan_env.engine.scenario import Scenario
from catan_env.envs import make, spec
from catan_env.errors import (
    ActionFormatError,
    BoardError,
    CatanError,
    CompositionError,
    GameImportError,
    GameOverError,
    IllegalActionError,
    MissingExtraError,
    NotStartedError,
    OptionError,
    PlayerCountError,
    PositionError,
    ReplayError,
    RuleValueError,
    ScenarioFileError,
    SnapshotError,
    UnknownAgentError,
    UnknownEncoderError,
    UnknownRuleError,
    UnknownScenarioError,
)
from catan_env.games.base.position import Position
from catan_env.games.scenario_file import register_file, scenario_from

__version__ = "0.1.0"
__all__ = [
    "ActionFormatError",
    "BatchEngine",
    "BoardError",
    "CatanError",
    "CompositionError",
    "GameImportError",
    "GameOverError",
    "IllegalActionError",
    "MissingExtraError",
    "NotStartedError",
    "OptionError",
    "PlayerCountError",
    "Position",
    "PositionError",
    "ReplayError",
    "RuleValueError",
    "Scenario",
    "ScenarioFileError",
    "SnapshotError",
    "UnknownAgentError",
    "UnknownEncoderError",
    "UnknownRuleError",
    "UnknownScenarioError",
    "encoders",
    "envs",
    "errors",
    "find_scenario",
    "make",
    "register",
    "register_file",
    "register_optional",
    "render",
    "replay",
    "replay_steps",
    "scenario_from",
    "scenarios",
    "spec",
]


def replay(log: Mapping[str, Any] | str | Path, scenario: Any = None) -> BatchEngine:
    """Replay an entire log in a one-game engine with explicit chance, and return the engine.

    `log` is a result of `engine.replay_log`, or the path of a JSON file that contains one. `scenario` replaces the
    scenario named in the log, for example if a scenario file has been moved.

    Raises:
        ReplayError: the log is corrupt or does not match its scenario version.
    """
    return _replay.replay(log, BatchEngine, scenario)


def replay_steps(log: Mapping[str, Any] | str | Path, scenario: Any = None) -> Iterator[BatchEngine]:
    """Step through a replay log, yielding the same engine at the start and after each move.

    `log` is a result of `engine.replay_log`, or the path of a JSON file that contains one. `scenario` is as for
    `replay`.

    Raises:
        ReplayError: see `replay`.
    """
    return _replay.replay_steps(log, BatchEngine, scenario)


on_register(envs.register_environments)
