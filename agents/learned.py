"""Trained agents: checkpoints on disk, and the agent that plays from one.

A checkpoint is a folder with two files, neither of which can run code when it is read: `policy.pt`, the weights
alone, and `checkpoint.json`, which says what they belong to. An agent refuses games whose actions or observations
are laid out otherwise than those it was trained on.
"""

from __future__ import annotations

import json
import pickle
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.streams import GameStreams
from catan_env.errors import CatanError

FORMAT = "catan-checkpoint/1"
WEIGHTS_FILE, DESCRIPTION_FILE = "policy.pt", "checkpoint.json"
KEYS = {
    "format": str, "scenario": str, "version": int, "num_players": int, "encoder": str, "dtype": str,
    "observation_size": int, "observation_layout": str, "actions": int, "action_layout": str, "network": dict,
}
MOST_LAYERS, MOST_WEIGHTS = 100, 500_000_000
"""Of networks that are loaded: a damaged description would otherwise ask for all memory there is."""
ACTIVATIONS = {"relu": torch.nn.ReLU, "tanh": torch.nn.Tanh}


class CheckpointError(CatanError, ValueError):
    """A checkpoint is damaged, or was trained on other actions or observations than those at hand."""


def network_options(hidden: list[int] | tuple[int, ...], activation: str) -> dict[str, Any]:
    """`policy_kwargs` of Stable-Baselines3 for the networks that checkpoints hold."""
    return {
        "net_arch": {"pi": list(hidden), "vf": list(hidden)},
        "activation_fn": ACTIVATIONS[activation],
        "normalize_images": False,
    }


def describe(engine, encoder, hidden: tuple[int, ...], activation: str) -> dict[str, Any]:
    """What a checkpoint says about the games its policy plays."""
    return {
        "format": FORMAT,
        "scenario": engine.scenario.name,
        "version": engine.scenario.version,
        "num_players": engine.num_players,
        "encoder": encoder.name,
        "dtype": str(encoder.dtype),
        "observation_size": encoder.size,
        "observation_layout": encoder.hash,
        "actions": engine.actions.n,
        "action_layout": engine.actions.hash,
        "network": {"hidden": list(hidden), "activation": activation},
    }


