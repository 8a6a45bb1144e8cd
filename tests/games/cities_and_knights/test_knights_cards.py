"""Progress cards: drawing and keeping them, and what each does."""

import pytest
from knight_positions import DECKS, TRACKS, cut_line, march, table, totals

from catan_env.render.moves import Narrator


def played(game, card):
    """Nothing of the card is left in the hand of the seat on turn: it lies under its deck."""
    track = next(track for track, deck in zip(TRACKS, DECKS, strict=True) if card in deck)
    return card not in game.held(game.state["on_turn"]) and card in game.lies_under(track)


# -- drawing -----------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.progress_decks.1")
def test_there_are_eighteen_cards_in_each_deck():
    game = table().on_turn(0).game()
    stack = game.state["progress_stack"].tolist()
    assert [sum(stack[:10]), sum(stack[10:16]), sum(stack[16:])] == [18, 18, 18]
    assert stack == [2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 6, 2, 4, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2]


@pytest.mark.rule("cities_and_knights.progress_cards.1")
def test_at_a_gate_those_draw_whose_level_the_red_die_exceeds_by_one_at_most():
    board = table().levels(0, science=1).levels(1, science=2).on_turn(1, "pre_roll")
    game = board.game().roll(3, 1, "science")
    game.draw("draw_progress", "crane")
    assert game.decision == "dice" and game.held(1) == {"crane": 1}
    both = board.game().roll(2, 1, "science").draw("draw_progress", "crane").draw("draw_progress", "mining")
    assert both.held(1) == {"crane": 1} and both.held(0) == {"mining": 1}, "in turn order"
    none = board.game().roll(4, 1, "science")
    assert none.decision == "play"
    assert board.game().roll(1, 1, "trade").decision == "play"


@pytest.mark.rule("cities_and_knights.progress_cards.1")
def test_nobody_draws_without_a_level():
    assert table().on_turn(0, "pre_roll").game().roll(1, 1, "politics").decision == "play"


@pytest.mark.rule("cities_and_knights.progress_cards.2")
def test_a_victory_card_is_put_down_at_once():
    game = table().levels(0, science=1, politics=1).on_turn(1, "pre_roll").game()
    game.roll(1, 1, "science").draw("draw_progress", "printing")
    assert game.points(0) == game.visible_points(0) == 1 and not game.held(0)
    other = table().levels(0, politics=1).on_turn(1, "pre_roll").game()
    other.roll(1, 1, "politics").draw("draw_progress", "constitution")
    assert other.state["open_cards"][0].tolist() == [0, 1] and other.points(0) == 1


def test_everybody_sees_a_victory_card_and_only_its_owner_any_other():
    engine = table().levels(0, science=1).on_turn(1, "pre_roll").game().roll(1, 1, "science").engine
    open_to = {
        card: Narrator(engine.clone()).play(engine.outcomes.id("draw_progress", card), True).privy
        for card in ("printing", "crane")
    }
    assert open_to == {"printing": None, "crane": {0}}


@pytest.mark.rule("cities_and_knights.progress_cards.3")
def test_a_fifth_card_is_put_back_at_once_off_turn_and_at_the_end_of_the_turn_on_turn():
    four = ("crane", "crane", "mining", "irrigation")
    game = table().progress(0, *four).levels(0, trade=1).on_turn(1, "pre_roll").game()
    game.roll(1, 1, "trade").draw("draw_progress", "merchant")
    assert (game.decision, game.seat) == ("leave_progress", 0)
    game.do("discard_progress", "mining")
    assert game.lies_under("science") == ["mining"] and game.decision == "dice"
    own = table().progress(0, *four).levels(0, trade=1).on_turn(0, "pre_roll").game()
    own.roll(1, 1, "trade").draw("draw_progress", "merchant").produce()
    assert own.decision == "play"
    own.do("end_turn")
    assert (own.decision, own.seat) == ("leave_progress", 0)
    assert own.do("discard_progress", "crane").seat == 1 and sum(own.held(0).values()) == 4


