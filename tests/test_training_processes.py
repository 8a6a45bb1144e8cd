"""Two processes that learn together over gloo, started by torchrun as a user would."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch

from catan_env.errors import CatanError
from catan_training.learning.processes import Processes
from catan_training.learning.run import resume
from tests.patience import PATIENCE
from tests.two_processes import one_step

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("two")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [*command, "-m", "tests.two_processes", str(place)],
        cwd=ROOT,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="module")
def both(folder):
    return [torch.load(folder / f"{rank}.pt", weights_only=True) for rank in range(2)]


def assert_equal(found, other):
    assert found.keys() == other.keys()
    for name, tensor in found.items():
        assert torch.equal(tensor, other[name]), name


def test_both_take_the_mean_of_what_each_would_learn_alone(both):
    """Each plays what it would play by itself with its seed; their step is that of the mean gradient."""
    first, second = (found["one_step"] for found in both)
    alone = [one_step(), one_step(seed=Processes(1, 2).seed_of(0), begin=first["start"])]
    assert_equal(first["start"], alone[0]["start"])
    assert_equal(first["start"], second["start"])
    assert torch.equal(first["actions"], alone[0]["actions"])
    assert torch.equal(second["actions"], alone[1]["actions"])
    assert not torch.equal(first["actions"], second["actions"])
    assert_equal(first["gradients"], second["gradients"])
    for name, gradient in first["gradients"].items():
        mean = (alone[0]["gradients"][name] + alone[1]["gradients"][name]) / 2
        assert torch.allclose(gradient, mean, rtol=1e-4, atol=1e-6), name
    assert_equal(first["weights"], second["weights"])
    assert first["choices"] == second["choices"] == 2 * alone[0]["choices"]
    assert any(not torch.equal(weights, alone[0]["weights"][name]) for name, weights in first["weights"].items())


def test_a_run_of_two_is_one_run(both, folder):
    first, second = (found["run"] for found in both)
    assert_equal(first["weights"], second["weights"])
    for same in ("folder", "ratings", "updates", "choices"):
        assert first[same] == second[same], same
    assert first["games"] != second["games"]
    assert first["measured"] == 4 and second["measured"] == 0  # two points against two agents
    assert 1200 <= first["choices"] < 1200 + 2 * 8 * 16
    run = Path(first["folder"])
    assert sorted(place.name for place in (folder / "runs").iterdir()) == sorted(
        Path(both[0][name]["folder"]).name for name in ("run", "resumed")
    )
    assert len(list((run / "tensorboard").glob("events*"))) == 1
    written = json.loads((run / "report.json").read_text())
    assert written["machine"]["processes"] == 2 and written["steps"] == first["choices"]
    assert written["command"].startswith("torchrun --nproc-per-node 2 --no-python catan train --name two")


def test_a_run_of_two_that_was_stopped_ends_as_one_that_was_not(both):
    for found in both:
        assert found["run"]["folder"] != found["resumed"]["folder"]
        assert_equal(found["run"]["weights"], found["resumed"]["weights"])
        for same in ("ratings", "updates", "choices", "finished", "games"):
            assert found["run"][same] == found["resumed"][same], same
    assert both[0]["run"]["measured"] == both[0]["resumed"]["measured"]


def test_a_run_of_two_is_not_gone_on_with_by_one(both):
    with pytest.raises(CatanError, match=r"used 2 process\(es\) and cannot resume with 1"):
        resume(both[0]["run"]["folder"])
