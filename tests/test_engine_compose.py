"""Composition of rule modules: a toy game that is not Catan, and errors of modules that do not fit together."""

import sys
from collections import namedtuple

import numba
import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.board import NoBoard
from catan_env.engine.bytecode import attributes_of
from catan_env.engine.compiler import bits
from catan_env.engine.compose import Composition
from catan_env.engine.decision_stack import CHANCE, RUNNING, pop, push, replace, truncate
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    Action,
    Axis,
    Decision,
    Field,
    Kind,
    Number,
    Pairs,
    apply,
    legal,
    outcome,
    set_up,
    weights,
    when,
)
from catan_env.engine.kernels import step
from catan_env.engine.program import Program, program_of
from catan_env.errors import BoardError, CatanError, UnknownRuleError
from tests.coin_toy import (
    BET,
    BONUS,
    CHOOSE,
    COINS,
    FLIP,
    FLIPS,
    LEFT,
    PILES,
    TOY,
    WON_COIN,
    module,
    refused,
    scenario,
    toy,
)
from tests.strategies import PLAIN_PYTHON, play_on

# -- the engine knows nothing of Catan -----------------------------------------------------------------------------


@pytest.mark.core
def test_a_game_that_is_no_catan_plays():
    engine = BatchEngine(toy(), 50, seed=1, record=True)
    assert engine.actions.describe(1) == "bet on tails" and engine.outcomes.describe(0) == "the coin shows heads"
    play_on(engine, 6)
    assert engine.terminated.all() and not engine.broken_invariants()
    assert (engine.state["coins"].max(axis=1) == engine.victory_points.max(axis=1)).all()
    assert (engine.winner == (engine.state["coins"][:, 1] > engine.state["coins"][:, 0])).all()
    flips = [move[1] for i in range(50) for move in engine.replay_log(i)["moves"] if len(move) == 3]
    assert len(flips) == 250 and 90 < sum(flips) < 160
    copy = BatchEngine(engine.scenario, 50, seed=2, record=True)
    copy.load(engine.save())
    assert np.array_equal(copy.state, engine.state)
    with pytest.raises(UnknownRuleError, match="flips"):
        BatchEngine(toy(), rules={"flip": 3})


def test_numbers_do_not_recompile():
    program_of(one := toy())
    first = BatchEngine(one, rules={"flips": 2})
    second = BatchEngine(one, rules={"flips": 3})
    assert first.program is second.program


def test_another_rule_is_another_program():
    """The cache identifies a kernel by everything that it is compiled from, not by its name alone."""

    @apply(BET)
    def bet(game, params, seat, side):
        game.left -= 2
        replace(game, FLIP, CHANCE)

    one, other = Program(toy()), Program(toy(bet=bet))
    assert one.kernel(step).__name__ != other.kernel(step).__name__
    assert one.kernel(step).__name__ == Program(toy()).kernel(step).__name__
    medals = Program(toy(name="medals"))  # the same rules under another name
    assert one.kernel(step).__name__ == medals.kernel(step).__name__


def test_a_kernel_whose_named_tuple_has_other_fields_is_another_kernel():
    """Numba's cache compares only class and types of named tuples, so it would not notice reordered fields."""

    def kernel_for(*fields):
        def read(pair):
            return pair.one

        read.__annotations__ = {"pair": namedtuple("Pair", fields)}
        return Program(toy()).kernel(read).__name__

    assert kernel_for("one", "other") == kernel_for("one", "other") != kernel_for("other", "one")


# -- declarations --------------------------------------------------------------------------------------------------


def test_nothing_is_declared_twice():
    refused(toy(ACTIONS=(BET, BET)), "Action 'bet' is declared twice (coins)")
    refused(toy(module("more", ACTIONS=(BET,))), "Action 'bet' is declared twice (more)")
    refused(toy(module("more", FIELDS=(COINS,))), "Field 'coins' is declared twice (more)")
    refused(toy(module("more", NUMBERS=(FLIPS,))), "Number 'flips' is declared twice (more)")
    refused(toy(module("more", FIELDS=(Field("depth", (), "i1", 0, 1, ""),))), "Field 'depth' is declared twice")
    refused(toy(module("more", NUMBERS=(Number("num_players", 2, ""),))), "Number 'num_players' is declared twice")


