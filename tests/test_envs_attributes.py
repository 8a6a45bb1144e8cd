"""Options as attributes: some can be changed, and setting any other raises an error instead of doing nothing."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

import catan_env
from catan_env.envs.attributes import LearnerAttributes
from catan_env.errors import OptionError

LEARNERS = ("gymnasium", "vector", "sb3")
KINDS = ("aec", "parallel", *LEARNERS)


class Mute:
    """An opponent that counts how often it is asked."""

    def __init__(self):
        self.calls = 0

    def act(self, engine, games):
        self.calls += len(games)
        return engine.action_mask[games].argmax(axis=1)


def made(kind, **options):
    return catan_env.make("base", kind, compiled=False, **options)


def play(env, kind, steps=4):
    """Reset an environment, take the first legal action at each step, and return what the steps return."""
    if kind == "gymnasium":
        env.reset(seed=0)
        return [env.step(int(env.action_masks().argmax())) for _ in range(steps)]
    if kind == "vector":
        env.reset(seed=0)
    else:
        env.seed(0)
        env.reset()
    return [env.step(env.action_masks().argmax(axis=1)) for _ in range(steps)]


def ways_to_set(env, kind):
    yield lambda name, value: setattr(env, name, value)
    if kind == "gymnasium":
        yield env.set_wrapper_attr
        yield gymnasium.wrappers.TimeLimit(env, 9).set_wrapper_attr
    else:
        yield env.set_attr


@pytest.mark.parametrize("kind", LEARNERS)
def test_opponents_can_be_changed_in_every_way(kind):
    env = made(kind)
    for change in ways_to_set(env, kind):
        opponent = Mute()
        change("opponents", opponent)
        play(env, kind)
        assert opponent.calls > 0 and env.opponents == [opponent]
    opponent = Mute()
    env.set_opponents([opponent, "random"])
    before = list(env.opponents)
    play(env, kind)
    assert opponent.calls > 0
    with pytest.raises(OptionError, match="Unknown opponent|opponent"):
        env.set_opponents(["random", 3])
    assert env.opponents == before


def test_sb3_changes_opponents_by_env_method():
    env = made("sb3", num_envs=2)
    opponent = Mute()
    env.env_method("set_opponents", opponent)
    play(env, "sb3")
    assert opponent.calls > 0 and env.get_attr("opponents") == [[opponent]] * 2


@pytest.mark.parametrize("kind", LEARNERS)
def test_changeable_options_have_an_effect(kind):
    env = made(kind)
    for change in ways_to_set(env, kind):
        change("max_episode_steps", 2)
        change("illegal", "raise")
        change("seat", 2)
        change("illegal_penalty", 0.5)
        games = env.games
        assert (games.max_episode_steps, games.illegal, games.seat, games.illegal_penalty) == (2, "raise", 2, 0.5)
        for name, wrong in (("max_episode_steps", 0), ("illegal", "ignore"), ("seat", 4), ("illegal_penalty", -1)):
            with pytest.raises(OptionError, match=name):
                change(name, wrong)
        change("seat", 1)
    play(env, kind, 2)
    assert env.games.seats.tolist() == [1]
    if kind == "gymnasium":
        assert play(env, kind, 2)[-1][3], "truncated after two actions"


@pytest.mark.parametrize("kind", KINDS)
def test_every_other_option_is_fixed(kind):
    env = made(kind)
    changeable = {*LearnerAttributes.changeable, "max_cycles", "render_mode", "monitor"} - (
        set() if kind in LEARNERS else {"opponents"}
    )
    for name in catan_env.spec(kind).names:
        if name in changeable or name in ("noop", "autoreset_mode", "num_envs"):
            continue
        with pytest.raises((OptionError, AttributeError), match="fixed when it is made|no setter"):
            setattr(env, name, getattr(env, name))
    if kind not in LEARNERS:
        with pytest.raises(OptionError, match="all seats are yours"):
            env.opponents = "heuristic"


@pytest.mark.parametrize("kind", LEARNERS)
def test_unknown_names_raise(kind):
    env = made(kind)
    for change in list(ways_to_set(env, kind))[1:]:
        with pytest.raises(OptionError, match="Did you mean 'opponents'"):
            change("opponent", "heuristic")
        with pytest.raises(OptionError, match="fixed"):
            change("encoder", "planes")


@pytest.mark.parametrize("kind", LEARNERS)
def test_resets_refuse_unknown_options(kind):
    env = made(kind)
    with pytest.raises(OptionError, match="reset has no option 'seat'"):
        if kind == "sb3":
            env.set_options({"seat": 1})
            env.reset()
        else:
            env.reset(options={"seat": 1})


def test_attributes_of_engines_are_fixed():
    engine = catan_env.BatchEngine("base", 2, compiled=False)
    for name in engine.settings.keys() - {"record"} | {"rules"}:
        with pytest.raises(OptionError, match="fixed"):
            setattr(engine, name, getattr(engine, name))
    with pytest.raises(TypeError, match="rule numbers of an engine are fixed"):
        engine.rules["victory_points"] = 3
    for twin in (copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
        assert twin.rules == engine.rules
        np.testing.assert_array_equal(twin.state, engine.state)


def test_vectors_have_the_attributes_of_gymnasium():
    env = gymnasium.make_vec("catan/Base-v2", num_envs=3, compiled=False)
    assert env.unwrapped.engine.num_games == 3, "one batched engine"
    assert len(env.unwrapped.get_attr("seat")) == 3
    env.reset(seed=0)
    assert [mask.shape for mask in env.unwrapped.call("action_masks")] == [(env.single_action_space.n,)] * 3
