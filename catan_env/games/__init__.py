"""The game systems: one folder each, with rule modules, scenarios, maps and drawings.

Importing this package registers the maps, the scenarios and the scenario file reader.
"""

from pathlib import Path

from catan_env.board import register_maps
from catan_env.engine.registry import register_optional, register_reader
from catan_env.games.options import card_counting, cards_at_once, catanatron_roads, whole_payments, win_on_any_turn
from catan_env.games.scenario_file import read_scenario, register_files

for _folder in sorted(Path(__path__[0]).glob("*/maps")):
    register_maps(_folder)
for _folder in sorted(Path(__path__[0]).glob("*/scenarios")):
    register_files(_folder)

register_reader(read_scenario)
register_optional("card_counting", card_counting)
register_optional("cards_at_once", cards_at_once)
register_optional("catanatron_roads", catanatron_roads)
register_optional("whole_payments", whole_payments)
register_optional("win_on_any_turn", win_on_any_turn)
