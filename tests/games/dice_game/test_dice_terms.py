"""What positions of the dice game are worth: its terms, each by a position that differs in one thing."""

import numpy as np
import pytest
from evaluating import terms_of_game
from sheets import faces, road, settle, spending

from catan_agents.evaluation.dice_game import WIN_OF_PLUS
from catan_agents.heuristic.dice_turn import dice_prices

FIRST, LAST = 1, 29
"""Turns of seat 0 in a game of two."""
KNIGHT = "ore wool grain"


def terms(game, seat=0):
    """The terms of a seat's position, by name."""
    return terms_of_game(game.engine, seat)


def in_last_turn(dice, **sheet):
    """What the dice are worth in the last turn, where nothing but points counts."""
    jokers = {0: sheet.pop("jokers", ())}
    return terms(spending(dice, turn=LAST, sheets={0: sheet}, jokers=jokers))["turn"]


def rolling(dice, taken_up, rolls_made, **options):
    """The same position with dice that may be rolled again."""
    game = spending(dice, **options)
    state, engine = game.engine.state, game.engine
    state["decision_stack"][0, 0] = engine.program.composition.code("choose_dice")
    state["dice_taken_up"], state["rolls_made"] = taken_up, rolls_made
    engine.refresh()
    return game


def plus(dice, sheets=None, seat=0, **cards):
    """The terms of a position of Plus, in which six dice are rolled."""
    return terms(settle(spending(dice, 2, "dice_game_plus", 9, sheets or {}), **cards), seat)


# -- dice --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "points"),
    [
        ("gold wool wool wool wool wool", -2),
        ("lumber brick wool wool wool wool", 1),
        ("lumber brick lumber brick gold gold", 2),
        ("lumber brick wool grain lumber brick", 4),
        ("ore wool grain gold gold ore", 1),
        ("ore wool grain ore wool grain", 3),
        ("gold gold gold gold wool wool", 1),
    ],
)
def test_dice_that_stay_are_worth_the_best_they_pay_for(dice, points):
    assert in_last_turn(dice) == points


def test_what_is_not_in_reach_or_not_next_is_not_counted():
    city = "ore ore ore grain grain wool"
    assert in_last_turn(city) == 1 and in_last_turn(city, roads=range(3)) == 7
    assert in_last_turn(city, roads=range(3), cities=[0]) == 1
    settlement = "lumber brick wool grain lumber brick"
    assert in_last_turn(settlement, settlements=[0]) == 2
    assert in_last_turn(settlement, settlements=[0], roads=range(3)) == 5  # over the road that is built first


def test_jokers_and_gold_make_up_for_what_is_lacking():
    dice = "ore ore grain grain gold wool"
    assert in_last_turn(dice, roads=range(3)) == 1
    assert in_last_turn(dice, roads=range(3), knights=[0]) == pytest.approx(7, abs=0.1)
    assert in_last_turn(dice, roads=range(3), knights=[0], jokers=[0]) == 2
    assert in_last_turn("ore grain grain gold gold wool", roads=range(3), knights=[0]) == pytest.approx(7, abs=0.1)


def test_a_joker_is_kept_for_more_than_a_road():
    dice, knights, jokers = "lumber gold wool wool wool wool", range(6), range(5)
    early = spending(dice, turn=11, sheets={0: {"knights": knights}}, jokers={0: jokers})
    assert terms(early)["turn"] == -2 and in_last_turn(dice, knights=knights, jokers=jokers) > 0


def test_a_die_that_is_to_be_turned_is_counted_as_turned():
    game = spending("ore ore grain grain gold wool", turn=LAST, sheets={0: {"roads": range(3), "knights": [0]}})
    game.do("use_joker", 0)
    assert terms(game)["turn"] == 7
    assert terms(game.do("turn_die", "wool"))["turn"] == 7
    assert terms(game.do("build_city", 0))["turn"] == 0


@pytest.mark.parametrize(("dice", "taken_up"), [("lumber brick wool gold ore ore", 0), ("lumber brick wool", 3)])
@pytest.mark.parametrize("rolls", [1, 2])
def test_rolls_that_are_left_are_averaged_exactly(dice, taken_up, rolls):
    game = rolling(dice, taken_up, 3 - rolls, turn=LAST)
    rules = game.engine.rules
    prices = dice_prices(
        tuple(rules[f"{what}_cost"] for what in ("road", "settlement", "city", "knight")), rules["gold_rate"]
    )
    roads, settlements, cities, knights = prices.baskets.T
    worth = np.where(cities > 0, -np.inf, roads + 3 * settlements + np.array([0, 1, 3])[knights])
    worth[0] = -2.0
    full = prices.by_size[6]
    stand = prices.standing(full, worth[None], np.ones(1), np.zeros(1, np.int64)).max(axis=1).T
    _, best = prices.rolling(stand, 6, rolls)
    assert terms(game)["turn"] == pytest.approx(best[prices.number(np.array([faces(dice)]))[0], 0], abs=1e-5)


def test_dice_belong_to_whose_turn_it_is():
    dice = "lumber brick wool grain lumber brick"
    assert terms(spending(dice), 1)["turn"] == 0 and terms(spending(dice, turn=2), 0)["turn"] == 0
    sheets = {0: {"settlements": [0]}}
    assert terms(spending(dice, turn=2, sheets=sheets), 1)["turn"] == terms(spending(dice))["turn"]


