"""Untrusted files: a log or checkpoint with changed contents and a valid checksum is rejected with a clear error, or
works as a valid file does."""

import copy
import functools
import json
import os
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catan_env
from catan_env import BatchEngine
from catan_env.engine.replay import _checksum
from catan_env.errors import CatanError, ReplayError
from tests import damaged_files
from tests.strategies import PLAIN_PYTHON, play_on

EXAMPLES = 15 if PLAIN_PYTHON else 60

leaves = st.none() | st.booleans() | st.integers() | st.integers(-300, 300) | st.floats() | st.text(max_size=8)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value, path=()):
    """Yield the paths to all parts of nested lists and mappings."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def replaced(value, path, new):
    """Return a copy with the part at a path replaced."""
    if not path:
        return new
    value = copy.deepcopy(value)
    part = value
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = new
    return value


# -- logs --------------------------------------------------------------------------------------------------------------


@functools.cache
def log():
    by_coordinates = catan_env.find_scenario("base").board.laid("beginner", 4).save()
    engine = BatchEngine("base", 1, 3, seed=4, record=True, board=by_coordinates, rules={"victory_points": 8})
    return json.loads(json.dumps(play_on(engine, 25, 1).replay_log()))


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_changed_logs_are_refused_or_played(data):
    contents = {key: value for key, value in log().items() if key not in ("format", "checksum")}
    path = data.draw(st.sampled_from([p for p in places(contents) if p]))
    changed = {**log(), **replaced(contents, path, data.draw(anything))}
    changed["checksum"] = _checksum(changed)
    try:
        engine = catan_env.replay(changed)
    except ReplayError as error:
        assert len(str(error)) > 20
    else:
        assert not engine.broken_invariants()
        assert len(engine.replay_log()["moves"]) == len(changed["moves"])


# -- checkpoints -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[8, 16, 32])
def checkpoint(tmp_path_factory, request):
    """Return a folder with a tiny untrained network."""
    torch = pytest.importorskip("torch")
    from catan_agents import learned, networks

    engine = BatchEngine("base")
    encoder = engine.encoder("flat", "uint8")
    torch.manual_seed(0)
    network, about = networks.network_for(engine, encoder, (4,), "tanh")
    description = learned.describe(engine, encoder, about)
    return learned.save_checkpoint(tmp_path_factory.mktemp("checkpoint"), network, description, {}, bits=request.param)


@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_changed_descriptions_of_checkpoints_are_refused_or_loaded(checkpoint, data):
    from catan_agents import learned

    file = checkpoint / learned.DESCRIPTION_FILE
    text = file.read_text("utf-8")
    contents = json.loads(text)
    path = data.draw(st.sampled_from([p for p in places(contents) if p and p[0] != "training"]))
    file.write_text(json.dumps(replaced(contents, path, data.draw(anything))), "utf-8")
    try:
        agent = learned.LearnedAgent.load(checkpoint)
        agent.act(BatchEngine("base"), np.arange(1))
    except CatanError as error:
        assert len(str(error)) > 20
    finally:
        file.write_text(text, "utf-8")


def test_networks_too_large_to_be_meant_are_refused_before_they_are_made(checkpoint):
    from catan_agents import learned

    file = checkpoint / learned.DESCRIPTION_FILE
    text = file.read_text("utf-8")
    for hidden in ([65_536] * 3, [8] * 1000):
        file.write_text(json.dumps(replaced(json.loads(text), ("network", "hidden"), hidden)), "utf-8")
        try:
            with pytest.raises(learned.CheckpointError, match="network"):
                learned.LearnedAgent.load(checkpoint)
        finally:
            file.write_text(text, "utf-8")


def test_weights_that_are_no_numbers_are_refused(checkpoint):
    from safetensors.torch import load, save

    from catan_agents import learned

    file = checkpoint / learned.WEIGHTS_FILE
    good = file.read_bytes()
    weights = load(good)
    name = next(name for name, tensor in weights.items() if tensor.is_floating_point())
    weights[name].view(-1)[0] = float("nan")
    try:
        file.write_bytes(save(weights))
        with pytest.raises(learned.CheckpointError, match=f"{name.removesuffix('/row_scales')}.* not finite"):
            learned.LearnedAgent.load(checkpoint)
    finally:
        file.write_bytes(good)


def test_a_flipped_bit_of_a_weight_is_noticed_and_files_without_a_checksum_are_read(checkpoint):
    from safetensors.torch import load, save

    from catan_agents import learned

    file = checkpoint / learned.WEIGHTS_FILE
    good = file.read_bytes()
    try:
        file.write_bytes(good[:-3] + bytes([good[-3] ^ 1]) + good[-2:])
        with pytest.raises(learned.CheckpointError, match=r"network\.safetensors.*checksum does not match"):
            learned.LearnedAgent.load(checkpoint)
        file.write_bytes(save(load(good)))
        learned.LearnedAgent.load(checkpoint)
    finally:
        file.write_bytes(good)


@pytest.mark.parametrize("kind", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float64"])
def test_weights_of_other_kinds_of_numbers_are_refused(checkpoint, kind, tmp_path):
    import torch
    from safetensors.torch import load, save

    from catan_agents import learned
    from catan_agents.search.weights import WeightsError

    file = checkpoint / learned.WEIGHTS_FILE
    good = file.read_bytes()
    weights = load(good)
    name = next(iter(weights))
    weights[name] = weights[name].to(getattr(torch, kind))
    try:
        file.write_bytes(save(weights))
        with pytest.raises(learned.CheckpointError, match=f"{name} has the dtype .*; allowed: F16, F32"):
            learned.LearnedAgent.load(checkpoint)
    finally:
        file.write_bytes(good)
    value_path, read = damaged_files.value_network(tmp_path)
    good = value_path.read_bytes()
    weights = load(good)
    value_path.write_bytes(save(weights | {"0.weights": weights["0.weights"].to(getattr(torch, kind))}))
    with pytest.raises(WeightsError, match=r"0\.weights has the dtype"):
        read()


def test_a_flipped_bit_of_a_value_network_is_noticed_and_files_without_a_checksum_are_read(tmp_path):
    pytest.importorskip("safetensors")
    from safetensors.numpy import load, save

    from catan_agents.search.weights import WeightsError

    path, read = damaged_files.value_network(tmp_path)
    good = path.read_bytes()
    path.write_bytes(good[:-3] + bytes([good[-3] ^ 1]) + good[-2:])
    with pytest.raises(WeightsError, match=r"value\.safetensors is not a value network: its checksum does not match"):
        read()
    about = json.loads(re.search(rb'"about":("(?:[^"\\]|\\.)*")', good)[1])
    without = {key: value for key, value in json.loads(about).items() if key != "checksum"}
    path.write_bytes(save(load(good), {"about": json.dumps(without)}))
    read()
    path.write_bytes(save(load(good), {"about": json.dumps(json.loads(about) | {"made": {"by": "somebody else"}})}))
    with pytest.raises(WeightsError, match="checksum does not match"):
        read()


def test_a_changed_state_of_a_training_run_is_noticed_and_one_without_a_checksum_is_read(tmp_path):
    torch = pytest.importorskip("torch")
    from catan_agents.learned import CheckpointError

    path, read = damaged_files.run_state(tmp_path)
    state = torch.load(path, weights_only=True)
    state["learner"]["network"][0]["array"][3] += 1
    torch.save(state, path)
    with pytest.raises(CheckpointError, match=r"training\.pt is damaged: its checksum does not match"):
        read()
    del state["checksum"]
    torch.save(state, path)
    assert read()["measured"] == 0


class Harmful:
    """Creates a folder as soon as it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("somebody_else_was_here",)


def test_checkpoints_run_no_code(checkpoint, monkeypatch, tmp_path):
    import torch

    from catan_agents import learned

    monkeypatch.chdir(tmp_path)
    file = checkpoint / learned.WEIGHTS_FILE
    good = file.read_bytes()
    try:
        torch.save({"weights": Harmful()}, file)
        with pytest.raises(learned.CheckpointError, match="damaged"):
            learned.LearnedAgent.load(checkpoint)
        assert not list(tmp_path.iterdir())
    finally:
        file.write_bytes(good)
