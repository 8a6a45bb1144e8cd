"""Exchanges of cards between players and their values, compiled with the rules.

The value of an exchange to a player is the increase in that player's evaluation, minus the partner's gain divided by
the partner's number of opponents. Every exchange of at most `MOST_TRADED` cards can be offered. Sampled worlds
determine which players hold the cards and would accept.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from catan_agents.evaluation.memo import EvalCache
from catan_agents.evaluation.terms import VALUE
from catan_env.engine.determinise import deal_world, looks_alike
from catan_env.games.base.resources import hand_size
from catan_env.games.vocabulary import GOODS, HAND_CARDS, NOBODY, to_the_left

value = VALUE

MOST_TRADED = 3
"""Maximum number of cards in an offer: one for one, two for one, or one for two."""
TRADE_WORLDS = 16
"""Minimum number of worlds in which offers are evaluated."""
MOST_RATED = 4
"""Number of best offers whose values are exact, and that are searched."""
GIVES, WANTS = 0, 1
"""Rows of an offer: the number of cards of each kind that it gives and asks for."""
LEAST = 0.02
"""Minimum value, in victory points, for an exchange to be offered."""
HOPE = 1e-3
"""Minimum value of an offer, as a fraction of the player's own gain; it keeps the agent from abandoning a draft."""
SHARE, OWN_GAIN, WORLD, TAKER, RATINGS = range(5)
"""Columns of `TradeSpace.ratings`: the fraction of worlds in which someone accepts the offer, the seat's own gain, and
one of these worlds with the player who accepts there. `RATINGS` is their number."""
NOTHING_TO_SAY = -1


class TradeSpace(NamedTuple):
    """Scratch memory for evaluating offers.

    Attributes:
        cache: cached values of positions.
        deals: (worlds,) records of the sampled worlds.
        dealing: int64 scratch memory for sampling.
        offers: (offers, 2, kinds) int8, the offers to consider, see `all_offers`.
        own_gains, offer_values: (offers,) float64, the seat's own gain from each offer, and the offer's value.
        ratings: (offers, RATINGS) float64, further results for each offer, see `SHARE`.
        best_values: (MOST_RATED,) float64, the values of the best offers found so far, the highest first.
        values_before: (worlds, players) float64, evaluation of each player before an exchange.
        partner_gains: (worlds, players) float64, the gain of each partner from an exchange.
        alike: (worlds, players) int64, the first world that each player cannot tell apart from a world. The player's
            evaluations are the same in both, so they are computed only in the first.
    """

    cache: EvalCache
    deals: np.ndarray
    dealing: np.ndarray
    offers: np.ndarray
    own_gains: np.ndarray
    offer_values: np.ndarray
    ratings: np.ndarray
    best_values: np.ndarray
    values_before: np.ndarray
    partner_gains: np.ndarray
    alike: np.ndarray


# -- exchanges ---------------------------------------------------------------------------------------------


def exchange(game, offerer, other, direction):
    """Move the cards of an offer; direction 1 makes the exchange and -1 undoes it."""
    for card in range(HAND_CARDS):
        card_count = direction * (game.gives[offerer, card] - game.wants[offerer, card])
        game.hands[offerer, card] -= card_count
        game.hands[other, card] += card_count


def value_of_exchange(game, params, seat, offerer, other, weights, cache):
    """Return a seat's evaluation of the position after an exchange."""
    exchange(game, offerer, other, 1)
    worth = value(game, params, seat, weights, cache)
    exchange(game, offerer, other, -1)
    return worth


def gain(game, params, seat, offerer, other, weights, cache):
    """Return the increase in a seat's evaluation that results from an exchange."""
    value_before = value(game, params, seat, weights, cache)
    return value_of_exchange(game, params, seat, offerer, other, weights, cache) - value_before


def advantage(params, own, others):
    """Return the value of an exchange to a player, given the player's own gain and the partner's gain."""
    return own - others / (params.num_players - 1)


def most_worth(params, own):
    """Return the highest possible value to a player of an exchange that its partner wants, too."""
    return advantage(params, own, own / (params.num_players - 1))


def has_cards(game, seat, offerer):
    """Return whether a seat holds the cards that an offer asks for."""
    for card in range(HAND_CARDS):
        if game.hands[seat, card] < game.wants[offerer, card]:
            return False
    return True


def is_of_cards(game, offerer):
    """Return whether an offer involves only cards, the only goods that the evaluation can price."""
    for good in range(HAND_CARDS, GOODS):
        if game.gives[offerer, good] > 0 or game.wants[offerer, good] > 0:
            return False
    return True


