"""A tournament from its settings to its end: what is played next, what counts, how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from catan_training.evaluation.fixtures import Fixtures
from catan_training.evaluation.journal import Journal
from catan_training.evaluation.paired_seeds import make_player, play_paired_seeds
from catan_training.evaluation.progress import TableProgress
from catan_training.evaluation.workers import Workers, play_jobs

Tell = Callable[[Sequence[TableProgress]], None]


def run_tournament(
    fixtures: Fixtures, folder: str | Path, workers: Workers = None, tell: Tell = lambda tables: None
) -> list[TableProgress]:
    """Plays a tournament, or what a former run has left of it, and keeps it in a folder.

    The same fixtures give the same results with any workers and after any number of interruptions.

    Args:
        fixtures: what is played. Where the folder holds a tournament of the same games, it goes on; `games` and
            `precision` may have changed.
        folder: of the journal.
        workers: who plays; None for a process a core, 1 for this process alone, or the address of a Ray cluster.
        tell: is told how far it is, at the start and after every job.

    Returns:
        The tables with the jobs that count.

    Raises:
        CatanError: agents, scenarios, rules or the folder do not fit, or no cluster answers.
    """
    for entrant in fixtures.agents:
        make_player(entrant)  # an agent that does not exist is named before anything is written
    with Journal.begin(folder, fixtures) as journal:
        tables = counted(journal)
        tell(tables)
        played_jobs = play_jobs(fixtures, _missing(tables, journal), workers, play_paired_seeds)
        with closing(played_jobs):
            for job in played_jobs:
                journal.add(job)
                tables[job.table].take(job)
                tell(tables)
                if all(table.over for table in tables):
                    break  # what was begun ahead is not needed
    return tables


def counted(journal: Journal) -> list[TableProgress]:
    """The tables of a journal with the jobs that count."""
    tables = [TableProgress(journal.fixtures, index) for index in range(len(journal.fixtures.tables))]
    for job in journal.jobs.values():
        tables[job.table].take(job)
    return tables


def _missing(tables: Sequence[TableProgress], journal: Journal) -> Iterator[tuple[int, int]]:
    """The jobs that nobody has played or begun, table by table in turn, until every table is over."""
    begun = set(journal.jobs)
    for job in range(max(table.jobs_wanted for table in tables)):
        for table in tables:
            key = table.number, table.first_index(job)
            if job < table.jobs_wanted and not table.over and key not in begun:
                yield key
