"""Compiling rules into one program: recursion, integer types, and functions that kernels share."""

import numba
import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.compiler.jit import jit
from catan_env.engine.compiler.patches import PATCHED
from catan_env.engine.declare import ACTION_RESOLVED, when
from catan_env.errors import CompositionError
from tests.coin_toy import module, toy
from tests.strategies import PLAIN_PYTHON, play_on

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="Python keeps no compiled code")


patched = pytest.mark.skipif(not PATCHED, reason="Numba itself compiles a function for each type of integer")


def halve_down(game, params, number):
    return 0 if number <= 0.5 else 1 + halve_down(game, params, number / 2)


@when(ACTION_RESOLVED)
def halve(game, params, player, where):
    game.coins[0] += halve_down(game, params, np.int64(1))


def count_down(game, params, number):
    return 0 if number <= 0 else 1 + count_down(game, params, game.left)


@when(ACTION_RESOLVED)
def count(game, params, player, where):
    game.coins[0] = count_down(game, params, np.int64(0))


def test_rules_call_themselves_with_the_same_types():
    halving = toy(module("halving", halve=halve))
    with pytest.raises(CompositionError, match="halve_down calls itself"):
        BatchEngine(halving, 1)


@patched
def test_rules_call_themselves_with_integers_of_all_sizes():
    counting = toy(module("counting", count=count))
    assert (play_on(BatchEngine(counting, 4, seed=1), 10).state["coins"][:, 0] == 0).all()


def less(number, other=1):
    return number - other


@patched
def test_a_rule_compiles_once_for_integers_of_all_sizes():
    compiled_less = jit(less)
    numbers = np.zeros(1, [("small", "i1"), ("byte", "u1"), ("word", "u4"), ("long", "u8"), ("real", "f4")])

    @numba.njit
    def differences(one):
        small, literal, default = (
            compiled_less(one.small, one.word),
            compiled_less(one.byte, 2),
            compiled_less(one.word),
        )
        named = compiled_less(other=one.small, number=0)
        return small, literal, default, named, compiled_less(one.real, 1)

    assert differences(numbers[0]) == (0, -2, -1, 0, -1.0)
    versions = {signature.args for signature in compiled_less.nopython_signatures}
    assert versions == {(numba.int64, numba.int64), (numba.float32, numba.int64)}


@patched
def test_what_is_no_small_integer_keeps_its_type():
    from catan_env.engine.compiler.arguments import widened

    for kept in (numba.uint64, numba.float32, numba.boolean, numba.int8[:], numba.types.Omitted(False)):
        assert widened(kept) == kept


@when(ACTION_RESOLVED)
def at_least_one(game, params, player, where):
    game.coins[0] = max(game.coins[0], 1, 0)


def test_what_was_compiled_for_a_kernel_serves_those_compiled_otherwise(monkeypatch, tmp_path):
    """A kernel links the functions that rules call once in total; the parallel kernel expects them in each function."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    charity = toy(module("charity", at_least_one=at_least_one))
    alone, together = (play_on(BatchEngine(charity, 4, seed=1, threads=threads), 10) for threads in (1, 2))
    assert (alone.state == together.state).all()
