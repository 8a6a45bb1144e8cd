"""Fishermen, a variant for catan-env. Importing this package registers the scenario "fishermen"."""

from pathlib import Path

import catan_env

from fishermen import drawing, scores  # noqa: F401 (they register themselves)

SCENARIO = catan_env.register_file(Path(__file__).with_name("fishermen.toml"))