@pytest.mark.rule("cities_and_knights.progress_decks.2")
def test_cards_go_under_their_deck_and_come_up_in_that_order():
    game = table().levels(0, trade=5).under("trade", "merchant", "guild_dues").on_turn(0, "pre_roll").game()
    game.roll(1, 1, "trade")
    assert game.chances() == {"merchant": 1.0}
    game.draw("draw_progress", "merchant")
    assert game.lies_under("trade") == ["guild_dues"] and game.held(0) == {"merchant": 1}


@pytest.mark.rule("cities_and_knights.progress_cards.4")
def test_an_empty_deck_is_not_drawn_from():
    board = table().levels(0, trade=5).levels(1, trade=5).on_turn(0, "pre_roll")
    assert board.under("trade").game().roll(1, 1, "trade").decision == "play"
    last = table().levels(0, trade=5).levels(1, trade=5).under("trade", "merchant").on_turn(0, "pre_roll").game()
    last.roll(1, 1, "trade").draw("draw_progress", "merchant")
    assert last.held(0) == {"merchant": 1} and last.decision == "dice"


@pytest.mark.rule("cities_and_knights.trade_cards.1")
def test_any_number_of_cards_is_played_also_in_the_turn_drawn():
    game = march().levels(1, trade=1).progress(1, "merchant").on_turn(1, "pre_roll").game()
    game.roll(1, 1, "trade").draw("draw_progress", "merchant_fleet").produce()
    game.do("play_merchant", game.hex(0, 2)).do("play_merchant_fleet", "ore")
    assert game.lies_under("trade") == ["merchant", "merchant_fleet"]


@pytest.mark.rule("cities_and_knights.science_cards.1")
def test_before_the_roll_only_alchemy_is_played():
    game = march().progress(1, "merchant", "alchemy", "encouragement").on_turn(1, "pre_roll").game()
    assert game.kinds() == {"play_alchemy", "roll"}
    game.roll(1, 1)
    assert not game.can("play_alchemy") and game.can("play_merchant")


# -- science -----------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.science_cards.2")
def test_alchemy_sets_both_dice_and_the_event_die_is_rolled():
    game = march().progress(1, "alchemy").on_turn(1, "pre_roll").game().do("play_alchemy")
    assert game.decision == "set_dice"
    game.do("set_die", "5").do("set_die", "6").draw("event_die", "trade").produce()
    assert game.state["dice"] == 11 and game.hand(1) == {"wool": 1, "cloth": 1} and played(game, "alchemy")


@pytest.mark.rule("cities_and_knights.science_cards.3")
def test_a_crane_saves_a_commodity():
    game = march().progress(1, "crane").levels(1, science=1).hand(1, paper=1).on_turn(1).game()
    assert game.legal("play_crane") == ["science", "trade", "politics"], "first levels are free then"
    game.do("play_crane", "science")
    assert game.level(1)["science"] == 2 and not game.hand(1) and played(game, "crane")
    assert not march().progress(0, "crane").on_turn(0).game().can("play_crane"), "no city"


@pytest.mark.rule("cities_and_knights.science_cards.3")
def test_a_crane_that_saves_more_than_the_price_costs_nothing_and_brings_nothing():
    game = march(crane_saves=5).city(0, "SE", 0, -1).progress(0, "crane").hand(0, paper=1).on_turn(0).game()
    game.do("play_crane", "science")
    assert game.level(0)["science"] == 1 and game.hand(0) == {"paper": 1} and game.bank()["paper"] == 11


@pytest.mark.rule("cities_and_knights.science_cards.4")
def test_engineering_builds_a_wall_free_of_charge():
    game = march().progress(1, "engineering").on_turn(1).game().do("play_engineering")
    game.do("build_wall", game.corner("S", 0, 2))
    assert game.state["walls_left"][1] == 2 and game.decision == "play" and played(game, "engineering")
    assert not march().progress(0, "engineering").on_turn(0).game().can("play_engineering")


