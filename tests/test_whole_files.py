"""Files are written completely or not at all, and errors such as a full disk name the file."""

import os
from unittest.mock import Mock

import numpy as np
import pytest

from catan_env import whole_files
from catan_env.render.picture import Picture
from catan_env.whole_files import naming, write_whole
from catan_training import cli
from catan_training.cli import scenarios
from catan_training.evaluation.journal import Lines
from catan_training.json_files import write_json
from tests import damaged_files

resource = pytest.importorskip("resource")


@pytest.fixture
def full_disk():
    """Yield a function that limits the size of files to 100 bytes until the test ends."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_file_is_replaced_at_once(tmp_path):
    path = tmp_path / "new" / "a.txt"
    write_whole(path, "sheep: \u2713")
    assert path.read_text("utf-8") == "sheep: \u2713"
    write_whole(path, b"wheat", sync=True)
    assert path.read_bytes() == b"wheat" and list(path.parent.iterdir()) == [path]
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "x")


def test_two_writers_of_a_file_do_not_disturb_each_other(tmp_path, monkeypatch):
    """The second writer finishes before the first writer's draft replaces the file. The last to finish wins."""
    path = tmp_path / "a.txt"

    def replace_second(draft, target):
        monkeypatch.undo()
        write_whole(path, "of the second")
        assert path.read_text("utf-8") == "of the second"
        os.replace(draft, target)

    monkeypatch.setattr(whole_files, "replace", replace_second)
    write_whole(path, "of the first")
    assert path.read_text("utf-8") == "of the first" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [PermissionError(13, "denied", "draft"), KeyboardInterrupt()])
def test_whatever_stops_a_writer_leaves_the_file_that_was_there(tmp_path, monkeypatch, error):
    path = tmp_path / "a.txt"
    write_whole(path, "before")
    monkeypatch.setattr(whole_files, "replace", Mock(side_effect=error))
    with pytest.raises(type(error)) as caught:
        write_whole(path, "after")
    assert getattr(caught.value, "filename", str(path)) == str(path)
    assert path.read_text("utf-8") == "before" and list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_file_that_was_there_and_names_it(tmp_path, full_disk):
    path = tmp_path / "a.txt"
    write_whole(path, "before")
    full_disk()
    with pytest.raises(OSError) as caught:
        write_whole(path, "x" * 1000)
    assert caught.value.filename == str(path)
    assert path.read_text("utf-8") == "before" and list(tmp_path.iterdir()) == [path]


def test_every_writer_names_the_file_that_does_not_fit(tmp_path, full_disk):
    pytest.importorskip("torch")
    from catan_agents.search.weights import save_weights
    from catan_training.learning.checkpoints import save_state

    compiled = tmp_path / "compiled before the disk is full"
    compiled.mkdir()
    damaged_files.network(compiled)
    damaged_files.value_network(compiled)
    lines = Lines(tmp_path / "journal.jsonl", "study")
    lines.read()
    lines.open()
    full_disk()
    for name, write in {
        "a.json": lambda: write_json(tmp_path / "a.json", ["x" * 200]),
        "a.svg": lambda: Picture("<svg>" + "x" * 200, 1, 1).save(tmp_path / "a.svg"),
        "journal.jsonl": lambda: lines.add("x" * 200),
        "training.pt": lambda: save_state(tmp_path, {"a": np.zeros(99)}),
        "a.toml": lambda: save_weights(tmp_path / "a.toml", [], np.zeros(0), {"made": "x" * 200}),
        "network.safetensors": lambda: damaged_files.network(tmp_path),
        "value.safetensors": lambda: damaged_files.value_network(tmp_path),
    }.items():
        with pytest.raises(OSError) as caught:
            write()
        assert caught.value.filename == str(tmp_path / name)
    with pytest.raises(OSError) as caught:
        lines.close()
    assert caught.value.filename == str(tmp_path / "journal.jsonl")


def test_the_command_line_names_the_file(tmp_path, full_disk, capsys, monkeypatch):
    monkeypatch.setattr(scenarios, "run", lambda options: write_whole(tmp_path / "board.svg", "x" * 200))
    full_disk()
    assert cli.main(["scenarios"]) == 2
    assert capsys.readouterr().err == f"catan scenarios: File too large: {tmp_path / 'board.svg'}\n"


def test_a_full_disk_under_a_tensorboard_log_shows_no_traceback(tmp_path, full_disk, capsys):
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    pytest.importorskip("tensorboard")
    from catan_training.learning.checkpoints import writing_to

    writer = tensorboard.SummaryWriter(str(tmp_path))
    full_disk()
    with pytest.raises(OSError) as caught, writing_to(str(tmp_path)), writer:
        for step in range(500):
            writer.add_scalar("points", step, step)
    assert caught.value.filename == str(tmp_path)
    assert "Traceback" not in capsys.readouterr().err


def test_names_that_an_error_has_are_kept(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, naming("other"):
        (tmp_path / "none").read_bytes()
    assert caught.value.filename == str(tmp_path / "none")
