"""Trading between players, compiled with the rules.

The value of an exchange to a player is the increase in that player's evaluation, minus the partner's gain divided by
the partner's number of opponents. Every exchange of at most `MOST_TRADED` cards can be offered, and is worth offering
if its expected value is high enough. Sampled worlds determine which players hold the cards and would accept. Offers and
counter-offers are chosen alike, and a seat accepts an offer if it expects no more from its best counter-offer.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from catan_agents.evaluation.memo import EvalCache, clear_cache
from catan_agents.evaluation.terms import VALUE
from catan_env.engine.decision_stack import current_decision
from catan_env.engine.determinise import deal_world
from catan_env.games.base.player_trade import (
    ACCEPT,
    ANSWER_OFFER,
    ASK_CARD,
    CANCEL_OFFER,
    CHOOSE_PARTNER,
    CONFIRM,
    COUNTER,
    COUNTERED,
    DECLINE,
    DRAFT_COUNTER,
    DRAFT_OFFER,
    MAKE_OFFER,
    OFFER_CARD,
    SUBMIT_OFFER,
    WITHDRAW,
)
from catan_env.games.base.resources import hand_size
from catan_env.games.vocabulary import GOODS, HAND_CARDS, NOBODY, to_the_left

value = VALUE

MOST_TRADED = 3
"""Maximum number of cards in an offer: one for one, two for one, or one for two."""
TRADE_WORLDS = 16
"""Minimum number of worlds in which offers are evaluated."""
MOST_RATED = 3
"""Number of best offers whose values are exact. An agent makes no others until its hand changes."""
HAND, OFFERS_LEFT, PLANNER, PLAN, RANKED = range(5)
"""Columns of a game's memory: the last `hand_this_turn` of a seat that could make an offer, and the number of offers
left when it first had this hand; the `hand_this_turn` of the seat that last planned an offer, and this offer; the first
of the offers that the seat makes with the hand, best first, or `NOTHING_TO_SAY`."""
MEMORY = RANKED + MOST_RATED
"""Number of columns of a game's memory."""
GIVES, WANTS = 0, 1
"""Rows of an offer: the number of cards of each kind that it gives and asks for."""
LEAST = 0.02
"""Minimum value, in victory points, for an exchange to be offered."""
HOPE = 1e-3
"""Minimum value of an offer, as a fraction of the player's own gain; it keeps the agent from abandoning a draft."""
BASE = 31
"""More than any seat or number of cards of a kind in hand."""
NOTHING_TO_SAY = -1
TAKEN = -1e9


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


def expected(deals, params, seat, offerer, other, weights, cache):
    """Return the mean value of an exchange over all worlds for one of the two parties."""
    partner = other if seat == offerer else offerer
    own_gain = gain(deals[0], params, seat, offerer, other, weights, cache)
    advantage_sum = 0.0
    for world in range(deals.shape[0]):
        partner_gain = gain(deals[world], params, partner, offerer, other, weights, cache)
        advantage_sum += advantage(params, own_gain, partner_gain)
    return advantage_sum / deals.shape[0]


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


def evaluate_others(deals, params, seat, partner, weights, cache, values_before):
    """Store the evaluations of the seat's possible partners in each world; see `rate_offers`."""
    for world in range(deals.shape[0]):
        for step in range(1, params.num_players):
            taker = to_the_left(params, seat, step)
            if partner in (NOBODY, taker):
                values_before[world, taker] = value(deals[world], params, taker, weights, cache)


def expected_of_offer(deals, params, seat, partner, own_gain, values_before, weights, cache):
    """Return the expected value to a seat of its offer, which all worlds hold.

    In each world, the offer is accepted by the partner who is best for the seat, among those who hold the cards and
    would gain from the exchange.
    """
    best_sum = 0.0
    for world in range(deals.shape[0]):
        best_advantage = 0.0
        for step in range(1, params.num_players):
            taker = to_the_left(params, seat, step)
            if partner in (NOBODY, taker) and has_cards(deals[world], taker, seat):
                value_after = value_of_exchange(deals[world], params, taker, seat, taker, weights, cache)
                partner_gain = value_after - values_before[world, taker]
                if advantage(params, partner_gain, own_gain) > 0.0:
                    best_advantage = max(best_advantage, advantage(params, own_gain, partner_gain))
        best_sum += best_advantage
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
    for world in range(1, deals.shape[0]):
        deals[world] = deals[world - 1]
        deal_world(deals[world], params, seat, space.dealing)