@pytest.mark.rule("cities_and_knights.science_cards.5")
def test_invention_swaps_two_numbers_but_not_2_6_8_12():
    game = march().sailed(0, attacks=1).robber(1, 0).progress(1, "invention").on_turn(1).game().do("play_invention")
    numbers = {int(game.state["number"][hex]) for hex in game.legal("swap_number")}
    assert numbers == {3, 4, 5, 9, 10, 11}
    game.do("swap_number", game.hex(1, 0))
    assert game.hex(-1, 1) not in game.legal("swap_number"), "another 3"
    game.do("swap_number", game.hex(0, -2))
    assert game.state["number"][game.hex(1, 0)] == 10 and game.state["number"][game.hex(0, -2)] == 3
    assert game.state["robber"] == game.hex(1, 0) and played(game, "invention")


@pytest.mark.rule("cities_and_knights.science_cards.6", "cities_and_knights.science_cards.10")
def test_irrigation_and_mining_bring_two_cards_for_each_hex_at_own_buildings():
    board = table().settlement(0, "S", -1, -1).city(0, "N", 0, -1).progress(0, "irrigation", "mining")
    game = board.on_turn(0).game()
    assert game.do("play_irrigation").hand(0) == {"grain": 4}, "fields (-1, -1) and (-2, 0)"
    assert game.do("play_mining").hand(0) == {"grain": 4, "ore": 2}
    assert played(game, "irrigation") and played(game, "mining")
    scarce = board.hand(1, grain=18).on_turn(0).game()
    assert scarce.do("play_irrigation").hand(0) == {"grain": 1}
    nothing = table().settlement(0, "S", 1, 1).progress(0, "irrigation", "mining").on_turn(0).game()
    assert not nothing.can("play_irrigation") and not nothing.can("play_mining")


@pytest.mark.rule("cities_and_knights.science_cards.7")
def test_medicine_makes_a_city_cheaper():
    game = march().progress(0, "medicine").hand(0, ore=2, grain=1).on_turn(0).game().do("play_medicine")
    game.do("build_city", game.corner("N", 0, -1))
    assert not game.hand(0) and game.points(0) == 2 and game.decision == "play" and played(game, "medicine")
    assert not march().progress(0, "medicine").hand(0, ore=2).on_turn(0).game().can("play_medicine")


@pytest.mark.rule("cities_and_knights.science_cards.8")
def test_road_building_brings_two_roads():
    game = march().progress(0, "road_building").on_turn(0).game().do("play_roads")
    for _ in range(2):
        game.do("build_road", game.legal("build_road")[0])
    assert game.state["edge_pieces_left"][0, 0] == 9 and game.decision == "play" and played(game, "road_building")


@pytest.mark.rule("cities_and_knights.science_cards.9")
def test_smithing_promotes_up_to_two_knights():
    board = march().knight(0, "NE", 0, -1).knight(0, "SE", 0, -1, active=True).progress(0, "smithing")
    game = board.on_turn(0).game().do("play_smithing")
    assert not game.can("forgo")
    game.do("promote_knight", game.corner("NE", 0, -1))
    assert game.can("forgo") and game.legal("promote_knight") == [game.corner("SE", 0, -1)]
    game.do("promote_knight", game.corner("SE", 0, -1))
    assert game.knight_on("SE", 0, -1) == (0, 2, 1) and game.decision == "play" and played(game, "smithing")
    one = board.on_turn(0).game().do("play_smithing")
    one.do("promote_knight", one.corner("NE", 0, -1)).do("forgo")
    assert one.decision == "play" and one.knight_on("SE", 0, -1) == (0, 1, 1)
    strong = march().knight(0, "NE", 0, -1, strength=2).progress(0, "smithing").on_turn(0).game()
    assert not strong.can("play_smithing"), "mighty ones take the fortress here too"


# -- trade -------------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.trade_cards.2")
def test_commercial_harbor_exchanges_a_resource_for_a_commodity_once_with_each_opponent():
    game = march().progress(0, "commercial_harbor").hand(0, ore=2).hand(1, coin=1, cloth=1, wool=1).hand(2, grain=1)
    game = game.on_turn(0).game().do("play_commercial_harbor").do("offer_at_harbor", 0)
    game.do("give_openly", "ore")
    assert (game.decision, game.seat, game.legal("give_openly")) == ("give_commodity", 1, ["cloth", "coin"])
    game.do("give_openly", "cloth")
    assert game.hand(0) == {"ore": 1, "cloth": 1} and game.hand(1) == {"wool": 1, "ore": 1, "coin": 1}
    assert game.legal("offer_at_harbor") == [1]
    game.do("offer_at_harbor", 1).do("give_openly", "ore")
    assert game.hand(0) == {"ore": 1, "cloth": 1} and game.hand(2) == {"grain": 1}, "the offer is taken back"
    assert game.decision == "play" and not game.can("offer_at_harbor") and played(game, "commercial_harbor")


