"""Agents for the dice game: the solver's expected points equal enumeration and played games, and the heuristic agent's
tables equal enumeration too."""

import pickle
from functools import cache
from itertools import product

import numpy as np
import pytest

import catan_env
from catan_agents import agent_names, best, make_agent
from catan_agents.best import BestAgent, Ranking
from catan_agents.dice_game import DiceSolver, Multisets, Sheets, Solution
from catan_agents.dice_game.sheets import BASKETS, COSTS, IMPOSSIBLE
from catan_agents.heuristic import HeuristicAgent
from catan_agents.heuristic.dice_turn import ANY, MOST_OF_ANY, dice_prices
from catan_agents.registry import pretrained_for
from catan_env import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.envs.opponents import opponent_names
from catan_env.errors import OptionError
from catan_training.evaluation.matches import evaluate
from catan_training.evaluation.results import evaluate_command


@cache
def sheets():
    return Sheets(catan_env.find_scenario("dice_game"))


@cache
def solution(turns, rolls=3):
    return Solution(sheets(), turns, rolls)


def test_multisets():
    dice = Multisets()
    assert len(dice.counts) == 924 and len(dice.counts) - dice.full == 462
    for k, face in product(range(dice.full), range(6)):
        assert dice.minus[dice.plus[k, face], face] == k


def test_baskets_are_all_that_six_dice_pay_for():
    assert len(BASKETS) == 10 and (BASKETS @ COSTS.sum(axis=1)).max() == 6
    assert not BASKETS[0].any()


def test_payments_with_gold_and_jokers():
    dice = Multisets()
    jokers, helpful, of_road = dice.payments()
    city = BASKETS.tolist().index([0, 0, 1, 0])

    def pays(counts):
        k = dice.number[counts]
        return jokers[city, k], helpful[city, k]

    assert pays((0, 0, 0, 2, 3, 1)) == (0, 0)
    assert pays((0, 0, 0, 2, 2, 2)) == (0, 1 << 4)  # gold replaces the missing ore
    assert pays((1, 0, 0, 2, 2, 1)) == (1, 1 << 4)  # a joker turns the lumber into ore
    assert pays((2, 0, 0, 1, 2, 1)) == (2, 1 << 4 | 1 << 3)
    assert pays((0, 0, 0, 2, 2, 0))[0] == IMPOSSIBLE  # no die is left to turn


def by_enumeration(rules):
    """Return the expected points of a one-player game, from its start."""
    return value_of(BatchEngine("dice_game", 1, 1, chance="explicit", rules=rules))


def value_of(engine):
    """Return the expected points under best play, by trying every action and chance outcome in the engine."""
    known = {}

    def value():
        if engine.terminated[0]:
            return float(engine.victory_points[0, 0])
        key = engine.state[0].tobytes()
        if key not in known:
            if engine.seat_to_act[0] >= 0:
                known[key] = max(after(int(a)) for a in np.flatnonzero(engine.action_mask[0]))
            else:
                chances = engine.chance_probabilities[0].copy()
                known[key] = sum(chances[o] * after(int(o)) for o in np.flatnonzero(chances))
        return known[key]

    def after(entry):
        before = engine.state.copy()
        engine.step(np.array([entry]))
        found = value()
        engine.state[:] = before
        engine.refresh()
        return found

    here = engine.state.copy()
    found = value()
    engine.state[:] = here
    engine.refresh()
    return found


@pytest.mark.skipif(DISABLE_JIT, reason="plays some ten thousand states")
def test_one_turn_of_one_roll_equals_enumeration_by_the_engine():
    """This covers all dice and all ways to spend them, including the joker of a knight that was just built."""
    rules = {"turns_each": 1, "rolls_per_turn": 1, "start_player": "seat_0"}
    assert solution(1, 1).expected == pytest.approx(by_enumeration(rules))


def last_turn(rng):
    """Return a one-player game in its last turn, with a random sheet and random dice to spend."""
    engine = BatchEngine("dice_game", 1, 1, chance="explicit", rules={"start_player": "seat_0"})
    engine.step(np.array([engine.outcomes.id("start_player", 0)]))
    record, (roads, settlements, cities) = engine.state, list(sheets().number)[rng.integers(sheets().num_built)]
    knights = rng.integers(7)
    for k in range(17):
        record["roads_built"][0, 0, k] = roads >> k & 1
    record["settlements_built"][0, 0, :settlements] = record["cities_built"][0, 0, :cities] = 1
    record["knights_built"][0, 0, :knights] = 1
    record["jokers_used"][0, 0, :knights] = rng.integers(2, size=knights)
    record["dice_lying"] = np.bincount(rng.integers(6, size=6), minlength=6)
    record["turn"], record["rolls_made"], record["on_turn"] = 15, 3, 0
    record["depth"], record["decision_seats"][0, 0] = 1, 0
    record["decision_stack"][0, 0] = engine.program.composition.code("spend")
    engine.refresh()
    return engine


