"""Look up agents by name: entry points in the `catan_env.agents` group, bundled agents, classes, folders and files."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from catan_agents import hub
from catan_agents.bundled import CHECKPOINT_FILE, PRETRAINED, VALUE_FILE, plays_with_one_less
from catan_agents.llm import PREFIX, maker_of
from catan_agents.protocol import Agent
from catan_env.engine.binding import did_you_mean
from catan_env.errors import CatanError, MissingExtraError, OptionError, UnknownAgentError
from catan_env.outside import load_object
from catan_env.text_files import has_ending, read_json

GROUP = "catan_env.agents"
BRIDGES = {"catanatron": ("catan_agents.bridges.catanatron.opponents", "CatanatronAgent")}
"""Module and class for players from other engines, keyed by the name before the colon, as in "catanatron:value"."""
SOLVERS = {"dice-solver": "dice_game"}
"""Registered agents that play a single scenario, and the scenario."""
FASTCATAN = "fastcatan"
"""The fastcatan player. There is only one kind, so its name takes no suffix."""


def agent_names() -> list[str]:
    """Return the names of the registered agents that accept every scenario, sorted."""
    return sorted({entry.name for entry in entry_points(group=GROUP)} - set(SOLVERS))


def pretrained_names() -> list[str]:
    """Return the names of the bundled trained agents, sorted.

    These agents need the `train` extra, and each plays only certain games, see `pretrained_for`. Training and
    strength are described in `agents/catan_agents/pretrained/<name>/README.md`.
    """
    return sorted(path.parent.name for file in (CHECKPOINT_FILE, VALUE_FILE) for path in PRETRAINED.glob(f"*/{file}"))


def pretrained_for(scenario: str, num_players: int) -> list[str]:
    """Return the sorted names of the bundled trained agents and solvers for a scenario and number of players."""
    solvers = [name for name, solved in SOLVERS.items() if solved == scenario]
    return sorted([name for name in pretrained_names() if plays(name, scenario, num_players)] + solvers)


def plays(name: str, scenario: str, num_players: int) -> bool:
    """Return whether a bundled trained agent can play a scenario with a given number of players.

    Value networks may also play with one player less than in training, see `plays_with_one_less`.
    """
    known = [players for trained, players in pretrained_games(name) if trained == scenario]
    with_one_less = any(plays_with_one_less(players, num_players) for players in known)
    return num_players in known or (with_one_less and has_value_network(name))


def has_value_network(name: str) -> bool:
    """Return whether a bundled agent plays with a value network."""
    return (PRETRAINED / name / VALUE_FILE).is_file()


def pretrained_games(name: str) -> list[tuple[str, int]]:
    """Return the scenario and number of players of each game that a bundled agent was trained on."""
    folder = PRETRAINED / name
    if has_value_network(name):
        from catan_agents.search.value_network import load_value_network  # needs safetensors

        games = load_value_network(folder / VALUE_FILE).all_games
        return [(signature.scenario, signature.players) for signature in games]
    description = read_json(folder / CHECKPOINT_FILE, "checkpoint", CatanError)
    return [(description["scenario"], description["num_players"])]


def make_agent(name: str | Path, **options: Any) -> Agent:
    """Create an agent.

    Args:
        name: one of

            - a registered name: an entry point in the `catan_env.agents` group, or a bundled agent;
            - "catanatron:PLAYER" or "fastcatan": a player from another engine, see `catan_agents.bridges`;
            - "llm:MODEL@URL": a language model on a chat-completions server, see `catan_agents.llm`;
            - "module:Class" or "file.py:Class", a class or function that returns an agent;
            - the folder of a checkpoint, a training run or a value network;
            - "hf:user/name": such a folder in a repository on the Hugging Face Hub;
            - the path of a Stable-Baselines3 zip or an ONNX file.
        options: keyword arguments for the agent.

    Raises:
        UnknownAgentError: no agent, module, folder or file has this name.
        OptionError: the agent does not accept the options.
        CheckpointError, WeightsError, PolicyFileError: the network is invalid.
        HubError: a repository on the hub cannot be read.
        MissingExtraError: the agent needs the `train`, `onnx` or `hub` extra, which is not installed.
    """
    if not isinstance(name, (str, Path)):
        raise UnknownAgentError(
            f'agent is {name!r}; it must be a name, "module:Class", or the path of a folder or file.'
        )
    for entry in entry_points(group=GROUP, name=str(name)):
        return _made(str(name), entry.load(), options)
    bridge, _, kind = str(name).partition(":")
    if bridge in BRIDGES and kind:
        module, made = BRIDGES[bridge]
        return _made(str(name), partial(getattr(import_module(module), made), kind), options)
    if str(name).startswith(hub.PREFIX):
        return _of_hub(str(name), options)
    if str(name) == FASTCATAN:
        from catan_agents.bridges.fastcatan.opponents import FastcatanAgent

        return _made(str(name), FastcatanAgent, options)
    folder = PRETRAINED / name if str(name) in pretrained_names() else Path(name).expanduser()
    if (folder / VALUE_FILE).is_file():
        return _of_value_network(str(name), folder, options)
    if folder.is_dir():
        if "folder" in options:
            raise OptionError(f"Agent {str(name)!r} takes no option 'folder': its name is the folder.")
        with _needing(str(name), "train"):
            from catan_agents.learned import LearnedAgent  # imported here because it needs torch
        return _made(str(name), partial(LearnedAgent.load, folder), options)
    if make := _reader_of(folder):
        return _made(str(name), partial(make, folder), options)
    if str(name).startswith(PREFIX):
        return _made(str(name), maker_of(str(name)), options)
    if ":" in str(name):
        return _of_class(str(name), options)
    raise UnknownAgentError(_unknown(str(name)))


def _of_value_network(name: str, folder: Path, options: dict[str, Any]) -> Agent:
    """Return the agent that plays with the value network in the given folder."""
    if "weights" in options:
        raise OptionError(f"Agent {name!r} takes no weights: it evaluates positions with its own network.")
    from catan_agents.search.value_network import load_value_network  # needs safetensors

    network = load_value_network(folder / VALUE_FILE)
    agent = make_agent(network.agent, weights=network, **options)
    agent.name = folder.resolve().name
    return agent


def _of_hub(name: str, options: dict[str, Any]) -> Agent:
    """Return the agent in a repository on the Hugging Face Hub."""
    agent = make_agent(hub.cached(name.removeprefix(hub.PREFIX)), **options)
    agent.name = name.rpartition("/")[2]
    return agent


def _reader_of(file: Path) -> Callable[..., Agent] | None:
    """Return the agent class that reads files with this extension; None for other extensions."""
    if has_ending(file, ".zip"):
        with _needing(str(file), "train"):
            from catan_agents.imported.sb3_zip import SB3Agent
        return SB3Agent
    if has_ending(file, ".onnx"):
        from catan_agents.imported.onnx_file import OnnxAgent

        return OnnxAgent
    return None


@contextmanager
def _needing(name: str, extra: str) -> Iterator[None]:
    """Convert the error for a missing library to one that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"Agent {name!r} needs {error.name!r}, which is not installed: pip install 'catan-env[{extra}]'."
        ) from None