@pytest.mark.rule("cities_and_knights.trade_cards.8")
def test_two_commercial_harbors_bring_one_exchange_with_each_opponent_in_a_turn():
    board = march().progress(0, "commercial_harbor", "commercial_harbor").hand(0, ore=4).hand(1, coin=3)
    game = board.hand(2, cloth=2).on_turn(0).game().do("play_commercial_harbor")
    assert not game.can("play_commercial_harbor"), "all exchanges are open"
    for opponent, commodity in ((0, "coin"), (1, "cloth")):
        game.do("offer_at_harbor", opponent).do("give_openly", "ore").do("give_openly", commodity)
    assert game.hand(0) == {"ore": 2, "coin": 1, "cloth": 1}
    assert game.refuses("play_commercial_harbor") and not game.can("offer_at_harbor"), "all exchanges are made"
    assert game.held(0) == {"commercial_harbor": 1}


@pytest.mark.rule("cities_and_knights.trade_cards.8")
def test_a_second_commercial_harbor_serves_in_the_next_own_turn():
    board = march().progress(0, "commercial_harbor", "commercial_harbor").hand(0, ore=4).hand(1, coin=3)
    game = board.on_turn(0).game().do("play_commercial_harbor").do("offer_at_harbor", 0)
    game.do("give_openly", "ore").do("give_openly", "coin").do("end_turn")
    for _ in range(2):
        game.roll(6, 6).do("end_turn")
    assert game.roll(6, 6).do("play_commercial_harbor").legal("offer_at_harbor") == [0]


@pytest.mark.rule("cities_and_knights.trade_cards.9")
def test_an_offer_that_finds_no_commodity_is_no_exchange():
    board = march().progress(0, "commercial_harbor", "commercial_harbor").hand(0, ore=2, coin=1).hand(1, wool=1)
    game = board.on_turn(0).game().do("play_commercial_harbor")
    game.do("offer_at_harbor", 0).do("give_openly", "ore")
    assert not game.can("offer_at_harbor"), "nothing would come of another offer"
    game.do("make_offer").do("offer_card", "coin").do("ask_card", "wool").do("submit_offer").do("accept").do(
        "confirm", 0
    )
    assert game.legal("offer_at_harbor") == [0]
    game.do("offer_at_harbor", 0).do("give_openly", "ore").do("give_openly", "coin")
    assert game.hand(0) == {"ore": 1, "wool": 1, "coin": 1} and not game.can("play_commercial_harbor")
    again = board.on_turn(0).game().do("play_commercial_harbor").do("offer_at_harbor", 0).do("give_openly", "ore")
    assert again.do("play_commercial_harbor").legal("offer_at_harbor") == [0]


@pytest.mark.rule("cities_and_knights.trade_cards.10")
def test_everybody_sees_what_changes_hands_at_the_harbor():
    board = march().progress(0, "commercial_harbor").hand(0, ore=2).hand(1, coin=1)
    engine = board.on_turn(0).game().do("play_commercial_harbor").do("offer_at_harbor", 0).engine
    for card in ("ore", "coin"):
        move = Narrator(engine).play(engine.actions.id("give_openly", card), chance=False)
        assert move.words(2) == move.full_text == f"give 1 {card} at the harbor"


@pytest.mark.rule("cities_and_knights.trade_cards.3")
def test_exchanges_at_the_harbor_lapse_with_the_turn():
    game = march().progress(0, "commercial_harbor").hand(0, ore=2).hand(1, coin=1).on_turn(0).game()
    game.do("play_commercial_harbor").do("end_turn")
    assert not game.state["harbor_offers"].any()


