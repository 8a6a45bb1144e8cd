"""Load maps and boards from registered names, files or mappings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from catan_env.board.graph_check import problems
from catan_env.board.graph_map import graph_map
from catan_env.board.hex_map import hex_map
from catan_env.board.layout import Layout
from catan_env.board.map import LAYOUT_KEYS, Map
from catan_env.errors import BoardError
from catan_env.text_files import has_ending, other_file, read_json, read_toml

ENDINGS = (".toml", ".json")
DEFAULT_MAP = "base"
MISTYPED = (AttributeError, TypeError, ValueError, OverflowError, IndexError, RecursionError)
"""Errors that reading a map raises if it contains values of the wrong type or size."""


_named: dict[str, Path] = {}
"""Files of the registered maps, keyed by name."""


def register_maps(folder: Path) -> None:
    """Register all map files in a folder, each under its file name without the suffix."""
    for file in sorted(folder.iterdir()):
        if has_ending(file, *ENDINGS):
            _named[file.stem] = file


def map_names() -> tuple[str, ...]:
    """Return the names of the registered maps."""
    return tuple(sorted(_named))


def load_map(source: str | Path | Mapping[str, Any]) -> Map:
    """Return a map.

    `source` is the name of a registered map, the path of a .toml or .json file, or a mapping with the contents of such
    a file.

    Raises:
        BoardError: the map is unknown, or the file does not describe a complete one.
    """
    if isinstance(source, Mapping):
        return _map_of("", source)
    if _is_file(source):
        return _map_of(Path(source).stem, read_file(source))
    return _packaged(source)


def board_of(scenario_map: Map, board: Any) -> tuple[Map, Layout | None]:
    """Return the map and layout selected by `board=`. The layout is None if boards are drawn at random.

    `board` is None, a layout of the scenario's map (see `Map.layout`), or another map of the same sizes, given as a
    file, a `Map`, or a mapping with the contents of a file. A file may also contain a layout of the scenario's map. A
    mapping with the keys `map` and `layout` selects a layout of another map.

    Raises:
        BoardError: `board` is none of these, or the other map has different sizes.
    """
    if isinstance(board, Mapping) and set(board) == {"map", "layout"}:
        named_map = _of_same_sizes(
            scenario_map, board["map"] if isinstance(board["map"], Map) else load_map(board["map"])
        )
        return named_map, named_map.layout(board["layout"])
    if _is_file(board):
        contents = read_file(board)
        board = contents if _is_layout(contents) else _map_of(Path(board).stem, contents)
    elif isinstance(board, Mapping) and _describes_map(board):
        board = _map_of("", board)
    if isinstance(board, Map):
        return _of_same_sizes(scenario_map, board), board.layout(None)
    return scenario_map, scenario_map.layout(board)


def saved_board(scenario_map: Map, board_map: Map, layout: Layout | None) -> Any:
    """Return a JSON-serializable value from which `board_of` restores a board; None for the scenario's default."""
    if board_map is scenario_map:
        return None if layout is None else layout.to_coordinates()
    map_source = _plain(board_map.source)
    return map_source if layout is None else {"map": map_source, "layout": layout.to_coordinates()}


def is_layout_file(path: str | Path) -> bool:
    """Return whether a file contains a layout but no map.

    Raises:
        BoardError: the file cannot be read.
    """
    return _is_layout(read_file(path))


def maps_of_layout(path: str | Path) -> list[str]:
    """Return the names of the registered maps that fit a layout file.

    Raises:
        BoardError: no map fits. The message describes the problem with the map closest in number of hexes.
    """
    contents = read_file(path)
    names, refusals = [], {}
    for name in map_names():
        try:
            _packaged(name).layout(contents)
            names.append(name)
        except (BoardError, *MISTYPED) as error:
            refusals[name] = str(error)
    if not names:
        hex_counts = {name: _packaged(name).topology.num_hexes for name in refusals}
        listed_count = len(contents["hexes"]) if isinstance(contents.get("hexes"), list) else 0
        name = min(refusals, key=lambda name: (abs(hex_counts[name] - listed_count), name != DEFAULT_MAP))
        raise BoardError(
            f"layout {Path(path).stem!r} fits no bundled map; on map {name!r}: {refusals[name]}. For a layout of "
            "another map, name a scenario of that map with --scenario"
        )
    return names


def check_file(path: str | Path) -> list[str]:
    """Return a sentence for each problem in a map file, or in a layout file for a registered map.

    The list is empty if the file is valid.

    Raises:
        BoardError: the file cannot be read.
    """
    contents = read_file(path)
    if _is_layout(contents):
        try:
            maps_of_layout(path)
        except BoardError as error:
            return [str(error)]
        return []
    if "format" in contents and (complaints := problems(contents)):
        return complaints
    try:
        _map_of(Path(path).stem, contents)
    except BoardError as error:
        return [str(error)]
    return []


def read_file(path: str | Path) -> dict[str, Any]:
    """Return the contents of a map file or layout file.

    Raises:
        BoardError: the file cannot be read.
    """
    if not has_ending(path, *ENDINGS):
        raise BoardError(f"{path}: the name of a map or layout file must end in .toml or .json")
    if has_ending(path, ".json"):
        return read_json(path, "map or layout file", BoardError)
    return read_toml(path, "map or layout file", BoardError)


def _is_file(source: Any) -> bool:
    return isinstance(source, Path) or has_ending(source, *ENDINGS)


def _is_layout(contents: Mapping[str, Any]) -> bool:
    return bool(contents) and set(contents) <= set(LAYOUT_KEYS)


def _describes_map(table: Mapping[str, Any]) -> bool:
    return "rows" in table or "format" in table


def _of_same_sizes(scenario_map: Map, other: Map) -> Map:
    """Return the other map, or raise BoardError if it does not fit the rules compiled for the scenario's map."""
    scenario_sizes, other_sizes = scenario_map.sizes, other.sizes
    for axis in dict.fromkeys((*scenario_sizes, *other_sizes)):
        if scenario_sizes.get(axis) != other_sizes.get(axis):
            raise BoardError(
                f"map {other.name!r} has {other_sizes.get(axis, 'no')} {axis}, but this scenario needs "
                f"{scenario_sizes.get(axis, 'no')}; write a scenario with this map to play on it"
            )
    return other


@cache
def _packaged(name: str) -> Map:
    if name not in _named:
        raise BoardError(
            f"unknown map {name!r}; known: {', '.join(map_names())}, or give the path of a .toml or .json file."
            f"{other_file(name, *ENDINGS)}"
        )
    return _map_of(name, read_file(_named[name]))


def _map_of(name: str, table: Mapping[str, Any]) -> Map:
    try:
        read_map = graph_map if "format" in table else hex_map
        return replace(read_map(name, table), stem=name)
    except KeyError as error:
        raise BoardError(f"map {name!r}: key {error} is missing") from error
    except MISTYPED as error:
        raise BoardError(f"map {name!r}: {error}") from error


def _plain(value: Any) -> Any:
    """Return a deep copy made of plain dicts and lists."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
