"""The PufferLib and TorchRL environments, tested with their libraries, and the full states of batches."""

import re
from pathlib import Path

import numpy as np
import pytest

import catan_env
from catan_env.engine.random import game_seeds
from catan_env.envs import CatanEnv, CatanVectorEnv, parallel_env
from catan_env.errors import OptionError

QUICK = {"num_players": 3, "rules": {"offers_per_turn": 0, "victory_points": 3}}
N, STEPS = 4, 40


@pytest.fixture
def puffer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # PufferLib 3.0 creates a link in the working folder on import
    pytest.importorskip("pufferlib")
    return catan_env.envs.CatanPufferEnv


@pytest.fixture
def torchrl():
    pytest.importorskip("torchrl")
    return catan_env.envs.CatanTorchRLEnv


def played(num_envs=N, seed=0, **options):
    """Yield (actions, observations, masks, rewards, terminations, truncations) of a vector environment's steps."""
    envs = CatanVectorEnv(num_envs, autoreset_mode="SameStep", **{**QUICK, **options})
    observations, infos = envs.reset(seed=game_seeds(seed, num_envs).tolist())
    yield None, observations, infos["action_mask"].astype(bool), 0.0, False, False
    rng = np.random.default_rng(0)
    for _ in range(STEPS):
        actions = (infos["action_mask"] * rng.random(infos["action_mask"].shape)).argmax(axis=1)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        yield actions, observations, infos["action_mask"].astype(bool), rewards, terminations, truncations


def test_the_states_of_a_batch_are_those_of_single_games():
    envs, env = CatanVectorEnv(3, **QUICK), CatanEnv(**QUICK)
    envs.reset(seed=5)
    states = envs.state()
    assert states.shape == (3, *envs.state_space.shape) and states.dtype == np.float32
    env.reset(seed=0)
    for game in range(3):
        env.engine.state[:] = envs.engine.state[game : game + 1]
        env.engine.refresh()
        np.testing.assert_array_equal(env.state(), states[game])
    assert envs.state_space.contains(states[0])
    assert not np.shares_memory(states, envs.state())
    table = parallel_env(**QUICK)
    table.reset(seed=3)
    assert table.whole_state.names == envs.whole_state.names and table.state().shape == states[0].shape
    assert catan_env.make("base", "vector", num_envs=2).state().shape[0] == 2


def test_rates_of_interfaces_are_measured():
    pytest.importorskip("stable_baselines3")
    from catan_training.benchmarks.interfaces import measure

    rates = dict(measure(4, 1, 2))
    single = {f"{kind}, one game" for kind in ("gymnasium", "AEC", "parallel", "text")}
    assert {"BatchEngine.step", "vector", "sb3", *single} <= set(rates) and min(rates.values()) > 0


def example(title, page="environments"):
    """Run the example in a section of a page; return the variables that it defines."""
    text = (Path(__file__).parents[1] / f"docs/how-to/{page}.md").read_text("utf-8")
    names = {}
    exec(re.search(rf"^#+ {title}\n.*?^```py\n(.*?)^```", text, re.MULTILINE | re.DOTALL).group(1), names)
    return names


def test_the_example_of_puffer_runs(puffer):
    assert example("PufferLib")["rewards"].shape == (128,)


def test_the_example_of_torchrl_runs(torchrl):
    assert example("TorchRL")["batch"]["next", "reward"].shape == (64, 32, 1)


# -- PufferLib ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("observation", ["array", "dict"])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_puffer_plays_the_games_of_the_vector_environment(puffer, observation, dtype):
    env = puffer(N, observation=observation, dtype=dtype, seat="rotate", opponents="weighted", **QUICK)
    buffers = env.observations, env.rewards, env.terminals, env.truncations
    finished = 0
    options = {"dtype": dtype, "seat": "rotate", "opponents": "weighted"}
    for actions, observations, masks, rewards, terminations, truncations in played(**options):
        infos = env.reset(seed=0)[1] if actions is None else env.step(actions.astype(np.int32))[4]
        np.testing.assert_array_equal(env.observations[:, : env.num_features], observations)
        if observation == "dict":
            np.testing.assert_array_equal(env.observations[:, env.num_features :], masks)
        np.testing.assert_array_equal(env.rewards, np.broadcast_to(rewards, N).astype(np.float32))
        np.testing.assert_array_equal(env.terminals, np.broadcast_to(terminations, N))
        np.testing.assert_array_equal(env.truncations, np.broadcast_to(truncations, N))
        ended = np.flatnonzero(env.terminals | env.truncations)
        assert [info["won"] for info in infos] == (env.rewards[ended] > 0).tolist()
        assert [info["episode_return"] for info in infos] == env.rewards[ended].tolist()
        assert env.single_observation_space.contains(env.observations[0])
        finished += len(infos)
    assert finished and all(one is two for one, two in zip(buffers, (env.observations, env.rewards, env.terminals)))