@pytest.mark.skipif(DISABLE_JIT, reason="plays some ten thousand states")
def test_spending_with_jokers_equals_enumeration_by_the_engine():
    """This covers random sheets and random dice in the last turn."""
    rng, best, jokers = np.random.default_rng(5), DiceSolver(Solution(sheets(), 1)), 0
    best.solution.turns = 15
    best.solution.values = np.zeros((16, *best.solution.values.shape[1:]))
    for _ in range(60):
        engine = last_turn(rng)
        usable = engine.state["knights_built"][0, 0].sum() - engine.state["jokers_used"][0, 0].sum()
        jokers += usable > 1
        start = engine.state["points_row"][0, 0].sum()
        expected = value_of(engine) - start
        while not engine.terminated[0]:
            engine.step(best.act(engine, np.array([0])))
        assert engine.state["points_row"][0, 0].sum() - start == pytest.approx(expected)
    assert jokers > 20


@pytest.mark.skipif(DISABLE_JIT, reason="plays hundreds of games")
@pytest.mark.parametrize("turns", [2, 4])
def test_the_best_play_gets_what_is_expected(turns):
    best, games = DiceSolver(solution(turns)), 300
    points = points_of(best, BatchEngine("dice_game", games, 1, seed=turns, rules={"turns_each": turns}))
    assert abs(points.mean() - best.solution.expected) < 4 * points.std() / np.sqrt(games)


def points_of(agent, engine):
    """Return the points that an agent scores in one-player games, shape (N,)."""
    while not engine.terminated.all():
        actions, acting = np.full(engine.num_games, -1), np.flatnonzero(engine.seat_to_act >= 0)
        actions[acting] = agent.act(engine, acting)
        engine.step(actions)
    return engine.victory_points[:, 0]


@pytest.mark.skipif(DISABLE_JIT, reason="compares thousands of values")
def test_more_turns_and_more_rolls_are_worth_more():
    values = solution(4).values
    for left in range(1, 5):
        both = np.isfinite(values[left])
        assert both.any()
        assert (values[left][both] >= values[left - 1][both] - 2 - 1e-9).all()
    assert solution(2, 1).expected < solution(2, 2).expected < solution(2, 3).expected


@pytest.mark.skipif(DISABLE_JIT, reason="solves thousands of states")
def test_states_solved_together_have_the_values_that_each_has_alone():
    solved, rng = solution(4), np.random.default_rng(1)
    for left in range(1, 5):
        knight_states, built = np.nonzero(np.isfinite(solved.values[left]))
        for row in rng.integers(len(built), size=20):
            k = int(knight_states[row] + 1).bit_length() - 1
            used = int(knight_states[row]) + 1 - (1 << k)
            alone = solved.rolling(left - 1, built[row], k, used, solved.idle)
            assert alone[-1, 0] == solved.values[left, knight_states[row], built[row]]


@pytest.mark.skipif(DISABLE_JIT, reason="solves thousands of states")
def test_the_agent_by_name_solves_the_game_that_it_plays():
    """It chooses the same actions as a solver that was given the solution for these rules, also after pickling."""
    engine, games = BatchEngine("dice_game", 4, 2, seed=1, rules={"turns_each": 2, "rolls_per_turn": 2}), np.arange(4)
    named, given = make_agent("dice-solver"), DiceSolver(solution(2, 2))
    while not engine.terminated.all():
        acting = games[engine.seat_to_act >= 0]
        actions = np.full(4, -1)
        actions[acting] = given.act(engine, acting)
        np.testing.assert_array_equal(named.act(engine, acting), actions[acting])
        named = pickle.loads(pickle.dumps(named))
        engine.step(actions)


