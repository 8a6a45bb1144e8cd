"""Every number of Cities & Knights that a user may set changes what it says."""

import pytest
from knight_positions import march, table

ATTACK = (1, 2, "ship")
BASIC = ("NE", 0, -1)


def test_cards_of_the_bank_and_the_decks():
    assert table(bank_per_commodity=7).on_turn(0).game().bank()["coin"] == 7
    only_cranes = [0] * 25
    only_cranes[1] = 3
    game = table(progress_set=only_cranes).levels(0, science=1, trade=5).on_turn(0, "pre_roll").game()
    assert game.roll(1, 1, "trade").decision == "play", "an empty deck"
    drawn = table(progress_set=only_cranes).levels(0, science=1).on_turn(0, "pre_roll").game().roll(1, 1, "science")
    assert drawn.chances() == {"crane": 1.0}


@pytest.mark.parametrize("limit, left", [(0, 2), (1, 1), (2, 0)])
def test_the_limit_of_progress_cards(limit, left):
    game = table(progress_limit=limit).progress(0, "crane", "mining").on_turn(0).game().do("end_turn")
    count = 0
    while game.decision == "leave_progress":
        game.do("discard_progress", game.legal("discard_progress")[0])
        count += 1
    assert count == left


def test_faces_of_the_event_die():
    game = table(event_die_faces=[0, 0, 1, 3]).on_turn(0, "pre_roll").game()
    game.do("roll").draw("red_die", "1").draw("yellow_die", "1")
    assert game.chances() == {"trade": 0.25, "politics": 0.75}


def test_prices_of_knights_and_how_many_there_are():
    rules = {
        "knights_per_strength": 1,
        "recruit_cost": [0, 0, 2, 0, 0, 0, 0, 0],
        "promote_cost": [0, 3, 0, 0, 0, 0, 0, 0],
        "activate_cost": [0, 0, 0, 0, 0, 1, 0, 0],
    }
    game = march(**rules).hand(0, wool=4, brick=3, paper=1).on_turn(0).game()
    place = game.corner(*BASIC)
    game.do("recruit_knight", place)
    assert game.hand(0) == {"wool": 2, "brick": 3, "paper": 1} and not game.can("recruit_knight"), "one of a strength"
    game.do("activate_knight", place).do("promote_knight", place)
    assert game.hand(0) == {"wool": 2} and game.knight_on(*BASIC) == (0, 2, 2) and game.can("recruit_knight")


def test_steps_of_the_barbarians():
    place = march(steps_to_attack=3).sailed(2).on_turn(0, "pre_roll")
    assert place.game().roll(*ATTACK).state["attacks"] == 1
    assert march(steps_to_attack=4).sailed(2).on_turn(0, "pre_roll").game().roll(*ATTACK).state["attacks"] == 0


def test_walls():
    place = march(walls_per_player=1, cards_per_wall=5, wall_cost=[0, 0, 0, 0, 1, 0, 0, 0]).city(1, "NE", 0, 2)
    game = place.hand(1, ore=8).on_turn(1).game()
    game.do("build_wall", game.corner("S", 0, 2))
    assert game.hand(1) == {"ore": 7} and not game.can("build_wall")
    hand = march(walls_per_player=1, cards_per_wall=5).wall(1, "S", 0, 2).hand(1, ore=12).on_turn(0, "pre_roll")
    assert hand.game().roll(3, 4).decision == "play"
    assert march(cards_per_wall=4).wall(1, "S", 0, 2).hand(1, ore=12).on_turn(0, "pre_roll").game().roll(3, 4).seat == 1


def test_points_of_metropolises_and_of_the_merchant():
    game = march(metropolis_points=5).metropolis(1, "trade", "S", 0, 2).on_turn(0).game()
    assert game.points(1) == 2 + 5
    game = march(merchant_points=4).progress(1, "merchant").on_turn(1).game()
    assert game.do("play_merchant", game.hex(0, 2)).points(1) == 2 + 4


def test_rates_of_cards_and_of_the_merchant_guild():
    game = march(merchant_rate=3).progress(1, "merchant").hand(1, wool=3).on_turn(1).game()
    game.do("play_merchant", game.hex(0, 2)).do("trade_with_bank", "wool for 1 ore")
    assert game.hand(1) == {"ore": 1}
    game = march(fleet_rate=1).progress(0, "merchant_fleet").hand(0, cloth=1).on_turn(0).game()
    assert game.do("play_merchant_fleet", "cloth").do("trade_with_bank", "cloth for 1 ore").hand(0) == {"ore": 1}
    game = march(merchant_guild_rate=3).levels(0, trade=3).hand(0, coin=3).on_turn(0).game()
    assert game.do("trade_with_bank", "coin for 1 ore").hand(0) == {"ore": 1}


def test_shares_of_cards_that_take_from_others():
    game = march(dues=1).progress(0, "guild_dues").hand(1, coin=2).on_turn(0).game().do("play_guild_dues", 0)
    assert game.do("pick_card", "coin").decision == "play" and game.hand(0) == {"coin": 1}
    game = march(resource_monopoly_share=3).progress(0, "resource_monopoly").hand(1, ore=5).on_turn(0).game()
    assert game.do("play_resource_monopoly", "ore").hand(0) == {"ore": 3}
    game = march(trade_monopoly_share=2).progress(0, "trade_monopoly").hand(1, coin=5).on_turn(0).game()
    assert game.do("play_trade_monopoly", "coin").hand(0) == {"coin": 2}
    game = march(wedding_gift=1).progress(0, "wedding").hand(1, ore=2).on_turn(0).game().do("play_wedding")
    assert game.do("give_card", "ore").decision == "play" and game.hand(0) == {"ore": 1}


def test_harvests_cheaper_cities_and_promotions():
    game = table(cards_per_hex=3).settlement(0, "N", 0, -1).progress(0, "mining").on_turn(0).game()
    assert game.do("play_mining").hand(0) == {"ore": 3}
    game = march(medicine_cost=[0, 0, 0, 0, 1, 0, 0, 0]).progress(0, "medicine").hand(0, ore=1).on_turn(0).game()
    assert game.do("play_medicine").hand(0) == {} and game.can("build_city")
    place = march(promotions_of_smithing=1).knight(0, *BASIC).knight(0, "SE", 0, -1).progress(0, "smithing")
    game = place.on_turn(0).game().do("play_smithing")
    assert game.do("promote_knight", game.corner(*BASIC)).decision == "play"


@pytest.mark.parametrize("saves, payable", [(0, False), (1, True)])
def test_what_a_crane_saves(saves, payable):
    game = march(crane_saves=saves).progress(1, "crane").levels(1, science=1).hand(1, paper=1).on_turn(1).game()
    assert ("science" in game.legal("play_crane")) == payable
