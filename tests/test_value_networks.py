"""Value networks: their features, values and files, training them, and agents that use them."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numba
import numpy as np
import pytest

import catan_env
from catan_agents import make_agent
from catan_agents.bundled import PRETRAINED
from catan_agents.evaluation import terms_of
from catan_agents.evaluation.extraction import evaluate_all, features_in, values_in
from catan_agents.evaluation.features import ValueFeature, feature, feature_names
from catan_agents.evaluation.network_evaluation import MOST_INPUTS, MOST_UNITS, SIZES, WIN
from catan_agents.evaluation.terms import cache_of, with_networks
from catan_agents.search import GreedyAgent, MCTSAgent, weights_in
from catan_agents.search.value_network import (
    GameSignature,
    ValueNetwork,
    inputs_of,
    load_value_network,
    save_value_network,
    signature_of,
)
from catan_agents.search.weights import WeightsError
from catan_env import BatchEngine
from catan_env.engine.arrays import as_records
from catan_env.engine.compiler import rows
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.errors import CompositionError, OptionError, UnknownAgentError
from catan_training.learning.chances import terms_in

torch = pytest.importorskip("torch")

from catan_training.evaluation.matches import evaluate  # noqa: E402
from catan_training.learning import value_games, value_learning  # noqa: E402
from catan_training.learning.config import ConfigError  # noqa: E402
from catan_training.learning.value_fitting import (  # noqa: E402
    States,
    TrainableValueNetwork,
    mean_of,
    placed,
    rows_of,
    seeing,
    value_targets,
)
from catan_training.learning.value_games import drawn, play  # noqa: E402
from catan_training.learning.value_learning import greedy_weights, learn_values, seed_of  # noqa: E402
from tests.small_training import SMALL  # noqa: E402

SCENARIOS = sorted(catan_env.scenarios())


def network_for(engine, seed=0, hidden=(6, 4)):
    """Return a network with random weights."""
    features, rng = feature_names(engine.program.composition, engine.num_players), np.random.default_rng(seed)
    sizes = [len(features), *hidden, 1]
    layers = tuple(
        (rng.normal(size=(a, b)).astype(np.float32) / np.float32(a), rng.normal(size=b).astype(np.float32) / 4)
        for a, b in zip(sizes, sizes[1:], strict=False)
    )
    made = {"by": "a test"}
    return ValueNetwork((signature_of(engine),), layers, made)


def correcting(network, engine):
    """Return the network as a correction of the sum of terms."""
    return replace(network, terms=(greedy_weights(engine),))


def without_correction(engine):
    """Return a network that corrects nothing, as at the start of training."""
    network = TrainableValueNetwork(len(feature_names(engine.program.composition, engine.num_players)), (6, 4))
    network.clear_output()
    return correcting(ValueNetwork((signature_of(engine),), network.parts(), {}), engine)


def alike(one, other, rtol=0.0):
    for (weights, biases), (other_weights, other_biases) in zip(one.layers, other.layers, strict=True):
        np.testing.assert_allclose(weights, other_weights, rtol=rtol)
        np.testing.assert_allclose(biases, other_biases, rtol=rtol)


@pytest.fixture(scope="module")
def games():
    """Return two-player games in mid-game."""
    engine = BatchEngine("base", 10, 2, seed=3, rules={"offers_per_turn": 0})
    engine.random_rollout(150)
    engine.reset(games=engine.seat_to_act < 0)
    return engine


def test_what_is_seen_stands_under_its_names(games):
    names = feature_names(games.program.composition, 2)
    assert len(set(names)) == len(names)
    seen = dict(zip(names, np.moveaxis(features_in(games, games.state), 2, 0), strict=True))
    state = games.state
    for seat in range(2):
        np.testing.assert_array_equal(seen["points@0"][:, seat], games.visible_points[:, seat])
        np.testing.assert_array_equal(seen["points@1"][:, seat], games.visible_points[:, 1 - seat])
        np.testing.assert_array_equal(seen["hand/ore"][:, seat], state["hands"][:, seat, 4])
        np.testing.assert_array_equal(seen["hand_size@1"][:, seat], state["hands"][:, 1 - seat].sum(axis=1))
        np.testing.assert_array_equal(seen["longest_road@0"][:, seat], state["longest_road"] == seat)
        np.testing.assert_array_equal(seen["on_turn@1"][:, seat], state["on_turn"] == 1 - seat)
        np.testing.assert_array_equal(seen["cities@0"][:, seat], 4 - state["cities_left"][:, seat])
        expected = sum(seen[f"production/{kind}@0"][:, seat] for kind in ("lumber", "brick", "wool", "grain", "ore"))
        terms = [term.name for term in terms_of(games.program.composition)]
        measured = terms_in(games, state, np.full(games.num_games, seat))
        sums = ("lumber_and_brick", "wool", "grain", "ore")
        np.testing.assert_allclose(expected, sum(measured[:, terms.index(name)] for name in sums))
        np.testing.assert_allclose(seen["site@0"][:, seat], measured[:, terms.index("site")])


def test_a_seat_sees_nothing_that_is_hidden(games):
    for seat in range(2):
        worlds = games.determinise(seats=np.full(games.num_games, seat), seed=5)
        assert any((worlds[name] != games.state[name]).any() for name in ("hands", "development_cards", "deck"))
        np.testing.assert_array_equal(features_in(games, worlds)[:, seat], features_in(games, games.state)[:, seat])


def check_features(scenario, players):
    """Check that features have unique names, fit into networks and reveal nothing hidden. Return the terms among them.

    The terms must equal those of `greedy`.
    """
    engine = BatchEngine(scenario, 1, players, seed=4, compiled=False)
    engine.random_rollout(80)
    names = feature_names(engine.program.composition, players)
    assert len(set(names)) == len(names) <= MOST_INPUTS
    worlds = engine.determinise(seats=np.zeros(1, np.int64), seed=1)
    seen = features_in(engine, engine.state)
    np.testing.assert_array_equal(features_in(engine, worlds)[:, 0], seen[:, 0])
    terms = [f"term/{term.name}" for term in terms_of(engine.program.composition)]
    measured = dict(zip(terms, terms_in(engine, engine.state, np.zeros(1, np.int64))[0], strict=True))
    found = {name: value for name, value in zip(names, seen[0, 0], strict=True) if name.startswith("term/")}
    assert found == {name: measured[name] for name in found}
    return found


def test_terms_are_features_where_a_system_declares_no_others():
    assert not check_features("base", 4) and not check_features("corsica", 4)
    for scenario, name in (
        ("seafarers_cloth", "term/village_ahead"),
        ("troy", "term/commerce"),
        ("dice_game", "term/turns_to_come"),
    ):
        assert name in check_features(scenario, 4)


def check_correction(scenario, players):
    """Check that the value is exactly the sum of terms without a correction, and otherwise corrected by the network."""
    engine = BatchEngine(scenario, 2, players, seed=4, compiled=False)
    engine.random_rollout(80)
    sums = values_in(engine, engine.state, weights_in(engine))
    np.testing.assert_array_equal(values_in(engine, engine.state, without_correction(engine).row_for(engine)), sums)
    network = correcting(network_for(engine), engine)
    values = values_in(engine, engine.state, network.row_for(engine))
    learned = TrainableValueNetwork(len(network.inputs), (6, 4))
    learned.take(network)
    with torch.no_grad():
        seen = torch.from_numpy(features_in(engine, engine.state)).float().flatten(0, 1)
        expected = learned(seen, torch.from_numpy(sums).float().flatten()).numpy().reshape(sums.shape)
    np.testing.assert_allclose(values, expected, rtol=1e-5, atol=1e-5)
    assert (values != sums).any()


@pytest.mark.parametrize("scenario", ["base", "cities_and_knights", "seafarers_cloth"])
def test_a_network_corrects_the_sum_of_terms(scenario):
    check_correction(scenario, 4)


@pytest.mark.soak
@pytest.mark.skipif(not DISABLE_JIT, reason="compiles a program for each scenario: run with NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_networks_correct_the_terms_of_all_scenarios(scenario):
    check_correction(scenario, max(catan_env.find_scenario(scenario).players))


@pytest.mark.parametrize("scenario", ["base", "cities_and_knights"])
def test_without_a_correction_an_agent_chooses_as_greedy(scenario):
    """Choices and values are the same, including those with chance, hidden cards and trade offers."""
    engine = BatchEngine(scenario, 4, 3, seed=5, compiled=False)
    engine.random_rollout(90)
    where = np.flatnonzero(engine.action_mask.sum(axis=1) > 1)
    plain, corrected = (GreedyAgent(worlds=2, weights=given) for given in (None, without_correction(engine)))
    for expected, found in zip(plain.evaluate_actions(engine, where), corrected.evaluate_actions(engine, where)):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.soak
@pytest.mark.skipif(not DISABLE_JIT, reason="compiles a program for each scenario: run with NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_features_of_all_scenarios_are_named_and_open(scenario):
    for players in catan_env.find_scenario(scenario).players:
        check_features(scenario, players)


@numba.njit
def rows_kernel(units, weights, at, factors):
    rows.add_rows(units, weights, at, factors)


@numba.njit
def lanes_kernel(one, other, first):
    return rows.differing(one, other, first), rows.positive(one, first)


@numba.njit
def copy_kernel(target, source, at):
    rows.copy_numbers(target, source, at)


@numba.njit
def digest_kernel(numbers, start):
    return rows.digest(numbers, start)


@pytest.mark.parametrize("scenario", ["seafarers_cloth", "dice_game"])
def test_measuring_terms_does_not_overwrite_features(scenario):
    """The terms of these scenarios need scratch space, in the pool that also contains a network's features."""
    engine = BatchEngine(scenario, 2, 4, seed=4, compiled=False)
    engine.random_rollout(80)
    network = network_for(engine)
    values = values_in(engine, engine.state, network.row_for(engine))
    found = features_in(engine, engine.state)
    for number, (weights, biases) in enumerate(network.layers):
        found = found @ weights + biases
        found = np.maximum(found, 0) if number < 2 else found
    np.testing.assert_allclose(values, WIN / (1 + np.exp(-found[:, :, 0])), rtol=1e-4)


