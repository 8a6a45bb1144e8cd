"""User-defined encoders and rewards work in engines, environments and training; encoders never see hidden cards."""

import copy
import pickle

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.encoders import ENCODERS, SeatView, make_encoder, register_encoder
from catan_env.engine.rewards import Change
from catan_env.errors import OptionError, UnknownEncoderError
from catan_env.testing.hidden import disguise
from tests.own_hooks import own_row, points_of_rules

pytestmark = pytest.mark.core
OWN_ROW, OWN_REWARD = "tests.own_hooks:own_row", "tests.own_hooks:points_of_rules"
SHORT = {"victory_points": 3, "turn_limit": 20}


def engine_of(games=4, scenario="base", **options):
    return BatchEngine(scenario, games, compiled=False, **options)


def play(engine, steps, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        actions = np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1)
        engine.step(np.where(engine.seat_to_act == -2, -1, actions))
    return engine


def everything(view: SeatView):
    """Return all numbers that a view contains, one row per game."""
    values = vars(view)
    assert not any(isinstance(value, (BatchEngine, catan_env.encoders.FlatEncoder)) for value in values.values())
    arrays = []
    for value in values.values():
        parts = value.values() if isinstance(value, dict) else [value]
        arrays += [part for part in parts if isinstance(part, np.ndarray) and len(part) == len(view.seats)]
    assert all(array.base is None or array.base.size <= 4 * array.size for array in arrays), "no view of the games"
    return np.concatenate([np.asarray(array, np.float32).reshape(len(view.seats), -1) for array in arrays], axis=1)


@pytest.mark.parametrize("scenario", ["base", "cities_and_knights"])
def test_a_hidden_card_never_changes_an_encoder_from_outside(scenario):
    engine, rng = play(engine_of(6, scenario), 150), np.random.default_rng(1)
    twins = engine.clone()
    for seat in range(engine.num_players):
        twins.state[:] = engine.state
        twins.refresh()
        changed = disguise(twins, seat, rng)
        assert changed.any() and (twins.state["hands"] != engine.state["hands"]).any()
        # Compare games with the same seat to act. The legal actions of others may change, but no seat sees those.
        games = np.flatnonzero(changed & (twins.seat_to_act == engine.seat_to_act))
        shown = [make_encoder(each, everything).encode(seat, games=games) for each in (engine, twins)]
        assert shown[0].shape[1] > 1000
        np.testing.assert_array_equal(*shown)


def test_views_show_the_seat_its_cards_and_others_their_number():
    engine = play(engine_of(3), 120)
    seen = []
    encoder = make_encoder(engine, lambda view: seen.append(view) or view.seats[:, None])
    seats, games = np.array([2, 0]), np.array([0, 2])
    encoder.encode(seats, games=games)
    view, hands = seen[-1], engine.state["hands"][games]
    np.testing.assert_array_equal(view.own("hands"), hands[[0, 1], seats])
    np.testing.assert_array_equal(view.totals("hands"), hands[:, :4].sum(axis=2))
    np.testing.assert_array_equal(view.from_own_seat(view.totals("hands"))[:, 0], view.own("hands").sum(axis=1))
    np.testing.assert_array_equal(view.row, engine.observe(seat=seats, games=games))
    np.testing.assert_array_equal(view.feature(view.layout.names[5]), view.row[:, 5])
    acts = engine.seat_to_act[games] == seats
    np.testing.assert_array_equal(view.legal, engine.action_mask[games] & acts[:, None])
    for ask, name in ((view.public, "hands"), (view.own, "rng"), (view.totals, "robber"), (view.feature, "x")):
        with pytest.raises(OptionError, match="no "):
            ask(name)


@pytest.mark.parametrize("kind", ["aec", "parallel", "gymnasium", "vector", "sb3"])
def test_both_hooks_work_in_every_environment(kind):
    for encoder, reward in ((OWN_ROW, OWN_REWARD), (own_row, points_of_rules)):
        env = catan_env.make("base", kind, encoder=encoder, reward=reward, compiled=False, rules=SHORT)
        expected = env.engine.observe(OWN_ROW, seat=0)
        if kind in ("aec", "parallel"):
            env.reset(seed=0)
            agent = env.agents[int(env.engine.seat_to_act[0])]
            env.step(
                int(env.engine.action_mask[0].argmax())
                if kind == "aec"
                else {agent: int(env.engine.action_mask[0].argmax())}
            )
            assert env.observation_space(agent)["observation"].shape == expected.shape[1:]
        else:
            assert env.observation_space.shape[-1] == expected.shape[1]
            reset = env.reset()
            observation = reset if kind == "sb3" else reset[0]
            np.testing.assert_array_equal(np.reshape(observation, (1, -1)), env.engine.observe(OWN_ROW, seat=0))
            actions = env.action_masks().reshape(1, -1).argmax(axis=1)
            reward = env.step(int(actions[0]) if kind == "gymnasium" else actions)[1]
            assert np.ravel(reward)[0] < -0.0099, "every step has its price"
        if kind == "aec":
            assert [*env.rewards.values()] == [pytest.approx(-0.01)] * 4
        if kind != "sb3":
            twin = pickle.loads(pickle.dumps(env)) if kind in ("aec", "parallel") else copy.deepcopy(env)
            assert twin.engine.reward == env.engine.reward


