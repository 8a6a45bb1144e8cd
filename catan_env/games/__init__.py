"""The game systems, one folder each: rule modules, scenarios, maps, drawings. Importing this package registers the
scenarios and the maps."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

from catan_env.board import register_maps
from catan_env.engine.registry import register_extra
from catan_env.games.options import card_counting
from catan_env.games.seafarers import variable_setup

for _folder in sorted(Path(__path__[0]).glob("*/maps")):
    register_maps(_folder)

for _system in iter_modules(__path__, f"{__name__}."):
    if _system.ispkg and find_spec(f"{_system.name}.scenarios"):
        import_module(f"{_system.name}.scenarios")

register_extra("card_counting", card_counting)
register_extra("variable_setup", variable_setup, for_all=False)
