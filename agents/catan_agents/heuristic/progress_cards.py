"""Scores for Cities & Knights progress cards: play them as soon as they help."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.base import FREE_ROADS, NUM_RESOURCES, deficit, rates, surplus
from catan_agents.heuristic.cities_and_knights import (
    COMMODITIES,
    NOT_NOW,
    alarm,
    defence,
    income_by_sum,
    my_hex_cards,
    my_knights,
    opponents_to_the_left,
    pips_of_hexes,
    swap_gains,
    wanted_commodities,
    worth_of_resources,
)
from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import always, score
from catan_env.games.cities_and_knights.espionage import PLAY_ESPIONAGE, TAKE_PROGRESS
from catan_env.games.cities_and_knights.knights import INACTIVE
from catan_env.games.cities_and_knights.politics_cards import (
    PLAY_DIPLOMACY,
    PLAY_ENCOURAGEMENT,
    PLAY_INTRIGUE,
    PLAY_SABOTAGE,
    PLAY_TAXATION,
    PLAY_TREASON,
    PLAY_WEDDING,
)
from catan_env.games.cities_and_knights.progress_cards import DISCARD_PROGRESS
from catan_env.games.cities_and_knights.science_cards import (
    PLAY_ALCHEMY,
    PLAY_CRANE,
    PLAY_ENGINEERING,
    PLAY_INVENTION,
    PLAY_IRRIGATION,
    PLAY_MEDICINE,
    PLAY_MINING,
    PLAY_ROADS,
    PLAY_SMITHING,
    SET_DIE,
    SWAP_NUMBER,
)
from catan_env.games.cities_and_knights.sea_progress import PLAY_DIPLOMACY_AT_SEA
from catan_env.games.cities_and_knights.trade_cards import (
    GIVE_CARD,
    GIVE_OPENLY,
    OFFER_AT_HARBOR,
    PICK_CARD,
    PLAY_COMMERCIAL_HARBOR,
    PLAY_FLEET,
    PLAY_GUILD_DUES,
    PLAY_MERCHANT,
    PLAY_RESOURCE_MONOPOLY,
    PLAY_TRADE_MONOPOLY,
)

WORTH_OF_CARD = {
    "alchemy": 5.0,
    "crane": 5.0,
    "engineering": 3.0,
    "invention": 2.0,
    "irrigation": 4.0,
    "medicine": 6.0,
    "mining": 4.5,
    "road_building": 4.0,
    "smithing": 4.0,
    "commercial_harbor": 4.0,
    "guild_dues": 5.0,
    "merchant": 7.0,
    "merchant_fleet": 3.0,
    "resource_monopoly": 5.0,
    "trade_monopoly": 5.5,
    "diplomacy": 1.5,
    "encouragement": 3.5,
    "espionage": 3.0,
    "intrigue": 1.0,
    "sabotage": 3.0,
    "taxation": 4.5,
    "treason": 4.0,
    "wedding": 6.0,
}
"""The value of each card in hand. Victory point cards are never kept in hand."""
FREE_ROADS.append("relocate_road")


def worth_of_progress(t: DecisionContext) -> np.ndarray:
    """Return the value of each kind of progress card, shape (n, cards)."""
    names = t.engine.actions.argument_names(DISCARD_PROGRESS.name)
    return np.tile([WORTH_OF_CARD.get(name, 0.0) for name in names], (len(t.games), 1))


@score(DISCARD_PROGRESS)
def discard_progress(t: DecisionContext) -> np.ndarray:
    return -t.of(worth_of_progress)


@score(TAKE_PROGRESS)
def take_progress(t: DecisionContext) -> np.ndarray:
    return 10.0 + t.of(worth_of_progress)


# -- science ---------------------------------------------------------------------------------------------------


def alchemy_brings(t: DecisionContext) -> np.ndarray:
    """Return the number of cards that the seat gets from its best roll, shape (n,)."""
    return t.of(income_by_sum).max(axis=1)


@score(PLAY_ALCHEMY)
def play_alchemy(t: DecisionContext) -> np.ndarray:
    """Play alchemy to set a roll that produces at least two cards."""
    return np.where(t.of(alchemy_brings) >= 2, 60.0, NOT_NOW)[:, None]


@score(SET_DIE)
def set_die(t: DecisionContext) -> np.ndarray:
    """Set the dice to the most productive total, breaking ties in favor of a low red die, which opens more gates."""
    cards_by_sum = t.of(income_by_sum).astype(np.float64)
    faces = np.arange(1, 7)
    best_by_red = np.stack([cards_by_sum[:, red_die + faces].max(axis=1) for red_die in faces], axis=1) - 0.01 * faces
    red_die = np.maximum(t.public("red_die").astype(np.int64), 1)
    second_cards = np.take_along_axis(cards_by_sum, red_die[:, None] + faces, axis=1)
    return np.where((t.argument("set_dice") == 1)[:, None], second_cards, best_by_red)


@score(PLAY_CRANE)
def play_crane(t: DecisionContext) -> np.ndarray:
    """Prefer high levels and levels that the seat could not afford without the crane."""
    can_pay = t.own("hands")[:, COMMODITIES] >= t.of(wanted_commodities)
    return np.where(can_pay, 400.0, 930.0 + 5.0 * t.of(wanted_commodities))


@score(PLAY_INVENTION)
def play_invention(t: DecisionContext) -> np.ndarray:
    """Play invention if any of the seat's productive hexes has an unlikely number."""
    is_movable = ~np.isin(t.public("number"), (0, 2, 6, 8, 12))
    pips = np.where(is_movable, t.of(pips_of_hexes), np.nan)
    gains = t.of(swap_gains)
    best_low_gain = np.where(is_movable & (pips <= 3), gains, -9.0).max(axis=1)
    return np.where(best_low_gain >= 1.0, 200.0, NOT_NOW)[:, None]