# -- sheets ------------------------------------------------------------------------------------------------


def test_roads_are_worth_what_they_lead_to():
    game = spending("gold", turn=11)
    to_city, to_settlement = road(game, "bend 2", "settlement 9"), road(game, "settlement 7", "bend 4")
    net = [*range(9), 9]

    def ahead(roads, turn=11):
        return terms(spending("gold", turn=turn, sheets={0: {"roads": roads}}))["roads_ahead"]

    assert ahead([*net, to_settlement]) > ahead([*net, to_city]) > ahead(net) > ahead(range(9))
    assert 0 < ahead(net, LAST - 2) < ahead(net) and ahead(net, LAST) == 0


def test_cheap_pieces_open_the_way_to_better_ones():
    def ahead(turn=11, **sheet):
        return terms(spending("gold", turn=turn, sheets={0: {"roads": range(9)} | sheet}))["pieces_ahead"]

    assert ahead(settlements=[0]) > ahead() and ahead(cities=[0]) > ahead(cities=[0, 1]) - ahead(cities=[0]) > 0
    assert ahead(knights=[0]) > 0 > ahead(knights=range(6)) - ahead(knights=range(5))
    assert ahead(LAST, cities=[0]) == 0


def test_jokers_for_cities_are_missed_most():
    def used(*jokers, turn=11):
        sheets = {0: {"knights": range(6)}}
        return terms(spending("gold", turn=turn, sheets=sheets, jokers={0: jokers}))["jokers_used"]

    ore, grain, wool, any_side = used(0), used(1), used(2), used(5)
    assert any_side > ore == grain > wool > used() == 0 and used(0, 1, 2) == ore + grain + wool
    assert used(0, turn=LAST) == 0


@pytest.mark.parametrize(("turn", "left"), [(1, (14, 15, 15)), (3, (14, 14, 14)), (44, (0, 0, 1)), (45, (0, 0, 0))])
def test_turns_to_come_are_those_still_to_begin(turn, left):
    game = spending("gold", 3, turn=turn)
    assert tuple(terms(game, seat)["turns_to_come"] for seat in range(3)) == left


# -- Plus --------------------------------------------------------------------------------------------------


def test_plus_dice_bring_longest_road():
    dice, roads = "lumber brick gold wool wool wool", {0: {"roads": [0, 1, 3, 4]}}
    without = plus(dice, roads | {1: {"roads": range(8)}}, route=1)["turn"]
    assert plus(dice, roads)["turn"] > without + 1.5
    longer = {0: {"roads": [0, 1, 3, 4, 6]}, 1: {"roads": [0, 1, 3, 4, 6]}}
    assert plus(dice, longer, route=1)["turn"] > plus(dice, longer, route=0)["turn"] + 1.5


def test_plus_dice_bring_largest_army():
    three = plus(KNIGHT, {0: {"knights": [0, 1]}})["turn"]
    assert three == pytest.approx(plus(KNIGHT, {0: {"knights": [0]}})["turn"] + 2)
    held = {0: {"knights": [0, 1]}, 1: {"knights": [0, 1, 2]}}
    assert plus(KNIGHT, held, army=1)["turn"] == pytest.approx(three - 2)
    both = plus(f"{KNIGHT} {KNIGHT}", {0: {"knights": [0]}})["turn"]
    assert both == pytest.approx(plus(f"{KNIGHT} {KNIGHT}")["turn"] + 2)


@pytest.mark.parametrize(
    ("dice", "sheet", "fewer"),
    [
        ("lumber brick wool grain wool wool", {"settlements": range(5)}, {"settlements": range(4)}),
        (f"{KNIGHT} wool wool wool", {"settlements": range(4), "knights": [0, 1]}, {"settlements": range(3)}),
    ],
)
def test_plus_dice_that_win_are_worth_more(dice, sheet, fewer):
    sheet = {"roads": range(18), "cities": [0]} | sheet
    turns = [plus(dice, {0: built}, route=0)["turn"] for built in (sheet, sheet | fewer)]
    assert turns[0] == pytest.approx(turns[1] + WIN_OF_PLUS)


def test_plus_a_road_that_wins_is_worth_more():
    dice, sheet = "lumber brick gold wool wool wool", {"roads": range(6), "cities": [0, 1], "knights": [0, 1, 2]}
    turns = [plus(dice, {0: sheet | {"settlements": range(count)}}, army=0)["turn"] for count in (2, 1)]
    assert turns[0] == pytest.approx(turns[1] + WIN_OF_PLUS)


def test_plus_jokers_of_two_knights_count_by_halves():
    def jokers(*knights, used=()):
        sheets = {0: {"knights": knights}}
        return terms(settle(spending("gold", 2, "dice_game_plus", 9, sheets, {0: used}), army=-1))["jokers"]

    assert jokers() == 0 and jokers(0) == 1 and jokers(0, 5) == 1.5 and jokers(5, 6) == 1
    assert jokers(5, 6, used=[5]) == 0


def test_plus_pieces_and_roads_count_for_their_seat_only():
    sheets = {1: {"roads": [0, 1, 2, 3], "cities": [0], "knights": [0]}}
    own, others = plus("gold", sheets, 1), plus("gold", sheets, 0)
    assert (own["roads"], others["roads"]) == (4, 1) and own["roads_ahead"] > others["roads_ahead"]
    assert own["pieces_ahead"] > others["pieces_ahead"] == 0
