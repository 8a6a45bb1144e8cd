"""Trained agents: checkpoints on disk, and the agent that plays with a checkpoint's network.

A checkpoint is a folder with two files; reading them never executes code. `network.safetensors` holds the weights.
`checkpoint.json` describes the network and its game. The agent rejects games whose action or observation layout differs
from the one used in training.
"""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import save

from catan_agents.bundled import CHECKPOINT_FILE, WEIGHTS_FILE
from catan_agents.networks import as_tensors, is_network, make_network, parts_of
from catan_agents.portable import Portable
from catan_agents.search.lookahead_features import LookaheadFeatures
from catan_agents.seats import to_seats
from catan_agents.streams import GameStreams
from catan_agents.tensor_files import CHECKSUM, checksum_of, read_tensors, restored, rounded_to
from catan_env.engine.arguments import check_flag
from catan_env.engine.registry import requirement_of, scenario_in_file
from catan_env.engine.rewards import REWARDS
from catan_env.errors import CatanError, OptionError
from catan_env.outside import importing
from catan_env.text_files import read_json
from catan_env.whole_files import write_whole

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine
    from catan_env.engine.scenario import Scenario

FORMAT = "catan-checkpoint/2"
DESCRIPTION_FILE = CHECKPOINT_FILE
GAME_KEYS = {
    "scenario": str,
    "version": int,
    "num_players": int,
    "encoder": str,
    "dtype": str,
    "observation_layout": str,
    "actions": int,
    "action_layout": str,
}
KEYS = {"format": str, **GAME_KEYS, "deterministic": bool, "network": dict}
MUST_AGREE = {
    "scenario": "scenario",
    "version": "version of the scenario",
    "num_players": "number of players",
    "action_layout": "layout of actions",
    "observation_layout": "layout of observations",
    "actions": "number of actions",
}
USUAL = {"reward": "zero_sum", "shaping": 0.5}
"""Reward settings assumed if a description lacks these keys: the defaults of a training run."""


class CheckpointError(CatanError, ValueError):
    """A checkpoint is corrupt or does not match the game's actions or observations."""


def describe(
    engine: BatchEngine,
    encoder: Any,
    network: Mapping[str, Any],
    deterministic: bool = False,
) -> dict[str, Any]:
    """Return a description for a checkpoint: game, rewards, network, and whether it plays deterministically."""
    return {
        "format": FORMAT,
        **laid_out(engine, encoder),
        "deterministic": deterministic,
        "reward": engine.reward,
        "shaping": engine.shaping,
        "network": dict(network),
    }


def laid_out(engine: BatchEngine, encoder: Any) -> dict[str, Any]:
    """Describe the game played by a checkpoint."""
    return {
        "scenario": engine.scenario.name,
        "version": engine.scenario.version,
        **({"requires": requirement} if (requirement := requirement_of(engine.scenario)) else {}),
        "num_players": engine.num_players,
        "encoder": encoder.name,
        "dtype": str(encoder.dtype),
        "observation_layout": encoder.hash,
        "actions": engine.actions.n,
        "action_layout": engine.actions.hash,
    }


def scenario_of(game: Mapping[str, Any]) -> Scenario:
    """Return the scenario of a checkpoint's game, without importing modules just because the file names them.

    Raises:
        UnknownScenarioError: the scenario is unknown, or its module is not loaded; the message explains how to load it.
    """
    module = game.get("requires", {}).get("module")
    return scenario_in_file(f"{module}:{game['scenario']}" if module else game["scenario"])


def save_checkpoint(
    folder: str | Path,
    network: torch.nn.Module,
    description: Mapping[str, Any],
    training: Mapping[str, Any],
    bits: int = 32,
) -> Path:
    """Write a checkpoint and return its folder.

    Each file atomically replaces any earlier one of the same name.

    Args:
        folder: folder to write to; it is created if needed.
        network: module from `catan_agents.networks`.
        description: description returned by `describe`.
        training: information about the training, for human readers of the file.
        bits: bits per stored weight: 32, 16, or 8 for matrices and 16 for the rest. Networks compute in 32 bits.

    Raises:
        OptionError: `bits` is not 8, 16 or 32.
    """
    tensors = rounded_to(bits, {name: tensor.detach().cpu().numpy() for name, tensor in network.state_dict().items()})
    checksum = checksum_of(tensors)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / WEIGHTS_FILE, save(tensors, {CHECKSUM: checksum}))
    description_text = json.dumps({**description, "training": dict(training)}, indent=2)
    write_whole(folder / DESCRIPTION_FILE, description_text + "\n")
    return folder


