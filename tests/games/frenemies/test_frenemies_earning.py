"""Frenemies: favor tokens for harmless robbers and for gifts."""

import pytest

from catan_env.testing.positions import new_game
from tests.games.frenemies.favor_positions import favors, frenemies, numbers_held, receives

DESERT = (0, 0)


def knight(place, seat=0):
    """`seat` has just played a knight; the robber stands off the desert."""
    return place.robber(-2, 0).cards(seat, knight=1).on_turn(seat).game().do("play_knight")


def to(game, q, r):
    """Moves the robber."""
    return game.do("move_robber", game.hex(q, r))


def earns_nothing(game):
    return game.decision == "play" and sum(numbers_held(game)) == 0


# -- the robber ----------------------------------------------------------------------------------------------


@pytest.mark.rule("frenemies.favor_robber.1")
def test_a_robber_moved_to_a_hex_without_buildings_earns_a_token():
    game = knight(frenemies().settlement(1, "N", 0, 0).hand(1, ore=1))
    receives(to(game, 1, 1), (0, "scholars"))
    assert numbers_held(game) == [1, 0, 0, 0] and game.decision == "play"


@pytest.mark.rule("frenemies.favor_robber.1")
def test_so_does_one_moved_for_a_seven():
    game = frenemies().robber(-2, 0).on_turn(2, "pre_roll").game().roll(7)
    receives(to(game, 1, 1), (2, "traders"))


@pytest.mark.rule("frenemies.favor_robber.1")
def test_and_one_moved_before_the_roll():
    game = frenemies().robber(-2, 0).cards(0, knight=1).on_turn(0, "pre_roll").game().do("play_knight")
    receives(to(game, 1, 1), (0, "traders"))
    assert game.decision == "pre_roll"


@pytest.mark.rule("frenemies.favor_robber.2")
def test_a_hex_with_own_buildings_only_earns_nothing():
    assert earns_nothing(to(knight(frenemies().settlement(0, "N", 1, 1)), 1, 1))


@pytest.mark.rule("frenemies.favor_robber.4")
def test_a_theft_earns_nothing_and_cannot_be_forgone_outside_the_desert():
    game = to(knight(frenemies().settlement(1, "N", 1, 1).hand(1, ore=1)), 1, 1)
    assert game.decision == "theft"
    assert earns_nothing(game.theft("ore"))
    game = to(knight(frenemies().settlement(1, "N", 1, 1).settlement(2, "S", 1, 1)), 1, 1)
    assert game.kinds() == {"steal"} and game.refuses("forgo_theft")


@pytest.mark.rule("frenemies.favor_robber.4")
def test_a_victim_without_cards_is_still_harmed():
    assert earns_nothing(to(knight(frenemies().settlement(1, "N", 1, 1)), 1, 1))


@pytest.mark.rule("frenemies.favor_robber.3")
def test_a_theft_forgone_at_the_desert_earns_a_token():
    game = to(knight(frenemies().settlement(1, "N", *DESERT).hand(1, ore=1)), *DESERT)
    assert game.decision == "choose_victim" and game.kinds() == {"steal", "forgo_theft"}
    receives(game.do("forgo_theft"), (0, "merchants"))
    assert game.hand(1) == {"ore": 1} and game.decision == "play"


@pytest.mark.rule("frenemies.favor_robber.4")
def test_a_theft_at_the_desert_earns_nothing():
    game = to(knight(frenemies().settlement(1, "N", *DESERT).hand(1, ore=1)), *DESERT)
    assert earns_nothing(game.do("steal", game.opponent(1)).theft("ore"))
    assert game.hand(0) == {"ore": 1}


@pytest.mark.rule("frenemies.favor_robber.3")
def test_with_several_victims_at_the_desert_one_is_chosen_or_none():
    place = frenemies().settlement(1, "N", *DESERT).settlement(2, "S", *DESERT).hand(2, ore=1)
    game = to(knight(place), *DESERT)
    assert game.legal("steal") == [game.opponent(1), game.opponent(2)] and game.can("forgo_theft")
    assert earns_nothing(game.do("steal", game.opponent(2)).theft("ore"))