def test_the_solver_plays_no_other_game():
    agent = make_agent("dice-solver")
    for scenario in ("base", "dice_game_plus"):
        with pytest.raises(OptionError, match=f"for the scenario 'dice_game'; this game is '{scenario}'"):
            agent.act(BatchEngine(scenario, 1), np.array([0]))
    assert "dice-solver" not in agent_names()
    assert pretrained_for("dice_game", 1) == pretrained_for("dice_game", 6) == ["dice-solver"]
    assert "dice-solver" in opponent_names()


def test_best_takes_the_solver_where_it_can_play(monkeypatch):
    ranked = Ranking("dice_game", 6, {}, ("dice-solver", "greedy"))
    monkeypatch.setattr(best, "rankings", lambda: (ranked,))
    printed, dear = (BatchEngine("dice_game", 1, 1, rules=rules) for rules in ({}, {"road_cost": [2, 0, 0, 0, 0, 0]}))
    assert BestAgent().name_for(printed) == ("greedy" if DISABLE_JIT else "dice-solver")
    assert BestAgent().name_for(dear) == "greedy"


def test_other_rules_than_those_solved_are_refused():
    best = DiceSolver(solution(1)) if not DISABLE_JIT else DiceSolver(Solution(sheets(), 0))
    engine = BatchEngine("dice_game", 1, 1, rules={"road_cost": [1, 0, 0, 0, 0, 0]})
    with pytest.raises(OptionError, match="road_cost"):
        best.act(engine, np.array([0]))
    with pytest.raises(OptionError, match="turns"):
        best.act(BatchEngine("dice_game", 1, 1), np.array([0]))


def test_a_game_alone_is_evaluated_without_opponents():
    alone = evaluate("random", scenario="dice_game", num_players=1, games=2, rules={"turns_each": 1})
    assert alone.opponents == () and alone.mean_opponent_points == 0
    assert "--opponents" not in evaluate_command("random", alone)


# -- the heuristic agent -------------------------------------------------------------------------------------


def prices():
    return dice_prices(tuple(map(tuple, COSTS.tolist())), 2)


def test_jokers_that_baskets_take_are_those_of_the_solution():
    jokers, _, _ = prices().multisets.payments()
    assert prices().baskets.tolist() == BASKETS.tolist()
    np.testing.assert_array_equal(np.isfinite(prices().jokers[0]), jokers == 0)
    lacking = np.maximum((BASKETS @ COSTS)[:, None] - prices().multisets.counts, 0)
    suffice = jokers <= (lacking > 0).sum(axis=2) + MOST_OF_ANY
    with_all = prices().jokers[ANY * (MOST_OF_ANY + 1) - 1]
    np.testing.assert_array_equal(with_all[suffice], jokers[suffice])
    assert np.isinf(with_all[~suffice]).all() and (jokers[suffice] > 1).any()


def test_what_rolls_bring_equals_enumeration():
    dice, table = 2, prices()
    shown = [tuple(counts) for counts in table.multisets.counts[table.by_size[dice]].tolist()]
    stand = np.random.default_rng(3).normal(size=len(shown))
    standing = dict(zip(shown, stand.tolist(), strict=True))

    @cache
    def rolled(kept, rolls):
        """Return the expected value of rolling the dice that are not kept, with `rolls` rolls left afterwards."""
        falls = list(product(range(6), repeat=dice - sum(kept)))
        ends = [tuple(np.add(kept, np.bincount(fall, minlength=6)).tolist() if fall else kept) for fall in falls]
        return sum(best(end, rolls) for end in ends) / len(ends)

    @cache
    def best(counts, rolls):
        kept = [k for k in product(range(dice + 1), repeat=6) if sum(k) < dice and all(np.less_equal(k, counts))]
        return max([standing[counts]] + [rolled(k, rolls - 1) for k in kept if rolls])

    for rolls in (1, 2):
        value, better = table.rolling(stand[:, None].astype(np.float32), dice, rolls)
        for counts in ((0,) * 6, (0, 0, 1, 0, 0, 0)):
            assert value[table.multisets.number[counts], 0] == pytest.approx(rolled(counts, rolls - 1), abs=1e-5)
        for counts in shown:
            assert better[table.multisets.number[counts], 0] == pytest.approx(best(counts, rolls), abs=1e-5)


@pytest.mark.skipif(DISABLE_JIT, reason="plays hundreds of games")
def test_the_heuristic_agent_gets_most_of_what_the_best_play_gets():
    """Best play averages 94.8 points."""
    points = points_of(HeuristicAgent(), BatchEngine("dice_game", 200, 1, seed=1))
    assert points.mean() > 75
