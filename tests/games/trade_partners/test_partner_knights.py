"""Trade partners with Cities & Knights, on the beginner board.

Colors 2 and 3 are the partners of seats 0 and 1. The mountains (2, 0) are an 8, the hills (0, -1) a 6, north of the
desert. Seat 0 has its home in the west at N of (-2, 0), its partner at N of (2, 0) in the east.
"""

import pytest
from knight_positions import DECKS, KnightPosition

import catan_env
from catan_env.board.terrain import DESERT
from catan_env.games.base import development_cards, largest_army
from catan_env.render import draw
from catan_env.testing.positions import new_game

SCENARIO = "trade_partners_cities_and_knights"
HOME, ABROAD = ("N", -2, 0), ("N", 2, 0)
CORNERS = [("N", 0, -1), ("S", 0, 1), ("N", -1, 0), ("S", 1, 0), ("N", 2, -1), ("S", -2, 1), ("N", -2, 1), ("N", 1, -2)]
ATTACK = (1, 2, "ship")
NAMING_OTHERS = ("commercial_harbor", "guild_dues", "resource_monopoly", "trade_monopoly", "sabotage", "wedding")


def board(**rules):
    return KnightPosition(SCENARIO, 2, rules)


def table(**rules):
    return board(**rules).settlement(0, *HOME).settlement(2, *ABROAD)


def place_all(game):
    """All players place for both colors, with the first road possible."""
    for corner in CORNERS[: 8 if game.decision == "place_initial_settlement" else 4]:
        game.do("build_settlement", game.corner(*corner))
        game.do("build_road", game.legal("build_road")[0])
    return game


# -- set-up ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.cities_and_knights.1")
def test_fifteen_points_win_and_there_are_no_development_cards():
    scenario = catan_env.find_scenario(SCENARIO)
    assert not {development_cards, largest_army} & set(scenario.modules)
    place = board().settlement(0, *HOME).on_turn(0, "pre_roll")
    assert not place.field("defender", [13, 0, 0, 0]).game().over
    assert place.field("defender", [14, 0, 0, 0]).game().over


@pytest.mark.rule("trade_partners.partner_cities.1")
def test_partners_begin_with_a_settlement_and_a_city_that_brings_resources():
    game = place_all(new_game(SCENARIO, board="beginner", start_player="seat_0").draw("start_player", 0))
    state = game.state
    assert [int(state["building"][game.corner(*corner)]) for corner in CORNERS] == [1, 1, 2, 2, 1, 1, 2, 2]
    assert (state["settlements_left"] == 4).all() and (state["cities_left"] == 3).all()
    for color, corner in ((1, CORNERS[2]), (0, CORNERS[3]), (3, CORNERS[6]), (2, CORNERS[7])):
        around = game.engine.topology.intersection_hexes[game.corner(*corner)]
        terrain = [int(state["terrain"][hex]) for hex in around if hex >= 0]
        assert state["hands"][color, :5].tolist() == [terrain.count(kind) for kind in range(DESERT)]
        assert not state["hands"][color, 5:].any()


@pytest.mark.rule("trade_partners.partner_cities.2")
def test_after_printed_pieces_partners_begin_with_a_city_too():
    game = new_game(SCENARIO, board="beginner", start_player="seat_0", initial_placement="printed").draw(
        "start_player", 0
    )
    assert game.decision == "place_initial_partner_settlement" and game.state["cities_left"].tolist() == [3, 3, 4, 4]
    hands, described = game.state["hands"][:2].copy(), []
    for _ in range(4):
        assert not game.state["hands"][2 + game.seat].any()
        place = game.legal("build_settlement")[0]
        described.append(game.engine.describe(0, game.engine.actions.id("build_settlement", place)).split(" on ")[0])
        game.do("build_settlement", place).do("build_road", game.legal("build_road")[0])
    assert described == ["build a settlement"] * 2 + ["place a city"] * 2
    assert (game.state["cities_left"] == 3).all() and game.state["hands"][2:].any(axis=1).all()
    assert (game.state["hands"][:2] == hands).all()


# -- cards -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.cities_and_knights.2")
def test_cities_of_partners_bring_commodities():
    game = board().city(2, *ABROAD).settlement(3, "S", 2, 0).on_turn(0, "pre_roll").game().roll(4, 4)
    assert game.hand(2) == {"ore": 1, "coin": 1} and game.hand(3) == {"ore": 1}


