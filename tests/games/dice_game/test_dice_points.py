"""Points, the row of boxes, and who has won."""

import pytest
from sheets import dice_game, roll, row, settle, spending

GOLD = "gold gold gold gold gold gold"


def idle_turn(game):
    """A turn in which nothing can be built on purpose."""
    return roll(game, GOLD).do("let_stand").do("end_turn")


@pytest.mark.rule("dice_game.points_row.1")
def test_points_are_entered_as_they_are_printed():
    game = spending("lumber brick wool grain lumber brick", turn=3)
    game.do("build_settlement", 0).do("build_road", 1).do("end_turn")
    assert row(game, 0) == [0, 4] and game.points(0) == 4


@pytest.mark.rule("dice_game.points_row.2")
def test_a_turn_without_building_costs_two_points():
    game = idle_turn(dice_game())
    assert row(game, 0) == [-2] and game.points(0) == -2


@pytest.mark.rule("dice_game.points_row.2")
def test_building_nothing_on_purpose_costs_as_much():
    game = roll(dice_game(), "lumber brick lumber brick wool ore").do("let_stand")
    assert game.can("build_road", 1)
    assert row(game.do("end_turn"), 0) == [-2]


@pytest.mark.rule("dice_game.points_row.1")
def test_what_is_built_in_one_turn_does_not_count_for_the_next():
    game = dice_game(1)
    roll(game, "lumber brick gold gold gold gold").do("let_stand").do("build_road", 1).do("end_turn")
    assert row(idle_turn(game), 0)[:2] == [1, -2]


@pytest.mark.rule("dice_game.points_row.3")
@pytest.mark.parametrize("players", [1, 3])
def test_the_game_ends_after_fifteen_turns_each(players):
    game = dice_game(players)
    for _ in range(15 * players):
        assert not game.over
        idle_turn(game)
    assert game.over and game.state["points_row"].sum(axis=1)[:players].tolist() == [-30] * players


@pytest.mark.rule("dice_game.points_row.4")
def test_most_points_win_and_ties_share():
    game = spending("gold", 3, turn=45, sheets={0: {"knights": [0]}, 1: {"knights": [0]}})
    game.engine.state["points_row"][0, 2, 1] = -2
    game.engine.refresh()
    game.do("end_turn")
    assert game.engine.terminated[0] and game.engine.winners[0].tolist() == [True, True, False]
    assert game.engine.rewards[0].tolist() == [0.5, 0.5, -1.0]


@pytest.mark.rule("dice_game.points_row.5")
def test_alone_one_wins_with_enough_points():
    for enough, reward in ((4, 1.0), (5, -1.0)):
        game = spending("lumber brick", 1, turn=15, sheets={0: {"knights": [0, 1]}}, victory_points=enough)
        game.do("build_road", 1).do("end_turn")
        assert game.engine.terminated[0] and game.engine.rewards[0].tolist() == [reward]


@pytest.mark.rule("dice_game.points_row.7")
def test_rows_that_do_not_add_up_are_found():
    game = dice_game()
    game.engine.state["points_row"][0, 0, 3] = 5
    assert (0, "rows_add_up") in game.engine.broken_invariants()


@pytest.mark.rule("dice_game.points_row.6")
def test_a_turn_beyond_the_last_box_is_found():
    game = dice_game()
    game.engine.state["turn"][0] = 15 * game.engine.num_players + 1
    assert (0, "turns_fit") in game.engine.broken_invariants()


# -- Plus ---------------------------------------------------------------------------------------------------


def plus(dice, turn=9, sheets=None, **cards):
    return settle(spending(dice, 2, "dice_game_plus", turn, sheets), **cards)


@pytest.mark.rule("dice_game.sheet_points.2")
def test_plus_settlements_count_one_and_cities_two():
    game = plus("gold", sheets={0: {"roads": range(3), "settlements": [0], "cities": [0], "knights": [0]}})
    assert game.points(0) == 3 and game.points(1) == 0


