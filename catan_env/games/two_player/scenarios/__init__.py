"""CATAN for Two: two neutral players, trade tokens, two different rolls a turn.

The beginner set-up is `board="beginner"`, with the founding in snake order or, with `founding="printed"`, with the
printed pieces of blue and white. Those of the other two colors are nearer than two paths to a neutral settlement, or
on the very same intersection, so red and orange are the colors that stay out.
"""

from catan_env.games.base.scenarios import BASE_MODULES
from catan_env.games.load import make_scenario
from catan_env.games.two_player import neutral_players, second_roll, trade_tokens

two_player = make_scenario(__name__, "two_player", (*BASE_MODULES, second_roll, neutral_players, trade_tokens))
