"""How rules become one compiled program."""

import numba
import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.declare import ACTION_RESOLVED, when
from catan_env.errors import CompositionError
from tests.coin_toy import module, toy
from tests.strategies import PLAIN_PYTHON, play_on

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="Python keeps no compiled code")


def count_down(game, params, number):
    return 0 if number <= 0 else 1 + count_down(game, params, game.left)


@when(ACTION_RESOLVED)
def count(game, params, player, where):
    game.coins[0] += count_down(game, params, np.int64(0))


def test_rules_call_themselves_with_the_same_types():
    counting = toy(module("counting", count=count))
    with pytest.raises(CompositionError, match="count_down calls itself"):
        BatchEngine(counting, 1)


@when(ACTION_RESOLVED)
def at_least_one(game, params, player, where):
    game.coins[0] = max(game.coins[0], 1, 0)


def test_what_was_compiled_for_a_kernel_serves_those_compiled_otherwise(monkeypatch, tmp_path):
    """What rules call is joined once for a kernel as a whole; the one that plays in parallel expects it with each."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    charity = toy(module("charity", at_least_one=at_least_one))
    alone, together = (play_on(BatchEngine(charity, 4, seed=1, threads=threads), 10) for threads in (1, 2))
    assert (alone.state == together.state).all()
