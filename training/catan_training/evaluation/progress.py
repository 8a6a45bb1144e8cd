"""A table's progress: jobs in order, win rates so far, and the stopping rule."""

from __future__ import annotations

import numpy as np

from catan_training.evaluation.confidence_sequences import ConfidenceSequence
from catan_training.evaluation.fixtures import Fixtures, SeatedScenario
from catan_training.evaluation.paired_seeds import PairedSeeds, paired_seeds_in_a_job


class TableProgress:
    """Collects a table's jobs in any order and tallies their results until the table stops.

    Job results are tallied in paired-seed order, and the stopping rule is checked after each job. The speed and number
    of workers therefore do not affect which games are tallied. Jobs after the stopping point are ignored.
    """

    def __init__(self, fixtures: Fixtures, number: int):
        self.fixtures, self.number, self.table = fixtures, number, fixtures.tables[number]
        self.paired_seeds_in_a_job = paired_seeds_in_a_job(fixtures, self.table)
        self.counted: list[PairedSeeds] = []
        self.rates = {entrant: ConfidenceSequence() for entrant in self.table.entrants}
        self._early: dict[int, PairedSeeds] = {}

    @property
    def games_in_a_job(self) -> int:
        """Number of games in each job."""
        return self.paired_seeds_in_a_job * len(self.table.seating)

    @property
    def jobs_wanted(self) -> int:
        """Number of jobs needed to play the number of games set in the fixtures."""
        return -(-self.fixtures.games // self.games_in_a_job)

    @property
    def widest(self) -> float:
        """Half-width of the widest win-rate interval."""
        return max(sequence.high - sequence.low for sequence in self.rates.values()) / 2

    @property
    def over(self) -> bool:
        """Whether enough games have been played or all intervals are narrow enough."""
        return len(self.counted) >= self.jobs_wanted or self.widest <= self.fixtures.precision

    @property
    def jobs_expected(self) -> int:
        """Estimated total number of jobs.

        Interval widths are assumed to shrink with the square root of the number of games.
        """
        if self.over:
            return len(self.counted)
        if not self.fixtures.precision or not self.counted:
            return self.jobs_wanted
        games_factor = min((self.widest / self.fixtures.precision) ** 2, self.jobs_wanted)
        return min(self.jobs_wanted, max(len(self.counted) + 1, round(len(self.counted) * games_factor)))

    def take(self, done: PairedSeeds) -> None:
        """Add a job. Its results are tallied once all earlier jobs are present."""
        self._early[done.first] = done
        while not self.over and (next_job := self._early.pop(self.first_index(len(self.counted)), None)):
            self.counted.append(next_job)
            for entrant, values in paired_seed_rates(self.table, next_job).items():
                self.rates[entrant].extend(values)

    def first_index(self, job: int) -> int:
        """Return the index of a job's first paired seed."""
        return job * self.paired_seeds_in_a_job


def paired_seed_rates(table: SeatedScenario, done: PairedSeeds) -> dict[int, np.ndarray]:
    """Return every entrant's win rate per seat in each paired seed, shape (count,).

    Each rate is a mean over all games of a paired seed, so rates are independent between paired seeds. A shared win
    counts as a win.
    """
    won = done.winners(table).reshape(done.count, *table.seating.shape)
    return {
        entrant: (won & (table.seating == entrant)).sum((1, 2)) / (table.seating == entrant).sum()
        for entrant in table.entrants
    }
