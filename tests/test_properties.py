"""What must stay true of every registered scenario, seen at every step of random play."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.declare import NOBODY, OWNER
from tests.strategies import Chooser, every_game, every_game_and_extra, look, play, play_until, quick

GAMES_AT_ONCE = 24


def restart(engine):
    engine.reset(games=engine.terminated | engine.truncated)


@every_game_and_extra
def test_invariants_and_bounds_hold_at_every_step(scenario, players):
    engine = BatchEngine(scenario, GAMES_AT_ONCE, players, seed=11)
    fields = engine._program.composition.fields.values()
    for _ in play(engine, 350, seed=1):
        assert engine.broken_invariants() == []
        for field in fields:
            values = engine.state[field.name]
            assert field.low <= values.min() and values.max() <= field.high, field.name
        restart(engine)


@every_game
def test_points_are_those_on_the_board(scenario, players):
    """Buildings, the two cards, chips and victory cards, counted from the record by the plainest means."""
    engine = BatchEngine(scenario, GAMES_AT_ONCE, players, seed=12)
    for step, _ in enumerate(play(engine, 400, seed=2)):
        if step % 10:
            continue
        state = engine.state
        for seat in range(players):
            points = (state["building"] * (state["building_owner"] == seat)).sum(1, dtype=int)
            points += 2 * (state["longest_road"] == seat) + 2 * (state["largest_army"] == seat)
            if "chips" in state.dtype.names:
                points += state["chips"][:, seat]
            np.testing.assert_array_equal(engine.visible_points[:, seat], points)
            np.testing.assert_array_equal(engine.victory_points[:, seat], points + state["cards"][:, seat, 4])
        restart(engine)


def hide(engine, viewer, rng):
    """Changes everything that a seat cannot see, keeping the totals it knows."""
    for field in engine._program.composition.fields.values():
        values = engine.state[field.name]
        if field.visible == NOBODY and field.name not in ("queue", "queue_seat", "depth", "ended", "winner"):
            values[...] = rng.permuted(values, axis=-1) if values.ndim > 1 else values
        if field.visible == OWNER:
            for other in range(engine.num_players):
                if other != viewer:
                    rows = values[:, other]
                    rows[...] = rng.permuted(rows, axis=1) if field.total else rows + rng.integers(0, 2, rows.shape)


@every_game_and_extra
def test_what_a_seat_cannot_see_changes_neither_its_observation_nor_its_mask(scenario, players):
    engine = BatchEngine(scenario, GAMES_AT_ONCE, players, seed=13)
    rng = np.random.default_rng(3)
    for _ in range(12):
        for _ in play(engine, 25, seed=int(rng.integers(1 << 30))):
            restart(engine)
        for viewer in range(players):
            other = engine.clone()
            hide(other, viewer, rng)
            other.refresh()
            for encoder in ("flat", "graph", "planes"):
                seen, changed = engine.observe(encoder, viewer), other.observe(encoder, viewer)
                parts = seen if isinstance(seen, dict) else {"": seen}
                for name, part in parts.items():
                    np.testing.assert_array_equal(part, changed[name] if name else changed)
            acting = engine.seat_to_act == viewer
            np.testing.assert_array_equal(engine.action_mask[acting], other.action_mask[acting])


@every_game
def test_random_play_ends(scenario, players):
    """All games end within the turn limit, and those cut off say so."""
    engine = BatchEngine(scenario, 64, players, seed=14)
    counts = engine.random_rollout(10**6, restart=False)
    assert counts["won"] + counts["truncated"] == 64
    assert (engine.terminated ^ engine.truncated).all()
    assert engine.terminated.sum() == counts["won"]
    assert ((engine.winner >= 0) == engine.terminated).all()
    winners = np.flatnonzero(engine.terminated)
    assert (engine.victory_points[winners, engine.winner[winners]] >= engine.rules["victory_points"]).all()
    assert (engine.seat_to_act == -2).all() and not engine.action_mask.any()


@every_game
def test_the_turn_limit_cuts_off(scenario, players):
    engine = BatchEngine(scenario, 8, players, seed=15, rules={"turn_limit": 9})
    play_until(engine, lambda: (engine.terminated | engine.truncated).all())
    assert engine.truncated.any() and (engine.state["turn"] <= 9).all()
    assert (engine.winner[engine.truncated] == -1).all() and not engine.rewards[engine.truncated].any()


@every_game
def test_snapshots_and_clones_play_on_alike(scenario, players):
    engine = BatchEngine(scenario, 8, players, seed=16, rules=quick(scenario), record=True)
    for _ in play(engine, 90, seed=4):
        pass
    saved, twin = engine.save(), engine.clone()
    again = BatchEngine(scenario, 8, players, seed=99, rules=quick(scenario), record=True)
    again.load(saved)
    choosers = [Chooser(5) for _ in range(3)]
    for _ in range(120):
        for copy, choose in zip((engine, twin, again), choosers, strict=True):
            copy.step(choose(copy))
        for copy in (twin, again):
            for name, value in look(engine).items():
                np.testing.assert_array_equal(value, look(copy)[name], err_msg=name)
    for game in range(8):
        assert engine.replay_log(game)["moves"] == twin.replay_log(game)["moves"] == again.replay_log(game)["moves"]


@pytest.mark.core
def test_a_row_of_base_random_games_by_hand():
    """A quick smoke of the whole machine for the runs without JIT and with bounds checks."""
    engine = BatchEngine("base", 6, 3, seed=17, record=True)
    for _ in play(engine, 150, seed=6):
        assert engine.broken_invariants() == []
    assert engine.observe("flat").shape == (6, len(engine.feature_names()))