@score(SWAP_NUMBER)
def swap_number(t: DecisionContext) -> np.ndarray:
    """First choose a productive hex with an unlikely number, then a hex with a likely number that helps opponents."""
    pips, gains = t.of(pips_of_hexes), t.of(swap_gains)
    return np.where(t.deciding("swap_first")[:, None], gains * (5.0 - pips), pips * (4.0 - gains))


always(740.0, PLAY_IRRIGATION, PLAY_MINING)
always(1100.0, PLAY_MEDICINE)
always(700.0, PLAY_ROADS)
always(480.0, PLAY_SMITHING)
always(300.0, PLAY_ENGINEERING)


# -- trade -----------------------------------------------------------------------------------------------------


@score(PLAY_MERCHANT)
def play_merchant(t: DecisionContext) -> np.ndarray:
    """Play the merchant on the most productive hex to gain its point. Wait if the seat already has the point."""
    has_point = (t.public("merchant_owner") == t.seats)[:, None]
    return np.where(has_point, NOT_NOW, 860.0) + t.of(my_hex_cards) * t.of(pips_of_hexes)


@score(PLAY_FLEET)
def play_merchant_fleet(t: DecisionContext) -> np.ndarray:
    """Choose a kind with spare cards if the plan still needs any cards."""
    cards_spare = t.of(surplus).copy()
    cards_spare[:, COMMODITIES] -= t.of(wanted_commodities)
    is_useful = (cards_spare >= 2) & (t.of(rates) > 2) & np.any(t.of(deficit), axis=1)[:, None]
    return np.where(is_useful, 540.0 + cards_spare, NOT_NOW)


@score(PLAY_COMMERCIAL_HARBOR)
def play_commercial_harbor(t: DecisionContext) -> np.ndarray:
    """Play the commercial harbor if at least two resource cards are spare."""
    spare_count = t.of(surplus)[:, :NUM_RESOURCES].sum(axis=1)
    return np.where(spare_count > 1, 640.0, NOT_NOW)[:, None]


@score(OFFER_AT_HARBOR)
def offer_at_harbor(t: DecisionContext) -> np.ndarray:
    spare_count = t.of(surplus)[:, :NUM_RESOURCES].sum(axis=1)
    opponents_cards = t.totals("hands")[t.rows[:, None], opponents_to_the_left(t, OFFER_AT_HARBOR)]
    return np.where((spare_count > 0)[:, None], 630.0 + opponents_cards, NOT_NOW)


@score(GIVE_CARD, GIVE_OPENLY)
def give_card(t: DecisionContext) -> np.ndarray:
    """Give away the least valuable card."""
    return 10.0 * t.of(surplus) - 2.0 * t.of(worth_of_resources)


@score(PLAY_GUILD_DUES)
def play_guild_dues(t: DecisionContext) -> np.ndarray:
    return 680.0 + t.totals("hands")[t.rows[:, None], opponents_to_the_left(t, PLAY_GUILD_DUES)]


@score(PICK_CARD)
def pick_card(t: DecisionContext) -> np.ndarray:
    return t.of(worth_of_resources)


