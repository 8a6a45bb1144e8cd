"""Scores for The Forgotten Tribe: sail to the tribe's gifts."""

from __future__ import annotations

from catan_agents.heuristic.base import my_production
from catan_agents.heuristic.scoring import score
from catan_agents.heuristic.sea import PRIZE
from catan_env.games.seafarers import tribe_gifts as tribe_gifts_rules
from catan_env.games.seafarers.tribe_gifts import CHOOSE_HARBOR
from catan_env.games.vocabulary import NOTHING, NUM_RESOURCES

WORTH = (9.0, 6.0, 4.0)
"""Values, in pips, of a point, a development card and a harbor."""
ANY_KIND = 0.3
"""Value of a harbor that trades any kind of card, per pip of the seat's production."""


@PRIZE.contribution(of=tribe_gifts_rules)
def gifts(game, params, seat, memo, path):
    """Return the value of the gift on a path."""
    gift = params.path_gift[path]
    return game.gift[gift] * WORTH[params.gift_kind[gift]] if gift != NOTHING else 0.0


@score(CHOOSE_HARBOR)
def choose_harbor(game, params, seat, memo, harbor):
    """Choose the harbor for the kind that the seat produces most."""
    if harbor < NUM_RESOURCES:
        return my_production(game, params, seat, memo, harbor)
    pips = 0.0
    for resource in range(NUM_RESOURCES):
        pips += my_production(game, params, seat, memo, resource)
    return ANY_KIND * pips
