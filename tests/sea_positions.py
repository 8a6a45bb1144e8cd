"""Positions with ships, on the published board for four of Heading for New Shores unless another scenario is named.

The northern shore of the main island is the pastures (0, 3), the forest (1, 3) and the mountains (2, 3); across one
row of sea lies a small island, the mountains (1, 1) and the pasture (2, 1).
"""

from catan_env.board.terrain import FOG, HARBOR_KINDS
from catan_env.games.base.network import place_edge_piece
from catan_env.games.seafarers.pirate import set_pirate
from catan_env.games.seafarers.ships import AT_SEA, SHIP
from catan_env.games.seafarers.waters import refresh_hex
from catan_env.testing.positions import PositionBuilder, new_game


def launch(states, all_params, seat, path):
    """Kernel: sets a ship that was built in an earlier turn."""
    game, params = states[0], all_params[0]
    game.ships[path] = AT_SEA
    place_edge_piece(game, params, seat, SHIP, path)


def haunt(states, all_params, seat, hex):
    """Kernel: sets the pirate on a hex."""
    set_pirate(states[0], all_params[0], hex)


def cover(states, all_params, seat, hex):
    """Kernel: puts a sea hex back under the fog."""
    game, params = states[0], all_params[0]
    game.hexes_face_down[game.terrain[hex]] += 1
    game.terrain[hex] = FOG
    refresh_hex(game, params, hex)


class SeaPosition(PositionBuilder):
    """A position with ships."""

    def ship(self, seat, *sides):
        """Ships along sides of hexes, `(q, r, "NE E SE")`."""
        for q, r, names in sides:
            for side in names.split():
                self._steps.append((launch, seat, self._topology.path_at(q, r, side)))
        return self

    def pirate(self, q, r):
        """Sets the pirate on a hex."""
        self._steps.append((haunt, 0, self._topology.hex_at(q, r)))
        return self

    def fog(self, q, r):
        """Makes a sea hex unexplored."""
        self._steps.append((cover, 0, self._topology.hex_at(q, r)))
        return self


def sea(scenario="seafarers_new_shores", num_players=4, **rules):
    """An empty board."""
    return SeaPosition(scenario, num_players, rules)


def after_initial_placement(scenario):
    """A game of three in which everybody has placed at the first places, with ships where they may lie."""
    game = new_game(scenario, 3, start_player="seat_0").draw("start_player", 0)
    for _ in range(6):
        game.do("build_settlement", game.legal("build_settlement")[0])
        kind = "build_ship" if game.can("build_ship") else "build_road"
        game.do(kind, game.legal(kind)[0])
    return game


def paths(game, *sides):
    """Numbers of the paths at sides of hexes, `(q, r, "NE E SE")`."""
    return {game.path(q, r, side) for q, r, names in sides for side in names.split()}


def harbors(place, *without, **further):
    """The harbors as the board prints them, but for some; and further ones, `kind=(q, r, side)`."""
    topology = place._topology
    laid = dict(place._scenario.board.map.layouts["published"].harbors)
    for side in without:
        del laid[topology.path_at(*side)]
    laid.update({topology.path_at(*side): HARBOR_KINDS.index(kind) for kind, side in further.items()})
    return [laid.get(path, -1) for path in topology.coast_paths.tolist()]
