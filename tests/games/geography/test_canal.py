"""The Erie Canal: tokens for joining sites, 2:1 trade for the rest of the turn, tokens in trades with players."""

import pytest
from geography_positions import Land, country_of, layout

from catan_env import BatchEngine, find_scenario
from catan_env.board import load_map
from catan_env.testing.positions import new_game

country = country_of(find_scenario("erie_canal").modules)
ROAD = {"lumber": 1, "brick": 1}


def build(country, game, *roads):
    """The seat to act builds these roads."""
    for road in roads:
        game.do("build_road", Land(country).path(road))
    return game


def start(country, towns=(), roads=(), builds=1, seat=0, **rules):
    """A position of the seat to act, with the price of some roads."""
    place = layout(country, towns, roads, **rules).on_turn(seat)
    for _ in range(builds):
        place.hand(seat, **ROAD)
    return place


def tokens(game):
    return game.state["canal_tokens"][:3].tolist()


# -- earning -----------------------------------------------------------------------------------------------


@pytest.mark.rule("geography.canal_tokens.2")
def test_two_canal_sites_joined_bring_a_token(country):
    game = build(country, start(country, roads=[(0, "kay-r")]).game(), "r-lund")
    assert tokens(game) == [1, 0, 0] and game.state["canal_bank"] == 11


@pytest.mark.rule("geography.canal_tokens.4")
def test_a_longer_way_over_a_crossing_joins_them_too(country):
    game = build(country, start(country, roads=[(0, "v-kay")]).game(), "v-lund")
    assert tokens(game) == [1, 0, 0]


@pytest.mark.rule("geography.canal_tokens.4")
def test_not_over_a_crossing_that_is_a_site(country):
    roads = [(0, "v-kay")]
    place = start(country, [(0, "v")], roads, crossings="sites")
    assert tokens(build(country, place.game(), "v-lund")) == [0, 0, 0]


@pytest.mark.rule("geography.canal_tokens.2")
def test_no_way_joins_through_another_site(country):
    place = start(country, [(0, "lund")], [(0, "kay-r r-lund lund-s")])
    game = build(country, place.game(), "s-moor")
    assert tokens(game) == [1, 0, 0], "lund and moor; kay and moor are joined through lund alone"


@pytest.mark.rule("geography.canal_tokens.3")
def test_any_two_sites_past_a_third_bring_a_token(country):
    game = build(country, start(country, roads=[(0, "kay-r r-s")]).game(), "s-moor")
    assert tokens(game) == [1, 0, 0]


@pytest.mark.rule("geography.canal_tokens.3")
def test_or_only_neighbors_if_the_rules_say_so(country):
    game = build(country, start(country, roads=[(0, "kay-r r-s")], canal_pairs="neighbors").game(), "s-moor")
    assert tokens(game) == [0, 0, 0]


@pytest.mark.rule("geography.canal_tokens.2")
def test_a_road_that_joins_several_pairs_brings_as_many_tokens(country):
    game = build(country, start(country, roads=[(0, "kay-r r-s s-moor")]).game(), "r-lund")
    assert tokens(game) == [2, 0, 0], "kay and moor were joined before the game began"


@pytest.mark.rule("geography.canal_tokens.5")
def test_what_stands_on_the_sites_does_not_matter(country):
    place = start(country, [(1, "kay"), (2, "lund")], [(1, "alba-kay"), (2, "v-lund"), (0, "r-s")], builds=2)
    assert tokens(build(country, place.game(), "kay-r", "r-lund")) == [1, 0, 0]


@pytest.mark.rule("geography.canal_tokens.6")
def test_a_pair_pays_each_player_once(country):
    place = start(country, [(0, "kay")], [(0, "kay-r v-kay")], builds=2)
    game = build(country, place.game(), "r-lund", "v-lund")
    assert tokens(game) == [1, 0, 0]
    place = start(country, [(2, "kay")], [(1, "kay-r r-lund"), (2, "v-kay")], seat=2)
    assert tokens(build(country, place.game(), "v-lund")) == [0, 0, 1]


@pytest.mark.rule("geography.canal_tokens.7")
def test_pairs_joined_in_the_initial_placement_bring_nothing(country):
    land, game = Land(country), new_game(country, 3, start_player="seat_0").draw("start_player", 0)
    for town, road in (("brig", "brig-q"), ("dell", "dell-x"), ("lund", "r-lund"), ("kay", "kay-r")):
        game.do("build_settlement", land.at(town)).do("build_road", land.path(road))
    assert game.state["canal_joined"][2].any() and not game.state["canal_tokens"].any()


