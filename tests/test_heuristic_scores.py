"""Parts of the heuristic agent's scores: shared values, hooks, tables, goals, and scores that a scenario leaves out."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from heuristic_values import computed

import catan_env
from catan_agents.heuristic import HeuristicAgent, Hook, Table, always, array_score, score, scoring, shared
from catan_agents.heuristic.generated import Goals, new_memo, provide
from catan_env import BatchEngine
from catan_env.engine.declare import ANY, EVERY, LEAST, SUM, Action, Decision, apply, legal
from catan_env.errors import CompositionError
from catan_env.games.base import robber, special_building
from catan_env.games.base.turns import END_TURN, PLAY, ROLL
from catan_env.games.vocabulary import HAND_CARDS, RATE, RESOURCE_KINDS
from tests.strategies import PLAIN_PYTHON, every_scenario, pending, play_until

needs_compiler = pytest.mark.skipif(PLAIN_PYTHON, reason="both ways are plain Python")


@pytest.fixture
def plain_base():
    return BatchEngine("base", 2, seed=1, compiled=False)


@needs_compiler
@pytest.mark.parametrize("scenario", ["base", "cities_and_knights", "seafarers_pirate_islands"])
def test_compiled_scores_are_those_of_plain_python(scenario):
    engines = [BatchEngine(scenario, 2, seed=6, compiled=how) for how in (True, False)]
    for steps in (0, 25, 60):
        for engine in engines:
            engine.random_rollout(steps)
        games = np.flatnonzero(engines[0].seat_to_act >= 0)
        compiled, plain = (HeuristicAgent().scores(engine, games) for engine in engines)
        assert compiled.tolist() == plain.tolist()


# -- bank rates ------------------------------------------------------------------------------------------------


def answered_rate(game, params, seat, card):
    return RATE(game, params, seat, card)


def with_random_rates(engine, seed):
    """Write random values to the fields that determine rates, and give every seat many cards of a single kind."""
    state, composition, rng = engine.state, engine.program.composition, np.random.default_rng(seed)
    for name in sorted(composition.reads(answered_rate) - {"on_turn", "terrain"}):
        field = composition.fields[name]
        high = engine.topology.num_hexes - 1 if name == "merchant" else field.high
        state[name] = rng.integers(field.low, high, state[name].shape, endpoint=True)
    games = np.arange(engine.num_games)
    state["hands"] = 0
    state["hands"][games, :, games % state["hands"].shape[2]] = 30
    engine.refresh()


@every_scenario
def test_bank_trades_are_scored_at_the_rate_that_the_bank_charges(scenario, players):
    """Make the best-scored trade of each game, and count the cards that it costs."""
    started = BatchEngine(scenario, 1, players, seed=5, compiled=False)
    if "trade_with_bank" not in started.actions.kinds:
        return
    play_until(started, pending(started, 0, "play"))
    engine = BatchEngine(scenario, 32, players, seed=5, compiled=False)
    engine.state[:] = started.state
    with_random_rates(engine, seed=5)
    trades = np.array(engine.actions.ids("trade_with_bank"))
    scores = HeuristicAgent().scores(engine, np.arange(32))[:, trades]
    scores = np.where(engine.action_mask[:, trades], scores, 0.0)
    games = np.flatnonzero(scores.max(axis=1) > 0)
    seats, after = engine.seat_to_act[games], engine.clone(games)
    after.step(trades[scores[games].argmax(axis=1)])
    charged = 31 - after.state["hands"][np.arange(len(games)), seats].sum(axis=1)  # 30 before, and 1 received
    assert len(set(charged.tolist())) > 1
    assert scores[games].max(axis=1).tolist() == (500.0 - charged).tolist()


# -- shared values ---------------------------------------------------------------------------------------------


@shared(HAND_CARDS)
def doubled(game, params, seat, memo, values):
    for card in range(HAND_CARDS):
        values[card] += 2 * game.hands[seat, card]


@shared()
def all_doubled(game, params, seat, memo):
    total = 0.0
    for card in range(HAND_CARDS):
        total += doubled(game, params, seat, memo, card)
    return total


@shared(HAND_CARDS, doubled)
def quadrupled(game, params, seat, memo, values, twice):
    for card in range(HAND_CARDS):
        values[card] = 2 * twice[card]


def write_shared(batch, memo, found):
    """Kernel that writes the shared values of seat 0."""
    for card in range(HAND_CARDS):
        found[card] = quadrupled(batch.records[0], batch.params[0], 0, memo, card)
    found[HAND_CARDS] = all_doubled(batch.records[0], batch.params[0], 0, memo)


def test_a_shared_value_is_computed_once_per_memo(plain_base):
    hand, composition = plain_base.state["hands"][0, 0], plain_base.program.composition
    hand[:] = [0, 1, 2, 3, 4]
    assert computed(plain_base, write_shared, 6).tolist() == [0, 4, 8, 12, 16, 20]
    memo, found = new_memo(composition), np.full(6, 7.0)
    memo.values[:] = 9.0  # left over from another decision
    for _ in range(2):
        plain_base.kernel(write_shared)(plain_base.batch, memo, found)
        assert found.tolist() == [0, 4, 8, 12, 16, 20]
        hand[:] = 1  # no longer read
    assert computed(plain_base, write_shared, 6).tolist() == [4, 4, 4, 4, 4, 10]


@shared()
def chicken(game, params, seat, memo):
    return egg(game, params, seat, memo)


@shared()
def egg(game, params, seat, memo):
    return chicken(game, params, seat, memo)


def write_egg(batch, memo, found):
    found[0] = egg(batch.records[0], batch.params[0], 0, memo)


def test_a_shared_value_that_depends_on_itself_is_refused(plain_base):
    with pytest.raises(CompositionError, match="'.*egg' depends on itself. Break the cycle"):
        provide(plain_base.program.composition, write_egg)


# -- hooks and tables ------------------------------------------------------------------------------------------


TOTAL, FEWEST, HAS_ANY, HAS_ALL = (
    Hook(f"toy_{name}", fold) for name, fold in (("sum", SUM), ("least", LEAST), ("any", ANY), ("every", EVERY))
)
NOWHERE = Decision("nowhere", "a decision of no scenario")


def held(game, params, seat, memo, card):
    return game.hands[seat, card]


def held_by_all(game, params, seat, memo, card):
    return game.hands[0, card] + game.hands[1, card]


def of_no_scenario(game, params, seat, memo, card):
    return game.nothing_such[card] == NOWHERE


for _hook in (TOTAL, FEWEST):
    _hook.contribution()(held)
    _hook.contribution(of=robber)(held_by_all)
    _hook.contribution(of=(robber, special_building))(held_by_all)  # the scenario has no special building
    _hook.contribution()(of_no_scenario)


def holds(game, params, seat, memo, card):
    return game.hands[seat, card] > 0


def holds_two(game, params, seat, memo, card):
    return game.hands[seat, card] > 1


for _hook in (HAS_ANY, HAS_ALL):
    _hook.contribution()(holds)
    _hook.contribution()(holds_two)

WEIGHT = Table("toy_weight", HAND_CARDS, {"wool": 2.5, "cheese": 4.0})


def write_hooks(batch, memo, found):
    """Kernel that writes the values of the hooks and the table for seat 0."""
    game, params = batch.records[0], batch.params[0]
    for card in range(HAND_CARDS):
        found[5 * card] = TOTAL(game, params, 0, memo, card, 100)
        found[5 * card + 1] = FEWEST(game, params, 0, memo, card, 3)
        found[5 * card + 2] = HAS_ANY(game, params, 0, memo, card, False)
        found[5 * card + 3] = HAS_ALL(game, params, 0, memo, card, True)
        found[5 * card + 4] = WEIGHT(card)


def test_hooks_combine_contributions_to_scenarios_that_have_what_they_read(plain_base):
    plain_base.state["hands"][0, :2] = [[0, 1, 2, 0, 9], [1, 1, 1, 1, 1]]
    assert computed(plain_base, write_hooks, 25).reshape(5, 5).T.tolist() == [
        [101, 103, 105, 101, 119],
        [0, 1, 2, 0, 3],
        [False, True, True, False, True],
        [False, False, True, False, True],
        [0, 0, 2.5, 0, 0],
    ]
    assert RESOURCE_KINDS[2].name == "wool"


# -- goals -----------------------------------------------------------------------------------------------------


SAVED_FOR = Goals("toy_goal")


@SAVED_FOR.add(END_TURN, "city", "development_card")
def save_for_either(game, params, seat, memo, argument):
    return game.hands[1, argument]


@SAVED_FOR.add(END_TURN, "road")
def save_for_a_road(game, params, seat, memo):
    return 9.0


def write_goal(batch, memo, found):
    SAVED_FOR(batch.records[0], batch.params[0], 0, memo, found)


@pytest.mark.parametrize("handicaps, price", [([0, 9], "city"), ([9, 0], "development_card"), ([12, 12], "road")])
def test_a_seat_saves_for_what_it_lacks_the_fewest_cards_for(plain_base, handicaps, price):
    """The function of a goal with several names receives the index of the name."""
    plain_base.state["hands"][0, :2] = 0
    plain_base.state["hands"][0, 1, :2] = handicaps
    assert computed(plain_base, write_goal, 5).tolist() == list(plain_base.rules[f"{price}_cost"])
    with pytest.raises(CompositionError, match="and 1 more"):
        SAVED_FOR.add(END_TURN, "city", "road")(save_for_a_road)


# -- registering -----------------------------------------------------------------------------------------------


HOP = Action("hop", "hop")


@legal(PLAY)
def hopping(game, params, seat, mask):
    mask[HOP] = True


@apply(HOP)
def hop(game, params, seat, argument):
    pass


@pytest.fixture
def own_scores(monkeypatch):
    """Discard the scores that a test registers."""
    monkeypatch.setattr(scoring, "_scores", {key: dict(value) for key, value in scoring._scores.items()})
    monkeypatch.setattr(scoring, "_array_scores", dict(scoring._array_scores))


def score_of_hop(name):
    """Return the agent's score of hopping, in a scenario with this name."""
    base, rules = catan_env.find_scenario("base"), SimpleNamespace(ACTIONS=(HOP,), hopping=hopping, hop=hop)
    engine = BatchEngine(replace(base, name=name, modules=(*base.modules, rules)), 1, seed=1, compiled=False)
    action = engine.actions.id("hop")
    while not engine.action_mask[0, action]:
        engine.random_rollout(1)
    return HeuristicAgent().scores(engine, np.array([0]))[0, action]


def needs_nothing_such(game, params, seat, memo, argument):
    return game.nothing_such[seat]


def test_a_score_that_reads_what_a_scenario_lacks_is_left_out(own_scores):
    score(HOP)(needs_nothing_such)
    assert score_of_hop("hops_in_vain") == 0


def test_an_array_score_sees_the_batch(own_scores):
    array_score(HOP)(lambda t: 5.0 + t.own("hands").sum(axis=1, keepdims=True) * 0)
    assert score_of_hop("hops_in_arrays") == 5
    with pytest.raises(ValueError, match="'hop' already has a score"):
        always(1.0, HOP)


def test_an_array_score_is_refused_where_there_is_a_score():
    with pytest.raises(ValueError, match="'roll' already has a score, 50.0"):
        array_score(ROLL)(lambda t: np.zeros((1, 1)))


def test_other_parameters_are_refused():
    def without_memo(game, params, seat, argument):
        return 0.0

    for register in (score(HOP), shared(HAND_CARDS), TOTAL.contribution()):
        with pytest.raises(CompositionError, match="its parameters must be .game, params, seat, memo. and 1 more"):
            register(without_memo)
