"""Decisions about trade between players, compiled with the rules.

An offer is worth making if its expected value is high enough. Offers and counter-offers are chosen alike, and a seat
accepts an offer if it expects no more from its best counter-offer. `catan_agents.search.offers` values exchanges by the
evaluation of the position after them. When agents offer an exchange or choose a partner, they compute their own gain
instead as the difference between the values of their best actions after and before the exchange.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_agents.evaluation.memo import clear_cache
from catan_agents.search.offers import (
    GIVES,
    LEAST,
    MOST_RATED,
    NOTHING_TO_SAY,
    OWN_GAIN,
    SHARE,
    TAKER,
    WANTS,
    WORLD,
    advantage,
    best_offer,
    deal_worlds,
    exchange,
    gain,
    gain_from_offers,
    gain_of_willing,
    goes_with,
    is_of_cards,
    lay_out,
    rate_if_worthwhile,
    rate_offers,
)
from catan_env.engine.decision_stack import current_decision
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

HAND, OFFERS_LEFT, PLANNER, PLAN, RANKED = range(5)
"""Columns of a game's memory: the last `hand_this_turn` of a seat that could make an offer, and the number of offers
left when it first had this hand; the `hand_this_turn` of the seat that last planned an offer, and this offer; the first
of the offers that the seat makes with the hand, best first, or `NOTHING_TO_SAY`."""
MEMORY = RANKED + MOST_RATED
"""Number of columns of a game's memory."""
TRADE_DECISIONS = DRAFT_OFFER, DRAFT_COUNTER, ANSWER_OFFER, CHOOSE_PARTNER
BASE = 31
"""More than any seat or number of cards of a kind in hand."""
ONLY_BEST = 1
TAKEN = -1e9


def is_about_trade(engine, games: np.ndarray) -> np.ndarray:
    """Return for each game whether its seat to act may begin an offer or decides about one, shape (n,), bool."""
    codes = [engine.program.composition.code(decision.name) for decision in TRADE_DECISIONS]
    heads = engine.state["decision_stack"][games, engine.state["depth"][games] - 1]
    return engine.action_mask[games, engine.actions.id("make_offer")] | np.isin(heads, codes)


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


def answer(game, params, seat, legal, weights, space, memory):
    """Return the action that answers an offer.

    The seat makes its best counter-offer if that is worth more than accepting. It declines if neither is worthwhile.
    """
    offerer, own_gain, accepted_value = game.on_turn, 0.0, 0.0
    may_counter = gain_from_offers(game, params, seat, offerer, weights, space)
    if legal[ACCEPT] and is_of_cards(game, offerer):
        own_gain = gain(game, params, seat, offerer, seat, weights, space.cache)
    if may_counter or own_gain > LEAST:
        deal_worlds(game, params, seat, space)
    if own_gain > LEAST:
        partner_gain = gain_of_willing(space, params, offerer, offerer, seat, weights)
        accepted_value = advantage(params, own_gain, partner_gain)
    if may_counter:
        least = max(accepted_value, LEAST)
        rate_offers(params, seat, offerer, weights, space, ONLY_BEST, least)
        offer = best_offer(least, space.offer_values)
        if offer != NOTHING_TO_SAY:
            plan(game, seat, memory, offer)
            return COUNTER
    return ACCEPT if accepted_value > LEAST else DECLINE


def list_partners(decisions, i, params, weights, space):
    """List the actions that trade with a willing partner as candidates, see `TradeDecisions`."""
    game, seat, legal = decisions.worlds[i], decisions.seats[i], decisions.legal[i]
    deal_worlds(game, params, seat, space)
    count = 0
    for step in range(1, params.num_players):
        candidate = to_the_left(params, seat, step)
        if legal[CONFIRM + step - 1] and count < MOST_RATED:
            offerer, taker = (candidate, seat) if game.answer[candidate] == COUNTERED else (seat, candidate)
            if is_of_cards(game, offerer):
                own_gain = gain(game, params, seat, offerer, taker, weights, space.cache)
                partner_gain = gain_of_willing(space, params, candidate, offerer, taker, weights)
                decisions.candidates[i, count] = CONFIRM + step - 1
                decisions.values[i, count] = advantage(params, own_gain, partner_gain)
                decisions.own_gains[i, count] = own_gain
                decisions.shares[i, count] = 1.0
                count += 1


def hand_this_turn(game, seat):
    """Return a positive number that identifies a seat's hand in the current turn."""
    number = (int(game.turn) + 1) * BASE + seat
    for card in range(HAND_CARDS):
        number = number * BASE + int(game.hands[seat, card])
    return number


