"""Development cards."""

import pytest

from catan_env.testing.positions import new_game, position

PRICE = {"ore": 1, "wool": 1, "grain": 1}
KINDS = ("knight", "road_building", "year_of_plenty", "monopoly", "victory_point")
PLAYED = ("knight", "road_building", "year_of_plenty", "monopoly")


def turn(decision="play", seat=0, num_players=3, scenario="base", **rules):
    """A seat with a settlement and a road."""
    place = position(scenario, num_players, rules).settlement(seat, "N", 0, 0).road(seat, (0, 0, "NE"))
    return place.on_turn(seat, decision)


def next_own_turn(game):
    """Everybody passes until it is seat 0's turn again, before the roll."""
    game.do("end_turn")
    while game.seat != 0:
        game.roll(12).do("end_turn")
    return game


# -- buying --------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.development_cards.1", "base.development_cards.14")
@pytest.mark.parametrize("scenario, deck", [("base", (14, 2, 2, 2, 5)), ("base_5_6", (20, 3, 3, 3, 5))])
def test_the_stack_holds_so_many_cards_of_each_kind(scenario, deck):
    assert tuple(new_game(scenario).state["deck"]) == deck


@pytest.mark.rule("base.development_cards.2")
def test_a_card_costs_its_price():
    game = turn().hand(0, **PRICE).game().buy("monopoly")
    assert game.hand(0) == {} and game.cards(0) == {"monopoly": 1}
    assert set(game.bank().values()) == {19}


@pytest.mark.rule("base.development_cards.2")
@pytest.mark.parametrize("missing", PRICE)
def test_nothing_is_bought_if_a_card_of_the_price_is_missing(missing):
    cards = {"lumber": 5, "brick": 5, "ore": 5, "wool": 5, "grain": 5, missing: 0}
    assert turn().hand(0, **cards).game().refuses("buy_development_card")


@pytest.mark.rule("base.development_cards.2")
def test_cards_are_drawn_at_random_from_the_stack_without_putting_back():
    game = turn().hand(0, ore=2, wool=2, grain=2).game().do("buy_development_card")
    deck = dict(zip(KINDS, (14, 2, 2, 2, 5), strict=True))
    assert game.chances() == pytest.approx({kind: number / 25 for kind, number in deck.items()})
    game.draw("draw_card", "monopoly").do("buy_development_card")
    deck["monopoly"] -= 1
    assert game.chances() == pytest.approx({kind: number / 24 for kind, number in deck.items()})


@pytest.mark.rule("base.development_cards.4")
def test_nothing_is_bought_from_an_empty_stack():
    game = turn().hand(0, ore=2, wool=2, grain=2).deck(knight=1).game().buy("knight")
    assert game.refuses("buy_development_card")


def test_a_stack_of_the_largest_size_is_counted_right():
    game = turn(development_deck=(40, 40, 40, 40, 40)).hand(0, **PRICE).game()
    assert game.can("buy_development_card")


@pytest.mark.rule("base.development_cards.3")
def test_cards_are_secret_until_they_are_played_but_not_their_number():
    views = []
    for card in ("knight", "monopoly"):
        game = position("base", 3).hand(0, ore=2, wool=2, grain=2).on_turn(0).game().buy(card)
        views.append(game.engine.observe("flat", seat=1, dtype="uint8")[0])
    seen = dict(zip(game.engine.feature_names("flat"), views[0].tolist(), strict=True))
    assert (views[0] == views[1]).all()
    assert seen["development_cards/left_2/total"] == seen["new_development_cards/left_2/total"] == 1


@pytest.mark.rule("base.development_cards.4")
def test_any_number_of_cards_may_be_bought_in_a_turn():
    game = turn().hand(0, ore=4, wool=4, grain=4).game()
    for card in ("knight", "knight", "victory_point", "monopoly"):
        game.buy(card)
    assert game.cards(0) == {"knight": 2, "victory_point": 1, "monopoly": 1}


@pytest.mark.rule("base.development_cards.4")
def test_a_card_may_be_bought_after_playing_one():
    game = turn().hand(0, **PRICE).cards(0, monopoly=1).game().do("play_monopoly", "brick")
    assert game.can("buy_development_card")


@pytest.mark.rule("base.development_cards.2")
def test_nothing_is_bought_before_the_roll():
    assert turn("pre_roll").hand(0, **PRICE).game().refuses("buy_development_card")


# -- when they are played ------------------------------------------------------------------------------------


def playable(game):
    return {kind.removeprefix("play_") for kind in game.kinds() if kind.startswith("play_")}


@pytest.mark.rule("base.development_cards.5")
@pytest.mark.parametrize("decision", ["pre_roll", "play"])
def test_cards_are_played_before_and_after_the_roll(decision):
    game = turn(decision).cards(0, **dict.fromkeys(KINDS, 1)).game()
    assert playable(game) == set(PLAYED)