def test_lists_hold_what_they_are_for():
    refused(toy(FIELDS=(COINS, LEFT, FLIPS)), "coins.FIELDS contains", "allowed are Field objects")
    refused(toy(ACTIONS=("bet",)), "coins.ACTIONS contains 'bet'", "allowed are Action objects")


def test_an_action_that_no_module_lists():
    refused(toy(without=["ACTIONS"]), "bet applies 'bet', which no module lists in ACTIONS")


def test_an_action_that_nothing_applies():
    refused(toy(without=["bet"]), "'bet' has no @apply function")
    refused(toy(without=["fall"]), "'flip' has no @outcome function")


def test_an_action_applied_twice():
    @apply(BET)
    def bet_again(game, params, seat, side):
        pop(game)

    refused(toy(bet_again=bet_again), "Both bet and bet_again apply 'bet' at 'any decision'")


def test_two_declarations_of_one_name():
    other = Decision("choose", "something else")

    @legal(other)
    def others(game, params, seat, mask):
        mask[BET] = True

    refused(toy(others=others), "Two declarations have the name 'choose'")


def test_an_unknown_axis():
    refused(toy(FIELDS=(COINS, LEFT, Field("pile", (PILES,), "i1", 0, 9, ""))), "Axis 'piles' has no length", "players")


FEW, MANY = Axis("few"), Axis("many")
PAIRS_OF_FEW, PAIRS_OF_MANY = Pairs("pairs", FEW, ""), Pairs("pairs", MANY, "")


@pytest.mark.core
def test_two_sizes_of_one_name():
    @set_up
    def count(game, params):
        game.left += PAIRS_OF_MANY - PAIRS_OF_FEW

    kinds = [Kind(f"{axis.name} {k}", axis) for axis in (FEW, MANY) for k in range(2 + (axis is MANY))]
    refused(toy(module("counting", KINDS=kinds, count=count)), "two Pairs named 'pairs'", "rename")


def test_a_decision_nobody_knows():
    for symbol, kind in ((Decision("ponder", ""), "Decision"), (Action("wink", ""), "Action"), (PILES, "Axis")):
        globals()["UNKNOWN"] = symbol

        @set_up
        def start(game, params):
            push(game, UNKNOWN, 0)  # noqa: F821

        refused(toy(start=start), f"{kind} {symbol.name!r}")
    del globals()["UNKNOWN"]


def test_a_module_used_by_name():
    @set_up
    def start(game, params):
        sys.exit(0)

    refused(toy(start=start), "start uses module 'sys': import the names it needs instead")


# -- reactions -----------------------------------------------------------------------------------------------------


@when(WON_COIN)
def give_bonus(game, params, player, where):
    BONUS(game, params, player, where)


@when(BONUS)
def count_bonus(game, params, player, where):
    WON_COIN(game, params, player, where)


def helper(game, params, player):
    WON_COIN(game, params, player, 0)


@when(WON_COIN)
def through_a_helper(game, params, player, where):
    helper(game, params, player)


@apply(BET)
def bet_through_a_helper(game, params, seat, side):
    game.left -= 1
    helper(game, params, seat)
    replace(game, FLIP, CHANCE)


@when(WON_COIN)
def to_itself(game, params, player, where):
    WON_COIN(game, params, player, where)


def factorial(n):
    return 1 if n <= 0 else n * factorial(n - 1)


@when(WON_COIN)
def recursive(game, params, player, where):
    game.coins[player] += factorial(3)


def test_events_in_a_circle():
    circle = "announce_won_coin -> give_bonus -> announce_bonus -> count_bonus -> announce_won_coin"
    refused(toy(give_bonus=give_bonus, count_bonus=count_bonus), circle, "Push a decision")
    refused(toy(to_itself=to_itself), "announce_won_coin -> to_itself -> announce_won_coin")


def test_events_in_a_circle_through_a_helper():
    """The cycle is found whether the event or the helper is composed first."""
    refused(toy(through_a_helper=through_a_helper), "in a cycle", "announce_won_coin", "helper")
    refused(toy(through_a_helper=through_a_helper, bet=bet_through_a_helper), "in a cycle", "helper")


def test_plain_recursion_is_no_circle():
    Program(toy(recursive=recursive, give_bonus=give_bonus))


# -- names of fields and numbers ---------------------------------------------------------------------------------