@pytest.mark.parametrize("scenario", ["base", "seafarers_cloth", "cities_and_knights"])
def test_values_do_not_depend_on_positions_seen_before(scenario):
    """One cache for positions in any order, two networks and all seats gives the same values as fresh caches."""
    engine = BatchEngine(scenario, 5, 3, seed=6, compiled=False)
    engine.random_rollout(70)
    composition, rng = with_networks(engine.program.composition), np.random.default_rng(0)
    networks = network_for(engine, 1), correcting(network_for(engine, 2), engine)
    rows = [network.row_for(engine) for network in networks]
    records, kernel = as_records(engine.state), engine.kernel(evaluate_all, composition)

    def values_of(game, row, cache):
        values = np.zeros((1, 3))
        kernel(records[game : game + 1], engine.batch.params, rows[row], values, cache, 0, 1)
        return values

    def fresh_cache():
        return cache_of(engine.program.composition, engine.program.blank)

    cache, places = fresh_cache(), [(game, row) for game in range(5) for row in range(2)]
    expected = {place: values_of(*place, fresh_cache()) for place in places}
    for place in rng.permutation(places * 3):
        np.testing.assert_array_equal(values_of(*place, cache), expected[tuple(place)])


def test_sums_of_rows_are_those_of_plain_python():
    rng = np.random.default_rng(3)
    weights, at = rng.normal(size=200).astype(np.float32), (0, 32, 64, 160)
    for dtype in (np.float32, np.float64):
        factors = tuple(dtype(number) for number in rng.normal(size=4))
        one, other = np.ones((2, 32), dtype)
        rows_kernel(one, weights, at, factors)
        rows.add_rows_in_python(other, weights, at, factors)
        np.testing.assert_allclose(one, other, rtol=1e-5)
        other[:] = one
        one[[20, 21]] = 0.0, 1.0
        plain = rows.differing_in_python(one, other, 16), rows.positive_in_python(one, 16)
        assert lanes_kernel(one, other, 16) == plain and 0 < plain[0] < plain[1]


