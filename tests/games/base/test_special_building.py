"""The special building phase."""

import pytest

import catan_env
from catan_env.testing.positions import position

PLENTY = {"lumber": 3, "brick": 3, "wool": 3, "grain": 3, "ore": 3}


def large(num_players=6, seat=0, **rules):
    return position("base_5_6", num_players, rules).on_turn(seat)


def settled(seat=1, num_players=6, **rules):
    """Seat 0 is on turn; another has a settlement, two roads, cards of every kind and cards to play."""
    place = large(num_players, **rules).settlement(seat, "N", 0, 0).road(seat, (0, 0, "NE E"))
    return place.hand(seat, **PLENTY).cards(seat, knight=1, monopoly=1)


@pytest.mark.rule("base.special_building.1")
@pytest.mark.parametrize("num_players, seat", [(6, 0), (5, 3)])
def test_after_every_turn_all_others_are_asked_clockwise_once(num_players, seat):
    game = large(num_players, seat).game().do("end_turn")
    seats = []
    while game.decision == "build_specially":
        seats.append(game.seat)
        game.do("pass")
    assert seats == [(seat + k) % num_players for k in range(1, num_players)]
    assert (game.seat, game.decision) == (seats[0], "pre_roll")


@pytest.mark.rule("base.special_building.2")
def test_only_building_and_buying():
    game = settled().game().do("end_turn")
    assert game.seat == 1
    assert game.kinds() == {"build_road", "build_settlement", "build_city", "buy_development_card", "pass"}


@pytest.mark.rule("base.special_building.1", "base.special_building.3")
def test_whoever_cannot_pay_may_only_pass():
    game = large().game().do("end_turn")
    assert game.kinds() == {"pass"}


@pytest.mark.rule("base.special_building.1")
def test_any_number_of_purchases_then_the_next_player():
    game = settled().game().do("end_turn")
    game.do("build_road", game.path(0, 0, "SE")).do("build_settlement", game.corner("SE", 0, 0))
    game.buy("knight").do("build_road", game.path(0, 0, "SW"))
    assert game.seat == 1 and game.points(1) == 2
    assert game.do("pass").seat == 2


@pytest.mark.rule("base.special_building.1")
def test_building_keeps_its_rules_and_prices():
    game = settled().settlement(0, "S", 0, 0).game().do("end_turn")
    assert game.refuses("build_settlement", game.corner("SE", 0, 0))
    game.do("build_road", game.path(0, 0, "SE"))
    assert game.hand(1) == {**PLENTY, "lumber": 2, "brick": 2}


@pytest.mark.rule("base.victory.6")
def test_nobody_wins_in_it_but_at_the_start_of_the_own_turn():
    game = settled(2, victory_points=2).game().do("end_turn").do("pass")
    game.do("build_city", game.corner("N", 0, 0))
    assert game.points(2) == 2 and not game.over
    while game.decision == "build_specially":
        game.do("pass")
    assert not game.over
    game.roll(12).do("end_turn")
    while not game.over:
        assert game.decision == "build_specially"
        game.do("pass")
    assert game.winner == 2 and game.state["turn"] == 22


@pytest.mark.rule("base.victory.6", "base.development_cards.15")
def test_a_card_bought_in_it_is_playable_in_the_next_own_turn():
    game = large().hand(1, ore=1, wool=1, grain=1).game().do("end_turn").buy("knight")
    for _ in range(5):
        game.do("pass")
    assert (game.seat, game.decision) == (1, "pre_roll") and game.can("play_knight")


@pytest.mark.rule("base.development_cards.15")
def test_a_card_bought_long_before_the_own_turn_is_playable_then():
    game = large().hand(3, ore=1, wool=1, grain=1).game().do("end_turn").do("pass").do("pass").buy("knight")
    while (game.seat, game.decision) != (3, "pre_roll"):
        if game.decision == "pre_roll":
            game.roll(12)
        game.do("pass" if game.decision == "build_specially" else "end_turn")
    assert game.can("play_knight")


@pytest.mark.rule("base.victory.6", "base.longest_road.8")
def test_longest_road_may_change_hands_in_it():
    game = settled().road(1, (0, 0, "SE SW")).road(0, (2, -3, "NW NE E SE SW")).game()
    assert game.state["longest_road"] == 0
    game.do("end_turn").do("build_road", game.path(0, 0, "W"))
    assert game.state["longest_road"] == 0
    assert game.do("build_road", game.path(0, 0, "NW")).state["longest_road"] == 1


@pytest.mark.rule("base.special_building.1")
def test_the_player_whose_turn_ended_has_no_part_in_it():
    game = settled(seat=0).game().do("end_turn")
    seats = set()
    while game.decision == "build_specially":
        seats.add(game.seat)
        game.do("pass")
    assert seats == {1, 2, 3, 4, 5}


@pytest.mark.rule("base.special_building.1")
def test_the_next_turn_belongs_to_the_left_neighbor():
    game = large(5, 4).game().do("end_turn")
    while game.decision == "build_specially":
        game.do("pass")
    assert game.seat == 0


@pytest.mark.rule("base.special_building.1", "base.paired_players.1")
def test_the_phase_may_be_left_out():
    game = settled(extra_phase="none").game().do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("base.special_building.1", "base.paired_players.1")
def test_the_phase_is_played_unless_asked_otherwise():
    assert large().game().engine.rules["extra_phase"] == "special_building"


@pytest.mark.rule("base.special_building.1")
@pytest.mark.parametrize("num_players", [3, 4])
def test_three_and_four_players_have_no_such_phase(num_players):
    game = position("base", num_players).hand(1, **PLENTY).on_turn(0).game().do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("base.special_building.1")
def test_strict_phases_go_with_it():
    game = settled(phases="strict").on_turn(0, "build").game().do("end_turn")
    assert game.decision == "build_specially"


WITH_EXTRA_PHASE = [
    name
    for name, scenario in catan_env.scenarios().items()
    if any(number.name == "extra_phase" for module in scenario.modules for number in getattr(module, "NUMBERS", ()))
]


@pytest.mark.rule("base.special_building.1", "base.paired_players.1")
@pytest.mark.parametrize("scenario", WITH_EXTRA_PHASE)
@pytest.mark.parametrize("extra_phase", ["special_building", "paired_players", "none"])
def test_every_scenario_plays_every_extra_phase(scenario, extra_phase):
    seat, decision = {
        "special_building": (1, "build_specially"),
        "paired_players": (3, "paired_phase"),
        "none": (1, "pre_roll"),
    }[extra_phase]
    for players in catan_env.find_scenario(scenario).players:
        game = position(scenario, players, {"extra_phase": extra_phase}).on_turn(0).game().do("end_turn")
        assert (game.seat, game.decision) == (seat, decision)
