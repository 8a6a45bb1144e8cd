"""The scenarios of this package. Importing it registers them."""

from catan_env.engine.registry import register_extra
from catan_env.rules.options import card_counting
from catan_env.rules.sea import variable_setup
from catan_env.scenarios import base as base
from catan_env.scenarios import cities_and_knights as cities_and_knights
from catan_env.scenarios import dice_game as dice_game
from catan_env.scenarios import frenemies as frenemies
from catan_env.scenarios import geography as geography
from catan_env.scenarios import helpers as helpers
from catan_env.scenarios import sea as sea
from catan_env.scenarios import sea_robbers as sea_robbers
from catan_env.scenarios import trade_partners as trade_partners
from catan_env.scenarios import troy as troy
from catan_env.scenarios import two_player as two_player

register_extra("card_counting", card_counting)
register_extra("variable_setup", variable_setup, for_all=False)
