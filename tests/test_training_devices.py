"""Training on the CPU and on a GPU, which must give the same results."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_training.learning.config import ConfigError, TrainConfig, resolve

pytest.importorskip("torch")

import torch

from catan_agents.learned import LearnedAgent, save_checkpoint
from catan_training.learning.checkpoints import load_state, save_state
from catan_training.learning.devices import device_of, pinned_zeros
from catan_training.learning.ppo import Learner, Samples

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
WAYS = {
    "flat": {"encoder": "flat"},
    "graph": {"encoder": "graph"},
    "planes": {"encoder": "planes"},
    "lookahead_features": {"encoder": "flat", "lookahead_features": True},
    "imitating": {"teacher": "heuristic", "imitation_fraction": 1.0},
    "compiled": {"compiled": True},
}


def learner(device, **options):
    return Learner(
        resolve(
            TrainConfig().updated(
                {
                    "num_games": 32,
                    "rollout_steps": 16,
                    "batch_size": 128,
                    "hidden": [32],
                    "torch_threads": 1,
                    "num_players": 4,
                    "teacher": "",
                    "pool_share": 0.25,
                    "pool_updates": 1,
                    "precision": "float32",
                    "compiled": False,
                    "device": device,
                    **options,
                }
            )
        )
    )


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_refused():
    assert device_of("auto") == device_of("cpu") == torch.device("cpu")
    with pytest.raises(ConfigError, match="PyTorch finds no GPU; use 'cpu' or 'auto'"):
        learner("cuda")


@needs_gpu
@pytest.mark.parametrize("kind", [np.uint8, np.bool_, np.int64, np.float32])
def test_what_a_gpu_reads_is_never_paged_out(kind):
    found = pinned_zeros((3, 4), kind, torch.device("cuda", 0))
    assert found.dtype == kind and found.shape == (3, 4) and not found.any()
    assert torch.from_numpy(found[1]).is_pinned()


@needs_gpu
@pytest.mark.parametrize("way", WAYS)
def test_a_gpu_learns_the_same_as_the_processor(way, tmp_path):
    here, there = learner("cpu", **{**WAYS[way], "compiled": False}), learner("cuda", **WAYS[way])
    there.load(here.state())  # the same network and games
    assert {parameter.device.type for parameter in there.network.parameters()} == {"cuda"}
    imitating = way == "imitating"
    rollout = here.collect(1, imitating)
    number = min(100, int(rollout.learn.sum()))
    losses = []
    for one in (here, there):
        samples = Samples(rollout, imitating, one.device)
        one.optimizer.zero_grad()
        loss, figures = one.loss(samples, samples.picked[:number], imitating, 0.01)
        loss.backward()
        losses.append(torch.stack([loss, *figures.values()]).detach().cpu())
    torch.testing.assert_close(*losses, rtol=1e-3, atol=1e-4)
    for mine, other in zip(here.network.parameters(), there.network.parameters(), strict=True):
        if mine.grad is not None:
            torch.testing.assert_close(mine.grad, other.grad.cpu(), rtol=1e-2, atol=1e-4)


@needs_gpu
@pytest.mark.parametrize("way", WAYS)
def test_training_on_a_gpu_repeats_and_goes_on_elsewhere(way, tmp_path):
    done = 0.0 if way == "imitating" else 1.0
    found, again = learner("cuda", **WAYS[way]), learner("cuda", **WAYS[way])
    for _ in range(3):
        figures = found.update(done)
        assert figures == again.update(done) and all(np.isfinite(figure) for figure in figures.values())
    save_state(tmp_path, found.state())
    here = learner("cpu", **{**WAYS[way], "compiled": False})
    here.load(load_state(tmp_path))
    for mine, other in zip(here.network.parameters(), found.network.parameters(), strict=True):
        assert torch.equal(mine, other.cpu())
    assert np.isfinite(here.update(done)["value_error"])


@needs_gpu
def test_an_agent_on_a_gpu_plays_as_from_its_checkpoint(tmp_path):
    found = learner("cuda")
    save_checkpoint(tmp_path, found.network, found.player.description, {})
    engine = BatchEngine("base", 16, 4, seed=3, rules={"offers_per_turn": 0})
    games = np.arange(16)
    here = LearnedAgent.load(tmp_path)
    np.testing.assert_allclose(found.player.probabilities(engine, games), here.probabilities(engine, games), atol=1e-5)
    assert engine.action_mask[games, found.player.act(engine, games)].all()
