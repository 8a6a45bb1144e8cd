"""Certificates on red road spaces."""

import pytest
from geography_positions import Land, country, layout

from catan_env.engine.arrays import as_records
from catan_env.engine.program import program_of
from catan_env.games.base.network import ROAD, take_edge_piece
from catan_env.testing.positions import new_game

__all__ = ["country"]
RESOURCES = ["lumber", "brick", "wool", "grain", "ore"]


def rates(game, seat=0):
    return game.state["trade_rate"][seat].tolist()


def build(country, game, road):
    return game.do("build_road", Land(country).path(road))


@pytest.mark.rule("geography.certificates.1")
def test_a_road_on_a_red_space_trades_three_for_one(country):
    place = layout(country, roads=[(0, "alba-p")]).hand(0, lumber=1, brick=1, wool=3).on_turn(0)
    game = place.game()
    assert not game.can("trade_with_bank")
    build(country, game, "p-brig")
    assert rates(game) == [3] * 5
    assert set(game.legal("trade_with_bank")) == {f"wool for 1 {other}" for other in RESOURCES if other != "wool"}
    game.do("trade_with_bank", "wool for 1 ore")
    assert game.state["hands"][0].tolist() == [0, 0, 0, 0, 1]


@pytest.mark.rule("geography.certificates.1")
def test_or_two_of_its_kind_for_one(country):
    place = layout(country, [(0, "cove")], [(0, "cove-dell")]).hand(0, lumber=1, brick=1, wool=2).on_turn(0)
    game = build(country, place.game(), "q-cove")
    assert rates(game) == [4, 4, 2, 4, 4]
    game.do("trade_with_bank", "wool for 1 brick")
    assert game.state["hands"][0].tolist() == [0, 1, 0, 0, 0]


@pytest.mark.rule("geography.certificates.2")
def test_the_better_of_two_certificates_counts(country):
    place = layout(country, roads=[(0, "q-cove p-brig v-w")]).on_turn(0)
    assert rates(place.game()) == [3, 3, 2, 3, 2]


@pytest.mark.rule("geography.certificates.1")
def test_only_its_owner_trades_there_and_a_town_beside_it_does_not_count(country):
    place = layout(country, [(1, "brig")], [(0, "p-brig")]).on_turn(0)
    game = place.game()
    assert rates(game) == [3] * 5 and rates(game, 1) == [4] * 5


@pytest.mark.rule("geography.certificates.1")
def test_a_road_of_the_initial_placement_counts(country):
    land, game = Land(country), new_game(country, 3, start_player="seat_0").draw("start_player", 0)
    game.do("build_settlement", land.at("brig")).do("build_road", land.path("p-brig"))
    assert rates(game) == [3] * 5


def take(states, all_params, seat, path):
    take_edge_piece(states[0], all_params[0], seat, ROAD, path)


@pytest.mark.rule("geography.certificates.3")
def test_a_road_that_is_gone_takes_its_certificate_with_it(country):
    engine = layout(country, roads=[(0, "q-cove p-brig")]).on_turn(0).build()
    program = program_of(engine.scenario)
    records = as_records(engine.state), as_records(program.params(engine.rules, engine.scenario.board))
    program.kernel(take)(*records, 0, Land(country).path("p-brig"))
    assert engine.state["trade_rate"][0, 0].tolist() == [4, 4, 2, 4, 4]


@pytest.mark.rule("geography.certificates.4")
def test_observations_show_what_each_certificate_trades(country):
    game = layout(country).on_turn(0).game()
    seen = dict(zip(game.engine.feature_names(), game.engine.observe(seat=1)[0], strict=True))
    roads = game.engine.topology.path_keys
    for k, path in enumerate(game.engine.topology.marks["certificate"].places):
        kind = {"p-brig": 0, "q-cove": 3, "v-w": 5}[roads[path][0]]
        assert round(float(seen[f"certificate/certificate_{k}"]) * 5) == kind