@pytest.mark.rule("trade_partners.partner_trade.6")
def test_partners_sell_commodities_and_are_paid_in_them():
    game = table().hand(0, wool=1, cloth=1).hand(2, paper=1).progress(0, "alchemy").on_turn(0).game()
    assert game.legal("buy_from_partner") == ["paper"]
    game.do("buy_from_partner", "paper")
    assert game.kinds() == {"pay_partner"} and set(game.legal("pay_partner")) == {"wool", "cloth"}
    game.do("pay_partner", "cloth").do("pay_partner", "wool")
    assert game.hand(0) == {"paper": 1} and game.hand(2) == {"wool": 1, "cloth": 1}
    assert game.held(0) == {"alchemy": 1}


def test_pictures_show_the_commodities_of_partners():
    place = table().hand(2, ore=2, coin=3).on_turn(0)
    svg = draw(place.build()).svg
    assert "2 ore" in svg and "3 coin" in svg


@pytest.mark.rule("trade_partners.partners.12")
def test_a_seven_takes_the_cards_of_partners_before_the_first_attack_too():
    game = table().hand(2, ore=2, coin=1).hand(3, paper=1).on_turn(1, "pre_roll").game().roll(3, 4)
    assert game.decision == "play" and game.hand(2) == game.hand(3) == {}


@pytest.mark.rule("trade_partners.cities_and_knights.4")
@pytest.mark.parametrize("card", NAMING_OTHERS)
def test_cards_that_name_other_players_are_not_for_partners(card):
    """Seat 1 is ahead, but only partners have cards."""
    place = table().city(1, "S", 0, 2).progress(0, card).hand(0, wool=1)
    place = place.hand(2, ore=3, coin=2).hand(3, grain=3, paper=2)
    assert not place.on_turn(0).game().can(f"play_{card}")
    game = place.hand(1, grain=2, paper=2).on_turn(0).game()
    assert game.can(f"play_{card}")
    game.do(f"play_{card}", game.legal(f"play_{card}")[0])
    while game.decision != "play" or game.can("offer_at_harbor"):
        kind = min(game.kinds() if game.decision != "play" else {"offer_at_harbor"})
        game.do(kind, game.legal(kind)[0])
    assert game.hand(2) == {"ore": 3, "coin": 2} and game.hand(3) == {"grain": 3, "paper": 2}


@pytest.mark.rule("trade_partners.partner_barbarians.2", "trade_partners.cities_and_knights.5")
def test_progress_cards_are_drawn_and_seen_by_players_only():
    """Espionage and treason are for the one opponent; nobody draws for a partner."""
    game = table().levels(0, politics=3).progress(0, "espionage", "treason").on_turn(0, "pre_roll").game()
    game.roll(1, 2, "politics").draw("draw_progress", "intrigue").produce()
    assert game.decision == "play" and not game.can("play_espionage") and not game.can("play_treason")
    assert not game.state["progress_backs"][1:].any() and len(game.engine.actions.ids("play_treason")) == 1


@pytest.mark.rule("trade_partners.cities_and_knights.6")
def test_taxation_takes_nothing_from_partners():
    place = table().sailed(0, attacks=1).progress(0, "taxation").settlement(3, "S", 2, 0).hand(3, ore=2).hand(1, wool=1)
    game = place.on_turn(0).game().do("play_taxation").do("move_robber", place.game().hex(2, 0))
    assert game.decision == "play" and game.hand(3) == {"ore": 2} and game.hand(0) == {}


@pytest.mark.rule("trade_partners.cities_and_knights.7")
def test_the_merchant_stands_at_own_buildings_only():
    game = table().progress(0, "merchant").on_turn(0).game()
    around = game.engine.topology.intersection_hexes[game.corner(*HOME)]
    assert set(game.legal("play_merchant")) == {int(hex) for hex in around if hex >= 0}


