"""Building on the sheet: prices, the net of roads, orders, gold and jokers."""

import pytest
from sheets import lying, road, row, spending

import catan_env

PRICES = {
    "road": "lumber brick",
    "settlement": "lumber brick wool grain",
    "city": "ore ore ore grain grain",
    "knight": "ore wool grain",
}


@pytest.mark.rule("dice_game.sheet.1")
def test_the_front_has_145_points():
    sheet = catan_env.find_scenario("dice_game").board
    assert len(sheet.roads) == 17 and [p for _, p in sheet.settlements] == [3, 4, 5, 7, 9, 11]
    assert [p for _, p in sheet.cities] == [7, 12, 20, 30] and [p for _, p in sheet.knights] == [1, 2, 3, 4, 5, 6]
    tables = sheet.tables({}, 4)
    assert sum(int(tables[f"{what}_points"].sum()) for what in ("road", "settlement", "city", "knight")) == 145
    assert [face for face, _ in sheet.jokers] == ["ore", "grain", "wool", "lumber", "brick", "any"]


@pytest.mark.rule("dice_game.sheet_points.1")
def test_the_back_has_nineteen_points_with_the_special_cards():
    sheet = catan_env.find_scenario("dice_game_plus").board
    assert (len(sheet.roads), len(sheet.settlements), len(sheet.cities), len(sheet.knights)) == (18, 7, 4, 9)
    assert len(sheet.settlements) + 2 * len(sheet.cities) + 2 + 2 == 19
    assert sheet.jokers[5:] == (("any", (5, 6)), ("any", (7, 8)))


@pytest.mark.rule("dice_game.sheet.2")
def test_no_board_is_taken():
    with pytest.raises(catan_env.BoardError, match="sheet"):
        catan_env.BatchEngine("dice_game", board="beginner")


@pytest.mark.rule("dice_game.sheet.3")
@pytest.mark.parametrize(("kind", "argument"), [("road", 1), ("settlement", 0), ("knight", 0)])
def test_each_piece_has_its_price(kind, argument):
    game = spending(PRICES[kind] + " gold")
    game.do(f"build_{kind}", argument)
    assert lying(game) == {"gold": 1}
    first, *rest = PRICES[kind].split()
    assert spending(" ".join([*rest, "gold"])).refuses(f"build_{kind}", argument)


@pytest.mark.rule("dice_game.sheet.4")
def test_a_city_costs_three_ore_and_two_grain():
    reach = {0: {"roads": range(3)}}
    game = spending("ore ore ore grain grain wool", sheets=reach).do("build_city", 0)
    assert lying(game) == {"wool": 1}
    assert spending("ore ore grain grain grain wool", sheets=reach).refuses("build_city", 0)


@pytest.mark.rule("dice_game.sheet.5")
def test_several_things_may_be_built_in_a_turn():
    game = spending("lumber brick wool ore grain gold", turn=5, sheets={0: {"roads": range(3), "settlements": [0]}})
    game.do("build_road", 3).do("build_knight", 0)
    assert row(game, 0)[-1] == 2 and lying(game) == {"gold": 1}


@pytest.mark.rule("dice_game.sheet.6", "dice_game.sheet.7")
def test_roads_continue_built_ones_and_pass_sites_freely():
    game = spending("lumber lumber lumber brick brick brick")
    assert game.legal("build_road") == [1]  # not from the outer end of the start road
    game.do("build_road", 1)
    assert game.legal("build_road") == [2, 3]
    game.do("build_road", 3)
    assert game.legal("build_road") == [2, 4]  # past the settlement that is not built
    assert game.refuses("build_road", 5)


@pytest.mark.rule("dice_game.sheet.7")
def test_a_built_site_blocks_no_road():
    game = spending("lumber brick", sheets={0: {"roads": range(4), "settlements": [0, 1]}})
    assert road(game, "settlement 4", "fork 2") == 4 and game.can("build_road", 4)


@pytest.mark.rule("dice_game.sheet.8")
def test_a_settlement_needs_a_road_at_its_site():
    dice = PRICES["settlement"] + " gold gold"
    assert spending(dice).legal("build_settlement") == [0]
    assert not spending(dice, sheets={0: {"settlements": [0]}}).can("build_settlement")
    assert spending(dice, sheets={0: {"roads": range(4), "settlements": [0]}}).legal("build_settlement") == [1]


@pytest.mark.rule("dice_game.sheet.9")
def test_settlements_cities_and_knights_come_in_order():
    everywhere = {0: {"roads": range(17)}}
    assert spending(PRICES["settlement"], sheets=everywhere).legal("build_settlement") == [0]
    assert spending(PRICES["city"], sheets=everywhere).legal("build_city") == [0]
    assert spending(PRICES["knight"]).legal("build_knight") == [0]
    assert spending(PRICES["knight"], sheets={0: {"knights": [0, 1]}}).legal("build_knight") == [2]


@pytest.mark.rule("dice_game.sheet.8")
def test_a_city_needs_a_road_at_its_site():
    assert not spending(PRICES["city"]).can("build_city")


@pytest.mark.rule("dice_game.sheet.10")
def test_knights_need_no_road():
    assert spending("ore ore wool wool grain grain").do("build_knight", 0).legal("build_knight") == [1]


@pytest.mark.rule("dice_game.sheet.12")
def test_plus_has_no_order():
    game = spending(PRICES["settlement"], 2, "dice_game_plus", 9, {0: {"roads": [0, 1, 3]}})
    assert game.legal("build_settlement") == [0, 1]
    assert len(spending(PRICES["knight"], 2, "dice_game_plus", 9).legal("build_knight")) == 9
    arms = {0: {"roads": [0, 1, 2, 3, 4, 5]}}
    assert spending(PRICES["city"], 2, "dice_game_plus", 9, arms).legal("build_city") == [0, 1]