@pytest.mark.rule("geography.canal_tokens.7")
def test_a_pair_that_begins_joined_brings_nothing_later(country):
    place = start(country, [(0, "kay")], [(0, "kay-r r-lund v-kay")])
    game = place.game()
    assert tokens(game) == [0, 0, 0] and tokens(build(country, game, "v-lund")) == [0, 0, 0]


@pytest.mark.rule("geography.canal_tokens.8")
def test_an_empty_bank_gives_none(country):
    game = build(country, start(country, roads=[(0, "kay-r")], tokens_of_canal=0).game(), "r-lund")
    assert tokens(game) == [0, 0, 0]


@pytest.mark.rule("geography.canal_tokens.2")
def test_free_roads_join_as_well(country):
    place = layout(country, roads=[(0, "kay-r")]).cards(0, road_building=1).on_turn(0)
    game = build(country, place.game().do("play_road_building"), "r-lund")
    assert tokens(game) == [1, 0, 0]


@pytest.mark.rule("geography.canal_tokens.1")
def test_twelve_tokens_and_the_sites_of_the_canal():
    canal = load_map("new_york").source["canal"]
    for name in ("erie_canal", "erie_canal_5_6"):
        engine = BatchEngine(name, 1)
        assert engine.state["canal_bank"][0] == canal["tokens"] == 12
        sites = engine.topology.marks["canal_site"].places
        assert [engine.topology.intersection_keys[k][0] for k in sites] == canal["sites_west_to_east"]


# -- playing -----------------------------------------------------------------------------------------------


def with_tokens(country, *held, **rules):
    """A position in which seats hold so many tokens."""
    place = layout(country, roads=[(0, "alba-p"), (1, "q-w")], **rules).on_turn(0)
    row = [*held, *[0] * (4 - len(held))]
    return place.field("canal_tokens", row).field("canal_bank", rules.get("tokens_of_canal", 12) - sum(held))


@pytest.mark.rule("geography.canal_trade.1")
def test_a_token_trades_its_kind_two_for_one_as_often_as_one_likes(country):
    game = with_tokens(country, 1).hand(0, wool=5, ore=3).game()
    game.do("play_canal_token", "wool")
    assert tokens(game) == [0, 0, 0]
    assert {name.split()[0] for name in game.legal("trade_with_bank")} == {"wool"}, "other kinds as before"
    game.do("trade_with_bank", "wool for 1 brick").do("trade_with_bank", "wool for 1 lumber")
    assert game.state["hands"][0].tolist() == [1, 1, 1, 0, 3]


@pytest.mark.rule("geography.canal_trade.3")
def test_at_the_end_of_the_turn_it_goes_back_to_the_bank(country):
    game = with_tokens(country, 1).hand(0, wool=4).hand(1, wool=3).game().do("play_canal_token", "wool")
    assert game.state["canal_bank"] == 11
    game.do("end_turn")
    assert game.state["canal_bank"] == 12 and not game.state["canal_trade"].any()
    game.roll(3)
    assert game.seat == 1 and not game.can("trade_with_bank")


@pytest.mark.rule("geography.canal_trade.2")
def test_several_tokens_may_be_played_in_a_turn(country):
    game = with_tokens(country, 2).hand(0, wool=2, ore=2).game()
    game.do("play_canal_token", "wool").do("play_canal_token", "ore")
    assert {name.split()[0] for name in game.legal("trade_with_bank")} == {"wool", "ore"}
    assert not game.can("play_canal_token")


@pytest.mark.rule("geography.canal_trade.2")
def test_not_for_a_kind_that_is_traded_so_already(country):
    place = layout(country, roads=[(0, "q-cove")]).on_turn(0).field("canal_tokens", [2, 0, 0, 0])
    game = place.field("canal_bank", 10).game()
    assert game.legal("play_canal_token") == ["lumber", "brick", "grain", "ore"]
    game.do("play_canal_token", "ore")
    assert game.legal("play_canal_token") == ["lumber", "brick", "grain"]


@pytest.mark.rule("geography.canal_trade.1")
def test_without_a_token_or_before_the_roll_none_is_played(country):
    assert not with_tokens(country, 0, 2).game().can("play_canal_token")
    assert not with_tokens(country, 1).on_turn(0, "pre_roll").game().can("play_canal_token")


