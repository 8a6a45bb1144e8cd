"""Hand-made positions on a small map of its own: what the rules do depends on no layout of a country.

    alba - p - brig - q - cove - dell - x - moor      sites, junctions p q x
      |    |              |        |    |
     kay - v ------------ w -------+   port           crossings v w; port lives on a hex that it does not touch
           |                                          canal sites kay lund moor:
          lund                                        kay - r - lund - s - moor, and r - s past lund

A road on p-brig trades 3:1, one on q-cove 2 wool, one on v-w 2 ore.
"""

import pytest

from catan_env.engine import registry
from catan_env.engine.registry import find_scenario
from catan_env.games.scenario_file import scenario_from
from catan_env.testing.positions import CITY, ROAD, SETTLEMENT, position

PLACES = {
    "alba": ("site", [0, 0], ["wood"]),
    "p": ("plain", [100, 0], ["wood"]),
    "brig": ("site", [200, 0], ["wood", "clay"]),
    "q": ("plain", [300, 0], ["clay"]),
    "cove": ("site", [400, 0], ["clay", "down"]),
    "dell": ("site", [500, 0], ["down"]),
    "x": ("plain", [600, 0], ["down"]),
    "port": ("site", [700, 100], ["rock"]),
    "v": ("vp", [100, 200], ["wood", "corn"]),
    "w": ("vp", [400, 200], ["corn", "down"]),
    "kay": ("canal_site", [0, 300], ["corn"]),
    "r": ("plain", [100, 400], ["corn"]),
    "lund": ("canal_site", [200, 300], ["corn"]),
    "s": ("plain", [300, 400], ["corn", "rock"]),
    "moor": ("canal_site", [500, 300], ["rock"]),
}
HEXES = {
    "wood": ("forest", 4, [100, 100]),
    "clay": ("hills", 5, [300, 100]),
    "down": ("pasture", 9, [500, 100]),
    "corn": ("fields", 10, [200, 200]),
    "rock": ("mountains", 8, [400, 350]),
    "sand": ("desert", None, [700, 300]),
}
ROADS = (
    "alba-p p-brig brig-q q-cove cove-dell dell-x x-moor x-port p-v v-w q-w w-dell "
    "v-kay v-lund kay-r r-lund r-s lund-s s-moor alba-kay"
).split()
RED = {"p-brig": (3, None), "q-cove": (2, "wool"), "v-w": (2, "ore")}


def a_map():
    """The map as its file would say it."""
    return {
        "format": "catan-geography/1",
        "id": "a_country",
        "vp_chips": {"3": 2, "4": 2, "5": 0, "6": 0},
        "robber_start": {"hex": None},
        "hexes": [
            {"id": name, "terrain": terrain, "number": number, "center": center}
            for name, (terrain, number, center) in HEXES.items()
        ],
        "junctions": [
            {"id": name, "kind": kind, "pos": pos, "hexes": hexes} for name, (kind, pos, hexes) in PLACES.items()
        ],
        "roads": [
            dict(zip("ab", name.split("-"), strict=True), id=name)
            | ({"red": True, "certificate": f"c {name}"} if name in RED else {})
            for name in ROADS
        ],
        "certificates": [
            {"id": f"c {name}", "rate": rate, "resource": resource, "roads": [name]}
            for name, (rate, resource) in RED.items()
        ],
        "canal": {"sites_west_to_east": ["kay", "lund", "moor"]},
    }


def country_of(modules):
    """A fixture: registers the scenario of these modules on the small map while tests of a file run."""

    @pytest.fixture(scope="module")
    def country():
        config = {
            "name": "a_country",
            "version": 0,
            "title": "A country",
            "summary": "For tests.",
            "board": {"map": a_map()},
        }
        numbers = find_scenario("new_york").numbers | {"victory_points": 12}
        scenario_from({**config, "facts": {"players": [3, 4]}, "numbers": numbers}, modules)
        yield "a_country"
        del registry._scenarios["a_country"]

    return country


country = country_of(find_scenario("corsica").modules)


class Land:
    """Places of a scenario's map by their ids."""

    def __init__(self, scenario):
        self.topology = find_scenario(scenario).board.topology

    def at(self, name):
        """The junction of this id."""
        return self.topology.intersection_at(name)

    def path(self, name):
        """The road of this id."""
        return self.topology.path_at(name)

    def names(self, paths):
        """Ids of roads."""
        return sorted(self.topology.path_keys[path][0] for path in paths)

    def towns(self, places):
        """Ids of junctions."""
        return sorted(self.topology.intersection_keys[place][0] for place in places)


def layout(scenario, towns=(), roads=(), cities=(), players=3, **rules):
    """A position: `roads` and `towns` are (seat, "id id ...") in the order they are set, roads first."""
    land, place = Land(scenario), position(scenario, players, rules)
    for kind, pieces in ((ROAD, roads), (SETTLEMENT, towns), (SETTLEMENT, cities), (CITY, cities)):
        for seat, names in pieces:
            for name in names.split():
                place.piece(kind, seat, land.path(name) if kind == ROAD else land.at(name))
    return place
