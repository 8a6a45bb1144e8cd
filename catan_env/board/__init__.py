"""Boards: geometry, maps and layouts, independent of rules and players.

`topology` is the geometry that rules see: places, adjacency, marks. `hexgrid` builds it from axial coordinates,
`graph_map` from explicit lists. `terrain` defines names and their order. `map` is the constant part of a board, and
`layout` the part that can vary between games (terrain, numbers, harbors, robber). `hex_map`, `graph_map` and `files`
read maps, `graph_check` validates graphs, and `names` provides readable names for places.
"""

from catan_env.board.files import (
    board_of,
    check_file,
    is_layout_file,
    load_map,
    map_names,
    maps_of_layout,
    read_file,
    register_maps,
    saved_board,
)
from catan_env.board.hexgrid import CORNERS, SIDES, HexGrid
from catan_env.board.layout import Layout, StartPieces
from catan_env.board.map import Map
from catan_env.board.names import place_names
from catan_env.board.topology import Mark, Topology

__all__ = [
    "CORNERS",
    "SIDES",
    "HexGrid",
    "Layout",
    "Map",
    "Mark",
    "StartPieces",
    "Topology",
    "board_of",
    "check_file",
    "is_layout_file",
    "load_map",
    "map_names",
    "maps_of_layout",
    "place_names",
    "read_file",
    "register_maps",
    "saved_board",
]
