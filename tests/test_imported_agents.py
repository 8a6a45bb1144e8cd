"""Agents loaded from modules, Python files, Stable-Baselines3 zips and ONNX files."""

import json
import zipfile

import numpy as np
import pytest

import catan_env
from catan_agents import make_agent
from catan_agents.imported.policy import PolicyFileError
from catan_env.engine.batch import BatchEngine
from catan_env.envs.opponents import make_opponent
from catan_env.errors import CatanError, OptionError, UnknownAgentError
from catan_training.cli.options import agent
from catan_training.evaluation.fixtures import seated
from catan_training.evaluation.single_games import play

FIRST = """
class First:
    name = "first"

    def __init__(self, last=False):
        self.last = last

    def reset(self, seed):
        pass

    def act(self, engine, games):
        mask = engine.action_mask[games]
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1) if self.last else mask.argmax(axis=1)


class Mute:
    def reset(self, seed):
        pass


def first_or_last(last=False):
    return First(last)


NUMBER = 7
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "first_agent.py"
    path.write_text(FIRST)
    return path


@pytest.fixture
def engine():
    return BatchEngine("base", 3, 2, seed=1)


def play_some(engine, agent, steps):
    """Let an agent play all seats, and check that every action is legal."""
    for _ in range(steps):
        games = np.flatnonzero(engine.seat_to_act >= 0)
        actions = np.full(engine.num_games, -1)
        actions[games] = agent.act(engine, games)
        engine.step(actions)


def test_classes_of_files_and_modules(file, engine, monkeypatch):
    monkeypatch.syspath_prepend(str(file.parent))
    for name in (f"{file}:First", "first_agent:First", "first_agent:first_or_last"):
        agent = make_agent(name, last=True)
        assert agent.last
        assert make_opponent(name).act(engine, np.arange(3)).tolist() == engine.action_mask.argmax(axis=1).tolist()
    with pytest.raises(OptionError, match=r"cannot be created with {'depth': 2}.*Allowed options: last"):
        make_agent("first_agent:First", depth=2)


@pytest.mark.parametrize(
    "name, message",
    [
        ("FILE", "Name the class of an agent in a file: .*first_agent.py:MyAgent"),
        ("FILE:Second", "has no 'Second'. It has: First, Mute"),
        ("FILE:Mute", r"has no act\(\)"),
        ("FILE:NUMBER", "is 7; it must be a class of agents"),
        ("gone_module:First", "There is no module 'gone_module'. Install the package"),
        ("heuristics", "Did you mean 'heuristic'.*module:Class"),
    ],
)
def test_names_that_make_no_agent(name, message, file):
    with pytest.raises(UnknownAgentError, match=message):
        make_agent(name.replace("FILE", str(file)))


def test_the_last_agent_takes_the_remaining_seats(file):
    assert seated(["a", "b"], 4) == ["a", "b", "b", "b"]
    with pytest.raises(OptionError, match="3 agents for 2 seats; give 1 to 2"):
        seated(["a", "b", "c"], 2)
    log = play(["random", agent(f"{file}:First:last=false")], "base", 3, 0, {"turn_limit": 6})
    assert log["players"] == ["random", "first_agent.py:First:last=false", "first_agent.py:First:last=false"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Return the zip of an untrained MaskablePPO model for `base` with two players, and the model."""
    sb3 = pytest.importorskip("sb3_contrib")
    env = catan_env.make("base", "sb3", num_envs=1, num_players=2, rules={"turn_limit": 30})
    model = sb3.MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, policy_kwargs={"net_arch": [16]}, seed=3)
    path = tmp_path_factory.mktemp("sb3") / "policy.zip"
    model.save(path)
    return path, model


def test_a_zip_of_sb3_plays_as_its_model(saved, engine):
    path, model = saved
    agent, twin = make_agent(str(path), deterministic=True), make_opponent(str(path))
    play_some(engine, twin, 30)
    legal = engine.action_mask
    expected, _ = model.predict(engine.observe("flat"), action_masks=legal, deterministic=True)
    assert (
        agent.act(engine, np.arange(3)).tolist()
        == np.where(legal.sum(axis=1) > 1, expected, legal.argmax(axis=1)).tolist()
    )
    assert np.allclose(agent.probabilities(engine, np.arange(3)).sum(axis=1), 1.0)


