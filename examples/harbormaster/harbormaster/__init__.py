"""Harbormaster, a rule for catan-env.

Importing this package registers the scenario "harbormaster" and the optional rule of the same name:
"base+harbormaster", "cities_and_knights+harbormaster".
"""

from pathlib import Path

import catan_env

from harbormaster import drawing, rules, scores  # noqa: F401 (drawing and scores register themselves)

SCENARIO = catan_env.register_file(Path(__file__).with_name("harbormaster.toml"))


def one_point_more(numbers):
    """Games with the card are played to one additional victory point."""
    return {"victory_points": numbers["victory_points"] + 1}


catan_env.register_optional("harbormaster", rules, one_point_more)
