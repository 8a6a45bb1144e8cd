"""The container file copies what the wheel needs, starts a valid command, and does not run as root."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from catan_training.cli import make_parser

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "Containerfile").read_text("utf-8")
STEPS = [line.split(maxsplit=1) for line in re.sub(r"\\\n", " ", TEXT).splitlines() if re.match("[A-Z]", line)]


def last(word):
    return [rest for first, rest in STEPS if first == word][-1]


def test_it_starts_a_command_as_an_ordinary_user():
    assert json.loads(last("ENTRYPOINT")) == ["catan"]
    options = make_parser().parse_args(json.loads(last("CMD")))
    assert options.command == "play" and options.no_open and str(options.port) == last("EXPOSE")
    words = [first for first, _ in STEPS]
    assert (
        f"--uid {last('USER')} catan" in TEXT
        and last("USER") != "0"
        and words.index("USER") < words.index("ENTRYPOINT")
    )
    assert [base.split()[0] for first, base in STEPS if first == "FROM"] == ["python:3.11-slim"] * 2
    assert "Python 3.11" in (ROOT / "constraints.txt").read_text("utf-8").splitlines()[0]


def test_it_copies_whatever_the_wheel_needs_and_nothing_else():
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    needed = {package.split("/")[0] for package in packages}
    needed |= {*project["project"]["license-files"], "README.md", "pyproject.toml", "hatch_build.py", "constraints.txt"}
    assert allowed == needed and all((ROOT / name).exists() for name in allowed)
    extras = re.search(r"'\.\[([\w,]+)\]'", TEXT)[1].split(",")
    assert set(extras) <= set(project["project"]["optional-dependencies"])


@pytest.mark.parametrize("container", [False, True])
def test_the_printed_address_can_be_opened_from_outside(container, monkeypatch, tmp_path):
    from catan_training.play import running

    mark = tmp_path / ".containerenv"
    if container:
        mark.touch()
    monkeypatch.setattr(running, "CONTAINER_FILES", (mark,))
    monkeypatch.setattr(running, "_own_address", lambda: "172.17.0.2")
    assert running.reachable("0.0.0.0") == running.reachable("::") == ("localhost" if container else "172.17.0.2")
    assert [running.reachable(host) for host in ("127.0.0.1", "192.168.1.7")] == ["127.0.0.1", "192.168.1.7"]