@pytest.mark.rule("base.development_cards.5")
@pytest.mark.parametrize("decision", ["pre_roll", "trade", "build"])
def test_cards_are_played_in_every_strict_phase(decision):
    game = turn(decision, phases="strict").cards(0, **dict.fromkeys(KINDS, 1)).game()
    assert playable(game) == set(PLAYED)


@pytest.mark.rule("base.development_cards.6")
@pytest.mark.parametrize("card", PLAYED)
def test_a_card_is_not_played_in_the_turn_it_is_bought(card):
    game = turn().hand(0, **PRICE).game().buy(card)
    assert not playable(game)
    assert playable(next_own_turn(game)) == {card}


@pytest.mark.rule("base.development_cards.6")
def test_an_older_card_of_the_kind_may_be_played_in_the_turn_one_is_bought():
    game = turn().cards(0, knight=1).hand(0, **PRICE).game().buy("knight")
    game.do("play_knight").do("move_robber", game.hex(2, 0))
    assert game.cards(0) == {"knight": 1} and not playable(game)
    assert playable(next_own_turn(game)) == {"knight"}


@pytest.mark.rule("base.development_cards.5")
def test_one_card_is_played_in_a_turn():
    game = turn("pre_roll").cards(0, knight=2, monopoly=1).game()
    game.do("play_knight").do("move_robber", game.hex(2, 0))
    assert not playable(game)
    game.roll(12)
    assert not playable(game)
    assert playable(next_own_turn(game)) == {"knight", "monopoly"}


@pytest.mark.rule("base.development_cards.5")
def test_cards_are_not_played_in_the_turn_of_others():
    game = turn().cards(1, knight=1, monopoly=1).hand(1, ore=9).game()
    assert not playable(game)
    game.do("end_turn").roll(7)
    assert not playable(game)  # while discarding


# -- knights -------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.development_cards.7")
def test_a_knight_moves_the_robber_and_steals():
    game = turn().cards(0, knight=1).settlement(1, "N", 1, 1).hand(1, wool=1).game().do("play_knight")
    assert (game.seat, game.decision) == (0, "place_robber")
    game.do("move_robber", game.hex(1, 1)).theft("wool")
    assert game.hand(0) == {"wool": 1} and game.decision == "play"


@pytest.mark.rule("base.development_cards.5", "base.development_cards.7")
def test_after_a_knight_before_the_roll_the_dice_are_rolled():
    game = turn("pre_roll").cards(0, knight=1).game()
    assert game.do("play_knight").do("move_robber", game.hex(2, 0)).kinds() == {"roll"}


@pytest.mark.rule("base.development_cards.7")
def test_a_knight_stays_on_the_table():
    game = turn().cards(0, knight=1).game().do("play_knight")
    assert game.state["knights_played"][0] == 1 and game.cards(0) == {}


@pytest.mark.rule("base.development_cards.7")
def test_a_seven_after_a_knight_moves_the_robber_again():
    game = turn("pre_roll").cards(0, knight=1).game().do("play_knight")
    game.do("move_robber", game.hex(2, 0)).roll(7)
    assert game.decision == "place_robber" and game.refuses("move_robber", game.hex(2, 0))


# -- progress cards ------------------------------------------------------------------------------------------


@pytest.mark.rule("base.development_cards.8")
def test_played_progress_cards_leave_the_game():
    game = turn().cards(0, monopoly=1).hand(0, **PRICE).deck(knight=1, monopoly=1).game().do("play_monopoly", "brick")
    game.do("buy_development_card")
    assert game.chances() == {"knight": 0.5, "monopoly": 0.5}


@pytest.mark.rule("base.development_cards.9")
def test_road_building_gives_two_roads_for_nothing():
    game = turn().cards(0, road_building=1).game().do("play_road_building")
    assert game.kinds() == {"build_road", "forgo_free_roads"}
    game.do("build_road", game.path(0, 0, "E"))
    assert game.kinds() == {"build_road", "forgo_free_roads"}
    game.do("build_road", game.path(0, 0, "SE"))  # beside the one just built
    assert game.decision == "play" and game.hand(0) == {}
    assert game.state["edge_pieces_left"][0, 0] == 12


@pytest.mark.rule("base.development_cards.16")
@pytest.mark.parametrize("built", [0, 1])
def test_free_roads_may_be_forgone(built):
    game = turn().cards(0, road_building=1).game().do("play_road_building")
    for side in ("E", "SE")[:built]:
        game.do("build_road", game.path(0, 0, side))
    game.do("forgo_free_roads")
    assert game.decision == "play" and game.state["edge_pieces_left"][0, 0] == 14 - built
    assert game.cards(0) == {} and game.state["card_played"]


@pytest.mark.rule("base.development_cards.16")
def test_forgone_roads_before_the_roll_leave_the_roll():
    game = turn("pre_roll").cards(0, road_building=1).game().do("play_road_building")
    assert game.do("forgo_free_roads").kinds() == {"roll"}