@pytest.mark.rule("cities_and_knights.trade_cards.4")
def test_guild_dues_look_into_a_hand_ahead_and_take_two_cards():
    board = march().progress(0, "guild_dues").hand(1, coin=1, ore=2)
    game = board.on_turn(0).game()
    assert game.legal("play_guild_dues") == [0], "seat 2 has neither cards nor points"
    game.do("play_guild_dues", 0)
    assert game.state["hand_shown"][0].tolist() == [0, 0, 0, 0, 2, 0, 0, 1]
    game.do("pick_card", "coin")
    assert game.legal("pick_card") == ["ore"]
    game.do("pick_card", "ore")
    assert game.hand(0) == {"ore": 1, "coin": 1} and not game.state["hand_shown"].any()
    assert game.decision == "play" and played(game, "guild_dues")
    last = march().progress(0, "guild_dues").hand(1, coin=1).on_turn(0).game().do("play_guild_dues", 0)
    assert last.do("pick_card", "coin").decision == "play"
    level = march().progress(1, "guild_dues").hand(0, coin=1).on_turn(1).game()
    assert not level.can("play_guild_dues"), "only from somebody ahead"


@pytest.mark.rule("cities_and_knights.merchant_piece.1", "cities_and_knights.trade_cards.5")
def test_the_merchant_stands_at_an_own_building_trades_two_to_one_and_is_a_point():
    game = march().progress(1, "merchant").progress(0, "merchant").hand(1, wool=2, cloth=2).on_turn(1).game()
    assert game.hex(0, -1) not in game.legal("play_merchant")
    game.do("play_merchant", game.hex(0, 2))
    assert game.points(1) == 3 and played(game, "merchant")
    assert game.can("trade_with_bank", "wool for 1 coin") and not game.can("trade_with_bank", "cloth for 1 coin")
    game.do("end_turn").roll(1, 2)
    game.do("end_turn").roll(1, 2)
    game.do("play_merchant", game.hex(0, -2))
    assert game.points(0) == 2 and game.points(1) == 2 and game.state["merchant_owner"] == 0


@pytest.mark.rule("cities_and_knights.trade_cards.6")
def test_a_merchant_fleet_trades_one_kind_two_to_one_for_a_turn():
    game = march().progress(0, "merchant_fleet").hand(0, cloth=2, ore=2).on_turn(0).game()
    game.do("play_merchant_fleet", "cloth")
    assert game.can("trade_with_bank", "cloth for 1 ore") and not game.can("trade_with_bank", "ore for 1 cloth")
    game.do("end_turn")
    assert not game.state["fleet"].any()
    game = march().progress(0, "merchant_fleet").hand(1, cloth=2).on_turn(0).game().do("play_merchant_fleet", "cloth")
    assert played(game, "merchant_fleet")


@pytest.mark.rule("cities_and_knights.trade_cards.7")
def test_monopolies_take_two_resources_or_a_commodity_of_everybody():
    board = march().progress(0, "resource_monopoly", "trade_monopoly").hand(1, ore=3, coin=2).hand(2, ore=1)
    game = board.on_turn(0).game().do("play_resource_monopoly", "ore")
    assert game.hand(0) == {"ore": 3} and game.hand(1) == {"ore": 1, "coin": 2} and not game.hand(2)
    game.do("play_trade_monopoly", "coin")
    assert game.hand(0) == {"ore": 3, "coin": 1} and game.hand(1) == {"ore": 1, "coin": 1}
    assert played(game, "resource_monopoly") and played(game, "trade_monopoly")


# -- politics ----------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.politics_cards.1")
def test_diplomacy_removes_an_open_road_and_an_own_one_is_built_elsewhere():
    board = march().progress(0, "diplomacy")
    game = board.on_turn(0).game()
    assert set(game.legal("play_diplomacy")) == {game.path(0, -1, "SW"), game.path(0, 2, "SE")}
    game.do("play_diplomacy", game.path(0, 2, "SE"))
    assert game.decision == "play" and game.state["edge_pieces_left"][1, 0] == 15 and played(game, "diplomacy")
    own = board.on_turn(0).game().do("play_diplomacy", game.path(0, -1, "SW"))
    assert own.decision == "relocate_road" and own.can("forgo") and own.path(0, -1, "SW") not in own.legal("build_road")
    own.do("build_road", own.path(0, -1, "NW"))
    assert own.state["edge_owner"][own.path(0, -1, "NW")] == 0 and own.decision == "play" and not own.hand(0)


