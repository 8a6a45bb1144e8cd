"""Agents by name: entry points of the group `catan_env.agents`, bundled agents and checkpoint folders."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from catan_agents.bundled import CHECKPOINT_FILE, PRETRAINED, TUNED, VALUE_FILE
from catan_agents.protocol import Agent
from catan_env.errors import CatanError, MissingExtraError, OptionError, UnknownAgentError
from catan_env.text_files import read_json

GROUP = "catan_env.agents"


def agent_names() -> list[str]:
    """Return the names of the agents that accept every scenario, sorted."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def pretrained_names() -> list[str]:
    """Return the names of the bundled trained agents, sorted.

    These agents need the extra `train`, and each plays the games that it was trained on.
    `agents/catan_agents/pretrained/<name>/README.md` describes the training and the strength of each.
    """
    return sorted(path.parent.name for file in (CHECKPOINT_FILE, VALUE_FILE) for path in PRETRAINED.glob(f"*/{file}"))


def pretrained_for(scenario: str, num_players: int) -> list[str]:
    """Return the names of the bundled agents for a scenario with this number of players, sorted."""
    return [name for name in pretrained_names() if (scenario, num_players) in _games_of(PRETRAINED / name)]


def _games_of(folder: Path) -> list[tuple[str, int]]:
    """Return the scenario and the number of players of each game of a trained agent."""
    if (folder / VALUE_FILE).is_file():
        from catan_agents.search.value_network import load_value_network  # needs safetensors

        return [(signature.scenario, signature.players) for signature in load_value_network(folder / VALUE_FILE).games]
    description = read_json(folder / CHECKPOINT_FILE, "checkpoint", CatanError)
    return [(description["scenario"], description["num_players"])]


def best_agent(scenario: str) -> str:
    """Return the strongest fast agent for a scenario: `greedy` with tuned weights, otherwise `heuristic`."""
    return "greedy" if (TUNED / f"{scenario}.toml").exists() else "heuristic"


def base_strong() -> Agent:
    """Create `base-strong`, the bundled policy network for four players on `base`.

    Environments can use it as an opponent.

    Raises:
        MissingExtraError: the extra `train` is not installed.
    """
    return make_agent("base-strong")


def base_2_strong() -> Agent:
    """Create `base-2-strong`, the bundled policy network for two players on `base`."""
    return make_agent("base-2-strong")


def base_value() -> Agent:
    """Create `base-value`, the bundled value network for four players on `base`."""
    return make_agent("base-value")


def base_2_value() -> Agent:
    """Create `base-2-value`, the bundled value network for two players on `base`."""
    return make_agent("base-2-value")


def make_agent(name: str | Path, **options: Any) -> Agent:
    """Create an agent by name, or from the folder of a checkpoint, a training run or a value network.

    Other packages register agents as entry points of the group `catan_env.agents`.

    Raises:
        UnknownAgentError: neither an agent nor a folder has this name.
        OptionError: the agent does not accept the options.
        CheckpointError, WeightsError: the network is invalid.
        MissingExtraError: the agent has a network, and the extra `train` is not installed.
    """
    if not isinstance(name, (str, Path)):
        raise UnknownAgentError(f"An agent is {name!r}; it must be a name, or the folder of a checkpoint.")
    for entry in entry_points(group=GROUP, name=str(name)):
        return _made(str(name), entry.load(), options)
    folder = PRETRAINED / name if str(name) in pretrained_names() else Path(name)
    if (folder / VALUE_FILE).is_file():
        if "weights" in options:
            raise OptionError(f"Agent {str(name)!r} cannot be made with weights: it judges by its own network.")
        agent = make_agent("greedy", weights=folder / VALUE_FILE, **options)
        agent.name = folder.resolve().name
        return agent
    if folder.is_dir():
        try:
            from catan_agents.learned import LearnedAgent  # imported here because it needs torch
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f"Agent {str(name)!r} needs {error.name!r}, which is not installed: pip install 'catan-env[train]'."
            ) from None
        if "folder" in options:
            raise OptionError(f"Agent {str(name)!r} cannot be made with folder: its name says it.")
        return _made(str(name), partial(LearnedAgent.load, folder), options)
    names = [*agent_names(), *pretrained_names()]
    close_names = difflib.get_close_matches(str(name), names, n=1)
    hint = f" Did you mean {close_names[0]!r}?" if close_names else ""
    raise UnknownAgentError(
        f"Unknown agent {str(name)!r}.{hint} Installed: {', '.join(names)}; or give the folder of a checkpoint."
    )


def _made(name: str, make: Callable[..., Agent], options: dict[str, Any]) -> Agent:
    """Create the agent.

    Raises:
        OptionError: the agent does not accept the options.
    """
    signature = inspect.signature(make)
    try:
        signature.bind(**options)
    except TypeError as error:
        known = [key for key, one in signature.parameters.items() if one.kind != one.VAR_KEYWORD and key != "name"]
        raise OptionError(
            f"Agent {name!r} cannot be made with {options}: {error}. It takes: {', '.join(known) or 'no options'}."
        ) from None
    return make(**options)
