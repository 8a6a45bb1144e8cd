"""A progress bar of games played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def games_bar(transient: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar of games played, with the remaining time.

    A transient bar disappears at the end, and is not shown at all if the output is not a terminal.

    Yields:
        A function that sets the number of games played and the total.
    """
    from rich import progress as parts
    from rich.console import Console

    games = parts.TextColumn("{task.description}"), parts.BarColumn(), parts.MofNCompleteColumn()
    times = parts.TextColumn("games,"), parts.TimeElapsedColumn(), parts.TextColumn("elapsed,")
    columns = *games, *times, parts.TimeRemainingColumn()
    console = Console(file=sys.stderr)
    is_silent = transient and not console.is_terminal
    settings: dict[str, Any] = {"console": console, "transient": transient, "disable": is_silent}
    with parts.Progress(*columns, speed_estimate_period=600, **settings) as progress:
        line = progress.add_task("starting", total=None)
        yield lambda done, total: progress.update(line, completed=done, total=total, description="playing")


def mover(move: Callable[[int, int], None]) -> Callable[[Sequence[Any]], None]:
    """Return a callback that sets the bar to the number of tallied games and the expected total."""

    def tell(tables: Sequence[Any]) -> None:
        games_played = sum(len(table.counted) * table.games_in_a_job for table in tables)
        move(games_played, max(games_played, sum(table.jobs_expected * table.games_in_a_job for table in tables)))

    return tell
