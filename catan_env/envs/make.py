"""`make` creates every kind of environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from catan_env.engine.arguments import check_option
from catan_env.envs.aec import aec_env
from catan_env.envs.options import SPECS, Spec
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
    """Return an environment of a scenario: `make("base")`, `make("base_5_6", "vector", num_envs=64,
    opponents="heuristic")`.

    Args:
        scenario: registered name or path of a scenario file, with optional rules after plus signs, or a `Scenario`.
        kind: "aec" and "parallel" (PettingZoo, every seat is an agent); "gymnasium" (one game, one learner); "vector"
            (Gymnasium) and "sb3" (Stable-Baselines3) for a batch of such games (`num_envs=`).
        options: options of this kind of environment; `print(catan_env.spec(kind))` explains them.

    Raises:
        OptionError: the kind or an option is unknown.
        MissingExtraError: "sb3" without the extra `train`.
        CatanError: another argument is invalid; the message lists valid values (see `catan_env.errors`).
    """
    check_option("kind", kind, tuple(KINDS))
    spec(kind).check(options)
    return KINDS[kind](scenario=scenario, **options)


def spec(kind: str = "aec") -> Spec:
    """Return the options of a kind of environment: "aec", "parallel", "gymnasium", "vector" or "sb3".

    `print(catan_env.spec("vector"))` explains all options of `catan_env.make(scenario, "vector", ...)`.

    Raises:
        OptionError: the kind is unknown.
        MissingExtraError: "sb3" without the extra `train`.
    """
    check_option("kind", kind, tuple(KINDS))
    if kind == "sb3":
        import catan_env.envs.sb3  # noqa: F401 (on demand: it imports torch)
    return SPECS[kind]
