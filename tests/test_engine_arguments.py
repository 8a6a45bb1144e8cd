"""Bad input to an engine raises a specific error that says what is allowed, and leaves the engine unchanged."""

import re

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.errors import (
    BoardError,
    CatanError,
    OptionError,
    PlayerCountError,
    RuleValueError,
    UnknownEncoderError,
    UnknownRuleError,
    UnknownScenarioError,
)
from tests.strategies import assert_same, every_number_of_players, every_scenario, look, play_on

pytestmark = pytest.mark.core


def refused(error, *words, **options):
    """Assert that making an engine raises this error, with these words in the message."""
    options = {"scenario": "base", **options}
    with pytest.raises(error) as caught:
        BatchEngine(**options)
    assert isinstance(caught.value, CatanError) and isinstance(caught.value, ValueError)
    for word in words:
        assert word in str(caught.value), f"{word!r} is not in {caught.value!s}"


# -- scenario and players ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bass", "BASE", "", "base ", 5, None, ["base"], {1}])
def test_unknown_scenarios(name):
    refused(UnknownScenarioError, "Unknown scenario", *catan_env.scenarios(), scenario=name)


def test_a_close_name_is_suggested():
    refused(UnknownScenarioError, "Did you mean 'base'?", scenario="basse")
    refused(UnknownScenarioError, "Did you mean 'card_counting'?", scenario="base+card_couting")
    refused(UnknownScenarioError, "Unknown optional rule ''", scenario="base+")


@every_number_of_players
def test_player_counts(scenario, players):
    allowed = catan_env.find_scenario(scenario).players
    assert BatchEngine(scenario).num_players == allowed[-1]
    assert BatchEngine(scenario, num_players=np.int64(players)).num_players == players
    for number in (0, min(allowed) - 1, -1, max(allowed) + 1, 2.5, "4", True, (4,), np.array([3, 4])):
        refused(PlayerCountError, repr(scenario), *map(str, allowed), scenario=scenario, num_players=number)


# -- rule numbers ------------------------------------------------------------------------------------------------


def declared_numbers(scenario):
    engine = BatchEngine(scenario)
    return [n for n in engine.program.composition.numbers.values() if n.name != "num_players"]


def with_digits_changed(default, value):
    """Return the default array as a list, with its last entry changed."""
    array = np.array(default)
    array.flat[-1] = value
    return array.tolist()


@every_scenario
def test_every_number_checks_its_values(scenario, players):
    for number in declared_numbers(scenario):
        bad = [None, "many", 1.5, float("nan"), [], {"no such kind": 1}]
        if number.choices:
            bad += [0, number.choices[0].upper() + " "]
        elif np.shape(number.default):
            bad += [1, number.default[:-1], with_digits_changed(number.default, number.high + 1)]
            bad += [with_digits_changed(number.default, number.low - 1), np.array(number.default, float)]
            bad += [[*number.default[:-1], [1, 2]]]
        else:
            bad += [True, number.low - 1, number.high + 1, float(number.default), [number.default], 2**80]
        for value in bad:
            refused(RuleValueError, repr(number.name), scenario=scenario, rules={number.name: value})


@every_scenario
def test_the_bounds_of_numbers_are_named(scenario, players):
    for number in declared_numbers(scenario):
        if number.choices:
            refused(RuleValueError, *number.choices, scenario=scenario, rules={number.name: "neither"})
        elif not np.shape(number.default):
            bounds = f"{number.low} to {number.high}"
            refused(RuleValueError, bounds, number.meaning, scenario=scenario, rules={number.name: number.high + 1})


@every_scenario
def test_unknown_rules_suggest_the_close_one(scenario, players):
    refused(UnknownRuleError, "Did you mean 'victory_points'?", scenario=scenario, rules={"victory_point": 8})
    refused(UnknownRuleError, "victory_points", "turn_limit", scenario=scenario, rules={"qqq": 1})
    refused(UnknownRuleError, "num_players=", scenario=scenario, rules={"num_players": 3})
    refused(UnknownRuleError, "It has: ", scenario=scenario, rules={3: 3})


@pytest.mark.parametrize("rules", [["victory_points"], "victory_points", 5, {("a",)}])
def test_rules_are_a_mapping(rules):
    refused(OptionError, "rules", "mapping", rules=rules)


def test_rules_may_be_given_as_numpy_numbers_and_stay_what_they_were():
    rules = {"victory_points": np.int64(8), "road_cost": np.array([2, 1, 0, 0, 0]), "city_cost": [0, 0, 0, 2, 3]}
    engine = BatchEngine("base", rules=rules, record=True)
    rules["road_cost"][0] = 9
    rules["city_cost"][4] = 9
    assert engine.rules["road_cost"] == (2, 1, 0, 0, 0)
    twin = engine.clone()
    assert twin.rules == engine.rules
    play_on(engine, 30)
    again = catan_env.replay(engine.replay_log())
    assert again.rules == engine.rules