@pytest.mark.rule("frenemies.favor_robber.1")
def test_a_desert_without_buildings_earns_a_token_at_once():
    receives(to(knight(frenemies()), *DESERT), (0, "traders"))


@pytest.mark.rule("frenemies.favor_robber.5")
def test_a_desert_with_own_buildings_only_earns_nothing():
    assert earns_nothing(to(knight(frenemies().settlement(0, "N", *DESERT)), *DESERT))


@pytest.mark.rule("frenemies.favor_robber.3")
def test_own_buildings_do_not_matter_where_others_are_spared():
    place = frenemies().settlement(0, "N", *DESERT).settlement(1, "S", *DESERT).hand(1, ore=1)
    receives(to(knight(place), *DESERT).do("forgo_theft"), (0, "traders"))


@pytest.mark.rule("frenemies.favor_robber.3")
def test_either_desert_of_the_large_board_will_do():
    place = frenemies(6)
    deserts = [hex for hex, terrain in enumerate(place.on_turn(0).build().state["terrain"][0]) if terrain == 5]
    assert len(deserts) == 2
    for hex in deserts:
        engine = frenemies(6).on_turn(0).build()
        corner = int(engine.topology.hex_intersections[hex, 0])
        robber = int(engine.topology.hex_neighbors[hex].max())
        place = frenemies(6).piece(1, 3, corner).hand(3, ore=1).field("robber", robber).cards(0, knight=1)
        game = place.on_turn(0).game().do("play_knight").do("move_robber", hex)
        receives(game.do("forgo_theft"), (0, "traders"))


# -- gifts ---------------------------------------------------------------------------------------------------


def giver(place=None):
    """Seat 0 at its turn with an ore and a wool."""
    return (place or frenemies()).hand(0, ore=1, wool=1).on_turn(0)


def offer(game, seat, card):
    return game.do("offer_gift", game.opponent(seat)).do("give_card", card)


@pytest.mark.rule("frenemies.favor_gifts.2")
def test_a_card_given_away_earns_a_token():
    game = offer(giver().game(), 2, "ore")
    assert (game.seat, game.decision) == (2, "answer_gift")
    assert game.kinds() == {"accept_gift", "refuse_gift"}
    receives(game.do("accept_gift"), (0, "scholars"))
    assert game.hand(0) == {"wool": 1} and game.hand(2) == {"ore": 1}
    assert (game.seat, game.decision) == (0, "play")


@pytest.mark.rule("frenemies.favor_gifts.2")
def test_the_card_on_offer_is_seen():
    game = offer(giver().game(), 2, "ore")
    seen = dict(zip(game.engine.feature_names(), game.engine.observe(seat=2)[0], strict=True))
    assert seen["argument/ore"] == 1 and seen["argument/wool"] == 0 and seen["to_act/me"] == 1


@pytest.mark.rule("frenemies.favor_gifts.2")
def test_only_cards_in_hand_are_given():
    game = giver().game().do("offer_gift", 0)
    assert game.legal("give_card") == ["wool", "ore"]
    assert frenemies().hand(1, ore=1).on_turn(0).game().refuses("offer_gift", 0)


@pytest.mark.rule("frenemies.favor_gifts.3")
def test_gifts_go_to_players_with_equal_or_fewer_visible_points():
    place = frenemies().settlement(0, "N", 0, 0).city(1, "S", 0, 0).settlement(2, "N", 1, 1).knights(3, 2)
    game = giver(place).game()
    assert [game.visible_points(seat) for seat in range(4)] == [1, 2, 1, 0]
    assert game.legal("offer_gift") == [game.opponent(2), game.opponent(3)]
    assert game.refuses("offer_gift", game.opponent(1))


@pytest.mark.rule("frenemies.favor_gifts.3")
def test_hidden_points_do_not_count_for_gifts():
    place = frenemies().settlement(0, "N", 0, 0).settlement(1, "S", 0, 0).cards(1, victory_point=2)
    assert giver(place).game().can("offer_gift", 0)
    place = frenemies().settlement(1, "S", 0, 0).cards(0, victory_point=2)
    assert giver(place).game().refuses("offer_gift", 0)


