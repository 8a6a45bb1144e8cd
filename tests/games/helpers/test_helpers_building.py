"""Mendicant, explorer, scholar, priest."""

from collections import Counter

import numpy as np
import pytest

from tests.games.helpers.helper_positions import held, helper_of, helpers, holder, next_turn_of, turns

LINE = (0, 0, "NE E SE SW W")
"""Five roads in a row around the middle hex, from its corner N to NW."""

# -- mendicant -----------------------------------------------------------------------------------------------


def ways_to_beg(**hand):
    return set(holder("mendicant", hand=hand).game().legal("beg_road"))


@pytest.mark.rule("helpers.mendicant.1")
def test_the_mendicant_pays_a_road_with_any_resource_in_place_of_lumber_or_brick():
    assert ways_to_beg(lumber=1, ore=1) == {"ore for 1 brick"}
    assert ways_to_beg(brick=1, wool=1) == {"wool for 1 lumber"}
    assert ways_to_beg(lumber=2) == {"lumber for 1 brick"}
    assert ways_to_beg(brick=2) == {"brick for 1 lumber"}
    assert ways_to_beg(ore=2, grain=2) == ways_to_beg(lumber=1) == set()


@pytest.mark.rule("helpers.mendicant.2")
def test_the_mendicant_builds_one_road():
    game = holder("mendicant", hand={"lumber": 1, "ore": 2}).game().do("beg_road", "ore for 1 brick")
    assert game.hand(0) == {"ore": 1} and game.bank() == {**dict.fromkeys(game.bank(), 19), "ore": 18}
    assert game.decision == "begged_road" and game.kinds() == {"build_road"}
    left = game.state["edge_pieces_left"][0, 0]
    game.do("build_road", game.path(0, 0, "E"))
    assert game.state["edge_pieces_left"][0, 0] == left - 1 and game.decision == "part_with_helper"
    assert not turns(game).can("beg_road")


@pytest.mark.rule("helpers.mendicant.3")
def test_without_a_place_or_a_piece_the_mendicant_does_not_serve():
    assert not holder("mendicant", rules={"roads_per_player": 2}).road(0, (0, 0, "E")).game().can("beg_road")
    place = helpers().hand(0, lumber=2)
    assert not held(place, mendicant=0).on_turn(0).game().can("beg_road")


@pytest.mark.rule("helpers.mendicant.1")
def test_the_price_may_be_another():
    game = holder("mendicant", hand={"ore": 2}, rules={"road_cost": [1, 1, 0, 0, 1]}).game()
    assert not game.can("beg_road")
    game = holder("mendicant", hand={"ore": 2, "lumber": 1}, rules={"road_cost": [1, 1, 0, 0, 1]}).game()
    assert game.legal("beg_road") == ["ore for 1 brick"]


# -- explorer ------------------------------------------------------------------------------------------------


def explorer(*roads):
    place = helpers().settlement(0, "N", 0, 0).road(0, *roads)
    return held(place, explorer=0).on_turn(0)


@pytest.mark.rule("helpers.explorer.1", "helpers.explorer.3")
def test_the_explorer_moves_an_open_ended_road():
    game = explorer((0, 0, "NE E")).game()
    assert game.legal("move_road") == [game.path(0, 0, "E")]
    game.do("move_road", game.path(0, 0, "E"))
    assert game.decision == "rebuild_road" and game.argument == game.path(0, 0, "E")
    places = set(game.legal("build_road"))
    assert places == (game.paths_at("N", 0, 0) | game.paths_at("NE", 0, 0)) - {
        game.path(0, 0, "NE"), game.path(0, 0, "E")}  # fmt: skip
    game.do("build_road", game.path(0, 0, "NW"))
    assert game.state["edge_owner"][game.path(0, 0, "E")] == -1 and game.state["edge_owner"][game.path(0, 0, "NW")] == 0
    assert game.state["edge_pieces_left"][0, 0] == 13 and game.hand(0) == {}
    assert game.decision == "part_with_helper"


@pytest.mark.rule("helpers.explorer.2")
def test_a_road_between_own_roads_or_buildings_stays():
    assert explorer((0, 0, "NE E SE")).game().legal("move_road") == [explorer((0, 0, "NE")).game().path(0, 0, "SE")]
    both = explorer((0, 0, "NE E")).settlement(0, "SE", 0, 0).game()
    assert not both.can("move_road")
    ring = explorer((0, 0, "NE E SE SW W NW")).game()
    assert not ring.can("move_road")


