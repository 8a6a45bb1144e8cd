"""The dice game and Plus: one wants the basket of pieces that is worth most for how likely the dice are to pay for it.

A basket is up to three roads, a settlement, a city or knights, or two of these. What it lacks counts the less, the more
dice are still to fall; dice that it does not need are rolled again. Jokers are kept for cities.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.heuristic.scoring import LIKELY, NEVER, NOTHING, always, scores
from agents.heuristic.thought import Thought
from catan_env.rules.dice_game.gold_trade import TRADE_GOLD
from catan_env.rules.dice_game.knight_jokers import NAME_SIDE, TURN_DIE, USE_JOKER
from catan_env.rules.dice_game.rolling import LET_STAND, ROLL_AGAIN, TAKE_UP
from catan_env.rules.dice_game.sheet import BUILD_CITY, BUILD_KNIGHT, BUILD_ROAD, BUILD_SETTLEMENT

BASKETS = np.array([
    (0, 0, 0, 1), (0, 0, 0, 2), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 0), (2, 0, 0, 0),
    (3, 0, 0, 0),
])
"""Roads, settlements, cities and knights that six dice can pay for."""
CITY = 2
"""In a basket."""
GOLD, RESOURCES = 5, 5
FURTHER, LATER = 0.75, (0.2, 0.3)
"""A site counts less for each road that is missing, and for each settlement, or city, that comes before it."""
JOKER = 6.0
RACE = 4.0
"""What a victory point is worth in Plus, beside which knights and roads bring some in time."""
MOST = 1e3


class Outlook(NamedTuple):
    """What the seats to act make of their sheets and dice."""

    roads: np.ndarray
    """(n, roads) what each road that can be built next is worth, 0 for others."""
    pieces: np.ndarray
    """(n, 4) what the best road, settlement, city and knight that can come next are worth, 0 where none can."""
    wanted: np.ndarray
    """(n, 6) dice of the basket that is aimed at."""
    lacking: np.ndarray
    """(n, 5) of them, those that do not lie there."""
    possible: np.ndarray
    """(n,) bool: gold and jokers make up for what lacks."""


def outlook(t: Thought) -> Outlook:
    sheet, seat = t.engine.scenario.tables, (t.rows, t.seats)
    built = {what: t.public(f"{what}_built")[seat] > 0 for what in ("roads", "settlements", "cities", "knights")}
    ascending = t.engine.rules["building_order"] == "ascending"
    points = np.array([points for _, points in sheet.settlements + sheet.cities], float) * (1.0 if ascending else RACE)
    open_sites = ~np.concatenate([built["settlements"], built["cities"]], axis=1)
    worth = points * open_sites
    cities = slice(len(sheet.settlements), None)
    if ascending:  # a city opens the way to those after it, so that they share what they are worth
        left = np.maximum(open_sites[:, cities].sum(axis=1), 1)
        worth[:, cities] = open_sites[:, cities] * (worth[:, cities].sum(axis=1) / left)[:, None]
        for part, later in ((slice(None, cities.start), LATER[0]), (cities, LATER[1])):
            worth[:, part] *= later ** np.maximum(np.cumsum(open_sites[:, part], axis=1) - 1, 0)
    roads, reached = _roads(sheet, built["roads"], worth)
    ready = np.where(reached, worth, 0.0)
    if ascending:
        for part in (slice(None, cities.start), cities):
            ready[:, part] *= np.cumsum(open_sites[:, part], axis=1) == 1
    settlements = cities.start
    knight = np.array([points for _, points in sheet.knights], float)
    next_knight = (~built["knights"]).argmax(axis=1)
    knight_worth = np.where(built["knights"].all(axis=1), 0.0, knight[next_knight] + JOKER)
    pieces = np.stack([
        roads.max(axis=1), ready[:, :settlements].max(axis=1), ready[:, settlements:].max(axis=1), knight_worth,
    ], axis=1)
    return Outlook(roads, pieces, *_aim(t, pieces))


def _roads(sheet, built: np.ndarray, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each road that can come next is worth, (n, roads), and which sites are reached, (n, sites) bool."""
    n, count = built.shape
    places = {place: k for k, (place, _) in enumerate(sheet.settlements + sheet.cities)}
    reached = np.zeros(worth.shape, bool)
    value = np.zeros((n, count))
    for road in range(count - 1, -1, -1):
        start, end = sheet.roads[road]
        beyond = [k for k, (a, _) in enumerate(sheet.roads) if a == end]
        value[:, road] += sum(FURTHER * value[:, k] * ~built[:, k] for k in beyond)
        for place in (start, end):
            if place in places:
                reached[:, places[place]] |= built[:, road]
        if end in places:
            value[:, road] += worth[:, places[end]]
    value = value / 4 + (sheet.road_points or 0.5)
    before = [next((k for k, (_, b) in enumerate(sheet.roads) if b == a), 0) for a, _ in sheet.roads]
    return value * ~built * built[:, before], reached


