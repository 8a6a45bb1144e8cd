"""Offers between players, judged by what the cards are worth to both sides. Compiled with the rules.

An exchange is worth to a seat what it adds to the value of its position, less the partner's gain shared among the
partner's opponents. An offer is worth making if somebody is expected to find it worth taking: whether others have the
cards, and what these are worth to them, is looked up in imagined worlds. Offers are of one kind of card for one card.
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
"""Cards that are offered for one, at most."""
LEAST = 0.05
"""What an exchange must be worth to be offered, in victory points."""
HOPE = 1e-3
"""What share of the own gain an offer counts for at least, so that one that was begun is finished."""
NOTHING_TO_SAY = -1
TAKEN = -1e9


# -- what an exchange is worth -----------------------------------------------------------------------------


def exchange(game, offerer, other, direction):
    """Moves the cards of an offer, 1, or back again, -1."""
    for card in range(HAND_CARDS):
        card_count = direction * (game.gives[offerer, card] - game.wants[offerer, card])
        game.hands[offerer, card] -= card_count
        game.hands[other, card] += card_count


def gain(game, params, seat, offerer, other, weights, cache):
    """What an exchange adds to the value of a seat's position."""
    value_before = value(game, params, seat, weights, cache)
    exchange(game, offerer, other, 1)
    value_after = value(game, params, seat, weights, cache)
    exchange(game, offerer, other, -1)
    return value_after - value_before


def advantage(params, own, others):
    """What an exchange is worth to one who gains so much where the partner gains so much."""
    return own - others / (params.num_players - 1)


def has_cards(game, seat, offerer):
    """Whether a seat has the cards that an offer asks for."""
    for card in range(HAND_CARDS):
        if game.hands[seat, card] < game.wants[offerer, card]:
            return False
    return True


def is_of_cards(game, offerer):
    """Whether an offer is of cards alone, whose worth is known."""
    for good in range(HAND_CARDS, GOODS):
        if game.gives[offerer, good] > 0 or game.wants[offerer, good] > 0:
            return False
    return True


def expected(deals, params, seat, offerer, other, weights, cache):
    """What an exchange is worth to a seat that takes part in it, on average over worlds."""
    partner = other if seat == offerer else offerer
    advantage_sum = 0.0
    for world in range(deals.shape[0]):
        own_gain = gain(deals[world], params, seat, offerer, other, weights, cache)
        advantage_sum += advantage(
            params, own_gain, gain(deals[world], params, partner, offerer, other, weights, cache)
        )
    return advantage_sum / deals.shape[0]


# -- what to offer -----------------------------------------------------------------------------------------
# An offer of cards for one card is a number, below `HAND_CARDS * HAND_CARDS * MOST_GIVEN`.


def given_in(offer):
    """The kind of card that an offer gives."""
    return offer // MOST_GIVEN // HAND_CARDS


def asked_in(offer):
    """The kind of card that it asks for."""
    return offer // MOST_GIVEN % HAND_CARDS


def number_in(offer):
    """How many cards it gives."""
    return offer % MOST_GIVEN + 1


def lay_out(game, seat, offer):
    """Makes an offer that of a seat."""
    for good in range(GOODS):
        game.gives[seat, good] = number_in(offer) if good == given_in(offer) else 0
        game.wants[seat, good] = good == asked_in(offer)


def offer_value(deals, params, seat, partner, offer, weights, cache):
    """What an offer is expected to be worth to a seat, if those who find it worth taking take it, in the worlds where
    they have the cards. The partner may be anybody, or somebody certain."""
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
    """Writes what all offers are expected to be worth."""
    for offer in range(len(offer_values)):
        given_card = given_in(offer)
        offer_values[offer] = 0.0
        if given_card != asked_in(offer) and number_in(offer) <= deals[0].hands[seat, given_card]:
            offer_values[offer] = offer_value(deals, params, seat, partner, offer, weights, cache)


def is_begun(game, seat):
    """Whether a seat has laid out something."""
    for good in range(GOODS):
        if game.gives[seat, good] > 0 or game.wants[seat, good] > 0:
            return True
    return False


def goes_with(game, seat, offer):
    """Whether an offer can be made of what a seat has laid out so far."""
    for good in range(GOODS):
        if game.gives[seat, good] > (number_in(offer) if good == given_in(offer) else 0):
            return False
        if game.wants[seat, good] > (good == asked_in(offer)):
            return False
    return True


def best_offer(game, seat, least, passed_over, offer_values):
    """The best offer that can be made of what is laid out; -1 if none is worth more than the least. So many of the best
    of all are passed over, as others did not take them."""
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
    """The action by which an offer is put together further."""
    if offer == NOTHING_TO_SAY:
        return CANCEL_OFFER
    if game.gives[seat, given_in(offer)] < number_in(offer):
        return OFFER_CARD + given_in(offer)
    return SUBMIT_OFFER if game.wants[seat, asked_in(offer)] else ASK_CARD + asked_in(offer)


# -- the decisions -----------------------------------------------------------------------------------------


def answer(game, deals, params, seat, legal, weights, cache, offer_values):
    """Takes an offer that is worth it, or else asks for more than one gives."""
    offerer = game.on_turn
    if legal[ACCEPT] and is_of_cards(game, offerer):
        if expected(deals, params, seat, offerer, seat, weights, cache) > 0.0:
            return ACCEPT
    rate_offers(deals, params, seat, offerer, weights, cache, offer_values)
    return COUNTER if best_offer(game, seat, LEAST, 0, offer_values) != NOTHING_TO_SAY else DECLINE


def choose_partner(game, deals, params, seat, legal, weights, cache):
    """Trades with whom it is worth most to trade with."""
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
    """Games in which somebody may have to decide about offers, and where the choices go.

    Attributes:
        worlds: (games,) records, as the seats imagine them.
        legal: (games, actions) bool.
        seats: (games,) whose decision it is.
        which: (games,) row of the weights that each game is judged by.
        actions: (games,) the choice, written; -1 where offers are not what is to be decided.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    which: np.ndarray
    actions: np.ndarray


class TradeSpace(NamedTuple):
    """Memory to judge offers in.

    Attributes:
        cache: values of positions that were evaluated before.
        deals: (worlds,) records to deal in.
        dealing: int64 to count in while dealing.
        offer_values: (offers,) float64, to rate offers in.
    """

    cache: EvalCache
    deals: np.ndarray
    dealing: np.ndarray
    offer_values: np.ndarray


def bargain(decisions, all_params, weights, space, start, stop):
    """Kernel: what to do about offers between players in the games `start .. stop-1`; -1 where that is nothing.

    Args:
        decisions: `TradeDecisions`, in which the choices are written.
        weights: (rows, terms) that games are judged by.
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
