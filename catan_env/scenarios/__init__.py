"""The scenarios of this package. Importing it registers them."""

from catan_env.engine.registry import register_extra
from catan_env.rules import card_counting
from catan_env.scenarios import base as base

register_extra("card_counting", card_counting)