def test_sums_of_the_first_layer_are_exact():
    """The weights have 16 bits, and the inputs are multiples of 2^-16."""
    rng = np.random.default_rng(4)
    weights, sums = rng.normal(size=200).astype(np.float16).astype(np.float32), np.zeros(32)
    weights = (np.round(weights * 2**24) / 2**24).astype(np.float32)
    at, factors = (0, 32, 64, 160), tuple(rng.integers(-(2**22), 2**22, 4) / 2**16)
    rows_kernel(sums, weights, at, factors)
    for unit in range(32):
        exact_sum = sum(
            Fraction(float(weights[start + unit])) * Fraction(f) for start, f in zip(at, factors, strict=True)
        )
        assert sums[unit] == exact_sum


@pytest.mark.parametrize("copy_numbers", [copy_kernel, rows.copy_numbers_in_python])
def test_numbers_are_copied_to_all_of_the_target(copy_numbers):
    for dtype, count in ((np.float32, 16), (np.float64, 3), (np.float64, 0)):
        target, source = np.full(20, -1, dtype), np.arange(30, dtype=dtype)
        copy_numbers(target[2 : 2 + count], source, 7)
        np.testing.assert_array_equal(target, [-1] * 2 + list(range(7, 7 + count)) + [-1] * (18 - count))


@pytest.mark.parametrize("digest", [digest_kernel, rows.digest_in_python])
def test_digests_tell_small_numbers_apart(digest):
    """Set each of 32 numbers to each of several values, in an array of zeros and in one of small numbers."""
    rng, seen_digests = np.random.default_rng(5), set()
    for numbers in (np.zeros(32), rng.integers(0, 9, 32).astype(float)):
        digests = {digest(numbers, 7)}
        for place, number in product(range(32), (0.0, 0.25, 1.0, 2.0, 3.0, 64.0, 1 / 3)):
            changed = numbers.copy()
            changed[place] = number
            assert digest(changed.copy(), 7) == digest(changed, 7) != digest(changed, 8)
            digests.add(digest(changed, 7))
        kept_count = sum(numbers[place] in (0.0, 1.0, 2.0, 3.0) for place in range(32))
        assert len(digests) == 1 + 32 * 7 - kept_count
        seen_digests |= digests
    assert 0 not in seen_digests


@pytest.mark.parametrize("hidden", [(6, 4), (256, 128), (MOST_UNITS, MOST_UNITS)])
def test_a_network_judges_as_its_layers_say(games, hidden):
    """Compare the compiled network, as an agent uses it, with NumPy."""
    games = games.clone()
    for game, seat in zip(games.state, games.seat_to_act, strict=True):
        game["hands"][seat] = [4, 4, 0, 0, 1]
        game["bank"] = 19 - game["hands"].sum(axis=0)
    games.refresh()
    network = network_for(games, hidden=hidden)
    where = np.flatnonzero(games.action_mask.sum(axis=1) > 1)
    _, worth = GreedyAgent(worlds=1, weights=network).evaluate_actions(games, where)
    tried = 0
    for row, game in enumerate(where):
        for action in np.flatnonzero(np.isfinite(worth[row])):
            if games.actions.kind_of[action] not in ("build_road", "build_settlement", "trade_with_bank"):
                continue  # agents average over chance and look past nested decisions
            after = games.clone([game])
            seat = after.seat_to_act[0]
            after.step([action])
            if after.seat_to_act[0] != seat or after.decision(0) != games.decision(game):
                continue
            found = features_in(after, after.state)[0, seat]
            for number, (weights, biases) in enumerate(network.layers):
                found = found @ weights + biases
                found = np.maximum(found, 0) if number < 2 else found
            assert worth[row, action] == pytest.approx(WIN / (1 + np.exp(-found[0])), abs=1e-5)
            tried += 1
    assert tried > 3


def test_weights_of_terms_are_distinguished_from_networks(games):
    """Kernels that support networks compute the same values from term weights as kernels that do not."""
    where = np.flatnonzero(games.seat_to_act >= 0)
    plain, knowing = GreedyAgent(worlds=2), GreedyAgent(worlds=2)
    knowing._networks = True
    np.testing.assert_array_equal(plain.evaluate_actions(games, where)[1], knowing.evaluate_actions(games, where)[1])