@pytest.mark.rule("frenemies.favor_gifts.4")
def test_one_gift_a_turn():
    game = offer(giver().game(), 2, "ore").do("accept_gift")
    receives(game, (0, "scholars"))
    assert all(game.refuses("offer_gift", k) for k in range(3))
    game.do("end_turn").roll(4).do("end_turn").roll(4)
    assert game.seat == 2 and game.can("offer_gift")


@pytest.mark.rule("frenemies.favor_gifts.6")
def test_after_a_refusal_others_are_asked():
    game = offer(giver().game(), 2, "ore").do("refuse_gift")
    assert numbers_held(game) == [0] * 4 and game.hand(0) == {"ore": 1, "wool": 1}
    assert game.legal("offer_gift") == [game.opponent(1), game.opponent(3)]
    game = offer(game, 3, "wool").do("refuse_gift")
    receives(offer(game, 1, "wool").do("accept_gift"), (0, "traders"))
    assert not game.can("offer_gift")


@pytest.mark.rule("frenemies.favor_gifts.6")
def test_who_has_refused_is_asked_again_in_the_next_turn():
    game = offer(giver(frenemies(3)).game(), 2, "ore").do("refuse_gift").do("end_turn")
    for _ in range(2):
        game.roll(4).do("end_turn")
    assert game.roll(4).legal("offer_gift") == [0, 1]


@pytest.mark.rule("frenemies.favor_gifts.4")
def test_no_gifts_before_the_roll():
    assert not frenemies().hand(0, ore=1).on_turn(0, "pre_roll").game().can("offer_gift")


@pytest.mark.rule("frenemies.favor_gifts.5")
def test_gifts_before_the_roll_if_asked_for():
    place = frenemies(gift_time="whole_turn").hand(0, ore=1, wool=1).on_turn(0, "pre_roll")
    receives(offer(place.game(), 1, "ore").do("accept_gift"), (0, "traders"))
    game = offer(place.game(), 1, "ore").do("refuse_gift")
    assert (game.seat, game.decision) == (0, "pre_roll")
    game.roll(12)
    assert game.legal("offer_gift") == [1, 2]  # who has refused is not asked again after the roll
    game = giver(frenemies(gift_time="whole_turn")).game()
    assert game.can("offer_gift")


@pytest.mark.rule("frenemies.favor_gifts.1")
def test_favor_tokens_are_neither_given_away_nor_traded():
    game = favors(giver(), {0: {"traders": 2}, 1: {"scholars": 2}}).game().do("offer_gift", 0)
    assert game.kinds() == {"give_card"} and game.legal("give_card") == ["wool", "ore"]
    place = favors(giver().hand(1, ore=1), {0: {"traders": 2}, 1: {"scholars": 2}})
    game = place.game().do("make_offer")
    assert game.kinds() == {"offer_card", "ask_card", "cancel_offer"} and game.legal("offer_card") == ["wool", "ore"]


@pytest.mark.rule("frenemies.favor_gifts.4")
def test_the_strict_order_of_phases_allows_gifts_after_the_roll():
    for decision in ("trade", "build"):
        receives(offer(frenemies(phases="strict").hand(0, ore=1).on_turn(0, decision).game(), 1, "ore").do(
            "accept_gift"), (0, "traders"))  # fmt: skip


@pytest.mark.rule("frenemies.favor_tokens.4")
def test_an_empty_stock_gives_no_token():
    game = favors(giver(), {1: {"traders": 1}}, stock={}).game()
    offer(game, 2, "ore").do("accept_gift")
    assert game.decision == "play" and numbers_held(game) == [0, 1, 0, 0] and game.hand(2) == {"ore": 1}
    game = knight(favors(frenemies(), {}, stock={}))
    assert earns_nothing(to(game, 1, 1))


# -- nothing else --------------------------------------------------------------------------------------------


@pytest.mark.rule("frenemies.favor_networks.8")
def test_the_initial_placement_earns_nothing():
    game = new_game("frenemies", 3, "beginner", start_player="seat_0")
    game.draw("start_player", 0)
    while game.decision.startswith("place_initial"):
        kind = "build_settlement" if game.decision == "place_initial_settlement" else "build_road"
        game.do(kind, game.legal(kind)[0])
    assert game.decision == "pre_roll" and numbers_held(game) == [0] * 3
