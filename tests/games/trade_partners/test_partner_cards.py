"""Cards of partners: production, trade, theft, the seven.

Colors 2 and 3 are the partners of seats 0 and 1. On the beginner board N of (2, 0) touches the mountains with the 8,
the hills with the 10 and the sea; S of (0, -2) has three hexes.
"""

import pytest

from catan_env.testing.positions import position

KINDS = ("lumber", "brick", "wool", "grain", "ore")


def table(decision="play", **rules):
    return position("trade_partners", rules=rules).on_turn(0, decision)


# -- production --------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.partners.2")
@pytest.mark.parametrize("seat", [0, 1])
def test_partners_produce_on_every_roll_like_players(seat):
    game = (
        position("trade_partners").settlement(2, "N", 2, 0).city(3, "S", 2, 0).on_turn(seat, "pre_roll").game()
    ).roll(8)  # fmt: skip
    assert game.hand(2) == {"ore": 1} and game.hand(3) == {"ore": 2}


@pytest.mark.rule("trade_partners.partners.2", "trade_partners.partners.8")
def test_the_robber_blocks_the_production_of_partners():
    game = table("pre_roll").settlement(2, "N", 2, 0).robber(2, 0).game().roll(8)
    assert game.hand(2) == {}


@pytest.mark.rule("trade_partners.partners.3")
def test_partners_are_claimants_when_the_bank_is_short():
    game = table("pre_roll").settlement(0, "N", 2, 0).settlement(2, "S", 2, 0).bank(1, ore=1).game().roll(8)
    assert game.hand(0) == game.hand(2) == {} and game.bank()["ore"] == 1
    game = table("pre_roll").city(2, "S", 2, 0).bank(1, ore=1).game().roll(8)
    assert game.hand(2) == {"ore": 1}


# -- buying ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.partner_trade.1", "trade_partners.partner_trade.2")
@pytest.mark.parametrize("price", [("wool", "grain"), ("wool", "wool")])
def test_any_card_of_the_own_partner_costs_any_two_that_the_partner_gets(price):
    game = table().hand(0, wool=2, grain=1).hand(2, ore=1, brick=2).game()
    assert game.legal("buy_from_partner") == ["brick", "ore"]
    game.do("buy_from_partner", "ore")
    assert game.decision == "pay_for_card" and game.kinds() == {"pay_partner"}
    for card in price:
        assert game.hand(0).get("ore") is None
        game.do("pay_partner", card)
    assert (game.seat, game.decision) == (0, "play") and game.hand(0)["ore"] == 1
    assert sum(game.hand(0).values()) == 2 and sum(game.hand(2).values()) == 4 and "ore" not in game.hand(2)


@pytest.mark.rule("trade_partners.partner_trade.2")
def test_the_price_can_go_to_the_bank():
    game = table(payment_to="bank").hand(0, wool=2).hand(2, ore=1).game()
    game.do("buy_from_partner", "ore").do("pay_partner", "wool").do("pay_partner", "wool")
    assert game.hand(0) == {"ore": 1} and game.hand(2) == {} and game.bank()["wool"] == 19


@pytest.mark.rule("trade_partners.partner_trade.1")
def test_another_price_can_be_set():
    game = table(partner_price=3).hand(0, wool=2, grain=1).hand(2, ore=1).game().do("buy_from_partner", "ore")
    row = game.observed(0)
    assert row["waiting/pay_for_card"] == 2 and row["argument/ore"] == 1 and row["argument/wool"] == 0
    for card in ("wool", "wool", "grain"):
        game.do("pay_partner", card)
    assert game.hand(0) == {"ore": 1}


@pytest.mark.rule("trade_partners.partner_trade.4")
def test_one_pays_with_what_one_holds_the_wanted_kind_as_well():
    game = table().hand(0, wool=1, ore=1).hand(2, ore=1).game().do("buy_from_partner", "ore")
    assert game.legal("pay_partner") == ["wool", "ore"]
    game.do("pay_partner", "ore").do("pay_partner", "wool")
    assert game.hand(0) == {"ore": 1} and game.hand(2) == {"wool": 1, "ore": 1}


@pytest.mark.rule("trade_partners.partner_trade.1")
def test_a_single_card_buys_nothing():
    assert not table().hand(0, wool=1).hand(2, ore=1).game().can("buy_from_partner")


