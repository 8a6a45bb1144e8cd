"""A fast reinforcement-learning environment for Catan and its scenarios.

See `BatchEngine` for the vectorised engine and `catan_env.envs` for PettingZoo, Gymnasium and Stable-Baselines3.
"""

from catan_env import scenarios as _scenarios
from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario, register, scenarios
from catan_env.engine.replay import replay_steps as _replay_steps
from catan_env.engine.scenario import Scenario
from catan_env.scenarios.load import scenario_from

__version__ = "0.1.0"
__all__ = ["BatchEngine", "Scenario", "find_scenario", "register", "replay", "scenario_from", "scenarios"]