def test_a_zip_of_sb3_runs_no_code_of_the_file(saved, tmp_path, engine):
    path, _ = saved
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    data = json.loads(parts["data"])
    for described in data.values():
        if isinstance(described, dict) and ":serialized:" in described:
            described[":serialized:"] = "no pickle at all"
    harmless = tmp_path / "harmless.zip"

    def written():
        with zipfile.ZipFile(harmless, "w") as archive:
            for name, content in {**parts, "data": json.dumps(data)}.items():
                archive.writestr(name, content)
        return str(harmless)

    assert make_agent(written()).act(engine, np.arange(3)).shape == (3,)
    data["policy_kwargs"] = {":type:": "<class 'dict'>", ":serialized:": "", "activation_fn": "<class 'evil.Thing'>"}
    with pytest.raises(PolicyFileError, match="harmless.zip is not loaded: .*Such a file can run any code"):
        make_agent(written())
    data["policy_kwargs"]["activation_fn"] = "<class 'torch.nn.modules.activation.ReLU'>"
    data["policy_kwargs"]["net_arch"] = "[16]"
    assert make_agent(written()).act(engine, np.arange(3)).shape == (3,)
    data["policy_class"]["__init__"] = "<function DQNPolicy.__init__ at 0x0>"
    with pytest.raises(PolicyFileError, match="not a policy of MaskablePPO, PPO or A2C"):
        make_agent(written())


def test_policies_belong_to_a_game(saved):
    agent = make_agent(str(saved[0]))
    with pytest.raises(PolicyFileError, match="does not fit 'base' with 4 players and the encoder 'flat'"):
        agent.act(BatchEngine("base", 1, 4), np.zeros(1, np.int64))


def onnx_file(path, size, actions):
    """Write a one-layer network whose weights are 0.01 times the action id, without bias. Return its path."""
    onnx = pytest.importorskip("onnx")
    weights = np.tile(np.arange(actions, dtype=np.float32) * 0.01, (size, 1))
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["observation", "weights"], ["logits"])],
        "policy",
        [onnx.helper.make_tensor_value_info("observation", onnx.TensorProto.FLOAT, ["n", size])],
        [onnx.helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, ["n", actions])],
        [onnx.numpy_helper.from_array(weights, "weights")],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, path)
    return str(path)


def test_onnx_files(tmp_path, engine):
    pytest.importorskip("onnxruntime")
    name = onnx_file(tmp_path / "last.onnx", engine.observe("flat").shape[1], engine.actions.n)
    play_some(engine, make_agent(name), 40)
    legal = engine.action_mask
    highest = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
    assert make_agent(name, deterministic=True).act(engine, np.arange(3)).tolist() == highest.tolist()
    with pytest.raises(PolicyFileError, match=r"reads observations of shape .* gives .* in 'base' with 3 players"):
        make_agent(name).act(BatchEngine("base", 1, 3), np.zeros(1, np.int64))
    wrong = onnx_file(tmp_path / "wrong.onnx", engine.observe("flat").shape[1], 5)
    with pytest.raises(PolicyFileError, match=r"gives an array of shape \(1, 5\)"):
        make_agent(wrong).act(engine, np.arange(3))
    (tmp_path / "text.onnx").write_text("nothing")
    with pytest.raises(PolicyFileError, match="is not an ONNX file"):
        make_agent(str(tmp_path / "text.onnx"))
    with pytest.raises(PolicyFileError, match="There is no file"):
        make_agent(str(tmp_path / "gone.zip"))


def test_missing_libraries_are_named(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    (tmp_path / "policy.onnx").write_text("nothing")
    with pytest.raises(
        CatanError, match=r"needs 'onnxruntime', which is not installed: pip install 'catan-env\[onnx\]'"
    ):
        make_agent(str(tmp_path / "policy.onnx"))
