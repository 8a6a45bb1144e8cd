"""Standings for a tournament table: win rates, a cross table, points and their sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.engine.registry import find_scenario
from catan_training.evaluation.confidence_sequences import ConfidenceSequence, interval_of_difference
from catan_training.evaluation.fixtures import SeatedScenario
from catan_training.evaluation.paired_seeds import PairedSeeds
from catan_training.evaluation.progress import TableProgress

WIN = 1 << 20
"""Score added for a win. It exceeds any number of victory points, so winners rank first."""


class TableResults:
    """The N = paired seeds * G tallied games of a table as arrays, ordered by paired seed.

    Attributes:
        entrants: indices of all entrants.
        seating: (N, players) index of the entrant in each seat.
        lineup: (N,) index into the table's lineups.
        won: (N, players) bool; several seats are True for a shared win.
        points: (N, players) int64.
        places: (N, players) int64, where 1 is best. Winners rank first, then victory points decide; ties share a place.
        sources: victory points by source, each (N, players) int64.
        length: (N,) number of actions taken by all seats.
        truncated: (N,) bool.
    """

    def __init__(self, table: SeatedScenario, jobs: Sequence[PairedSeeds]):
        self.entrants = table.entrants
        self.table, self.paired_seeds = table, sum(job.count for job in jobs)
        shape = (-1, table.num_players)
        self.seating = np.tile(table.seating, (self.paired_seeds, 1))
        self.lineup = np.tile(table.lineup_of, self.paired_seeds)
        self.won = np.concatenate([job.winners(table) for job in jobs] or [np.zeros((0, table.num_players), bool)])
        self.points = _rows([job.points for job in jobs], shape)
        self.sources = {
            name: _rows([job.sources[name] for job in jobs], shape) for name in (jobs[0].sources if jobs else ())
        }
        self.length = _rows([job.length for job in jobs], -1)
        self.truncated = np.zeros(len(self.length), bool)
        first_game = 0
        for job in jobs:
            self.truncated[first_game + np.array(job.truncated, np.int64)] = True
            first_game += len(job.length)
        self.ahead = self.points + WIN * self.won
        self.places = 1 + (self.ahead[:, None, :] > self.ahead[:, :, None]).sum(2)

    def by_paired_seed(self, values: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Average `values`, shape (N, ...), within each paired seed over the entries selected by `counts`.

        `counts` is a bool array of shape (N, ...) that must be the same in all paired seeds.
        """
        shape = (self.paired_seeds, -1)
        return (values * counts).reshape(shape).sum(1) / counts.reshape(shape).sum(1)


def _rows(parts: list[list], shape: Any) -> np.ndarray:
    return np.array([row for part in parts for row in part], np.int64).reshape(shape)


def standings(progress: TableProgress, labels: Sequence[str]) -> dict[str, Any]:
    """Return a table's complete results as JSON types.

    Paired seeds are independent, but games within a paired seed are not. The intervals are therefore 95% confidence
    sequences for means over paired seeds (`ConfidenceSequence`), which remain valid if the tournament stops early.
    """
    table, games = progress.table, TableResults(progress.table, progress.counted)
    agent_rows = (
        [_entrant(games, k, labels[k], progress.rates[k]) for k in table.entrants] if games.paired_seeds else []
    )
    agent_rows.sort(key=lambda row: -row["win_rate"])
    return {
        "scenario": table.scenario,
        "version": find_scenario(table.scenario).version,
        "players": table.num_players,
        "even_share": 1 / table.num_players,
        "paired_seeds": games.paired_seeds,
        "games": len(games.length),
        "over": progress.over,
        "shared_wins": int((games.won.sum(1) > 1).sum()),
        "nobody_won": int((~games.won.any(1)).sum()),
        "truncated": int(games.truncated.sum()),
        "length": float(games.length.mean()) if games.paired_seeds else 0.0,
        "agents": agent_rows,
        "lineups": _lineups(games, labels) if games.paired_seeds else [],
        "cross": _cross(games, labels) if games.paired_seeds else [],
    }


def _entrant(games: TableResults, number: int, label: str, rate: ConfidenceSequence) -> dict[str, Any]:
    own_seats = games.seating == number
    by_seat = [games.won[own_seats[:, seat], seat] for seat in range(own_seats.shape[1])]
    return {
        "agent": label,
        "seats": int(own_seats.sum()),
        "wins": int((games.won & own_seats).sum()),
        "win_rate": rate.mean,
        "interval": list(rate.interval),
        "wins_by_seat": [float(won.mean()) if len(won) else None for won in by_seat],
        "points": float(games.points[own_seats].mean()),
        "place": float(games.places[own_seats].mean()),
        "sources": {name: float(points[own_seats].mean()) for name, points in games.sources.items()},
    }


def _lineups(games: TableResults, labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return every agent's win rate per seat in every lineup."""
    lineup_rows = []
    for index, lineup in enumerate(games.table.lineups):
        in_lineup = (games.lineup == index)[:, None]
        for entrant in sorted(set(lineup)):
            rate = _sequence(games.by_paired_seed(games.won, in_lineup & (games.seating == entrant)))
            other_entrants = list(lineup)
            other_entrants.remove(entrant)
            lineup_rows.append(
                {
                    "agent": labels[entrant],
                    "others": [labels[other] for other in other_entrants],
                    "games": int(in_lineup.sum()),
                    "win_rate": rate.mean,
                    "interval": list(rate.interval),
                }
            )
    return lineup_rows


def _cross(games: TableResults, labels: Sequence[str]) -> list[dict[str, Any]]:
    """For every pair of agents, return how often one finishes ahead of the other, and their win-rate difference.

    A tie counts as half.
    """
    pair_rows = []
    finishes_ahead = (games.ahead[:, :, None] > games.ahead[:, None, :]) + 0.5 * (
        games.ahead[:, :, None] == games.ahead[:, None, :]
    )
    for entrant in games.table.entrants:
        for rival in games.table.entrants:
            entrant_seats, rival_seats = games.seating == entrant, games.seating == rival
            meetings = entrant_seats[:, :, None] & rival_seats[:, None, :]
            if entrant == rival or not meetings.any():
                continue
            score = _sequence(games.by_paired_seed(finishes_ahead, meetings))
            both_play = meetings.any((1, 2))[:, None]
            lead = games.by_paired_seed(games.won, both_play & entrant_seats) - games.by_paired_seed(
                games.won, both_play & rival_seats
            )
            mean, low, high = interval_of_difference(_sequence((1 + lead) / 2))
            pair_rows.append(
                {
                    "agent": labels[entrant],
                    "against": labels[rival],
                    "games": int(both_play.sum()),
                    "ahead": score.mean,
                    "interval": list(score.interval),
                    "lead": mean,
                    "lead_interval": [low, high],
                }
            )
    return pair_rows


def _sequence(values: np.ndarray) -> ConfidenceSequence:
    sequence = ConfidenceSequence()
    sequence.extend(values)
    return sequence
