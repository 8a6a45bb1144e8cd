"""Engines that start in plain Python and continue compiled play the same games as engines that compile first."""

import copy
import io
import os
import pickle
import subprocess
import sys
import time
from types import SimpleNamespace

import numba
import numpy as np
import pytest

import catan_env
from catan_agents import make_agent
from catan_env import BatchEngine
from catan_env.engine import background, plain_first
from catan_env.engine.compiler import jit, progress
from catan_env.engine.decision_stack import CHANCE, replace
from catan_env.engine.declare import apply
from catan_env.engine.program import program_of
from catan_env.errors import OptionError
from tests.coin_toy import BET, FLIP, toy
from tests.patience import PATIENCE
from tests.strategies import PLAIN_PYTHON, SCENARIOS, assert_same, look, play_on

needs_compiler = pytest.mark.skipif(PLAIN_PYTHON, reason="plain Python never compiles")


class Compiler:
    """A stand-in for the compiling process: its kernels are ready once the test calls `finish`."""

    def __init__(self, monkeypatch):
        self.requests = []
        self.is_ready = False
        monkeypatch.delenv(plain_first.SWITCH, raising=False)
        monkeypatch.setattr(background, "ask", self.ask)
        monkeypatch.setattr(plain_first, "load_kernel", self.load)

    def ask(self, *_):
        self.requests.append(background.Request())
        return self.requests[-1]

    def load(self, kernel, signature):
        if not self.is_ready:
            return None
        kernel.compile(signature)
        return jit.load_kernel(kernel, signature)

    def finish(self, error=""):
        self.is_ready = True
        for request in self.requests:
            request.end(error)


@pytest.fixture
def compiler(monkeypatch):
    return Compiler(monkeypatch)


def assert_equal_games(one, other):
    assert_same(look(one), look(other))
    assert one.observe().tobytes() == other.observe().tobytes()
    assert one.save() == other.save()


@needs_compiler
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_three_ways_play_the_same_games(scenario, compiler):
    options = {"seed": 4, "record": True, "forced_moves": "play"}
    compiled, plain, auto = (BatchEngine(scenario, 2, compiled=how, **options) for how in (True, False, "auto"))
    assert compiled.is_compiled and not plain.is_compiled and not auto.is_compiled
    for engine in (compiled, plain, auto):
        play_on(engine, 8, seed=1)
    assert_equal_games(auto, compiled)
    assert_equal_games(plain, compiled)
    compiler.finish()
    for engine in (compiled, plain, auto):
        play_on(engine, 8, seed=2)
    assert auto.is_compiled and not plain.is_compiled
    assert_equal_games(auto, compiled)
    assert_equal_games(plain, compiled)


@needs_compiler
@pytest.mark.parametrize("steps", [0, 1, 30])
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_compiled_code_takes_over_between_any_two_steps(steps, chance, compiler):
    engines = [BatchEngine("base", 2, 3, 7, chance, compiled=how, shaping=0.5) for how in ("auto", True)]
    for engine in engines:
        play_on(engine, steps, seed=3)
    compiler.finish()
    for engine in engines:
        play_on(engine, 30, seed=5)
    assert engines[0].is_compiled
    assert_equal_games(*engines)


@needs_compiler
def test_copies_made_before_the_takeover_continue_like_the_engine(compiler):
    engine = play_on(BatchEngine("base", 2, seed=7, record=True, compiled="auto"), 10)
    twins = [engine.clone(), copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))]
    restored = BatchEngine("base", 2, seed=1, record=True, compiled="auto")
    restored.load(engine.save())
    engines = [engine, restored, *twins]
    assert not any(one.is_compiled or one.compiled != "auto" for one in engines)
    compiler.finish()
    for one in engines:
        play_on(one, 20, seed=9)
    assert all(one.is_compiled for one in engines)
    for one in engines[1:]:
        assert_equal_games(one, engine)
    assert engine.replay_log(1) == restored.replay_log(1)


