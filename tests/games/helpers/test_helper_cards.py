"""Helpers: the stack, the display, turning and exchanging."""

import numpy as np
import pytest

import catan_env
from catan_env.testing.positions import new_game
from tests.games.helpers.helper_positions import (
    NAMES,
    PLENTY,
    display,
    held,
    helper_of,
    helpers,
    holder,
    next_turn_of,
    side,
    turns,
)
from tests.strategies import play

NUMBERED = ("merchant", "mendicant", "mayor", "explorer", "general", "scholar")


def after_placement(players=4, **rules):
    """A game after initial placement, and the seats in the order of their second settlements."""
    game = new_game("helpers" if players < 5 else "helpers_5_6", players, start_player="seat_0", **rules)
    rng, order = np.random.default_rng(1), []
    while game.state["turn"] == 0:
        mask = game.engine.action_mask[0] if game.seat >= 0 else game.engine.chance_mask[0]
        before = game.state["settlements_left"].copy()
        game.engine.step(rng.choice(np.flatnonzero(mask), 1))
        order += np.flatnonzero((before == 4) & (game.state["settlements_left"] == 3)).tolist()
    return game, order


@pytest.mark.rule("helpers.helper_cards.1", "helpers.helper_cards.2")
def test_the_scenario_is_the_base_game_and_new_modules():
    for name, base in (("helpers", "base"), ("helpers_5_6", "base_5_6")):
        modules = catan_env.find_scenario(base).modules
        assert catan_env.find_scenario(name).modules[: len(modules)] == modules
    assert len(NAMES) == 10 and NAMES[:6] == NUMBERED
    assert NAMES[6:] == ("robber_bride", "captain", "priest", "noblewoman")


@pytest.mark.rule("helpers.helper_cards.2", "helpers.helper_cards.3")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_who_places_the_second_settlement_takes_the_top_card(players):
    game, order = after_placement(players)
    assert order == [*range(players)][::-1]
    assert [helper_of(game, seat) for seat in order] == [*NUMBERED[:players]]
    assert all(side(game, seat) == "A" for seat in order)


@pytest.mark.rule("helpers.helper_cards.6")
def test_all_other_cards_go_into_the_display():
    game, order = after_placement(4)
    assert display(game) == {"general", "scholar", "robber_bride", "captain", "priest", "noblewoman"}


@pytest.mark.rule("helpers.helper_cards.3")
def test_the_first_card_comes_with_the_second_settlement():
    game = new_game("helpers", 4, start_player="seat_0", board="beginner").draw("start_player", 0)
    assert game.decision == "place_initial_settlement"
    for _ in range(8):
        number = 5 - game.state["settlements_left"][game.seat]
        seat = game.seat
        assert helper_of(game, seat) is None
        game.do("build_settlement", game.legal("build_settlement")[0])
        assert (helper_of(game, seat) is not None) == (number == 1)
        game.do("build_road", game.legal("build_road")[0])


@pytest.mark.rule("helpers.helper_cards.3")
def test_with_printed_pieces_everybody_has_a_helper_too():
    game = new_game("helpers", 4, board="beginner", initial_placement="printed", start_player="seat_0").draw(
        "start_player", 0
    )
    assert sorted(helper_of(game, seat) for seat in range(4)) == sorted(NUMBERED[:4])


@pytest.mark.rule("helpers.helper_cards.4")
def test_the_first_card_may_be_one_of_choice():
    game = new_game("helpers", 3, start_player="seat_0", board="beginner", first_helper="chosen")
    game.draw("start_player", 0)
    chosen = iter(("noblewoman", "merchant", "captain"))
    taken = set()
    while game.state["turn"] == 0:
        if game.decision == "choose_first_helper":
            assert set(game.legal("take_helper")) == set(NAMES) - taken and game.kinds() == {"take_helper"}
            taken.add(name := next(chosen))
            seat = game.seat
            game.do("take_helper", name)
            assert helper_of(game, seat) == name and not game.state["helper_resting"].any()
        else:
            kind = min(game.kinds())
            game.do(kind, game.legal(kind)[0])
    assert taken == {"noblewoman", "merchant", "captain"}


@pytest.mark.rule("helpers.helper_cards.5")
def test_helpers_out_of_play_are_neither_dealt_nor_taken():
    in_play = [0, 1, 1, 1, 1, 1, 0, 1, 1, 1]
    game, order = after_placement(3, helpers_in_play=in_play)
    assert [helper_of(game, seat) for seat in order] == ["mendicant", "mayor", "explorer"]
    place = helpers(3, helpers_in_play=in_play).settlement(0, "N", 0, 0).road(0, (0, 0, "NE")).hand(0, **PLENTY)
    game = held(place, captain=0).on_turn(0).game().do("hire_captain", "ore")
    assert set(game.legal("take_helper")) == set(NAMES) - {"captain", "merchant", "robber_bride"}


@pytest.mark.rule("helpers.helper_use.6")
def test_without_another_card_the_used_one_is_turned_back():
    place = helpers(3, helpers_in_play=[0] * 7 + [1, 0, 0]).settlement(0, "N", 0, 0).road(0, (0, 0, "NE"))
    game = held(place.hand(0, **PLENTY), captain=0, turned=("captain",)).on_turn(0).game().do("hire_captain", "ore")
    assert game.kinds() == {"turn_helper"}
    turns(game)
    assert side(game, 0) == "A" and helper_of(game, 0) == "captain"