def list_offers(decisions, i, space):
    """List the best offers as candidates, see `TradeDecisions`."""
    game, seat = decisions.worlds[i], decisions.seats[i]
    for rank in range(MOST_RATED):
        offer = best_offer(0.0, space.offer_values)
        if offer == NOTHING_TO_SAY or space.ratings[offer, SHARE] == 0.0:
            return
        rating, after = space.ratings[offer], decisions.after[i]
        decisions.candidates[i, rank], decisions.values[i, rank] = offer, space.offer_values[offer]
        decisions.own_gains[i, rank], decisions.shares[i, rank] = rating[OWN_GAIN], rating[SHARE]
        after[rank] = space.deals[int(rating[WORLD])]
        lay_out(after[rank], seat, space.offers[offer])
        exchange(after[rank], seat, int(rating[TAKER]), 1)
        for good in range(GOODS):
            after[rank].gives[seat, good] = game.gives[seat, good]
            after[rank].wants[seat, good] = game.wants[seat, good]
        space.offer_values[offer] = TAKEN


def next_offer(decisions, i, params, weights, space):
    """Return the best offer that a seat has not yet made this turn with its present hand, or `NOTHING_TO_SAY`.

    Offers are rated again only when the hand has changed, and then listed as candidates. Until it changes, none of
    those made has led to a trade.
    """
    game, seat, memory = decisions.worlds[i], decisions.seats[i], decisions.memory[i]
    hand = hand_this_turn(game, seat)
    if memory[HAND] != hand:
        memory[HAND] = hand
        memory[OFFERS_LEFT] = game.offers_left
        memory[RANKED:] = NOTHING_TO_SAY
        if rate_if_worthwhile(game, params, seat, NOBODY, weights, space, MOST_RATED):
            list_offers(decisions, i, space)
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
    """Games that may require a decision about a trade, and the output arrays.

    Candidates are offers if the seat could make one with a new hand, and actions if it has to choose a partner. The
    kernel lists them, and `choose_trades` chooses among them.

    Attributes:
        worlds: (games,) records, sampled from the point of view of the seat to act.
        legal: (games, actions) bool, legal actions.
        seats: (games,) seat to act.
        which: (games,) row of the weights to use.
        memory: (games, MEMORY) int64, the agent's memory of each game; see `HAND` to `RANKED`.
        actions: (games,) output: action ids, or -1 if the decision is not about trade offers.
        candidates: (games, MOST_RATED) int64, output: candidates, then `NOTHING_TO_SAY`.
        values: (games, MOST_RATED) float64, output: expected value of each candidate; minus infinity after the last.
        own_gains: (games, MOST_RATED) float64, output: the seat's own gain from the exchange.
        shares: (games, MOST_RATED) float64, output: the fraction of worlds in which the exchange happens.
        after: (games, MOST_RATED) records, output: a world after the exchange that an offer leads to.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    which: np.ndarray
    memory: np.ndarray
    actions: np.ndarray
    candidates: np.ndarray
    values: np.ndarray
    own_gains: np.ndarray
    shares: np.ndarray
    after: np.ndarray


def bargain(decisions, all_params, weights, space, start, stop):
    """Kernel: choose trade actions for the games `start .. stop-1`, or list candidates for `choose_trades`.

    Every decision must be about trade, see `is_about_trade`. If no offer is worth making, the action is -1.

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
        if is_drafting:
            offer = planned(game, seat, legal, space.offers, memory)
            if offer != NOTHING_TO_SAY:
                actions[i] = next_part(game, seat, space.offers, offer)
                continue
        weight_row = weights[decisions.which[i]]
        space.deals[0] = game
        if is_closing:
            list_partners(decisions, i, params, weight_row, space)
            actions[i] = WITHDRAW
        elif is_answering:
            actions[i] = answer(game, params, seat, legal, weight_row, space, memory)
        elif is_drafting:
            partner = game.on_turn if decision == DRAFT_COUNTER else NOBODY
            if rate_if_worthwhile(game, params, seat, partner, weight_row, space, ONLY_BEST):
                offer = best_offer(0.0, space.offer_values)
                plan(game, seat, memory, offer)
            actions[i] = next_part(game, seat, space.offers, offer)
        else:
            offer = next_offer(decisions, i, params, weight_row, space)
            if offer != NOTHING_TO_SAY:
                plan(game, seat, memory, offer)
                actions[i] = MAKE_OFFER


def choose_trades(decisions: TradeDecisions, make_offer: int) -> None:
    """Choose the best candidates in each game, given their values, and store the actions and ranked offers.

    Args:
        make_offer: the action that begins an offer.
    """
    order = np.argsort(-decisions.values, axis=1, kind="stable")
    values, candidates = (np.take_along_axis(array, order, 1) for array in (decisions.values, decisions.candidates))
    is_considered, is_closing = candidates[:, 0] >= 0, decisions.actions >= 0
    closing = is_considered & is_closing & (values[:, 0] > 0.0)
    decisions.actions[closing] = candidates[closing, 0]
    offering = is_considered & ~is_closing
    memory, ranked = decisions.memory, np.where(values > LEAST, candidates, NOTHING_TO_SAY)
    memory[offering, RANKED:] = ranked[offering]
    making = offering & (ranked[:, 0] >= 0)
    memory[making, PLANNER], memory[making, PLAN] = memory[making, HAND], ranked[making, 0]
    decisions.actions[making] = make_offer