def _of_class(name: str, options: dict[str, Any]) -> Agent:
    """Return an agent created from "module:Class" or "file.py:Class", where the class may also be a function.

    Raises:
        UnknownAgentError: the class does not exist, or does not create agents.
    """
    make = load_object(name, UnknownAgentError)
    if not callable(make):
        raise UnknownAgentError(f"{name!r} is {make!r}; it must be a class of agents or a function that returns one.")
    agent = _made(name, make, options)
    missing = [method for method in ("act", "reset") if not callable(getattr(agent, method, None))]
    if missing:
        raise UnknownAgentError(f"{name!r} makes {agent!r}, which has no {missing[0]}(); see `catan_agents.Agent`.")
    if not hasattr(agent, "name"):
        agent.name = name.rpartition(":")[2]
    return agent


def _unknown(name: str) -> str:
    """Return the error message for an unknown agent."""
    names = [*agent_names(), *SOLVERS, *pretrained_names()]
    if has_ending(name, ".py"):
        return f"Name the class of an agent in a file: {name}:MyAgent."
    return (
        f"Unknown agent {name!r}.{did_you_mean(name, names)} Installed: {', '.join(names)}; or give module:Class, "
        "file.py:Class, the folder of a checkpoint or training run, a zip of Stable-Baselines3, or an ONNX file."
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
            f"Agent {name!r} cannot be created with {options}: {error}. Allowed options: {', '.join(known) or 'none'}."
        ) from None
    return make(**options)
