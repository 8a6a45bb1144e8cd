"""The dice game: for one to six players on the front of the sheet, and for two to four on its back, the Plus form."""

from importlib import resources

from catan_env.games.base import largest_army, victory
from catan_env.games.dice_game import (
    dice_turns,
    gold_trade,
    knight_jokers,
    points_row,
    rolling,
    sheet,
    sheet_points,
    sheet_route,
)
from catan_env.games.dice_game.paper import read_sheet
from catan_env.games.load import make_scenario

SHEET_MODULES = (dice_turns, rolling, sheet, gold_trade, knight_jokers)

_folder = resources.files("catan_env.games.dice_game") / "sheets"
dice_game = make_scenario(__name__, "dice_game", (*SHEET_MODULES, points_row), read_sheet(_folder / "dice_game.toml"))
dice_game_plus = make_scenario(
    __name__,
    "dice_game_plus",
    (*SHEET_MODULES, sheet_points, largest_army, sheet_route, victory),
    read_sheet(_folder / "dice_game_plus.toml"),
)
