"""The PettingZoo environments, the registries, opponents by name, and drawing."""

import copy
import dataclasses
import functools
import importlib.util
import pickle
import subprocess
import sys
import types
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from env_helpers import SMALLEST, TABLES, assert_fresh, choose, quick_rules, same_games
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)

import catan_env
from catan_env import BatchEngine
from catan_env.envs import (
    aec_env,
    gymnasium_id,
    install_renderer,
    make_opponent,
    opponent_names,
    parallel_env,
    pettingzoo_id,
    register_environments,
    viewer,
)
from catan_env.errors import (
    ActionFormatError,
    GameOverError,
    IllegalActionError,
    NotStartedError,
    OptionError,
    PlayerCountError,
    UnknownAgentError,
    UnknownScenarioError,
)

register_environments()
VARIED = [("base", 3), ("cities_and_knights", 3), ("dice_game", 2)]


def play_out(env, seed, rng):
    """Play an AEC game to its end; return each agent's total reward and its final (terminated, truncated)."""
    env.reset(seed=seed)
    returns, last = dict.fromkeys(env.possible_agents, 0.0), {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        last[agent] = (terminated, truncated)
        over = terminated or truncated
        env.step(None if over else int(choose([observation["action_mask"]], rng)[0]))
    return returns, last


@pytest.mark.parametrize(("scenario", "players"), TABLES)
def test_pettingzoo_accepts_them(scenario, players, capsys):
    aec = functools.partial(aec_env, scenario, players)
    parallel = functools.partial(parallel_env, scenario, players)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo warns of dict observations and all-zero masks
        api_test(aec(), num_cycles=50)
        api_test(aec(rules=quick_rules(scenario, players), shaping=0.5, discount=0.9), num_cycles=1000)
        api_test(aec(max_cycles=20), num_cycles=50)
        parallel_api_test(parallel(), num_cycles=100)
        parallel_api_test(parallel(rules=quick_rules(scenario, players)), num_cycles=2000)
        seed_test(aec, num_cycles=50)
        parallel_seed_test(parallel, num_cycles=50)
        render_test(aec)


@pytest.mark.parametrize(("scenario", "players"), TABLES)
def test_max_cycles(scenario, players):
    # PettingZoo's test ignores masks, so the environment must substitute illegal actions. The test also expects every
    # agent to act equally often in the first four cycles, as when each seat places two settlements and two roads.
    aec = functools.partial(aec_env, scenario, players, illegal="substitute")
    env = aec(max_cycles=4)
    env.reset(seed=0)
    acting = [(agent, env.step(0))[0] for agent in env.agent_iter(4 * players)]
    assert all(env.truncations.values()) and len(acting) == 4 * players
    if scenario == "base" or {acting.count(agent) for agent in env.possible_agents} == {4}:
        max_cycles_test(types.SimpleNamespace(env=aec, parallel_env=functools.partial(parallel_env, scenario, players)))


@pytest.mark.parametrize("encoder", ["graph", "planes"])
def test_other_encoders(encoder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(aec_env("base", encoder=encoder, dtype="uint8"), num_cycles=10)
        parallel_api_test(parallel_env("base", encoder=encoder), num_cycles=50)


@pytest.mark.parametrize(("scenario", "players"), TABLES)
@pytest.mark.parametrize("reward", ["win_loss", "zero_sum"])
def test_rewards_belong_to_seats(scenario, players, reward):
    env, rng = aec_env(scenario, players, reward=reward, rules=quick_rules(scenario, players)), np.random.default_rng(0)
    for seed in range(3):
        returns, last = play_out(env, seed, rng)
        won, over = env.engine.winners[0], bool(env.engine.terminated[0])
        assert set(last.values()) == {(over, not over)}
        winners, losers = won.sum(), players - won.sum()
        nothing_to_share = not over or (reward == "zero_sum" and not (winners and losers))
        gain, loss = 1 / max(winners, 1), -1 if reward == "win_loss" else -1 / max(losers, 1)
        expected = [0 if nothing_to_share else gain if won[seat] else loss for seat in range(players)]
        assert list(returns.values()) == pytest.approx(expected)


@pytest.mark.parametrize("discount", [1.0, 0.5])
def test_shaping_telescopes_for_each_seat(discount):
    env = aec_env("base", shaping=2.0, discount=discount, rules=quick_rules("base", 4))
    rng, rewards, potentials = np.random.default_rng(1), {}, {}
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        seat = env.possible_agents.index(agent)
        over = terminated or truncated
        now = 0.0 if over else 2.0 * env.engine.visible_points[0, seat] / env.engine.rules["victory_points"]
        final = 0.0
        if terminated:
            final = 1.0 if env.engine.winner[0] == seat else -1.0
        assert reward == pytest.approx(discount * now - potentials.get(agent, 0.0) + final)
        potentials[agent] = now
        rewards[agent] = reward
        env.step(None if over else int(choose([observation["action_mask"]], rng)[0]))
    assert len(rewards) == 4


def test_masks_are_zero_off_turn_and_everything_is_fresh():
    env, rng, seen = aec_env("base", 3), np.random.default_rng(2), []
    env.reset(seed=4)
    for _ in range(40):
        observation, _, _, _, info = env.last()
        np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
        assert observation["action_mask"].dtype == np.int8 and observation["action_mask"].any()
        for agent in env.agents:
            if agent != env.agent_selection:
                assert not env.observe(agent)["action_mask"].any() and not env.infos[agent]["action_mask"].any()
        seen.append((observation, info, env.observe(env.agents[0])))
        env.step(int(choose([info["action_mask"]], rng)[0]))
    assert_fresh(seen, env.engine.action_mask, env.engine.state)

    env, seen = parallel_env("base", 3), []
    observations, infos = env.reset(seed=4)
    for _ in range(40):
        masks = [observations[agent]["action_mask"] for agent in env.agents]
        assert sum(mask.any() for mask in masks) == 1
        seen.append((observations, infos))
        actions = dict(zip(env.agents, choose(masks, rng).tolist(), strict=True))
        observations, _, _, _, infos = env.step(actions)
    assert_fresh(seen, env.engine.action_mask, env.engine.state)


def test_max_cycles_truncates_and_rewards_nobody():
    env, rng = aec_env("base", 3, max_cycles=5), np.random.default_rng(0)
    returns, last = play_out(env, 0, rng)
    assert set(last.values()) == {(False, True)} and set(returns.values()) == {0.0}
    assert len(env.engine.replay_log()["moves"]) >= 15
    env = parallel_env("base", 3, max_cycles=5)
    env.reset(seed=0)
    for step in range(5):
        assert env.agents, step
        _, rewards, _, truncated, _ = env.step(dict.fromkeys(env.agents, 0))
    assert all(truncated.values()) and not env.agents and not any(rewards.values())


def test_parallel_counts_only_the_seat_to_act():
    one, other = parallel_env("base", 3), parallel_env("base", 3)
    one.reset(seed=3)
    other.reset(seed=3)
    for _ in range(30):
        seat = int(one.engine.seat_to_act[0])
        action = int(np.flatnonzero(one.engine.action_mask[0])[0])
        one.step({f"seat_{seat}": action})
        other.step({agent: action if agent == f"seat_{seat}" else "whatever" for agent in other.agents})
    assert same_games(one.engine, other.engine)


def noop_of(env):
    return env.action_space(env.possible_agents[0]).n - 1


# -- the state of the whole game --


@pytest.mark.parametrize(("scenario", "players"), VARIED)
def test_pettingzoo_accepts_the_state(scenario, players):
    options = {"rules": quick_rules(scenario, players), "illegal": "substitute"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state_test(aec_env(scenario, players, **options), parallel_env(scenario, players, **options), num_cycles=5)


@pytest.mark.parametrize(("scenario", "players"), SMALLEST)
def test_the_state_distinguishes_games_that_continue_differently(scenario, players):
    """The state shows a change of any field, except the random stream and fields derived from others."""
    env = parallel_env(scenario, players)
    env.reset(seed=0)
    for _ in range(30):
        env.step({f"seat_{env._seat}": int(env.engine.action_mask[0].argmax())})
        if not env.agents:
            env.reset(seed=1)
    names, state, record = env.whole_state.names, env.state(), env.engine.state[0]
    assert len(set(names)) == len(names) == state.size and env.state_space.contains(state)
    for field in env.engine.program.composition.fields.values():
        values = record[field.name]
        if field.derived or values.size == 0 or (field.show is not None and field.visible != "nobody"):
            continue
        values, first = env.engine.state[field.name], (0,) * (values.ndim + 1)
        before = values[first]
        values[first] = field.low if before == field.high else before + 1
        changed = not np.array_equal(env.state(), state)
        values[first] = before
        assert changed == (field.name != "rng"), field.name
    np.testing.assert_array_equal(env.state(), state)


def test_the_state_holds_hidden_cards_of_every_seat():
    env = aec_env("base", 3)
    env.reset(seed=0)
    env.engine.state["hands"][0, :3] = [[1, 0, 0, 0, 0], [0, 2, 0, 0, 0], [0, 0, 3, 0, 0]]
    layout, found = env.engine.encoder("flat").layout, {}
    state = env.state()
    for name, value in zip(env.whole_state.names, state, strict=True):
        seat, _, column = name.partition("/")
        if column.startswith("hands/me/") and value:
            found[seat] = round(float(value) * int(layout.high[layout.index(column)]))
    assert found == {"seat_0": 1, "seat_1": 2, "seat_2": 3}
    assert state.dtype == np.float32 and not np.shares_memory(state, env.state())
    twin = pickle.loads(pickle.dumps(env))
    np.testing.assert_array_equal(twin.state(), state)


@pytest.mark.parametrize(("scenario", "players"), VARIED)
def test_agents_that_are_not_to_act_may_do_nothing(scenario, players):
    env = parallel_env(scenario, players, noop=True, rules=quick_rules(scenario, players))
    plain = parallel_env(scenario, players, rules=quick_rules(scenario, players))
    (observations, infos), _, rng = env.reset(seed=3), plain.reset(seed=3), np.random.default_rng(0)
    assert noop_of(env) == plain.action_space("seat_0").n
    for _ in range(60):
        masks = {agent: observation["action_mask"] for agent, observation in observations.items()}
        to_act = [agent for agent, mask in masks.items() if not mask[-1]]
        assert len(to_act) == 1 and masks[to_act[0]].any()
        assert all(mask.sum() == 1 for agent, mask in masks.items() if agent != to_act[0])
        assert all(env.observation_space(agent).contains(observations[agent]) for agent in masks)
        for agent, mask in masks.items():
            np.testing.assert_array_equal(infos[agent]["action_mask"], mask)
        actions = {agent: int(choose([mask], rng)[0]) for agent, mask in masks.items()}
        observations, _, terminations, truncations, infos = env.step(actions)
        plain.step(actions)
        assert same_games(env.engine, plain.engine)
        if not env.agents:
            break
    if not env.agents:
        assert all(observation["action_mask"].sum() == 1 for observation in observations.values())


def test_the_agent_to_act_cannot_do_nothing():
    env = parallel_env("base", 3, noop=True, illegal="raise")
    env.reset(seed=0)
    before = env.engine.save()
    with pytest.raises(IllegalActionError, match="no action"):
        env.step({f"seat_{seat}": noop_of(env) for seat in range(3)})
    assert env.engine.save() == before
    env.illegal = "substitute"
    env.step({f"seat_{seat}": noop_of(env) for seat in range(3)})
    assert env.engine.save() != before
    parallel_api_test(parallel_env("base", 3, noop=True), num_cycles=100)


def test_observations_may_be_arrays():
    for make, kind in ((aec_env, "aec"), (parallel_env, "parallel")):
        env, dicts = make("base", 3, observation="array"), make("base", 3)
        assert isinstance(env.observation_space("seat_0"), gymnasium.spaces.Box)
        env.reset(seed=1), dicts.reset(seed=1)
        if kind == "aec":
            seen, _, _, _, info = env.last()
            expected = dicts.last()[0]
        else:
            (observations, infos), seat = env.reset(seed=1), env._seat
            seen, info = observations[f"seat_{seat}"], infos[f"seat_{seat}"]
            expected = dicts.reset(seed=1)[0][f"seat_{seat}"]
        np.testing.assert_array_equal(seen, expected["observation"])
        np.testing.assert_array_equal(info["action_mask"], expected["action_mask"])
    api_test(aec_env("base", 3, observation="array", illegal="substitute"), num_cycles=60)
    parallel_api_test(parallel_env("base", 3, observation="array"), num_cycles=60)


def test_substitutes_are_legal_reproducible_and_varied():
    env, chosen = aec_env("base", illegal="substitute"), set()
    for seed in range(40):
        moves = []
        for _ in range(2):
            env.reset(seed=seed)
            env.step(env.engine.actions.n - 1)
            moves.append(env.engine.replay_log()["moves"])
        assert moves[0] == moves[1]
        chosen.add(tuple(moves[0][-1]))
    assert len(chosen) > 15


def test_bad_actions():
    env = aec_env("base")
    with pytest.raises(GameOverError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    before = env.engine.state.tobytes()
    illegal = int(np.flatnonzero(~env.engine.action_mask[0])[0])
    for action, error in [
        (None, ActionFormatError),
        (1.5, ActionFormatError),
        ("0", ActionFormatError),
        (-1, ActionFormatError),
        (10_000, ActionFormatError),
        (illegal, IllegalActionError),
    ]:
        with pytest.raises(error, match="seat_?\\s?[0-3]"):
            env.step(action)
        assert env.engine.state.tobytes() == before and env.last()[1] == 0.0
    env.step(np.int32(np.flatnonzero(env.engine.action_mask[0])[0]))
    env = parallel_env("base")
    env.reset(seed=0)
    with pytest.raises(ActionFormatError, match="is to act"):
        env.step({})
    with pytest.raises(IllegalActionError):
        play_out(aec_env("base"), 0, types.SimpleNamespace(choice=lambda legal: illegal))


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"scenario": "bace"}, UnknownScenarioError, "'base'"),
        ({"num_players": 9}, PlayerCountError, "2, 3, 4"),
        ({"illegal": "ignore"}, OptionError, "'raise', 'substitute'"),
        ({"max_cycles": 0}, OptionError, "at least 1"),
        ({"render_mode": "3d"}, OptionError, "'human', 'rgb_array', 'ansi'"),
        ({"shaping": -1}, OptionError, "at least 0"),
        ({"discount": 2}, OptionError, "from 0 to 1"),
        ({"reward": "points"}, OptionError, "win_loss"),
    ],
)
def test_bad_options(options, error, says):
    with pytest.raises(error, match=says):
        aec_env(**options)


