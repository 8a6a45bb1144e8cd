"""Names of places as people say them, by what lies around: "6 hills, 3 forest, 11 fields".

They depend on the board that is laid, unlike the coordinates, which `Topology.names` has and which can be parsed.
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
    """What people call the places of a laid board, by kind ("hexes", "intersections", "paths"); each name once.

    A hex is called by number and terrain, an intersection by its hexes, a path by the hexes on its sides; with one hex
    only, or where that is said of several places, the compass point seen from the hexes follows, and where that does
    not tell them apart either, the coordinates. Places with a proper name have that. While a board is not laid yet,
    there are coordinates alone.

    Args:
        terrain: (H,) indices into `TERRAINS`, -1 for what is not laid.
        number: (H,) number tokens, 0 for none.
    """
    laid = np.asarray(terrain, np.int16), np.asarray(number, np.int16)
    return dict(_names(topology, laid[0].tobytes(), laid[1].tobytes()))


@lru_cache(maxsize=256)
def _names(topology: Topology, terrain_bytes: bytes, number_bytes: bytes) -> dict[str, tuple[str, ...]]:
    terrain = np.frombuffer(terrain_bytes, np.int16).tolist()
    number = np.frombuffer(number_bytes, np.int16).tolist()
    if NOTHING in terrain:
        return {kind: topology.names(kind) for kind in KINDS}
    hexes = [f"{n} {TERRAINS[t]}" if n else TERRAINS[t] for t, n in zip(terrain, number, strict=True)]
    found = {
        "hexes": [
            (f"{plain} ({title})" if title else plain, "")
            for title, plain in zip(_titles(topology, "hexes"), hexes, strict=True)
        ],
        "intersections": _by_hexes(topology, "intersections", hexes, ", "),
        "paths": _by_hexes(topology, "paths", hexes, " / "),
    }
    return {kind: _unique(topology, kind, names) for kind, names in found.items()}


def _titles(topology: Topology, kind: str) -> tuple[str, ...]:
    return topology.titles.get(kind) or ("",) * topology.count(kind)


def _by_hexes(topology: Topology, kind: str, labels: list[str], between: str) -> list[tuple[str, str]]:
    """(name, compass point) of each place: what its hexes are called, and where it lies seen from them."""
    titles = _titles(topology, kind)
    around = getattr(topology, f"{KINDS[kind]}_hexes")
    xy = getattr(topology, f"{KINDS[kind]}_xy")
    ends = _titles(topology, "intersections")
    found = []
    for place, row in enumerate(around.tolist()):
        hexes = [h for h in row if h != NOTHING]
        named = [ends[i] for i in topology.path_intersections[place]] if kind == "paths" else []
        if titles[place]:
            found.append((titles[place], ""))
        elif named and all(named):
            found.append((" - ".join(named), ""))
        elif not hexes:
            found.append(("", ""))
        else:
            dx, dy = (xy[place] - topology.hex_xy[hexes].mean(axis=0)).tolist()
            wind = WINDS[round(math.atan2(dy, dx) / (math.pi / 4)) % len(WINDS)] if dx * dx + dy * dy > 1e-6 else ""
            name = between.join(labels[h] for h in hexes)
            found.append((f"{name} {wind}", "") if len(hexes) == 1 and wind else (name, wind))
    return found


def _unique(topology: Topology, kind: str, names: list[tuple[str, str]]) -> tuple[str, ...]:
    """Names with as much behind them as tells them apart: nothing, the compass point, the coordinates."""
    prefix = "path " if kind == "paths" else ""
    short = [prefix + name for name, _ in names]
    longer = [f"{prefix}{name} {wind}".rstrip() for name, wind in names]
    found = []
    for place, key in enumerate(topology.keys(kind)):
        name = short[place] if short.count(short[place]) == 1 else longer[place]
        if longer.count(longer[place]) > 1 or not names[place][0]:
            at = " ".join(map(str, key))
            name = f"{short[place]} [{at}]".strip() if names[place][0] else topology.names(kind)[place]
        found.append(name)
    return tuple(found)