def gain_of_willing(space, params, partner, offerer, other, weights):
    """Return the mean gain of a partner from an exchange that it wants, over the worlds in which it gains."""
    deals, gains = space.deals, space.partner_gains
    gain_sum, gaining_count = 0.0, 0
    for world in range(deals.shape[0]):
        first_world = space.alike[world, partner]
        if first_world == world:
            gains[world, partner] = gain(deals[world], params, partner, offerer, other, weights, space.cache)
        partner_gain = gains[first_world, partner]
        if partner_gain > 0.0:
            gain_sum += partner_gain
            gaining_count += 1
    return gain_sum / max(gaining_count, 1)


# -- offers ------------------------------------------------------------------------------------------------


@lru_cache
def all_offers(card_kinds):
    """Return every offer of at most `MOST_TRADED` cards, shape (offers, 2, kinds), int8; see `GIVES` and `WANTS`."""
    sides = [
        np.bincount(cards, minlength=card_kinds)
        for card_count in range(1, MOST_TRADED)
        for cards in combinations_with_replacement(range(card_kinds), card_count)
    ]
    offers = [
        (gives, wants)
        for gives, wants in product(sides, repeat=2)
        if gives.sum() + wants.sum() <= MOST_TRADED and not (gives * wants).any()
    ]
    return np.array(offers, np.int8)


def lay_out(game, seat, offer):
    """Write an offer into the record as a seat's draft."""
    for good in range(GOODS):
        game.gives[seat, good] = offer[GIVES, good] if good < HAND_CARDS else 0
        game.wants[seat, good] = offer[WANTS, good] if good < HAND_CARDS else 0


def goes_with(game, seat, offer):
    """Return whether a seat's draft can still become a given offer."""
    for good in range(GOODS):
        if game.gives[seat, good] > (offer[GIVES, good] if good < HAND_CARDS else 0):
            return False
        if game.wants[seat, good] > (offer[WANTS, good] if good < HAND_CARDS else 0):
            return False
    return True


def can_be_made(game, seat, offer, most_asked):
    """Return whether a seat holds the cards that an offer gives, and asks for no more than `most_asked` cards."""
    asked_count = 0
    for card in range(HAND_CARDS):
        asked_count += offer[WANTS, card]
        if game.hands[seat, card] < offer[GIVES, card]:
            return False
    return asked_count <= most_asked


def most_held(game, params, seat, partner):
    """Return the number of cards that the partner holds; without a partner, the most that any other player holds."""
    most_cards = 0
    for step in range(1, params.num_players):
        player = to_the_left(params, seat, step)
        if partner in (NOBODY, player):
            most_cards = max(most_cards, hand_size(game, player))
    return most_cards


def evaluate_others(params, seat, partner, weights, space):
    """Store the evaluations of the seat's possible partners, see `rate_offers`."""
    deals, values_before = space.deals, space.values_before
    for world in range(deals.shape[0]):
        for step in range(1, params.num_players):
            taker = to_the_left(params, seat, step)
            if partner in (NOBODY, taker) and space.alike[world, taker] == world:
                values_before[world, taker] = value(deals[world], params, taker, weights, space.cache)


def expected_of_offer(params, seat, partner, offer, weights, space, least):
    """Return the expected value to a seat of its offer, which all worlds hold, and store its rating.

    In each world, the offer is accepted by the partner who is best for the seat, among those who hold the cards and
    would gain from the exchange. If the value cannot exceed `least`, return 0.
    """
    deals, gains, own_gain, rating = space.deals, space.partner_gains, space.own_gains[offer], space.ratings[offer]
    best_sum, accepting_count, most = 0.0, 0, most_worth(params, own_gain)
    for world in range(deals.shape[0]):
        if best_sum + (deals.shape[0] - world) * most <= deals.shape[0] * least:
            return 0.0
        best_advantage = 0.0
        for step in range(1, params.num_players):
            taker = to_the_left(params, seat, step)
            if partner in (NOBODY, taker) and has_cards(deals[world], taker, seat):
                first_world = space.alike[world, taker]
                if first_world == world:
                    value_after = value_of_exchange(deals[world], params, taker, seat, taker, weights, space.cache)
                    gains[world, taker] = value_after - space.values_before[world, taker]
                partner_gain = gains[first_world, taker]
                if advantage(params, partner_gain, own_gain) > 0.0:
                    worth = advantage(params, own_gain, partner_gain)
                    if worth > best_advantage:
                        best_advantage, rating[WORLD], rating[TAKER] = worth, world, taker
        best_sum += best_advantage
        accepting_count += best_advantage > 0.0
    rating[SHARE], rating[OWN_GAIN] = accepting_count / deals.shape[0], own_gain
    return best_sum / deals.shape[0]


