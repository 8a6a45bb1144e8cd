"""Ratings from multiplayer games, with intervals that account for dependence within paired seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, TypedDict

import numpy as np
from openskill.models import PlackettLuce

GROUPS = 10
T95 = 2.2621571627409915
"""The 97.5% quantile of Student's t distribution with GROUPS - 1 degrees of freedom."""


class RatedGames(Protocol):
    """N games ordered by paired seed, as in `TableResults`.

    Attributes:
        paired_seeds: number of paired seeds, each with the same number of games.
        entrants: indices of all agents.
        seating: (N, players) index of the agent in each seat.
        places: (N, players) int64, where 1 is best.
    """

    paired_seeds: int
    seating: np.ndarray
    places: np.ndarray

    @property
    def entrants(self) -> Sequence[int]: ...


class Rating(TypedDict):
    """A rating and its 95% interval, which is None if there are too few paired seeds."""

    rating: float
    interval: list[float] | None


def ratings(games: RatedGames, labels: Sequence[str]) -> dict[str, Rating]:
    """Return every agent's Plackett-Luce rating, based on places, with a 95% interval. New agents start at 25.

    The library treats games as independent, which underestimates the uncertainty. The intervals therefore come from a
    jackknife over ten groups of paired seeds and are None for fewer than ten paired seeds. They are valid for a fixed
    number of games, but not for a tournament that stops early.

    Sources: Weng and Lin, A Bayesian approximation method for online ranking, Journal of Machine Learning Research 12
    (2011); Shao and Tu, The jackknife and bootstrap (1995), on groups.
    """
    game_indices = np.arange(len(games.seating))
    paired_seed = game_indices // max(1, len(game_indices) // max(1, games.paired_seeds))
    ratings_of_all = _rate(games, game_indices)
    half_widths: dict[int, float] = {}
    if games.paired_seeds >= GROUPS:
        ratings_without = [
            _rate(games, np.flatnonzero(paired_seed * GROUPS // games.paired_seeds != group)) for group in range(GROUPS)
        ]
        for k in ratings_of_all:
            values_without = np.array([ratings_part[k] for ratings_part in ratings_without])
            half_widths[k] = T95 * math.sqrt(
                (GROUPS - 1) / GROUPS * ((values_without - values_without.mean()) ** 2).sum()
            )
    return {
        labels[k]: {
            "rating": value,
            "interval": None if k not in half_widths else [value - half_widths[k], value + half_widths[k]],
        }
        for k, value in ratings_of_all.items()
    }


def _rate(games: RatedGames, which: np.ndarray) -> dict[int, float]:
    """Return ratings from the games in `which`, averaged over forward and reverse order to reduce order effects."""
    forwards, backwards = (_rate_in_order(games, order) for order in (which, which[::-1]))
    return {k: (forwards[k] + backwards[k]) / 2 for k in forwards}


def _rate_in_order(games: RatedGames, which: np.ndarray) -> dict[int, float]:
    """Return ratings from the games in `which`, in that order, assuming that the agents' strengths are constant.

    Uncertainty never grows (tau 0) and shrinks without damping (gamma 1), so early and late games have similar weight.
    If an agent has several seats in a game, each seat is a separate result, and the rating changes are summed.
    """
    model = PlackettLuce(tau=0.0, gamma=_all_of_it)
    start = model.rating()
    rating_of = dict.fromkeys(games.entrants, (start.mu, start.sigma))
    for game in which:
        seats = games.seating[game].tolist()
        # each seat needs its own object, as the library mixes up seats that share one
        before = [[model.rating(*rating_of[k])] for k in seats]
        after = model.rate(before, ranks=games.places[game].tolist())
        for k in set(seats):
            mu, sigma = rating_of[k]
            new_ratings = [team[0] for team, seat_entrant in zip(after, seats, strict=True) if seat_entrant == k]
            rating_of[k] = (
                mu + sum(new_rating.mu - mu for new_rating in new_ratings),
                sigma * math.prod(new_rating.sigma / sigma for new_rating in new_ratings),
            )
    return {k: mu for k, (mu, _) in rating_of.items()}


def _all_of_it(*of_the_library: object, **also: object) -> float:
    """Return 1 as Weng and Lin's gamma, so that uncertainty shrinks without damping."""
    return 1.0
