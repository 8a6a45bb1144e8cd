"""Tournaments from settings to results: the order of jobs, counting, and progress."""

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
    """Play a tournament and store it in a folder, or resume the tournament there.

    Equal fixtures give equal results, for any number of workers and interruptions.

    Args:
        fixtures: the tournament. If the folder holds one with the same games, it resumes; `games` and `precision` may
            differ.
        folder: folder of the journal.
        workers: None for one process per core, 1 for this process, or the address of a Ray cluster.
        tell: callback with the tables, called at the start and after every job.

    Returns:
        The tables with the jobs that count.

    Raises:
        CatanError: an agent, scenario, rule or the folder is invalid, or no cluster answers.
    """
    for entrant in fixtures.agents:
        make_player(entrant)  # refuse unknown agents before writing anything
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
                    break  # jobs started in advance are not needed
    return tables


def counted(journal: Journal) -> list[TableProgress]:
    """Return the tables of a journal with the jobs that count."""
    tables = [TableProgress(journal.fixtures, index) for index in range(len(journal.fixtures.tables))]
    for job in journal.jobs.values():
        tables[job.table].take(job)
    return tables


def _missing(tables: Sequence[TableProgress], journal: Journal) -> Iterator[tuple[int, int]]:
    """Yield the jobs that are neither played nor started, alternating between tables, until every table is over."""
    begun = set(journal.jobs)
    for job in range(max(table.jobs_wanted for table in tables)):
        for table in tables:
            key = table.number, table.first_index(job)
            if job < table.jobs_wanted and not table.over and key not in begun:
                yield key