@needs_compiler
def test_a_gymnasium_environment_starts_at_once_and_is_compiled_later(compiler):
    def episode(env, steps):
        rng, seen = np.random.default_rng(2), []
        for step in range(steps):
            if step == 10:
                compiler.finish()
            action = int(rng.choice(np.flatnonzero(env.action_masks())))
            observation, *rest, info = env.step(action)
            seen.append((observation.tobytes(), rest))
            if any(rest[1:]):
                env.reset()
        return seen

    started, compiled = (
        catan_env.make("base", "gymnasium", num_players=3, opponents="heuristic", **options)
        for options in ({}, {"compiled": True})
    )
    for env in (started, compiled):
        env.reset(seed=3)
    assert not started.engine.is_compiled and compiled.engine.is_compiled
    assert episode(started, 20) == episode(compiled, 20)
    assert started.engine.is_compiled


@needs_compiler
def test_worlds_rollouts_and_pictures_work_before_and_after(compiler):
    engines = [play_on(BatchEngine("base", 1, seed=2, compiled=how), 40) for how in ("auto", True)]
    for ready in (False, True):
        if ready:
            compiler.finish()
        worlds, expected = (engine.determinise(count=2, seed=5) for engine in engines)
        assert worlds.tobytes() == expected.tobytes()
        assert engines[0].random_rollout(30) == engines[1].random_rollout(30)
        points, expected = (engine.points_by_source for engine in engines)
        assert {name: array.tolist() for name, array in points.items()} == {
            name: array.tolist() for name, array in expected.items()
        }
        assert str(engines[0].render()) == str(engines[1].render())
        assert_equal_games(*engines)


@needs_compiler
@pytest.mark.parametrize("name", ["greedy", "expectimax", "base-value"])
def test_agents_that_search_start_in_plain_python_with_the_same_choices(name, compiler):
    engines = [play_on(BatchEngine("base", 1, seed=2, compiled=how), 40) for how in ("auto", False)]
    agents = [make_agent(name), make_agent(name)]
    for ready in (False, True):
        if ready:
            compiler.finish()
        for _ in range(3):
            chosen = [agent.evaluate_actions(engine, np.zeros(1, int)) for agent, engine in zip(agents, engines)]
            for array, expected in zip(*chosen):
                assert np.array_equal(array, expected)
            for engine, (action, _) in zip(engines, chosen):
                engine.step(action)
    assert engines[0].is_compiled and not engines[1].is_compiled


@needs_compiler
def test_long_searches_wait_for_the_compiler(compiler):
    def nothing(batch):
        return 0

    engine = BatchEngine("base", 1, compiled="auto")
    asked = len(compiler.requests)
    assert engine.kernel(nothing, waits=True)(engine.batch) == 0 and len(compiler.requests) == asked
    assert engine.kernel(nothing)(engine.batch) == 0 and len(compiler.requests) == asked + 1


@needs_compiler
def test_a_failure_leaves_the_engine_in_plain_python_with_a_warning(compiler):
    engine = BatchEngine("base", 1, seed=2, compiled="auto")
    compiler.finish("no room on the disk")
    with pytest.warns(
        RuntimeWarning, match=r"'step' could not be compiled .* no room on the disk\. Pass compiled=True"
    ):
        play_on(engine, 1)
    assert not engine.is_compiled
    play_on(engine, 5)


@needs_compiler
def test_many_games_and_the_switch_compile_at_once(compiler, monkeypatch):
    assert BatchEngine("base", plain_first.FEW_GAMES + 1, compiled="auto").is_compiled
    program = program_of(catan_env.find_scenario("base"))
    assert plain_first.Runner(program, "auto", few=True).starts_plain
    assert not plain_first.Runner(program, "auto", few=False).starts_plain
    assert not plain_first.Runner(program, True, few=True).starts_plain
    monkeypatch.setenv(plain_first.SWITCH, "0")
    assert BatchEngine("base", 1, compiled="auto").is_compiled
    assert not compiler.requests


