"""Trade between players."""

import pytest

from catan_env.testing.positions import position


def market(num_players=3, decision="play", **rules):
    """Seat 0 on turn with lumber and brick, the others with ore and wool."""
    place = position("base", num_players, rules).hand(0, lumber=3, brick=1)
    for seat in range(1, num_players):
        place.hand(seat, ore=1, wool=1)
    return place.on_turn(0, decision)


def draft(game, give, ask):
    """Lays out an offer or counter-offer, names separated by spaces, and submits it."""
    for kind, names in (("offer_card", give), ("ask_card", ask)):
        for name in names.split():
            game.do(kind, name)
    return game.do("submit_offer")


def offer(game, give, ask):
    return draft(game.do("make_offer"), give, ask)


# -- making an offer -----------------------------------------------------------------------------------------


@pytest.mark.rule("base.player_trade.1")
def test_an_offer_that_is_accepted_and_confirmed_changes_hands():
    game = offer(market().game(), "lumber lumber brick", "ore wool")
    assert (game.seat, game.kinds()) == (1, {"accept", "decline", "counter"})
    game.do("accept").do("decline")
    assert game.hand(0) == {"lumber": 3, "brick": 1}  # nothing changes hands before it is confirmed
    game.do("confirm", game.opponent(1))
    assert [game.hand(seat) for seat in range(3)] == [
        {"lumber": 1, "wool": 1, "ore": 1}, {"lumber": 2, "brick": 1}, {"wool": 1, "ore": 1},
    ]  # fmt: skip
    assert (game.seat, game.decision) == (0, "play")


@pytest.mark.rule("base.player_trade.2")
def test_an_offer_needs_cards_on_both_sides():
    game = market().game().do("make_offer")
    assert game.refuses("submit_offer")
    game.do("offer_card", "lumber")
    assert game.refuses("submit_offer")  # a gift
    game.do("ask_card", "ore")
    assert game.can("submit_offer")
    game = market().game().do("make_offer").do("ask_card", "ore")
    assert game.refuses("submit_offer")  # a request for a gift


@pytest.mark.rule("base.player_trade.2", "base.player_trade.3")
def test_no_kind_stands_on_both_sides():
    game = market().hand(0, ore=1).game().do("make_offer").do("offer_card", "lumber")
    assert game.refuses("ask_card", "lumber")
    game.do("ask_card", "ore")
    assert game.refuses("offer_card", "ore")


@pytest.mark.rule("base.player_trade.1")
def test_only_own_cards_are_offered():
    game = market().game().do("make_offer")
    assert game.legal("offer_card") == ["lumber", "brick"]
    game.do("offer_card", "brick")
    assert game.legal("offer_card") == ["lumber"]


@pytest.mark.rule("base.player_trade.9")
def test_no_more_is_asked_for_than_somebody_could_hold():
    game = market().hand(2, grain=1).game().do("make_offer")
    for name in ("grain", "ore", "ore"):
        game.do("ask_card", name)
    assert not game.can("ask_card")


@pytest.mark.rule("base.player_trade.4")
def test_development_cards_pieces_and_favors_are_not_traded():
    game = market().cards(0, knight=1).game().do("make_offer")
    assert game.kinds() == {"offer_card", "ask_card", "cancel_offer"}
    assert set(game.legal("offer_card")) <= {"lumber", "brick", "wool", "grain", "ore"}


@pytest.mark.rule("base.player_trade.8")
def test_an_offer_being_made_may_be_dropped():
    game = market().game().do("make_offer").do("offer_card", "lumber").do("cancel_offer")
    assert (game.seat, game.decision) == (0, "play") and game.hand(0) == {"lumber": 3, "brick": 1}
    game.do("make_offer")
    assert game.refuses("submit_offer")  # the next one starts empty


@pytest.mark.rule("base.player_trade.9")
def test_offers_in_a_turn_are_limited():
    game = market(offers_per_turn=2).game()
    game.do("make_offer").do("cancel_offer")
    offer(game, "lumber", "ore").do("decline").do("decline")
    assert game.refuses("make_offer")
    game.do("end_turn").roll(12)
    assert game.seat == 1 and game.can("make_offer")