@pytest.mark.parametrize("backend", ["Serial", "Multiprocessing"])
def test_puffer_writes_into_shared_buffers(puffer, backend):
    import pufferlib.vector

    kwargs = {"num_envs": N, **QUICK}
    backend_class = getattr(pufferlib.vector, backend)
    options = {"num_workers": 2, "overwork": True} if backend == "Multiprocessing" else {}
    if backend == "Serial" and int(str(pufferlib.__version__)[0]) < 3:
        pytest.skip("Serial takes native environments since PufferLib 3.0")
    envs = pufferlib.vector.make(puffer, env_kwargs=kwargs, num_envs=2, backend=backend_class, **options)
    try:
        first_rows = envs.reset(seed=7)[0].reshape(2, N, -1).copy()
        alone = puffer(**kwargs)
        for worker in range(2):
            np.testing.assert_array_equal(first_rows[worker], alone.reset(seed=7 + worker)[0])
        assert len(np.unique(first_rows.reshape(2 * N, -1), axis=0)) == 2 * N  # workers share no games
        features = envs.driver_env.num_features
        rows = first_rows
        for _ in range(20):
            actions = rows.reshape(2 * N, -1)[:, features:].argmax(axis=1).astype(np.int32)
            rows = envs.step(actions)[0]
            assert rows.reshape(2 * N, -1)[:, features:].any(axis=1).all()
    finally:
        envs.close()


def test_puffer_refuses_encoders_without_rows(puffer):
    with pytest.raises(OptionError, match="graph"):
        puffer(2, encoder="graph")
    with pytest.raises(OptionError, match="array"):
        puffer(2, encoder="planes")
    assert puffer(2, encoder="planes", observation="array", **QUICK).reset(seed=0)[0].ndim == 4
    with pytest.raises(OptionError, match="Did you mean 'num_envs'"):
        puffer(num_games=3)
    env = catan_env.make("base", "puffer", num_envs=2, seed=4)
    np.testing.assert_array_equal(env.reset()[0], catan_env.make("base", "puffer", num_envs=2).reset(seed=4)[0])


# -- TorchRL --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"encoder": "graph", "dtype": "uint8"}, {"with_state": True}])
def test_torchrl_accepts_it(torchrl, options):
    from torchrl.envs import check_env_specs

    env = torchrl(3, **QUICK, **options)
    check_env_specs(env, seed=0, break_when_any_done="both")


def test_torchrl_plays_the_games_of_the_vector_environment(torchrl):
    import torch

    env = torchrl(N, **QUICK, with_state=True)
    env.set_seed(0)
    finished = 0
    for actions, observations, masks, rewards, terminations, truncations in played():
        if actions is None:
            seen = env.reset()
        else:
            step, seen = env.step_and_maybe_reset(seen.set("action", torch.from_numpy(actions)))
            np.testing.assert_array_equal(step["next", "reward"][:, 0], rewards.astype(np.float32))
            np.testing.assert_array_equal(step["next", "terminated"][:, 0], terminations)
            np.testing.assert_array_equal(step["next", "truncated"][:, 0], truncations)
            finished += int(step["next", "done"].sum())
        np.testing.assert_array_equal(seen["observation"], observations)
        np.testing.assert_array_equal(seen["action_mask"], masks)
        np.testing.assert_array_equal(seen["state"], env.state())
    assert finished


def test_torchrl_samples_legal_actions(torchrl):
    env = torchrl(N, **QUICK, illegal="raise")
    env.set_seed(1)
    batch = env.rollout(40, break_when_any_done=False)
    assert batch.shape == (N, 40)
    assert batch["action_mask"].gather(2, batch["action"][..., None]).all()
