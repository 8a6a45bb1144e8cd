"""`catan bench --quick`: check in under a minute that the engine is still as fast as recorded.

Absolute speeds differ between machines, so each figure is the ratio of the engine's speed to that of a reference,
measured in the same process in alternating slices of processor time. The reference is fastcatan, if it is installed;
otherwise it is a compiled loop that resembles a step: it counts set bytes, picks one, branches and writes.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numba
import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_training.benchmarks import against
from catan_training.benchmarks.bench import NO_TRADE, stepping
from catan_training.tables import number, print_table

YARDSTICK = "yardstick"
RECORDED: Mapping[str, Mapping[str, float]] = {
    YARDSTICK: {"step": 1.05, "rollout": 1.38, "rollout-trade": 1.82},
    "fastcatan 2": {"step, legal actions, no trade": 2.99, "step, legal actions": 2.38},
}
"""Recorded ratios, keyed by reference and figure. Update them when the yardstick changes or the engine gets faster."""
TOLERANCE = 0.85
"""The verdict is "slower" if a ratio is below this fraction of the recorded one. Processors vary by about this much."""
GAMES = 1024
SLICE = 0.05
"""Length of a time slice, in seconds of processor time."""
SLICES = 30
STEPS = 10
"""Actions per game between clock readings."""
WARM_UP = 500
ROWS, ROW = 1024, 512


@dataclass(frozen=True)
class Ratio:
    """A benchmark figure: the median ratio of the engine's speed to the reference's, with the recorded ratio."""

    name: str
    reference: str
    ratio: float
    recorded: float

    @property
    def share(self) -> float:
        """The measured ratio divided by the recorded ratio."""
        return self.ratio / self.recorded

    @property
    def is_slower(self) -> bool:
        """Whether the ratio is too low for differences between machines to explain."""
        return self.share < TOLERANCE


@numba.njit
def play_yardstick(rows: np.ndarray, steps: int) -> int:
    """Run `steps` steps on each row of a byte array of shape (N, 512), and return the total number of steps."""
    half = rows.shape[1] // 2
    for i in range(rows.shape[0]):
        state = np.uint64(rows[i, 0]) + np.uint64(256) * np.uint64(rows[i, 1]) + np.uint64(i)
        for _ in range(steps):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            mark_count = 0
            for k in range(half):
                mark_count += rows[i, k] & 1
            marks_left = np.int64(state >> np.uint64(33)) % max(mark_count, 1)
            place = 0
            while place < half - 1 and (marks_left > 0 or not rows[i, place] & 1):
                marks_left -= rows[i, place] & 1
                place += 1
            kind = np.int64(state >> np.uint64(60)) & 7
            if kind < 4:
                rows[i, half + place] += 1
            elif kind < 6:
                for k in range(8):
                    rows[i, half + (place + k) % half] ^= k
            else:
                rows[i, place] ^= 1
                rows[i, (7 * place + kind) % half] ^= 1
    return rows.shape[0] * steps


def yardstick() -> Callable[[], float]:
    """Return a function that runs the yardstick for one slice and returns its steps per second."""
    rows = np.random.default_rng(0).integers(0, 256, (ROWS, ROW), np.uint8)
    return lambda: rate_of(lambda: play_yardstick(rows, STEPS))


def rate_of(play: Callable[[], int]) -> float:
    """Call a function repeatedly for one slice, sum the action counts it returns, and return the actions per second."""
    actions, start = 0, time.process_time()
    while (seconds := time.process_time() - start) < SLICE:
        actions += play()
    return actions / seconds


def engine_rates() -> dict[str, Callable[[], float]]:
    """Return, for each figure, a function that plays the base game for one slice and returns the actions per second."""
    rates: dict[str, Callable[[], float]] = {}
    for name, rules in (("step", NO_TRADE), ("rollout", NO_TRADE), ("rollout-trade", {})):
        engine = BatchEngine("base", GAMES, 4, rules=rules, autoreset=True)
        engine.random_rollout(WARM_UP)
        if name == "step":
            rates[name] = lambda engine=engine: stepping(engine, steps=4 * STEPS, clock=time.process_time)  # type: ignore[misc]
        else:
            rates[name] = lambda engine=engine: rate_of(lambda: engine.random_rollout(STEPS)["actions"])  # type: ignore[misc]
    return rates


def against_yardstick(slices: int, tell: Callable[[str], Any]) -> list[Ratio]:
    """Measure the engine and the yardstick alternately."""
    play = yardstick()
    play()
    ratios = []
    for name, rate in engine_rates().items():
        tell(name)
        rate()
        ratio = statistics.median(rate() / play() for _ in range(slices))
        ratios.append(Ratio(name, YARDSTICK, ratio, RECORDED[YARDSTICK][name]))
    return ratios


def against_fastcatan(slices: int, tell: Callable[[str], Any]) -> list[Ratio]:
    """Measure the engine and fastcatan alternately."""
    recorded = RECORDED["fastcatan 2"]
    comparisons = against.compare("fastcatan", GAMES, slices, tell)
    return [Ratio(row.what, "fastcatan", row.ratio, recorded[row.what]) for row in comparisons if row.what in recorded]


def measure(slices: int = SLICES, tell: Callable[[str], Any] = lambda text: None) -> list[Ratio]:
    """Measure the engine against fastcatan 2 if installed, and otherwise against the yardstick.

    Args:
        slices: pairs of slices per figure.
        tell: called with the name of each figure before it is measured.
    """
    try:
        has_peer = version("fastcatan").startswith("2.")
    except PackageNotFoundError:
        has_peer = False
    return against_fastcatan(slices, tell) if has_peer else against_yardstick(slices, tell)


def print_ratios(ratios: Sequence[Ratio]) -> None:
    """Print the ratios and the verdict as a table."""
    lines = [("figure", "ratio", "recorded", "share")]
    lines += [(row.name, number(row.ratio), number(row.recorded), f"{row.share:.2f}") for row in ratios]
    print_table(lines, f"base, ratios to {ratios[0].reference}", text_columns=1)
    print(verdict(ratios))


def verdict(ratios: Sequence[Ratio]) -> str:
    """Return a sentence saying whether the engine is as fast as recorded."""
    slower = [f"{row.name} ({row.share:.2f})" for row in ratios if row.is_slower]
    if not slower:
        return f"As fast as recorded: every ratio is at least {TOLERANCE} of the recorded one."
    return f"Slower than recorded: {', '.join(slower)}. A ratio should be at least {TOLERANCE} of the recorded one."


def to_dict(ratios: Sequence[Ratio]) -> dict[str, Any]:
    """Return the ratios as a JSON-serializable dictionary."""
    return {"ratios": [asdict(row) | {"share": row.share, "slower": row.is_slower} for row in ratios]}