@pytest.mark.rule("helpers.explorer.3")
def test_a_moved_road_goes_on_from_no_place_that_it_alone_reached():
    game = explorer((0, 0, "NE E")).game().do("move_road", explorer((0, 0, "E")).game().path(0, 0, "E"))
    beyond = game.paths_at("SE", 0, 0) - {game.path(0, 0, "E")}
    assert not beyond & set(game.legal("build_road"))


@pytest.mark.rule("helpers.explorer.2")
def test_an_opponents_building_at_its_end_leaves_a_road_open():
    game = explorer((0, 0, "NE E")).settlement(1, "SE", 0, 0).game()
    assert game.legal("move_road") == [game.path(0, 0, "E")]


@pytest.mark.rule("helpers.explorer.1")
def test_a_road_is_moved_even_when_no_piece_is_left():
    place = helpers(roads_per_player=2).settlement(0, "N", 0, 0).road(0, (0, 0, "NE E"))
    game = held(place, explorer=0).on_turn(0).game()
    assert game.state["edge_pieces_left"][0, 0] == 0
    game.do("move_road", game.path(0, 0, "E")).do("build_road", game.path(0, 0, "NW"))
    assert game.state["edge_pieces_left"][0, 0] == 0


@pytest.mark.rule("helpers.explorer.3")
def test_without_another_place_a_road_is_not_moved():
    place = explorer((0, 0, "NE")).settlement(1, "SE", 0, 0)
    place.road(1, (0, 0, "NW"), (0, -1, "E"))
    assert not place.game().can("move_road")


@pytest.mark.rule("helpers.explorer.4")
def test_longest_road_is_measured_once_after_the_move():
    """In between it would be shorter than another player's of five."""
    game = explorer(LINE).road(1, (0, 2, "NW W SW SE E")).game()
    assert game.state["longest_road"] == 0 and game.state["road_length"][:2].tolist() == [5, 5]
    game.do("move_road", game.path(0, 0, "W")).do("build_road", game.path(0, -1, "E"))
    assert game.state["road_length"][:2].tolist() == [5, 5] and game.state["longest_road"] == 0


@pytest.mark.rule("helpers.explorer.4")
def test_a_move_that_shortens_a_road_loses_longest_road():
    """From six in a row to five it is kept, to four it goes to who has five."""
    game = explorer(LINE, (0, -1, "E")).road(1, (0, 2, "NW W SW SE E")).game()
    assert game.state["longest_road"] == 0 and game.state["road_length"][0] == 6
    game.do("move_road", game.path(0, 0, "W")).do("build_road", game.path(1, 0, "SW"))
    assert game.state["road_length"][0] == 5 and game.state["longest_road"] == 0
    next_turn_of(turns(game), 0).roll(12)
    game.do("move_road", game.path(0, -1, "E")).do("build_road", game.path(1, 0, "NW"))
    assert game.state["road_length"][0] == 4 and game.state["longest_road"] == 1


# -- scholar -------------------------------------------------------------------------------------------------


def looks(game, *cards):
    for card in cards:
        game.draw("look_at_card", card)
    return game


@pytest.mark.rule("helpers.scholar.2")
def test_the_scholar_keeps_one_of_the_top_three_cards():
    game = holder("scholar", hand={"wool": 1, "grain": 1, "ore": 1}).game().do("consult_scholar")
    assert game.hand(0) == {} and game.chances()["knight"] == 14 / 25
    looks(game, "knight")
    assert game.chances()["knight"] == 13 / 24
    looks(game, "monopoly", "knight")
    assert game.decision == "choose_card_to_keep" and game.seat == 0
    assert game.legal("keep_card") == ["knight", "monopoly"] and game.kinds() == {"keep_card"}
    game.do("keep_card", "monopoly")
    assert game.cards(0) == {"monopoly": 1} and game.state["deck"].tolist() == [14, 2, 2, 1, 5]
    assert game.decision == "part_with_helper" and not game.state["cards_looked_at"].any()


@pytest.mark.rule("helpers.scholar.1")
def test_any_resource_stands_in_for_one_card_of_the_price():
    for hand, ways in (({"wool": 1, "grain": 1, "lumber": 1}, {"lumber for 1 ore"}),
                       ({"wool": 2, "ore": 1}, {"wool for 1 grain"}),
                       ({"brick": 2, "ore": 1}, set())):  # fmt: skip
        game = holder("scholar", hand=hand).game()
        assert set(game.legal("consult_scholar_with")) == ways and not game.can("consult_scholar")
    game = holder("scholar", hand={"wool": 1, "grain": 1, "lumber": 1}).game()
    looks(game.do("consult_scholar_with", "lumber for 1 ore"), "knight", "knight", "knight").do("keep_card", "knight")
    assert game.hand(0) == {} and game.bank() == dict.fromkeys(game.bank(), 19)