def save_checkpoint(
    folder: str | Path, policy: MaskableActorCriticPolicy, description: Mapping[str, Any], training: Mapping[str, Any]
) -> Path:
    """Writes a checkpoint.

    Args:
        folder: made if need be; an earlier checkpoint in it is replaced.
        policy: built with `network_options`.
        description: from `describe`.
        training: how it was trained, for people; nothing reads it.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    torch.save({name: tensor.cpu() for name, tensor in policy.state_dict().items()}, folder / WEIGHTS_FILE)
    text = json.dumps({**description, "training": dict(training)}, indent=2)
    (folder / DESCRIPTION_FILE).write_text(text + "\n", encoding="utf-8")
    return folder


class MaskablePPOAgent:
    """Plays from a policy network over masked actions.

    Args:
        policy: the network.
        description: what it was trained on, see `describe`.
        deterministic: take the most probable action instead of sampling.
        seed: of the samples.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        description: Mapping[str, Any],
        deterministic: bool = False,
        seed: int = 0,
        name: str = "learned",
    ):
        self.name, self.deterministic = name, deterministic
        self.policy, self.description = policy, dict(description)
        self._streams = GameStreams(seed)
        self._fitting = lambda: None  # weak reference to the engine that was found to fit last

    @classmethod
    def load(
        cls, folder: str | Path, deterministic: bool = False, seed: int = 0, name: str | None = None
    ) -> MaskablePPOAgent:
        """The agent of a checkpoint folder, or of a training run's folder that holds one in `checkpoint`.

        Raises:
            CheckpointError: there is no checkpoint, or it is damaged.
        """
        folder = Path(folder)
        if not (folder / DESCRIPTION_FILE).is_file() and (folder / "checkpoint" / DESCRIPTION_FILE).is_file():
            folder = folder / "checkpoint"
        description = read_description(folder)
        policy = MaskableActorCriticPolicy(
            Box(0.0, np.inf, (description["observation_size"],), np.float32),
            Discrete(description["actions"]),
            lambda progress: 0.0,
            **network_options(**description["network"]),
        )
        try:
            weights = torch.load(folder / WEIGHTS_FILE, map_location="cpu", weights_only=True)
            policy.load_state_dict(weights)
            for part, tensor in policy.state_dict().items():
                if not torch.isfinite(tensor).all():
                    raise ValueError(f"{part} holds values that are not finite")
        except OSError as error:
            raise CheckpointError(f"Cannot read {folder / WEIGHTS_FILE}: {error.strerror}.") from None
        except (RuntimeError, pickle.UnpicklingError, TypeError, AttributeError, EOFError, ValueError) as error:
            reason = (str(error) or type(error).__name__).splitlines()[0]
            raise CheckpointError(f"{folder / WEIGHTS_FILE} is damaged or of another network: {reason}") from error
        policy.set_training_mode(False)
        return cls(policy, description, deterministic, seed, name or _name_of(folder))

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine, games: np.ndarray) -> np.ndarray:
        """See `Agent.act`.

        Raises:
            CheckpointError: the engine's actions or observations are laid out otherwise than in training.
        """
        legal = engine.action_mask[games]
        actions = legal.argmax(axis=1)
        choice = np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)  # the network is asked only where there is one
        if len(choice):
            actions[choice] = self._choose(self._logits(engine, games[choice]), games[choice])
        return actions

    def probabilities(self, engine, games: np.ndarray) -> np.ndarray:
        """(n, actions) probabilities that the network gives the actions in the given games; errors as in `act`."""
        return torch.softmax(self._logits(engine, games).double(), dim=1).numpy()

    def _logits(self, engine, games: np.ndarray) -> torch.Tensor:
        """(n, actions), minus infinity where an action is not legal."""
        if self._fitting() is not engine:
            self._check(engine)
        encoder = engine.encoder(self.description["encoder"], self.description["dtype"])
        with torch.inference_mode():
            features = torch.from_numpy(encoder.encode(games=games)).to(self.policy.device, torch.float32)
            logits = self.policy.action_net(self.policy.mlp_extractor.forward_actor(features)).cpu()
            return logits.masked_fill_(torch.from_numpy(~engine.action_mask[games]), -torch.inf)

    def _choose(self, logits: torch.Tensor, games: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            if self.deterministic:
                return logits.argmax(dim=1).numpy()
            ends = torch.softmax(logits.double(), dim=1).cumsum(dim=1).numpy()
        # The first action whose cumulated probability exceeds the target: never one of probability 0.
        target = self._streams.uniform(games) * ends[:, -1]
        return (ends <= target[:, None]).sum(axis=1)

    def _check(self, engine) -> None:
        mine = self.description
        encoder = engine.encoder(mine["encoder"], mine["dtype"])
        if not hasattr(encoder, "size"):
            raise CheckpointError(f"Agent {self.name!r} plays from rows of numbers; {encoder.name!r} gives none.")
        theirs = describe(engine, encoder, **mine["network"])
        for key, what in (
            ("scenario", "scenario"), ("version", "version of the scenario"), ("num_players", "number of players"),
            ("action_layout", "layout of actions"), ("observation_layout", "layout of observations"),
        ):
            if theirs[key] != mine[key]:
                raise CheckpointError(
                    f"Agent {self.name!r} was trained on {mine['scenario']!r} version {mine['version']} with "
                    f"{mine['num_players']} players; these games differ: {what} is {theirs[key]!r}, not {mine[key]!r}. "
                    "Train an agent for them, or use it where it belongs."
                )
        self._fitting = weakref.ref(engine)


def read_description(folder: Path) -> dict[str, Any]:
    """The checked contents of a checkpoint's `checkpoint.json`.

    Raises:
        CheckpointError: there is none, or it is damaged.
    """
    path = folder / DESCRIPTION_FILE
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckpointError(f"There is no checkpoint in {str(folder)!r}: {path.name}: {error.strerror}.") from None
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: {error}.") from None
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not the description of a checkpoint of format {FORMAT!r}.")
    wrong = [key for key, kind in KEYS.items() if type(description.get(key)) is not kind]
    network = description.get("network")
    if not wrong and not _is_network(network, description["observation_size"], description["actions"]):
        wrong = ["network"]
    if wrong:
        raise CheckpointError(f"{path} is damaged: it lacks, or has wrong values for, {', '.join(wrong)}.")
    return description


def _is_network(network: dict, observation_size: int, actions: int) -> bool:
    """Whether a description of layers is one, of networks that fit into memory."""
    hidden, activation = network.get("hidden"), network.get("activation")
    if set(network) != {"hidden", "activation"} or not isinstance(activation, str) or activation not in ACTIVATIONS:
        return False
    if not isinstance(hidden, list) or not all(type(size) is int and size > 0 for size in hidden):
        return False
    if observation_size <= 0 or actions <= 0 or len(hidden) > MOST_LAYERS:
        return False
    sizes = [observation_size, *hidden, actions]
    return sum(one * other for one, other in zip(sizes, sizes[1:], strict=False)) <= MOST_WEIGHTS


def _name_of(folder: Path) -> str:
    folder = folder.resolve()
    return folder.parent.name if folder.name == "checkpoint" else folder.name
