"""Games on several machines: the worker pool of tournaments and studies, and a Ray cluster that loses workers."""

import importlib
import json
import os
import socket
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from polars.testing import assert_frame_equal

from catan_env.errors import CatanError, MissingExtraError, OptionError
from catan_training import cli
from catan_training.balance.plan import Condition, Plan
from catan_training.balance.study import Study
from catan_training.evaluation import cluster, tournaments, workers
from catan_training.evaluation.fixtures import Fixtures
from catan_training.evaluation.journal import LINES
from catan_training.evaluation.tournaments import run_tournament
from catan_training.evaluation.workers import play_jobs
from catan_training.learning import value_learning
from catan_training.learning.value_learning import learn_values
from catan_training.learning.value_settings import ValueTraining
from tests.lossy_jobs import begun, die, fail, hang, play_in_danger, until

RULES = {"offers_per_turn": 0, "victory_points": 3}
CUP = Fixtures.read(
    {
        "agents": ["random", "weighted"],
        "players": [2],
        "rules": RULES,
        "games": 40,
        "batch": 4,
        "seed": 5,
    }
)
STUDY = Plan.make("study", [Condition("base", "base", 2, RULES)], ["random", "weighted"], games=32, seed=7, batch=4)
JOBS = [(0, first) for first in range(0, 20, 2)]


def lines(folder):
    """Return the jobs in a journal, in the order of the plan."""
    found = map(json.loads, Path(folder, LINES).read_text().splitlines())
    return sorted(found, key=lambda line: (line.get("table", 0), line.get("condition", 0), line["first"]))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return the results of a single process: the journal of the tournament and the tables of the study."""
    folder = tmp_path_factory.mktemp("alone")
    run_tournament(CUP, folder / "cup", 1)
    return lines(folder / "cup"), Study.begin(folder / "study", STUDY).run(1)


# -- without Ray -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ["tournament", "run", "new", "--agents", "random", "weighted"],
        ["balance", "base"],
        ["ladder", "base"],
        ["measure", "base", "--out", "new"],
        ["train-value", "--out", "new"],
    ],
)
def test_without_the_extra_one_line_says_what_to_install(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    assert cli.main([*command, "--ray", "auto"]) == 2
    assert capsys.readouterr().err == (
        f"catan {command[0]}: Playing on a cluster requires Ray: pip install 'catan-env[ray]'.\n"
    )
    assert not list(tmp_path.iterdir())
    with pytest.raises(MissingExtraError):
        list(play_jobs(CUP, iter(JOBS), "auto", fail))
    with pytest.raises(SystemExit):
        cli.main([*command, "--ray", "auto", "--workers", "2"])
    assert "not allowed with" in capsys.readouterr().err


def test_a_cluster_that_does_not_answer_is_reported_at_once(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
    for address in (f"127.0.0.1:{port}", "auto"):
        with pytest.raises(OptionError, match=f"No Ray cluster answers at 127.0.0.1:{port}"):
            cluster.connect(address)
    for address in ("", "somewhere", "somewhere:", ":6379", "somewhere:port", "http://somewhere:6379"):
        with pytest.raises(OptionError, match="must be auto, local or HOST:PORT"):
            cluster.connect(address)


def test_a_pool_is_given_no_more_than_it_has_room_for():
    """Jobs end in a different order than they start, and the pool grows in the meantime."""
    running, rooms, given, out = [], [], [], []

    def end(which):
        future, job = running.pop(which)
        future.set_result(job)

    def submit(*job):
        given.append(job)
        running.append((Future(), job))
        future = running[-1][0]
        if len(given) == 2:
            end(-1)
        return future

    def room():
        if running:
            end(0)
        rooms.append(2 if len(rooms) < 3 else 4)
        return rooms[-1]

    waiting = []
    for job in workers._submitted(submit, iter(JOBS), room):
        out.append(job)
        waiting.append(len(given) - len(out))
        assert waiting[-1] < rooms[-1]
    assert sorted(out) == given == JOBS and out[0] == JOBS[1] and max(waiting) == 3


@contextmanager
def one_thread(settings, play, address):
    """Yield functions like those of a cluster, for a pool with one thread."""
    assert address == "somewhere"
    with ThreadPoolExecutor(1) as pool:
        yield lambda *job: pool.submit(play, settings, *job), lambda: 3


def test_tournaments_and_studies_are_played_by_the_same_pool(alone, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "on_cluster", one_thread)
    run_tournament(CUP, tmp_path / "cup", "somewhere")
    assert lines(tmp_path / "cup") == alone[0]
    for found, wanted in zip(Study.begin(tmp_path / "study", STUDY).run("somewhere"), alone[1]):
        assert_frame_equal(found, wanted)


# -- on a cluster of two nodes on this machine ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def machines():
    """Connect to a local cluster of two one-core nodes. Yield it and the node that does not run the driver."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    memory = 100 * 2**20
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": memory})
    other = nodes.add_node(num_cpus=1, object_store_memory=memory)
    nodes.wait_for_nodes()
    cluster.connect(nodes.address)
    yield nodes, other
    ray.shutdown()
    nodes.shutdown()