@pytest.mark.rule("geography.canal_trade.1")
def test_in_the_strict_order_tokens_are_played_in_the_trade_phase(country):
    place = with_tokens(country, 1, phases="strict")
    assert place.on_turn(0, "trade").game().can("play_canal_token")
    assert not place.on_turn(0, "build").game().can("play_canal_token")


@pytest.mark.rule("geography.canal_trade.3")
def test_a_partner_s_token_goes_back_too():
    place = layout("erie_canal_5_6", players=5, extra_phase="paired_players").hand(3, wool=2).on_turn(0)
    row = [0, 0, 0, 1, 0, 0]
    game = place.field("canal_tokens", row).field("canal_bank", 11).game().do("end_turn")
    assert game.seat == 3
    game.do("play_canal_token", "wool").do("trade_with_bank", "wool for 1 ore").do("end_turn")
    assert game.seat == 1 and game.state["canal_bank"] == 12 and not game.state["canal_trade"].any()


# -- trading with players ----------------------------------------------------------------------------------


@pytest.mark.rule("geography.canal_tokens.9")
def test_a_token_is_traded_for_resources(country):
    game = with_tokens(country, 1, 0).hand(1, ore=2).game().do("make_offer")
    assert game.legal("offer_card") == ["canal_token"]
    game.do("offer_card", "canal_token").do("ask_card", "ore").do("submit_offer").do("accept").do("confirm", 0)
    assert tokens(game) == [0, 1, 0]
    assert game.state["hands"][:2, 4].tolist() == [1, 1]


@pytest.mark.rule("geography.canal_tokens.9")
def test_a_token_is_asked_for_where_somebody_has_one(country):
    game = with_tokens(country, 0, 1).hand(0, wool=1).hand(2, wool=1).game().do("make_offer").do("offer_card", "wool")
    game.do("ask_card", "canal_token")
    assert not game.can("ask_card", "canal_token"), "nobody has two"
    game.do("submit_offer")
    assert game.seat == 1 and game.can("accept")
    game.do("accept")
    assert game.seat == 2 and not game.can("accept"), "who has no token"
    game.do("decline").do("confirm", 0)
    assert tokens(game) == [1, 0, 0] and game.state["hands"][1, 2] == 1


@pytest.mark.rule("geography.canal_tokens.9")
def test_nobody_asks_for_tokens_that_nobody_has(country):
    game = with_tokens(country, 1, 0).hand(1, wool=1).game().do("make_offer")
    assert not game.can("ask_card", "canal_token")


@pytest.mark.rule("geography.canal_tokens.9")
def test_never_for_nothing_nor_for_itself(country):
    game = with_tokens(country, 1, 1).game().do("make_offer").do("offer_card", "canal_token")
    assert not game.can("submit_offer") and not game.can("ask_card")


@pytest.mark.rule("geography.canal_tokens.9")
def test_a_counter_offer_may_ask_for_a_token(country):
    game = with_tokens(country, 1, 0).hand(0, wool=1).hand(1, ore=1).hand(2, ore=1).game().do("make_offer")
    game.do("offer_card", "wool").do("ask_card", "ore").do("submit_offer").do("counter")
    game.do("offer_card", "ore").do("ask_card", "canal_token")
    assert not game.can("ask_card", "canal_token")
    game.do("submit_offer").do("decline").do("confirm", 0)
    assert tokens(game) == [0, 1, 0] and game.state["hands"][0].tolist() == [0, 0, 1, 0, 1]


@pytest.mark.rule("geography.canal_tokens.9")
def test_a_token_bought_is_played_at_once(country):
    game = with_tokens(country, 0, 1).hand(0, wool=1, ore=2).game().do("make_offer").do("offer_card", "wool")
    game.do("ask_card", "canal_token").do("submit_offer").do("accept").do("confirm", 0)
    game.do("play_canal_token", "ore").do("trade_with_bank", "ore for 1 wool")
    assert game.state["hands"][0].tolist() == [0, 0, 1, 0, 0]


@pytest.mark.rule("geography.canal_trade.4")
@pytest.mark.parametrize("scenario", ["new_york", "erie_canal"])
def test_only_the_canal_adds_tokens_to_what_is_traded(scenario):
    engine = BatchEngine(scenario, 1)
    names = list(engine.actions.argument_names("ask_card"))
    assert names == ["lumber", "brick", "wool", "grain", "ore"] + ["canal_token"] * (scenario == "erie_canal")
