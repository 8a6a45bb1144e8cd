"""Conclusions of studies on synthetic games: a planted advantage is estimated correctly, and no other is found."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from catan_training.balance.comparing import along, paired
from catan_training.balance.measures import BESIDE, MEASURES, ConditionGames
from catan_training.balance.plan import games_for
from catan_training.evaluation.statistics import (
    DIFFERENCE,
    SHARE,
    Estimates,
    always_valid,
    chance_of_even,
    exact_share,
    quantile_interval,
    ratios,
)

ESTIMATORS = {measure.key: measure.estimate for measure in MEASURES}
PLAYERS = 4


def made_up(rng, paired_seeds=1500, bonus=0.0, size=1, alike=0.0, turns=60):
    """Return synthetic four-player games that the first player to place wins with probability 0.25 + `bonus`.

    Each paired seed has `size` games. A game repeats the winner of the paired seed's first game with probability
    `alike`.
    """
    count = paired_seeds * size
    chances = np.array([0.25 + bonus, *[(0.75 - bonus) / 3] * 3])
    winner = rng.choice(PLAYERS, count, p=chances).reshape(paired_seeds, size)  # by order of placement
    winner = np.where(rng.random((paired_seeds, size)) < alike, winner[:, :1], winner).ravel()
    first = rng.integers(PLAYERS, size=count)
    order = (np.arange(PLAYERS) - first[:, None]) % PLAYERS + 1
    won = order == winner[:, None] + 1
    paired_seed, game = np.repeat(np.arange(paired_seeds), size), np.tile(np.arange(size), paired_seeds)
    games = pl.DataFrame(
        {
            "paired_seed": paired_seed,
            "game": game,
            "players": np.full(count, PLAYERS),
            "turns": turns + rng.integers(0, 20, count),
            "choices": 3 * turns + rng.integers(0, 50, count),
            "winners": np.ones(count, int),
            "truncated": np.zeros(count, bool),
        }
    )
    points = np.where(won, 10, rng.integers(3, 10, won.shape))
    luck = rng.standard_normal(won.shape) + 0.8 * won
    ahead = np.where(won & (rng.random(won.shape) < 0.5), 6, rng.integers(2, 6, won.shape))
    seats = pl.DataFrame(
        {
            "paired_seed": np.repeat(paired_seed, PLAYERS),
            "game": np.repeat(game, PLAYERS),
            "seat": np.tile(np.arange(PLAYERS), count),
            "agent": np.zeros(won.size, int),
            "order": order.ravel(),
            "won": won.ravel(),
            "points": points.ravel(),
            "points_buildings": points.ravel(),
            "luck": luck.ravel(),
            "site_pips": rng.integers(10, 25, won.size),
            **{f"points_at_{part}": ahead.ravel() for part in ("quarter", "half", "three_quarters")},
        }
    )
    return ConditionGames(games, seats)


def test_a_planted_advantage_is_found_at_its_size():
    hit = 0
    for seed in range(40):
        seats = ESTIMATORS["seats"](made_up(np.random.default_rng(seed), 2909, bonus=0.05))
        low, high = seats.intervals()[0]
        assert low > 0.25 and chance_of_even(seats, 0.25) < 0.01, seed
        assert high - low == pytest.approx(2 * 0.0208, rel=0.08)  # about the width planned for equal places
        hit += low <= 0.30 <= high
    assert hit >= 36


@pytest.mark.parametrize(("size", "alike"), [(1, 0.0), (4, 0.8)])
def test_no_advantage_is_found_where_there_is_none(size, alike):
    """In 400 studies of even games, about one in twenty finds an advantage for any place, even if the games of a paired
    seed are much alike. An analysis that treats such games as independent would find one in every other study."""
    missed, surprised = 0, 0
    for seed in range(400):
        seats = ESTIMATORS["seats"](made_up(np.random.default_rng(1000 + seed), 400, 0.0, size, alike))
        bounds = seats.intervals()
        missed += bool(((bounds[:, 0] > 0.25) | (bounds[:, 1] < 0.25)).any())
        surprised += chance_of_even(seats, 0.25) < 0.05
    allowed = stats.binom.ppf([0.0005, 0.9995], 400, 0.05)
    assert allowed[0] <= missed <= allowed[1] and allowed[0] <= surprised <= allowed[1], (missed, surprised)


def test_what_winners_had_is_found_and_nothing_else():
    found = made_up(np.random.default_rng(3), 3000)
    winners = ESTIMATORS["winners"](found)
    bounds = dict(zip(winners.names, winners.intervals(), strict=True))
    low, high = bounds["luck of the dice, in cards"]
    spread = np.sqrt(1 + 0.8**2 * 0.25 * 0.75)
    assert low < 0.8 / spread < high and high - low < 0.12
    low, high = bounds["pips of the initial placement"]
    assert low < 0 < high
    lead = dict(zip(ESTIMATORS["lead"](found).names, ESTIMATORS["lead"](found).values, strict=True))
    assert lead["ahead by 2 or more at half"] > lead["ahead at half"] > 0.5 > lead["last at half"]


def test_paired_differences_are_sharper_and_planted_ones_found():
    rng = np.random.default_rng(4)
    common = rng.normal(60, 12, (800, 1))
    one, other = (ratios(["turns"], common + shift + rng.normal(0, 2, (800, 1)), 1.0) for shift in (3.0, 0.0))
    ((low, high),) = (one - other).intervals()
    assert low < 3.0 < high and high - low < 0.5
    alone = one.intervals()[0]
    assert alone[1] - alone[0] > 3 * (high - low)
    conditions = paired({0: made_up(rng, 300), 1: made_up(rng, 200, turns=66)})
    assert {games.paired_seeds for games in conditions.values()} == {200}
    turns = next(along([ESTIMATORS["length"](games) for games in conditions.values()]))
    assert turns.values[1] - turns.values[0] == pytest.approx(6, abs=2) and turns.errors.shape == (200, 2)
    assert not list(along([ESTIMATORS["skill"](games) for games in conditions.values()]))
    assert (ESTIMATORS["seats"](conditions[0]) - ESTIMATORS["seats"](conditions[1])).kind == DIFFERENCE


def test_games_without_a_winner_say_nothing_of_seats():
    found = made_up(np.random.default_rng(5), 600, bonus=0.1)
    found.won[:200] = False
    found.decided = found.won.any(1)
    seats = ESTIMATORS["seats"](found)
    assert seats.values.sum() == pytest.approx(1) and (seats.errors[:200] == 0).all()
    early = always_valid(seats)
    assert ((early[:, 0] <= seats.values) & (seats.values <= early[:, 1])).all()
    assert (early[:, 1] - early[:, 0] > np.diff(seats.intervals())[:, 0]).all()  # anytime-valid intervals are wider


def test_intervals_of_rare_things_and_of_quantiles():
    assert exact_share(0, 100) == pytest.approx((0, 1 - 0.025 ** (1 / 100)))
    assert exact_share(100, 100) == pytest.approx((0.025 ** (1 / 100), 1))
    endings = ESTIMATORS["endings"](made_up(np.random.default_rng(6), 500))
    assert endings.values.tolist() == [1, 0, 0, 0]
    bounds = endings.intervals()
    assert (bounds[1:, 0] == 0).all() and (bounds[1:, 1] > 0.005).all() and bounds[0, 0] < 0.995
    few = ratios(
        ["a", "b"],
        np.repeat([[1, 1]], 200, 0) * (np.arange(200)[:, None] < [10, 200]),
        np.repeat([[1, 1]], 200, 0) * (np.arange(200)[:, None] < [10, 200]),
        SHARE,
    )
    assert few.values.tolist() == [1, 1]  # ten paired seeds say less than two hundred
    assert few.intervals()[:, 0] == pytest.approx([0.0125 ** (1 / 10), 0.0125 ** (1 / 200)])
    nobody = ratios(["cut off"], np.zeros((100, 1)), 1.0, SHARE)
    ((low, high),) = (nobody - nobody).intervals()  # a hundred paired seeds without a difference do not rule one out
    assert (low, high) == pytest.approx((-(1 - 0.0125 ** (1 / 100)), 1 - 0.0125 ** (1 / 100)))
    some = ratios(["cut off"], (np.arange(100)[:, None] < 5) * 1.0, 1.0, SHARE)
    ((low, high),) = (some - nobody).intervals()
    assert -0.05 < low < 0.05 < high < 0.13
    rng, inside = np.random.default_rng(7), 0
    for _ in range(200):
        _, low, high = quantile_interval(rng.exponential(size=200), 0.9)
        inside += low <= np.log(10) <= high
    assert inside >= stats.binom.ppf(0.001, 200, 0.95)
    single = Estimates(("a",), np.ones(1), np.zeros((1, 1)))
    assert np.isinf(single.standard_errors).all()


def test_the_plan_has_the_games_that_the_width_takes():
    for players, width in ((2, 0.03), (4, 0.02), (6, 0.02)):
        count = games_for(width, players)
        rng = np.random.default_rng(players)
        share = rng.multinomial(count, [1 / players] * players, 4000) / count
        within = (np.abs(share - 1 / players) <= width).all(1).mean()
        assert 0.94 <= within <= 0.975


def test_the_page_says_of_every_measure_what_the_report_says():
    page = " ".join(
        (Path(__file__).resolve().parent.parent / "docs/explanation/statistics.md").read_text("utf-8").split()
    )
    for measure in (*MEASURES, *BESIDE.values()):
        assert f"### {measure.title}" in page and measure.about in page
