"""`catan bench`: measure engine speed, reporting medians of repeated measurements.

Games are first spread over all stages of play. The `step` figures exclude the time spent choosing random legal actions;
the rollout figures include it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import numpy as np

from catan_agents.random import RandomAgent
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError
from catan_training.machine import versions
from catan_training.tables import number, print_table

NO_TRADE = {"offers_per_turn": 0}
STEPS = 200
COLD = 10
SINGLE_STEPS = 20_000
WHOLE_GAMES = 10**9  # more steps than any game needs


@dataclass(frozen=True)
class Figure:
    """One row of the results."""

    name: str
    what: str
    unit: str
    median: float
    low: float
    high: float
    target: float | None = None
    smaller_is_better: bool = False

    @classmethod
    def of(cls, name: str, what: str, unit: str, values: Sequence[float], *target: Any) -> Figure:
        """Create a figure from measured values: their median, minimum and maximum."""
        return cls(name, what, unit, statistics.median(values), min(values), max(values), *target)

    @property
    def met(self) -> bool | None:
        """Whether the figure meets its target; None if it has none."""
        if self.target is None:
            return None
        return self.median <= self.target if self.smaller_is_better else self.median >= self.target


@dataclass(frozen=True)
class Setting:
    """Scenario, batch size and thread count used in the measurements."""

    scenario: str
    players: int
    games: int
    threads: int
    repeats: int
    rules: Mapping[str, Any]

    def engine(
        self, games: int | None = None, threads: int = 1, trade: bool = False, seed: int = 0, forced_moves: str = "ask"
    ) -> BatchEngine:
        """Return new games that reset automatically, without trade offers by default."""
        probe = BatchEngine(self.scenario, 1, self.players)
        rules = {rule: value for rule, value in NO_TRADE.items() if rule in probe.rules and not trade} | dict(
            self.rules
        )
        return BatchEngine(
            self.scenario,
            games or self.games,
            self.players,
            seed,
            rules=rules,
            threads=threads,
            forced_moves=forced_moves,
            autoreset=True,
        )

    def mid_course(self, **options: Any) -> BatchEngine:
        """Return games at all stages of play: each block has played a different number of random actions."""
        engine = self.engine(**options)
        games = engine.num_games
        blocks = np.array_split(np.arange(games), min(games, 64))
        probe = engine.clone([block[0] for block in blocks])
        length = probe.random_rollout(WHOLE_GAMES, restart=False)["actions"] / probe.num_games
        for k, block in enumerate(blocks):
            block_engine = engine.clone(block)
            block_engine.random_rollout(1 + int(length * k / len(blocks)))
            engine.state[block] = block_engine.state
        engine.refresh()
        engine.reset(games=engine.seat_to_act < 0)
        return engine


# -- measurements: each generator yields values indefinitely ---------------------------------------------------


def stepping(
    engine: BatchEngine,
    also: Callable[[], Any] | None = None,
    steps: int = STEPS,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return the speed of `step` in actions per second, including resets and a call to `also` after each step.

    Choosing the actions is not timed. Use `clock=time.process_time` to time one thread on a shared machine.
    """
    agent, actions = RandomAgent(1), np.zeros(engine.num_games, np.int64)
    seconds = 0.0
    for _ in range(steps):
        running = np.flatnonzero(engine.seat_to_act >= 0)
        actions[running] = agent.act(engine, running)
        start = clock()
        engine.step(actions)
        if also:
            also()
        seconds += clock() - start
    return steps * engine.num_games / seconds


def rolling(engine: BatchEngine, steps: int = STEPS) -> float:
    """Return the speed of the compiled random rollout in actions per second."""
    start = time.perf_counter()
    actions = engine.random_rollout(steps)["actions"]
    return actions / (time.perf_counter() - start)


def measure_step(setting: Setting, trade: bool = False) -> Generator[float]:
    """Yield the speed of `step` in actions per second."""
    engine = setting.mid_course(trade=trade)
    while True:
        yield stepping(engine)


