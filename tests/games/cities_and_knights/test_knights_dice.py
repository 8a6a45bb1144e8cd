"""Three dice, commodities, the initial placement, the aqueduct, the barbarians."""

import pytest
from knight_positions import DECKS, KnightGame, march, table

import catan_env
from catan_env.errors import RuleValueError
from catan_env.games.base import development_cards, largest_army
from catan_env.render.moves import Narrator
from catan_env.testing.positions import new_game

ATTACK = (1, 2, "ship")


def begun(players=3, **rules):
    game = new_game("cities_and_knights", players, board="beginner", start_player="seat_0", **rules)
    return KnightGame(game.engine).draw("start_player", 0)


@pytest.mark.rule("cities_and_knights.frame.1")
def test_there_are_no_development_cards_and_thirteen_points_win():
    scenario = catan_env.find_scenario("cities_and_knights")
    assert not {development_cards, largest_army} & set(scenario.modules)
    game = table().city(0, "N", 0, -1).field("defender", [10, 0, 0, 0]).on_turn(0, "pre_roll")
    assert game.game().points(0) == 12 and not game.game().over
    done = table().city(0, "N", 0, -1).field("defender", [11, 0, 0, 0]).on_turn(0, "pre_roll").game()
    assert done.over and done.winner == 0


@pytest.mark.rule("cities_and_knights.city_placement.1", "cities_and_knights.city_placement.2")
def test_the_second_building_of_the_initial_placement_is_a_city_and_brings_resources():
    game = begun()
    for _ in range(3):
        game.do("build_settlement", game.legal("build_settlement")[0]).do("build_road", game.legal("build_road")[0])
    assert (game.state["cities_left"] == 4).all() and not game.state["hands"].any()
    seat = game.seat
    game.do("build_settlement", game.corner("S", 2, -1)).do("build_road", game.path(2, -1, "SE"))
    assert game.hand(seat) == {"lumber": 1, "brick": 1, "ore": 1}
    assert game.state["cities_left"][seat] == 3 and game.state["settlements_left"][seat] == 4
    assert game.points(seat) == 3


def test_the_text_names_the_initial_placement_of_a_city():
    game = begun()
    first = game.engine.actions.id("build_settlement", game.legal("build_settlement")[0])
    assert game.engine.describe(0, first).startswith("build a settlement on")
    for _ in range(3):
        game.do("build_settlement", game.legal("build_settlement")[0]).do("build_road", game.legal("build_road")[0])
    place = game.corner("S", 2, -1)
    city = game.engine.actions.id("build_settlement", place)
    assert game.engine.describe(0, city) == f"place a city on {game.engine.place_names()['intersections'][place]}"
    assert Narrator(game.engine).play(city, chance=False).full_text == "place a city on 10 hills, 3 forest, 8 mountains"
    assert game.engine.actions.describe(city).startswith("build a settlement on")


@pytest.mark.rule("cities_and_knights.city_placement.4")
def test_printed_pieces_have_a_city_each_too():
    game = begun(initial_placement="printed")
    assert (game.state["cities_left"][:3] == 3).all() and (game.state["settlements_left"][:3] == 4).all()
    assert all(game.points(seat) == 3 and 2 <= sum(game.hand(seat).values()) <= 3 for seat in range(3))


@pytest.mark.rule("cities_and_knights.city_placement.3")
@pytest.mark.parametrize("initial_placement", ["snake", "printed"])
def test_without_city_pieces_the_second_building_stays_a_settlement(initial_placement):
    game = begun(initial_placement=initial_placement, cities_per_player=0)
    while game.decision in ("place_initial_settlement", "place_initial_road"):
        kind = "build_settlement" if game.can("build_settlement") else "build_road"
        game.do(kind, game.legal(kind)[0])
    assert not game.state["cities_left"].any() and (game.state["settlements_left"][:3] == 3).all()
    assert game.state["hands"][:3].any(axis=1).all()