@pytest.mark.parametrize("seed", [-1, 1.5, "one", True])
def test_bad_seeds(seed):
    with pytest.raises(OptionError, match="seed"):
        aec_env("base").reset(seed=seed)


FROM_RESET_ON = ["agent_selection", "rewards", "terminations", "truncations", "infos"]


@pytest.mark.parametrize("name", FROM_RESET_ON)
def test_what_there_is_from_reset_on_says_so(name):
    env = aec_env("base")
    for twin in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        with pytest.raises(
            NotStartedError, match=rf"'{name}' does not exist before the first game; call reset\(\) first"
        ):
            getattr(twin, name)
        assert not hasattr(twin, name)
        with pytest.raises(NotStartedError, match="reset"):
            twin.last()
        twin.reset(seed=0)
        assert getattr(twin, name) is not None
    with pytest.raises(AttributeError, match="'CatanAEC' object has no attribute 'prizes'"):
        _ = env.prizes


def interfaces(**options):
    """Yield, for every interface after a reset, functions that step with one action and return the action mask."""
    engine = BatchEngine("base", 1, 2)
    yield lambda action: engine.step([action]), lambda: engine.action_mask[0]
    for kind in ("aec", "gymnasium"):
        env = catan_env.make("base", kind, num_players=2, **options)
        env.reset(seed=0)
        yield env.step, lambda env=env: env.engine.action_mask[0]
    env = catan_env.make("base", "parallel", num_players=2)
    env.reset(seed=0)
    engine_of_all, agents = env.engine, env.possible_agents
    yield lambda action: env.step({agents[engine_of_all.seat_to_act[0]]: action}), lambda: engine_of_all.action_mask[0]
    for kind in ("vector", "sb3") if importlib.util.find_spec("stable_baselines3") else ("vector",):
        env = catan_env.make("base", kind, num_envs=1, num_players=2)
        env.reset()
        yield lambda action, env=env: env.step([action]), lambda env=env: env.engine.action_mask[0]


