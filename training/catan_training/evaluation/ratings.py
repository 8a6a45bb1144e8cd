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
        deals: number of deals, each with as many games.
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
    each = np.arange(len(games.seating))
    paired_seed = each // max(1, len(each) // max(1, games.paired_seeds))
    whole = _rate(games, each)
    half: dict[int, float] = {}
    if games.paired_seeds >= GROUPS:
        parts = [
            _rate(games, np.flatnonzero(paired_seed * GROUPS // games.paired_seeds != group)) for group in range(GROUPS)
        ]
        for k in whole:
            left = np.array([part[k] for part in parts])
            half[k] = T95 * math.sqrt((GROUPS - 1) / GROUPS * ((left - left.mean()) ** 2).sum())
    return {
        labels[k]: {
            "rating": value,
            "interval": None if k not in half else [value - half[k], value + half[k]],
        }
        for k, value in whole.items()
    }


def _rate(games: RatedGames, which: np.ndarray) -> dict[int, float]:
    """Ratings after some games, the mean of taking them forwards and backwards: order should matter little."""
    there, back = (_rate_in_order(games, way) for way in (which, which[::-1]))
    return {k: (there[k] + back[k]) / 2 for k in there}


def _rate_in_order(games: RatedGames, which: np.ndarray) -> dict[int, float]:
    """Players do not change: their uncertainty only falls (tau 0), and by all that a game says (gamma 1), so that early
    and late games weigh alike. Where an agent has several seats, each is a result of its own: changes add up.
    """
    model = PlackettLuce(tau=0.0, gamma=_all_of_it)
    start = model.rating()
    rated = dict.fromkeys(games.entrants, (start.mu, start.sigma))
    for game in which:
        seats = games.seating[game].tolist()
        before = [[model.rating(*rated[k])] for k in seats]  # one each: the library would mix up seats that share one
        after = model.rate(before, ranks=games.places[game].tolist())
        for k in set(seats):
            mu, sigma = rated[k]
            news = [team[0] for team, other in zip(after, seats, strict=True) if other == k]
            rated[k] = mu + sum(new.mu - mu for new in news), sigma * math.prod(new.sigma / sigma for new in news)
    return {k: mu for k, (mu, _) in rated.items()}


def _all_of_it(*of_the_library: object, **also: object) -> float:
    """The gamma of Weng and Lin, by which the fall of uncertainty may be damped: not at all."""
    return 1.0