def test_files_keep_networks_and_bad_ones_are_refused(games, tmp_path):
    network, path = network_for(games), tmp_path / "some.safetensors"
    save_value_network(path, network)
    kept = load_value_network(path)
    np.testing.assert_array_equal(kept.row_for(games), network.row_for(games))
    assert kept.games == network.games and kept.made == {"by": "a test"} and kept.terms == ()
    corrected = correcting(network, games)
    save_value_network(path, corrected)
    assert load_value_network(path).terms == corrected.terms
    np.testing.assert_array_equal(load_value_network(path).row_for(games), corrected.row_for(games))
    for terms, why in (
        ((*corrected.terms, {}), "a table for each of its games"),
        (({"points": "many"},), "must map names to finite numbers"),
    ):
        save_value_network(path, replace(network, terms=terms))
        with pytest.raises(WeightsError, match=why):
            load_value_network(path)
    with pytest.raises(WeightsError, match="terms that differ from those of this version"):
        replace(network, terms=({"points": 1.0},)).row_for(games)
    save_value_network(path, network)
    where = np.flatnonzero(games.action_mask.sum(axis=1) > 1)
    chosen = [GreedyAgent(weights=given).act(games, where).tolist() for given in (network, path, str(path))]
    assert chosen[0] == chosen[1] == chosen[2]
    with pytest.raises(WeightsError, match="not a value network"):
        load_value_network(str(tmp_path / "none.safetensors"))
    (tmp_path / "torn.safetensors").write_bytes(path.read_bytes()[:-5])
    with pytest.raises(WeightsError, match="not a value network"):
        load_value_network(tmp_path / "torn.safetensors")
    first, *rest = network.layers
    for layers, why in (
        (((first[0][1:], first[1]), *rest), "layer 0 has weights of shape"),
        (((first[0], first[1] * np.float32(np.inf)), *rest), "layer 0 contains numbers that are not finite"),
        (network_for(games, hidden=(MOST_UNITS + 1, 2)).layers, "layer 0 has weights of shape"),
    ):
        save_value_network(path, replace(network, layers=layers))
        with pytest.raises(WeightsError, match=why):
            load_value_network(path)
    save_value_network(path, replace(network, games=(replace(network.games[0], players="two"),)))
    with pytest.raises(WeightsError, match="its games must have the keys scenario, version, players, features"):
        load_value_network(path)


def test_a_file_may_hold_networks_for_different_rule_numbers(games, tmp_path):
    long, short = (
        replace(network_for(games, seed), rules={"victory_points": points}) for seed, points in ((1, 15), (2, 10))
    )
    save_value_network(tmp_path / "value", replace(long, others=(short,)))
    network = load_value_network(str(tmp_path / "value"))
    assert network.all_games == long.games and [one.rules for one in network.networks] == [long.rules, short.rules]
    agents = GreedyAgent(weights=network), MCTSAgent(weights=network)
    for points, expected in ((15, long), (10, short), (12, long), (10, short)):
        engine = BatchEngine("base", 1, 2, rules={"victory_points": points})
        row = expected.row_for(engine)
        np.testing.assert_array_equal(network.row_for(engine), row)
        for agent in agents:  # one agent plays in engines with different rules
            np.testing.assert_array_equal(agent._weights_of(engine, np.array([0]))[0][0], row)
        np.testing.assert_array_equal(agents[1]._evaluation(engine), row)
        about = replace(SMALL, rules={"victory_points": points}, hidden=(6, 4), start=(str(tmp_path / "value"),))
        start = value_learning.ValueRun(about, tmp_path / f"{points}", 0).start
        np.testing.assert_array_equal(start.layers[1][0], expected.layers[1][0])


def test_a_trained_network_says_its_rule_numbers(tmp_path):
    about = replace(SMALL, rules={"victory_points": 4})
    assert value_learning.ValueRun(about, tmp_path, 0).kept(0).rules == {"victory_points": 4}


def test_a_file_may_hold_a_network_for_each_game(games, tmp_path):
    three = BatchEngine("base", 1, 3)
    first, second, path = network_for(games), correcting(network_for(three, 1, (5, 3)), three), tmp_path / "value"
    save_value_network(path, replace(first, others=(second,)))
    both = load_value_network(path)
    assert both.all_games == first.games + second.games and both.games == first.games
    for network, engine in ((first, games), (second, three)):
        np.testing.assert_array_equal(both.row_for(engine), network.row_for(engine))
        np.testing.assert_array_equal(both.term_weights_for(engine), network.term_weights_for(engine))
        alike(value_learning.for_some_of([signature_of(engine)], both, engine.rules), network)
    with pytest.raises(WeightsError, match="with 2 players and 'base', version ., with 3 players; this game is"):
        both.row_for(BatchEngine("base", 1, 4))
    for others, why in (
        ((replace(second, layers=first.layers),), "layer 0 has weights of shape"),
        ((replace(second, agent="mcts"),), "its 'agent' is 'mcts'"),
    ):
        save_value_network(path, replace(first, others=others))
        with pytest.raises(WeightsError, match=why):
            load_value_network(path)


def test_a_network_plays_with_one_player_less():
    """It plays as if all inputs about the fourth player were 0. A network for three players cannot play with two."""
    two, three, four = (BatchEngine("base", 1, players) for players in (2, 3, 4))
    network = correcting(network_for(four, 1, (5, 3)), four)
    limited = network.for_game(three)
    known = [name for name in network.inputs if not name.endswith("@3")]
    assert limited.games == (signature_of(three),) and list(limited.inputs) == known
    rows = [network.inputs.index(name) for name in known]
    np.testing.assert_array_equal(limited.layers[0][0], network.layers[0][0][rows])
    np.testing.assert_array_equal(network.term_weights_for(three), network.term_weights_for(four))
    for trained, engine in ((network, two), (network_for(three), two), (network_for(three), four)):
        with pytest.raises(WeightsError, match="this game is 'base', version 2, with"):
            trained.row_for(engine)


@pytest.mark.parametrize(("bits", "part"), [(8, 0.51 / 127), (16, 2.0**-11), (32, 0)])
def test_weights_in_fewer_bits_are_close(games, tmp_path, bits, part):
    network = network_for(games)
    save_value_network(tmp_path / "value.safetensors", network, bits=bits)
    loaded = load_value_network(tmp_path / "value.safetensors")
    for (weights, biases), (loaded_weights, loaded_biases) in zip(network.layers, loaded.layers, strict=True):
        rows = abs(weights).max(axis=1, keepdims=True)
        assert (abs(loaded_weights - weights) <= part * rows).all()
        assert (abs(loaded_biases - biases) <= min(part, 2.0**-11) * abs(biases)).all()
    with pytest.raises(OptionError, match="bits is 4"):
        save_value_network(tmp_path / "value.safetensors", network, bits=4)