@pytest.mark.rule("dice_game.sheet.2")
def test_sheets_are_everybodys_own():
    game = spending("lumber brick", sheets={1: {"roads": range(10)}})
    assert game.legal("build_road") == [1]


@pytest.mark.rule("dice_game.sheet.11")
def test_a_sheet_that_cannot_arise_is_found():
    assert (0, "sheets_possible") in spending("gold", sheets={0: {"roads": [5]}}).engine.broken_invariants()
    assert (0, "sheets_possible") in spending("gold", sheets={0: {"settlements": [1]}}).engine.broken_invariants()
    assert (0, "sheets_possible") in spending("gold", sheets={0: {"cities": [0]}}).engine.broken_invariants()
    assert (0, "sheets_possible") in spending("gold", sheets={0: {"knights": [1]}}).engine.broken_invariants()
    game = spending("gold")
    game.engine.state["roads_built"][0, 1, 0] = 0
    assert (0, "sheets_possible") in game.engine.broken_invariants()


# -- gold ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("dice_game.gold_trade.1")
def test_two_gold_become_one_of_any_resource():
    game = spending("gold gold gold lumber")
    assert game.legal("trade_gold") == ["lumber", "brick", "wool", "grain", "ore"]
    game.do("trade_gold", "brick")
    assert lying(game) == {"lumber": 1, "brick": 1, "gold": 1} and not game.can("trade_gold")
    game.do("build_road", 1)


@pytest.mark.rule("dice_game.gold_trade.1")
def test_gold_is_traded_as_often_as_there_are_two():
    game = spending("gold gold gold gold ore")
    game.do("trade_gold", "wool").do("trade_gold", "grain").do("build_knight", 0)
    assert lying(game) == {}


# -- jokers -------------------------------------------------------------------------------------------------


@pytest.mark.rule("dice_game.knight_jokers.1")
def test_a_knight_turns_any_die_to_its_side_once():
    """The example of the rules: a wool is turned to ore, and a city built."""
    sheets = {0: {"roads": range(3), "knights": [0]}}
    game = spending("ore ore grain grain gold wool", turn=3, sheets=sheets)
    assert game.legal("use_joker") == [0] and not game.can("build_city")
    game.do("use_joker", 0)
    assert set(game.legal("turn_die")) == {"wool", "grain", "gold"}
    game.do("turn_die", "wool").do("build_city", 0)
    assert lying(game) == {"gold": 1} and game.state["jokers_used"][0, 0] == 1
    assert spending("wool", sheets=sheets, jokers={0: [0]}).refuses("use_joker", 0)


@pytest.mark.rule("dice_game.knight_jokers.1")
def test_a_joker_needs_its_knight_and_a_die_of_another_side():
    assert spending("wool").refuses("use_joker", 0)
    assert spending("ore ore", sheets={0: {"knights": [0]}}).refuses("use_joker", 0)


@pytest.mark.rule("dice_game.knight_jokers.2")
def test_several_jokers_may_be_used_in_a_turn():
    game = spending("gold gold ore", sheets={0: {"knights": [0, 1, 2]}})
    game.do("use_joker", 1).do("turn_die", "gold").do("use_joker", 2).do("turn_die", "gold").do("build_knight", 3)


@pytest.mark.rule("dice_game.knight_jokers.3")
def test_a_knight_just_built_helps_with_dice_not_yet_spent():
    game = spending("ore wool grain gold gold brick", sheets={0: {"knights": [0, 1, 2]}})
    game.do("build_knight", 3).do("use_joker", 3).do("turn_die", "gold").do("build_road", 1)


@pytest.mark.rule("dice_game.knight_jokers.4")
def test_the_last_knight_gives_any_side_even_gold():
    game = spending("ore lumber", sheets={0: {"knights": range(6)}})
    game.do("use_joker", 5)
    assert game.decision == "choose_side"
    assert set(game.legal("name_side")) == {"lumber", "brick", "wool", "grain", "ore", "gold"}
    game.do("name_side", "gold")
    assert set(game.legal("turn_die")) == {"ore", "lumber"}
    assert lying(game.do("turn_die", "ore")) == {"lumber": 1, "gold": 1}


@pytest.mark.rule("dice_game.knight_jokers.4")
def test_a_side_that_all_dice_show_is_not_named():
    game = spending("ore ore", sheets={0: {"knights": range(6)}}).do("use_joker", 5)
    assert game.refuses("name_side", "ore")


@pytest.mark.rule("dice_game.knight_jokers.4")
def test_gold_by_a_joker_may_be_ruled_out():
    game = spending("ore wool", sheets={0: {"knights": range(6)}}, gold_by_joker=0).do("use_joker", 5)
    assert game.refuses("name_side", "gold") and game.can("name_side", "brick")


@pytest.mark.rule("dice_game.knight_jokers.6")
def test_plus_both_knights_of_a_desert_make_one_joker():
    assert spending("ore", 2, "dice_game_plus", 9, {0: {"knights": [5]}}).refuses("use_joker", 5)
    game = spending("ore", 2, "dice_game_plus", 9, {0: {"knights": [5, 6]}})
    game.do("use_joker", 5).do("name_side", "wool").do("turn_die", "ore")
    assert lying(game) == {"wool": 1} and game.refuses("use_joker", 5)


@pytest.mark.rule("dice_game.knight_jokers.5")
def test_a_joker_struck_out_without_its_knight_is_found():
    assert (0, "jokers_earned") in spending("gold", jokers={0: [2]}).engine.broken_invariants()
