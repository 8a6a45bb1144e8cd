"""Small games to begin with: `catan_env.make("catan_training.curriculum:seven_hexes")`.

Importing this package registers them. `seven_hexes` is the base game on seven hexes to five points, without trade
between players. It has half the actions and features of `base`.
"""

from pathlib import Path

from catan_env import register_file

SEVEN_HEXES = register_file(Path(__file__).parent / "seven_hexes.toml")
"""The scenario "seven_hexes"."""
