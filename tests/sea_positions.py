"""Positions with ships, on the published four-player board of Heading for New Shores unless a test names another one.

The pasture (0, 3), the forest (1, 3) and the mountains (2, 3) form the northern shore of the main island. One row of
sea separates it from a small island: the mountains (1, 1) and the pasture (2, 1).
"""

from catan_env.board.terrain import FOG, HARBOR_KINDS
from catan_env.games.base.network import place_edge_piece
from catan_env.games.seafarers.pirate import set_pirate
from catan_env.games.seafarers.ships import AT_SEA, SHIP
from catan_env.games.seafarers.waters import refresh_hex
from catan_env.testing.positions import PositionBuilder, new_game


def launch(states, all_params, seat, path):
    """Kernel: place a ship that was built in an earlier turn."""
    game, params = states[0], all_params[0]
    game.ships[path] = AT_SEA
    place_edge_piece(game, params, seat, SHIP, path)


def haunt(states, all_params, seat, hex):
    """Kernel: place the pirate on a hex."""
    set_pirate(states[0], all_params[0], hex)


def cover(states, all_params, seat, hex):
    """Kernel: cover a sea hex with fog again."""
    game, params = states[0], all_params[0]
    game.hexes_face_down[game.terrain[hex]] += 1
    game.terrain[hex] = FOG
    refresh_hex(game, params, hex)


class SeaPosition(PositionBuilder):
    """A position under construction, with ships, the pirate and fog."""

    def ship(self, seat, *sides):
        """Place ships along sides of hexes, given as `(q, r, "NE E SE")`."""
        for q, r, names in sides:
            for side in names.split():
                self._steps.append((launch, seat, self._topology.path_at(q, r, side)))
        return self

    def pirate(self, q, r):
        """Place the pirate on a hex."""
        self._steps.append((haunt, 0, self._topology.hex_at(q, r)))
        return self

    def fog(self, q, r):
        """Make a sea hex unexplored."""
        self._steps.append((cover, 0, self._topology.hex_at(q, r)))
        return self


def sea(scenario="seafarers_new_shores", num_players=4, **rules):
    """Return a position that starts with an empty board."""
    return SeaPosition(scenario, num_players, rules)


def after_initial_placement(scenario):
    """Return a three-player game after an initial placement at the first legal sites, with ships where possible."""
    game = new_game(scenario, 3, start_player="seat_0").draw("start_player", 0)
    for _ in range(6):
        game.do("build_settlement", game.legal("build_settlement")[0])
        kind = "build_ship" if game.can("build_ship") else "build_road"
        game.do(kind, game.legal(kind)[0])
    return game


def paths(game, *sides):
    """Return the indices of the paths at sides of hexes, given as `(q, r, "NE E SE")`."""
    return {game.path(q, r, side) for q, r, names in sides for side in names.split()}


def harbors(place, *without, **further):
    """Return the kind of harbor on each coast path, or -1 for none.

    These are the published harbors, except those at the sides `without`, and in addition `kind=(q, r, side)`.
    """
    topology = place._topology
    laid = dict(place._scenario.board.map.layouts["published"].harbors)
    for side in without:
        del laid[topology.path_at(*side)]
    laid.update({topology.path_at(*side): HARBOR_KINDS.index(kind) for kind, side in further.items()})
    return [laid.get(path, -1) for path in topology.coast_paths.tolist()]
