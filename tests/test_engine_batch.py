"""A batch of N games equals N single games, for any batch size, thread count, JIT setting and chance mode."""

import warnings

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.decision_stack import CHANCE
from tests.strategies import (
    LARGEST,
    PLAIN_PYTHON,
    Chooser,
    assert_same,
    every_game,
    every_game_and_optional_rule,
    every_scenario,
    fields_of,
    look,
    over,
    play,
    play_on,
    quick,
    trajectory,
)

STEPS = 60 if PLAIN_PYTHON else 250


@pytest.mark.core
@every_game_and_optional_rule
def test_a_batch_is_its_single_games(scenario, players):
    batch = BatchEngine(scenario, 3, players, seed=7)
    singles = [BatchEngine(scenario, 1, players, seed=[seed]) for seed in batch.seeds]
    for actions in play(batch, STEPS, seed=1):
        for game, single in enumerate(singles):
            single.step(actions[game : game + 1])
            assert_same(look(batch, slice(game, game + 1)), look(single))


@every_game
def test_the_first_games_do_not_depend_on_the_size_of_the_batch(scenario, players):
    small, large = BatchEngine(scenario, 2, players, seed=5), BatchEngine(scenario, 9, players, seed=5)
    for actions in play(large, 40, seed=2):
        small.step(actions[:2])
    assert_same(look(small), look(large, slice(2)))


@over(LARGEST[::11])  # threads need a separate program, which takes twice as long to compile
def test_threads_change_nothing(scenario, players, threads=2):
    one = BatchEngine(scenario, 7, players, seed=3, record=True)
    many = BatchEngine(scenario, 7, players, seed=3, record=True, threads=threads)
    for actions in play(one, 40, seed=4):
        many.step(actions)
        assert_same(look(one), look(many))
    assert [one.replay_log(i) for i in range(7)] == [many.replay_log(i) for i in range(7)]
    assert np.array_equal(one.observe("flat"), many.observe("flat"))
    for restart in (False, True):
        assert one.random_rollout(300, restart) == many.random_rollout(300, restart)
        assert_same(look(one), look(many))
    one.reset(), many.reset()
    assert_same(look(one), look(many))


@every_game
def test_a_rollout_of_a_batch_is_its_single_rollouts(scenario, players):
    batch = BatchEngine(scenario, 3, players, seed=7, rules=quick(scenario))
    singles = [BatchEngine(scenario, 1, players, seed=[seed], rules=quick(scenario)) for seed in batch.seeds]
    counts = batch.random_rollout(2000)
    parts = [single.random_rollout(2000) for single in singles]
    assert counts == {key: sum(part[key] for part in parts) for key in counts}
    assert counts["won"] + counts["truncated"] > 0
    for game, single in enumerate(singles):
        assert_same(look(batch, slice(game, game + 1)), look(single))


@every_game
def test_a_rollout_may_be_split(scenario, players):
    whole, parts = (BatchEngine(scenario, 2, players, seed=7) for _ in range(2))
    counts = [parts.random_rollout(steps) for steps in (1, 70, 0, 129)]
    assert whole.random_rollout(200) == {key: sum(part[key] for part in counts) for key in counts[0]}
    assert_same(look(whole), look(parts))


@pytest.mark.core
@every_game_and_optional_rule
def test_sampled_chance_equals_explicit_chance_given_its_outcomes(scenario, players):
    sampled = BatchEngine(scenario, 2, players, seed=9, record=True)
    explicit = BatchEngine(scenario, 2, players, seed=1, chance="explicit", record=True)
    seen = [0, 0]
    choose = Chooser(3)
    for _ in range(STEPS):
        moves, paid = [sampled.replay_log(game)["moves"] for game in (0, 1)], explicit.rewards.copy()
        while (explicit.seat_to_act == CHANCE).any():
            outcomes = np.full(2, -1)
            for game in np.flatnonzero(explicit.seat_to_act == CHANCE):
                kind, argument, who = moves[game][seen[game]]
                assert who == "chance"
                outcomes[game] = explicit.outcomes.id(kind, argument)
                seen[game] += 1
            explicit.step(outcomes)
            paid += explicit.rewards
        assert_same(look(sampled, rng=False), look(explicit, rng=False), except_for=("rewards",))
        assert np.array_equal(sampled.rewards, paid)
        actions = choose(sampled)
        sampled.step(actions)
        explicit.step(actions)
        seen = [length + (actions[game] >= 0) for game, length in enumerate(seen)]


