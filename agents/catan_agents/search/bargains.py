"""Trading between players, compiled with the rules.

The value of an exchange to a player is the increase in that player's evaluation, minus the partner's gain divided by
the partner's number of opponents. An offer is worth making if its expected value is high enough. Sampled worlds
determine which players hold the cards and would accept. Every offer gives cards of a single kind in return for one
card.
"""

from __future__ import annotations

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
from catan_env.games.vocabulary import GOODS, HAND_CARDS, NOBODY, to_the_left

value = VALUE

MOST_GIVEN = 2
"""Maximum number of cards to give in return for one card."""
LEAST = 0.05
"""Minimum value, in victory points, for an exchange to be offered."""
HOPE = 1e-3
"""Minimum value of an offer, as a fraction of the player's own gain; it keeps the agent from abandoning a draft."""
NOTHING_TO_SAY = -1
TAKEN = -1e9


# -- exchanges ---------------------------------------------------------------------------------------------


def exchange(game, offerer, other, direction):
    """Move the cards of an offer; direction 1 makes the exchange and -1 undoes it."""
    for card in range(HAND_CARDS):
        card_count = direction * (game.gives[offerer, card] - game.wants[offerer, card])
        game.hands[offerer, card] -= card_count
        game.hands[other, card] += card_count


def gain(game, params, seat, offerer, other, weights, cache):
    """Return the increase in a seat's evaluation that results from an exchange."""
    value_before = value(game, params, seat, weights, cache)
    exchange(game, offerer, other, 1)
    value_after = value(game, params, seat, weights, cache)
    exchange(game, offerer, other, -1)
    return value_after - value_before


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
    advantage_sum = 0.0
    for world in range(deals.shape[0]):
        own_gain = gain(deals[world], params, seat, offerer, other, weights, cache)
        advantage_sum += advantage(
            params, own_gain, gain(deals[world], params, partner, offerer, other, weights, cache)
        )
    return advantage_sum / deals.shape[0]


# -- offers ------------------------------------------------------------------------------------------------
# An offer is an integer below `HAND_CARDS * HAND_CARDS * MOST_GIVEN`.


def given_in(offer):
    """Return the kind of card given away in an offer."""
    return offer // MOST_GIVEN // HAND_CARDS


def asked_in(offer):
    """Return the kind of card requested in an offer."""
    return offer // MOST_GIVEN % HAND_CARDS


def number_in(offer):
    """Return the number of cards given away in an offer."""
    return offer % MOST_GIVEN + 1


def lay_out(game, seat, offer):
    """Write an offer into the record as a seat's draft."""
    for good in range(GOODS):
        game.gives[seat, good] = number_in(offer) if good == given_in(offer) else 0
        game.wants[seat, good] = good == asked_in(offer)


def offer_value(deals, params, seat, partner, offer, weights, cache):
    """Return the expected value of an offer to a seat.

    In each world, the offer is accepted by the partner who is best for the seat, among those who hold the cards and
    would gain from the exchange. `partner` restricts the candidates to one seat; NOBODY means no restriction. The value
    is 0 if the seat's own gain is below `LEAST`.
    """
    lay_out(deals[0], seat, offer)
    own_gain = gain(deals[0], params, seat, seat, to_the_left(params, seat, 1), weights, cache)
    if own_gain < LEAST:
        return 0.0
    best_sum = 0.0
    for world in range(deals.shape[0]):
        lay_out(deals[world], seat, offer)
        best_advantage = 0.0
        for step in range(1, params.num_players):
            taker = to_the_left(params, seat, step)
            if partner in (NOBODY, taker) and has_cards(deals[world], taker, seat):
                partner_gain = gain(deals[world], params, taker, seat, taker, weights, cache)
                if advantage(params, partner_gain, own_gain) > 0.0:
                    best_advantage = max(best_advantage, advantage(params, own_gain, partner_gain))
        best_sum += best_advantage
    return max(best_sum / deals.shape[0], HOPE * own_gain)


def rate_offers(deals, params, seat, partner, weights, cache, offer_values):
    """Compute the expected value of each offer."""
    for offer in range(len(offer_values)):
        given_card = given_in(offer)
        offer_values[offer] = 0.0
        if given_card != asked_in(offer) and number_in(offer) <= deals[0].hands[seat, given_card]:
            offer_values[offer] = offer_value(deals, params, seat, partner, offer, weights, cache)


def is_begun(game, seat):
    """Return whether a seat has put goods into a draft."""
    for good in range(GOODS):
        if game.gives[seat, good] > 0 or game.wants[seat, good] > 0:
            return True
    return False


def goes_with(game, seat, offer):
    """Return whether a seat's draft can still become a given offer."""
    for good in range(GOODS):
        if game.gives[seat, good] > (number_in(offer) if good == given_in(offer) else 0):
            return False
        if game.wants[seat, good] > (good == asked_in(offer)):
            return False
    return True