def test_a_file_names_the_agent_that_plays_with_its_network(games, tmp_path):
    path = tmp_path / "value.safetensors"
    for name, depth in (("greedy", 1), ("expectimax", 2)):
        save_value_network(path, replace(network_for(games), agent=name))
        agent = make_agent(tmp_path, worlds=3, trade=False)
        assert (agent.name, agent.depth, agent.worlds) == (tmp_path.name, depth, 3)
    save_value_network(path, replace(network_for(games), agent="mcts"))
    with pytest.raises(WeightsError, match="its 'agent' is 'mcts'; it must be greedy or expectimax"):
        make_agent(tmp_path)


def test_networks_of_other_games_are_refused(games):
    where = np.flatnonzero(games.seat_to_act >= 0)
    network = network_for(games)
    for changes, why in (
        ({"players": 3}, "with 3 players; this game is 'base', version 2, with 2 players"),
        ({"version": 0}, "version 0"),
        ({"features": network.inputs[::-1]}, "features that differ"),
    ):
        with pytest.raises(WeightsError, match=why):
            other = replace(network, games=(replace(network.games[0], **changes),))
            GreedyAgent(weights=other).act(games, where)


def test_functions_that_see_take_the_arguments_that_they_are_given():
    with pytest.raises(CompositionError, match=r"must be \(game, params, seat, seen\)"):
        feature(ValueFeature("this", "something"))(lambda game, params, player, seen: None)
    with pytest.raises(CompositionError, match=r"of each player: .* \(game, params, player, seen\)"):
        feature(ValueFeature("this", "something"), each=True)(lambda game, params, seat, seen: None)


def test_what_becomes_of_a_state_is_a_mean_of_what_comes_later():
    """Two states are from one game and one is from another. The network gives both players the same chance."""
    network = TrainableValueNetwork(1, (2, 2))
    won = np.array([[1, 0], [0, 1]], np.float32)
    states = States(np.zeros((3, 2, 1), np.float16), np.zeros((3, 2), np.float32), np.array([0, 0, 1]), won)
    np.testing.assert_array_equal(value_targets(network, states, 1.0), [[1, 0], [1, 0], [0, 1]])
    np.testing.assert_allclose(value_targets(network, states, 0.9), [[0.95, 0.05], [1, 0], [0, 1]], atol=1e-6)


def test_rows_are_found_in_all_parts():
    parts = [torch.arange(6.0).view(3, 2), torch.arange(6.0, 14.0).view(4, 2).half()]
    rows = torch.tensor([6, 0, 3, 2, 3])
    torch.testing.assert_close(rows_of(parts, rows), torch.cat([part.float() for part in parts])[rows])


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled, minutes in plain Python")
def test_learning_goes_on_where_it_stopped(tmp_path):
    """A resumed run gives the same network as an uninterrupted one. Other settings for its folder are rejected."""
    whole = learn_values(SMALL, tmp_path / "whole", 4)
    learn_values(SMALL, tmp_path / "parts", 4)
    for number in (3, 4):
        (tmp_path / "parts" / f"round-{number:04}.safetensors").unlink()
    parts = learn_values(SMALL, tmp_path / "parts", 4)
    alike(whole, parts)
    first = load_value_network(tmp_path / "whole" / "round-0000.safetensors")
    assert (first.layers[0][0] != whole.layers[0][0]).any() and whole.made["rounds"] == 4
    assert json.loads((tmp_path / "whole" / "values.json").read_text())["games"] == 6
    with pytest.raises(OptionError, match="different replay_rounds"):
        learn_values(replace(SMALL, replay_rounds=3), tmp_path / "parts", 4)
    with pytest.raises(OptionError, match="allowed are at most"):
        learn_values(replace(SMALL, hidden=(MOST_UNITS + 1, 2)), tmp_path / "wide", 1)
    with pytest.raises(OptionError, match="rounds is -1; it must be an integer of at least 0"):
        learn_values(SMALL, tmp_path / "none", -1)
    agent = make_agent(tmp_path / "whole")
    assert agent.name == "whole"
    start = (str(tmp_path / "whole" / "value.safetensors"),)
    begun = learn_values(replace(SMALL, start=start), tmp_path / "further", 1)
    again = load_value_network(tmp_path / "further" / "round-0000.safetensors")
    alike(again, whole, rtol=1e-5)
    assert (begun.layers[0][0] != again.layers[0][0]).any()


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled, minutes in plain Python")
def test_the_number_of_workers_does_not_change_the_network(tmp_path, monkeypatch):
    monkeypatch.setattr(value_learning, "PART", 2)
    about = replace(SMALL, also=("two_player:2",))
    alike(learn_values(about, tmp_path / "one", 1, workers=1), learn_values(about, tmp_path / "two", 1, workers=2))


def test_every_part_of_every_round_has_a_seed_of_its_own():
    """This includes rounds of more than 500,000 games. The seeds of a round are in the order of its parts."""
    seeds = [[seed_of(number, part) for part in range(3001)] for number in (0, 1, 2, 3, 1000)]
    assert len({seed for of_round in seeds for seed in of_round}) == 5 * 3001
    assert all(of_round == sorted(of_round) for of_round in seeds)
    first_draws = {float(np.random.default_rng([7, seed]).random()) for of_round in seeds for seed in of_round[::100]}
    assert len(first_draws) == 5 * 31


