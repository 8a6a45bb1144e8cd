"""Errors of toy rule modules name the decision, seat, action, function and line at fault."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine import registry
from catan_env.engine.decision_stack import CHANCE, pop, push
from catan_env.engine.declare import Action, Decision, Draw, answers, apply, legal, outcome, weights
from catan_env.errors import CatanError, CompositionError, ReplayError
from catan_env.games.vocabulary import HAND_LIMIT, OWN_TURN

GO = Action("go_wrong", "go wrong")
NEVER, LOST = Decision("never", "decide nothing"), Draw("lost", "nothing is drawn: {}", ("a", "b"))
draw_number = random.Random(0).random


@legal(OWN_TURN)
def always(game, params, seat, mask):
    mask[GO] = True


@legal(NEVER)
def nothing(game, params, seat, mask):
    pass


@weights(LOST)
def no_weight(game, params, weights):
    weights[0] = 0
    weights[1] = 0


@outcome(LOST)
def drawn(game, params, which):
    pop(game)


def going(apply_function, **more):
    """Return a toy module whose action goes wrong."""
    return SimpleNamespace(__name__="going_wrong", ACTIONS=(GO,), always=always, go=apply_function, **more)


@apply(GO)
def ask_nobody(game, params, seat, argument):
    push(game, NEVER, seat)


@apply(GO)
def draw_nothing(game, params, seat, argument):
    push(game, LOST, CHANCE)


@apply(GO)
def push_for_ever(game, params, seat, argument):
    for _ in range(100):
        push(game, NEVER, seat)


@apply(GO)
def pop_too_often(game, params, seat, argument):
    for _ in range(40):
        pop(game)


@pytest.fixture
def engine():
    """Yield a function: `engine(module)` returns a plain Python engine of the base game with the module."""

    def made(module, **options):
        catan_env.scenario_from({"name": "toy_wrong", "extends": "base", "add": [module]})
        return BatchEngine("toy_wrong", 2, 3, compiled=False, **options)

    yield made
    registry._scenarios.pop("toy_wrong", None)


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize(
    ("function", "more", "says"),
    [
        (ask_nobody, {"nothing": nothing}, "seat 0 has no legal action at the decision 'never'. Mend its @legal"),
        (draw_nothing, {"no_weight": no_weight, "drawn": drawn}, "no outcome of the draw 'lost' has a weight above 0"),
        (push_for_ever, {"nothing": nothing}, "the stack of decisions overflows: it holds 32 entries.*'never'"),
        (pop_too_often, {}, "the stack of decisions is empty.*a rule pops twice"),
    ],
)
def test_games_that_cannot_continue(function, more, says, record, engine):
    games = engine(going(function, **more), record=record)
    go = games.actions.id("go_wrong", 0)
    with pytest.raises(CatanError, match=f"in game 1 after 'go wrong', {says}.* Games concerned: \\[1\\]"):
        for _ in range(200):
            actions = games.action_mask.argmax(axis=1)
            if games.seat_to_act[1] == 0 and games.action_mask[1, go]:
                actions[1] = go
            games.step(actions)


@apply(GO)
def makes_a_list(game, params, seat, argument):
    cards = [argument, seat]
    game.bank[cards[0]] += 1


@apply(GO)
def makes_an_array(game, params, seat, argument):
    game.bank[0] = np.zeros(3)[0]


@apply(GO)
def rolls_itself(game, params, seat, argument):
    game.bank[0] = np.random.randint(6)  # noqa: NPY002 (what is refused)


@apply(GO)
def draws_itself(game, params, seat, argument):
    game.bank[0] = draw_number() * 6


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (makes_a_list, r"makes_a_list builds a list in line \d+: rules may not allocate memory"),
        (makes_an_array, r"makes_an_array makes an array by np.zeros: rules may not allocate memory"),
        (rolls_itself, "rolls_itself draws random numbers: declare a `Draw`"),
        (draws_itself, "draws_itself draws random numbers: declare a `Draw`"),
    ],
)
def test_functions_that_cannot_be_rules(function, says, engine):
    with pytest.raises(CompositionError, match=says):
        engine(going(function))


@answers(HAND_LIMIT)  # noqa: RET503 (what is refused)
def sometimes(game, params, player, where):
    if player == 0:
        return 2


def test_a_missing_return_is_named(engine):
    with pytest.raises(
        CompositionError, match=r"sometimes ends in line \d+ without a value, but a function of @answers"
    ):
        engine(SimpleNamespace(__name__="forgetful", sometimes=sometimes))


def test_logs_that_a_rollout_ended_say_so():
    engine = BatchEngine("base", record=True, compiled=False)
    engine.random_rollout(2)
    with pytest.raises(ReplayError, match="random_rollout has ended the replay logs"):
        engine.replay_log()
