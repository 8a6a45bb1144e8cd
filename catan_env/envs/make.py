"""The `make` function, which creates every kind of environment."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

from catan_env.engine.arguments import check_option
from catan_env.envs.aec import aec_env
from catan_env.envs.options import SPECS, Spec
from catan_env.envs.parallel import parallel_env
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv

ON_DEMAND = {"sb3": "SB3VecEnv", "puffer": "CatanPufferEnv", "torchrl": "CatanTorchRLEnv"}
"""Classes in the `catan_env.envs.<kind>` modules, which import other libraries."""


def _on_demand(kind: str, **options: Any) -> Any:
    return load(kind)(**options)


def load(kind: str) -> Any:
    """Return the class for a kind of environment that imports another library.

    Raises:
        MissingExtraError: the library is not installed.
    """
    return getattr(importlib.import_module(f"catan_env.envs.{kind}"), ON_DEMAND[kind])


KINDS: dict[str, Callable[..., Any]] = {
    "aec": aec_env,
    "parallel": parallel_env,
    "gymnasium": CatanEnv,
    "vector": CatanVectorEnv,
    **{kind: partial(_on_demand, kind) for kind in ON_DEMAND},
}


def make(scenario: Any = "base", kind: str = "aec", **options: Any) -> Any:
    """Return an environment for a scenario.

    Examples: `make("base")`, `make("base_5_6", "vector", num_envs=64, opponents="heuristic")`.

    Args:
        scenario: registered name or path of a scenario file, with any optional rules appended after plus signs, or a
            `Scenario`.
        kind: "aec" or "parallel" (PettingZoo, every seat is an agent); "gymnasium" (one game, one learner); "vector"
            (Gymnasium), "sb3" (Stable-Baselines3), "puffer" (PufferLib) or "torchrl" (TorchRL) for a batch of such
            games (`num_envs=`).
        options: options for this kind of environment; `print(catan_env.spec(kind))` explains them.

    Raises:
        OptionError: the kind or an option is unknown.
        MissingExtraError: the library for this kind is not installed; the message names the extra.
        CatanError: another argument is invalid; the message lists valid values (see `catan_env.errors`).
    """
    check_option("kind", kind, tuple(KINDS))
    spec(kind).check(options)
    return KINDS[kind](scenario=scenario, **options)


def spec(kind: str = "aec") -> Spec:
    """Return the options of a kind of environment: "aec", "parallel", "gymnasium", "vector", "sb3", "puffer" or
    "torchrl".

    `print(catan_env.spec("vector"))` explains all options of `catan_env.make(scenario, "vector", ...)`.

    Raises:
        OptionError: the kind is unknown.
        MissingExtraError: the library for this kind is not installed; the message names the extra.
    """
    check_option("kind", kind, tuple(KINDS))
    if kind in ON_DEMAND:
        load(kind)
    return SPECS[kind]