@pytest.mark.rule("base.player_trade.10")
@pytest.mark.parametrize("rules, left", [({}, 1), ({"offers_counted": "without_trade"}, 2)])
def test_offers_that_end_in_a_trade_count_unless_asked_otherwise(rules, left):
    game = offer(market(offers_per_turn=2, **rules).game(), "lumber", "ore").do("accept").do("accept")
    assert game.do("confirm", 0).state["offers_left"] == left
    offer(game, "lumber", "wool").do("counter")
    draft(game, "wool", "brick").do("decline")
    assert game.do("confirm", 0).state["offers_left"] == 2 * left - 2


@pytest.mark.rule("base.player_trade.10")
def test_offers_without_a_trade_count_whatever_is_asked():
    game = market(offers_per_turn=2, offers_counted="without_trade").game().do("make_offer").do("cancel_offer")
    offer(game, "lumber", "ore").do("accept").do("decline").do("withdraw")
    assert game.refuses("make_offer")


@pytest.mark.rule("base.player_trade.9")
def test_three_offers_in_a_turn_unless_asked_for():
    assert market().game().engine.rules["offers_per_turn"] == 3


@pytest.mark.rule("base.player_trade.9")
def test_who_has_no_cards_makes_no_offer():
    assert position("base", 3).hand(1, ore=2).on_turn(0).game().refuses("make_offer")


@pytest.mark.rule("base.player_trade.9")
def test_no_offer_if_nobody_else_has_cards():
    assert position("base", 3).hand(0, ore=2).on_turn(0).game().refuses("make_offer")


@pytest.mark.rule("base.player_trade.5")
def test_nobody_offers_before_the_roll():
    assert market(decision="pre_roll").game().refuses("make_offer")


@pytest.mark.rule("base.player_trade.5")
def test_offers_belong_to_the_strict_trade_phase():
    game = market(decision="trade", phases="strict").game()
    offer(game, "lumber", "ore").do("accept").do("decline").do("confirm", game.opponent(1))
    assert game.hand(0)["ore"] == 1
    assert game.do("end_trade").refuses("make_offer")


# -- answering -----------------------------------------------------------------------------------------------


@pytest.mark.rule("base.player_trade.6")
def test_others_answer_in_seat_order():
    place = position("base", 4).on_turn(2)
    for seat in range(4):
        place.hand(seat, **{("lumber", "ore")[seat != 2]: 1})
    game = offer(place.game(), "lumber", "ore")
    asked = []
    while game.decision == "answer_offer":
        asked.append(game.seat)
        game.do("accept")
    assert asked == [3, 0, 1] and (game.seat, game.decision) == (2, "choose_partner")


@pytest.mark.rule("base.player_trade.6")
def test_only_who_holds_the_cards_can_accept():
    game = offer(market().game(), "lumber", "ore ore")
    assert game.refuses("accept") and game.kinds() == {"decline", "counter"}


@pytest.mark.rule("base.player_trade.6")
def test_who_has_no_cards_is_not_asked():
    game = position("base", 4).hand(0, lumber=1).hand(2, ore=1).on_turn(0).game()
    assert offer(game, "lumber", "ore").seat == 2
    game.do("accept")
    assert game.decision == "choose_partner"


@pytest.mark.rule("base.player_trade.6")
def test_if_nobody_is_willing_the_offer_falls():
    game = offer(market().game(), "lumber", "ore").do("decline").do("decline")
    assert (game.seat, game.decision) == (0, "play") and game.hand(0) == {"lumber": 3, "brick": 1}


@pytest.mark.rule("base.player_trade.6")
def test_if_the_last_asked_declines_those_without_cards_are_not_waited_for():
    game = position("base", 4).hand(0, lumber=1).hand(1, ore=1).on_turn(0).game()
    assert offer(game, "lumber", "ore").do("decline").decision == "play"


@pytest.mark.rule("base.player_trade.1")
def test_the_player_on_turn_chooses_among_those_willing():
    game = offer(market(4).game(), "lumber", "ore").do("accept").do("decline").do("accept")
    assert [game.can("confirm", game.opponent(seat)) for seat in (1, 2, 3)] == [True, False, True]
    game.do("confirm", game.opponent(3))
    assert game.hand(3) == {"lumber": 1, "wool": 1} and game.hand(1) == {"wool": 1, "ore": 1}


@pytest.mark.rule("base.player_trade.8")
def test_the_player_on_turn_may_withdraw():
    game = offer(market().game(), "lumber", "ore").do("accept").do("accept")
    assert game.kinds() == {"confirm", "withdraw"}
    game.do("withdraw")
    assert game.decision == "play" and game.hand(0) == {"lumber": 3, "brick": 1} and game.hand(1)["ore"] == 1


