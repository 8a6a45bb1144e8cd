"""Validation of maps given as graphs. Each message names the key and id where the problem was found."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from catan_env.board.terrain import BARE, HARBOR_KINDS, RESOURCES, TERRAINS
from catan_env.numeric import is_integer

FORMAT = "catan-geography/1"
SITE, CANAL_SITE, VP, PLAIN = "site", "canal_site", "vp", "plain"
JUNCTIONS = (SITE, CANAL_SITE, VP, PLAIN)
SITES = (SITE, CANAL_SITE)
MOST = 1000
Table = Mapping[str, Any]


def problems(table: Table) -> list[str]:
    """Return a list with a sentence for each problem in a `catan-geography/1` map; empty if the map is valid.

    Relations between parts are checked only once every part is well-formed.
    """
    complaints = [*_of_form(table)]
    if not complaints:
        complaints = [*_of_parts(table)]
    if not complaints:
        complaints = [*_of_whole(table)]
    return complaints


# -- form: lists of entries with ids ----------------------------------------------------------------------


def _of_form(table: Table) -> Iterator[str]:
    if table.get("format") != FORMAT:
        yield f"format: is {table.get('format')!r}; allowed: {FORMAT!r}"
        return
    for key in ("hexes", "junctions", "roads", "certificates"):
        entries = table.get(key, [] if key == "certificates" else None)
        if not isinstance(entries, list) or (not entries and key != "certificates") or len(entries) > MOST:
            yield f"{key}: must be a list of 1 to {MOST} entries"
            continue
        seen_ids: set[str] = set()
        for entry_index, entry in enumerate(entries):
            if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"]:
                yield f"{key}: entry {entry_index + 1} has no id (a string)"
            elif entry["id"] in seen_ids:
                yield f"{key}: id {entry['id']!r} is given twice"
            else:
                seen_ids.add(entry["id"])
    for key in ("name", "status", "id"):
        if not isinstance(table.get(key, ""), str):
            yield f"{key}: must be a string, not {table[key]!r}"
    for key in ("robber_start", "vp_chips", "canal", "marks"):
        if not isinstance(table.get(key, {}), dict):
            yield f"{key}: must be a mapping, not {table[key]!r}"
    if not isinstance(table.get("harbors", []), list):
        yield "harbors: must be a list of [road id, kind]"


# -- parts: each entry, and the ids that it refers to ------------------------------------------------


def _of_parts(table: Table) -> Iterator[str]:  # noqa: C901 (a list of checks, one after the other)
    hexes = {entry["id"] for entry in table["hexes"]}
    junctions = {entry["id"]: entry for entry in table["junctions"]}
    roads = {entry["id"]: entry for entry in table["roads"]}
    for entry in table["hexes"]:
        entry_label = f"hexes: {entry['id']!r}"
        yield from _of_hex(entry, entry_label)
    for entry in table["junctions"]:
        entry_label = f"junctions: {entry['id']!r}"
        if entry.get("kind") not in JUNCTIONS:
            yield f"{entry_label} is of kind {entry.get('kind')!r}; allowed: {', '.join(JUNCTIONS)}"
        if not isinstance(entry.get("name") or "", str):
            yield f"{entry_label} has name {entry['name']!r}, which is not a string"
        if not _is_point(entry.get("pos")):
            yield f"{entry_label} needs pos, [x, y]"
        yield from _of_ids(entry.get("hexes"), hexes, f"{entry_label} has hexes", "hex")
    road_between: dict[frozenset, str] = {}
    for entry in table["roads"]:
        entry_label, ends = f"roads: {entry['id']!r}", [entry.get("a"), entry.get("b")]
        if bad_ends := [end for end in ends if not isinstance(end, str) or end not in junctions]:
            yield f"{entry_label} ends at {bad_ends[0]!r}, which is not a junction"
            continue
        if ends[0] == ends[1]:
            yield f"{entry_label} begins and ends at {ends[0]!r}"
        if (other_road := road_between.setdefault(frozenset(ends), entry["id"])) != entry["id"]:
            yield f"{entry_label} joins the same junctions as {other_road!r}"
        if "path" in entry and not _is_line(entry["path"]):
            yield f"{entry_label} needs a path of two or more points [x, y]"
        if "hexes" in entry:
            yield from _of_ids(entry["hexes"], hexes, f"{entry_label} has hexes", "hex")
    yield from _of_certificates(table, roads)
    robber_hex = table.get("robber_start", {}).get("hex")
    if robber_hex is not None and (not isinstance(robber_hex, str) or robber_hex not in hexes):
        yield f"robber_start: hex {robber_hex!r} does not exist"
    for entry in table.get("harbors", []):
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], str) or entry[0] not in roads:
            yield f"harbors: {entry!r} is not [road id, kind]"
        elif entry[1] not in HARBOR_KINDS:
            yield f"harbors: kind {entry[1]!r} at {entry[0]!r}; allowed: {', '.join(HARBOR_KINDS)}"
    for player_count, chip_count in table.get("vp_chips", {}).items():
        if not str(player_count).isdecimal() or not is_integer(chip_count) or chip_count < 0:
            yield f"vp_chips: {player_count!r} has {chip_count!r}; it must map players to chips, two integers"
    yield from _of_ids(table.get("canal", {}).get("sites_west_to_east", []), junctions, "canal: sites", "junction")


def _of_hex(entry: Table, where: str) -> Iterator[str]:
    terrain, number = entry.get("terrain"), entry.get("number")
    if terrain not in TERRAINS:
        yield f"{where} has terrain {terrain!r}; allowed: {', '.join(TERRAINS)}"
        return
    terrain_index = TERRAINS.index(terrain)
    if number is not None and (not is_integer(number) or number not in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)):
        yield f"{where} has number {number!r}; allowed: 2..6, 8..12, null"
    elif number is not None and terrain_index in BARE:
        yield f"{where} has number {number}, but a {terrain} must have none"
    resource = RESOURCES[terrain_index] if terrain_index < len(RESOURCES) else None
    if entry.get("resource", resource) != resource:
        yield f"{where} has resource {entry['resource']!r}, but its terrain {terrain} produces {resource}"
    if not isinstance(entry.get("label") or "", str):
        yield f"{where} has label {entry['label']!r}, which is not a string"
    if not _is_point(entry.get("center")):
        yield f"{where} needs center, [x, y]"
    if "polygon" in entry and (not _is_line(entry["polygon"]) or len(entry["polygon"]) < 3):
        yield f"{where} needs a polygon of three or more points [x, y]"


def _of_certificates(table: Table, roads: Mapping[str, Table]) -> Iterator[str]:
    """Check that certificates and red roads refer to each other."""
    certificates = {entry["id"]: entry for entry in table.get("certificates", [])}
    for entry in certificates.values():
        entry_label, resource = f"certificates: {entry['id']!r}", entry.get("resource")
        if not is_integer(entry.get("rate")) or entry["rate"] not in (2, 3):
            yield f"{entry_label} has rate {entry.get('rate')!r}; allowed: 2, 3"
        elif (entry["rate"] == 3) != (resource is None) or not (resource is None or resource in RESOURCES):
            yield f"{entry_label} has rate {entry['rate']} and resource {resource!r}; 2 needs a resource, 3 none"
        if not isinstance(entry.get("name") or "", str):
            yield f"{entry_label} has name {entry['name']!r}, which is not a string"
        yield from _of_ids(entry.get("roads"), roads, f"{entry_label} has roads", "road")
        if not entry.get("roads"):
            yield f"{entry_label} lies on no road"
        for road in entry["roads"] if isinstance(entry.get("roads"), list) else ():
            if isinstance(road, str) and road in roads and roads[road].get("certificate") != entry["id"]:
                yield f"{entry_label} lists road {road!r}, which does not name this certificate"
    for road in roads.values():
        entry_label, certificate_id = f"roads: {road['id']!r}", road.get("certificate")
        if bool(road.get("red")) != (certificate_id is not None):
            yield (
                f"{entry_label} is red without a certificate"
                if road.get("red")
                else f"{entry_label} is not red but has one"
            )
        elif certificate_id is not None and (not isinstance(certificate_id, str) or certificate_id not in certificates):
            yield f"{entry_label} names certificate {certificate_id!r}, which does not exist"
        elif certificate_id is not None and road["id"] not in (certificates[certificate_id].get("roads") or ()):
            yield f"{entry_label} names certificate {certificate_id!r}, which does not list this road"


def _of_ids(ids: Any, known: Any, what: str, kind: str) -> Iterator[str]:
    if not isinstance(ids, list):
        yield f"{what} {ids!r}, which is not a list of ids"
        return
    for entry_id in ids:
        if not isinstance(entry_id, str) or entry_id not in known:
            yield f"{what} with {entry_id!r}, which is not a {kind}"
        elif ids.count(entry_id) > 1:
            yield f"{what} with {entry_id!r} twice"


def _is_point(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) for x in value)
        and all(abs(x) < 1e6 for x in value)
    )


def _is_line(value: Any) -> bool:
    return isinstance(value, list) and len(value) >= 2 and all(map(_is_point, value))


# -- the whole: reachability ------------------------------------------------------------


def _of_whole(table: Table) -> Iterator[str]:  # noqa: C901 (a list of checks, one after the other)
    junctions = {entry["id"]: entry for entry in table["junctions"]}
    neighbors: dict[str, list[str]] = {junction: [] for junction in junctions}
    for road in table["roads"]:
        neighbors[road["a"]].append(road["b"])
        neighbors[road["b"]].append(road["a"])
    sites = {junction for junction, entry in junctions.items() if entry["kind"] in SITES}

    first_junction = table["junctions"][0]["id"]
    if unreachable := [
        junction for junction in junctions if junction not in _reached(first_junction, neighbors, set())
    ]:
        yield f"roads: the board is not connected; no road leads from {first_junction!r} to {unreachable[0]!r}"
    for junction in junctions:
        if junction in sites and not junctions[junction]["hexes"]:
            yield f"junctions: site {junction!r} touches no hex"
    vp_junction_count = sum(entry["kind"] == VP for entry in junctions.values())
    for player_count, chip_count in table.get("vp_chips", {}).items():
        if chip_count not in (0, vp_junction_count):
            yield (
                f"vp_chips: {chip_count} chips for {player_count} players, but {vp_junction_count} junctions "
                "of kind 'vp'"
            )
    for junction in junctions:
        if junction in sites and len(sites) > 1 and not (_reached(junction, neighbors, sites) & sites - {junction}):
            yield f"junctions: no road from site {junction!r} reaches another site"

    canal = table.get("canal", {}).get("sites_west_to_east")
    if canal is not None:
        marked_sites = [junction for junction, entry in junctions.items() if entry["kind"] == CANAL_SITE]
        if mismatched_sites := sorted(set(canal) ^ set(marked_sites)):
            yield f"canal: {mismatched_sites[0]!r} must be both of kind 'canal_site' and in sites_west_to_east"
        for site, next_site in pairwise(canal):
            if next_site not in _reached(site, neighbors, sites):
                yield f"canal: no road leads from {site!r} to {next_site!r} without passing another site"


def _reached(start: str, neighbors: Mapping[str, list[str]], ends: set[str]) -> set[str]:
    """Return the junctions that roads reach from `start` without passing through any of `ends`."""
    reached, open_ends = {start}, [start]
    while open_ends:
        junction = open_ends.pop()
        for neighbor in neighbors[junction] if junction == start or junction not in ends else ():
            if neighbor not in reached:
                reached.add(neighbor)
                open_ends.append(neighbor)
    return reached
