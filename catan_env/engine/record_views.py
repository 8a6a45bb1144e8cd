"""Views of records: functions that hash, compare and copy selected fields as blocks of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from catan_env.engine.binding import digest
from catan_env.engine.compiler.record_bytes import ENTRIES, comparer, copier, hasher
from catan_env.engine.compose import Composition

__all__ = ["ENTRIES", "add_record_view"]


def add_record_view(composition: Composition, name: str, fields: Iterable[str]) -> None:
    """Define three functions for a view of records that consists of the given fields.

    `hash_of_NAME(game)` returns an index below `ENTRIES`. `equal_NAME(one, other)` compares the view in two records.
    `copy_NAME(one, other)` copies the view, together with any bytes in between, from `other` to `one`.
    """
    dtype = composition.record_dtype
    byte_mask = np.zeros(dtype.itemsize, np.uint8)
    field_layouts: Mapping[str, Any] = dtype.fields or {}
    for field_dtype, offset in (field_layouts[field][:2] for field in fields):
        byte_mask[offset : offset + field_dtype.itemsize] = 255
    mask = byte_mask.tobytes()
    comment_line = f"# of the bytes {digest([mask.hex()])}"
    for prefix, make_function in (("hash_of", hasher), ("equal", comparer), ("copy", copier)):
        arguments = "game" if make_function is hasher else "one, other"
        composition.add_function(
            f"{prefix}_{name}", arguments, [comment_line, f"return f({arguments})"], {"f": make_function(mask)}
        )