@pytest.mark.rule("cities_and_knights.event_dice.1", "cities_and_knights.event_dice.2")
def test_three_dice_are_rolled_and_the_event_comes_before_the_production():
    game = table().city(0, "N", 0, -1).on_turn(0, "pre_roll").game()
    game.do("roll")
    assert set(game.chances()) == set("123456")
    game.draw("red_die", "4").draw("yellow_die", "6")
    assert game.chances() == pytest.approx({"ship": 1 / 2, "science": 1 / 6, "trade": 1 / 6, "politics": 1 / 6})
    game.draw("event_die", "trade")
    assert game.decision == "dice" and not game.hand(0)
    game.produce()
    assert game.decision == "play" and game.state["dice"] == 10


@pytest.mark.rule("cities_and_knights.commodities.1")
def test_cities_bring_commodities_from_forest_pasture_and_mountains():
    mountains = table().city(0, "N", 0, -1).on_turn(0, "pre_roll").game()
    assert mountains.roll(4, 6).hand(0) == {"ore": 1, "coin": 1}
    pasture = table().city(0, "N", 0, -1).on_turn(0, "pre_roll").game()
    assert pasture.roll(1, 1).hand(0) == {"wool": 1, "cloth": 1}
    hills = table().city(0, "N", 0, -1).on_turn(0, "pre_roll").game()
    assert hills.roll(3, 3).hand(0) == {"brick": 2}
    forest = table().city(0, "N", 2, -2).on_turn(0, "pre_roll").game()
    assert forest.roll(4, 5).hand(0) == {"lumber": 1, "paper": 1}
    fields = table().city(0, "N", -1, -1).on_turn(0, "pre_roll").game()
    assert fields.roll(6, 6).hand(0) == {"grain": 2}
    village = table().settlement(0, "N", 0, -1).on_turn(0, "pre_roll").game()
    assert village.roll(4, 6).hand(0) == {"ore": 1}


@pytest.mark.rule("cities_and_knights.production.1")
def test_a_commodity_that_does_not_do_for_all_goes_to_nobody():
    both = table().city(0, "N", 0, -2).city(1, "S", 0, -2).hand(2, coin=11).on_turn(0, "pre_roll").game()
    both.roll(4, 6)
    assert both.hand(0) == {"ore": 1} == both.hand(1)
    alone = table().city(0, "N", 0, -2).city(0, "S", 0, -2).hand(2, coin=11).on_turn(0, "pre_roll").game()
    assert alone.roll(4, 6).hand(0) == {"ore": 2, "coin": 1}


@pytest.mark.rule("cities_and_knights.aqueduct.1")
def test_the_aqueduct_brings_a_resource_where_a_production_brings_nothing():
    game = table().levels(0, science=3).levels(1, science=3).settlement(1, "N", 0, -1).on_turn(2, "pre_roll").game()
    game.roll(4, 6)
    assert (game.decision, game.seat, game.legal("take_card")) == ("choose_card", 0, [*CARDS5])
    assert game.do("take_card", "ore").hand(0) == {"ore": 1}
    assert game.decision == "play" and game.seat == 2
    seven = table().levels(0, science=3).on_turn(2, "pre_roll").game()
    assert seven.roll(3, 4).decision == "play"


CARDS5 = ("lumber", "brick", "wool", "grain", "ore")


@pytest.mark.rule("cities_and_knights.aqueduct.2")
def test_owners_of_aqueducts_choose_in_turn_order_and_below_the_third_level_nobody_does():
    game = table().levels(0, science=3).levels(1, science=4).levels(2, science=2).on_turn(1, "pre_roll").game()
    game.roll(4, 6)
    assert game.seat == 1 and game.do("take_card", "ore").seat == 0
    assert game.do("take_card", "ore").decision == "play"


@pytest.mark.rule("cities_and_knights.aqueduct.2")
def test_who_comes_after_the_last_resource_gets_none_from_the_aqueduct():
    game = table().levels(0, science=3).levels(1, science=3).hand(2, lumber=19, brick=19, wool=19, grain=19, ore=18)
    game = game.on_turn(0, "pre_roll").game().roll(4, 6)
    assert game.do("take_card", "ore").decision == "play"