def rate_offers(game, params, seat, partner, weights, space):
    """Compute the expected value of each offer that a seat's draft can still become.

    `partner` restricts the candidates to one seat; NOBODY means no restriction. The value is 0 if the seat's own gain
    is below `LEAST`. Offers are rated in the order of this gain, until no other can be among the `MOST_RATED` best: an
    exchange that both parties want is worth less than `most_share` of the seat's gain. Return whether any offer is
    worthwhile to the seat; only then, worlds are sampled.
    """
    own_gains, offer_values, deals = space.own_gains, space.offer_values, space.deals
    offer_values[:] = 0.0
    if not gain_from_offers(game, params, seat, partner, weights, space):
        return False
    deal_worlds(game, params, seat, space)
    evaluate_others(deals, params, seat, partner, weights, space.cache, space.values_before)
    most_share = advantage(params, 1.0, 1.0 / (params.num_players - 1))
    offer = best(own_gains)
    while own_gains[offer] >= LEAST and count_above(offer_values, most_share * own_gains[offer]) < MOST_RATED:
        own_gain = own_gains[offer]
        for world in range(deals.shape[0]):
            lay_out(deals[world], seat, space.offers[offer])
        worth = expected_of_offer(deals, params, seat, partner, own_gain, space.values_before, weights, space.cache)
        offer_values[offer] = max(worth, HOPE * own_gain)
        own_gains[offer] = 0.0
        offer = best(own_gains)
    return True


def count_above(offer_values, worth):
    """Return the number of offers that are worth more than `worth`."""
    count = 0
    for offer in range(offer_values.shape[0]):
        count += offer_values[offer] > worth
    return count


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


def next_part(game, seat, offers, chosen_offer):
    """Return the next action needed to assemble an offer."""
    if chosen_offer == NOTHING_TO_SAY:
        return CANCEL_OFFER
    for card in range(HAND_CARDS):
        if game.gives[seat, card] < offers[chosen_offer, GIVES, card]:
            return OFFER_CARD + card
    for card in range(HAND_CARDS):
        if game.wants[seat, card] < offers[chosen_offer, WANTS, card]:
            return ASK_CARD + card
    return SUBMIT_OFFER


# -- decisions ---------------------------------------------------------------------------------------------


def answer(game, params, seat, legal, weights, space, memory):
    """Return the action that answers an offer.

    The seat makes its best counter-offer if that is worth more than accepting. It declines if neither is worthwhile.
    """
    offerer, accepted_value = game.on_turn, 0.0
    worlds_sampled = rate_offers(game, params, seat, offerer, weights, space)
    if legal[ACCEPT] and is_of_cards(game, offerer):
        if not worlds_sampled:
            deal_worlds(game, params, seat, space)
        accepted_value = expected(space.deals, params, seat, offerer, seat, weights, space.cache)
    offer = best_offer(max(accepted_value, LEAST), space.offer_values)
    if offer != NOTHING_TO_SAY:
        plan(game, seat, memory, offer)
        return COUNTER
    return ACCEPT if accepted_value > 0.0 else DECLINE


def choose_partner(game, params, seat, legal, weights, space):
    """Return the action that trades with the best partner, or withdraws the offer if no trade is profitable."""
    deal_worlds(game, params, seat, space)
    chosen_action = WITHDRAW
    best_worth = 0.0
    for step in range(1, params.num_players):
        candidate = to_the_left(params, seat, step)
        if legal[CONFIRM + step - 1]:
            offerer, taker = (candidate, seat) if game.answer[candidate] == COUNTERED else (seat, candidate)
            if is_of_cards(game, offerer):
                worth = expected(space.deals, params, seat, offerer, taker, weights, space.cache)
                if worth > best_worth:
                    best_worth = worth
                    chosen_action = CONFIRM + step - 1
    return chosen_action


def hand_this_turn(game, seat):
    """Return a positive number that identifies a seat's hand in the current turn."""
    number = (int(game.turn) + 1) * BASE + seat
    for card in range(HAND_CARDS):
        number = number * BASE + int(game.hands[seat, card])
    return number


def rank_offers(memory, offer_values):
    """Remember the best offers, and `NOTHING_TO_SAY` after those that are worthwhile."""
    for rank in range(MOST_RATED):
        offer = best_offer(LEAST, offer_values)
        memory[RANKED + rank] = offer
        if offer != NOTHING_TO_SAY:
            offer_values[offer] = TAKEN