def test_a_field_nobody_declares():
    refused(toy(FIELDS=(COINS,)), "bet uses game.left, but no module of coins declares such a field")

    @when(WON_COIN)
    def misspelt(game, params, player, where):
        game.coin[player] += 1

    refused(toy(misspelt=misspelt), "misspelt uses game.coin,", "Did you mean 'coins'?")

    @when(WON_COIN)
    def written(game, params, player, where):
        game.purse = 1

    refused(toy(written=written), "written uses game.purse,")

    @when(WON_COIN)
    def counted(game, params, player, where):
        game.purse += 1

    refused(toy(counted=counted), "counted uses game.purse,")


def purse_of(game, player):
    return game.purse[player]


@when(WON_COIN)
def looks_into_purse(game, params, player, where):
    game.coins[player] = purse_of(game, player)


def test_a_field_nobody_declares_in_a_helper():
    refused(toy(looks_into_purse=looks_into_purse), "purse_of uses game.purse,")


def test_names_of_a_function_around():
    def inner(game, player):
        return 1

    @when(WON_COIN)
    def outer(game, params, player, where):
        game.coins[player] = inner(game, player)

    refused(toy(outer=outer), "outer uses 'inner' from an enclosing function: define it")


def test_a_number_nobody_declares():
    @when(WON_COIN)
    def reads(game, params, player, where):
        game.coins[player] += params.flip

    refused(toy(reads=reads), "reads uses params.flip,", "Did you mean 'flips'?")
    refused(toy(NUMBERS=()), "begin uses params.flips,", "no module of 'coins' declares such a number")


def test_attributes_are_found_wherever_they_stand():
    def function(game, params, other):
        game.a = params.b
        game.c += 1
        game.d[params.e, other.f] -= game.g.h
        x = y = game
        if game.i and not params.j:
            for game.k in range(3):
                pass
        return x, y, [game.m]

    found = set(attributes_of(function))
    assert found >= {("game", name) for name in "acdgikm"} | {("params", name) for name in "bej"} | {("other", "f")}
    assert ("game", "h") not in found


def test_many_names_are_still_found():
    """Beyond 256 names, instructions need a prefix."""
    lines = [f"    game.a{k} = params.b{k}" for k in range(300)]
    namespace = {}
    exec("\n".join(["def function(game, params):", *lines]), namespace)
    found = set(attributes_of(namespace["function"]))
    assert found == {("game", f"a{k}") for k in range(300)} | {("params", f"b{k}") for k in range(300)}


LEFT_IN_WORDS = ("right", "left")


def named_by_a_constant(game, params, player, where):
    game["left"] += 1


def named_by_a_variable(game, params, player, where):
    name = "coins"
    game[name][player] = 1


def named_by_a_global(game, params, player, where):
    game[LEFT_IN_WORDS[1]] = 1


def named_by_getattr(game, params, player, where):
    game.coins[0] = getattr(game, "left")  # noqa: B009


def named_by_a_default(game, params, player, where="left"):
    game[where] = 1


def looked_up_by_number(game, params, player, where):
    game.coins[0] = game[0]


def hidden_in_a_generator(game, params, player, where):
    game.coins[0] = max(game.left for _ in range(2))


@pytest.mark.core
@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (named_by_a_constant, "uses the string 'left', which is a field's name: write game.left"),
        (named_by_a_variable, "write game.coins"),
        (named_by_a_global, "write game.left"),
        (named_by_getattr, "write game.left"),
        (named_by_a_default, "write game.left"),
        (looked_up_by_number, "indexes 'game': write game.NAME instead"),
        (hidden_in_a_generator, "holds a function, lambda or comprehension"),
    ],
)
def test_a_rule_names_fields_as_attributes(rule, words):
    """Agents reuse a measurement in positions whose read fields are equal, so every read must be visible."""
    refused(toy(rule=when(WON_COIN)(rule)), f"test_engine_compose.{rule.__name__}", words)


@numba.njit
def compiled(game):
    return game.left


@when(WON_COIN)
def calls_compiled(game, params, player, where):
    game.coins[0] = compiled(game)


@pytest.mark.skipif(PLAIN_PYTHON, reason="Numba's decorator leaves functions as they are")
def test_a_rule_calls_nothing_that_is_compiled_already():
    refused(toy(rule=calls_compiled), "calls_compiled calls 'compiled'", "leave its decorator away")


# -- rules with defects ------------------------------------------------------------------------------------------


@apply(BET)
def bet_and_stop(game, params, seat, side):
    pop(game)