@pytest.mark.slow
def test_a_study_on_a_cluster_finds_what_one_process_finds(alone, machines, tmp_path):
    reports = []
    found = Study.begin(tmp_path, STUDY).run("auto", lambda done, total: reports.append((done, total)))
    assert reports == [(done, 32) for done in range(0, 33, 4)]
    for table, wanted in zip(found, alone[1]):
        assert_frame_equal(table, wanted)


@pytest.mark.slow
def test_a_value_network_learned_on_a_cluster_is_the_one_that_one_process_learns(machines, tmp_path, monkeypatch):
    monkeypatch.setattr(value_learning, "PART", 2)
    about = ValueTraining(players=2, rules=RULES, hidden=(5, 3), games=6, state_sample_rate=0.5, batch=64, check=0)
    alone, found = (learn_values(about, tmp_path / str(workers), 1, workers=workers) for workers in (1, "auto"))
    for layer, wanted in zip(found.layers, alone.layers, strict=True):
        for part, wanted_part in zip(layer, wanted, strict=True):
            assert np.array_equal(part, wanted_part)


REEFS = """
import catan_env

catan_env.scenario_from({"name": "ray_reefs", "extends": "base", "numbers": {"victory_points": 3}})
"""


@pytest.mark.slow
def test_workers_of_a_cluster_load_a_scenario_from_outside(machines, tmp_path):
    """The cluster does not know the file or its folder; the jobs name it."""
    (tmp_path / "reefs.py").write_text(REEFS)
    plan = CUP.to_dict() | {
        "scenarios": [f"{tmp_path / 'reefs.py'}:ray_reefs"],
        "rules": {"offers_per_turn": 0},
        "games": 8,
    }
    fixtures = Fixtures.read(plan)
    run_tournament(fixtures, tmp_path / "alone", 1)
    run_tournament(fixtures, tmp_path / "cluster", "auto")
    assert lines(tmp_path / "cluster") == lines(tmp_path / "alone")


@pytest.mark.slow
def test_errors_on_a_cluster_are_for_people_too(machines, tmp_path, monkeypatch):
    with pytest.raises(OptionError, match=r"^There is no job 2\.$"):
        list(play_jobs(None, iter(JOBS[1:2]), "auto", fail))
    (tmp_path / "only_here.py").write_text("def play(settings, *job):\n    return job\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CatanError, match="lacks a package of this machine: No module named 'only_here'"):
        list(play_jobs(None, iter(JOBS), "auto", importlib.import_module("only_here").play))
    monkeypatch.setattr(cluster, "RETRIES", 0)
    with pytest.raises(CatanError, match="gave up a job: .* Run the same command to resume"):
        list(play_jobs(None, iter(JOBS[:1]), "auto", die))
    monkeypatch.setattr(cluster, "versions", lambda name: {name: "0.0.1"})
    with pytest.raises(CatanError, match=r"this run needs 0\.0\.1, .* same version on all machines"):
        list(play_jobs(None, iter(JOBS[:1]), "auto", fail))


def alive(process):
    """Return whether a process exists."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_what_is_not_wanted_any_more_is_stopped(machines, tmp_path):
    played = play_jobs(str(tmp_path), iter(JOBS), "auto", hang)
    assert next(played) == 0
    assert until(lambda: begun(tmp_path, 0, 2))
    process = int(begun(tmp_path, 0, 2)[0][1])
    played.close()
    assert until(lambda: not alive(process))


@pytest.mark.slow
def test_a_tournament_loses_a_worker_and_a_machine_and_delivers_every_game_once(alone, machines, tmp_path, monkeypatch):
    """Must be the last test: it removes a node, which hangs in a job until then. Another job kills its worker."""
    nodes, other = machines
    notes, deadly, reports = tmp_path / "notes", (0, 6), []
    notes.mkdir()
    monkeypatch.setattr(tournaments, "play_paired_seeds", partial(play_in_danger, str(notes), other.node_id, deadly))

    def hanging():
        return [job for job in JOBS if any(node == other.node_id for node, _ in begun(notes, *job))]

    def tell(tables):
        reports.append(len(tables[0].counted))
        if len(reports) == 2:  # after the start and one job
            assert until(hanging), "no job has come to the node that is to be lost"
            nodes.remove_node(other, allow_graceful=False)

    (table,) = run_tournament(CUP, tmp_path / "cup", "auto", tell)
    assert table.over and len(table.counted) == len(JOBS) == len(reports) - 1
    assert lines(tmp_path / "cup") == alone[0]  # every job once, with the results of a single process
    begun_again = [job for job in JOBS if len(begun(notes, *job)) > 1]
    assert hanging() and {deadly, *hanging()} <= set(begun_again)
