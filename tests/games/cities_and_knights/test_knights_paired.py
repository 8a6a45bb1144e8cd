"""Cities & Knights for five and six: paired players."""

import pytest
from knight_positions import KnightPosition

PLENTY = {"lumber": 4, "brick": 4, "wool": 4, "grain": 4, "ore": 4, "paper": 4, "cloth": 4, "coin": 4}
CARDS = ("alchemy", "mining", "merchant")


def large(num_players=6, **rules):
    return KnightPosition("cities_and_knights_5_6", num_players, rules)


def partner(**rules):
    """Seat 3 is the partner of seat 0 and could do anything."""
    place = large(**rules).city(3, "N", 0, 0).road(3, (0, 0, "NE E")).knight(3, "NE", 0, 0, active=True)
    return place.hand(3, **PLENTY).progress(3, *CARDS).hand(1, wool=1)


def guard(**rules):
    """Seat 3 has an inactive knight, a grain, and somewhere to go."""
    place = large(**rules).settlement(3, "N", 0, 0).road(3, (0, 0, "NE E")).knight(3, "NE", 0, 0)
    return place.hand(3, grain=1)


@pytest.mark.rule("cities_and_knights.paired_players.1")
@pytest.mark.parametrize("num_players, seat", [(6, 0), (6, 4), (5, 0), (5, 3)])
def test_the_third_player_to_the_left_gets_an_action_phase(num_players, seat):
    game = large(num_players).on_turn(seat).game().do("end_turn")
    assert (game.seat, game.decision) == ((seat + 3) % num_players, "paired_phase")
    game.do("end_turn")
    assert (game.seat, game.decision) == ((seat + 1) % num_players, "pre_roll")


@pytest.mark.rule("cities_and_knights.paired_players.1")
def test_the_partner_does_everything_but_roll_play_alchemy_and_trade_with_players():
    own = partner().on_turn(3).game().kinds()
    paired = partner().on_turn(0).game().do("end_turn").kinds()
    assert own - paired == {"make_offer"} and paired <= own
    assert {"trade_with_bank", "improve", "build_wall", "recruit_knight", "take_knight", "play_merchant"} <= paired
    assert partner().on_turn(3, "pre_roll").game().can("play_alchemy") and "play_alchemy" not in paired


@pytest.mark.rule("cities_and_knights.paired_players.1")
def test_a_knight_activated_in_the_paired_phase_acts_in_the_next_own_phase():
    game = guard().on_turn(0).game().do("end_turn")
    game.do("activate_knight", game.corner("NE", 0, 0))
    assert game.refuses("take_knight", game.corner("NE", 0, 0))
    game.do("end_turn")
    for seat in (1, 2):
        assert game.seat == seat
        game.roll(6, 6).do("end_turn").do("end_turn")
    assert game.seat == 3 and game.roll(6, 6).can("take_knight", game.corner("NE", 0, 0))


@pytest.mark.rule("cities_and_knights.paired_players.1")
def test_a_knight_activated_in_the_own_turn_acts_in_the_paired_phase():
    game = guard().on_turn(3).game()
    game.do("activate_knight", game.corner("NE", 0, 0)).do("end_turn").do("end_turn")
    for seat in (4, 5):
        assert game.seat == seat
        game.roll(6, 6).do("end_turn").do("end_turn")
    game.roll(6, 6).do("end_turn")
    assert (game.seat, game.decision) == (3, "paired_phase") and game.can("take_knight", game.corner("NE", 0, 0))


@pytest.mark.rule("cities_and_knights.paired_players.1")
def test_what_a_card_allows_for_a_turn_ends_with_the_paired_phase():
    place = partner().progress(3, "merchant_fleet", "commercial_harbor").hand(0, coin=1).on_turn(0)
    game = place.game().do("end_turn").do("play_merchant_fleet", "ore").do("play_commercial_harbor")
    game.do("trade_with_bank", "ore for 1 wool").do("offer_at_harbor", game.opponent(0)).do("give_openly", "ore")
    assert game.seat == 0
    game.do("give_openly", "coin")
    assert game.seat == 3 and game.state["fleet"].any()
    game.do("end_turn")
    assert not game.state["fleet"].any() and not game.state["harbor_offers"].any()


@pytest.mark.rule("cities_and_knights.paired_players.2")
def test_the_partner_s_limit_of_cards_is_checked_at_the_end_of_the_phase():
    place = large().progress(3, "espionage", "mining", "merchant", "merchant", "crane").progress(0, "irrigation")
    game = place.progress(0, "smithing", "smithing", "medicine", "medicine").on_turn(0).game().do("end_turn")
    game.do("discard_progress", "smithing")
    assert (game.seat, game.decision) == (3, "paired_phase")
    game.do("play_espionage", game.opponent(0)).do("take_progress", "irrigation")
    assert game.decision == "paired_phase" and sum(game.held(3).values()) == 5
    game.do("end_turn")
    assert (game.seat, game.decision) == (3, "leave_progress")
    game.do("discard_progress", "irrigation")
    assert (game.seat, game.decision) == (1, "pre_roll") and game.held(3) == {"mining": 1, "merchant": 2, "crane": 1}


@pytest.mark.rule("cities_and_knights.paired_players.3")
def test_a_card_drawn_in_the_roll_of_the_same_turn_is_kept_until_then():
    place = large().levels(3, science=1).levels(2, science=1).progress(3, "mining", "merchant", "merchant", "crane")
    place = place.progress(2, "irrigation", "trade_monopoly", "merchant", "merchant").on_turn(0, "pre_roll")
    game = place.game().roll(1, 1, "science").draw("draw_progress", "crane")
    assert (game.seat, game.decision) == (2, "leave_progress"), "no phase of this turn is this player's"
    game.do("discard_progress", "crane").draw("draw_progress", "medicine").produce()
    assert (game.seat, game.decision) == (0, "play") and sum(game.held(3).values()) == 5
    game.do("end_turn").do("end_turn")
    assert (game.seat, game.decision) == (3, "leave_progress")


@pytest.mark.rule("cities_and_knights.paired_players.3")
def test_in_special_building_a_card_too_many_is_put_back_at_once():
    place = large(extra_phase="special_building").levels(3, science=1).on_turn(0, "pre_roll")
    game = place.progress(3, "mining", "merchant", "merchant", "crane").game().roll(1, 1, "science")
    game.draw("draw_progress", "crane")
    assert (game.seat, game.decision) == (3, "leave_progress")


@pytest.mark.rule("base.paired_players.4")
def test_the_partner_wins_in_the_own_phase():
    game = partner(victory_points=3).on_turn(0).game().do("end_turn")
    assert game.do("play_merchant", game.legal("play_merchant")[0]).winner == 3


@pytest.mark.rule("cities_and_knights.knight_actions.7")
@pytest.mark.parametrize(
    "extra_phase, seat, decision",
    [("paired_players", 3, "paired_phase"), ("special_building", 1, "build_specially"), ("none", 1, "pre_roll")],
)
def test_every_extra_phase_is_played(extra_phase, seat, decision):
    game = large(extra_phase=extra_phase).on_turn(0).game().do("end_turn")
    assert (game.seat, game.decision) == (seat, decision)


def test_paired_players_is_the_rule_unless_another_is_asked_for():
    assert large().on_turn(0).build().rules["extra_phase"] == "paired_players"


@pytest.mark.rule("cities_and_knights.commodities.2")
def test_the_bank_has_eighteen_cards_of_each_commodity():
    assert large().on_turn(0).game().bank()["paper"] == 18