# -- the barbarians ----------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.cities_and_knights.3", "trade_partners.partner_barbarians.2")
def test_cities_of_partners_do_not_count_for_the_barbarians_and_are_not_pillaged():
    place = table().city(0, "S", -2, 1).city(2, "S", 1, 1).city(3, "S", 0, 2).road(0, (-2, 0, "NW"))
    place = place.knight(0, "NW", -2, 0, active=True).sailed()
    game = place.on_turn(1, "pre_roll").game()
    assert game.observed(0)["barbarian_strength"] == 1
    game.roll(*ATTACK)
    assert game.state["defender"].tolist() == [1, 0, 0, 0]
    lost = table().city(0, "S", -2, 1).city(2, "S", 1, 1).city(3, "S", 0, 2).sailed().on_turn(1, "pre_roll").game()
    lost.roll(*ATTACK)
    assert (lost.decision, lost.seat) == ("lose_city", 0)
    lost.do("choose_city", lost.corner("S", -2, 1)).produce()
    assert lost.decision == "play" and lost.state["cities_left"].tolist() == [4, 4, 3, 3]


@pytest.mark.rule("trade_partners.partner_barbarians.1")
@pytest.mark.parametrize("beaten", [True, False])
def test_partners_lose_all_cards_at_every_attack_before_the_roll_produces(beaten):
    place = table().city(1, "S", 0, 2).road(1, (0, 2, "SE")).hand(2, ore=2, coin=1).hand(3, paper=1).hand(0, ore=1)
    place = place.settlement(3, "S", 2, 0).sailed()
    if beaten:
        place = place.knight(1, "SE", 0, 2, active=True)
    game = place.on_turn(0, "pre_roll").game()
    game.roll(4, 4, "ship")
    if not beaten:
        game.do("choose_city", game.corner("S", 0, 2)).produce()
    assert game.state["attacks"] == 1 and game.hand(2) == game.hand(3) == {"ore": 1} and game.hand(0) == {"ore": 1}


@pytest.mark.rule("trade_partners.partner_barbarians.1")
def test_a_ship_that_does_not_arrive_takes_nothing():
    game = table().hand(2, ore=2).sailed(5).on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.hand(2) == {"ore": 2}


# -- what is mirrored --------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.mirrored_building.16")
def test_walls_knights_and_improvements_are_not_mirrored():
    place = board().city(0, *HOME).city(2, *ABROAD).road(0, (-2, 0, "NW")).road(2, (2, 0, "NE"))
    game = place.hand(0, brick=2, wool=1, ore=1, coin=1).on_turn(0).game()
    game.do("build_wall", game.corner(*HOME)).do("recruit_knight", game.corner("NW", -2, 0)).do("improve", "politics")
    game.do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll") and game.state["walls_left"].tolist() == [2, 3, 3, 3]


@pytest.mark.rule("trade_partners.mirrored_building.17")
def test_what_progress_cards_build_is_mirrored_before_cards_too_many_are_left():
    place = table().road(0, (-2, 0, "NW")).road(2, (2, 0, "NE"))
    place = place.progress(0, "road_building", "medicine", *DECKS[1][:5]).hand(0, grain=1, ore=2)
    game = place.on_turn(0).game()
    game.do("play_roads").do("build_road", game.path(-2, 0, "W")).do("build_road", game.path(-2, 0, "NE"))
    game.do("play_medicine").do("build_city", game.corner(*HOME)).do("end_turn")
    for kind in ("build_road", "build_road", "build_city"):
        assert game.decision == "build_for_partner" and game.kinds() == {kind}
        game.do(kind, game.legal(kind)[0])
    assert (game.seat, game.decision) == (0, "leave_progress")
    assert game.state["cities_left"].tolist() == [3, 4, 3, 4] and game.state["edge_pieces_left"][2, 0] == 12


@pytest.mark.rule("trade_partners.mirrored_building.18")
def test_who_loses_a_city_owes_a_settlement_and_nothing_when_it_is_built_again():
    """The partner keeps its city; what it has more of is used up later."""
    place = board().city(0, *HOME).city(2, *ABROAD).road(2, (2, 0, "NE E")).road(0, (-2, 0, "NW W")).sailed()
    game = place.hand(0, grain=2, ore=3).on_turn(0, "pre_roll").game().roll(*ATTACK)
    game.do("choose_city", game.corner(*HOME)).produce()
    again = game.engine.state[0].copy()
    assert game.observed(0)["partner_settlements_owed/me"] == 1 and game.observed(0)["partner_cities_owed/me"] == 0
    game.do("end_turn")
    assert game.kinds() == {"build_settlement"}
    game.engine.state[0] = again
    game.engine.refresh()
    game.do("build_city", game.corner(*HOME)).do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.19")
