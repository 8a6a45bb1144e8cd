"""Boards: geometry, maps and layouts. Knows nothing of rules or players.

`topology` is what any board looks like to rules: places, adjacency, marks. `hexgrid` makes it of axial coordinates,
`graph_map` of explicit lists. `terrain` fixes names and their order, `map` is what a board always has, `layout` what
may differ from game to game (terrain, numbers, harbors, robber). `hex_map`, `graph_map` and `files` read them,
`graph_check` checks graphs, `names` has what people call places.
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