@pytest.mark.rule("cities_and_knights.politics_cards.2")
def test_a_road_that_ends_at_an_own_knight_is_not_open():
    game = march().knight(0, "SW", 0, -1).progress(0, "diplomacy").on_turn(0).game()
    assert game.legal("play_diplomacy") == [game.path(0, 2, "SE")]


@pytest.mark.rule("cities_and_knights.politics_cards.12")
def test_longest_road_is_settled_when_the_road_removed_is_built_again():
    """Both have five roads; seat 0 holds the card, and a road in hand does not cost it."""
    board = table().road(0, (0, 0, "NE E SE SW W")).road(1, (0, 2, "NE E SE SW W")).progress(0, "diplomacy")
    game = board.on_turn(0).game().do("play_diplomacy", board.on_turn(0).game().path(0, 0, "W"))
    assert (game.decision, game.state["longest_road"]) == ("relocate_road", 0)
    game.do("build_road", game.path(0, 0, "NW"))
    assert game.state["longest_road"] == 0 and game.state["road_length"][:2].tolist() == [5, 5]
    left = board.on_turn(0).game()
    assert left.do("play_diplomacy", left.path(0, 0, "W")).do("forgo").state["longest_road"] == 1
    other = board.progress(1, "diplomacy").on_turn(1).game()
    assert other.do("play_diplomacy", other.path(0, 0, "W")).state["longest_road"] == 1


@pytest.mark.rule("cities_and_knights.politics_cards.12")
def test_a_win_by_intrigue_waits_for_the_retreat():
    board = cut_line(victory_points=3).progress(0, "intrigue").on_turn(0)
    game = board.game().do("play_intrigue")
    game.do("take_knight", game.corner("SW", 0, 0))
    assert (game.decision, game.over) == ("retreat", False)
    assert not game.do("place_knight", game.corner("SE", 0, 0)).over
    free = board.game().do("play_intrigue")
    free.do("take_knight", free.corner("SW", 0, 0)).do("place_knight", free.corner("N", 0, 0))
    assert free.winner == 0


@pytest.mark.rule("cities_and_knights.politics_cards.12")
def test_longest_road_waits_for_the_knight_in_place_of_a_traitor():
    """Seat 1 loses the knight that cuts seat 2's line of six, and seat 0, who holds the card, sets one there again."""
    line = table(3).road(0, (0, 2, "NE E SE SW W")).road(0, (0, 0, "W"))
    line = line.knight(1, "SW", 0, 0).road(2, (-1, 0, "SW SE"), (0, 0, "SW SE"), (1, 0, "SW SE"))
    board = line.progress(0, "treason").on_turn(0)
    game = board.game().do("play_treason", 0)
    game.do("take_knight", game.corner("SW", 0, 0))
    assert (game.decision, game.state["longest_road"]) == ("enlist_traitor", 0)
    assert game.do("place_knight", game.corner("SW", 0, 0)).state["longest_road"] == 0
    left = board.game().do("play_treason", 0)
    assert left.do("take_knight", left.corner("SW", 0, 0)).do("forgo").state["longest_road"] == 2


@pytest.mark.rule("cities_and_knights.politics_cards.3")
def test_encouragement_activates_all_own_knights():
    game = march().knight(0, "NE", 0, -1).knight(0, "SE", 0, -1, strength=2).knight(1, "SE", 0, 2)
    game = game.progress(0, "encouragement").on_turn(0).game().do("play_encouragement")
    assert game.knight_on("NE", 0, -1) == (0, 1, 2) and game.knight_on("SE", 0, -1) == (0, 2, 2)
    assert game.knight_on("SE", 0, 2) == (1, 1, 0) and played(game, "encouragement")