@needs_compiler
def test_scenarios_that_other_processes_cannot_find_stay_in_plain_python(monkeypatch):
    monkeypatch.delenv(plain_first.SWITCH, raising=False)

    def bet(game, params, seat, side):  # a new rule, which no other test has compiled
        game.left -= 1
        game.coins[seat] += 2 * side
        replace(game, FLIP, CHANCE)

    engine = None
    with pytest.warns(RuntimeWarning, match="cannot be pickled"):
        engine = BatchEngine(toy(bet=apply(BET)(bet)), 1, seed=1, compiled="auto")
        play_on(engine, 3)
    assert not engine.is_compiled


@needs_compiler
def test_another_process_compiles_and_leaves_its_work_in_the_cache(monkeypatch, tmp_path):
    monkeypatch.delenv(plain_first.SWITCH, raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    (tmp_path / "coins.py").write_text(RULES)
    (tmp_path / "coins.toml").write_text(SCENARIO)
    engine = BatchEngine(str(tmp_path / "coins.toml"), 1, seed=1, compiled="auto")
    twin = BatchEngine(str(tmp_path / "coins.toml"), 1, seed=1, compiled=False)
    deadline = time.monotonic() + PATIENCE
    while not engine.is_compiled and time.monotonic() < deadline:
        play_on(engine, 1)
        play_on(twin, 1)
        if engine.seat_to_act[0] < 0:
            engine.reset()
            twin.reset()
        time.sleep(0.2)
    assert engine.is_compiled
    assert_same(look(engine), look(twin))


NAMES = """
import pickle, sys
import catan_env
from catan_env.engine.background import kernel_of
for payload in pickle.load(sys.stdin.buffer):
    print(kernel_of(payload)[0].py_func.__name__)
"""


@needs_compiler
@pytest.mark.parametrize("name", ["greedy", "expectimax", "base-value"])
def test_another_process_finds_the_same_content_in_the_kernels_of_agents(name, monkeypatch):
    """The compiling process saves kernels under names that depend on their content."""
    payloads = []
    worker = SimpleNamespace(send=lambda payload: payloads.append(payload) or background.Request())
    monkeypatch.delenv(plain_first.SWITCH, raising=False)
    monkeypatch.setattr(background, "_requests", {})
    monkeypatch.setattr(background, "_worker", lambda: worker)
    monkeypatch.setattr(plain_first, "load_kernel", lambda kernel, signature: None)
    engine = BatchEngine("base", 1, seed=2, compiled="auto", rules={"offers_per_turn": 0})
    make_agent(name).evaluate_actions(play_on(engine, 40), np.zeros(1, int))
    asked = [kernel.py_func.__name__ for _, kernel, _ in background._requests]
    assert any(name.startswith("decide") for name in asked)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", NAMES], input=pickle.dumps(payloads), env=environment, stdout=subprocess.PIPE, check=True
    )
    assert done.stdout.decode().split() == asked


RULES = """
from catan_env.engine.decision_stack import finish, push
from catan_env.engine.declare import Action, Decision, Field, apply, legal, set_up

COUNT = Field("count", (), "i2", 0, 1000, "coins")
FIELDS = (COUNT,)
TAKE = Action("take", "take {}", ("one", "two"), "one's turn")
ACTIONS = (TAKE,)
CHOOSE = Decision("choose", "take one or two coins")


@set_up
def begin(game, params):
    game.count = 40
    push(game, CHOOSE, 0)


@legal(CHOOSE)
def coins(game, params, seat, mask):
    mask[TAKE] = True
    mask[TAKE + 1] = game.count > 1


@apply(TAKE)
def take(game, params, seat, more):
    game.count -= 1 + more
    if game.count == 0:
        finish(game, 1 << int(seat))
    else:
        push(game, CHOOSE, 1 - seat)
"""
SCENARIO = """
title = "Coins"
summary = "Two players take one or two coins; the last one wins."
version = 1
modules = ["./coins.py"]

[facts]
players = [2]
"""


def test_other_choices_are_refused():
    for value in ("later", 1, None):
        with pytest.raises(OptionError, match=f"compiled is {value!r}; allowed: True, False, 'auto'"):
            BatchEngine("base", 1, compiled=value)