@pytest.mark.parametrize("kind", [int, np.int32, np.uint64, np.array, "tensor"])
def test_integers_are_actions_in_every_interface(kind):
    if kind == "tensor":
        kind = pytest.importorskip("torch").tensor
    for step, mask in interfaces():
        step(kind(int(np.flatnonzero(mask())[0])))


@pytest.mark.parametrize("action", [1.0, True, np.True_, np.float32(1), np.array(1.0), "1", None, [], [1, 2]], ids=repr)
def test_nothing_else_is_an_action_in_any_interface(action):
    for step, _ in interfaces():
        with pytest.raises(ActionFormatError, match="integer"):
            step(action)


@pytest.mark.parametrize("make", [np.array, list, "tensor"])
def test_an_array_of_one_integer_is_an_action_where_one_is_asked_for(make):
    make = pytest.importorskip("torch").tensor if make == "tensor" else make
    for kind in ("aec", "gymnasium"):
        env = catan_env.make("base", kind, num_players=2)
        env.reset(seed=0)
        env.step(make([int(np.flatnonzero(env.engine.action_mask[0])[0])]))
    engine = BatchEngine("base", 1, 2)
    engine.step(make([int(np.flatnonzero(engine.action_mask[0])[0])]))


def test_unseeded_environments_differ():
    assert aec_env("base").engine.seeds[0] != aec_env("base").engine.seeds[0]


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_continue_alike_and_apart(twin_of):
    env, rng = aec_env("base", shaping=1.0), np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(60):
        env.step(int(choose([env.last()[0]["action_mask"]], rng)[0]))
    twin, before = twin_of(env), env.engine.state.tobytes()
    for _ in range(60):
        twin.step(int(choose([twin.last()[0]["action_mask"]], np.random.default_rng(5))[0]))
    assert env.engine.state.tobytes() == before
    for _ in range(60):
        env.step(int(choose([env.last()[0]["action_mask"]], np.random.default_rng(5))[0]))
    assert same_games(env.engine, twin.engine)
    np.testing.assert_array_equal(env.last()[0]["observation"], twin.last()[0]["observation"])
    assert env._cumulative_rewards == twin._cumulative_rewards
    assert env.engine.replay_log() == twin.engine.replay_log()


