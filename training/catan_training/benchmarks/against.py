"""`catan bench --against fastcatan`: the base game here and in the C++ engine fastcatan, side by side in one process.

Both play random games of four in slices that take turns, so that whatever else the machine does hits both alike; what
counts is the median ratio of neighbouring slices. Timed: step, legal actions and the resetting of ended games, and
observations where said. Drawing random legal actions is not.
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
"""Seconds of processor time of a slice."""
OFFERS_FROM = 268
"""The first of fastcatan's action ids that concern trade between players."""
WARM_UP = {False: 3000, True: 9000}
"""Actions of each game beforehand, without trade and with it: games are then spread over their whole course."""


@dataclass(frozen=True)
class Comparison:
    """Medians over the slices; rates in actions per second."""

    what: str
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float


@numba.njit
def draw_marked(masks: np.ndarray, streams: np.ndarray, actions: np.ndarray) -> None:
    """A random set entry of each row of masks (N, ids), 0 where none is: what a game that is over takes."""
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
    """Our engine, as the measurement drives it."""

    def __init__(self, games: int, trade: bool, observe: bool):
        rules = {} if trade else {"offers_per_turn": 0}
        self.engine = BatchEngine("base", games, 4, seed=1, rules=rules, autoreset=True)
        self.engine.random_rollout(WARM_UP[trade])
        self.streams, self.actions = np.arange(1, games + 1, dtype=np.uint64), np.zeros(games, np.int64)
        self.out = self.engine.observe("flat") if observe else None

    def once(self) -> float:
        """Plays one action in every game; returns the seconds that took."""
        draw_marked(self.engine.action_mask, self.streams, self.actions)
        start = time.process_time()
        self.engine.step(self.actions)
        if self.out is not None:
            self.engine.observe("flat", out=self.out)
        return time.process_time() - start


class Theirs:
    """fastcatan, driven alike. Versions before 2 write observations, those from 2 on reset ended games in the step."""

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
        """Plays one action in every game; returns the seconds that took."""
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
    """Actions per second over one slice."""
    seconds, actions = 0.0, 0
    while seconds < SLICE:
        seconds += side.once()
        actions += games
    return actions / seconds


def compare(
    peer: str = "fastcatan", games: int = 4096, slices: int = 30, tell: Callable[[str], Any] = lambda text: None
) -> list[Comparison]:
    """Plays both engines in turn.

    Raises:
        OptionError: the peer is unknown, or not installed.
    """
    if peer not in PEERS:
        raise OptionError(f"There is no comparison with {peer!r}; there is one with {', '.join(PEERS)}.")
    try:
        peer_version = version(peer)
    except ImportError:
        raise OptionError(
            f"The comparison needs the package {peer}, which is not installed: pip install {peer} "
            "(version 2 for steps, 1.0.2 for observations as well; both need Python 3.12)."
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
    """Prints the table."""
    lines = [("what", "ours/s", f"{peer}/s", "ratio", "quartiles")]
    for comparison in rows:
        quartiles = f"{comparison.low:.2f} to {comparison.high:.2f}"
        lines.append(
            (comparison.what, number(comparison.ours), number(comparison.theirs), f"{comparison.ratio:.2f}", quartiles)
        )
    print_table(lines, f"base against {peer} {version(peer)}, 4 players, {games:,} games, one core", text_columns=1)


def to_dict(rows: Sequence[Comparison], peer: str) -> dict[str, Any]:
    """The comparison for JSON."""
    return {"against": peer, "version": version(peer), "ratios": [asdict(comparison) for comparison in rows]}