@pytest.mark.rule("base.player_trade.1")
def test_after_a_trade_the_turn_goes_on():
    game = offer(market().game(), "lumber", "ore").do("accept").do("decline").do("confirm", 0)
    assert game.can("make_offer") and game.can("end_turn")


# -- counter-offers ------------------------------------------------------------------------------------------


@pytest.mark.rule("base.player_trade.7")
def test_a_counter_offer_is_confirmed_on_its_own_terms():
    game = offer(market().game(), "lumber", "ore").do("counter")
    assert (game.seat, game.kinds()) == (1, {"offer_card", "ask_card", "cancel_offer"})
    draft(game, "ore", "lumber brick").do("decline")
    assert game.seat == 0 and game.kinds() == {"confirm", "withdraw"}
    game.do("confirm", game.opponent(1))
    assert game.hand(0) == {"lumber": 2, "ore": 1} and game.hand(1) == {"lumber": 1, "brick": 1, "wool": 1}


@pytest.mark.rule("base.player_trade.7")
def test_a_counter_offer_keeps_the_same_rules():
    game = offer(market().game(), "lumber", "ore").do("counter")
    assert game.legal("offer_card") == ["wool", "ore"]
    game.do("offer_card", "ore")
    assert game.refuses("ask_card", "ore") and game.refuses("submit_offer")
    for _ in range(4):
        game.do("ask_card", "grain")
    assert not game.can("ask_card")  # seat 0 holds four cards


@pytest.mark.rule("base.player_trade.7")
def test_a_counter_offer_that_cannot_be_met_is_not_confirmed():
    game = draft(offer(market().game(), "lumber", "ore").do("counter"), "ore", "grain").do("accept")
    assert not game.can("confirm", game.opponent(1)) and game.can("confirm", game.opponent(2))


@pytest.mark.rule("base.player_trade.7")
def test_dropping_a_counter_offer_declines():
    game = offer(market().game(), "lumber", "ore").do("counter").do("offer_card", "ore").do("cancel_offer")
    assert (game.seat, game.decision) == (2, "answer_offer")
    assert game.do("decline").decision == "play"


@pytest.mark.rule("base.player_trade.7")
def test_the_player_on_turn_chooses_between_acceptance_and_counter_offers():
    game = offer(market(4).game(), "lumber", "ore").do("accept").do("counter")
    draft(game, "ore wool", "lumber").do("decline")
    assert [game.can("confirm", game.opponent(seat)) for seat in (1, 2, 3)] == [True, True, False]
    game.do("confirm", game.opponent(2))
    assert game.hand(0) == {"lumber": 2, "brick": 1, "wool": 1, "ore": 1} and game.hand(2) == {"lumber": 1}


@pytest.mark.rule("base.player_trade.7")
def test_counter_offers_of_two_players_are_kept_apart():
    game = offer(market().game(), "lumber", "ore").do("counter")
    draft(game, "ore", "lumber lumber").do("counter")
    draft(game, "wool", "brick").do("confirm", game.opponent(1))
    assert game.hand(0) == {"lumber": 1, "brick": 1, "ore": 1} and game.hand(2) == {"wool": 1, "ore": 1}


# -- with whom -----------------------------------------------------------------------------------------------


@pytest.mark.rule("base.player_trade.5")
def test_trade_is_only_with_the_player_on_turn():
    game = market().hand(1, grain=1).game().do("make_offer")
    draft(game, "lumber", "grain").do("accept")
    assert game.seat == 2 and game.kinds() == {"decline", "counter"}
    draft(game.do("counter"), "ore", "grain")  # which seat 1 has, but seat 0 has not
    assert [game.can("confirm", game.opponent(seat)) for seat in (1, 2)] == [True, False]
    game.do("confirm", game.opponent(1))
    assert game.hand(2) == {"wool": 1, "ore": 1}


@pytest.mark.rule("base.player_trade.1")
def test_two_players_may_trade():
    game = offer(position("base", 2).hand(0, lumber=1).hand(1, ore=1).on_turn(0).game(), "lumber", "ore").do("accept")
    assert game.do("confirm", 0).hand(0) == {"ore": 1}


@pytest.mark.rule("base.player_trade.9")
def test_a_withdrawn_offer_counts_too():
    game = market(offers_per_turn=1).game()
    offer(game, "lumber", "ore").do("accept").do("decline").do("withdraw")
    assert game.refuses("make_offer")
