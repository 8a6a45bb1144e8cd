"""The folder of a training run: its state and log, and initial weights from trained agents.

A run's state is a single file, replaced atomically.
"""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch

from catan_agents import make_agent
from catan_agents.learned import GAME_KEYS, CheckpointError, LearnedAgent
from catan_env.whole_files import naming, write_whole
from catan_training.learning.config import TrainConfig

FORMAT = "catan-training/5"
STATE_FILE = "training.pt"


def new_folder(settings: TrainConfig) -> Path:
    """Create the folder `<out>/<name>-<date>-<time>`, adding a numeric suffix if it already exists."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for suffix in ("", *(f"-{k}" for k in range(2, 100))):
        folder = Path(settings.out) / f"{settings.name}-{stamp}{suffix}"
        if not folder.exists():
            folder.mkdir(parents=True)
            return folder
    raise FileExistsError(f"{folder} exists, and so do all names before it. Choose another name.")


@contextmanager
def writing_to(log_folder: str) -> Iterator[None]:
    """Include the TensorBoard log's path in write errors, and suppress the traceback from its writer thread."""
    show = threading.excepthook
    threading.excepthook = lambda failure: None if isinstance(failure.exc_value, OSError) else show(failure)
    try:
        with naming(log_folder):
            yield
    finally:
        threading.excepthook = show


def layouts(description: Mapping[str, Any]) -> dict[str, str]:
    """Return the layout hashes that must be unchanged when a run resumes, keyed by description."""
    title = f"{description['scenario']}, {description['num_players']} players"
    return {f"{kind} layout of {title}": description[f"{kind}_layout"] for kind in ("action", "observation")}


def save_state(folder: Path, state: Mapping[str, Any]) -> None:
    """Write the state of a run, given as nested dicts and lists of tensors, arrays, bytes, numbers and strings."""
    packed_state, file = _packed(state), io.BytesIO()
    torch.save({"format": FORMAT, "checksum": _checksum(packed_state), **packed_state}, file)
    write_whole(folder / STATE_FILE, file.getbuffer(), sync=True)


def load_state(folder: Path) -> dict[str, Any]:
    """Load a state written by `save_state`. Loading never executes code from the file.

    Raises:
        CheckpointError: the file is missing, corrupt or in a different format.
    """
    path = folder / STATE_FILE
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise CheckpointError(f"{str(folder)!r} holds no training run to resume: {error.strerror}.") from None
    except Exception as error:  # a corrupt pickle may raise anything
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise CheckpointError(f"{path} is damaged: {reason}") from error
    if not isinstance(state, dict) or state.pop("format", None) != FORMAT:
        raise CheckpointError(f"{path} is not the state of a training run of format {FORMAT!r}.")
    try:
        stated_checksum = state.pop("checksum", None)
        if stated_checksum is not None and stated_checksum != _checksum(state):
            raise ValueError("its checksum does not match its contents; restore an earlier copy")
        return _unpacked(state)
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path} is damaged: {error}.") from None


def _checksum(packed_state: Any) -> str:
    """Return the SHA-256 hash of all keys, numbers and bytes in a packed state."""
    total = hashlib.sha256()
    _add_to(total, packed_state)
    return total.hexdigest()


def _add_to(total: Any, value: Any) -> None:
    if isinstance(value, dict):
        total.update(f"table {len(value)} ".encode())
        for key, entry in value.items():
            total.update(f"{key!r} ".encode())
            _add_to(total, entry)
    elif isinstance(value, list):
        total.update(f"list {len(value)} ".encode())
        for entry in value:
            _add_to(total, entry)
    elif isinstance(value, torch.Tensor):
        total.update(f"tensor {value.dtype} {tuple(value.shape)} ".encode())
        total.update(value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    else:
        total.update(f"{value!r} ".encode())


def weights_of(start: str, description: Mapping[str, Any]) -> dict[str, torch.Tensor]:
    """Return a trained agent's weights.

    Args:
        start: the agent's name or folder.
        description: the run's network description; see `catan_agents.learned.describe`.

    Raises:
        CheckpointError: the agent has no network, or its games or network do not match the description.
    """
    agent = make_agent(start)
    if not isinstance(agent, LearnedAgent):
        raise CheckpointError(f"Training cannot start from {start!r}: it has no network. Name a trained agent.")
    for trained_part, needed_part in zip(_described(agent.description), _described(description), strict=False):
        for key in sorted(needed_part.keys() | trained_part.keys()):
            if trained_part.get(key) != needed_part.get(key):
                raise CheckpointError(
                    f"Training cannot start from {start!r}: its network has {key} = {trained_part.get(key)!r}, and "
                    f"this run needs {needed_part.get(key)!r}."
                )
    return agent.network.state_dict()


def _described(description: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of a description that must match for networks to share weights."""
    yield {key: description[key] for key in ("scenario", "num_players")}
    yield {key: description[key] for key in GAME_KEYS}
    yield {"lookahead_features": "terms" in description["network"]}
    yield description["network"]


def _packed(value: Any) -> Any:
    """Convert bytes and arrays to tensors, so that `torch.load` accepts them with `weights_only=True`."""
    if isinstance(value, bytes):
        return {"bytes": torch.frombuffer(bytearray(value), dtype=torch.uint8)}
    if isinstance(value, np.ndarray):
        return {"array": torch.from_numpy(value.copy())}
    if isinstance(value, dict):
        return {key: _packed(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_packed(entry) for entry in value]
    return value


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"bytes"}:
            return value["bytes"].numpy().tobytes()
        if set(value) == {"array"}:
            return value["array"].numpy()
        return {key: _unpacked(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_unpacked(entry) for entry in value]
    return value