def test_a_wider_network_begins_as_a_narrow_one():
    narrow, wide = TrainableValueNetwork(5, (3, 2)), TrainableValueNetwork(5, (6, 4))
    seen = np.random.default_rng(0).normal(size=(20, 5)).astype(np.float32)
    wide.adapt([seen[:, None]])
    wide.take(ValueNetwork((GameSignature("base", 1, 2, tuple("abcde")),), narrow.parts(), {}))
    rows, sums = torch.from_numpy(seen), torch.zeros(20)
    with torch.no_grad():
        np.testing.assert_allclose(wide(rows, sums), narrow(rows, sums), atol=1e-6)


def test_chances_are_fitted_to_sums_of_terms():
    """The fit recovers the intercept and slope with which the winners of many games were drawn."""
    rng, network = np.random.default_rng(0), TrainableValueNetwork(1, (2, 2))
    sums = rng.normal(20.0, 5.0, size=40_000)
    network.adapt_to_sums(sums, rng.random(len(sums)) < 1 / (1 + np.exp(15.0 - 0.7 * sums)))
    np.testing.assert_allclose(network.logit_of_sum, [-15.0, 0.7], rtol=0.05)


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled, minutes in plain Python")
def test_a_correction_is_learned_and_learned_again(games, tmp_path):
    """Resumed and uninterrupted runs give the same network. A run that starts from it keeps its term weights."""
    about = replace(SMALL, correction=0.5, opponents=("heuristic",))
    network = learn_values(about, tmp_path / "one", 2)
    assert network.terms == (greedy_weights(games),) and network.layers[2][0].any()
    learn_values(about, tmp_path / "two", 2)
    (tmp_path / "two" / "round-0002.safetensors").unlink()
    alike(network, learn_values(about, tmp_path / "two", 2))
    further = replace(about, start=(str(tmp_path / "one" / "value.safetensors"),))
    assert learn_values(further, tmp_path / "further", 0).terms == network.terms
    alike(load_value_network(tmp_path / "further" / "round-0000.safetensors"), network, rtol=1e-4)
    with pytest.raises(OptionError, match="corrects the sum of terms. Set correction to more than 0"):
        learn_values(replace(further, correction=0.0), tmp_path / "none", 0)
    with pytest.raises(OptionError, match=r"was trained with correction 0.5; correction is 1.0. Set it to 0.5"):
        learn_values(replace(further, correction=1.0), tmp_path / "full", 0)
    with pytest.raises(WeightsError, match="the same term weights"):
        mean_of([network, replace(network, terms=())])


def test_several_networks_have_a_mean(games):
    network = network_for(games)
    doubled = replace(network, layers=tuple((2 * weights, 2 * biases) for weights, biases in network.layers))
    mean = mean_of([network, doubled])
    for (weights, biases), (own, beside) in zip(mean.layers, network.layers, strict=True):
        np.testing.assert_allclose(weights, 1.5 * own, rtol=1e-6)
        np.testing.assert_allclose(biases, 1.5 * beside, rtol=1e-6)
    alike(mean_of([network]), network)
    other = replace(network, games=(replace(network.games[0], players=3),))
    (weights, biases), *others = network.layers
    narrower = replace(network, layers=((weights[:, 1:], biases[1:]), *others))
    for odd in (other, narrower):
        with pytest.raises(WeightsError, match="the same games and layer sizes"):
            mean_of([network, odd])


def test_a_network_may_see_more_or_fewer_features_than_it_knows_of(games):
    network = network_for(games)
    known, (weights, biases) = [0, 3, 5], network.layers[0]
    seen = replace(network.games[0], features=tuple(network.inputs[k] for k in known))
    narrow = replace(network, games=(seen,), layers=((weights[known], biases), *network.layers[1:]))
    wide = seeing(narrow, network.games)
    assert wide.inputs == network.inputs
    np.testing.assert_array_equal(wide.layers[0][0][known], weights[known])
    assert np.count_nonzero(wide.layers[0][0].any(axis=1)) == len(known)
    fewer = seeing(narrow, (replace(seen, features=seen.features[1:]),))
    np.testing.assert_array_equal(fewer.layers[0][0], weights[known[1:]])
    with pytest.raises(WeightsError, match="none of the value network's inputs"):
        seeing(narrow, (replace(seen, features=("unlike",)),))


def test_a_network_forgets_players_whom_a_game_lacks():
    four, three = (signature_of(BatchEngine("base", 1, players, compiled=False)) for players in (4, 3))
    weights = np.arange(1, len(four.features) + 1, dtype=np.float32)[:, None]
    network = ValueNetwork((four,), ((weights, np.zeros(1, np.float32)),), {})
    smaller = seeing(network, (three,))
    assert smaller.inputs == three.features and len(three.features) < len(four.features)
    for name, own in zip(three.features, smaller.layers[0][0], strict=True):
        assert own == weights[four.features.index(name)], name


def test_further_opponents_share_the_weights_of_known_ones():
    two, four = (signature_of(BatchEngine("base", 1, players, compiled=False)) for players in (2, 4))
    weights = np.arange(1, len(two.features) + 1, dtype=np.float32)[:, None]
    larger = seeing(ValueNetwork((two,), ((weights, np.zeros(1, np.float32)),), {}), (four,))
    for name, own in zip(four.features, larger.layers[0][0], strict=True):
        feature, _, steps = name.rpartition("@")
        if name in two.features and steps != "1":
            assert own == weights[two.features.index(name)], name
        elif f"{feature}@1" in two.features:
            np.testing.assert_allclose(own, weights[two.features.index(f"{feature}@1")] / 3, rtol=1e-6)


