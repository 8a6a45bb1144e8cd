"""Environments: PettingZoo AEC and parallel, Gymnasium single and vector, Stable-Baselines3, PufferLib and TorchRL."""

from __future__ import annotations

from typing import Any

from catan_env.envs.aec import CatanAEC, aec_env
from catan_env.envs.make import ON_DEMAND, load, make, spec
from catan_env.envs.opponents import make_opponent, opponent_names, register_opponent
from catan_env.envs.options import Option, Spec
from catan_env.envs.parallel import CatanParallel, parallel_env
from catan_env.envs.registration import (
    gymnasium_id,
    pettingzoo_id,
    register_environments,
    register_gymnasium,
    register_pettingzoo,
)
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv
from catan_env.envs.viewer import install_renderer

__all__ = [
    "CatanAEC",
    "CatanEnv",
    "CatanParallel",
    "CatanPufferEnv",
    "CatanTorchRLEnv",
    "CatanVectorEnv",
    "Option",
    "SB3VecEnv",
    "Spec",
    "aec_env",
    "gymnasium_id",
    "install_renderer",
    "make",
    "make_opponent",
    "opponent_names",
    "parallel_env",
    "pettingzoo_id",
    "register_environments",
    "register_gymnasium",
    "register_opponent",
    "register_pettingzoo",
    "spec",
]


def __getattr__(name: str) -> Any:
    for kind, class_name in ON_DEMAND.items():  # these import other libraries
        if name == class_name:
            return load(kind)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
