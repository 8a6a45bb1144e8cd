"""Source lines of functions that memoize results in an `EvalCache`."""

from __future__ import annotations

from collections.abc import Sequence

from catan_env.engine.declare import Composed
from catan_env.engine.record_views import ENTRIES


def memo_lines(memo: int, found: Sequence[str], kept: Sequence[str]) -> list[str]:
    """Return source lines that reuse the results of a memoized function for a position, or compute and keep them.

    The lines refer to `game`, `seat` and `cache`, and name the entry of the cache `entry`.

    Args:
        memo: number of the memoized function.
        found: lines that read the results from the entry.
        kept: lines that compute the results and write them to the entry.
    """
    return [
        f"entry = (hash_of_read_{memo}(game) + {ENTRIES // 4 + 1} * seat) & {ENTRIES - 1}",
        f"if cache.seats[{memo}, entry] == seat and equal_read_{memo}(game, cache.records[{memo}, entry]):",
        *(f"    {line}" for line in found),
        "else:",
        *(f"    {line}" for line in kept),
        f"    copy_read_{memo}(cache.records[{memo}, entry], game)",
        f"    cache.seats[{memo}, entry] = seat",
    ]


def memo_functions(memo: int) -> dict[str, Composed]:
    """Return the functions that `memo_lines` calls, keyed by name. `add_record_view` defines them."""
    return {name: Composed(name) for name in (f"hash_of_read_{memo}", f"equal_read_{memo}", f"copy_read_{memo}")}
