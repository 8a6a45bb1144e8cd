"""Registry ids for Gymnasium and PettingZoo, one per scenario and version."""

from __future__ import annotations

import re

import gymnasium
import pettingzoo

from catan_env.engine.registry import scenarios
from catan_env.engine.scenario import Scenario

NAMESPACE = "catan"


def gymnasium_id(scenario: Scenario) -> str:
    """Return the Gymnasium id, which is the camel-case name plus the version, such as "catan/CitiesKnights-v0"."""
    words = re.findall(r"[A-Za-z0-9]+", scenario.name)
    return f"{NAMESPACE}/{''.join(word[0].upper() + word[1:] for word in words)}-v{scenario.version}"


def pettingzoo_id(scenario: Scenario) -> str:
    """Return the PettingZoo id, such as "catan/cities_knights-v0"."""
    return f"{NAMESPACE}/{re.sub(r'[^A-Za-z0-9_]+', '_', scenario.name)}-v{scenario.version}"


def register_gymnasium(scenario: Scenario) -> None:
    """Register a scenario for `gymnasium.make` and `gymnasium.make_vec`, unless it is already registered."""
    name = gymnasium_id(scenario)
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="catan_env.envs.single:CatanEnv",
            vector_entry_point="catan_env.envs.vector:CatanVectorEnv",
            kwargs={"scenario": scenario.reference},
        )


def register_pettingzoo(scenario: Scenario) -> None:
    """Register a scenario for `pettingzoo.make`. PettingZoo 1.26 has no registry."""
    if not hasattr(pettingzoo, "aec_registry"):
        return
    name = pettingzoo_id(scenario)
    for kind, registry in (("aec", pettingzoo.aec_registry), ("parallel", pettingzoo.parallel_registry)):
        if name not in registry:
            entry_point = f"catan_env.envs.{kind}:{kind}_env"
            pettingzoo.register(kind, name, entry_point=entry_point, kwargs={"scenario": scenario.reference})


def register_environments(*new: Scenario) -> None:
    """Register environments for the given scenarios, by default all of them, with both libraries.

    Registering a scenario does this automatically. You only need to call this for scenarios from installed packages
    that have not been used yet, because `import catan_env` does not load them.
    """
    for scenario in new or scenarios().values():
        register_gymnasium(scenario)
        register_pettingzoo(scenario)
