"""Datasets exported to Minari, and loaded by Minari itself."""

import numpy as np
import pytest

pytest.importorskip("minari")
pytest.importorskip("pyarrow")

from catan_env.errors import OptionError
from catan_training.datasets.dataset import Dataset
from catan_training.datasets.minari_export import to_minari
from tests.test_datasets import plan_of

minari = pytest.importorskip("minari")


@pytest.mark.filterwarnings("ignore:::minari")
def test_minari_reads_what_each_seat_saw_and_did(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    dataset = Dataset.begin(tmp_path / "d", plan_of("weighted", games=3, shard=2))
    dataset.run(workers=1)
    to_minari(dataset, "catan/three-v0")
    found = minari.load_dataset("catan/three-v0")
    assert found.total_episodes == 9 and found.total_steps == dataset.rows
    rows = [batch for shard in dataset.shards for batch in dataset.batches(10_000, shards=[shard])]
    for episode in found.iterate_episodes():
        game, seat = int(episode.infos["game"][0]), int(episode.infos["seat"][0])
        batch = next(batch for batch in rows if game in batch["game"])
        own = (batch["game"] == game) & (batch["seat"] == seat)
        np.testing.assert_array_equal(episode.observations["observation"][:-1], batch["observation"][own])
        np.testing.assert_array_equal(episode.observations["action_mask"][:-1], batch["mask"][own])
        np.testing.assert_array_equal(episode.actions, batch["action"][own])
        np.testing.assert_allclose(episode.rewards, batch["reward"][own])
        ends = episode.terminations | episode.truncations
        assert ends[-1] and not ends[:-1].any()
    with pytest.raises(OptionError, match="has a dataset"):
        to_minari(dataset, "catan/three-v0")
