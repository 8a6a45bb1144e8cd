"""Sea Robbers with Cities & Knights, on the reconstructed board.

Seat 0 has a settlement at the south-east of the fields (2, 2); (2, 3) and (3, 3) are open sea, robbers lie at (4, 3).
"""

import pytest
from knight_positions import KnightPosition
from sea_positions import SeaPosition, after_initial_placement

import catan_env
from catan_env.board.terrain import RESOURCES
from catan_env.games.base import development_cards, largest_army

SCENARIO = "sea_robbers_cities_and_knights"
SHIP = {"lumber": 1, "wool": 1}
REWARDS = ("road_or_ship", "card_of_choice", "development_card", "brick_lumber", "grain_wool", "ore_grain", "brick_ore")
HIDDEN = (4, 4, 4, 1, 1, 1, 1)


class RobberPosition(KnightPosition, SeaPosition):
    """A position with knights, ships, chests and warships."""

    def chest(self, reward, dever=0):
        """Seat 0 holds a chest token."""
        token = REWARDS.index(reward)
        hidden = [number - (k == token) for k, number in enumerate(HIDDEN)]
        place = self.field("chests", [[int(k == token) for k in range(7)], *[[0] * 7] * 3])
        return place.field("chests_hidden", hidden).field("dever_uses", [dever, 0, 0, 0])

    def warship(self, seat, q, r):
        """A player's warship."""
        ships = [-1] * 49
        ships[self._topology.hex_at(q, r)] = seat
        return self.field("warship", ships)


def home(**rules):
    return RobberPosition(SCENARIO, 4, rules).settlement(0, "SE", 2, 2)


def chest_card(track="trade", card="merchant_fleet", place=None):
    """Seat 0 has redeemed a chest for a card."""
    game = (place or home()).chest("development_card").on_turn(0).game().do("redeem_chest", "development_card")
    return game.do("choose_deck", track).draw("draw_progress", card)


# -- frame -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("sea_robbers.cities_and_knights.1")
def test_fourteen_points_win_and_there_are_no_development_cards():
    scenario = catan_env.find_scenario(SCENARIO)
    assert not {development_cards, largest_army} & set(scenario.modules)
    place = home().on_turn(0, "pre_roll")
    assert not place.field("defender", [12, 0, 0, 0]).game().over
    assert place.field("defender", [13, 0, 0, 0]).game().over


@pytest.mark.rule("sea_robbers.battles.10")
def test_one_founds_a_settlement_and_a_city_and_keeps_first_ships_away_from_the_robbers():
    state = after_initial_placement(SCENARIO).state
    assert (state["cities_left"][:3] == 3).all() and state["hands"][:3].any(axis=1).all() and state["afloat"].sum() == 6


@pytest.mark.rule("sea_robbers.cities_and_knights.2")
def test_before_the_first_attack_neither_robber_nor_warship_moves():
    assert home().on_turn(1, "pre_roll").game().roll(3, 4).decision == "play"
    game = home().sailed(0, attacks=1).robber(0, 3).on_turn(1, "pre_roll").game().roll(3, 4)
    assert game.kinds() == {"move_robber", "move_warship"}


@pytest.mark.rule("sea_robbers.cities_and_knights.2")
def test_the_robber_enters_in_the_desert():
    game = home().sailed().on_turn(1, "pre_roll").game().roll(1, 2, "ship")
    assert game.state["attacks"] == 1 and game.state["robber"] == game.hex(0, 3)


# -- chests ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("sea_robbers.chest_progress.1")
def test_a_chest_brings_the_top_card_of_one_of_three_decks():
    game = home().chest("development_card").on_turn(0).game().do("redeem_chest", "development_card")
    assert game.decision == "draw_from_chest" and game.legal("choose_deck") == ["science", "trade", "politics"]
    game.do("choose_deck", "politics")
    assert set(game.chances()) <= {"diplomacy", "encouragement", "espionage", "intrigue", "sabotage", "taxation",
                                   "treason", "constitution", "wedding"}  # fmt: skip
    game.draw("draw_progress", "treason")
    assert game.decision == "play" and game.held(0) == {"treason": 1}


@pytest.mark.rule("sea_robbers.chest_progress.2")
def test_the_card_of_a_chest_is_not_played_in_this_turn_but_others_of_its_kind_are():
    assert not chest_card().can("play_merchant_fleet")
    game = chest_card(place=home().progress(0, "merchant_fleet")).do("play_merchant_fleet", "ore")
    assert game.held(0) == {"merchant_fleet": 1} and not game.can("play_merchant_fleet")
    game.do("end_turn")
    for _ in range(4):
        if game.seat != 0:
            game.roll(1, 1).do("end_turn")
    assert game.roll(1, 1).can("play_merchant_fleet")


@pytest.mark.rule("sea_robbers.chest_progress.2")
def test_a_victory_card_of_a_chest_is_put_down_at_once():
    game = chest_card("science", "printing")
    assert game.decision == "play" and game.visible_points(0) == 2 and game.held(0) == {}


