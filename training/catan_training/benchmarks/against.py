"""`catan bench --against fastcatan`: compare this engine with the C++ engine fastcatan on the base game.

Both engines play random four-player games in one process, in alternating time slices, so other load on the machine
affects both equally. The result is the median ratio of adjacent slices. The timings include steps, legal actions,
resets of finished games and, where noted, observations, but not action selection.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import numba
import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError
from catan_training.tables import number, print_table

PEERS = ("fastcatan",)
SLICE = 0.06
"""Length of a time slice, in seconds of processor time."""
OFFERS_FROM = 268
"""The lowest action id that fastcatan uses for player trades."""
WARM_UP = {False: 3000, True: 9000}
"""Warm-up actions per game, without and with trade, to spread the games over all stages of play."""


@dataclass(frozen=True)
class Comparison:
    """Median speeds over all slices, in actions per second, and the median and quartiles of their ratio."""

    what: str
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float


@numba.njit
def draw_marked(masks: np.ndarray, streams: np.ndarray, actions: np.ndarray) -> None:
    """Choose a random legal action for each row of masks, shape (N, ids); rows with no legal action get 0."""
    for i in range(masks.shape[0]):
        legal_count = 0
        for k in range(masks.shape[1]):
            legal_count += masks[i, k]
        streams[i] = streams[i] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        legal_left = np.int64(streams[i] >> np.uint64(33)) % max(legal_count, 1)
        actions[i] = 0
        for k in range(masks.shape[1]):
            if masks[i, k]:
                if legal_left == 0:
                    actions[i] = k
                    break
                legal_left -= 1


class Ours:
    """Adapter that runs this engine in the comparison."""

    def __init__(self, games: int, trade: bool, observe: bool):
        rules = {} if trade else {"offers_per_turn": 0}
        self.engine = BatchEngine("base", games, 4, seed=1, rules=rules, autoreset=True)
        self.engine.random_rollout(WARM_UP[trade])
        self.streams, self.actions = np.arange(1, games + 1, dtype=np.uint64), np.zeros(games, np.int64)
        self.out = self.engine.observe("flat") if observe else None

    def once(self) -> float:
        """Play one action in every game and return the processor time taken, in seconds."""
        draw_marked(self.engine.action_mask, self.streams, self.actions)
        start = time.process_time()
        self.engine.step(self.actions)
        if self.out is not None:
            self.engine.observe("flat", out=self.out)
        return time.process_time() - start


class Theirs:
    """Adapter that runs fastcatan in the comparison.

    Only versions before 2 write observations. From version 2 on, stepping also resets finished games.
    """

    def __init__(self, games: int, trade: bool, observe: bool):
        import fastcatan

        self.env = fastcatan.BatchedEnv(games, seed=1)
        self.env.reset()
        self.words = np.zeros((games, fastcatan.MASK_WORDS), np.uint64)
        self.actions, self.done = np.zeros(games, np.uint32), np.zeros(games, np.uint8)
        self.rewards = np.zeros(games, np.float32)
        self.ids = 64 * fastcatan.MASK_WORDS if trade else OFFERS_FROM
        self.streams, self.chosen = np.arange(1, games + 1, dtype=np.uint64), np.zeros(games, np.int64)
        self.out = np.zeros((games, fastcatan.OBS_SIZE), np.float32) if observe else None
        self.writes_rewards = not hasattr(self.env, "step_autoreset")
        self.env.write_masks(self.words)
        for _ in range(WARM_UP[trade]):
            self.once()

    def once(self) -> float:
        """Play one action in every game and return the processor time taken, in seconds."""
        bits = np.unpackbits(self.words.view(np.uint8), axis=1, bitorder="little")
        draw_marked(bits[:, : self.ids], self.streams, self.chosen)
        self.actions[:] = self.chosen
        start = time.process_time()
        if self.writes_rewards:
            self.env.step(self.actions, self.rewards, self.done)
        else:
            self.env.step_autoreset(self.actions, self.done)
        self.env.write_masks(self.words)
        if self.out is not None:
            self.env.write_obs(self.out)
        return time.process_time() - start


def rate(side: Any, games: int) -> float:
    """Run one slice and return the actions per second."""
    seconds, actions = 0.0, 0
    while seconds < SLICE:
        seconds += side.once()
        actions += games
    return actions / seconds


def compare(
    peer: str = "fastcatan", games: int = 4096, slices: int = 30, tell: Callable[[str], Any] = lambda text: None
) -> list[Comparison]:
    """Measure the two engines alternately.

    Raises:
        OptionError: the other engine is unknown or not installed.
    """
    if peer not in PEERS:
        raise OptionError(f"Unknown engine {peer!r}. Choose from: {', '.join(PEERS)}.")
    try:
        peer_version = version(peer)
    except ImportError:
        raise OptionError(
            f"The comparison needs the package {peer}, which is not installed: pip install {peer}. Version 2 compares "
            "steps, version 1.0.2 also observations; both need Python 3.12."
        ) from None
    cases = [("step, legal actions, no trade", False, False), ("step, legal actions", True, False)]
    if int(peer_version.split(".")[0]) < 2:
        cases.append(("step, legal actions, flat float32, no trade", False, True))
    comparisons = []
    for title, trade, observe in cases:
        tell(title)
        our_side, their_side = Ours(games, trade, observe), Theirs(games, trade, observe)
        pairs = [(rate(our_side, games), rate(their_side, games)) for _ in range(slices)]
        ratios = sorted(our_rate / their_rate for our_rate, their_rate in pairs)
        ours_median, theirs_median = (statistics.median(side) for side in zip(*pairs, strict=True))
        quarter = len(ratios) // 4
        low, middle, high = ratios[quarter], statistics.median(ratios), ratios[-1 - quarter]
        comparisons.append(Comparison(title, ours_median, theirs_median, middle, low, high))
    return comparisons


def print_comparison(rows: Sequence[Comparison], peer: str, games: int) -> None:
    """Print the comparison as a table."""
    lines = [("task", "ours/s", f"{peer}/s", "ratio", "quartiles")]
    for comparison in rows:
        quartiles = f"{comparison.low:.2f} to {comparison.high:.2f}"
        lines.append(
            (comparison.what, number(comparison.ours), number(comparison.theirs), f"{comparison.ratio:.2f}", quartiles)
        )
    print_table(lines, f"base against {peer} {version(peer)}, 4 players, {games:,} games, one core", text_columns=1)


def to_dict(rows: Sequence[Comparison], peer: str) -> dict[str, Any]:
    """Return the comparison as a JSON-serializable dictionary."""
    return {"against": peer, "version": version(peer), "ratios": [asdict(comparison) for comparison in rows]}