@pytest.mark.rule("cities_and_knights.espionage.1")
def test_espionage_looks_at_progress_cards_and_takes_one_or_none():
    board = march().progress(0, "espionage").progress(1, "crane", "merchant")
    game = board.on_turn(0).game()
    assert game.legal("play_espionage") == [0]
    game.do("play_espionage", 0)
    assert game.legal("take_progress") == ["crane", "merchant"] and game.can("forgo")
    game.do("take_progress", "crane")
    assert game.held(0) == {"crane": 1} and game.held(1) == {"merchant": 1}
    assert not game.state["progress_shown"].any() and game.lies_under("politics") == ["espionage"]
    none = board.on_turn(0).game().do("play_espionage", 0).do("forgo")
    assert not none.state["progress_shown"].any() and none.decision == "play" and not none.held(0)


@pytest.mark.rule("cities_and_knights.espionage.2")
def test_a_spy_knows_the_cards_that_others_sample():
    game = march().progress(0, "espionage").progress(1, "crane", "merchant").on_turn(0).game().do("play_espionage", 0)
    worlds = game.engine.determinise(0, 0, 20)
    assert (worlds["progress"][:, 1] == game.state["progress"][1]).all()
    other = game.engine.determinise(0, 2, 40)
    assert len({row.tobytes() for row in other["progress"][:, 1]}) > 3
    assert (other["progress_shown"][:, 0] == other["progress"][:, 1]).all()
    assert (other["progress"][:, 1].sum(axis=1) == 2).all()
    assert not other["progress"][:, :, [7, 23]].any(), "victory cards would lie open"


@pytest.mark.rule("cities_and_knights.politics_cards.4")
def test_intrigue_drives_out_a_knight_at_an_own_road_however_strong():
    board = march().knight(1, "SE", 0, -1, strength=3, active=True).progress(0, "intrigue")
    game = board.road(1, (1, -1, "SW")).on_turn(0).game().do("play_intrigue")
    assert game.legal("take_knight") == [game.corner("SE", 0, -1)]
    game.do("take_knight", game.corner("SE", 0, -1))
    assert (game.decision, game.seat) == ("retreat", 1)
    game.do("place_knight", game.corner("S", 1, -1))
    assert game.knight_on("S", 1, -1) == (1, 3, 1) and game.knight_on("SE", 0, -1) is None and played(game, "intrigue")
    assert game.state["road_length"][0] == 4
    assert not march().knight(1, "SE", 0, 2).progress(0, "intrigue").on_turn(0).game().can("play_intrigue")


@pytest.mark.rule("cities_and_knights.politics_cards.4")
def test_a_knight_driven_out_by_intrigue_does_not_come_back_round_a_ring_of_roads():
    """All other corners of the ring are taken: it has nowhere to go."""
    board = table(3).road(1, (0, 0, "NE E SE SW W NW")).road(0, (0, -1, "E")).progress(0, "intrigue")
    for corner in ("NE", "S", "NW"):
        board.settlement(1, corner, 0, 0)
    board.knight(1, "SE", 0, 0).knight(1, "SW", 0, 0).knight(1, "N", 0, 0, strength=2, active=True)
    game = board.on_turn(0).game().do("play_intrigue")
    game.do("take_knight", game.corner("N", 0, 0))
    assert game.decision == "play" and game.knight_on("N", 0, 0) is None
    assert game.state["knights_left"][1].tolist() == [0, 2, 2]


@pytest.mark.rule("cities_and_knights.politics_cards.5", "cities_and_knights.science_cards.10")
def test_sabotage_makes_everybody_discard_who_has_as_many_points():
    game = march().settlement(2, "N", 2, -2).progress(0, "sabotage").hand(1, ore=5).hand(2, coin=3).hand(0, ore=6)
    game = game.on_turn(0).game().do("play_sabotage")
    assert game.state["to_discard"].tolist() == [0, 2, 1, 0] and game.seat == 1
    game.do("discard_card", "ore").do("discard_card", "ore").do("discard_card", "coin")
    assert game.decision == "play" and totals(game, 1) == 3 and totals(game, 0) == 6 and played(game, "sabotage")
    ahead = march().progress(1, "sabotage").hand(0, ore=5).on_turn(1).game()
    assert not ahead.can("play_sabotage")