def elsewhere(t: DecisionContext) -> np.ndarray:
    """Return an upper bound on the opponents' combined cards of each kind, shape (n, kinds)."""
    bank_sizes = np.full(t.own("hands").shape[1], t.engine.rules["bank_per_resource"])
    bank_sizes[COMMODITIES] = t.engine.rules["bank_per_commodity"]
    others_cards = t.totals("hands").sum(axis=1) - t.own("hands").sum(axis=1)
    return np.minimum(bank_sizes - t.public("bank") - t.own("hands"), others_cards[:, None])


@score(PLAY_RESOURCE_MONOPOLY)
def play_resource_monopoly(t: DecisionContext) -> np.ndarray:
    """Choose a resource that the plan needs and that opponents may hold."""
    worth = np.where(t.of(elsewhere) >= 2, 600.0 + 10.0 * t.of(deficit) + t.of(elsewhere), NOT_NOW)
    return worth[:, :NUM_RESOURCES]


@score(PLAY_TRADE_MONOPOLY)
def play_trade_monopoly(t: DecisionContext) -> np.ndarray:
    commodities_elsewhere = t.of(elsewhere)[:, COMMODITIES]
    return np.where(
        (commodities_elsewhere >= 1) & (t.of(wanted_commodities) > 0), 610.0 + commodities_elsewhere, NOT_NOW
    )


# -- politics --------------------------------------------------------------------------------------------------


@score(PLAY_DIPLOMACY, PLAY_DIPLOMACY_AT_SEA)
def play_diplomacy(t: DecisionContext) -> np.ndarray:
    """Remove a piece belonging to the holder of Longest Road or to another opponent with a long route.

    Ships are part of the route.
    """
    owners = t.public("edge_owner").astype(np.int64)
    road_lengths = t.public("road_length")[t.rows[:, None], np.maximum(owners, 0)]
    holds_longest_road = owners == t.public("longest_road")[:, None]
    is_others = (owners >= 0) & (owners != t.seats[:, None])
    return np.where(is_others & (road_lengths >= 4), 130.0 + 100.0 * holds_longest_road + road_lengths, NOT_NOW)


@score(PLAY_ENCOURAGEMENT)
def play_encouragement(t: DecisionContext) -> np.ndarray:
    """Play encouragement, before paying any grain, if the barbarians are near or three knights are inactive."""
    inactive_count = ((t.of(my_knights) > 0) & (t.public("knight_state") == INACTIVE)).sum(axis=1)
    return np.where((t.of(alarm) > 0.3) | (inactive_count >= 3), 1150.0, NOT_NOW)[:, None]


@score(PLAY_ESPIONAGE)
def play_espionage(t: DecisionContext) -> np.ndarray:
    card_counts = t.public("progress_backs").sum(axis=2)
    return 320.0 + card_counts[t.rows[:, None], opponents_to_the_left(t, PLAY_ESPIONAGE)]


@score(PLAY_TREASON)
def play_treason(t: DecisionContext) -> np.ndarray:
    """Choose the opponent with the strongest active knights."""
    return 360.0 + t.of(defence)[t.rows[:, None], opponents_to_the_left(t, PLAY_TREASON)]


@score(PLAY_TAXATION)
def play_taxation(t: DecisionContext) -> np.ndarray:
    return np.full((len(t.games), 1), 430.0)


@score(PLAY_INTRIGUE)
def play_intrigue(t: DecisionContext) -> np.ndarray:
    """Play intrigue right away against a knight on the seat's roads; otherwise, play it late in the turn."""
    owners = t.public("knight_owner")
    is_others = (owners >= 0) & (owners != t.seats[:, None])
    own_road_counts = at(t.public("edge_owner") == t.seats[:, None], t.topology.intersection_paths).sum(axis=2)
    return np.where((is_others & (own_road_counts >= 2)).any(axis=1), 210.0, 20.0)[:, None]


@score(PLAY_SABOTAGE)
def play_sabotage(t: DecisionContext) -> np.ndarray:
    """Play sabotage if it would cost the opponents who are not behind the seat at least three cards in total."""
    is_ahead = t.points >= t.points[t.rows, t.seats][:, None]
    is_ahead[t.rows, t.seats] = False
    cards_lost = (t.totals("hands") // 2 * is_ahead).sum(axis=1)
    return np.where(cards_lost >= 3, 220.0 + cards_lost, NOT_NOW)[:, None]


always(690.0, PLAY_WEDDING)