def test_a_network_for_several_games_knows_which_is_played(games, tmp_path):
    """A game's row computes the same first layer as the whole network with the input that indicates the game."""
    other = BatchEngine("two_player", 1, seed=1)
    both, rng = (signature_of(games), signature_of(other)), np.random.default_rng(2)
    inputs = inputs_of(both)
    assert inputs[-2:] == ("base/2", "two_player/2") and set(both[0].features) <= set(inputs)
    sizes = [len(inputs), 16, 16, 1]
    layers = tuple(
        (rng.normal(size=(a, b)).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in zip(sizes, sizes[1:], strict=False)
    )
    network = ValueNetwork(both, layers, {})
    alike(network.limited_to(both), network)
    save_value_network(tmp_path / "both", network)
    for these in both:
        about = replace(SMALL, scenario=these.scenario, hidden=(16, 16), start=(str(tmp_path / "both"),))
        start = value_learning.ValueRun(about, tmp_path / these.scenario, 0).start
        assert start.games == (these,)
        alike(start, network.limited_to([these]))
    about = replace(SMALL, players=3, hidden=(16, 16), start=(str(tmp_path / "both"),))
    run = value_learning.ValueRun(about, tmp_path / "of another game", 0)
    alike(run.start, seeing(network.limited_to(both[:1]), run.signatures))
    for engine, these in zip((games, other), both, strict=True):
        seen = rng.normal(size=(3, len(these.features)))
        row = network.row_for(engine)
        count, wide = int(row[0]), int(row[1])
        first = row[SIZES:].view(np.float32)[: (count + 1) * wide].reshape(-1, wide)
        whole = placed(seen, these, inputs) @ layers[0][0] + layers[0][1]
        np.testing.assert_allclose(seen @ first[:count] + first[count], whole, rtol=1e-4, atol=1e-4)
    with pytest.raises(WeightsError, match="'base', version 2, with 2 players and 'two_player'"):
        network.row_for(BatchEngine("base", 1, 3))


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled, minutes in plain Python")
def test_several_scenarios_are_learned_at_once(tmp_path):
    about = replace(SMALL, also=("two_player:2",))
    network = learn_values(about, tmp_path, 1)
    assert [games.name for games in network.games] == ["base/2", "two_player/2"]
    assert network.layers[0][0][-2:].any(axis=1).all()
    for scenario in ("base", "two_player"):
        assert evaluate(make_agent(tmp_path), "random", scenario, 2, 2, 1, {"victory_points": 3}).games == 2
    with pytest.raises(ConfigError, match="after the colon"):
        replace(SMALL, also=("two_player:two",)).each()


def test_actions_are_drawn_the_more_often_the_better_they_are(games):
    """Actions are drawn in proportion to exp(value / temperature)."""
    value_targets = np.full((1, games.actions.n), -np.inf)
    game = np.flatnonzero(games.action_mask.sum(axis=1) > 1)[:1]
    one, other = np.flatnonzero(games.action_mask[game[0]])[:2]
    value_targets[0, [one, other]] = 0.1, 0.1 + 0.02 * np.log(3)
    agent = SimpleNamespace(evaluate_actions=lambda engine, games: (None, np.repeat(value_targets, len(games), axis=0)))
    found = drawn(agent, games, np.repeat(game, 4000), 0.02, np.random.default_rng(0))
    assert set(found) == {one, other}
    assert np.mean(found == other) == pytest.approx(0.75, abs=0.03)


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled, minutes in plain Python")
def test_greedy_may_play_along(games):
    """A network makes no difference if `greedy` plays all seats; it makes one if `greedy` plays none."""
    for opponent_fraction, alike in ((1.0, True), (0.0, False)):
        about = replace(SMALL, opponent_fraction=opponent_fraction, temperature=0.0, epsilon=0.0)
        agents = [GreedyAgent(worlds=1, weights=network_for(games, seed), trade=False) for seed in (0, 1)]
        one, other = (play(about, agent, 6, 0) for agent in agents)
        assert np.array_equal(one.seen, other.seen) == alike


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled, minutes in plain Python")
def test_each_named_opponent_plays_some_of_the_seats(monkeypatch):
    """Opponents play the given fraction of the seats, and each of them plays about equally many."""
    decisions = {}

    def counted(name, **options):
        agent = make_agent(name, **options)
        decisions[name] = set()

        def act(engine, games, act=agent.act):
            decisions[name].update(zip(games, engine.seat_to_act[games], strict=True))
            return act(engine, games)

        monkeypatch.setattr(agent, "act", act)
        return agent

    monkeypatch.setattr(value_games, "make_agent", counted)
    about = replace(SMALL, opponent_fraction=0.5, opponents=("random", "weighted"))
    play(about, GreedyAgent(worlds=1, trade=False), 60, 0)
    random_seats, weighted_seats = decisions["random"], decisions["weighted"]
    assert not random_seats & weighted_seats
    assert len(random_seats | weighted_seats) == pytest.approx(60, abs=20)
    assert len(random_seats) == pytest.approx(30, abs=16) and len(weighted_seats) == pytest.approx(30, abs=16)


def test_a_run_starts_from_a_bundled_network_by_name(tmp_path):
    about = replace(SMALL, scenario="seafarers_cloth", players=4, hidden=(256, 128), start=("base-value",))
    run = value_learning.ValueRun(about, tmp_path / "by name", 0)
    base = load_value_network(PRETRAINED / "base-value" / "value.safetensors")
    shared = [name for name in base.inputs if name in run.inputs]
    assert run.start.games == tuple(run.signatures) and 0 < len(shared) < len(base.inputs)
    np.testing.assert_array_equal(run.start.weights_of(shared), base.weights_of(shared))
    same = replace(about, start=(str(PRETRAINED / "base-value"),))
    alike(value_learning.ValueRun(same, tmp_path / "by folder", 0).start, run.start)


def test_an_unknown_start_is_refused_with_what_is_allowed(tmp_path):
    with pytest.raises(OptionError, match="'base-valeu' is neither a bundled agent, nor a folder or file with"):
        learn_values(replace(SMALL, start=("base-valeu",)), tmp_path / "run", 1)
    assert not (tmp_path / "run").exists()


def test_a_run_for_a_further_game_starts_from_the_network_for_as_many_players(tmp_path):
    about = replace(SMALL, scenario="trade_partners_3", players=3, hidden=(256, 128), start=("base-value",))
    run = value_learning.ValueRun(about, tmp_path, 0)
    networks = load_value_network(PRETRAINED / "base-value" / "value.safetensors").networks
    (for_three,) = (network for network in networks if network.games[0].players == 3)
    shared = [name for name in for_three.inputs if name in run.inputs]
    np.testing.assert_array_equal(run.start.weights_of(shared), for_three.weights_of(shared))


def test_unknown_opponents_and_an_empty_list_are_refused(tmp_path):
    with pytest.raises(UnknownAgentError, match="Unknown agent 'greddy'"):
        learn_values(replace(SMALL, opponents=("greddy",)), tmp_path / "run", 1)
    assert not (tmp_path / "run").exists()
    with pytest.raises(OptionError, match="opponents is empty; name at least one agent"):
        replace(SMALL, opponents=())


def test_an_unsuitable_start_is_refused_before_games_are_played(games, tmp_path):
    network = network_for(games)
    (weights, biases), *others = network.layers
    unknown = replace(network.games[0], features=("ferries",))
    odd = replace(network, games=(unknown,), layers=((weights[:1], biases), *others))
    for name, start, message in (("wide", network, "has wider layers than"), ("odd", odd, "games have none of")):
        save_value_network(tmp_path / name, start)
        with pytest.raises((OptionError, WeightsError), match=message):
            learn_values(replace(SMALL, start=(str(tmp_path / name),)), tmp_path / "run", 1)
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(DISABLE_JIT, reason="plays whole games: seconds when compiled, minutes in plain Python")
def test_positions_before_a_roll_are_learned_from(games):
    """A player who ends the turn evaluates such a position, even if rolling is the next player's only legal action."""
    states = play(SMALL, GreedyAgent(worlds=1, trade=False), 6, 0)
    names = feature_names(games.program.composition, 2)
    initial_placement, rolled = (states.seen[:, 0, names.index(name)] for name in ("initial_placement", "rolled"))
    assert np.mean((initial_placement == 0) & (rolled == 0)) > 0.1


@pytest.mark.skipif(DISABLE_JIT, reason="searches: seconds when compiled, minutes in plain Python")
def test_a_tree_may_go_by_a_network(games):
    """Its winning chances are the network's, normalized over all seats."""
    network = network_for(games, seed=1)
    where = np.flatnonzero(games.action_mask.sum(axis=1) > 1)[:3]
    agent = MCTSAgent(8, turns=0, weights=network)
    assert games.action_mask[where, agent.act(games, where)].all()
    np.testing.assert_allclose(agent._trees(games).chances.sum(axis=1)[0], 1)


def test_a_tree_takes_its_settings_from_the_network(games):
    """A network that estimates winning chances sets them; one that corrects the sum of terms, in points, does not."""
    network = network_for(games, seed=1)
    spoken = MCTSAgent(weights=network, chances=network, turns=1, inverse_temperature=20.0)
    silent = MCTSAgent(weights=network)
    for name in ("chances", "turns", "inverse_temperature"):
        assert getattr(silent, name) == getattr(spoken, name), name
    correcting = MCTSAgent(weights="knights-value")
    assert (correcting.chances, correcting.turns, correcting.inverse_temperature) == (None, 4, 2.0)
    assert MCTSAgent(weights=network, turns=0, inverse_temperature=2.0).turns == 0


@pytest.mark.parametrize("option", ["weights", "chances"])
def test_a_tree_checks_both_networks_against_the_game(option):
    agent = MCTSAgent(**{option: "base-value"})
    agent.check_engine(BatchEngine("base", 1, 4))
    with pytest.raises(WeightsError, match="this game is"):
        agent.check_engine(BatchEngine("base", 1, 2))


@pytest.mark.parametrize(
    ("name", "scenario", "players"),
    [("base-value", "base", 4), ("base-value", "base", 3), ("base-value", "base_5_6", 6), ("base-2-value", "base", 2)]
    + [("two-player-value", scenario, 2) for scenario in ("two_player", "trade_partners", "trade_partners_new_shores")]
    + [
        ("knights-value", f"{start}cities_and_knights{end}", 4)
        for start, end in (("", ""), ("", "_new_shores"), ("sea_robbers_", ""))
    ]
    + [("knights-value", "cities_and_knights_5_6", 6)]
    + [("country-value", scenario, 4) for scenario in ("corsica", "new_york", "erie_canal")]
    + [("country-value", f"{country}_5_6", 6) for country in ("corsica", "new_york", "erie_canal")]
    + [("sea-value", scenario, 4) for scenario in ("seafarers_new_shores", "seafarers_new_world")]
    + [("sea-value", scenario, 4) for scenario in ("sea_robbers", "seafarers_forgotten_tribe")]
    + [("tasks-value", f"seafarers_{task}", 4) for task in ("cloth", "wonders", "pirate_islands")]
    + [("tasks-value", "troy", 4), ("partners-value", "trade_partners_3", 3)]
    + [("partners-value", "trade_partners_cities_and_knights", 2)]
    + [("friends-value", scenario, 4) for scenario in ("helpers", "frenemies")]
    + [("friends-value", f"{scenario}_5_6", 6) for scenario in ("helpers", "frenemies")],
)
def test_networks_that_come_along_suit_the_games_that_they_are_for(name, scenario, players):
    load_value_network(PRETRAINED / name / "value.safetensors").row_for(BatchEngine(scenario, 1, players))