@pytest.mark.rule("helpers.scholar.3")
def test_with_fewer_than_three_cards_the_scholar_looks_at_what_is_there():
    hand = {"wool": 1, "grain": 1, "ore": 1}
    game = looks(holder("scholar", hand=hand).deck(knight=1, victory_point=1).game().do("consult_scholar"), "knight")
    looks(game, "victory_point")
    assert game.decision == "choose_card_to_keep"
    assert not holder("scholar", hand=hand).deck().game().can("consult_scholar")
    assert not holder("scholar").deck().game().can("consult_scholar_with")


@pytest.mark.rule("helpers.scholar.4")
def test_the_card_kept_counts_as_bought_in_this_turn():
    game = holder("scholar", hand={"wool": 1, "grain": 1, "ore": 1}).game().do("consult_scholar")
    game = turns(looks(game, "knight", "knight", "monopoly").do("keep_card", "monopoly"))
    assert not game.can("play_monopoly")
    next_turn_of(game, 0)
    assert game.can("play_monopoly")


@pytest.mark.rule("helpers.scholar.4")
def test_a_victory_card_kept_wins_and_one_merely_seen_does_not():
    place = holder("scholar", hand={"wool": 1, "grain": 1, "ore": 1}, rules={"victory_points": 2})
    game = looks(place.game().do("consult_scholar"), "victory_point", "knight", "victory_point")
    assert not game.over
    assert game.do("keep_card", "victory_point").over and game.winner == 0


@pytest.mark.rule("helpers.scholar.2")
def test_how_many_cards_the_scholar_looks_at_is_a_rule():
    place = holder("scholar", hand={"wool": 1, "grain": 1, "ore": 1}, rules={"cards_of_scholar": 1})
    assert looks(place.game().do("consult_scholar"), "knight").legal("keep_card") == ["knight"]


@pytest.mark.rule("helpers.scholar.5")
def test_only_who_consults_the_scholar_sees_the_cards_and_the_choice():
    for seat in range(4):
        seen = []
        for cards, kept in ((("knight", "knight", "monopoly"), "monopoly"), (("victory_point",) * 3, "victory_point")):
            game = looks(holder("scholar").game().do("consult_scholar"), *cards)
            before = game.engine.observe(seat=seat)[0]
            seen.append(np.concatenate([before, game.do("keep_card", kept).engine.observe(seat=seat)[0]]))
        assert np.array_equal(*seen) == (seat != 0)


@pytest.mark.rule("helpers.scholar.5")
def test_imagined_worlds_keep_the_cards_looked_at_for_who_sees_them():
    place = holder("scholar").cards(1, knight=1).deck(knight=2, monopoly=1, victory_point=2)
    game = looks(place.game().do("consult_scholar"), "knight", "monopoly", "victory_point")
    worlds = game.engine.determinise(None, 0, 200, seed=1)
    assert (worlds["cards_looked_at"][:, 0] == game.state["cards_looked_at"][0]).all()
    assert (worlds["cards_looked_at"][:, 0] <= worlds["deck"]).all()
    found = Counter(worlds["development_cards"][:, 1].argmax(axis=1).tolist())
    assert set(found) == {0, 4}, "the monopoly is among the cards looked at, so seat 1 cannot hold it"
    worlds = game.engine.determinise(None, 2, 200, seed=1)
    assert (worlds["cards_looked_at"][:, 0] <= worlds["deck"]).all()
    assert set(worlds["development_cards"][:, 1].argmax(axis=1).tolist()) == {0, 3, 4}
    assert len(Counter(map(tuple, worlds["cards_looked_at"][:, 0].tolist()))) > 3


# -- priest --------------------------------------------------------------------------------------------------


def priest(hand, knights=0, cards=None, new=None, rules=None):
    """A road to the corner S-E of the middle hex, where a settlement can be built; a settlement that can grow."""
    place = helpers(**(rules or {})).settlement(0, "N", 0, 0).road(0, (0, 0, "NE E")).hand(0, **hand)
    place.knights(0, knights).cards(0, **(cards or {})).new_development_cards(0, **(new or {}))
    return held(place, priest=0).on_turn(0)


