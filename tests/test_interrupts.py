"""Ctrl-C soon stops compiled loops, engines reject a second thread, and a forked process continues in one thread."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from catan_agents import make_agent
from catan_agents.dice_game.sheets import Sheets
from catan_agents.dice_game.solution import Solution
from catan_env.engine import rollout
from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario
from catan_env.errors import CatanError
from tests.patience import PATIENCE
from tests.strategies import PLAIN_PYTHON

ROOT = Path(__file__).resolve().parent.parent

compiled = pytest.mark.skipif(PLAIN_PYTHON, reason="plays millions of actions")
with_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a signal after some time")
with_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forked processes")
SOON = 2.0
"""Processor seconds from Ctrl-C until it has worked: a piece of compiled code takes a fraction of one."""


@contextmanager
def ctrl_c_after(seconds):
    """Press Ctrl-C after this many seconds, and assert that it soon stops the code in the `with` block."""

    def press(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    start = time.process_time()  # counts all threads (at most two), but no other process
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
        assert time.process_time() - start < 2 * seconds + SOON
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@compiled
@with_timer
@pytest.mark.parametrize(("games", "threads"), [(1, 1), (64, 1), (64, 2)])
def test_ctrl_c_stops_random_play(games, threads):
    engine = BatchEngine("base", games, seed=1, threads=threads, shaping=0.5)
    engine.random_rollout(1)  # compiles
    with ctrl_c_after(0.2):
        engine.random_rollout(10**9)
    stopped = engine.save()
    time.sleep(0.1)
    assert engine.save() == stopped, "no thread plays on"
    assert engine.broken_invariants() == [] and not engine.rewards.any()
    engine.step(np.where(engine.seat_to_act >= 0, engine.action_mask.argmax(axis=1), -1))


def test_pieces_change_nothing(monkeypatch):
    for options in ({}, {"forced_moves": "play"}, {"chance": "explicit"}, {"threads": 2}):
        whole, counts = played(options)
        monkeypatch.setattr(rollout, "ACTIONS_AT_A_TIME", 7)
        in_pieces, counts_in_pieces = played(options)
        monkeypatch.undo()
        assert in_pieces == whole and counts_in_pieces == counts


def played(options):
    engine = BatchEngine("base", 3, 2, seed=4, rules={"victory_points": 3}, **options)
    counts = engine.random_rollout(300)
    return engine.save(), counts


@compiled
@with_timer
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "games"),
    [("mcts", {"simulations": 10**7}, 1), ("expectimax", {"worlds": 32, "width": 100, "trade": False}, 100_000)],
)
def test_ctrl_c_stops_agents(name, options, games):
    engine, agent = BatchEngine("base", games, 4, seed=1), make_agent(name, **options)
    quick = make_agent(name, **({"simulations": 1} if name == "mcts" else {"worlds": 32}))
    quick.act(engine, np.arange(1))  # compiles
    if name == "mcts":
        agent._nodes = 2**16  # allocating memory for all simulations would take too long
    with ctrl_c_after(1.0):
        agent.act(engine, np.arange(games))


@compiled
@with_timer
@pytest.mark.slow
def test_ctrl_c_stops_solving_the_dice_game():
    sheets = Sheets(find_scenario("dice_game"))
    Solution(sheets, 1)  # compiles
    with ctrl_c_after(0.5):
        Solution(sheets, 15)


@compiled
def test_a_second_thread_is_refused_and_changes_nothing():
    engine = BatchEngine("base", 16, 4, seed=1)
    twin = engine.clone()
    engine.random_rollout(1), twin.random_rollout(1)  # compiles
    steps = 300_000
    thread = threading.Thread(target=engine.random_rollout, args=(steps,))
    thread.start()
    while thread.is_alive() and engine._step is not None:
        time.sleep(0.001)
    for change in (engine.reset, lambda: engine.step(np.full(16, -1)), lambda: engine.random_rollout(1)):
        with pytest.raises(CatanError, match="Only one thread"):
            change()
    thread.join()
    twin.random_rollout(steps)
    assert engine.save() == twin.save()
    engine.reset()  # it can be used again


@with_fork
@pytest.mark.slow
def test_a_process_forked_after_threads_plays_on_in_one_thread():
    command = [sys.executable, "-m", "tests.fork_after_threads"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("forked") == 1 and "'spawn'" in done.stdout