@pytest.mark.rule("dice_game.dice_turns.4")
def test_plus_a_turn_without_building_costs_nothing():
    assert plus("gold").do("end_turn").points(0) == 0


@pytest.mark.rule("dice_game.sheet_points.3")
def test_plus_three_knights_are_the_largest_army_used_as_jokers_or_not():
    game = spending("ore wool grain", 2, "dice_game_plus", 9, {0: {"knights": [0, 1]}}, {0: [0, 1]})
    settle(game).do("build_knight", 7)
    assert game.state["largest_army"] == 0 and game.points(0) == 2


@pytest.mark.rule("dice_game.plus.1")
def test_plus_more_knights_take_the_army_over():
    knights = {0: {"knights": [0, 1, 2]}, 1: {"knights": [0, 1]}}
    game = plus("ore wool grain ore wool grain", 10, knights, army=0)
    game.do("build_knight", 2)
    assert game.state["largest_army"] == 0
    game.do("build_knight", 3)
    assert game.state["largest_army"] == 1 and game.points(0) == 0 and game.points(1) == 2


LINE = [0, 1, 3, 4]
"""Start road and the line up to the fork before the marked road."""


@pytest.mark.rule("dice_game.sheet_route.1")
def test_plus_the_marked_fifth_road_brings_longest_road():
    game = plus("lumber brick lumber brick", sheets={0: {"roads": LINE}})
    game.do("build_road", 5)  # the arm: five in a row too, but not the marked one
    assert game.state["longest_road"] == -1 and game.state["road_length"][0] == 5
    game.do("build_road", 6)
    assert game.state["longest_road"] == 0 and game.points(0) == 2


@pytest.mark.rule("dice_game.sheet_route.2")
def test_plus_more_roads_in_a_row_take_it_over_and_branches_do_not_count():
    first, second = {"roads": [*LINE, 6, 7]}, {"roads": [*LINE, 2, 5, 6]}
    game = plus("lumber brick lumber brick", 10, {0: first, 1: second}, route=0)
    assert game.state["road_length"].tolist()[:2] == [6, 5]
    game.do("build_road", 7)
    assert game.state["longest_road"] == 0
    game.do("build_road", 8)
    assert game.state["longest_road"] == 1 and game.points(0) == 0 and game.points(1) == 2


@pytest.mark.rule("dice_game.sheet_route.2")
def test_plus_the_longest_trail_leads_to_the_furthest_road():
    """Compared with all trails of the sheet, for every set of roads that random building comes by."""
    game = plus("gold")
    roads, depth = game.engine.scenario.board.roads, game.engine.scenario.board.road_depth

    def longest(built):
        def on(place, left):
            return max((1 + on(b if place == a else a, left - {(a, b)}) for a, b in left if place in (a, b)), default=0)

        return max(on(place, frozenset(built)) for road in built for place in road)

    for last in range(1, len(roads)):
        for arm in (2, 5, 12):
            built = {k for k in range(last + 1) if k not in (2, 5, 12) or k == arm}
            assert longest({roads[k] for k in built}) == max(depth[k] for k in built)


@pytest.mark.rule("dice_game.plus.2")
def test_plus_ten_points_win_at_once():
    built = {"roads": range(18), "settlements": [0, 1, 2, 3, 4], "cities": [0]}
    game = plus("lumber brick wool grain", sheets={0: built}, route=0)
    assert game.points(0) == 9
    game.do("build_settlement", 6)
    assert game.engine.terminated[0] and game.winner == 0


@pytest.mark.rule("dice_game.sheet_points.4")
def test_plus_broken_invariants_are_found():
    game = plus("gold", sheets={0: {"knights": [0]}})
    game.engine.state["knights_played"][0, 0] = 2
    game.engine.state["road_length"][0, 1] = 4
    assert {name for _, name in game.engine.broken_invariants()} >= {"knights_counted", "routes_current"}
