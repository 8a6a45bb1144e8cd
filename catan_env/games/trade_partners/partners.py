"""Trade partners: each player has a second color with pieces and a public hand, which never acts.

Partners occupy the last `NEUTRALS` of the `PLAYERS` seats, in the order of their owners. The scenario lets them hold
cards, so they take part in production. It does not let them act or score, so nobody steals from them, cards that name
other players skip them, and their routes do not count. Their pieces follow the same rules as all other pieces, even
toward those of their owner.
"""

from catan_env.engine.declare import NEUTRALS, PLAYERS, Feature, Invariant, answers, checks, rule, shows, when
from catan_env.engine.stacks import move_card
from catan_env.games.vocabulary import HAND_CARDS, RATE, SEVEN_ROLLED, acts

NOT_BETTER = 127
"""A rate worse than the rate of any possible trade."""

HANDS = Feature("partner_hands", PLAYERS, 30, "cards in the hand of each player's trade partner", kinds=HAND_CARDS)
RATES = Feature(
    "partner_rates", PLAYERS, 30, "cards of a kind for one card with the partner's harbors", kinds=HAND_CARDS
)
PARTNERS_IDLE = Invariant("partners_idle", "trade partners do not hold Longest Road")


@rule("trade_partners.partners.1")
def partner_of(seat):
    """Return the color of a player's trade partner."""
    return PLAYERS - NEUTRALS + seat


def owner_of(color):
    """Return a trade partner's owner, given the partner's color."""
    return color - PLAYERS + NEUTRALS


@rule("trade_partners.partners.4")
@shows(HANDS)
def show_partner_hand(game, params, seat, index):
    """Partners' hands are public."""
    return game.hands[partner_of(index // HAND_CARDS), index % HAND_CARDS]


@rule("trade_partners.partners.7")
@shows(RATES)
def show_partner_rate(game, params, seat, index):
    return game.trade_rate[partner_of(index // HAND_CARDS), index % HAND_CARDS]


@rule("trade_partners.partners.7")
@answers(RATE)
def rate_at_harbors_of_partner(game, params, player, card):
    """Players can use their partner's harbors."""
    return int(game.trade_rate[partner_of(player), card]) if acts(params, player) else NOT_BETTER


@rule("trade_partners.partners.9", "trade_partners.partners.12")
@when(SEVEN_ROLLED)
def partners_lose_their_cards(game, params, player, where):
    """Partners lose all cards before any player discards."""
    for seat in range(params.num_players):
        empty_hand(game, partner_of(seat))


@rule("trade_partners.partners.9")
def empty_hand(game, color):
    """Return all of a color's cards to the bank."""
    for card in range(HAND_CARDS):
        move_card(game.hands[color], game.bank, card, game.hands[color, card])


@rule("trade_partners.partners.1", "trade_partners.partners.5")
@checks(PARTNERS_IDLE)
def partners_idle(game, params):
    for seat in range(params.num_players):
        if game.road_length[partner_of(seat)] > 0:
            return False
    return True