@pytest.mark.rule("cities_and_knights.barbarians.1", "cities_and_knights.barbarians.2")
def test_before_the_first_attack_a_seven_costs_cards_only():
    game = march().hand(0, brick=8).hand(1, ore=3).on_turn(0, "pre_roll").game()
    assert game.state["robber"] == -1
    game.roll(3, 4)
    assert game.decision == "discard" and game.state["to_discard"][0] == 4
    for _ in range(4):
        game.do("discard_card", "brick")
    assert game.decision == "play" and game.state["robber"] == -1


@pytest.mark.rule("cities_and_knights.barbarians.2")
def test_afterwards_the_robber_moves_and_steals_resources_or_commodities():
    game = march().sailed(0, attacks=1).robber(0, 0).hand(1, coin=1).on_turn(0, "pre_roll").game()
    game.roll(3, 4)
    assert game.decision == "place_robber"
    game.do("move_robber", game.hex(0, 2)).theft("coin")
    assert game.hand(0) == {"coin": 1}


@pytest.mark.rule("cities_and_knights.production.2")
def test_commodities_count_as_cards_when_a_seven_is_rolled():
    game = march().hand(0, brick=4, coin=4).on_turn(0, "pre_roll").game().roll(3, 4)
    assert game.decision == "discard" and game.can("discard_card", "coin")


# -- the barbarians ----------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.barbarians.3")
def test_the_ship_goes_a_step_on_and_attacks_at_the_seventh():
    game = march().sailed(5).on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.state["barbarian_steps"] == 6 and game.state["attacks"] == 0
    again = march().sailed(6).on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert again.state["barbarian_steps"] == 0 and again.state["attacks"] == 1


@pytest.mark.rule("cities_and_knights.barbarians.1", "cities_and_knights.barbarians.5")
def test_the_robber_enters_at_the_first_attack():
    game = march().sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.state["robber"] == game.hex(0, 0)
    older = march(robber_at_start="desert").sailed(0).robber(0, 0).on_turn(0, "pre_roll").game()
    assert older.roll(3, 4).state["robber"] == older.hex(0, 0) and older.decision == "play"


@pytest.mark.rule("cities_and_knights.pillaging.1", "cities_and_knights.barbarians.5")
def test_whoever_contributes_least_loses_a_city_of_choice():
    game = march().city(2, "N", 0, -2).city(2, "S", 2, 0).knight(1, "SE", 0, 2, active=True)
    game = game.sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert (game.decision, game.seat) == ("lose_city", 2)
    assert set(game.legal("choose_city")) == {game.corner("N", 0, -2), game.corner("S", 2, 0)}
    game.do("choose_city", game.corner("S", 2, 0))
    assert game.points(2) == 3 and game.state["cities_left"][2] == 3 and game.state["settlements_left"][2] == 4
    assert not game.state["knight_state"].any()
    assert game.produce().decision == "play"


@pytest.mark.rule("cities_and_knights.pillaging.1")
def test_all_who_contribute_least_lose_a_city_from_the_player_on_turn_on():
    game = march().city(2, "N", 0, -2).sailed().on_turn(2, "pre_roll").game().roll(*ATTACK)
    assert game.seat == 2
    assert game.do("choose_city", game.corner("N", 0, -2)).seat == 1
    game.do("choose_city", game.corner("S", 0, 2))
    assert game.points(1) == game.points(2) == 1 and game.decision == "dice"


@pytest.mark.rule("cities_and_knights.barbarians.4", "cities_and_knights.pillaging.2")
def test_metropolises_count_for_the_barbarians_and_are_spared():
    game = march().metropolis(1, "trade", "S", 0, 2).levels(1, trade=4).city(2, "N", 0, -2)
    game = game.knight(2, "NE", 0, -2, active=True).sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert (game.decision, game.seat) == ("lose_city", 2)
    nobody = march().metropolis(1, "trade", "S", 0, 2).levels(1, trade=4).sailed().on_turn(0, "pre_roll").game()
    assert nobody.roll(*ATTACK).decision == "play" and nobody.state["attacks"] == 1


