"""The cookbook's line for Weights & Biases sends the curves of a training run."""

import re
import sys
import types
from pathlib import Path

import pytest

import catan_env
from catan_env.envs import CatanEnv

pytest.importorskip("sb3_contrib")
pytest.importorskip("tensorboard")

PAGE = Path(catan_env.__file__).parents[1] / "docs" / "how-to" / "cookbook.md"


class StandIn(types.ModuleType):
    """A stand-in for the package `wandb`. Like `wandb`, it records TensorBoard events after `init`."""

    def __init__(self, monkeypatch):
        super().__init__("wandb")
        self.tags, self.project, self._monkeypatch = set(), "", monkeypatch

    def init(self, project, sync_tensorboard=False):
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self.project, write = project, EventFileWriter.add_event

        def listen(writer, event):
            self.tags.update(value.tag for value in event.summary.value)
            write(writer, event)

        if sync_tensorboard:
            self._monkeypatch.setattr(EventFileWriter, "add_event", listen)


def test_one_line_sends_the_curves_of_sb3(monkeypatch, tmp_path):
    from sb3_contrib import MaskablePPO

    (line,) = re.findall(r"`(wandb\.init\(.*?\))`", PAGE.read_text("utf-8"))
    stand_in = StandIn(monkeypatch)
    monkeypatch.setitem(sys.modules, "wandb", stand_in)
    exec(f"import wandb\n{line}")
    env = CatanEnv("base", num_players=2, rules={"victory_points": 2}, max_episode_steps=20, compiled=False)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, seed=0, tensorboard_log=str(tmp_path))
    model.learn(64)
    assert stand_in.project == "catan"
    assert {"rollout/ep_rew_mean", "train/loss"} <= stand_in.tags