def _aim(t: Thought, pieces: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Dice of the best basket, those that are lacking, whether gold and jokers make up for them."""
    dice = t.public("dice_lying").astype(int)
    left = np.clip(t.engine.rules["rolls_per_turn"] - t.public("rolls_made"), 0, 2)
    prices = np.array([t.engine.rules[f"{what}_cost"] for what in ("road", "settlement", "city", "knight")])
    costs = BASKETS @ prices
    lacking = np.maximum(costs - dice[:, None, :], 0)
    spare = np.maximum(dice[:, None, :] - costs, 0).sum(axis=2)
    gold = dice[:, GOLD] // t.engine.rules["gold_rate"]
    jokers = _jokers(t)
    helped = ((lacking[:, :, :RESOURCES] > 0) & jokers[:, None, :RESOURCES]).sum(axis=2) + jokers[:, None, GOLD]
    short = lacking.sum(axis=2)
    helped = np.minimum(np.minimum(helped, spare - gold[:, None]), short) * (BASKETS[:, CITY] > 0)
    open_need = np.maximum(short - gold[:, None] - np.maximum(helped, 0), 0)
    dice_there = dice.sum(axis=1) + t.public("dice_taken_up")
    affordable = costs.sum(axis=1) <= dice_there[:, None]
    offered = ((BASKETS == 0) | (pieces[:, None, :] > 0)).all(axis=2) & affordable
    worth = pieces @ BASKETS.T - 0.5 * np.maximum(short - gold[:, None], 0)
    free = dice_there[:, None] - costs.sum(axis=1) + short
    falls = free * left[:, None] / np.maximum(open_need, 1)
    chance = (1.0 - (5 / 6) ** falls) ** open_need
    best = np.where(offered, np.maximum(worth, 0.1) * chance, -1.0).argmax(axis=1)
    return costs[best], lacking[t.rows, best, :RESOURCES], open_need[t.rows, best] == 0


def _jokers(t: Thought) -> np.ndarray:
    """(n, 6) bool: whether there is a joker for each resource; the last for one of any side."""
    usable = t.of(usable_jokers)
    found = np.zeros((len(t.games), 6), bool)
    for k, (face, _) in enumerate(t.engine.scenario.tables.jokers):
        found[:, GOLD if face == "any" else SIDES.index(face)] |= usable[:, k]
    return found


SIDES = ("lumber", "brick", "wool", "grain", "ore")


def usable_jokers(t: Thought) -> np.ndarray:
    """(n, jokers) bool: whose knights stand, and that are not struck out."""
    knights = t.public("knights_built")[t.rows, t.seats] > 0
    ready = [knights[:, list(needed)].all(axis=1) for _, needed in t.engine.scenario.tables.jokers]
    return np.stack(ready, axis=1) & (t.public("jokers_used")[t.rows, t.seats] == 0)


def surplus(t: Thought) -> np.ndarray:
    """(n, 6) dice that the basket does not need; gold in pairs makes up for what lacks."""
    look, dice = t.of(outlook), t.public("dice_lying").astype(int)
    idle = np.maximum(dice - look.wanted, 0)
    pairs = np.minimum(look.lacking.sum(axis=1), dice[:, GOLD] // 2)
    idle[:, GOLD] -= 2 * pairs
    return idle


@scores(TAKE_UP)
def take_up(t: Thought) -> np.ndarray:
    return np.where(t.of(surplus) > 0, 20.0, NEVER)


@scores(LET_STAND)
def let_stand(t: Thought) -> np.ndarray:
    return np.full((len(t.games), 1), NOTHING)


always(10.0, ROLL_AGAIN)


@scores(BUILD_ROAD)
def build_road(t: Thought) -> np.ndarray:
    look = t.of(outlook)
    return LIKELY + look.roads + _in_basket(t, "road")


@scores(BUILD_SETTLEMENT)
def build_settlement(t: Thought) -> np.ndarray:
    return LIKELY + 50.0 + _in_basket(t, "settlement")


@scores(BUILD_CITY)
def build_city(t: Thought) -> np.ndarray:
    return LIKELY + 100.0 + _in_basket(t, "city")


@scores(BUILD_KNIGHT)
def build_knight(t: Thought) -> np.ndarray:
    """In Plus those with a joker of their own first."""
    knights = t.public("knights_built").shape[2]
    return LIKELY + _in_basket(t, "knight") - np.arange(knights)


def _in_basket(t: Thought, what: str) -> np.ndarray:
    """(n, 1) much for a piece that the basket holds, as far as it can be paid from it."""
    price = np.array(t.engine.rules[f"{what}_cost"])
    return np.where((t.of(outlook).wanted >= price).all(axis=1), MOST, NOTHING)[:, None]


@scores(TRADE_GOLD)
def trade_gold(t: Thought) -> np.ndarray:
    """For what the basket lacks, if that can be had in full."""
    look = t.of(outlook)
    return np.where((look.lacking > 0) & look.possible[:, None], 2 * MOST, NEVER)


@scores(USE_JOKER)
def use_joker(t: Thought) -> np.ndarray:
    """For what the basket lacks, once gold is spent and if that can be had in full."""
    look = t.of(outlook)
    lacks = np.concatenate([look.lacking > 0, (look.lacking > 0).any(axis=1)[:, None]], axis=1)
    gives = [GOLD if face == "any" else SIDES.index(face) for face, _ in t.engine.scenario.tables.jokers]
    worth = np.where(np.array(gives) == GOLD, MOST, MOST + 100.0)
    return np.where(lacks[:, gives] & look.possible[:, None], worth, NEVER)


@scores(NAME_SIDE)
def name_side(t: Thought) -> np.ndarray:
    lacking = t.of(outlook).lacking
    return np.concatenate([lacking, np.full((len(lacking), 1), NEVER)], axis=1)


@scores(TURN_DIE)
def turn_die(t: Thought) -> np.ndarray:
    """One that nothing is built with, gold last."""
    idle = t.of(surplus).astype(float)
    idle[:, GOLD] *= 0.1
    return idle