def test_a_city_on_its_side_is_not_owed():
    """Seat 0 has no settlement left for the city it loses."""
    place = board(settlements_per_player=2).city(0, *HOME).settlement(0, "S", -2, 1).settlement(0, "S", 0, 1)
    place = place.settlement(2, *ABROAD).sailed()
    game = place.on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.observed(0)["partner_cities_owed/me"] == 1 and game.observed(0)["partner_settlements_owed/me"] == 1
    game.do("choose_city", game.corner(*HOME)).produce()
    assert game.state["city_laid"][game.corner(*HOME)] == 1
    row = game.observed(0)
    assert row["partner_cities_owed/me"] == 0 and row["partner_settlements_owed/me"] == 1
    game.do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.20")
def test_diplomacy_removes_a_partner_s_open_road_which_is_owed_again():
    place = table().road(0, (-2, 0, "NW")).road(2, (2, 0, "NE")).progress(1, "diplomacy").on_turn(1)
    game = place.game()
    game.do("play_diplomacy", game.path(2, 0, "NE"))
    assert game.decision == "play" and game.state["edge_pieces_left"][2, 0] == 15
    game.do("end_turn")
    assert (game.seat, game.decision) == (0, "pre_roll"), "it is paid in its owner's turn"
    game.roll(1, 1).do("end_turn")
    assert game.decision == "build_for_partner" and set(game.legal("build_road")) == game.paths_at(*ABROAD)


@pytest.mark.rule("trade_partners.mirrored_building.20")
def test_diplomacy_on_the_own_partner_s_road_lets_it_be_built_elsewhere_at_the_end_of_the_turn():
    game = table().road(0, (-2, 0, "NW")).road(2, (2, 0, "NE")).progress(0, "diplomacy").on_turn(0).game()
    game.do("play_diplomacy", game.path(2, 0, "NE"))
    assert game.decision == "play"
    game.do("end_turn")
    assert game.kinds() == {"build_road"}


# -- in the way --------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.cities_and_knights.8")
def test_a_partner_s_building_blocks_knights_also_of_its_owner():
    place = board().settlement(0, "N", 0, -1).road(0, (0, -1, "NE E SE")).settlement(2, "SE", 0, -1)
    place = place.knight(0, "NE", 0, -1, active=True).hand(0, wool=1, ore=1)
    game = place.on_turn(0).game()
    assert game.legal("recruit_knight") == [game.corner("S", 0, -1)]
    assert game.refuses("take_knight", game.corner("NE", 0, -1)), "it can go nowhere past the partner's settlement"
    free = board().settlement(0, "N", 0, -1).road(0, (0, -1, "NE E SE")).knight(0, "NE", 0, -1, active=True)
    game = free.on_turn(0).game().do("take_knight", game.corner("NE", 0, -1))
    assert set(game.legal("place_knight")) == {game.corner("SE", 0, -1), game.corner("S", 0, -1)}


@pytest.mark.rule("trade_partners.cities_and_knights.8")
def test_knights_neither_stand_at_nor_go_over_roads_of_partners():
    place = board().settlement(0, "N", 0, -1).settlement(2, "S", 0, -1).road(2, (0, -1, "SE E")).road(0, (0, -1, "NE"))
    game = place.knight(0, "NE", 0, -1, active=True).hand(0, wool=1, ore=1).on_turn(0).game()
    assert not game.can("recruit_knight") and not game.can("take_knight")


@pytest.mark.rule("trade_partners.partner_barbarians.3")
def test_what_a_knight_blocks_is_owed_until_it_goes_and_then_built():
    place = table().settlement(0, "S", -2, 1).road(0, (-2, 0, "NW W")).road(2, (2, 0, "NE E"))
    place = place.settlement(1, "S", 0, 0).road(1, (2, 0, "SE SW")).knight(1, "SE", 2, 0, active=True).on_turn(0)
    game = place.game().do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll") and game.observed(0)["partner_settlements_owed/me"] == 1
    game.roll(1, 1).do("take_knight", game.corner("SE", 2, 0)).do("place_knight", game.corner("S", 2, 0))
    game.do("end_turn").roll(1, 1).do("end_turn")
    assert game.decision == "build_for_partner" and game.kinds() == {"build_settlement"}