@pytest.mark.rule("cities_and_knights.politics_cards.6")
def test_taxation_moves_the_robber_and_takes_a_card_of_everybody_there():
    board = march().settlement(2, "N", 0, 2).progress(0, "taxation").hand(1, coin=1).hand(2, ore=1)
    game = board.sailed(0, attacks=1).robber(0, 0).on_turn(0).game().do("play_taxation")
    game.do("move_robber", game.hex(0, 2)).theft("coin").theft("ore")
    assert game.hand(0) == {"ore": 1, "coin": 1} and game.decision == "play" and played(game, "taxation")
    assert not board.sailed(0).field("robber", -1).on_turn(0).game().can("play_taxation")


@pytest.mark.rule("cities_and_knights.politics_cards.7")
def test_treason_removes_a_knight_of_its_owners_choice_for_one_of_ones_own():
    board = march().knight(1, "SE", 0, 2, strength=2, active=True).progress(0, "treason")
    game = board.on_turn(0).game().do("play_treason", 0)
    assert (game.decision, game.seat) == ("betray", 1)
    game.do("take_knight", game.corner("SE", 0, 2))
    assert game.decision == "enlist_traitor" and game.can("forgo") and game.seat == 0
    game.do("place_knight", game.corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 2, 2) and not game.can("take_knight") and played(game, "treason")
    assert game.state["knights_left"][1].tolist() == [2, 2, 2]
    left = board.on_turn(0).game().do("play_treason", 0)
    left.do("take_knight", left.corner("SE", 0, 2)).do("forgo")
    assert left.decision == "play" and (left.state["knights_left"] == 2).all()
    assert march().progress(0, "treason").on_turn(0).game().legal("play_treason") == []


@pytest.mark.rule("cities_and_knights.politics_cards.8")
def test_a_mighty_knight_comes_by_treason_without_a_fortress_and_a_weaker_one_where_none_is_left():
    game = march().knight(1, "SE", 0, 2, strength=3).progress(0, "treason").on_turn(0).game().do("play_treason", 0)
    game.do("take_knight", game.corner("SE", 0, 2)).do("place_knight", game.corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 3, 0)
    game = march().knight(0, "SE", 0, -1, strength=3).knight(0, "S", 0, -1, strength=3).progress(0, "treason")
    game = game.knight(1, "SE", 0, 2, strength=3).on_turn(0).game().do("play_treason", 0)
    game.do("take_knight", game.corner("SE", 0, 2)).do("place_knight", game.corner("NE", 0, -1))
    assert game.knight_on("NE", 0, -1) == (0, 2, 0)


@pytest.mark.rule("cities_and_knights.politics_cards.9")
def test_by_the_older_rule_who_plays_treason_chooses_the_knight():
    game = march(treason_chosen_by="player").knight(1, "SE", 0, 2).progress(0, "treason").on_turn(0).game()
    game.do("play_treason", 0)
    assert (game.decision, game.seat) == ("betray", 0)
    game.do("take_knight", game.corner("SE", 0, 2))
    assert game.decision == "enlist_traitor" and game.seat == 0


@pytest.mark.rule("cities_and_knights.politics_cards.10")
def test_for_a_wedding_everybody_ahead_gives_two_cards_of_choice():
    game = march().progress(0, "wedding").hand(1, ore=1, coin=2).hand(2, ore=2).on_turn(0).game().do("play_wedding")
    assert (game.decision, game.seat, game.argument) == ("give_for_wedding", 1, 2)
    game.do("give_card", "coin").do("give_card", "ore")
    assert game.hand(0) == {"ore": 1, "coin": 1} and game.hand(2) == {"ore": 2}, "seat 2 is not ahead"
    assert game.decision == "play" and played(game, "wedding")
    one = march().progress(0, "wedding").hand(1, ore=1).on_turn(0).game().do("play_wedding").do("give_card", "ore")
    assert one.decision == "play"
    assert not march().progress(1, "wedding").hand(0, ore=2).on_turn(1).game().can("play_wedding")
