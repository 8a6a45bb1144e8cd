"""Measure the speed of the engine and every interface in one run: `python -m catan_training.benchmarks.interfaces`.

Each interface plays random legal actions for all seats, in a single game or a batch of games. Speeds are in actions per
second of processor time, counting the actions of all seats, including opponents. Interfaces whose library is not
installed are skipped.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import catan_env
from catan_env.engine.batch import BatchEngine
from catan_env.errors import MissingExtraError
from catan_env.text import TextEnv

RULES = {"offers_per_turn": 0}
BATCHES = ("vector", "sb3", "puffer", "torchrl")


class MaskChooser:
    """Draws a legal action for each row of masks; the draw is not timed."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def __call__(self, masks: np.ndarray) -> np.ndarray:
        """Return actions of shape (n,) for masks of shape (n, actions)."""
        return (masks * self.rng.random(masks.shape, np.float32)).argmax(axis=1)


def engine_steps(num_games: int, observed: bool) -> Iterator[tuple[float, int]]:
    """Yield (seconds, actions) for steps of the plain engine, with or without observations."""
    engine, choose = BatchEngine("base", num_games, rules=RULES, autoreset=True), MaskChooser()
    while True:
        actions = choose(engine.action_mask)
        start = time.process_time()
        engine.step(actions)
        if observed:
            engine.observe()
        yield time.process_time() - start, num_games


def batch_steps(kind: str, num_games: int) -> Iterator[tuple[float, int]]:
    """Yield (seconds, actions) for steps of an environment with one learner per game."""
    options: dict[str, Any] = {"autoreset_mode": "SameStep"} if kind == "vector" else {}
    env, choose = catan_env.make("base", kind, num_envs=num_games, rules=RULES, **options), MaskChooser()
    seen: Any = env.reset()
    counted = count_actions(env.games.engine)
    while True:
        actions, before = choose(env.games.action_masks()), counted()
        start = time.process_time()
        if kind == "torchrl":
            import torch

            seen = env.step_and_maybe_reset(seen.set("action", torch.from_numpy(actions)))[1]
        else:
            env.step(actions)
        yield time.process_time() - start, counted() - before


def gymnasium_steps() -> Iterator[tuple[float, int]]:
    """Yield (seconds, actions) for steps of the Gymnasium environment, one game after another."""
    env, choose = catan_env.make("base", "gymnasium", rules=RULES, compiled=True), MaskChooser()
    counted = count_actions(env.games.engine)
    while True:
        env.reset()
        is_over = False
        while not is_over:
            action, before = int(choose(env.action_masks()[None])[0]), counted()
            start = time.process_time()
            _, _, terminated, truncated, _ = env.step(action)
            yield time.process_time() - start, counted() - before
            is_over = terminated or truncated


def aec_steps() -> Iterator[tuple[float, int]]:
    """Yield (seconds, actions) for steps of PettingZoo's AEC interface, with `last()`, one game after another."""
    env, choose = catan_env.make("base", "aec", rules=RULES, compiled=True), MaskChooser()
    while True:
        env.reset()
        while not any(env.terminations.values()):
            start = time.process_time()
            mask = env.last()[0]["action_mask"]
            seconds = time.process_time() - start
            action = int(choose(mask[None])[0])
            start = time.process_time()
            env.step(action)
            yield seconds + time.process_time() - start, 1


def parallel_steps() -> Iterator[tuple[float, int]]:
    """Yield (seconds, actions) for steps of PettingZoo's parallel interface, one game after another."""
    env, choose = catan_env.make("base", "parallel", rules=RULES, compiled=True), MaskChooser()
    while True:
        observations, _ = env.reset()
        while env.agents:
            masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
            actions = {agent: int(choose(mask[None])[0]) for agent, mask in masks.items() if mask.any()}
            start = time.process_time()
            observations, *_ = env.step(actions)
            yield time.process_time() - start, 1


def text_steps() -> Iterator[tuple[float, int]]:
    """Yield (seconds, actions) for steps of the text interface, including writing each observation as text."""
    env, choose = TextEnv("base", RULES), MaskChooser()
    while True:
        env.reset()
        is_over = False
        while not is_over:
            reply = str(choose(env.engine.action_mask)[0])
            start = time.process_time()
            is_over, _ = env.step(reply)
            env.get_observation()
            yield time.process_time() - start, 1


def count_actions(engine: BatchEngine) -> Callable[[], int]:
    """Count the actions that the engine carries out from now on."""
    step, played = engine.step, [0]

    def counted(actions: np.ndarray) -> None:
        played[0] += int((actions >= 0).sum())
        step(actions)

    engine.step = counted  # type: ignore[method-assign]
    return lambda: played[0]


def measure(num_games: int, repeats: int, steps: int) -> list[tuple[str, float]]:
    """Return a (name, median actions per second over all seats) pair for each interface."""
    runs: dict[str, Iterator[tuple[float, int]]] = {
        "BatchEngine.step": engine_steps(num_games, False),
        "BatchEngine.step and observe": engine_steps(num_games, True),
        **{kind: batch_steps(kind, num_games) for kind in BATCHES},
        "gymnasium, one game": gymnasium_steps(),
        "AEC, one game": aec_steps(),
        "parallel, one game": parallel_steps(),
        "text, one game": text_steps(),
    }
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for repeat in range(repeats + 1):
        for name, run in runs.items():
            try:
                pairs = [next(run) for _ in range(steps)]
            except (MissingExtraError, StopIteration):
                rates[name] = []
                continue
            if repeat:
                rates[name].append(sum(n for _, n in pairs) / sum(seconds for seconds, _ in pairs))
    return [(name, statistics.median(values)) for name, values in rates.items() if values]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1024, help="games in the batch (default: 1024)")
    parser.add_argument("--repeats", type=int, default=5, help="repetitions of each measurement (default: 5)")
    parser.add_argument("--steps", type=int, default=50, help="steps of each repetition (default: 50)")
    given = parser.parse_args()
    results = measure(given.games, given.repeats, given.steps)
    for name, rate in results:
        print(f"{name:30} {rate:12,.0f} actions/s  {rate / results[1][1]:6.2f}")