@pytest.mark.rule("helpers.helper_cards.8")
def test_the_first_card_is_usable_from_the_first_turn():
    game, order = after_placement(3)
    assert not game.state["helper_resting"].any()


# -- turning and exchanging ----------------------------------------------------------------------------------


@pytest.mark.rule("helpers.helper_use.1", "helpers.helper_use.5")
def test_after_the_first_use_a_helper_is_turned_or_exchanged():
    game = holder("captain").game().do("hire_captain", "ore")
    assert game.decision == "part_with_helper" and game.kinds() == {"turn_helper", "take_helper"}
    assert set(game.legal("take_helper")) == set(NAMES) - {"captain"}
    turns(game)
    assert side(game, 0) == "B" and helper_of(game, 0) == "captain"


@pytest.mark.rule("helpers.helper_use.2")
def test_an_exchanged_helper_goes_into_the_display_and_another_comes_a_side_up():
    game = holder("captain", others={"priest": 2}).game().do("hire_captain", "ore")
    assert "priest" not in game.legal("take_helper")
    game.do("take_helper", "scholar")
    assert helper_of(game, 0) == "scholar" and side(game, 0) == "A"
    assert display(game) == set(NAMES) - {"scholar", "priest"}


@pytest.mark.rule("helpers.helper_use.4", "helpers.helper_use.5")
def test_after_the_second_use_a_helper_must_be_exchanged_a_side_up():
    game = holder("captain", turned=True).game().do("hire_captain", "ore")
    assert game.kinds() == {"take_helper"} and not game.can("take_helper", "captain")
    game.do("take_helper", "mayor")
    assert side(game, 0) == "A"


@pytest.mark.rule("helpers.helper_use.7")
def test_no_helper_is_used_twice_in_a_turn():
    game = turns(holder("captain").game().do("hire_captain", "ore"))
    assert not game.can("hire_captain")


@pytest.mark.rule("helpers.helper_use.3")
def test_a_turned_helper_is_used_again_in_a_later_turn():
    game = turns(holder("captain").game().do("hire_captain", "ore"))
    next_turn_of(game, 0).roll(12)
    assert game.can("hire_captain")
    game.do("hire_captain", "wool")
    assert game.kinds() == {"take_helper"}


@pytest.mark.rule("helpers.helper_use.8")
def test_no_helper_is_used_in_the_turn_in_which_it_was_received():
    game = holder("captain", hand={**PLENTY, "ore": 4}).game().do("hire_captain", "ore").do("take_helper", "mendicant")
    assert not game.can("beg_road")
    next_turn_of(game, 0).roll(12)
    assert game.can("beg_road")


@pytest.mark.rule("helpers.helper_use.8")
def test_one_received_before_the_roll_does_not_serve_at_it():
    game = holder("robber_bride", decision="pre_roll").robber(0, -1).game()
    game.do("lure_robber", game.legal("lure_robber")[0]).do("take_helper", "general")
    game.roll(7)
    assert game.decision == "discard" and game.seat == 0
    assert helper_of(game, 0) == "general" and side(game, 0) == "A"


@pytest.mark.rule("helpers.helper_use.9")
def test_no_helper_is_exchanged_without_having_been_used():
    for turned in (False, True):
        game = holder("noblewoman", turned=turned).game()
        assert not {"take_helper", "turn_helper"} & game.kinds()


@pytest.mark.rule("helpers.helper_use.10")
def test_no_helper_serves_in_the_special_building_phase():
    hand = {**PLENTY, "ore": 3}
    for helper in ("mendicant", "explorer", "scholar", "priest", "captain", "merchant", "noblewoman", "robber_bride"):
        place = helpers(6).settlement(1, "N", 0, 0).road(1, (0, 0, "NE")).hand(1, **hand).hand(0, wool=1)
        game = held(place.knights(1, 1), **{helper: 1}).on_turn(0).game().do("end_turn")
        assert game.decision == "build_specially" and game.seat == 1
        assert game.kinds() <= {"build_road", "build_settlement", "build_city", "buy_development_card", "pass"}


@pytest.mark.rule("helpers.captain.1")
def test_no_helper_serves_in_the_phase_of_paired_players():
    place = helpers(6, extra_phase="paired_players").settlement(3, "N", 0, 0).road(3, (0, 0, "NE")).hand(3, **PLENTY)
    game = held(place, captain=3).on_turn(0).game().do("end_turn")
    assert game.decision == "paired_phase" and game.seat == 3
    assert not game.can("hire_captain") and not game.can("trade_with_bank")


@pytest.mark.rule("helpers.captain.2")
def test_in_the_strict_order_helpers_trade_first_and_build_later():
    kinds = {"captain": ("hire_captain", "trade"), "mendicant": ("beg_road", "build")}
    for helper, (kind, decision) in kinds.items():
        for phase in ("trade", "build"):
            game = holder(helper, decision=phase, rules={"phases": "strict"}).game()
            assert game.can(kind) == (phase == decision)


@pytest.mark.rule("helpers.helper_cards.7")
@pytest.mark.parametrize("players", [3, 4, 6])
def test_everybody_has_exactly_one_helper_all_game_long(players):
    engine = catan_env.BatchEngine("helpers" if players < 5 else "helpers_5_6", 4, players, seed=2)
    turned = 0
    for _ in play(engine, 400, seed=4):
        state = engine.state
        for seat in range(players):
            assert (state["helpers_held"][:, seat].sum(axis=1) == 1)[state["turn"] > 0].all()
        turned += int(state["helper_turned"].sum())
    assert turned > 0