def test_rules_given_are_those_played():
    engine = BatchEngine("base", 1, 2, rules={"bank_per_resource": 7, "harbors": "shuffled"})
    assert engine.state["bank"][0].tolist() == [7] * 5
    assert engine.rules["victory_points"] == 15  # the default depends on the number of players
    assert BatchEngine("base", 1, 2, rules={"victory_points": 6}).rules["victory_points"] == 6


# -- boards ------------------------------------------------------------------------------------------------------


def plain_board(**changes):
    topology = catan_env.find_scenario("base").board.topology
    hexes = [[q, r, "fields", 6] for q, r in topology.hex_axial.tolist()]
    return {"hexes": hexes, "harbors": [], "robber": (0, 0), **changes}


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("beginer", ["beginer", "beginner"]),
        (7, ["int"]),
        ({"hexes": []}, ["harbors"]),
        (plain_board(hexes=[]), ["missing"]),
        (plain_board(hexes=[[0, 0, "sea", 3]] * 19), ["terrain", "'sea'", "forest"]),
        (plain_board(hexes=[[9, 9, "fields", 3]]), ["(9, 9)", "not on the map"]),
        (plain_board(robber=(5, 5)), ["(5, 5)"]),
        (plain_board(robber=None), ["robber"]),
        (plain_board(harbors=[(0, 0, "E", "3:1")]), ["coast"]),
        (plain_board(harbors=[(2, 0, "E", "gold")]), ["'gold'", "3:1"]),
        (plain_board(colour="blue"), ["'colour'"]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "board",
)
def test_boards(board, words):
    refused(BoardError, *words, board=board)


def test_printed_initial_placement_needs_printed_pieces():
    refused(BoardError, "initial_placement", "board='beginner'", rules={"initial_placement": "printed"})
    refused(BoardError, "start pieces", rules={"initial_placement": "printed"}, board=plain_board())
    with pytest.raises(BoardError):
        BatchEngine("base_5_6", rules={"initial_placement": "printed"})


def test_a_board_of_another_map_is_refused():
    from catan_env.board import load_map

    large = load_map("large").layout("fixed")
    refused(BoardError, "another map", board=large)
    refused(BoardError, scenario="base_5_6", board="beginner")


# -- options -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"chance": "random"}, ["chance", "'random'", "'sampled'", "'explicit'"]),
        ({"chance": None}, ["chance"]),
        ({"chance": ["sampled"]}, ["chance"]),
        ({"reward": "points"}, ["reward", "'win_loss'", "'zero_sum'"]),
        ({"num_games": 0}, ["num_games is 0", "at least 1"]),
        ({"num_games": -3}, ["num_games"]),
        ({"num_games": 2.0}, ["num_games"]),
        ({"num_games": True}, ["num_games"]),
        ({"num_games": "4"}, ["num_games"]),
        ({"num_games": None}, ["num_games"]),
        ({"threads": 0}, ["threads"]),
        ({"threads": 1.5}, ["threads"]),
        ({"seed": None}, ["seed is None"]),
        ({"seed": 1.5}, ["seed is 1.5"]),
        ({"seed": "seven"}, ["seed is 'seven'"]),
        ({"seed": "7"}, ["seed is '7'"]),
        ({"seed": [1.5]}, ["seed is [1.5]"]),
        ({"seed": [float("nan")]}, ["seed is"]),
        ({"seed": [[1]]}, ["seed is"]),
        ({"seed": [None]}, ["seed is"]),
        ({"seed": []}, ["0 entries"]),
        ({"seed": [1, 2, 3], "num_games": 2}, ["3 entries", "2 games"]),
        ({"shaping": "much"}, ["shaping"]),
        ({"shaping": float("nan")}, ["shaping"]),
        ({"shaping": -1.0}, ["shaping"]),
        ({"shaping": None}, ["shaping"]),
        ({"discount": 1.5}, ["discount", "0 to 1"]),
        ({"discount": float("nan")}, ["discount"]),
        ({"discount": [1]}, ["discount"]),
    ],
    ids=repr,
)
def test_options(options, words):
    refused(OptionError, *words, **options)


def test_options_nobody_knows():
    with pytest.raises(TypeError, match="num_seats"):
        BatchEngine("base", num_seats=3)


