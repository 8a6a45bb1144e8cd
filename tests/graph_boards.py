"""Boards for tests: the two examples of the page *Map files*, and Corsica with off-map production."""

import copy
import json
import re
import tomllib
from pathlib import Path

from catan_env.board import load_map

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "reference" / "map_files.md").read_text(encoding="utf-8")
GRID_TEXT = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
GRID = tomllib.loads(GRID_TEXT)
GRAPH = json.loads(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1])
NUMBERS = {"bank_per_resource": 19, "development_deck": [14, 2, 2, 2, 5], "victory_points": 10}


def corsica_with_a_town_abroad():
    """Return Corsica with off-map production, where Bastia also produces from a distant hex, and that hex's id."""
    table = copy.deepcopy(dict(load_map("corsica").source))
    away = next(e["id"] for e in table["hexes"] if e["number"] == 12)
    for junction in table["junctions"]:
        if junction["kind"] == "plain" and away in junction["hexes"]:
            junction["hexes"].remove(away)
            break
    next(e for e in table["junctions"] if e["id"] == "bastia")["hexes"].append(away)
    return table, away


def entry(params, key, name):
    return next(e for e in params[key] if e["id"] == name)
