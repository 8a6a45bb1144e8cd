"""Processes that need the same kernel take turns: one compiles it, and the others load it."""

import os
import subprocess
import sys
import time

import pytest

from catan_env.engine.compiler import turns
from catan_env.engine.compiler.jit import PATCHED
from tests.strategies import PLAIN_PYTHON

pytestmark = pytest.mark.skipif(turns.fcntl is None, reason="files cannot be locked on this system")

COMPILE = """
from catan_env import BatchEngine
from catan_env.engine.kernels import step
from tests.coin_toy import toy
engine = BatchEngine(toy(), 2, seed=1)
print(sum(engine.program.kernel(step).stats.cache_hits.values()))
"""
HOLD = """
import sys, time
from catan_env.engine.compiler.turns import turn
with turn(sys.argv[1]):
    print("mine", flush=True)
    time.sleep(60)
"""


def process(code, *arguments, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
    )


@pytest.mark.skipif(PLAIN_PYTHON or not PATCHED, reason="nothing is compiled, or Numba compiles by itself")
def test_of_two_processes_one_compiles_and_the_other_loads(tmp_path):
    both = [process(COMPILE, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert sorted(int(started.communicate()[0]) for started in both) == [0, 1]
    assert not list(tmp_path.rglob("*.lock")), "nothing stays behind"


def test_a_process_that_is_killed_loses_its_turn(tmp_path):
    path = str(tmp_path / "kernel.lock")
    holder = process(HOLD, path)
    assert holder.stdout.readline() == "mine\n"
    holder.kill()
    holder.communicate()
    start = time.monotonic()
    with turns.turn(path):
        assert time.monotonic() - start < 5


def test_nobody_waits_forever(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.1)
    path = str(tmp_path / "kernel.lock")
    with turns.turn(path):
        with turns.turn(path):
            assert os.path.exists(path)
        assert os.path.exists(path), "whoever waited in vain does not end the turn of another"


@pytest.mark.parametrize("path", [None, "/nowhere/kernel.lock"])
def test_where_no_file_can_be_locked_nobody_waits(path):
    with turns.turn(path):
        pass
