"""Snapshots as bytes: a JSON header, the raw arrays, and a checksum of both."""

from __future__ import annotations

import hashlib
import json
import math
import operator
from typing import Any

import numpy as np

from catan_env.errors import SnapshotError
from catan_env.text_files import json_of, text_of

NAME, VERSION = b"catan-snapshot/", b"2"
MAGIC = NAME + VERSION + b"\n"
NAMES = {"games": "number of games", "recorded": "recording of replay logs"}
"""Names of identity entries, as shown in messages."""
FINGERPRINTS = {
    "layout": "layout of records, actions or outcomes differs: it was saved with other rules of this scenario",
    "record": "layout of records differs: it was saved with another version of catan_env",
    "params": "board differs from the engine's",
}
"""Messages shown when identity entries that are hashes differ."""


def pack(identity: dict[str, Any], rules: dict[str, Any], arrays: list[np.ndarray]) -> bytes:
    """Return an engine's identity and arrays as bytes.

    `rules` are the engine's rule numbers; `unpack` compares them to explain mismatches.
    """
    shapes = [list(array.shape) for array in arrays]
    header = json.dumps({"identity": identity, "rules": rules, "shapes": shapes}, sort_keys=True).encode() + b"\n"
    body = MAGIC + header + b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return body + hashlib.sha256(body).digest()


def unpack(
    data: bytes, identity: dict[str, Any], rules: dict[str, Any], templates: list[np.ndarray]
) -> list[np.ndarray]:
    """Return a snapshot's arrays, with the dtypes and shapes of the templates.

    The last array is the log. Its room may differ from that of its template, unless exactly one of the two is empty.

    Raises:
        SnapshotError: the bytes are corrupt, or the snapshot has a different identity.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)) or bytes(data[: len(NAME)]) != NAME:
        raise SnapshotError("Not a snapshot: give the bytes that `engine.save()` returned.")
    data = bytes(data)
    version = data[len(NAME) :].partition(b"\n")[0][:20]
    if version != VERSION:
        raise SnapshotError(
            f"The snapshot has format {version.decode('ascii', 'replace')!r}; this version of catan_env reads "
            f"{VERSION.decode()!r}. Save a new one with `engine.save()`."
        )
    body, checksum = data[:-32], data[-32:]
    if hashlib.sha256(body).digest() != checksum:
        raise SnapshotError(
            "The snapshot is damaged: its checksum does not match its contents. Restore an earlier copy."
        )
    try:
        header_end = body.index(b"\n", len(MAGIC)) + 1
        text = text_of(body[len(MAGIC) : header_end], "the header", SnapshotError)
        header = json_of(text, "the header", "header", SnapshotError)
        stated_identity, shapes = (
            dict(header["identity"]),
            [tuple(map(operator.index, shape)) for shape in header["shapes"]],
        )
    except (ValueError, TypeError, KeyError) as error:  # a SnapshotError is a ValueError
        raise SnapshotError(f"The snapshot is damaged: its header cannot be read ({error!r}).") from None
    for key, own_value in identity.items():
        stated_value = stated_identity.get(key)
        if stated_value != own_value:
            difference = _difference(key, stated_value, own_value, header.get("rules"), json.loads(json.dumps(rules)))
            raise SnapshotError(
                f"The snapshot does not fit this engine: {difference}. "
                "Load it into an engine made with the same scenario, rules, board, players and number of games."
            )
    byte_counts = [math.prod(shape) * template.dtype.itemsize for shape, template in zip(shapes, templates)]
    *fixed_shapes, log_shape = shapes or [()]
    *fixed_templates, log_template = (template.shape for template in templates)
    fits = fixed_shapes == fixed_templates and len(log_shape) == len(log_template)
    fits = fits and log_shape[:-1] == log_template[:-1] and (log_shape[-1] == 0) == (log_template[-1] == 0)
    if not fits or min(byte_counts) < 0 or sum(byte_counts) != len(body) - header_end:
        raise SnapshotError(f"The snapshot is damaged: arrays of shapes {shapes} do not match its contents.")
    arrays, offset = [], header_end
    for shape, byte_count, template in zip(shapes, byte_counts, templates, strict=True):
        arrays.append(np.frombuffer(body[offset : offset + byte_count], template.dtype).reshape(shape).copy())
        offset += byte_count
    return arrays


def _difference(key: str, stated: Any, own: Any, stated_rules: Any, rules: dict[str, Any]) -> str:
    """Describe how an entry of a snapshot's identity differs from the engine's."""
    if key in FINGERPRINTS:
        if isinstance(stated_rules, dict) and stated is not None:
            for name, value in rules.items():
                if stated_rules.get(name) != value:
                    return f"its {name} is {stated_rules.get(name)!r}, the engine's is {value!r}"
        return f"its {FINGERPRINTS[key]}"
    return f"its {NAMES.get(key, key)} is {stated!r}, the engine's is {own!r}"


def check_log(entries: np.ndarray, lengths: np.ndarray, known: int, margin: int) -> None:
    """Raise SnapshotError unless replay logs, shape (N, room), have ids below `known` and `margin` free entries."""
    log_room = entries.shape[1]
    is_written = np.arange(log_room) < lengths[:, None]
    if log_room and ((lengths < 0) | (lengths + margin > log_room)).any():
        raise SnapshotError(f"Invalid snapshot: logs have lengths {lengths.tolist()}; the limit is {log_room}.")
    if not log_room and lengths.any():
        raise SnapshotError(f"Invalid snapshot: logs have lengths {lengths.tolist()}, but it has no logs.")
    if (entries[is_written] >= known).any():
        highest_id = entries[is_written].max()
        raise SnapshotError(f"Invalid snapshot: a log contains the id {highest_id}; allowed are 0 to {known - 1}.")


def check_rewards(rewards: np.ndarray) -> None:
    """Raise SnapshotError unless all rewards, shape (N, players), are finite."""
    is_wrong = ~np.isfinite(rewards)
    if is_wrong.any():
        game, seat = np.argwhere(is_wrong)[0].tolist()
        raise SnapshotError(
            f"Invalid snapshot: the reward of seat {seat} in game {game} is {rewards[game, seat]}; it must "
            "be a finite number. Nothing was changed."
        )
