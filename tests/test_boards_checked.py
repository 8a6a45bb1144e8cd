"""Invalid map files: the checker lists their errors, and loading them raises no exception except `BoardError`."""

import copy
import json
import random
import re

import pytest

from catan_env.board import check_file, load_map
from catan_env.errors import BoardError
from catan_training import cli
from tests.graph_boards import GRAPH, GRID, GRID_TEXT, entry


@pytest.mark.core
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t["hexes"].append(t["hexes"][0]), "hexes: id 'ridge' is given twice"),
        (lambda t: t.update(format="catan-geography/9"), "format: is 'catan-geography/9'"),
        (lambda t: t.pop("roads"), "roads: must be a list"),
        (lambda t: t["roads"][0].update(a="nowhere"), "roads: 'r1' ends at 'nowhere', which is not a junction"),
        (lambda t: t["roads"][0].update(a="west"), None),
        (lambda t: t["roads"][0].update(a="pass"), "joins the same junctions as"),
        (lambda t: t["roads"].__delitem__(slice(0, 2)), None),
        (lambda t: t["roads"].__delitem__(10), "certificates: 'quay' has roads with 'r11'"),
        (lambda t: t["roads"][10].pop("certificate"), "'r11', which does not name this certificate"),
        (lambda t: t["roads"][0].update(red=True), "roads: 'r1' is red without a certificate"),
        (lambda t: t["certificates"][0].update(rate=3), "'quay' has rate 3 and resource 'wool'"),
        (lambda t: t["vp_chips"].update({"3": 2}), "vp_chips: 2 chips for 3 players, but 1 junctions of kind 'vp'"),
        (lambda t: entry(t, "junctions", "north").update(hexes=[]), "site 'north' touches no hex"),
        (lambda t: entry(t, "junctions", "north").update(kind="city"), "'north' is of kind 'city'; allowed: site"),
        (lambda t: entry(t, "junctions", "north").update(hexes=["lake"]), "with 'lake', which is not a hex"),
        (lambda t: t["hexes"][0].update(number=7), "hexes: 'ridge' has number 7"),
        (lambda t: t["hexes"][0].update(terrain="lava"), "terrain 'lava'; allowed: forest"),
        (lambda t: t["hexes"][0].update(resource="wool"), "resource 'wool', but its terrain mountains produces ore"),
        (lambda t: t["canal"].update(sites_west_to_east=["west"]), "canal: 'east' must be both"),
        (lambda t: t["robber_start"].update(hex="lake"), "robber_start: hex 'lake' does not exist"),
        (lambda t: t["marks"]["toll"].update(price=[1]), "mark 'toll': price has 1 entries for 2 paths"),
        (lambda t: t["marks"]["toll"].update(roads=["r3", "r3"]), "is listed twice"),
        (lambda t: t["marks"].update(site={"roads": ["r1"]}), "already has an axis with this name"),
        (lambda t: t["marks"].update({"two words": {"roads": []}}), "a name has letters"),
    ],
)  # fmt: skip
def test_errors_name_key_and_id(change, message):
    table = copy.deepcopy(GRAPH)
    change(table)
    if message is None:
        load_map(table)
        return
    with pytest.raises(BoardError, match=re.escape(message)):
        load_map(table)


@pytest.mark.core
def test_what_cannot_be_reached_is_found():
    table = copy.deepcopy(GRAPH)
    table["roads"] = [road for road in table["roads"] if road["id"] not in ("r9", "r10")]
    with pytest.raises(BoardError, match="not connected; no road leads from 'pass' to 'mill'"):
        load_map(table)
    table = copy.deepcopy(GRAPH)
    entry(table, "junctions", "pass")["kind"] = "site"
    table["vp_chips"] = {}
    with pytest.raises(BoardError, match="canal: no road leads from 'west' to 'east' without passing another site"):
        load_map(table)
    table = copy.deepcopy(GRAPH)
    for name in ("pass", "bridge"):
        entry(table, "junctions", name)["kind"] = "plain"
    for name in ("east", "west", "south", "north"):
        entry(table, "junctions", name)["kind"] = "plain"
    table |= {"vp_chips": {}, "canal": {"sites_west_to_east": []}}
    entry(table, "junctions", "north")["kind"] = "site"
    load_map(table)
    entry(table, "junctions", "port")["kind"] = "plain"
    load_map(table)  # a single site needs no road to another


def test_the_checker_lists_everything(tmp_path, capsys):
    file = tmp_path / "valleys.json"
    file.write_text(json.dumps(GRAPH))
    assert check_file(file) == [] and cli.main(["board", "check", str(file)]) == 0
    assert "map three_valleys is valid (own; hexes 3" in capsys.readouterr().out
    table = copy.deepcopy(GRAPH)
    table["hexes"][0]["number"] = 7
    table["roads"][0]["b"] = "nowhere"
    file.write_text(json.dumps(table))
    assert cli.main(["board", "check", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and "'ridge' has number 7" in lines[0] and "'nowhere'" in lines[1] and "2 errors" in lines[2]
    file.write_text("{")
    assert cli.main(["board", "check", str(file)]) == 2
    assert "valleys.json, line 1, column 2: this is not JSON" in capsys.readouterr().err
    assert cli.main(["board", "check", str(tmp_path / "none.toml")]) == 2
    (tmp_path / "grid.toml").write_text(GRID_TEXT)
    assert check_file(tmp_path / "grid.toml") == []


ODD = (None, True, -1, 0, 7, 1.5, 10**30, float("nan"), "", "x", "west", [], [1], {}, {"id": "x"}, [[]], ["r1", 3])


def spoiled(params, rng):
    """Return a copy of the table with one random value replaced, removed or duplicated."""
    params = copy.deepcopy(params)
    place, key = None, None
    here = params
    while isinstance(here, (dict, list)) and here and (place is None or rng.random() < 0.8):
        place = here
        key = rng.choice(list(here)) if isinstance(here, dict) else rng.randrange(len(here))
        here = place[key]
    match rng.randrange(6):
        case 0:
            del place[key]
        case 1 if isinstance(place, list):
            place.append(copy.deepcopy(place[key]))
        case _:
            place[key] = copy.deepcopy(rng.choice(ODD))
    return params


@pytest.mark.parametrize("source", ["base", "large", "new_york", GRID, GRAPH], ids=lambda s: str(s)[:9])
def test_damaged_files_are_refused_with_a_board_error(source):
    rng, refused, whole = random.Random(5), 0, load_map(source).source
    for _ in range(150):
        try:
            load_map(spoiled(whole, rng))
        except BoardError as error:
            refused += 1
            assert len(str(error)) > 10
    assert refused > 50
