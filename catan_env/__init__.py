"""A fast reinforcement-learning environment for Catan and its scenarios.

`BatchEngine` is the vectorized engine. `make` creates the PettingZoo, Gymnasium and Stable-Baselines3 environments of
`catan_env.envs`. The errors of `catan_env.errors` are available here by name.
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