# -- registries -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "players"), SMALLEST)
@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_pettingzoo_registry(scenario, players, kind):
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo 1.26 has no registry")
    name = pettingzoo_id(catan_env.find_scenario(scenario))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = pettingzoo.make(kind, name, num_players=players)
        register_environments()  # a second call changes nothing and does not warn
    assert env.metadata["name"] == f"catan_{scenario}_v{catan_env.find_scenario(scenario).version}"
    assert env.metadata["is_parallelizable"] == (kind == "parallel")


def test_a_new_scenario_gets_its_ids():
    libraries = [(gymnasium, "registry")]
    if hasattr(pettingzoo, "aec_registry"):
        libraries += [(pettingzoo, "aec_registry"), (pettingzoo, "parallel_registry")]
    before = [set(getattr(library, name)) for library, name in libraries]
    extra = dataclasses.replace(catan_env.find_scenario("base"), name="my_own+twist", version=3)
    register_environments(extra)
    added = [set(getattr(library, name)) - ids for (library, name), ids in zip(libraries, before, strict=True)]
    for (library, name), ids in zip(libraries, added, strict=True):
        for new in ids:
            getattr(library, name).pop(new)
    assert added[0] == {gymnasium_id(extra)} == {"catan/MyOwnTwist-v3"}
    assert all(ids == {pettingzoo_id(extra)} == {"catan/my_own_twist-v3"} for ids in added[1:])


def test_importing_stays_light():
    libraries = ["torch", "stable_baselines3", "sb3_contrib", "matplotlib", "pygame", "PIL"]
    heavy = [*libraries, "catan_agents", "catan_training"]
    code = "import catan_env.envs as e, sys; e.register_environments(); print(sys.modules.keys() & set(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# -- opponents and drawing --------------------------------------------------------------------------------------------


def test_opponents_by_name():
    assert {"random", "by_mask"} <= set(opponent_names())
    assert callable(make_opponent("random").act)
    with pytest.raises(UnknownAgentError, match=r"Did you mean 'random'\? Available: .*by_mask"):
        make_opponent("randon")


def test_a_renderer_may_be_replaced(monkeypatch):
    monkeypatch.setattr(viewer, "_renderers", dict(viewer._renderers))
    env = aec_env("base", 3, render_mode="ansi")
    env.reset(seed=0)
    assert "seat 0" in env.render().lower()
    install_renderer("ansi", lambda engine, game: f"game {game}")
    assert env.render() == "game 0"
    with pytest.raises(OptionError, match="ansi"):
        install_renderer("svg", print)
