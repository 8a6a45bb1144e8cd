"""Draws with the same weights in every position use a table of outcomes; other draws do not."""

import numpy as np
import pytest

from catan_env.engine.fixed_odds import fixed_outcomes, tables_of
from catan_env.engine.program import program_of
from catan_env.engine.registry import find_scenario
from catan_env.games.base.turns import SUMS, two_dice


def double_ones(game, params, weights):
    weights[0] *= 2


def by_game(game, params, weights):
    weights[0] = game.dice


def by_number(game, params, weights):
    weights[0] = params.num_players


def by_helper(game, params, weights):
    two_dice(game, params, weights)


def nothing(game, params, weights):
    pass


@pytest.mark.core
def test_two_dice_have_a_table_of_36():
    table = fixed_outcomes([two_dice], len(SUMS))
    assert np.bincount(table).tolist() == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert table == sorted(table)  # so that a random number selects the same outcome as a search does
    assert np.bincount(fixed_outcomes([two_dice, double_ones], len(SUMS)))[0] == 2


@pytest.mark.parametrize(
    "functions", ([], [by_game], [two_dice, by_game], [two_dice, by_number], [by_helper], [nothing])
)
def test_other_draws_have_none(functions):
    assert fixed_outcomes(functions, len(SUMS)) == []


@pytest.mark.parametrize("scenario", ("base", "cities_and_knights"))
def test_tables_agree_with_the_weights(scenario):
    composition = program_of(find_scenario(scenario)).composition
    tables = tables_of(composition)
    for k, (name, draw) in enumerate(composition.draws.items()):
        start, size = tables["fixed_first"][k], tables["fixed_size"][k]
        if size:
            weights = np.zeros(composition.extent(draw.over), np.int64)
            for function in composition.roles("weights", name):
                function(None, None, weights)
            own = tables["fixed_outcomes"][start : start + size]
            assert np.bincount(own, minlength=len(weights)).tolist() == weights.tolist()
    assert tables["fixed_size"].any() == (scenario == "base")  # Cities & Knights adds two dice that were drawn before
