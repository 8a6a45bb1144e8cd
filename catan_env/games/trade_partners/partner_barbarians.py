"""With Cities & Knights: every barbarian attack takes all cards from all trade partners but spares their pieces.

Attacks, pillaging, improvements, progress cards and knights affect only players. Diplomacy can also remove a partner's
open road. A removed road is owed again, and a knight that leaves frees up a place.
"""

from catan_env.engine.declare import Invariant, answers, checks, rule, when
from catan_env.games.cities_and_knights.barbarians import ATTACK_OVER
from catan_env.games.cities_and_knights.knights import has_knight
from catan_env.games.cities_and_knights.progress_decks import progress_held
from catan_env.games.trade_partners.mirrored_building import DEBTS_CHANGE
from catan_env.games.trade_partners.partners import partner_of, partners_lose_their_cards
from catan_env.games.vocabulary import count_of

PARTNERS_PEACEFUL = Invariant(
    "partners_peaceful", "trade partners have no knights, walls, improvements or progress cards"
)


@rule("trade_partners.partner_barbarians.1")
@when(ATTACK_OVER)
def partners_are_robbed(game, params, player, where):
    partners_lose_their_cards(game, params, player, where)


@rule("trade_partners.partner_barbarians.3", "trade_partners.mirrored_building.20")
@answers(DEBTS_CHANGE)
def diplomacy_and_knights_make_room(game, params, player, where):
    return True


@rule("trade_partners.partner_barbarians.2")
@checks(PARTNERS_PEACEFUL)
def partners_peaceful(game, params):
    for seat in range(params.num_players):
        partner = partner_of(seat)
        if has_knight(game, params, partner) or game.walls_left[partner] != params.walls_per_player:
            return False
        if progress_held(game, partner) > 0 or count_of(game.open_cards[partner]) > 0:
            return False
        if count_of(game.improvement[partner]) > 0:
            return False
    return True
