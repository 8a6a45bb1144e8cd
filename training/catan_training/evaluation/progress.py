"""How far a table is: deals taken in their order, win rates so far, and whether that is enough."""

from __future__ import annotations

import numpy as np

from catan_training.evaluation.confidence_sequences import ConfidenceSequence
from catan_training.evaluation.fixtures import Fixtures, Table
from catan_training.evaluation.paired_seeds import PairedSeeds, paired_seeds_in_a_job


class TableProgress:
    """Takes the jobs of a table, in any order, and counts those up to the stop.

    Jobs are counted in the order of their deals, and the stop is looked for after each, so that neither the speed nor
    the number of workers decides which games count. Those played beyond the stop are left out.
    """

    def __init__(self, fixtures: Fixtures, number: int):
        self.fixtures, self.number, self.table = fixtures, number, fixtures.tables[number]
        self.paired_seeds_in_a_job = paired_seeds_in_a_job(fixtures, self.table)
        self.counted: list[PairedSeeds] = []
        self.rates = {entrant: ConfidenceSequence() for entrant in self.table.entrants}
        self._early: dict[int, PairedSeeds] = {}

    @property
    def games_in_a_job(self) -> int:
        return self.paired_seeds_in_a_job * len(self.table.seating)

    @property
    def jobs_wanted(self) -> int:
        """To reach the number of games."""
        return -(-self.fixtures.games // self.games_in_a_job)

    @property
    def widest(self) -> float:
        """Half the width of the widest interval of a win rate."""
        return max(sequence.high - sequence.low for sequence in self.rates.values()) / 2

    @property
    def over(self) -> bool:
        """Enough games, or intervals narrow enough."""
        return len(self.counted) >= self.jobs_wanted or self.widest <= self.fixtures.precision

    @property
    def jobs_expected(self) -> int:
        """A guess at how many jobs it will take: intervals shrink with the square root of the games."""
        if self.over:
            return len(self.counted)
        if not self.fixtures.precision or not self.counted:
            return self.jobs_wanted
        games_factor = min((self.widest / self.fixtures.precision) ** 2, self.jobs_wanted)
        return min(self.jobs_wanted, max(len(self.counted) + 1, round(len(self.counted) * games_factor)))

    def take(self, done: PairedSeeds) -> None:
        """Takes a job, and counts it as soon as all before it are there."""
        self._early[done.first] = done
        while not self.over and (next_job := self._early.pop(self.first_index(len(self.counted)), None)):
            self.counted.append(next_job)
            for entrant, values in paired_seed_rates(self.table, next_job).items():
                self.rates[entrant].extend(values)

    def first_index(self, job: int) -> int:
        """The first deal of a job."""
        return job * self.paired_seeds_in_a_job


def paired_seed_rates(table: Table, done: PairedSeeds) -> dict[int, np.ndarray]:
    """(count,) win rate of every entrant over its seats in all games of each deal: what the pairing makes independent.

    A win shared with others is a win.
    """
    won = done.winners(table).reshape(done.count, *table.seating.shape)
    return {
        entrant: (won & (table.seating == entrant)).sum((1, 2)) / (table.seating == entrant).sum()
        for entrant in table.entrants
    }