def measure_rollout(setting: Setting, trade: bool = False, forced_moves: str = "ask") -> Generator[float]:
    """Yield the speed of the random rollout in actions per second."""
    engine = setting.mid_course(trade=trade, forced_moves=forced_moves)
    while True:
        yield rolling(engine)


def measure_observe(setting: Setting, dtype: str, trade: bool = False) -> Generator[float]:
    """Yield the speed of `step` with flat observations, in actions per second."""
    engine = setting.mid_course(trade=trade)
    out = engine.observe("flat", dtype=dtype)
    while True:
        yield stepping(engine, lambda: engine.observe("flat", dtype=dtype, out=out), STEPS // 2)


def measure_games(setting: Setting, trade: bool = False, forced_moves: str = "ask") -> Generator[float]:
    """Yield the number of complete random games per second."""
    engine = setting.engine(trade=trade, forced_moves=forced_moves)
    while True:
        start = time.perf_counter()
        engine.reset()
        engine.random_rollout(WHOLE_GAMES, restart=False)
        yield engine.num_games / (time.perf_counter() - start)


def measure_length(setting: Setting, trade: bool = False) -> Generator[float]:
    """Yield the mean number of actions in a random game."""
    engine = setting.engine(trade=trade)
    while True:
        engine.reset()
        yield engine.random_rollout(WHOLE_GAMES, restart=False)["actions"] / engine.num_games


def measure_rollout_speedup(setting: Setting) -> Generator[float]:
    """Yield the speedup of the random rollout from multithreading, relative to one thread."""
    one_thread, many_threads = setting.mid_course(), setting.mid_course(threads=setting.threads)
    while True:
        yield rolling(many_threads) / rolling(one_thread)


def measure_step_speedup(setting: Setting) -> Generator[float]:
    """Yield the speedup of `step` from multithreading, relative to one thread, replaying the same recorded actions.

    The first steps are not timed because loading the games leaves them all in one core's cache.
    """
    one_thread, many_threads = setting.mid_course(), setting.mid_course(threads=setting.threads)
    agent = RandomAgent(1)
    while True:
        saved, moves = one_thread.save(), []
        for _ in range(STEPS // 2):
            actions = np.full(one_thread.num_games, -1, np.int64)
            running = np.flatnonzero(one_thread.seat_to_act >= 0)
            actions[running] = agent.act(one_thread, running)
            one_thread.step(actions)
            moves.append(actions)
        seconds = []
        for engine in (many_threads, one_thread):
            engine.load(saved)
            for actions in moves[:COLD]:
                engine.step(actions)
            start = time.perf_counter()
            for actions in moves[COLD:]:
                engine.step(actions)
            seconds.append(time.perf_counter() - start)
        one_thread.reset(games=one_thread.seat_to_act < 0)
        yield seconds[1] / seconds[0]


def measure_single(setting: Setting) -> Generator[float]:
    """Yield the time per `step` of a single game called from Python, in microseconds, replaying recorded actions."""
    engine = setting.engine(games=1)
    agent, only_game = RandomAgent(1), np.arange(1)
    seed = 0
    while True:
        steps_played, seconds = 0, 0.0
        while steps_played < SINGLE_STEPS:
            seed += 1
            moves = []
            engine.reset(seed)
            while engine.seat_to_act[0] >= 0:
                moves.append(agent.act(engine, only_game))
                engine.step(moves[-1])
            engine.reset(seed)
            step = engine.step
            start = time.perf_counter()
            for move in moves:
                step(move)
            seconds += time.perf_counter() - start
            steps_played += len(moves)
        yield 1e6 * seconds / steps_played


def measure_aec(setting: Setting) -> Generator[float]:
    """Yield the speed of the PettingZoo environment in steps per second, timing `last` and `step` only."""
    from catan_env.envs import aec_env

    probe = BatchEngine(setting.scenario, 1, setting.players)
    rules = {rule: value for rule, value in NO_TRADE.items() if rule in probe.rules} | dict(setting.rules)
    env = aec_env(setting.scenario, num_players=setting.players, rules=rules)
    rng = np.random.default_rng(0)
    seed = 0
    while True:
        steps_played, seconds = 0, 0.0
        while steps_played < SINGLE_STEPS // 4:
            seed += 1
            env.reset(seed=seed)
            while env.agents:
                start = time.perf_counter()
                observation, _, terminated, truncated, _ = env.last()
                seconds += time.perf_counter() - start
                legal = np.flatnonzero(observation["action_mask"])
                action = None if terminated or truncated else int(legal[rng.integers(len(legal))])
                start = time.perf_counter()
                env.step(action)
                seconds += time.perf_counter() - start
                steps_played += 1
        yield steps_played / seconds


FIRST_STEP = """
import time
start = time.process_time()
import sys
import catan_env
engine = catan_env.BatchEngine(sys.argv[1], num_games=1, num_players=int(sys.argv[2]))
engine.step(engine.action_mask.argmax(axis=1))
print(time.process_time() - start)
"""


def measure_first_step(setting: Setting, cached: bool) -> Generator[float]:
    """Yield the processor time, in seconds, from `import catan_env` to the end of the first step in a new process.

    The process starts with an empty compilation cache or, if `cached`, with one filled by an earlier run.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-c", FIRST_STEP, setting.scenario, str(setting.players)]

        def run() -> float:
            process = subprocess.run(command, env=environment, capture_output=True, text=True)
            if process.returncode:
                raise RuntimeError(f"Starting the scenario in a new process failed:\n{process.stderr}")
            return float(process.stdout)

        if not cached:
            yield run()
            return
        run()
        while True:
            yield run()


def measure_bytes(setting: Setting) -> Generator[float]:
    """Yield the size of a game record in bytes."""
    yield float(setting.engine(games=1).state.itemsize)


# -- figures -----------------------------------------------------------------------------------------------------

RATE, TIMES = "actions/s", "times"
FIGURES: tuple[tuple[str, str, str, float | None, bool, Callable[[Setting], Generator[float]]], ...] = (
    ("step", "step and legal actions, no trade", RATE, 8e6, False, measure_step),
    ("step-trade", "step and legal actions", RATE, None, False, lambda s: measure_step(s, trade=True)),
    ("rollout", "random rollout, no trade", RATE, 6e6, False, measure_rollout),
    ("rollout-trade", "random rollout", RATE, None, False, lambda s: measure_rollout(s, trade=True)),
    (
        "observe-float32",
        "step, legal actions, flat float32, no trade",
        RATE,
        2e6,
        False,
        lambda s: measure_observe(s, "float32"),
    ),
    (
        "observe-float32-trade",
        "step, legal actions, flat float32",
        RATE,
        None,
        False,
        lambda s: measure_observe(s, "float32", trade=True),
    ),
    (
        "observe-uint8",
        "step, legal actions, flat uint8, no trade",
        RATE,
        4e6,
        False,
        lambda s: measure_observe(s, "uint8"),
    ),
    (
        "observe-uint8-trade",
        "step, legal actions, flat uint8",
        RATE,
        None,
        False,
        lambda s: measure_observe(s, "uint8", trade=True),
    ),
    ("games", "complete random games, no trade", "games/s", 6000, False, measure_games),
    ("games-trade", "complete random games", "games/s", None, False, lambda s: measure_games(s, trade=True)),
    (
        "games-choices",
        "complete random games, no trade, forced moves played",
        "games/s",
        None,
        False,
        lambda s: measure_games(s, forced_moves="play"),
    ),
    (
        "rollout-choices",
        "random rollout, no trade, forced moves played",
        "choices/s",
        None,
        False,
        lambda s: measure_rollout(s, forced_moves="play"),
    ),
    ("length", "length of a random game, no trade", "actions", None, False, measure_length),
    ("length-trade", "length of a random game", "actions", None, False, lambda s: measure_length(s, trade=True)),
    ("step-threads", "step: {threads} threads against one", TIMES, 1.8, False, measure_step_speedup),
    ("rollout-threads", "rollout: {threads} threads against one", TIMES, 1.8, False, measure_rollout_speedup),
    ("single", "one game: step and legal actions from Python", "us", 2, True, measure_single),
    ("aec", "one game: PettingZoo last and step", RATE, 40e3, False, measure_aec),
    ("first-step", "processor time to first step, uncached", "s", 20, True, lambda s: measure_first_step(s, False)),
    ("first-step-cached", "processor time to first step, cached", "s", 2, True, lambda s: measure_first_step(s, True)),
    ("bytes", "state of one game", "bytes", 1024, True, measure_bytes),
)
ONCE = ("first-step", "bytes")
TARGETS_OF = ("base", 4)
"""Scenario and number of players that the targets apply to."""


def measure(
    scenario: str = "base",
    players: int | None = None,
    games: int = 4096,
    threads: int = 2,
    repeats: int = 5,
    rules: Mapping[str, Any] | None = None,
    only: Sequence[str] | None = None,
    tell: Callable[[str], Any] = lambda text: None,
) -> list[Figure]:
    """Measure all figures, or only those named in `only`.

    Args:
        scenario, players, rules: the games to play. Figures without trade set `offers_per_turn=0` if the scenario has
            that rule.
        games: number of games in the batch.
        threads: number of threads for the speedup figures, which compare with one thread.
        repeats: measurements per figure, after a warm-up.
        only: names of the figures to measure.
        tell: called with the name of each figure before it is measured.

    Raises:
        OptionError: there is no such figure, or `repeats` is less than 1.
    """
    names = [name for name, *_ in FIGURES]
    for name in only or ():
        if name not in names:
            raise OptionError(f"Unknown figure {name!r}. Choose from: {', '.join(names)}.")
    if repeats < 1:
        raise OptionError(f"repeats is {repeats}; it must be at least 1.")
    players = BatchEngine(scenario, 1, players, rules=rules).num_players
    setting = Setting(scenario, players, games, threads, repeats, dict(rules or {}))
    figures = []
    for name, meaning, unit, target, smaller_is_better, measure_figure in FIGURES:
        if only and name not in only:
            continue
        if (scenario, players) != TARGETS_OF or rules:
            target = None
        tell(name)
        source = measure_figure(setting)
        if name in ONCE:
            values = [next(source)]
        else:
            next(source)
            values = [next(source) for _ in range(repeats)]
        source.close()
        figures.append(Figure.of(name, meaning.format(threads=threads), unit, values, target, smaller_is_better))
    return figures


def print_figures(figures: Sequence[Figure], title: str) -> None:
    """Print the figures as a table."""
    lines = [("figure", "what", "median", "lowest", "highest", "unit", "target", "met")]
    for figure in figures:
        met = {None: "", True: "yes", False: "no"}[figure.met]
        bound = "" if figure.target is None else ("<= " if figure.smaller_is_better else ">= ") + number(figure.target)
        lines.append(
            (
                figure.name,
                figure.what,
                number(figure.median),
                number(figure.low),
                number(figure.high),
                figure.unit,
                bound,
                met,
            )
        )
    print_table(lines, title, text_columns=2)


def to_dict(figures: Sequence[Figure], machine: Mapping[str, Any], **about: Any) -> dict[str, Any]:
    """Return the figures, the machine (see `catan_training.machine`) and versions as a JSON-serializable dictionary."""
    return {
        **about,
        "written": datetime.now().astimezone().isoformat(timespec="seconds"),
        "machine": dict(machine),
        "versions": versions("catan-env", "numpy", "numba", "pettingzoo"),
        "figures": [{**asdict(figure), "met": figure.met} for figure in figures],
    }
