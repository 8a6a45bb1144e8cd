"""Validation of board arrays when an engine is created, since compiled rules do not check bounds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from catan_env.engine.board import Board
from catan_env.engine.declarations import Declarations
from catan_env.engine.declare import BoardArray
from catan_env.errors import BoardError, CompositionError


def check_board_arrays(board: Board, arrays: Mapping[str, np.ndarray], composition: Declarations) -> None:
    """Check a board's arrays against the rules' declarations (`BOARD_ARRAYS`, `BOARD_CHECKS`).

    Raises:
        BoardError: a value is out of bounds, there are too few or too many entries, or arrays contradict each other.
            The message names the map, key and value.
    """
    for declared in composition.board_arrays:
        if declared.name in arrays:
            _check_length(board, declared, len(np.atleast_1d(arrays[declared.name])), composition)
            _check_bounds(board, declared, arrays[declared.name], composition)
    for check in composition.board_checks.values():
        if not check.holds(arrays):
            raise BoardError(f"{board.label}: {check.text}")


def check_reads(board: Board, reads: Mapping[str, str], composition: Declarations) -> None:
    """Check that rules read a map file's free numbers only if a module declares bounds for them.

    Args:
        board: the board, whose `free_numbers` can have any value.
        reads: names that rules read from `params`, each with a function that reads it.
        composition: the rules.

    Raises:
        CompositionError: the rules read a free number for which no module declares bounds.
    """
    declared_names = {declared.name for declared in composition.board_arrays}
    for name in board.free_numbers:
        if name in reads and name not in declared_names:
            raise CompositionError(
                f"{reads[name]} uses params.{name}, numbers of a map file, but no module of "
                f"{composition.display_name} declares their bounds. Add BoardArray({name!r}, ...) to the BOARD_ARRAYS "
                "of the module."
            )


def _check_length(board: Board, declared: BoardArray, count: int, composition: Declarations) -> None:
    least = composition.length(declared.least)
    most = count if declared.most is None else composition.length(declared.most)
    if not least <= count <= most:
        limit_text = f"at least {least}" if count < least else f"at most {most}"
        raise BoardError(
            f"{board.label}: {declared.key} has {count} entries; allowed: {limit_text} ({declared.meaning})"
        )


def _check_bounds(board: Board, declared: BoardArray, array: np.ndarray, composition: Declarations) -> None:
    low, high = composition.bounds(declared)
    values = array if declared.entry is None else array[..., declared.entry]
    is_wrong = (values < low) | (values > high)
    if is_wrong.any():
        index = tuple(np.argwhere(is_wrong)[0].tolist())
        index_text = "".join(f"[{k}]" for k in index)
        raise BoardError(
            f"{board.label}: {declared.key}{index_text} is {values[index]}; allowed are {low} to {high} "
            f"({declared.meaning})"
        )
