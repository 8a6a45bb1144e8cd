"""Datasets: row contents, equal files for any number of workers, resuming, reading, and learning from them."""

import json

import numpy as np
import polars as pl
import pytest

import catan_env
from catan_env.errors import CatanError, OptionError
from catan_training import cli
from catan_training.datasets.dataset import ABOUT, LINES, Dataset
from catan_training.datasets.plan import DatasetPlan
from catan_training.evaluation.fixtures import Entrant
from catan_training.examples.imitate_files import imitate

RULES = {"victory_points": 4}


def plan_of(*agents, **settings):
    usual = {"scenario": "base", "players": 3, "rules": RULES, "games": 10, "shard": 4, "seed": 7}
    return DatasetPlan(tuple(map(Entrant.read, agents)), **usual | settings)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a dataset of ten games in three shards, played by two agents with a policy and one without."""
    dataset = Dataset.begin(tmp_path_factory.mktemp("data") / "d", plan_of("random", "weighted", "heuristic"))
    dataset.run(workers=1)
    return dataset


def test_rows_are_the_decisions_of_the_games_as_replayed_from_their_logs(written):
    assert written.shards == [0, 1, 2] and written.games_done == 10
    for shard in written.shards:
        rows, games = written.table("decisions", shard), written.table("games", shard)
        arrays = next(written.batches(10_000, shards=[shard]))
        game = int(games["game"][1])
        own = np.flatnonzero(arrays["game"] == game)
        assert rows["step"].to_numpy()[own].tolist() == list(range(len(own))) and games["decisions"][1] == len(own)
        k = 0
        for replayed in catan_env.replay_steps(written.replay_log(game)):
            legal = replayed.action_mask[0]
            if replayed.seat_to_act[0] < 0 or legal.sum() < 2:
                continue
            assert arrays["seat"][own[k]] == replayed.seat_to_act[0]
            assert (arrays["mask"][own[k]] == legal).all() and legal[arrays["action"][own[k]]]
            assert (arrays["observation"][own[k]] == replayed.observe("flat", dtype="uint8")[0]).all()
            k += 1
        assert k == len(own)
        assert games["points"][1].to_list() == catan_env.replay(written.replay_log(game)).victory_points[0].tolist()


def test_rewards_add_up_to_returns_and_end_once_for_each_seat(written):
    table = written.scan().collect()
    winners = dict(written.scan("games").select("game", "winners").collect().iter_rows())
    for (game, seat), rows in table.group_by("game", "seat"):
        assert rows["terminal"].to_list() == [False] * (rows.height - 1) + [True]
        assert rows["reward"].sum() == rows["return"][0] == (1.0 if seat in winners[game] else -1.0)
        assert rows["reward"].reverse().cum_sum().reverse().to_list() == rows["return"].to_list()


def test_agents_rotate_and_log_their_policies(written):
    table = written.scan().collect()
    assert (table["agent"] == (table["seat"] + table["game"]) % 3).all()
    known = table.filter(pl.col("log_probability").is_not_null())
    assert set(known["agent"]) == {0, 1} and (known["log_probability"] < 0).any()
    batch = next(written.batches(10_000, shards=[0]))
    random = batch["agent"] == 0
    expected = -np.log(batch["mask"][random].sum(axis=1))
    np.testing.assert_allclose(batch["log_probability"][random], expected, rtol=1e-6)
    assert np.isnan(batch["log_probability"][batch["agent"] == 2]).all() and np.isnan(batch["values"]).all()


def test_search_agents_write_the_values_of_legal_actions(tmp_path):
    dataset = Dataset.begin(tmp_path, plan_of("greedy", games=1, rules={"victory_points": 3, "offers_per_turn": 0}))
    dataset.run(workers=1)
    batch = next(dataset.batches(10_000))
    legal, values = batch["mask"], batch["values"]
    assert (np.isnan(values) == ~legal).all() and np.isnan(batch["log_probability"]).all()
    best = np.where(legal, values, -np.inf).max(axis=1)
    np.testing.assert_array_equal(values[np.arange(len(best)), batch["action"]], best)


def test_an_interrupted_dataset_resumes_with_the_same_files(written, tmp_path):
    dataset = Dataset.begin(tmp_path, written.plan)

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dataset.run(1, stop)
    resumed = Dataset.begin(tmp_path, written.plan)
    assert resumed.shards == [0]
    resumed.run(1)
    again = Dataset(tmp_path)
    again.path("games", 2).unlink()  # a missing file is written again
    again.run(1)
    for kind in ("decisions", "games"):
        for shard in written.shards:
            assert again.path(kind, shard).read_bytes() == written.path(kind, shard).read_bytes()


def test_a_dataset_may_grow_and_not_change(tmp_path):
    dataset = Dataset.begin(tmp_path, plan_of("random", games=4))
    dataset.run(1)
    with pytest.raises(OptionError, match="different seed"):
        Dataset.begin(tmp_path, plan_of("random", games=4, seed=8))
    grown = Dataset.begin(tmp_path, plan_of("random", games=5))
    assert grown.shards == [0]
    grown.run(1)
    assert grown.games_done == 5
    with pytest.raises(OptionError, match="only grow"):
        Dataset.begin(tmp_path, plan_of("random", games=9))


def test_batches_split_and_shuffle(written):
    train, test = (list(written.batches(50, part)) for part in ("train", "test"))
    assert sum(len(b["action"]) for b in train + test) == written.rows
    assert {int(g) for b in test for g in b["game"]} == {0}
    first, second, other = (np.concatenate([b["game"] for b in written.batches(50, seed=s)]) for s in (1, 1, 2))
    assert (first == second).all() and (first != other).any() and len(first) == written.rows
    with pytest.raises(OptionError, match="part is 'tests'"):
        next(written.batches(50, "tests"))


def test_the_loader_shares_shards_between_workers(written):
    from torch.utils.data import DataLoader

    from catan_training.datasets.torch_loader import Decisions

    alone = [b["game"] for b in DataLoader(Decisions(written, 64, seed=None), batch_size=None)]
    assert sum(map(len, alone)) == written.rows
    loader = Decisions(written, 64, seed=3)
    passes = [np.concatenate([b["action"].numpy() for b in loader]) for _ in range(2)]
    assert (np.sort(passes[0]) == np.sort(passes[1])).all() and (passes[0] != passes[1]).any()


def test_damaged_and_foreign_folders_are_refused(written, tmp_path):
    with pytest.raises(OptionError, match="holds no dataset"):
        Dataset(tmp_path)
    dataset = Dataset.begin(tmp_path, plan_of("random", games=1))
    dataset.run(1)
    path = dataset.path("decisions", 0)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(CatanError, match="was changed since it was written"):
        dataset.table("decisions", 0)
    (tmp_path / LINES).write_text('{"shard": 3, "rows": 1, "decisions": "", "games": ""}\n')
    with pytest.raises(CatanError, match="line 1: there is no shard 3"):
        Dataset(tmp_path)
    about = json.loads((tmp_path / ABOUT).read_text())
    (tmp_path / ABOUT).write_text(json.dumps(about | {"format": "other/1"}))
    with pytest.raises(CatanError, match="other/1"):
        Dataset(tmp_path)


def test_bad_settings_are_refused_before_anything_is_written(tmp_path):
    for settings, message in (
        ({"games": 0}, "games is 0"),
        ({"encoder": "graph"}, "encoder is 'graph'"),
        ({"players": 9}, "9"),
    ):
        with pytest.raises(CatanError, match=message):
            plan_of("random", **settings)
    with pytest.raises(OptionError, match="2 agents for 3 seats"):
        plan_of("random", "random")
    with pytest.raises(CatanError, match="nobody"):
        Dataset.begin(tmp_path / "d", plan_of("nobody"))
    assert not (tmp_path / "d").exists()


def test_the_command_writes_a_dataset_that_a_network_learns_from(tmp_path, capsys):
    data, folder = tmp_path / "data", tmp_path / "agent"
    words = f"generate base --players 3 --agents heuristic --games 24 --shard 12 --workers 1 --out {data}".split()
    assert cli.main([*words, "--rules", "victory_points=4"]) == 0
    assert "24 games" in capsys.readouterr().out
    results = imitate(data, folder, epochs=3, hidden=(32,), size=128)
    assert results[-1][0] < results[0][0] - 0.1 and results[-1][1] > 0.25
    rules = ["--rules", "victory_points=4"]
    assert cli.main(["evaluate", "--agent", str(folder), "--players", "3", "--games", "6", *rules]) == 0
    assert "agent" in capsys.readouterr().out
