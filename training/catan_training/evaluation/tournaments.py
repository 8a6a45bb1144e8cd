"""Running tournaments: scheduling jobs, tallying results and reporting progress."""

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
    """Run a tournament and store it in a folder, or resume the folder's tournament.

    Equal fixtures produce equal results, regardless of the number of workers and interruptions.

    Args:
        fixtures: the tournament. If the folder contains a tournament with the same games, it is resumed; `games` and
            `precision` may differ.
        folder: the journal's folder.
        workers: None for one process per core, 1 for this process, or the address of a Ray cluster.
        tell: callback that receives the tables at the start and after every job.

    Returns:
        The tables with their tallied jobs.

    Raises:
        CatanError: an agent, a scenario, a rule or the folder is invalid, or no cluster responds.
    """
    for entrant in fixtures.agents:
        make_player(entrant)  # reject unknown agents before writing anything
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
                    break  # jobs started in advance are no longer needed
    return tables


def counted(journal: Journal) -> list[TableProgress]:
    """Return the tables of a journal with their tallied jobs."""
    tables = [TableProgress(journal.fixtures, index) for index in range(len(journal.fixtures.tables))]
    for job in journal.jobs.values():
        tables[job.table].take(job)
    return tables


def _missing(tables: Sequence[TableProgress], journal: Journal) -> Iterator[tuple[int, int]]:
    """Yield jobs that have not been started yet, alternating between tables, until every table is finished."""
    begun = set(journal.jobs)
    for job in range(max(table.jobs_wanted for table in tables)):
        for table in tables:
            key = table.number, table.first_index(job)
            if job < table.jobs_wanted and not table.over and key not in begun:
                yield key