@apply(BET)
def bet_and_stop_twice(game, params, seat, side):
    pop(game)
    pop(game)


@legal(CHOOSE)
def nothing_at_times(game, params, seat, mask):
    mask[BET] = game.left > 3


@weights(FLIP)
def lost_coin(game, params, weights):
    weights[0] = game.left > 3


@apply(BET)
def bet_without_end(game, params, seat, side):
    for _ in range(40):
        push(game, CHOOSE, seat)


@outcome(FLIP)
def fall_into_nothing(game, params, side):
    pop(game)


DEFECTS = {
    "nothing left to decide": {"bet": bet_and_stop},
    "taken off twice": {"bet": bet_and_stop_twice},
    "nothing legal": {"sides": nothing_at_times},
    "no outcome possible": {"fair": lost_coin},
    "a queue that overflows": {"bet": bet_without_end},
    "nothing after a draw": {"fall": fall_into_nothing},
}


@pytest.mark.core
@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_of_rules_are_reported(defect):
    """The engine raises an error instead of reading out of bounds or looping forever."""
    broken = toy(name="broken", **DEFECTS[defect])
    with pytest.raises(CatanError, match=r"rules of 'broken' left a game without .* Games concerned: \[0, 1\]"):
        play_on(BatchEngine(broken, 2, seed=1), 10)
    with pytest.raises(CatanError, match="rules of 'broken'"):
        BatchEngine(broken, 2, seed=1).random_rollout(10)
    with pytest.raises(CatanError, match="rules of 'broken'"):
        play_on(BatchEngine(broken, 2, seed=1, chance="explicit"), 20)


def test_a_game_truncated_by_a_rule():
    @when(ACTION_RESOLVED)
    def end(game, params, player, where):
        if game.left <= 3 and game.ended == RUNNING:
            truncate(game)

    engine = play_on(BatchEngine(toy(end=end, name="cut"), 3), 5)
    assert engine.truncated.all() and not engine.terminated.any() and not engine.rewards.any()


def test_tables_that_do_not_fit_are_an_error_of_the_board():
    class Refusing(NoBoard):
        def tables(self, values, colors):
            raise BoardError("no board here")

    with pytest.raises(BoardError, match="no board here"):
        BatchEngine(scenario(module(**TOY), board=Refusing()))
    with pytest.raises(BoardError, match="board is 3; this scenario takes no board"):
        BatchEngine(toy(), board=3)


def test_values_must_fit_their_fields():
    """Values outside the range of the dtype would wrap around silently."""
    refused(toy(FIELDS=(COINS, LEFT, Field("far", (), "i1", 0, 200, ""))), "'far'", "0 .. 200", "int8")
    refused(toy(FIELDS=(COINS, LEFT, Field("debt", (), "u1", -1, 5, ""))), "'debt'", "-1 .. 5", "uint8")
    refused(toy(FIELDS=(COINS, LEFT, Field("odd", (), "i1", 0, 5, "", default=6))), "'odd'", "default")
    refused(toy(NUMBERS=(FLIPS, Number("cost", (1, 9), "", 0, 3))), "'cost' has default (1, 9); allowed are 0 to 3")
    wind = Number("wind", "west", "", choices=("none", "east"))
    refused(toy(NUMBERS=(FLIPS, wind)), "'wind' has default 'west'; allowed are none, east")


def test_composition_is_the_same_every_time():
    one, other = (Composition("coins_v0", toy().modules, {"players": 2}) for _ in range(2))
    assert one.record_dtype == other.record_dtype
    assert [one._digests[f] for f in one._functions.values()] == [other._digests[f] for f in other._functions.values()]


def test_kernels_tell_intrinsics_of_the_same_name_apart():
    """If an edit only binds a name to another intrinsic, the cache must not return the old kernel."""
    composition = Composition("coins_v0", toy().modules, {"players": 2})

    def name_of_kernel(scan):
        namespace = {"__name__": __name__, "scan": scan}
        exec("def kernel(array):\n    return scan(array, 0, 1)", namespace)
        kernel = composition.kernel(namespace["kernel"])
        return getattr(kernel, "py_func", kernel).__name__

    other_entries = bits._scan("other", bits.other_entries_in_python)
    intrinsics = (bits.equal_entries, other_entries, bits.common_entries)
    assert len({name_of_kernel(scan) for scan in intrinsics * 2}) == 3