def test_more_threads_than_games_are_not_used():
    assert BatchEngine("base", 2, threads=64).threads == 2


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int64(5), np.uint64(2**64 - 1), np.uint8(3)])
def test_any_integer_of_64_bits_is_a_seed(seed):
    engine = BatchEngine("base", 2, seed=seed)
    assert_same(look(engine), look(BatchEngine("base", 2, seed=int(seed))))
    assert_same(look(BatchEngine("base", 1, seed=[seed])), look(BatchEngine("base", 1, seed=[int(seed)])))


NO_SEEDS = [-1, True, 2**64, np.random.SeedSequence(1).entropy + 2**80, np.int64(-5), 1.0, np.True_, "7"]


@pytest.mark.parametrize("seed", NO_SEEDS, ids=repr)
def test_what_is_no_seed_is_none_anywhere(seed):
    engine, says = BatchEngine("base", 2), r"seed is .*integer from 0 to 2\*\*64 - 1"
    for use in (
        lambda: BatchEngine("base", seed=seed),
        lambda: BatchEngine("base", seed=[seed]),
        lambda: engine.reset(seed),
        lambda: engine.reset([3, seed]),
        lambda: engine.determinise(seed=seed),
        lambda: catan_env.make("base", "aec").reset(seed=seed),
        lambda: catan_env.make("base", "parallel").reset(seed=seed),
        lambda: catan_env.make("base", "gymnasium").reset(seed=seed),
        lambda: catan_env.make("base", "vector", num_envs=2).reset(seed=seed),
        lambda: catan_env.make("base", "vector", num_envs=2).reset(seed=[0, seed]),
    ):
        with pytest.raises(OptionError, match=says):
            use()


def test_the_largest_seed_of_a_batch_is_followed_by_the_smallest():
    envs = [catan_env.make("base", "vector", num_envs=2, opponents="random") for _ in range(2)]
    envs[0].reset(seed=2**64 - 1)
    envs[1].reset(seed=[2**64 - 1, 0])
    assert_same(look(envs[0].engine), look(envs[1].engine))


# -- on a running engine -----------------------------------------------------------------------------------------


@pytest.fixture
def running():
    """Yield an engine in mid-game, and assert that the test does not change it."""
    engine = play_on(BatchEngine("base", 3, seed=1, record=True), 50)
    before = look(engine)
    yield engine
    assert_same(before, look(engine))


@pytest.mark.parametrize(
    "games",
    [3, -1, [0, 3], [-1], [0.0], "all", [True], [True, False, True, False], [[0]], [[0], [1, 2]], {0}, 1.0, [2**70]],
    ids=repr,
)
def test_games_that_there_are_not(running, games):
    with pytest.raises(OptionError, match="games is .*boolean mask of length 3, or indices"):
        running.reset(games=games)
    with pytest.raises(OptionError, match="games is "):
        running.clone(games)


@pytest.mark.parametrize("seed", [1.5, "x", [1.0, 2.0, 3.0], [1, 2], [1, 2, 3, 4], [[1], [2], [3]], ["1", "2", "3"]])
def test_seeds_that_do_not_fit(running, seed):
    with pytest.raises(OptionError, match="seed"):
        running.reset(seed=seed)


def test_a_clone_of_no_games(running):
    with pytest.raises(OptionError, match="num_games is 0"):
        running.clone([])


@pytest.mark.parametrize("steps", [-1, 1.5, "10", None, True])
def test_rollouts_of_impossible_length(running, steps):
    with pytest.raises(OptionError, match="steps is"):
        running.random_rollout(steps)


@pytest.mark.parametrize("game", [3, -4, "0", 1.5, None])
def test_logs_of_games_that_there_are_not(running, game):
    with pytest.raises(OptionError, match="game is .*0 to 2"):
        running.replay_log(game)
    with pytest.raises(OptionError, match="game is .*0 to 2"):
        running.decision(game)


def test_encoders_that_there_are_not(running):
    with pytest.raises(UnknownEncoderError, match="Did you mean 'flat'"):
        running.observe("flatt")
    for name in (None, 3, ["flat"]):
        with pytest.raises(UnknownEncoderError):
            running.encoder(name)
    with pytest.raises(OptionError, match=re.escape("'float32'") + "|float32, uint8"):
        running.observe("flat", dtype="float16")
    for seat in (4, "0", 1.5, [0, 1]):
        with pytest.raises(OptionError, match="seat is "):
            running.observe("flat", seat=seat)
    for out in (np.zeros((3, 5), np.float32), np.zeros(3), [1], np.zeros(running.observe("flat").shape, np.int8)):
        with pytest.raises(OptionError, match="out "):
            running.observe("flat", out=out)


def test_views_cannot_be_written(running):
    for view in (running.action_mask, running.seat_to_act):
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