def next_offer(game, params, seat, weights, space, memory):
    """Return the best offer that a seat has not yet made this turn with its present hand, or `NOTHING_TO_SAY`.

    Offers are rated again only when the hand has changed. Until then, none of those made has led to a trade.
    """
    hand = hand_this_turn(game, seat)
    if memory[HAND] != hand:
        memory[HAND] = hand
        memory[OFFERS_LEFT] = game.offers_left
        rate_offers(game, params, seat, NOBODY, weights, space)
        rank_offers(memory, space.offer_values)
    made_count = max(memory[OFFERS_LEFT] - game.offers_left, 0)
    return memory[RANKED + made_count] if made_count < MOST_RATED else NOTHING_TO_SAY


def plan(game, seat, memory, offer):
    """Remember the offer that a seat is going to assemble."""
    memory[PLANNER] = hand_this_turn(game, seat)
    memory[PLAN] = offer


def planned(game, seat, legal, offers, memory):
    """Return the offer that a seat is assembling, or NOTHING_TO_SAY if it remembers no offer that is still legal.

    If another agent has acted for the seat, the remembered offer may belong to an earlier draft.
    """
    offer = memory[PLAN]
    if memory[PLANNER] != hand_this_turn(game, seat) or not goes_with(game, seat, offers[offer]):
        return NOTHING_TO_SAY
    return offer if legal[next_part(game, seat, offers, offer)] else NOTHING_TO_SAY


class TradeDecisions(NamedTuple):
    """Games that may require a decision about a trade, and the output array.

    Attributes:
        worlds: (games,) records, sampled from the point of view of the seat to act.
        legal: (games, actions) bool, legal actions.
        seats: (games,) seat to act.
        which: (games,) row of the weights to use.
        memory: (games, MEMORY) int64, the agent's memory of each game; see `HAND` to `RANKED`.
        actions: (games,) output: action ids, or -1 if the decision is not about trade offers.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    which: np.ndarray
    memory: np.ndarray
    actions: np.ndarray


class TradeSpace(NamedTuple):
    """Scratch memory for evaluating offers.

    Attributes:
        cache: cached values of positions.
        deals: (worlds,) records of the sampled worlds.
        dealing: int64 scratch memory for sampling.
        offers: (offers, 2, kinds) int8, the offers to consider, see `all_offers`.
        own_gains, offer_values: (offers,) float64, the seat's own gain from each offer, and the offer's value.
        values_before: (worlds, players) float64, evaluation of each player before an exchange.
    """

    cache: EvalCache
    deals: np.ndarray
    dealing: np.ndarray
    offers: np.ndarray
    own_gains: np.ndarray
    offer_values: np.ndarray
    values_before: np.ndarray


def bargain(decisions, all_params, weights, space, start, stop):
    """Kernel: choose trade actions for the games `start .. stop-1`.

    If a decision is not about trade offers, its action is -1.

    Args:
        decisions: `TradeDecisions`; receives the actions.
        weights: (rows, terms) weights of the evaluation.
        space: a `TradeSpace`.
    """
    params, actions = all_params[0], decisions.actions
    clear_cache(space.cache)
    for i in range(start, stop):
        game, seat, legal, memory = decisions.worlds[i], decisions.seats[i], decisions.legal[i], decisions.memory[i]
        decision = current_decision(game)
        is_drafting = decision in (DRAFT_OFFER, DRAFT_COUNTER)
        is_answering = decision == ANSWER_OFFER
        is_closing = decision == CHOOSE_PARTNER
        actions[i] = NOTHING_TO_SAY
        if not (is_drafting or is_answering or is_closing or legal[MAKE_OFFER]):
            continue
        if is_drafting:
            offer = planned(game, seat, legal, space.offers, memory)
            if offer != NOTHING_TO_SAY:
                actions[i] = next_part(game, seat, space.offers, offer)
                continue
        weight_row = weights[decisions.which[i]]
        space.deals[0] = game
        if is_closing:
            actions[i] = choose_partner(game, params, seat, legal, weight_row, space)
        elif is_answering:
            actions[i] = answer(game, params, seat, legal, weight_row, space, memory)
        elif is_drafting:
            partner = game.on_turn if decision == DRAFT_COUNTER else NOBODY
            rate_offers(game, params, seat, partner, weight_row, space)
            offer = best_offer(0.0, space.offer_values)
            if offer != NOTHING_TO_SAY:
                plan(game, seat, memory, offer)
            actions[i] = next_part(game, seat, space.offers, offer)
        else:
            offer = next_offer(game, params, seat, weight_row, space, memory)
            if offer != NOTHING_TO_SAY:
                plan(game, seat, memory, offer)
                actions[i] = MAKE_OFFER
