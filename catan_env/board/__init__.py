"""Boards: geometry, maps and layouts. Knows nothing of rules or players.

`hexgrid` turns axial coordinates into adjacency tables, `terrain` fixes names and their order, `map` reads
what a board always has (hexes, tokens, frame), `layout` what may differ from game to game (terrain, numbers,
harbors, robber).
"""

from catan_env.board.hexgrid import CORNERS, SIDES, Topology
from catan_env.board.layout import Layout, StartPieces
from catan_env.board.map import Map, load_map, map_names

__all__ = ["CORNERS", "SIDES", "Layout", "Map", "StartPieces", "Topology", "load_map", "map_names"]