def test_engines_and_environments_say_how_they_run():
    engine = BatchEngine("base", 1, 3, compiled=False)
    assert repr(engine) == "BatchEngine('base', num_games=1, num_players=3, compiled=False) in plain Python"
    env = catan_env.make("base", num_players=3)
    how = "in plain Python" if PLAIN_PYTHON else "compiled"
    engine_text = f"BatchEngine('base', num_games=1, num_players=3, compiled='auto') {how}"
    assert repr(env) == f"CatanAEC({engine_text})"
    assert "compiled=False) in plain Python" in repr(catan_env.make("base", "gymnasium", compiled=False))


class Terminal(io.StringIO):
    """A text stream that reports being a terminal."""

    def isatty(self):
        return True


def test_who_waits_for_the_compiler_sees_a_line(monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with progress.compiling("base (step)"):
        time.sleep(0.2)
    assert "Compiling the rules of base (step): 0 s" in terminal.getvalue()
    assert terminal.getvalue().endswith(progress.CLEAR)


def test_notebooks_show_the_line_below_the_cell():
    """In a notebook, the line appears, counts the seconds, and is empty at the end."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    code = (
        "import time; from catan_env.engine.compiler import progress; progress.DELAY = 0.1\n"
        "with progress.compiling('base (step)'): time.sleep({})"
    )
    cells = [nbformat.v4.new_code_cell(code.format(seconds)) for seconds in (0, 0.5)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    seen = []
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3")
    process = client.process_message
    client.process_message = lambda message, *more: (seen.append(message["content"]), process(message, *more))[1]
    client.execute()
    texts = [content.get("data", {}).get("text/plain", "") for content in seen]
    assert any(text.startswith("Compiling the rules of base (step): 0 s") for text in texts)
    assert not cells[0].outputs and [output.data["text/plain"] for output in cells[1].outputs] == [""]


def test_files_and_pipes_get_no_line(monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    with progress.compiling("base (step)"):
        time.sleep(0.1)
    assert not file.getvalue()


ANSWERS = """
import sys
while size := sys.stdin.buffer.read(8):
    sys.stdin.buffer.read(int.from_bytes(size, "big"))
    print('""', flush=True)
"""


def test_another_process_takes_over_after_some_requests(monkeypatch):
    """Compiled kernels stay in the memory of their process, so a new process takes over after some requests."""
    monkeypatch.setattr(background, "START", ANSWERS)
    monkeypatch.setattr(background, "REQUESTS", 2)
    monkeypatch.setattr(background, "_workers", {})
    workers, requests = [], []
    for _ in range(5):
        workers.append(background._worker())
        requests.append(workers[-1].send(b"anything"))
    assert [workers.index(worker) for worker in workers] == [0, 0, 2, 2, 4]
    workers[-1].leave()
    deadline = time.monotonic() + PATIENCE
    while not all(request.done for request in requests) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [(request.done, request.error) for request in requests] == [(True, "")] * 5


def test_a_game_does_not_wait_for_a_compiling_process_that_starts(monkeypatch):
    """A game sends more requests at its start than fit into a pipe."""
    monkeypatch.setattr(background, "START", "import time; time.sleep(600)")
    worker = background.Worker()
    requests = [worker.send(bytes(2**20)) for _ in range(3)]
    assert not any(request.done for request in requests)
    worker.process.kill()
    deadline = time.monotonic() + PATIENCE
    while not worker.has_ended and time.monotonic() < deadline:
        time.sleep(0.01)
    requests.append(worker.send(b"late"))
    assert [(request.done, request.error) for request in requests] == [(True, "the compiling process has ended")] * 4


@needs_compiler
def test_kernels_of_plain_engines_are_plain_functions():
    def nothing(batch):
        return 0

    engine = BatchEngine("base", 1, compiled=False)
    assert isinstance(engine.kernel(nothing), type(nothing))
    assert engine.run_kernel(nothing) == 0
    assert np.array_equal(engine.action_mask, BatchEngine("base", 1).action_mask)