class LearnedAgent(Portable):
    """An agent that plays from a policy network, masking illegal actions.

    Args:
        network: module from `catan_agents.networks`, on any device.
        description: description of the game and the network, as returned by `describe`.
        deterministic: whether to take the most probable action instead of sampling; None uses the description's
            setting.
        seed: sampling seed.
        name: the agent's name.

    Attributes:
        name, network, description: the values passed in.
        deterministic: whether the agent takes the most probable action.
    """

    of_engines = ("_fitting", "_lookahead")

    def __init__(
        self,
        network: torch.nn.Module,
        description: Mapping[str, Any],
        deterministic: bool | None = None,
        seed: int = 0,
        name: str = "learned",
    ):
        check_flag("deterministic", False if deterministic is None else deterministic)
        if not isinstance(name, str):
            raise OptionError(f"name is {name!r}; it must be a string.")
        self.name, self.network, self.description = name, network, dict(description)
        self.deterministic = self.description["deterministic"] if deterministic is None else deterministic
        self._streams = GameStreams(seed)
        self._forget_engines()

    def _forget_engines(self) -> None:
        self._fitting: Callable[[], BatchEngine | None] | None = None  # weak reference to the engine checked last
        self._lookahead: LookaheadFeatures | None = None  # set if the network uses lookahead features

    @classmethod
    def load(
        cls, folder: str | Path, deterministic: bool | None = None, seed: int = 0, name: str | None = None
    ) -> LearnedAgent:
        """Load an agent from a checkpoint folder, or from a training run's folder that contains a checkpoint.

        Raises:
            CheckpointError: the checkpoint is missing or corrupt.
        """
        folder = Path(folder)
        if not (folder / DESCRIPTION_FILE).is_file() and (folder / "checkpoint" / DESCRIPTION_FILE).is_file():
            folder = folder / "checkpoint"
        description = read_description(folder)
        network = make_network(description["network"], description["actions"], description["num_players"])
        try:
            tensors, metadata = read_tensors(folder / WEIGHTS_FILE)
            if metadata.get(CHECKSUM, checksum := checksum_of(tensors)) != checksum:
                raise ValueError("its checksum does not match its contents; restore an earlier copy")
            network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in restored(tensors).items()})
            for tensor_name, tensor in network.state_dict().items():
                if not torch.isfinite(tensor).all():
                    raise ValueError(f"{tensor_name} contains values that are not finite")
        except OSError as error:
            raise CheckpointError(f"Cannot read {folder / WEIGHTS_FILE}: {error.strerror or error}.") from None
        except (RuntimeError, SafetensorError, TypeError, AttributeError, EOFError, ValueError) as error:
            reason = (str(error) or type(error).__name__).splitlines()[0]
            raise CheckpointError(
                f"{folder / WEIGHTS_FILE} is damaged or belongs to another network: {reason}"
            ) from error
        return cls(network.eval(), description, deterministic, seed, name or _name_of(folder))

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """See `Agent.act`.

        Raises:
            CheckpointError: the engine's action or observation layout differs from the one used in training.
        """
        legal = engine.action_mask[games]
        actions = legal.argmax(axis=1)
        # evaluate the network only where there is a choice
        choice_indices = np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)
        if len(choice_indices):
            actions[choice_indices] = self._choose(self._logits(engine, games[choice_indices]), games[choice_indices])
        return actions

    def sample(self, engine: BatchEngine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the actions `act` would choose, with (n,) float64 log-probabilities. Raises the errors of `act`.

        A deterministic agent takes its actions with probability 1.
        """
        return self._choose_logged(self._logits(engine, games), games)

    def probabilities(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the policy's action probabilities in the given games, shape (n, actions). Errors are as for `act`."""
        return torch.softmax(self._logits(engine, games).double(), dim=1).numpy()

    def evaluate(self, engine: BatchEngine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return policies and win probabilities, for search agents. Raises the errors of `act`.

        Returns:
            Action probabilities, shape (n, actions), and the probability that each seat wins, shape (n, players), in
            [0, 1] and ordered by seat number. Win probabilities are derived from the network's values.
        """
        description = {**USUAL, **self.description}
        if description["reward"] not in REWARDS:
            raise OptionError(
                f"Agent {self.name!r} was trained on the reward {description['reward']!r}, so its values are not "
                "win probabilities. Search with an agent that was trained on 'zero_sum' or 'win_loss'."
            )
        logits, values = self._answers(engine, games)
        seat_values = to_seats(values.double().numpy(), engine.seat_to_act[games])
        if description["shaping"]:  # shaping has already paid for the current points
            seat_values += description["shaping"] * engine.visible_points[games] / engine.rules["victory_points"]
        value_of_loss = -1.0 / max(engine.num_players - 1, 1) if description["reward"] == "zero_sum" else -1.0
        return torch.softmax(logits.double(), dim=1).numpy(), (
            (seat_values - value_of_loss) / (1 - value_of_loss)
        ).clip(0.0, 1.0)

    def _logits(self, engine: BatchEngine, games: np.ndarray) -> torch.Tensor:
        """Return logits, shape (n, actions), which are minus infinity for illegal actions."""
        return self._answers(engine, games)[0]

    def _answers(self, engine: BatchEngine, games: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits, shape (n, actions), minus infinity for illegal actions, and values, shape (n, seats)."""
        if self._fitting is None or self._fitting() is not engine:
            self._check(engine)
        encoder = engine.encoder(self.description["encoder"], self.description["dtype"])
        observation_parts = parts_of(encoder.encode(games=games))
        if self._lookahead is not None:
            terms_now, term_changes = self._lookahead.encode(
                games, games.astype(np.uint64)
            )  # fixed seeds, so that equal positions get equal results
            observation_parts |= {"legal": engine.action_mask[games], "now": terms_now, "lookahead": term_changes}
        with torch.inference_mode():
            logits, values, _ = self.network(as_tensors(observation_parts, next(self.network.parameters()).device))
            logits, values = logits.float().cpu(), values.float().cpu()
            return logits.masked_fill_(torch.from_numpy(~engine.action_mask[games]), -torch.inf), values

    def _choose(self, logits: torch.Tensor, games: np.ndarray) -> np.ndarray:
        return self._choose_logged(logits, games)[0]

    def _choose_logged(self, logits: torch.Tensor, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return an action for each row of logits, and the log-probability of that action under the policy."""
        with torch.inference_mode():
            if self.deterministic:
                return logits.argmax(dim=1).numpy(), np.zeros(len(games))
            chances = torch.softmax(logits.double(), dim=1)
            cumulated = chances.cumsum(dim=1).numpy()
        # Take the first action whose cumulative probability exceeds the target; its own probability is never 0.
        targets = self._streams.uniform(games) * cumulated[:, -1]
        actions = (cumulated <= targets[:, None]).sum(axis=1)
        return actions, np.log(chances.numpy()[np.arange(len(games)), actions])

    def _check(self, engine: BatchEngine) -> None:
        """Check that the agent was trained on the engine's game.

        Raises:
            CheckpointError: it was not.
        """
        own_description = self.description
        with importing(False):  # loading a checkpoint runs no code: the caller must import the encoder's module
            encoder = engine.encoder(own_description["encoder"], own_description["dtype"])
        played_game = laid_out(engine, encoder)
        for key, meaning in MUST_AGREE.items():
            if played_game[key] != own_description[key]:
                raise CheckpointError(
                    f"Agent {self.name!r} was trained on {own_description['scenario']!r} version "
                    f"{own_description['version']} with {own_description['num_players']} players; this game differs: "
                    f"{meaning} is {played_game[key]!r}, not {own_description[key]!r}. "
                    "Use the agent in a game it was trained on, or train an agent for this one."
                )
        terms = own_description["network"].get("terms")
        lookahead = LookaheadFeatures(engine) if terms else None
        if lookahead is not None and lookahead.terms != terms[0]:
            raise CheckpointError(
                f"Agent {self.name!r} was trained with evaluation terms that this version lacks: "
                f"{', '.join(lookahead.terms)}. Train it again."
            )
        self._fitting, self._lookahead = weakref.ref(engine), lookahead


def read_description(folder: Path) -> dict[str, Any]:
    """Read and validate the `checkpoint.json` of a checkpoint.

    Raises:
        CheckpointError: the file is missing or corrupt.
    """
    path = folder / DESCRIPTION_FILE
    description = read_json(path, "checkpoint", CheckpointError)
    if description.get("format") != FORMAT:
        raise CheckpointError(
            f"{path} does not describe a checkpoint: its 'format' must be {FORMAT!r}. Give the folder of a checkpoint."
        )
    wrong_keys = [key for key, kind in KEYS.items() if type(description.get(key)) is not kind]
    wrong_keys += [key for key, usual in USUAL.items() if type(description.get(key, usual)) is not type(usual)]
    if not wrong_keys and not is_network(description["network"], description["actions"], description["num_players"]):
        wrong_keys = ["network"]
    if wrong_keys:
        raise CheckpointError(
            f"{path} is damaged: these keys are missing or have wrong values: {', '.join(wrong_keys)}."
        )
    return description


def _name_of(folder: Path) -> str:
    folder = folder.resolve()
    return folder.parent.name if folder.name == "checkpoint" else folder.name
