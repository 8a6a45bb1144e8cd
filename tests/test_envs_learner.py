"""Environments in which a learner plays one seat: Gymnasium, Gymnasium vector and Stable-Baselines3."""

import copy
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from env_helpers import SMALLEST, TABLES, ByMask, assert_fresh, choose, quick_rules
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import catan_env
from catan_env.envs import CatanEnv, CatanVectorEnv, gymnasium_id, register_environments
from catan_env.errors import (
    ActionFormatError,
    GameOverError,
    IllegalActionError,
    OptionError,
    UnknownAgentError,
    UnknownEncoderError,
    UnknownRuleError,
)

register_environments()


def quick(scenario="base", players=3, **options):
    return {"scenario": scenario, "num_players": players, "rules": quick_rules(scenario, players), **options}


def first_illegal(env):
    return int(np.flatnonzero(~env.action_masks())[0])


@pytest.mark.parametrize(("scenario", "players"), TABLES)
@pytest.mark.parametrize("observation", ["array", "dict"])
def test_gymnasium_accepts_them(scenario, players, observation, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(
            gymnasium_id(catan_env.find_scenario(scenario)), num_players=players, seat="random", observation=observation
        )
        check_env(env.unwrapped)


@pytest.mark.parametrize("illegal", ["substitute", "penalise"])
def test_gymnasium_accepts_every_lenient_policy(illegal):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("catan/Base-v2", illegal=illegal).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("seat", [1, "random", "rotate"])
@pytest.mark.parametrize(("scenario", "players"), SMALLEST)
def test_a_vector_is_a_loop_of_single_environments(scenario, players, seat, mode):
    seat = players - 1 if seat == 1 else seat
    options = quick(
        scenario,
        players,
        opponents="by_mask",
        seat=seat,
        observation="dict",
        max_episode_steps=40,
        shaping=0.5,
        discount=0.9,
    )
    loop = SyncVectorEnv([lambda: CatanEnv(**options)] * 4, autoreset_mode=mode)
    batch = CatanVectorEnv(4, autoreset_mode=mode, **options)
    assert batch.metadata["autoreset_mode"] is mode
    assert loop.observation_space == batch.observation_space and loop.action_space == batch.action_space
    expected, given = loop.reset(seed=3), batch.reset(seed=3)
    rng, ends, kept = np.random.default_rng(0), 0, []
    for step in range(150):
        assert data_equivalence(expected, given, exact=True), step
        kept.append((given[0], given[-1]))
        actions = choose(batch.action_masks(), rng)
        if step % 5 == 0:
            actions[2] = 0  # usually illegal
        expected, given = loop.step(actions), batch.step(actions)
        done = given[2] | given[3]
        ends += done.sum()
        if mode is AutoresetMode.DISABLED and done.any():
            assert data_equivalence(expected, given, exact=True)
            with pytest.raises(GameOverError, match="reset_mask"):
                batch.step(actions)
            expected, given = (env.reset(options={"reset_mask": done.copy()}) for env in (loop, batch))
    assert ends > 5
    assert_fresh(kept[-40:], batch.engine.action_mask, batch.engine.state)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_game_does_not_depend_on_the_batch(threads):
    batch = CatanVectorEnv(6, threads=threads, **quick(opponents="by_mask"))
    one = CatanVectorEnv(1, **quick(opponents="by_mask"))
    batch.reset(seed=[9, 8, 7, 6, 5, 4])
    one.reset(seed=6)
    for _ in range(100):
        actions = choose(batch.action_masks(), np.random.default_rng(0))
        expected, given = one.step(actions[3:4]), batch.step(actions)
        np.testing.assert_array_equal(expected[0][0], given[0][3])
        assert [part[0] for part in expected[1:4]] == [part[3] for part in given[1:4]]


def test_make_vec():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make_vec("catan/Base-v2", num_envs=3, opponents="random", autoreset_mode="SameStep")
    assert isinstance(env, CatanVectorEnv) and env.num_envs == 3
    env.reset(seed=[1, None, 2])
    env.step(choose(env.action_masks(), np.random.default_rng(0)))
    assert isinstance(gymnasium.make_vec("catan/Base-v2", 2, vectorization_mode="sync"), SyncVectorEnv)
    assert CatanVectorEnv(2, render_mode="ansi").render()[1].startswith("Base game")


@pytest.mark.parametrize("seat", [0, 2, "random", "rotate"])
def test_rewards_are_the_learners_own(seat):
    env, rng, outcomes = CatanEnv(**quick(seat=seat)), np.random.default_rng(0), set()
    for episode in range(12):
        _, info = env.reset(seed=0 if episode == 0 else None)
        if seat == "rotate":
            assert info["seat"] == episode % 3
        total, over = 0.0, False
        while not over:
            assert env.engine.seat_to_act[0] == info["seat"]
            np.testing.assert_array_equal(info["action_mask"], env.engine.action_mask[0])
            _, reward, terminated, truncated, info = env.step(choose([env.action_masks()], rng)[0])
            total, over = total + reward, terminated or truncated
        assert not info["action_mask"].any() and not env.action_masks().any()
        assert total == (0.0 if truncated else 1.0 if info["winner"] == info["seat"] else -1.0)
        assert truncated or info["victory_points"].argmax() == info["winner"]
        outcomes.add(info["seat"])
        with pytest.raises(GameOverError, match="reset"):
            env.step(0)
    assert len(outcomes) == (3 if isinstance(seat, str) else 1)


def test_each_opponent_plays_its_seats():
    class Witness(ByMask):
        def __init__(self):
            self.seats = set()

        def act(self, engine, games):
            assert engine.seat_to_act[games].min() >= 0 and (np.diff(games) > 0).all()
            self.seats |= set(engine.seat_to_act[games].tolist())
            return super().act(engine, games)

    left, right = Witness(), Witness()
    env, rng = CatanVectorEnv(3, "base", seat=1, num_players=4, opponents=[left, right]), np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(30):
        env.step(choose(env.action_masks(), rng))
    assert left.seats == {2, 0} and right.seats == {3}
    new = Witness()
    env.set_opponents(new)
    for _ in range(30):
        env.step(choose(env.action_masks(), rng))
    assert new.seats == {0, 2, 3} and left.seats == {2, 0}


def test_illegal_actions():
    for policy, reward, changed in [("substitute", 0.0, True), ("penalise", -0.25, False)]:
        env = CatanEnv(**quick(illegal=policy, illegal_penalty=0.25))
        env.reset(seed=0)
        before = env.engine.state.tobytes()
        _, given, _, _, info = env.step(first_illegal(env))
        assert info["illegal_action"] and given == reward
        assert (env.engine.state.tobytes() != before) == changed
        assert not env.step(int(np.flatnonzero(env.action_masks())[0]))[-1]["illegal_action"]
    env = CatanVectorEnv(3, **quick(illegal="raise"))
    env.reset(seed=0)
    actions, before = choose(env.action_masks(), np.random.default_rng(0)), env.engine.state.tobytes()
    actions[1] = np.flatnonzero(~env.action_masks()[1])[0]
    with pytest.raises(IllegalActionError, match="game 1"):
        env.step(actions)
    assert env.engine.state.tobytes() == before
    endless = CatanEnv(**quick(illegal="penalise", max_episode_steps=3))
    endless.reset(seed=0)
    assert [endless.step(first_illegal(endless))[3] for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize("action", [-1, 10_000, 1.0, None, [1, 2], "1"])
def test_what_is_no_action(action):
    env = CatanEnv("base")
    env.reset(seed=0)
    with pytest.raises(ActionFormatError):
        env.step(action)
    env = CatanVectorEnv(2, "base")
    with pytest.raises(GameOverError, match="reset"):
        env.step(np.zeros(2, np.int64))
    env.reset()
    with pytest.raises(ActionFormatError):
        env.step(np.array([action] * 2))


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"seat": 4}, OptionError, "0 to 3, 'random' or 'rotate'"),
        ({"seat": "first"}, OptionError, "0 to 3"),
        ({"seat": True}, OptionError, "0 to 3"),
        ({"opponents": "nobody"}, UnknownAgentError, "Available: .*random"),
        ({"opponents": ["random"] * 4}, OptionError, "1 to 3"),
        ({"opponents": []}, OptionError, "1 to 3"),
        ({"opponents": None}, OptionError, "act"),
        ({"opponents": ByMask}, OptionError, "object with act"),
        ({"illegal": "forgive"}, OptionError, "'substitute', 'penalise', 'raise'"),
        ({"observation": "box"}, OptionError, "'array', 'dict'"),
        ({"max_episode_steps": -1}, OptionError, "at least 1"),
        ({"encoder": "flatt"}, UnknownEncoderError, "'flat'"),
        ({"rules": {"victory_point": 3}}, UnknownRuleError, "victory_points"),
        ({"render_mode": "svg"}, OptionError, "rgb_array"),
    ],
)
def test_bad_options(options, error, says):
    for make in (CatanEnv, CatanVectorEnv):
        with pytest.raises(error, match=says):
            make(scenario="base", **options)