@pytest.mark.rule("helpers.priest.1")
def test_the_priest_builds_a_settlement_for_lumber_and_brick_and_a_played_knight():
    game = priest({"lumber": 1, "brick": 1}, knights=1).game()
    assert game.legal("send_knight") == ["played"]
    game.do("send_knight", "played")
    assert game.state["knights_played"][0] == 0 and game.state["cards_used"][0] == 1
    assert game.decision == "build_with_priest" and game.kinds() == {"build_settlement"}
    game.do("build_settlement", game.corner("SE", 0, 0))
    assert game.hand(0) == {} and game.points(0) == 2 and game.decision == "part_with_helper"


@pytest.mark.rule("helpers.priest.2")
def test_the_priest_builds_a_city_for_two_ore_and_a_grain():
    game = priest({"ore": 2, "grain": 1}, knights=1).game().do("send_knight", "played")
    assert game.kinds() == {"build_city"}
    game.do("build_city", game.corner("N", 0, 0))
    assert game.hand(0) == {} and game.points(0) == 2


@pytest.mark.rule("helpers.priest.1", "helpers.priest.2")
def test_prices_of_the_priest():
    rules = {"priest_settlement_cost": [0, 0, 2, 0, 0], "priest_city_cost": [0, 0, 0, 0, 1]}
    for hand, kind in (({"wool": 2}, "build_settlement"), ({"ore": 1}, "build_city")):
        game = priest(hand, knights=1, rules=rules).game().do("send_knight", "played")
        assert game.kinds() == {kind} and game.do(kind, game.legal(kind)[0]).hand(0) == {}
    assert not priest({"ore": 2, "grain": 1}, rules=rules).game().can("send_knight"), "no knight"


@pytest.mark.rule("helpers.priest.3")
def test_the_priest_takes_a_knight_in_hand_too():
    game = priest({"ore": 2, "grain": 1}, cards={"knight": 1, "monopoly": 1}).game()
    assert game.legal("send_knight") == ["in hand"]
    game.do("send_knight", "in hand").do("build_city", game.corner("N", 0, 0))
    assert game.cards(0) == {"monopoly": 1} and game.state["cards_used"][0] == 1
    assert turns(game).can("play_monopoly"), "the knight was not played"
    assert not priest({"ore": 2, "grain": 1}, cards={"knight": 1},
                      rules={"priest_takes_knights_in_hand": 0}).game().can("send_knight")  # fmt: skip


@pytest.mark.rule("helpers.priest.3")
def test_a_knight_bought_in_this_turn_may_be_given_up_and_goes_first():
    game = priest({"ore": 2, "grain": 1}, cards={"knight": 1}, new={"knight": 1}).game()
    game.do("send_knight", "in hand").do("build_city", game.corner("N", 0, 0))
    assert game.state["new_development_cards"][0].sum() == 0 and turns(game).can("play_knight")


@pytest.mark.rule("helpers.priest.4")
def test_without_a_knight_the_cards_or_a_place_the_priest_does_not_serve():
    for hand, knights in (({"lumber": 1, "brick": 1}, 0), ({"lumber": 1, "grain": 1, "ore": 1}, 1)):
        assert not priest(hand, knights).game().can("send_knight")
    taken = priest({"lumber": 1, "brick": 1}, 1).settlement(1, "SE", 0, 0).game()
    assert not taken.can("send_knight")
    no_city = priest({"ore": 2, "grain": 1}, 1, rules={"cities_per_player": 0}).game()
    assert not no_city.can("send_knight")
    cities = helpers().city(0, "N", 0, 0).hand(0, ore=2, grain=1).knights(0, 1)
    assert not held(cities, priest=0).on_turn(0).game().can("send_knight")


@pytest.mark.rule("helpers.priest.5")
def test_largest_army_is_awarded_again_when_a_played_knight_goes():
    game = priest({"ore": 2, "grain": 1}, knights=3).game()
    assert game.state["largest_army"] == 0
    game.do("send_knight", "played")
    assert game.state["largest_army"] == -1
    other = priest({"ore": 2, "grain": 1}, knights=4).knights(1, 4).game()
    assert other.state["largest_army"] == 0
    assert other.do("send_knight", "played").state["largest_army"] == 1


@pytest.mark.rule("helpers.priest.2")
def test_the_priest_serves_once():
    game = priest({"ore": 4, "grain": 2, "lumber": 1, "brick": 1}, knights=2).game().do("send_knight", "played")
    assert game.kinds() == {"build_settlement", "build_city"}
    game = turns(game.do("build_city", game.corner("N", 0, 0)))
    assert not game.can("send_knight") and helper_of(game, 0) == "priest"