def gain_from_offers(game, params, seat, partner, weights, space):
    """Store the seat's own gain from each offer that its draft can still become; 0 for all others.

    Return whether any offer is worthwhile.
    """
    offers, own_gains, cache, scratch = space.offers, space.own_gains, space.cache, space.deals[0]
    neighbor = to_the_left(params, seat, 1) if partner == NOBODY else partner
    most_asked = most_held(game, params, seat, partner)
    own_value = value(game, params, seat, weights, cache)
    any_worthwhile = False
    for offer in range(offers.shape[0]):
        own_gains[offer] = 0.0
        if goes_with(game, seat, offers[offer]) and can_be_made(game, seat, offers[offer], most_asked):
            lay_out(scratch, seat, offers[offer])
            value_after = value_of_exchange(scratch, params, seat, seat, neighbor, weights, cache)
            own_gains[offer] = value_after - own_value
            any_worthwhile = any_worthwhile or own_gains[offer] >= LEAST
    return any_worthwhile


def deal_worlds(game, params, seat, space):
    """Sample the worlds in which exchanges are judged; the first is the given one."""
    deals = space.deals
    deals[0] = game
    for world in range(deals.shape[0]):
        if world > 0:
            deals[world] = deals[world - 1]
            deal_world(deals[world], params, seat, space.dealing)
        for step in range(1, params.num_players):
            player = to_the_left(params, seat, step)
            space.alike[world, player] = first_alike(deals, world, player)


def first_alike(deals, world, player):
    """Return the first world that a player cannot tell apart from a given one."""
    for earlier_world in range(world):
        if looks_alike(deals[earlier_world], deals[world], player):
            return earlier_world
    return world


def rate_offers(params, seat, partner, weights, space, count, least):
    """Compute the expected value of offers from which the seat gains at least `LEAST`, in the sampled worlds.

    `partner` restricts the candidates to one seat; NOBODY means no restriction. Offers are rated in the order of the
    seat's gain, until no other can be both among the `count` best and worth more than `least`. The values of all others
    are 0.

    Args:
        space: a `TradeSpace` after `gain_from_offers` and `deal_worlds`.
    """
    own_gains, offer_values, best_values, deals = space.own_gains, space.offer_values, space.best_values, space.deals
    offer_values[:] = 0.0
    best_values[:] = 0.0
    evaluate_others(params, seat, partner, weights, space)
    offer, needed = best(own_gains), least
    while own_gains[offer] >= LEAST and most_worth(params, own_gains[offer]) >= needed:
        for world in range(deals.shape[0]):
            lay_out(deals[world], seat, space.offers[offer])
        worth = expected_of_offer(params, seat, partner, offer, weights, space, needed)
        offer_values[offer] = max(worth, HOPE * own_gains[offer])
        add_value(best_values, offer_values[offer])
        needed = max(best_values[count - 1], least)
        own_gains[offer] = 0.0
        offer = best(own_gains)


def rate_if_worthwhile(game, params, seat, partner, weights, space, count):
    """Rate a seat's offers as `rate_offers` does, in newly sampled worlds, if the seat gains enough from any.

    Return whether it does.
    """
    if not gain_from_offers(game, params, seat, partner, weights, space):
        return False
    deal_worlds(game, params, seat, space)
    rate_offers(params, seat, partner, weights, space, count, 0.0)
    return True


def add_value(best_values, worth):
    """Insert a value among the best, in descending order, and drop the lowest."""
    for k in range(best_values.shape[0]):
        if worth > best_values[k]:
            best_values[k], worth = worth, best_values[k]


def best_offer(least, offer_values):
    """Return the best offer, or NOTHING_TO_SAY if none is worth more than `least`."""
    chosen_offer = best(offer_values)
    return chosen_offer if offer_values[chosen_offer] > least else NOTHING_TO_SAY


def best(offer_values):
    """Return the first offer of the highest value."""
    first_best = 0
    for offer in range(1, offer_values.shape[0]):
        if offer_values[offer] > offer_values[first_best]:
            first_best = offer
    return first_best
