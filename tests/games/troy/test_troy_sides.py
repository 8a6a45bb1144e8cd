"""Sides and what nobody may learn of them, nor of the pool."""

import numpy as np
import pytest
from troy_positions import EAST, WEST, troy

from catan_env import BatchEngine
from catan_env.engine.declare import ALL, HIDDEN, OWNER
from catan_env.testing.positions import new_game
from tests.strategies import PLAIN_PYTHON


@pytest.mark.rule("troy.allegiance.1")
def test_two_tiles_of_each_city_are_dealt_one_to_each_player():
    game = new_game("troy")
    for seat, (city, chances) in enumerate([("troy", {"troy": 1 / 2, "mycenae": 1 / 2}), ("mycenae", None),
                                            ("troy", None), ("mycenae", {"mycenae": 1.0})]):  # fmt: skip
        assert game.decision == "side"
        assert chances is None or game.chances() == pytest.approx(chances)
        game.draw("side", city)
        assert game.state["side"][seat] == ("troy", "mycenae").index(city)
    assert game.state["side"].tolist() == [0, 1, 0, 1] and game.decision == "start_player"


@pytest.mark.rule("troy.allegiance.1")
def test_the_second_tile_of_a_city_is_less_likely():
    game = new_game("troy").draw("side", "troy")
    assert game.chances() == pytest.approx({"troy": 1 / 3, "mycenae": 2 / 3})


@pytest.mark.rule("troy.allegiance.2")
def test_everybody_sees_the_own_side_only():
    game = troy().game()
    for seat in range(4):
        row = game.observed(seat)
        assert (row["side/me/troy"], row["side/me/mycenae"]) == ((1, 0), (0, 1))[seat % 2]
        assert not any(name.startswith("side/left") for name in row)
    declared = game.engine.program.composition
    assert declared.fields["side"].visible == declared.draws["side"].visible == OWNER
    assert declared.fields["pool"].visible == HIDDEN and declared.fields["battles_won"].visible == ALL


def parts(observation):
    """An observation as arrays by name."""
    return observation if isinstance(observation, dict) else {"": observation}


def others_swapped(engine, seat):
    """The same games with two other players' sides exchanged, unlike ones."""
    twin = engine.clone()
    for side in twin.state["side"]:  # rows of the record itself
        others = [k for k in range(4) if k != seat]
        one = next(k for k in others if side[k] != side[others[0]])
        side[one], side[others[0]] = side[others[0]], side[one]
    twin.refresh()
    return twin


@pytest.mark.rule("troy.allegiance.2")
@pytest.mark.parametrize("seat", range(4))
def test_sides_of_others_show_in_no_observation_mask_reward_or_visible_point(seat):
    """Two games that differ in the others' sides alone, played on alike: until one of them ends nothing tells them
    apart, battles won included."""
    games, steps = (2, 30) if PLAIN_PYTHON else (16, 400)
    engine = BatchEngine("troy", games, seed=seat, shaping=1.0)
    engine.random_rollout(60, restart=False)
    engine.state["battles_won"] = (2, 1)
    engine.refresh()
    twin, rng = others_swapped(engine, seat), np.random.default_rng(seat)
    for step in range(steps):
        on = ~(engine.terminated | engine.truncated | twin.terminated | twin.truncated)
        assert np.array_equal(engine.seat_to_act[on], twin.seat_to_act[on])
        for encoder in ("flat", "graph", "planes") if step % 10 == 0 else ("flat",):
            one, other = (parts(each.observe(encoder, seat=seat)) for each in (engine, twin))
            assert all(np.array_equal(one[name][on], other[name][on]) for name in one if len(one[name]) == games)
        assert np.array_equal(engine.action_mask[on], twin.action_mask[on])
        assert np.array_equal(engine.visible_points[on], twin.visible_points[on])
        assert np.array_equal(engine.rewards[on], twin.rewards[on])
        assert np.array_equal(engine.victory_points[on, seat], twin.victory_points[on, seat])
        mask = engine.action_mask
        actions = np.where(mask.any(axis=1) & on, (rng.random(mask.shape) * mask).argmax(axis=1), -1)
        engine.step(actions)
        twin.step(actions)


@pytest.mark.rule("troy.allegiance.2")
def test_points_of_battles_are_their_supporters_secret():
    game = troy(wins=(3, 1)).settlement(0, *WEST).settlement(1, *EAST).game()
    assert [game.visible_points(seat) for seat in range(4)] == [1, 1, 0, 0]
    assert [game.points(seat) for seat in range(4)] == [4, 2, 3, 1]
    for seat in range(4):
        row = game.observed(seat)
        assert row["own_points"] == game.points(seat)
        assert [row[f"visible_points/{who}"] for who in ("me", "left_1", "left_2", "left_3")] == [
            game.visible_points((seat + k) % 4) for k in range(4)
        ]


@pytest.mark.rule("troy.donations.4")
@pytest.mark.parametrize("ships", [[], [(2, 1), (3, 1), (4, 1), (3, 0), (4, 0), (2, 2)]])
def test_what_lies_in_the_pool_shows_in_no_observation_mask_reward_or_visible_point(ships):
    """With the ships that trade with the pool as well."""

    def table(**cards):
        return troy(pool=cards, ships={0: ships}).hand(0, ore=2, brick=1).hand(1, lumber=2, grain=2, brick=1).game()

    engines = [table(ore=2, wool=2).engine, table(ore=2, wool=2).engine]
    state = engines[1].state  # the pool and another's hand exchange cards: the bank is seen
    state["pool"][0], state["hands"][0, 1] = (2, 1, 0, 1, 0), (0, 0, 2, 1, 2)
    engines[1].refresh()
    assert not engines[1].broken_invariants()
    for seat in (0, 2, 3):
        for encoder in ("flat", "graph", "planes"):
            one, other = (parts(each.observe(encoder, seat=seat)) for each in engines)
            assert all(np.array_equal(one[name], other[name]) for name in one)
    one, other = engines
    assert np.array_equal(one.action_mask, other.action_mask)
    assert np.array_equal(one.visible_points, other.visible_points)
    assert np.array_equal(one.victory_points, other.victory_points)
    action = one.actions.id("donate", "ore")
    for each in engines:
        each.step(np.array([action]))
    assert np.array_equal(one.rewards, other.rewards) and np.array_equal(one.action_mask, other.action_mask)


@pytest.mark.rule("troy.allegiance.3")
def test_worlds_that_a_seat_imagines_keep_to_the_tiles_and_to_the_size_of_the_pool():
    game = troy(pool={"ore": 3, "brick": 2}).hand(1, wool=3).hand(0, grain=2).game()
    worlds = game.engine.determinise(0, 0, 400)
    assert (worlds["side"][:, 0] == 0).all() and (worlds["side"].sum(axis=1) == 2).all()
    assert np.abs((worlds["side"][:, 1:] == 0).mean(axis=0) - 1 / 3).max() < 0.1
    assert (worlds["pool"].sum(axis=1) == 5).all() and (worlds["hands"][:, 1].sum(axis=1) == 3).all()
    assert abs(worlds["pool"][:, 2].mean() - 5 * 3 / 8) < 0.2
