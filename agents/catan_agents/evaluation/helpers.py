"""Term for Helpers: the value of the next use of the seat's helper."""

from catan_agents.evaluation.terms import Term, measures, uncertain
from catan_env.games.base.development_cards import KNIGHT
from catan_env.games.helpers import captain as captain_rules
from catan_env.games.helpers import explorer as explorer_rules
from catan_env.games.helpers import general as general_rules
from catan_env.games.helpers import helper_cards as helper_rules
from catan_env.games.helpers import mayor as mayor_rules
from catan_env.games.helpers import mendicant as mendicant_rules
from catan_env.games.helpers import merchant as merchant_rules
from catan_env.games.helpers import noblewoman as noblewoman_rules
from catan_env.games.helpers import priest as priest_rules
from catan_env.games.helpers import robber_bride as robber_bride_rules
from catan_env.games.helpers import scholar as scholar_rules
from catan_env.games.helpers.captain import CAPTAIN
from catan_env.games.helpers.explorer import EXPLORER
from catan_env.games.helpers.general import GENERAL
from catan_env.games.helpers.helper_cards import helper_of
from catan_env.games.helpers.mayor import MAYOR
from catan_env.games.helpers.mendicant import MENDICANT
from catan_env.games.helpers.merchant import MERCHANT
from catan_env.games.helpers.noblewoman import NOBLEWOMAN, may_be_visited
from catan_env.games.helpers.priest import PRIEST
from catan_env.games.helpers.robber_bride import ROBBER_BRIDE
from catan_env.games.helpers.scholar import SCHOLAR
from catan_env.games.vocabulary import NOTHING

ALL = (
    helper_rules, merchant_rules, mendicant_rules, mayor_rules, explorer_rules, general_rules, scholar_rules,
    robber_bride_rules, captain_rules, priest_rules, noblewoman_rules,
)  # fmt: skip

KNIGHT_GIVEN, CARD_TAKEN, IDLE = 0.6, 0.6, 0.2
"""Values of the priest with a knight to use, the noblewoman with a player to visit, and either one otherwise."""

uncertain(merchant_rules.DEMAND)


def cards_of_priest(game, seat):
    """Return the value of the priest, who needs a knight in hand or on the table."""
    return KNIGHT_GIVEN if game.knights_played[seat] + game.development_cards[seat, KNIGHT] > 0 else IDLE


def cards_of_noblewoman(game, params, seat):
    """Return the value of the noblewoman, who needs a player to visit."""
    for player in range(params.num_players):
        if player != seat and may_be_visited(game, params, seat, player):
            return CARD_TAKEN
    return IDLE


@measures(Term("helper", "value of the next use of the seat's helper, in cards", 0.5), of=ALL)
def own_helper(game, params, seat, pool):
    """Return a rough average, since the benefit of a helper depends on the turn in which it is used."""
    helper = helper_of(game, seat)
    if helper == NOTHING:
        return 0.0
    if helper == MERCHANT:
        return 1.2
    if helper == MAYOR:
        return 1.1
    if helper == SCHOLAR:
        return 1.0
    if helper == CAPTAIN:
        return 0.9
    if helper == GENERAL:
        return 0.8
    if helper == ROBBER_BRIDE:
        return 0.6
    if helper == MENDICANT:
        return 0.4
    if helper == EXPLORER:
        return 0.2
    if helper == PRIEST:
        return cards_of_priest(game, seat)
    if helper == NOBLEWOMAN:
        return cards_of_noblewoman(game, params, seat)
    return 0.0
