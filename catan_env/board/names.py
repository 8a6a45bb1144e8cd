"""Names of places based on their surroundings, such as "6 hills, 3 forest, 11 fields".

These names depend on the layout. By contrast, the names in `Topology.names` consist of coordinates, do not depend on
the layout, and can be parsed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from catan_env.board.terrain import TERRAINS
from catan_env.board.topology import KINDS, NOTHING, Topology

WINDS = ("E", "SE", "S", "SW", "W", "NW", "N", "NE")


def place_names(topology: Topology, terrain: Sequence[int], number: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Return unique names for the places on a board, by kind ("hexes", "intersections", "paths").

    A hex is named after its number and terrain, an intersection after its hexes, and a path after the hexes on its
    sides. If there is only one hex, or if several places share the name, the compass direction from the hexes to the
    place is appended. If the name is still ambiguous, coordinates are appended. Proper names replace or extend these
    names. Before terrain is known, the coordinates serve as names.

    Args:
        terrain: (H,) indices into `TERRAINS`, -1 for hexes that have no terrain yet.
        number: (H,) number tokens, 0 for none.
    """
    laid_arrays = np.asarray(terrain, np.int16), np.asarray(number, np.int16)
    return dict(_names(topology, laid_arrays[0].tobytes(), laid_arrays[1].tobytes()))


@lru_cache(maxsize=256)
def _names(topology: Topology, terrain_bytes: bytes, number_bytes: bytes) -> dict[str, tuple[str, ...]]:
    terrain = np.frombuffer(terrain_bytes, np.int16).tolist()
    number = np.frombuffer(number_bytes, np.int16).tolist()
    if NOTHING in terrain:
        return {kind: topology.names(kind) for kind in KINDS}
    hex_names = [
        f"{token} {TERRAINS[terrain_index]}" if token else TERRAINS[terrain_index]
        for terrain_index, token in zip(terrain, number, strict=True)
    ]
    names_by_kind = {
        "hexes": [
            (f"{plain} ({title})" if title else plain, "")
            for title, plain in zip(_titles(topology, "hexes"), hex_names, strict=True)
        ],
        "intersections": _by_hexes(topology, "intersections", hex_names, ", "),
        "paths": _by_hexes(topology, "paths", hex_names, " / "),
    }
    return {kind: _unique(topology, kind, names) for kind, names in names_by_kind.items()}


def _titles(topology: Topology, kind: str) -> tuple[str, ...]:
    return topology.titles.get(kind) or ("",) * topology.count(kind)


def _by_hexes(topology: Topology, kind: str, labels: list[str], between: str) -> list[tuple[str, str]]:
    """Return a (name, compass point) pair for each place: the names of its hexes, and its direction from them."""
    titles = _titles(topology, kind)
    hexes_of_places = getattr(topology, f"{KINDS[kind]}_hexes")
    xy = getattr(topology, f"{KINDS[kind]}_xy")
    end_titles = _titles(topology, "intersections")
    names = []
    for place, hex_row in enumerate(hexes_of_places.tolist()):
        hexes = [hex for hex in hex_row if hex != NOTHING]
        end_names = [end_titles[i] for i in topology.path_intersections[place]] if kind == "paths" else []
        if titles[place]:
            names.append((titles[place], ""))
        elif end_names and all(end_names):
            names.append((" - ".join(end_names), ""))
        elif not hexes:
            names.append(("", ""))
        else:
            dx, dy = (xy[place] - topology.hex_xy[hexes].mean(axis=0)).tolist()
            wind = WINDS[round(math.atan2(dy, dx) / (math.pi / 4)) % len(WINDS)] if dx * dx + dy * dy > 1e-6 else ""
            name = between.join(labels[hex] for hex in hexes)
            names.append((f"{name} {wind}", "") if len(hexes) == 1 and wind else (name, wind))
    return names


def _unique(topology: Topology, kind: str, names: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return unique names, adding compass points or coordinates where necessary."""
    prefix = "path " if kind == "paths" else ""
    short_names = [prefix + name for name, _ in names]
    long_names = [f"{prefix}{name} {wind}".rstrip() for name, wind in names]
    unique_names = []
    for place, key in enumerate(topology.keys(kind)):
        name = short_names[place] if short_names.count(short_names[place]) == 1 else long_names[place]
        if long_names.count(long_names[place]) > 1 or not names[place][0]:
            coordinates = " ".join(map(str, key))
            name = f"{short_names[place]} [{coordinates}]".strip() if names[place][0] else topology.names(kind)[place]
        unique_names.append(name)
    return tuple(unique_names)
