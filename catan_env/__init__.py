"""A fast reinforcement-learning environment for Catan and its scenarios.

`BatchEngine` is the vectorised engine; `make` gives the PettingZoo, Gymnasium and Stable-Baselines3 environments, which
`catan_env.envs` holds. The errors of `catan_env.errors` can be caught by their names here.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from catan_env import encoders, envs, errors, render
from catan_env import games as _registered  # noqa: F401 (registers them)
from catan_env.engine import replay as _replay
from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario, register, scenarios
from catan_env.engine.scenario import Scenario
from catan_env.envs import make
from catan_env.errors import (
    ActionFormatError,
    BoardError,
    CatanError,
    CompositionError,
    GameOverError,
    IllegalActionError,
    MissingExtraError,
    NotStartedError,
    OptionError,
    PlayerCountError,
    ReplayError,
    RuleValueError,
    ScenarioFileError,
    SnapshotError,
    UnknownAgentError,
    UnknownEncoderError,
    UnknownRuleError,
    UnknownScenarioError,
)
from catan_env.games.scenario_file import scenario_from

__version__ = "0.1.0"
__all__ = [
    "ActionFormatError",
    "BatchEngine",
    "BoardError",
    "CatanError",
    "CompositionError",
    "GameOverError",
    "IllegalActionError",
    "MissingExtraError",
    "NotStartedError",
    "OptionError",
    "PlayerCountError",
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
    "render",
    "replay",
    "replay_steps",
    "scenario_from",
    "scenarios",
]


def replay(log: Mapping[str, Any] | str | Path, scenario: Any = None) -> BatchEngine:
    """Play a whole replay log in an engine of one game, explicit mode, whatever the seed was.

    `log` is what `engine.replay_log` returned, or the path of a JSON file with it.
    `scenario` takes the place of the one that the log names, such as a scenario file that has moved.

    Raises:
        ReplayError: the log is damaged, or does not fit the scenario version it names.
    """
    return _replay.replay(log, BatchEngine, scenario)


def replay_steps(log: Mapping[str, Any] | str | Path, scenario: Any = None) -> Iterator[BatchEngine]:
    """Play a replay log move by move: the engine at the start and after each move (the same engine each time).

    `log` is what `engine.replay_log` returned, or the path of a JSON file with it.

    Raises:
        ReplayError: see `replay`.
    """
    return _replay.replay_steps(log, BatchEngine, scenario)


envs.register_environments()