def best_offer(game, seat, least, passed_over, offer_values):
    """Return the best offer that the draft can still become, or -1 if none is worth more than `least`.

    The best `passed_over` offers are skipped because the agent has already made them this turn; their values are set to
    `TAKEN`.
    """
    chosen_offer = NOTHING_TO_SAY
    for rank in range(passed_over + 1):
        chosen_offer = NOTHING_TO_SAY
        best_value = least
        for offer in range(len(offer_values)):
            if offer_values[offer] > best_value and (rank < passed_over or goes_with(game, seat, offer)):
                best_value = offer_values[offer]
                chosen_offer = offer
        if rank < passed_over and chosen_offer != NOTHING_TO_SAY:
            offer_values[chosen_offer] = TAKEN
    return chosen_offer


def next_part(game, seat, offer):
    """Return the next action needed to assemble an offer."""
    if offer == NOTHING_TO_SAY:
        return CANCEL_OFFER
    if game.gives[seat, given_in(offer)] < number_in(offer):
        return OFFER_CARD + given_in(offer)
    return SUBMIT_OFFER if game.wants[seat, asked_in(offer)] else ASK_CARD + asked_in(offer)


# -- decisions ---------------------------------------------------------------------------------------------


def answer(game, deals, params, seat, legal, weights, cache, offer_values):
    """Return the action that answers an offer.

    The seat accepts a profitable offer; otherwise, it makes a counteroffer if there is a worthwhile one, and declines
    if not.
    """
    offerer = game.on_turn
    if legal[ACCEPT] and is_of_cards(game, offerer):
        if expected(deals, params, seat, offerer, seat, weights, cache) > 0.0:
            return ACCEPT
    rate_offers(deals, params, seat, offerer, weights, cache, offer_values)
    return COUNTER if best_offer(game, seat, LEAST, 0, offer_values) != NOTHING_TO_SAY else DECLINE


def choose_partner(game, deals, params, seat, legal, weights, cache):
    """Return the action that trades with the best partner, or withdraws the offer if no trade is profitable."""
    chosen_action = WITHDRAW
    best_worth = 0.0
    for step in range(1, params.num_players):
        candidate = to_the_left(params, seat, step)
        if legal[CONFIRM + step - 1]:
            offerer, taker = (candidate, seat) if game.answer[candidate] == COUNTERED else (seat, candidate)
            if is_of_cards(game, offerer):
                worth = expected(deals, params, seat, offerer, taker, weights, cache)
                if worth > best_worth:
                    best_worth = worth
                    chosen_action = CONFIRM + step - 1
    return chosen_action


class TradeDecisions(NamedTuple):
    """Games that may require a decision about a trade, and the output array.

    Attributes:
        worlds: (games,) records, sampled from the point of view of the seat to act.
        legal: (games, actions) bool, legal actions.
        seats: (games,) seat to act.
        which: (games,) row of the weights to use.
        actions: (games,) output: action ids, or -1 if the decision is not about trade offers.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    which: np.ndarray
    actions: np.ndarray


class TradeSpace(NamedTuple):
    """Scratch memory for evaluating offers.

    Attributes:
        cache: cached values of positions.
        deals: (worlds,) records of the sampled worlds.
        dealing: int64 scratch memory for sampling.
        offer_values: (offers,) float64, value of each offer.
    """

    cache: EvalCache
    deals: np.ndarray
    dealing: np.ndarray
    offer_values: np.ndarray


def bargain(decisions, all_params, weights, space, start, stop):
    """Kernel: choose trade actions for the games `start .. stop-1`.

    If a decision is not about trade offers, its action is -1.

    Args:
        decisions: `TradeDecisions`; receives the actions.
        weights: (rows, terms) weights of the evaluation.
        space: a `TradeSpace`.
    """
    params, actions = all_params[0], decisions.actions
    cache, deals, offer_values = space.cache, space.deals, space.offer_values
    clear_cache(cache)
    for i in range(start, stop):
        game, seat, legal = decisions.worlds[i], decisions.seats[i], decisions.legal[i]
        decision = current_decision(game)
        is_drafting = decision in (DRAFT_OFFER, DRAFT_COUNTER)
        is_answering = decision == ANSWER_OFFER
        is_closing = decision == CHOOSE_PARTNER
        actions[i] = NOTHING_TO_SAY
        if not (is_drafting or is_answering or is_closing or legal[MAKE_OFFER]):
            continue
        weight_row = weights[decisions.which[i]]
        deals[0] = game
        for world in range(1, deals.shape[0]):
            deals[world] = deals[world - 1]
            deal_world(deals[world], params, seat, space.dealing)
        if is_closing:
            actions[i] = choose_partner(game, deals, params, seat, legal, weight_row, cache)
        elif is_answering:
            actions[i] = answer(game, deals, params, seat, legal, weight_row, cache, offer_values)
        else:
            partner = game.on_turn if decision == DRAFT_COUNTER else NOBODY
            rate_offers(deals, params, seat, partner, weight_row, cache, offer_values)
            offers_made = 0
            if decision != DRAFT_COUNTER and not (is_drafting and is_begun(game, seat)):
                offers_made = max(params.offers_per_turn - game.offers_left - is_drafting, 0)
            offer = best_offer(game, seat, 0.0 if is_drafting else LEAST, offers_made, offer_values)
            if is_drafting:
                actions[i] = next_part(game, seat, offer)
            elif offer != NOTHING_TO_SAY:
                actions[i] = MAKE_OFFER
