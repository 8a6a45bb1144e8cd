"""`make`: every kind of environment by one function, the way people ask for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from catan_env.engine.arguments import check_option
from catan_env.envs.aec import aec_env
from catan_env.envs.parallel import parallel_env
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv


def _sb3(**options: Any) -> Any:
    from catan_env.envs.sb3 import SB3VecEnv  # MissingExtraError without the extra

    return SB3VecEnv(**options)


KINDS: dict[str, Callable[..., Any]] = {
    "aec": aec_env,
    "parallel": parallel_env,
    "gymnasium": CatanEnv,
    "vector": CatanVectorEnv,
    "sb3": _sb3,
}


def make(scenario: Any = "base", kind: str = "aec", **options: Any) -> Any:
    """An environment of a scenario: `make("base")`, `make("base_5_6", "vector", num_envs=64, opponents="heuristic")`.

    Args:
        scenario: a registered name or the path of a scenario file, with optional rules after plus signs, or a
            `Scenario`.
        kind: "aec" and "parallel" are PettingZoo's, every seat an agent; "gymnasium" is one game with a seat for the
            learner, "vector" Gymnasium's and "sb3" Stable-Baselines3's batch of such games (`num_envs=`).
        options: those of `aec_env`, `parallel_env`, `CatanEnv`, `CatanVectorEnv` and `SB3VecEnv`.

    Raises:
        OptionError: there is no such kind of environment.
        MissingExtraError: "sb3" without the extra `train`.
        CatanError: other bad arguments, with what is allowed (see `catan_env.errors`).
    """
    check_option("kind", kind, tuple(KINDS))
    return KINDS[kind](scenario=scenario, **options)