@pytest.mark.rule("base.development_cards.16")
def test_roads_that_are_paid_are_not_forgone():
    assert turn().hand(0, lumber=1, brick=1).game().refuses("forgo_free_roads")


@pytest.mark.rule("base.development_cards.9")
def test_road_building_keeps_the_rules_for_roads():
    game = turn().cards(0, road_building=1).settlement(1, "SE", 0, 0).game().do("play_road_building")
    game.do("build_road", game.path(0, 0, "E"))
    assert game.refuses("build_road", game.path(0, 0, "SE"))


@pytest.mark.rule("base.development_cards.9")
def test_road_building_may_come_before_the_roll():
    game = turn("pre_roll").cards(0, road_building=1).game().do("play_road_building")
    game.do("build_road", game.path(0, 0, "E")).do("build_road", game.path(0, 0, "SE"))
    assert game.kinds() == {"roll"}


@pytest.mark.rule("base.network.10")
def test_road_building_with_one_piece_builds_one():
    game = turn(roads_per_player=2).cards(0, road_building=1).game().do("play_road_building")
    game.do("build_road", game.path(0, 0, "E"))
    assert game.decision == "play"


@pytest.mark.rule("base.network.10")
def test_road_building_with_one_place_builds_one():
    place = position("base", 3).road(0, (0, -2, "NW")).road(1, (0, -2, "W")).settlement(1, "NE", 0, -2)
    game = place.cards(0, road_building=1).on_turn(0).game().do("play_road_building")
    assert game.legal("build_road") == [game.path(0, -2, "NE")]
    game.do("build_road", game.path(0, -2, "NE"))
    assert game.decision == "play" and game.state["edge_pieces_left"][0, 0] == 13


@pytest.mark.rule("base.network.10")
def test_road_building_is_not_played_without_a_piece_or_a_place():
    place = turn(roads_per_player=2).road(0, (0, 0, "E")).cards(0, road_building=1)
    assert place.game().refuses("play_road_building")
    place = position("base", 3).road(0, (0, -2, "NW")).road(1, (0, -2, "W NE")).cards(0, road_building=1).on_turn(0)
    assert place.game().refuses("play_road_building")


@pytest.mark.rule("base.development_cards.9")
def test_longest_road_may_come_from_road_building():
    game = turn().road(0, (0, 0, "E SE")).cards(0, road_building=1).game().do("play_road_building")
    game.do("build_road", game.path(0, 0, "SW")).do("build_road", game.path(0, 0, "W"))
    assert game.state["longest_road"] == 0


@pytest.mark.rule("base.development_cards.10")
def test_year_of_plenty_brings_two_cards_of_any_kind():
    game = turn().cards(0, year_of_plenty=1).game().do("play_year_of_plenty")
    game.do("take_card", "ore").do("take_card", "wool")
    assert game.hand(0) == {"ore": 1, "wool": 1} and game.bank()["ore"] == 18 and game.decision == "play"


@pytest.mark.rule("base.development_cards.10")
def test_year_of_plenty_takes_what_exists():
    short = {"lumber": 0, "brick": 0, "wool": 0, "grain": 0, "ore": 0}
    game = turn().cards(0, year_of_plenty=1).bank(1, **{**short, "wool": 1}).game().do("play_year_of_plenty")
    assert game.legal("take_card") == ["wool"]
    game.do("take_card", "wool")
    assert game.decision == "play" and game.hand(0) == {"wool": 1}
    assert turn().cards(0, year_of_plenty=1).bank(1, **short).game().refuses("play_year_of_plenty")


@pytest.mark.rule("base.development_cards.11")
def test_monopoly_takes_all_cards_of_a_kind_from_everybody():
    game = turn(num_players=4).cards(0, monopoly=1).hand(0, ore=1).hand(1, ore=3, wool=2).hand(3, ore=1).game()
    assert game.legal("play_monopoly") == ["lumber", "brick", "wool", "grain", "ore"]
    bank = game.bank()
    game.do("play_monopoly", "ore")
    assert [game.hand(seat) for seat in range(4)] == [{"ore": 5}, {"wool": 2}, {}, {}]
    assert game.bank() == bank and game.decision == "play"


@pytest.mark.rule("base.development_cards.11")
def test_monopoly_on_what_nobody_has_takes_nothing():
    game = turn().cards(0, monopoly=1).hand(1, ore=3).game().do("play_monopoly", "brick")
    assert game.hand(0) == {} and game.hand(1) == {"ore": 3} and game.cards(0) == {}


@pytest.mark.rule("base.development_cards.11")
def test_monopoly_takes_no_development_cards():
    game = turn().cards(0, monopoly=1).cards(1, knight=2).game().do("play_monopoly", "brick")
    assert game.cards(1) == {"knight": 2}