def test_sums_of_rewards_are_the_same_in_aec_and_engine():
    env = catan_env.make("base", "aec", num_players=3, reward=points_of_rules, compiled=False, rules=SHORT)
    env.reset(seed=3)
    totals, steps, rng = dict.fromkeys(env.agents, 0.0), 0, np.random.default_rng(0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, info = env.last()
        totals[agent] += reward
        done = termination or truncation
        steps += not done
        env.step(None if done else int(np.argmax(info["action_mask"] * rng.random(info["action_mask"].shape))))
    results = np.array(list(totals.values())) + 0.01 * steps
    assert sorted(np.round(results)) in ([-1, -1, 1], [0, 0, 0])
    np.testing.assert_allclose(results, np.round(results), atol=1e-4)


@pytest.mark.parametrize("autoreset", [False, True])
def test_changes_add_up_to_the_points_at_the_end(autoreset):
    engine = engine_of(5, reward=Change(lambda each: each.victory_points), autoreset=autoreset, rules=SHORT)
    engine.idle_watch = None
    sums, begun, ends, rng = np.zeros((5, 4)), engine.victory_points, 0, np.random.default_rng(0)
    for _ in range(260):
        restarting = engine.seat_to_act == -2
        actions = np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1)
        engine.step(np.where(restarting & (not autoreset), -1, actions))
        if autoreset and restarting.any():
            sums[restarting], begun[restarting] = 0.0, engine.victory_points[restarting]
        sums += engine.rewards
        ended = (engine.seat_to_act == -2) & ~restarting
        results = np.where(engine.winners, 1, -1) * engine.terminated[:, None]
        np.testing.assert_allclose(sums[ended] - results[ended], (engine.victory_points - begun)[ended])
        ends += ended.sum()
    assert ends >= 3
    twin = engine.clone()
    play(twin, 20)
    play(engine, 20)
    np.testing.assert_array_equal(twin.rewards, engine.rewards)


def test_rewards_and_encoders_are_checked():
    for reward in ("points", 3, None):
        with pytest.raises(OptionError, match="allowed: 'win_loss', 'zero_sum', 'module:function'"):
            engine_of(reward=reward)
    with pytest.raises(OptionError, match="has no 'nothing'"):
        engine_of(reward="tests.own_hooks:nothing")
    for wrong in (lambda each: np.zeros(4), lambda each: np.full((4, 4), np.nan)):
        engine = engine_of(reward=wrong)
        with pytest.raises(OptionError, match="one per game and seat"):
            engine.step(engine.action_mask.argmax(axis=1))
    engine = engine_of()
    for wrong, says in ((lambda view: np.zeros(9), "one row"), (lambda view: view, "must return numbers")):
        with pytest.raises(OptionError, match=says):
            make_encoder(engine, wrong)
    with pytest.raises(OptionError, match="every call"):
        make_encoder(engine, lambda view: np.zeros((len(view.seats), len(view.seats)))).encode()
    with pytest.raises(OptionError, match="returns only 'float32'"):
        make_encoder(engine, own_row, "uint8")
    with pytest.raises(UnknownEncoderError, match="no module 'nowhere'"):
        make_encoder(engine, "nowhere:encode")
    with pytest.raises(OptionError, match="cannot have the name 'flat'"):
        register_encoder("flat", own_row)
    with pytest.raises(OptionError, match="function of a SeatView"):
        register_encoder("mine", 3)


def test_encoders_may_have_parts_and_names():
    register_encoder("mine", lambda view: {"hand": view.own("hands"), "points": view.points})
    try:
        engine = play(engine_of(3), 60)
        encoder = make_encoder(engine, "mine")
        assert set(encoder.space.keys()) == {"hand", "points"}
        observation = encoder.encode(np.array([1, -1, 0]))
        assert not observation["points"][1].any() and encoder.space["hand"].shape == observation["hand"].shape[1:]
        np.testing.assert_array_equal(observation["hand"][2], engine.state["hands"][2, 0])
        out = {part: np.ones_like(array) for part, array in observation.items()}
        assert encoder.encode(np.array([1, -1, 0]), out=out)["hand"] is out["hand"]
    finally:
        del ENCODERS["mine"]


def test_training_takes_both_by_name():
    pytest.importorskip("torch")
    from catan_training.learning.config import TrainConfig, resolve
    from catan_training.learning.ppo import Learner

    options = {"num_games": 8, "rollout_steps": 8, "batch_size": 32, "hidden": [8], "teacher": "", "pool_share": 0.0}
    options |= {"encoder": OWN_ROW, "reward": OWN_REWARD, "torch_threads": 1, "num_players": 3, "shaping": 0.0}
    learner = Learner(resolve(TrainConfig().updated(options)))
    assert np.isfinite(learner.update(0.5)["policy_loss"])
    engine = learner.engine
    assert (engine.rewards[engine.seat_to_act >= 0] < -0.009).all()
    player = learner.player
    assert (player.description["encoder"], player.description["dtype"]) == (OWN_ROW, "float32")
    games = np.flatnonzero(engine.seat_to_act >= 0)
    assert engine.action_mask[games, player.act(engine, games)].all()
    with pytest.raises(OptionError, match="not win probabilities"):
        player.evaluate(engine, games)
    player.description["encoder"] = "a_module_that_only_the_file_names:encode"
    with pytest.raises(UnknownEncoderError, match="--import"):
        player.act(BatchEngine("base", 2, 3, compiled=False), np.arange(2))