@pytest.mark.rule("sea_robbers.chest_progress.1")
def test_without_a_card_in_any_deck_the_token_is_not_redeemed():
    place = home().chest("development_card").under("science").under("trade").under("politics")
    assert not place.on_turn(0).game().can("redeem_chest")
    assert place.under("trade", "merchant").on_turn(0).game().can("redeem_chest")


@pytest.mark.rule("sea_robbers.chest_progress.3")
def test_others_do_not_see_which_card_a_chest_brought_only_its_deck():
    game = chest_card(place=home().progress(0, "merchant"))
    worlds = game.engine.determinise(0, 1, 40)
    assert len({row.tobytes() for row in worlds["new_progress"][:, 0]}) > 2
    assert (worlds["new_progress"] <= worlds["progress"]).all()
    assert (worlds["new_progress_backs"][:, 0] == [0, 1, 0]).all()
    assert (game.engine.determinise(0, 0, 10)["new_progress"] == game.state["new_progress"]).all()


@pytest.mark.rule("sea_robbers.chests.7")
def test_cards_of_choice_are_resources_with_captain_dever_too():
    game = home().chest("card_of_choice", dever=2).on_turn(0).game().do("redeem_chest", "card_of_choice")
    game.do("call_dever")
    for _ in range(2):
        assert game.legal("take_card") == list(RESOURCES)
        game.do("take_card", "ore")
    assert game.hand(0) == {"ore": 2}


# -- battles and warships ----------------------------------------------------------------------------------------


@pytest.mark.rule("sea_robbers.cities_and_knights.3")
def test_after_a_battle_the_turn_ends_and_cards_too_many_are_left():
    place = home().ship(0, (3, 2, "SW"), (3, 3, "NE")).hand(0, **SHIP).progress(0, *["merchant_fleet"] * 2, "crane")
    game = place.progress(0, "smithing", "mining").on_turn(0).game()
    game.do("build_ship", game.path(3, 3, "E")).draw("battle", "2").do("take_card", "wool")
    assert game.kinds() == {"end_turn"}
    assert game.do("end_turn").decision == "leave_progress"


@pytest.mark.rule("sea_robbers.battles.12")
def test_a_ship_built_elsewhere_by_diplomacy_attacks_too():
    place = home().ship(0, (3, 2, "SW"), (3, 3, "NE"), (2, 2, "SE")).progress(0, "diplomacy")
    game = place.on_turn(0).game()
    game.do("play_diplomacy_at_sea", game.path(2, 2, "SE")).do("build_ship", game.path(3, 3, "E"))
    assert game.decision == "battle"


@pytest.mark.rule("sea_robbers.battles.11")
def test_knights_do_not_fight_sea_robbers():
    """The robbers at (4, 1) lie beside the mountains (5, 1)."""
    place = RobberPosition(SCENARIO, 4, {}).settlement(0, "N", 5, 1).road(0, (5, 1, "NW"))
    game = place.knight(0, "NW", 5, 1, active=True).on_turn(0).game()
    assert game.state["afloat"].sum() == 8 and game.kinds() == {"end_turn"}


@pytest.mark.rule("sea_robbers.warships.7")
def test_tribute_is_paid_in_resources_only():
    place = home().warship(1, 2, 3).hand(0, **SHIP, coin=2)
    assert not place.on_turn(0).game().can("build_ship", place.game().path(3, 2, "SW"))
    game = place.hand(0, ore=1).on_turn(0).game()
    game.do("build_ship", game.path(3, 2, "SW"))
    assert game.legal("pay_tribute") == ["ore"]
    assert game.do("pay_tribute", "ore").hand(1) == {"ore": 1} and game.hand(0) == {"coin": 2}


def test_who_imagines_a_payer_without_resources_sees_commodities_paid():
    """Whether there is a resource left is hidden in a hand that may hold commodities."""
    place = home().warship(1, 2, 3).hand(0, **SHIP, ore=1).hand(2, coin=5).on_turn(0)
    engine = place.game().do("build_ship", place.game().path(3, 2, "SW")).engine
    worlds = engine.clone([0] * 60)
    engine.determinise([0], 1, 60, out=worlds.state)
    worlds.refresh()
    assert worlds.action_mask.any(axis=1).all() and not worlds.broken_invariants()
    assert (worlds.state["hands"][:, 0, : len(RESOURCES)].sum(axis=1) == 0).any()


@pytest.mark.rule("sea_robbers.battles.12")
def test_a_ship_built_elsewhere_by_diplomacy_pays_tribute():
    place = home().ship(0, (3, 2, "SW"), (3, 3, "NW")).warship(1, 3, 3).progress(0, "diplomacy")
    game = place.on_turn(0).game()
    game.do("play_diplomacy_at_sea", game.path(3, 3, "NW"))
    beside = {game.path(3, 3, side) for side in ("NW", "NE", "E", "SE", "SW", "W")}
    assert game.decision == "relocate_ship" and not beside & set(game.legal("build_ship"))
    game = place.hand(0, ore=1, paper=1).on_turn(0).game()
    game.do("play_diplomacy_at_sea", game.path(3, 3, "NW")).do("build_ship", game.path(3, 3, "W"))
    assert game.decision == "owe_tribute" and game.legal("pay_tribute") == ["ore"]