@pytest.mark.rule("cities_and_knights.city_walls.4")
def test_a_wall_is_lost_with_its_city():
    game = march().wall(1, "S", 0, 2).sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    game.do("choose_city", game.corner("S", 0, 2))
    assert game.state["walls_left"][1] == 3 and not game.state["wall"].any()


@pytest.mark.rule("cities_and_knights.pillaging.3")
def test_without_a_settlement_piece_the_city_lies_on_its_side_until_it_is_built_again():
    game = march(settlements_per_player=2).settlement(1, "S", 2, 0).settlement(1, "S", -2, 2)
    game = game.sailed().hand(1, grain=2, ore=3).on_turn(0, "pre_roll").game().roll(*ATTACK)
    lost = game.corner("S", 0, 2)
    game.do("choose_city", lost)
    assert game.state["city_laid"][lost] and game.points(1) == 3 and game.state["cities_left"][1] == 3
    game.produce().do("end_turn")
    game.roll(1, 2)
    assert game.legal("build_city") == [lost]
    game.do("build_city", lost)
    assert not game.state["city_laid"].any() and game.points(1) == 4
    assert game.state["settlements_left"][1] == 0 and game.state["cities_left"][1] == 3


@pytest.mark.rule("cities_and_knights.pillaging.3")
def test_a_city_on_its_side_brings_one_card_and_does_not_count_for_the_barbarians():
    game = march(settlements_per_player=2).settlement(1, "S", 2, 0).settlement(1, "S", -2, 2)
    game = game.sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    game.do("choose_city", game.corner("S", 0, 2)).produce().do("end_turn")
    game.roll(5, 6)
    assert game.hand(1) == {"wool": 1} and not game.can("improve")
    assert game.engine.observe("flat", seat=0)[0, game.engine.feature_names("flat").index("barbarian_strength")] == 0


@pytest.mark.rule("cities_and_knights.defenders.1")
def test_the_best_defender_gets_a_point():
    game = march().knight(0, "NE", 0, -1, active=True).sailed().on_turn(1, "pre_roll").game().roll(*ATTACK)
    assert game.state["defender"].tolist() == [1, 0, 0, 0] and game.points(0) == 2
    assert not game.state["knight_state"].any() and game.decision == "play"


@pytest.mark.rule("cities_and_knights.barbarians.4")
def test_inactive_knights_do_not_defend():
    game = march().knight(0, "NE", 0, -1, strength=3).sailed().on_turn(1, "pre_roll").game().roll(*ATTACK)
    assert game.decision == "lose_city" and not game.state["defender"].any()


@pytest.mark.rule("cities_and_knights.defenders.2")
def test_several_best_defenders_draw_a_card_each_of_a_deck_of_choice():
    game = march().knight(0, "NE", 0, -1, active=True).knight(1, "SE", 0, 2, active=True)
    game = game.sailed().on_turn(1, "pre_roll").game().roll(*ATTACK)
    assert (game.decision, game.seat) == ("draw_reward", 1) and not game.state["defender"].any()
    game.do("choose_deck", "trade")
    assert set(game.chances()) == set(DECKS[1])
    game.draw("draw_progress", "merchant")
    assert game.seat == 0 and game.held(1) == {"merchant": 1}
    game.do("choose_deck", "science").draw("draw_progress", "crane")
    assert game.decision == "dice"


@pytest.mark.rule("cities_and_knights.defenders.3")
def test_who_contributes_nothing_gets_nothing():
    game = table().settlement(0, "N", 0, -1).sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.decision == "play" and not game.state["defender"].any()


@pytest.mark.rule("cities_and_knights.defenders.4")
def test_there_is_no_reward_without_a_card():
    game = march().knight(0, "NE", 0, -1, active=True).knight(1, "SE", 0, 2, active=True).under("science")
    game = game.under("trade").under("politics").sailed().on_turn(1, "pre_roll").game().roll(*ATTACK)
    assert game.decision == "play"


@pytest.mark.rule("cities_and_knights.event_dice.2")
def test_an_event_die_without_faces_is_refused():
    with pytest.raises(RuleValueError, match="at least one entry must be above 0"):
        catan_env.BatchEngine("cities_and_knights", rules={"event_die_faces": [0, 0, 0, 0]})
