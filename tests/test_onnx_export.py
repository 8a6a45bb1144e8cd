"""ONNX export: the file computes the network's outputs, plays as an agent, and has metadata that describes it."""

import json

import numpy as np
import pytest

from catan_agents import make_agent, onnx_export
from catan_agents.bundled import PRETRAINED, VALUE_FILE
from catan_agents.learned import LearnedAgent, describe, save_checkpoint
from catan_agents.networks import network_for
from catan_agents.search.value_network import load_value_network
from catan_env import BatchEngine
from catan_env.errors import CatanError, UnknownScenarioError
from catan_training import cli

onnxruntime = pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")
torch = pytest.importorskip("torch")


def checkpoint(folder, encoder="flat", dtype="uint8"):
    """Save an untrained policy for three players with clearly different logits. Return its folder."""
    torch.manual_seed(0)
    engine = BatchEngine("base", 1, 3)
    observed = engine.encoder(encoder, dtype)
    network, about = network_for(engine, observed, (16, 16), "relu")
    with torch.no_grad():
        for name, weights in network.named_parameters():
            if name.startswith("policy"):
                weights.mul_(300)
    return save_checkpoint(folder, network, describe(engine, observed, about), {})


@pytest.mark.parametrize("encoder", ["flat", "planes"])
def test_a_policy_plays_from_the_file_as_from_its_checkpoint(encoder, tmp_path):
    folder, file = checkpoint(tmp_path / "agent", encoder), tmp_path / "policy.onnx"
    about = onnx_export.export(folder, file)
    assert about["difference"] < 1e-3 and about["scenario"] == "base" and about["encoder"] == encoder
    engine = BatchEngine("base", 16, 3, seed=3)
    rng = np.random.default_rng(0)
    for _ in range(60):
        engine.step(np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1))
    games = np.flatnonzero(engine.seat_to_act >= 0)
    expected = LearnedAgent.load(folder).probabilities(engine, games)
    found = make_agent(file, encoder=encoder).probabilities(engine, games)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert expected.max() > 0.5 and len(np.unique(expected.argmax(axis=1))) > 2
    model = onnx.load(file)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert metadata["format"] == "catan-policy-onnx/1" and metadata["num_players"] == "3"


def test_a_value_network_gives_its_chances_from_the_file(tmp_path, capsys):
    file = tmp_path / "value.onnx"
    assert cli.main(["export", "base-value", "--out", str(file)]) == 0
    assert "differ by at most" in capsys.readouterr().out
    network = load_value_network(PRETRAINED / "base-value" / VALUE_FILE)
    features = np.random.default_rng(1).random((5, len(network.inputs))).astype(np.float32)
    row = features
    for weights, biases in network.layers[:-1]:
        row = np.maximum(row @ weights + biases, 0)
    weights, biases = network.layers[-1]
    session = onnxruntime.InferenceSession(str(file))
    (chances,) = session.run(["chance"], {"features": features})
    np.testing.assert_allclose(chances, 1 / (1 + np.exp(-(row @ weights + biases)[:, 0])), rtol=1e-4)
    metadata = session.get_modelmeta().custom_metadata_map
    assert json.loads(metadata["inputs"]) == list(network.inputs)


def test_a_wrong_file_is_not_written(tmp_path, monkeypatch):
    folder = checkpoint(tmp_path / "agent")
    monkeypatch.setattr(onnx_export, "_difference", lambda *arguments: 0.5)
    with pytest.raises(onnx_export.ExportError, match="differ by up to 0.5"):
        onnx_export.export(folder, tmp_path / "policy.onnx")
    assert not (tmp_path / "policy.onnx").exists()


def test_other_agents_and_names_are_refused(tmp_path):
    graph = checkpoint(tmp_path / "graph", "graph")
    for agent, file, message in (
        ("base-strong", "x.onnx", "reads lookahead features"),
        (graph, "x.onnx", "kind 'graph'"),
        ("heuristic", "x.onnx", "neither a bundled trained agent"),
        ("base-value", "x.bin", "must end in .onnx"),
        ("knights-value", "x.onnx", "corrects sums of terms"),
    ):
        with pytest.raises(CatanError, match=message):
            onnx_export.export(agent, tmp_path / file)


def test_a_policy_names_the_module_of_its_scenario(tmp_path):
    folder = checkpoint(tmp_path / "agent", "flat")
    description = json.loads((folder / "checkpoint.json").read_text())
    description |= {"scenario": "reefs", "requires": {"module": "reefs_of_others", "version": "1.2"}}
    (folder / "checkpoint.json").write_text(json.dumps(description))
    with pytest.raises(
        UnknownScenarioError,
        match="Scenario 'reefs_of_others:reefs' needs the module 'reefs_of_others'.*--import reefs_of",
    ):
        onnx_export.export(folder, tmp_path / "policy.onnx")
