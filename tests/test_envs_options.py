"""One signature for all environments: specs, defaults and hints for misspelt options."""

import inspect
import re
from pathlib import Path

import gymnasium
import pytest

import catan_env
from catan_env.envs import CatanEnv, CatanVectorEnv, aec_env, parallel_env
from catan_env.envs.options import MEANINGS
from catan_env.errors import OptionError

KINDS = ("aec", "parallel", "gymnasium", "vector", "sb3")
ELSEWHERE = {"buf": "puffer", "seed": "puffer", "with_state": "torchrl"}
"""Options of environments whose libraries may be missing."""
PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "environments.md"


@pytest.mark.parametrize("kind", KINDS)
def test_specs_are_the_signatures(kind):
    made = {"aec": aec_env, "parallel": parallel_env, "gymnasium": CatanEnv, "vector": CatanVectorEnv}
    spec = catan_env.spec(kind)
    signature = inspect.signature(made.get(kind) or catan_env.envs.SB3VecEnv)
    assert spec.names == [*signature.parameters]
    for option in spec.options:
        assert option.default == signature.parameters[option.name].default
        assert option.meaning == MEANINGS[option.name]
        assert f"{option.name} = " in str(spec)


def test_defaults_can_be_given():
    for kind in ("aec", "parallel", "gymnasium", "vector"):
        defaults = {option.name: option.default for option in catan_env.spec(kind).options}
        env = catan_env.make(kind=kind, **{name: value for name, value in defaults.items() if name != "render_mode"})
        assert env.engine.record == defaults.get("record", True)


def test_meanings_belong_to_options():
    assert {name for kind in KINDS for name in catan_env.spec(kind).names} == set(MEANINGS) - set(ELSEWHERE)
    assert catan_env.spec("parallel")["illegal"].default == "substitute"
    assert catan_env.spec("aec")["illegal"].default == "raise"


@pytest.mark.parametrize(
    ("kind", "name", "says"),
    [
        ("gymnasium", "opponent", "kind 'gymnasium' have no option 'opponent'. Did you mean 'opponents'"),
        ("vector", "num_games", "Did you mean 'num_envs'"),
        ("sb3", "max_cycles", "Did you mean 'max_episode_steps'.*kind 'aec' and 'parallel' have it"),
        ("parallel", "max_episode_steps", "Did you mean 'max_cycles'"),
        ("aec", "noop", "the kind 'parallel' have it"),
        ("aec", "shapping", "Did you mean 'shaping'"),
    ],
)
def test_misspelt_options(kind, name, says):
    with pytest.raises(OptionError, match=says):
        catan_env.make("base", kind, **{name: 1})


def test_misspelt_options_of_the_libraries():
    with pytest.raises(OptionError, match="Did you mean 'opponents'"):
        gymnasium.make("catan/Base-v2", opponent="random")
    with pytest.raises(OptionError, match=r"print\(catan_env.spec\('vector'\)\)"):
        gymnasium.make_vec("catan/Base-v2", num_envs=2, sea=1)
    with pytest.raises(OptionError, match="allowed: 'aec'"):
        catan_env.spec("aek")


def test_the_page_explains_every_option():
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(rows) == set(MEANINGS)
    for name, kinds in rows.items():
        having = [kind for kind in KINDS if name in catan_env.spec(kind).names] or [ELSEWHERE[name]]
        assert kinds == ("all" if len(having) == len(KINDS) else ", ".join(having)), name