def test_bad_vector_arguments():
    with pytest.raises(OptionError, match="'NextStep', 'SameStep', 'Disabled'"):
        CatanVectorEnv(2, autoreset_mode="never")
    with pytest.raises(OptionError, match="at least 1"):
        CatanVectorEnv(0)
    env = CatanVectorEnv(2)
    for mask in ([True, False], np.array([True]), np.zeros(2, np.bool_)):
        with pytest.raises(OptionError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(OptionError, match="2 games"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(OptionError, match=r"from 0 to 2\*\*64 - 1"):
        env.reset(seed=-5)


def test_a_faulty_opponent_is_named():
    class Mute(ByMask):
        def __repr__(self):
            return "Mute()"

        def act(self, engine, games):
            return np.full(len(games), -1)

    with pytest.raises(ActionFormatError, match=r"Opponent Mute\(\)"):
        CatanEnv("base", opponents=Mute(), seat=3).reset(seed=0)


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_continue_alike_and_apart(twin_of):
    env, rng = CatanVectorEnv(3, **quick(shaping=1.0, seat="random")), np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(10):
        env.step(choose(env.action_masks(), rng))
    twin = twin_of(env)
    for _ in range(60):
        actions = choose(env.action_masks(), rng)
        assert data_equivalence(env.step(actions), twin.step(actions), exact=True)
    assert not np.shares_memory(env.engine.state, twin.engine.state)


# -- Stable-Baselines3 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "players"), TABLES)
def test_sb3_accepts_them(scenario, players):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for observation in ("array", "dict"):
            checker.check_env(CatanEnv(scenario, num_players=players, observation=observation))


@pytest.mark.parametrize("seat", [2, "random"])
def test_sb3_vector_is_a_loop_of_single_environments(seat):
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
    from catan_env.envs import SB3VecEnv

    options = quick(opponents="by_mask", seat=seat, max_episode_steps=40)
    loop = vec_env.DummyVecEnv([lambda: CatanEnv(**options)] * 4)
    batch = SB3VecEnv(4, **options)
    loop.seed(5)
    batch.seed(5)
    assert data_equivalence(loop.reset(), batch.reset(), exact=True)
    rng, ends, returns, kept = np.random.default_rng(0), 0, np.zeros(4), []
    for _ in range(150):
        masks = np.stack(batch.env_method("action_masks"))
        np.testing.assert_array_equal(masks, np.stack(loop.env_method("action_masks")))
        actions = choose(masks, rng)
        expected, given = loop.step(actions), batch.step(actions)
        assert data_equivalence(expected[:3], given[:3], exact=True)
        returns += given[1]
        kept.append((given[0], given[3]))
        for game in np.flatnonzero(given[2]):
            info = given[3][game]
            for key in ("terminal_observation", "TimeLimit.truncated", "winner", "victory_points"):
                assert data_equivalence(info[key], expected[3][game][key], exact=True)
            assert info["is_success"] == (info["winner"] == info["seat"]) == (returns[game] > 0)
            assert info["episode"]["r"] == returns[game] and info["episode"]["l"] <= 40
            returns[game], ends = 0.0, ends + 1
        assert not any(info for info, done in zip(given[3], given[2], strict=True) if not done)
    assert ends > 5
    assert_fresh(kept[-40:], batch.engine.action_mask, batch.engine.state)


def test_maskable_ppo_learns_in_it():
    contrib = pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    from catan_env.envs import SB3VecEnv

    env = SB3VecEnv(4, **quick(max_episode_steps=60))
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0)
    model.learn(128)
    assert model.num_timesteps == 128
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate_policy(model, env, n_eval_episodes=4)
    with pytest.raises(OptionError, match="share"):
        env.set_attr("monitor", False, indices=[0])
    assert env.get_attr("monitor", 1) == [True] and env.has_attr("action_masks") and not env.has_attr("envs")
    pictures = SB3VecEnv(3, "base", render_mode="rgb_array")
    assert pictures.render().shape[2] == 3
    assert SB3VecEnv(1, "base", render_mode="human").render() is None


def test_without_sb3_the_error_says_what_to_install():
    code = "import sys; sys.modules['stable_baselines3'] = None; import catan_env.envs as e; e.SB3VecEnv"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode and "pip install 'catan-env[train]'" in done.stderr
