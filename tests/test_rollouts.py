"""Rollouts of a batch as per-seat trajectories, and the warning about games that wait forever."""

import copy
import warnings

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.envs import CatanVectorEnv
from catan_env.errors import CatanError, OptionError
from catan_env.rollouts import RolloutRecorder, returns_of, seat_critic

pytestmark = pytest.mark.core
SHORT = {"victory_points": 3, "turn_limit": 24}


def engine_of(games=6, **options):
    return BatchEngine("base", games, 3, seed=1, rules=SHORT, compiled=False, **options)


def random_actions(engine, rng):
    return np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1)


def played(steps=250, critic=None, autoreset=True):
    engine, rng = engine_of(autoreset=autoreset), np.random.default_rng(0)
    engine.idle_watch = None
    recorder = RolloutRecorder(engine, steps, critic and critic(engine))
    for _ in range(steps):
        waiting = (engine.seat_to_act < 0) & (not autoreset)
        recorder.step(np.where(waiting, -1, random_actions(engine, rng)))
    return recorder


def constant_critic(engine):
    """Return a critic with values 10, 20 and 30 for seats 0, 1 and 2."""
    return lambda games: np.tile(10.0 * (1 + np.arange(3)), (len(games), 1))


def test_returns_are_those_of_a_loop_over_games_and_seats():
    recorder = played(critic=constant_critic)
    assert recorder.terminated.any() and recorder.truncated.any()
    rng = np.random.default_rng(1)
    values = rng.normal(size=recorder.seats.shape).astype(np.float32)
    returns = recorder.returns(values, 0.9, 0.7)
    trajectories = recorder.trajectories()
    seen = np.zeros_like(recorder.decided)
    for j in range(len(trajectories)):
        part = slice(trajectories.starts[j], trajectories.starts[j + 1])
        steps, game, seat = trajectories.steps[part], trajectories.games[part][0], trajectories.seats[part][0]
        assert (trajectories.games[part] == game).all() and (recorder.seats[steps, game] == seat).all()
        assert (np.diff(steps) > 0).all()
        seen[steps, game] = True
        ends = np.flatnonzero(recorder.ended[steps[0] :, game])
        end = steps[0] + ends[0] if len(ends) else len(recorder.seats) - 1
        assert trajectories.terminated[j] == (len(ends) > 0 and recorder.terminated[end, game])
        assert trajectories.truncated[j] == (len(ends) > 0 and recorder.truncated[end, game])
        open_end = not trajectories.terminated[j]
        bootstrap, advantage, bounds = 10.0 * (1 + seat) * open_end, 0.0, [*steps[1:], end + 1]
        for t, stop in reversed(list(zip(steps, bounds, strict=True))):
            reward = recorder.rewards[t:stop, game, seat].sum()
            next_value = bootstrap if stop == end + 1 else values[stop, game]
            advantage = reward + 0.9 * next_value - values[t, game] + 0.9 * 0.7 * advantage
            np.testing.assert_allclose(returns.rewards[t, game], reward, atol=1e-5)
            np.testing.assert_allclose(returns.advantages[t, game], advantage, atol=1e-3)
            np.testing.assert_allclose(returns.targets[t, game], advantage + values[t, game], atol=1e-3)
    np.testing.assert_array_equal(seen, recorder.decided)


def test_undiscounted_returns_without_values_are_the_result_of_the_game():
    recorder = played(autoreset=False)
    assert recorder.ended.sum(axis=0).tolist() == [1] * 6, "a game that waits ends once"
    returns = recorder.returns(np.zeros(recorder.seats.shape), 1.0, 1.0)
    results = np.where(recorder.terminated.any(axis=0)[:, None], recorder.rewards.sum(axis=0), 0.0)
    steps, games = np.nonzero(recorder.decided)
    np.testing.assert_array_equal(returns.targets[steps, games], results[games, recorder.seats[steps, games]])
    np.testing.assert_array_equal(returns.seat_targets[0], results)


def test_a_critic_of_observations_sees_each_seat():
    recorder = played(2)
    engine = recorder.engine
    critic = seat_critic(engine, lambda observation: observation.sum(axis=1))
    expected = np.stack([engine.observe(seat=seat, games=[0, 3]).sum(axis=1) for seat in range(3)], axis=1)
    np.testing.assert_array_equal(critic(np.array([0, 3])), expected)


def test_arguments_are_checked():
    recorder = played(4)
    with pytest.raises(OptionError, match="values has shape"):
        recorder.returns(np.zeros(4))
    with pytest.raises(OptionError, match="discount"):
        recorder.returns(np.zeros((4, 6)), discount=2)
    with pytest.raises(OptionError, match="last_values has shape"):
        recorder.returns(np.zeros((4, 6)), last_values=np.zeros(6))
    with pytest.raises(CatanError, match="0 of 3 steps"):
        RolloutRecorder(engine_of(), 3).returns(np.zeros((3, 6)))
    short = RolloutRecorder(engine_of(), 1, lambda games: np.zeros(len(games)))
    short.step(short.engine.action_mask.argmax(axis=1))
    with pytest.raises(OptionError, match="a value per game and seat"):
        short.returns(np.zeros((1, 6)))


def test_no_trajectories_without_decisions():
    recorder = played(4)
    nothing = recorder.trajectories(np.zeros((4, 6), bool))
    assert len(nothing) == 0 and nothing.starts.tolist() == [0]
    empty = np.zeros((0, 2, 3), np.float32)
    found = returns_of(empty[..., 0], empty[..., 0] > 0, empty, empty[..., 0] > 0, empty, np.ones((2, 3)), 1.0, 1.0)
    assert found.advantages.shape == (0, 2)


def test_games_left_for_ever_are_warned_of_once():
    rng = np.random.default_rng(0)
    for autoreset, fix in ((True, "any id but -1 resets"), (False, "Stop the loop")):
        engine = engine_of(3, autoreset=autoreset)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(700):
                engine.step(np.where(engine.seat_to_act >= 0, random_actions(engine, rng), -1))
        assert len(caught) == 1 and fix in str(caught[0].message) and caught[0].filename == __file__


def test_loops_that_mean_it_are_not_warned():
    rng = np.random.default_rng(0)
    engine = engine_of(3, autoreset=True)
    env = CatanVectorEnv(2, "base", num_players=3, compiled=False)
    assert env.engine.idle_watch is copy.deepcopy(env.games).engine.idle_watch is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(200):
            engine.step(random_actions(engine, rng))
        twin = engine.clone()
        twin.idle_watch = None
        for _ in range(200):
            twin.step(np.where(twin.seat_to_act >= 0, random_actions(twin, rng), -1))