@pytest.mark.skipif(PLAIN_PYTHON, reason="compares with plain Python from the compiled side")
@every_game
def test_plain_python_plays_the_same(scenario, players):
    """Compare the whole trajectory: actions, masks, seats, every field, and the rollout."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as overflow, which compiled code does not report
        plain = trajectory(scenario, players, 2, 250, 11, compiled=False)
    compiled = trajectory(scenario, players, 2, 250, 11)
    assert len(plain) == len(compiled)
    step = next((k for k, (one, other) in enumerate(zip(plain, compiled, strict=True)) if one != other), None)
    assert step is None, f"plain Python and compiled code part at step {step}"


# -- seeds and resets ------------------------------------------------------------------------------------------


@every_game
def test_the_same_seed_is_the_same_game_and_another_is_not(scenario, players):
    one, same, other = (play_on(BatchEngine(scenario, 2, players, seed=s), 30, seed=1) for s in (4, 4, 5))
    assert_same(look(one), look(same))
    assert any(not np.array_equal(one.state[name][0], one.state[name][1]) for name in fields_of(one, rng=False))
    assert any(not np.array_equal(one.state[name], other.state[name]) for name in fields_of(one, rng=False))


@every_scenario
def test_reset_with_a_seed_is_a_new_engine(scenario, players):
    engine = play_on(BatchEngine(scenario, 3, players, seed=1, record=True), 30)
    fresh = BatchEngine(scenario, 3, players, seed=2, record=True)
    engine.reset(2)
    assert_same(look(engine), look(fresh))
    assert np.array_equal(engine.seeds, fresh.seeds)
    assert engine.replay_log(1) == fresh.replay_log(1)
    engine.reset([10, 2**64 - 1, 5])
    assert engine.seeds.tolist() == [10, 2**64 - 1, 5]
    assert_same(look(engine), look(BatchEngine(scenario, 3, players, seed=[10, 2**64 - 1, 5])))


@every_scenario
@pytest.mark.parametrize("games", [[1, 3], np.array([3, 1]), np.array([False, True, False, True, False])])
def test_reset_of_some_games_leaves_the_others_alone(scenario, players, games):
    engine = play_on(BatchEngine(scenario, 5, players, seed=1, record=True), 60)
    kept, others = np.array([0, 2, 4]), np.array([1, 3])
    before, logs = look(engine, kept), [engine.replay_log(i) for i in kept]
    engine.reset(games=games)
    assert_same(before, look(engine, kept))
    assert [engine.replay_log(i) for i in kept] == logs
    assert (engine.state["depth"][others] > 0).all()
    fresh = play_on(BatchEngine(scenario, 5, players, seed=1, record=True), 60)
    fresh.reset()  # continues the same random streams
    assert_same(look(engine, others), look(fresh, others))
    assert not np.array_equal(engine.state["rng"][1], BatchEngine(scenario, 5, players, seed=1).state["rng"][1])


@every_scenario
def test_reset_of_some_games_with_seeds(scenario, players):
    engine = play_on(BatchEngine(scenario, 4, players, seed=1), 30)
    engine.reset(seed=[100, 101], games=[1, 2])
    assert_same(look(engine, slice(1, 3)), look(BatchEngine(scenario, 2, players, seed=[100, 101])))
    engine.reset(seed=8, games=[3])  # the same as game 3 of a batch with seed 8
    assert_same(look(engine, slice(3, 4)), look(BatchEngine(scenario, 4, players, seed=8), slice(3, 4)))
    before = look(engine)
    engine.reset(games=[])
    assert_same(before, look(engine))


@pytest.mark.core
@every_scenario
def test_minus_one_leaves_a_game_alone(scenario, players):
    engine = play_on(BatchEngine(scenario, 3, players, seed=1, record=True), 40)
    choose = Chooser(6)
    for _ in range(30):
        actions = choose(engine)
        actions[1] = -1
        before, log = look(engine, slice(1, 2)), engine.replay_log(1)
        engine.step(actions)
        assert_same(before, look(engine, slice(1, 2)))
        assert engine.replay_log(1) == log
    everything = look(engine)
    engine.step(np.full(3, -1))
    assert_same(everything, look(engine))


def test_engines_in_python_threads_do_not_disturb_one_another():
    """Kernels run without the interpreter lock."""
    from concurrent.futures import ThreadPoolExecutor

    def run(seed):
        engine = BatchEngine("base", 4, seed=seed)
        play_on(engine, 50, seed)
        engine.random_rollout(2000)
        return look(engine)

    alone = [run(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for one, other in zip(alone, pool.map(run, range(4)), strict=True):
            assert_same(one, other)