@pytest.mark.rule("trade_partners.partner_trade.3")
def test_cards_are_bought_as_long_as_the_partner_has_any():
    game = table().hand(0, wool=5).hand(2, ore=2).game()
    for _ in range(2):
        game.do("buy_from_partner", "ore").do("pay_partner", "wool").do("pay_partner", "wool")
    assert game.hand(0) == {"wool": 1, "ore": 2} and game.legal("buy_from_partner") == ["wool"]


@pytest.mark.rule("trade_partners.partner_trade.5")
def test_nobody_buys_of_another_player_s_partner():
    assert not table().hand(0, wool=4).hand(3, ore=4).game().can("buy_from_partner")


@pytest.mark.rule("trade_partners.partner_trade.3")
def test_nothing_is_bought_before_the_roll_nor_in_the_build_phase():
    assert not table("pre_roll").hand(0, wool=4).hand(2, ore=4).game().can("buy_from_partner")
    game = table("trade", phases="strict").hand(0, wool=4).hand(2, ore=4).game()
    assert game.can("buy_from_partner") and not game.do("end_trade").can("buy_from_partner")


@pytest.mark.rule("trade_partners.partners.1", "trade_partners.partner_trade.5")
def test_partners_take_no_part_in_trade_among_players():
    assert not table().hand(0, wool=4).hand(2, ore=4).hand(3, ore=4).game().can("make_offer")
    game = table().hand(0, wool=4).hand(1, ore=1).hand(3, ore=4).game().do("make_offer")
    for action, card in (("offer_card", "wool"), ("ask_card", "ore")):
        game.do(action, card)
    assert game.do("submit_offer").seat == 1


# -- harbors -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.partners.7")
def test_a_player_trades_at_the_harbors_of_the_own_partner():
    game = table().settlement(2, "NW", -2, 1).hand(0, brick=2).game()
    game.do("trade_with_bank", "brick for 1 ore")
    assert game.hand(0) == {"ore": 1}


@pytest.mark.rule("trade_partners.partners.7")
def test_the_better_of_both_rates_counts():
    game = table().settlement(2, "N", 0, -2).settlement(0, "NW", -2, 1).hand(0, brick=2, wool=3).game()
    assert {pair.split()[0] for pair in game.legal("trade_with_bank")} == {"brick", "wool"}


@pytest.mark.rule("trade_partners.partners.7")
def test_nobody_trades_at_the_harbors_of_another_s_partner():
    assert not table().settlement(3, "NW", -2, 1).hand(0, brick=2).game().can("trade_with_bank")


@pytest.mark.rule("trade_partners.partners.7")
def test_a_partner_s_cards_are_not_traded_with_the_bank():
    assert not table().hand(2, brick=9).game().can("trade_with_bank")


# -- robber and seven --------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.partners.9")
def test_a_seven_takes_all_cards_of_all_partners_before_anybody_discards():
    game = table("pre_roll").hand(0, wool=8).hand(1, grain=7).hand(2, ore=3).hand(3, brick=9, ore=1).game().roll(7)
    assert (game.seat, game.decision) == (0, "discard")
    assert game.hand(2) == game.hand(3) == {} and game.bank()["brick"] == 19
    for _ in range(4):
        game.do("discard_card", "wool")
    assert game.decision == "place_robber" and game.hand(1) == {"grain": 7}


@pytest.mark.rule("trade_partners.partners.10")
def test_a_knight_takes_nothing_from_partners():
    game = table().cards(0, knight=1).settlement(3, "N", 2, 0).hand(3, ore=3).game().do("play_knight")
    game.do("move_robber", game.hex(2, 0))
    assert (game.seat, game.decision) == (0, "play") and game.hand(3) == {"ore": 3}


@pytest.mark.rule("trade_partners.partners.8")
def test_the_robber_may_go_where_only_partners_are_and_steals_from_players_only():
    game = table("pre_roll").settlement(3, "N", 2, 0).settlement(1, "S", 2, 0).hand(1, wool=1).game().roll(7)
    assert game.can("move_robber", game.hex(2, -1))  # color 3 alone
    game.do("move_robber", game.hex(2, 0))
    assert game.decision == "theft" and set(game.chances()) == {"wool"}


@pytest.mark.rule("trade_partners.partners.11")
def test_monopoly_does_not_touch_partners():
    game = table().cards(0, monopoly=1).hand(1, ore=2).hand(2, ore=3).hand(3, ore=4).game()
    game.do("play_monopoly", "ore")
    assert game.hand(0) == {"ore": 2} and game.hand(2) == {"ore": 3} and game.hand(3) == {"ore": 4}
