"""Ratings from games of several players, with intervals that respect that the games of a deal belong together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, TypedDict

import numpy as np
from openskill.models import PlackettLuce

GROUPS = 10
T95 = 2.2621571627409915
"""The 97.5% point of Student's t with GROUPS - 1 degrees of freedom."""


class RatedGames(Protocol):
    """What ratings are made from: N games, deal by deal, as `TableResults` has them.

    Attributes:
        paired_seeds: how many, each with as many games.
        entrants: index of every agent.
        seating: (N, players) index of the agent on every seat.
        places: (N, players) int64, 1 the best.
    """

    paired_seeds: int
    seating: np.ndarray
    places: np.ndarray

    @property
    def entrants(self) -> Sequence[int]: ...


class Rating(TypedDict):
    """A rating and its 95% interval, None where there are too few deals."""

    rating: float
    interval: list[float] | None


def ratings(games: RatedGames, labels: Sequence[str]) -> dict[str, Rating]:
    """Rating of every agent at a table by the Plackett-Luce model over places, 25 for a newcomer, with a 95% interval.

    The library takes games as independent, so its own uncertainty would be too small. Intervals come from leaving
    out each of ten groups of deals in turn; None with fewer deals than groups, since nothing can be said. They
    hold for the number of games played, not under stopping at what was seen.

    Sources: Weng and Lin, A Bayesian approximation method for online ranking, Journal of Machine Learning Research 12
    (2011); Shao and Tu, The jackknife and bootstrap (1995), on leaving out groups.
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
    """Ratings after some games, the mean of taking them forwards and backwards: order should matter little."""
    forwards, backwards = (_rate_in_order(games, order) for order in (which, which[::-1]))
    return {k: (forwards[k] + backwards[k]) / 2 for k in forwards}


def _rate_in_order(games: RatedGames, which: np.ndarray) -> dict[int, float]:
    """Players do not change: their uncertainty only falls (tau 0), and by all that a game says (gamma 1), so that early
    and late games weigh alike. Where an agent has several seats, each is a result of its own: changes add up.
    """
    model = PlackettLuce(tau=0.0, gamma=_all_of_it)
    start = model.rating()
    rating_of = dict.fromkeys(games.entrants, (start.mu, start.sigma))
    for game in which:
        seats = games.seating[game].tolist()
        # one each: the library would mix up seats that share one
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
    """The gamma of Weng and Lin, by which the fall of uncertainty may be damped: not at all."""
    return 1.0
