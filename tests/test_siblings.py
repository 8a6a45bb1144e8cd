"""Siblings: selecting actions to compare, estimating the chances after each, and learning from the differences."""

from dataclasses import replace

import numpy as np
import pytest

import catan_env
from catan_agents.bundled import PRETRAINED
from catan_agents.evaluation.features import feature_names
from catan_agents.search.lookahead import END
from catan_agents.search.value_network import ValueNetwork, load_value_network, signature_of
from catan_env import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.decision_stack import CHANCE, NO_SEAT_TO_ACT
from catan_env.errors import OptionError

torch = pytest.importorskip("torch")

from catan_training.learning import value_learning  # noqa: E402
from catan_training.learning.forecasts import Forecasts  # noqa: E402
from catan_training.learning.siblings import BEST, RANKS, Comparisons, candidates_of  # noqa: E402
from catan_training.learning.tuning import without_offers  # noqa: E402
from catan_training.learning.value_fitting import (  # noqa: E402
    Sample,
    TrainableValueNetwork,
    fit,
    rows_of_siblings,
    sibling_loss,
)
from catan_training.learning.value_learning import greedy_weights, learn_values  # noqa: E402
from tests.small_training import SMALL as SMALL_TRAINING  # noqa: E402

SMALL = replace(SMALL_TRAINING, sibling_rate=0.2, sibling_turns=(2, 5))
plays = pytest.mark.skipif(DISABLE_JIT, reason="plays games: seconds when compiled, minutes in plain Python")


def comparisons_of(about=SMALL, network=None, games=40, steps=60, seed=0):
    """Return comparisons of decisions in the middle of games. The default network has random weights."""
    rules = without_offers(BatchEngine(about.scenario, 1, about.players), about.rules)
    engine = BatchEngine(about.scenario, games, about.players, seed=3, rules=rules)
    if network is None:
        torch.manual_seed(0)
        learner = TrainableValueNetwork(len(feature_names(engine.program.composition, engine.num_players)), (6, 4))
        network = ValueNetwork((signature_of(engine),), learner.parts(), {})
        if about.correction:
            network = replace(network, terms=(greedy_weights(engine),))
    found = Comparisons(about, engine, network, (-2.0, 0.3), np.random.default_rng(seed))
    for _ in range(4):
        engine.random_rollout(steps // 4)
        found.sample(np.flatnonzero(engine.seat_to_act >= 0))
    return found


def draw_without_swings(*given, draw=Forecasts.draw):
    """Draw outcomes with swings of 0, so that no luck is subtracted from the chances."""
    return draw(*given)[0], 0.0


def equal(one, other):
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(vars(one).values(), vars(other).values()))


def test_the_best_actions_and_one_of_the_next_are_compared():
    rng = np.random.default_rng(0)
    values = rng.uniform(0.0, 0.5, (200, 9))
    values[rng.random(values.shape) < 0.3] = -np.inf
    found, order = candidates_of(values, rng), np.argsort(-values, axis=1)
    counts = np.isfinite(values).sum(axis=1)
    for row in np.flatnonzero(counts >= RANKS):
        assert found[row, :BEST].tolist() == order[row, :BEST].tolist()
        assert found[row, BEST] in order[row, BEST:RANKS]
    assert len({found[row, BEST] == order[row, BEST] for row in np.flatnonzero(counts >= RANKS)}) == 2
    np.testing.assert_array_equal((found >= 0).sum(axis=1), np.where(counts > 1, np.minimum(counts, BEST + 1), 0))
    for only in ([END, 999.9, 0.0, 0.0], [3.0, 2.0, 0.0, 0.0], [0.5, -np.inf, -np.inf, -np.inf]):
        assert (candidates_of(np.array([only]), rng) == -1).all()


@plays
def test_identical_siblings_have_identical_chances_and_others_mostly_do_not():
    about = replace(SMALL, players=4, sibling_rate=1.0)
    comparisons = comparisons_of(about, load_value_network(PRETRAINED / "base-value" / "value.safetensors"))
    for candidates in comparisons.candidates:
        candidates[:, 2] = candidates[:, 0]
    found = comparisons.siblings()
    np.testing.assert_array_equal(found.seen[:, 2], found.seen[:, 0])
    np.testing.assert_array_equal(found.chances[:, 2], found.chances[:, 0])
    assert len(found.seen) > 20 and np.mean(found.chances[:, 0] != found.chances[:, 1]) > 0.5


def check_chances(about, **options):
    """Assert that chances are reproducible, within 1 of 0.5, and NaN for missing siblings. Return them."""
    comparisons = comparisons_of(about, **options)
    compared, found = np.concatenate(comparisons.candidates) >= 0, comparisons.siblings()
    assert equal(found, comparisons_of(about, **options).siblings())
    assert compared.any() and compared[:, :2].all()
    np.testing.assert_array_equal(np.isnan(found.chances), ~compared)
    assert (abs(found.chances[compared] - 0.5) < 1).all()
    assert (found.seen[compared] != 0).any(axis=1).all() and not found.seen[~compared].any()
    assert found.sums[compared].any() == bool(about.correction)
    return found.chances[compared]


@plays
@pytest.mark.parametrize(("scenario", "correction"), [("base", 0.0), ("base", 0.5), ("two_player", 0.0)])
def test_chances_repeat_and_are_shares(scenario, correction):
    about = replace(SMALL, scenario=scenario, rules={}, correction=correction, sibling_rate=1.0)
    chances = check_chances(about)
    assert np.mean((chances > 0) & (chances < 1)) > 0.9


@pytest.mark.soak
@pytest.mark.skipif(not DISABLE_JIT, reason="compiles a program for each scenario: run with NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_siblings_of_all_scenarios_have_chances(scenario):
    players = min(catan_env.find_scenario(scenario).players)
    about = replace(SMALL, scenario=scenario, players=players, rules={}, sibling_rate=1.0, sibling_turns=(1, 1))
    check_chances(about, games=2, steps=60)


@plays
@pytest.mark.parametrize("correction", [0.0, 0.5])
def test_draws_have_their_odds_and_swings_are_zero_on_average(correction):
    """Test one draw of each kind that occurs in the games, with evenly spaced `lots`."""
    comparisons = comparisons_of(replace(SMALL, rules={}, correction=correction))
    engine = BatchEngine(**comparisons.engine.settings | {"num_games": 40, "chance": "explicit"})
    engine.state[:] = comparisons.engine.state
    engine.refresh()
    lots, drawn = (np.arange(720) + 0.5) / 720, set()
    for _ in range(60):
        chance, actions = np.flatnonzero(engine.seat_to_act == CHANCE), engine.action_mask.argmax(axis=1)
        odds_of_all = engine.chance_probabilities
        for game in chance:
            odds, name = odds_of_all[game], engine.decision(game)
            if name in drawn:
                continue
            drawn.add(name)
            outcomes, swings = comparisons.forecasts.draw(engine, np.full(720, game), np.zeros(720, np.int64), lots)
            np.testing.assert_allclose(np.bincount(outcomes, minlength=len(odds)) / 720, odds, atol=1 / 720)
            assert swings.any() and abs(swings.mean()) < 2e-3
        actions[chance] = odds_of_all[chance].argmax(axis=1)
        actions[engine.seat_to_act == NO_SEAT_TO_ACT] = -1
        engine.step(actions)
    assert "dice" in drawn


@plays
def test_luck_is_taken_out_of_chances(monkeypatch):
    """Without luck, chances vary less and have the same mean."""
    about = replace(SMALL, players=4, rules={}, sibling_rate=1.0, sibling_turns=(8, 8))
    network = load_value_network(PRETRAINED / "base-value" / "value.safetensors")
    fair = comparisons_of(about, network, games=300, steps=160).siblings().chances
    monkeypatch.setattr(Forecasts, "draw", draw_without_swings)
    lucky = comparisons_of(about, network, games=300, steps=160).siblings().chances
    assert np.nanmean(fair) == pytest.approx(np.nanmean(lucky), abs=0.01) and not np.array_equal(fair, lucky)
    assert np.nanstd(fair[:, 0] - fair[:, 1]) < 0.95 * np.nanstd(lucky[:, 0] - lucky[:, 1])


@plays
def test_turns_after_the_end_count_as_the_result(monkeypatch):
    monkeypatch.setattr(Forecasts, "draw", draw_without_swings)
    found = comparisons_of(replace(SMALL, sibling_rate=1.0, sibling_turns=(10_000, 10_001))).siblings()
    assert set(np.unique(found.chances[~np.isnan(found.chances)])) == {0.0, 1.0}


def test_only_differences_between_siblings_count_beside_the_log_loss():
    """Compare with squared errors computed by hand, for two decisions with two and three siblings."""
    network = TrainableValueNetwork(3, (4, 4))
    seen, sums = torch.rand(2, 4, 3), torch.zeros(2, 4)
    with torch.no_grad():
        values = torch.sigmoid(network(seen.flatten(0, 1), sums.flatten())).view(2, 4)
        chances = values + torch.tensor([[0.01, -0.03, 0.0, 0.0], [0.2, 0.2, 0.2, 0.0]])
        chances[0, 2:] = chances[1, 3] = np.nan
        log_loss, whole = (sibling_loss(network, seen, sums, chances, weight) for weight in (0.0, 50.0))
    assert float(whole - log_loss) == pytest.approx(50 * (2 * 0.02**2) / 5, rel=1e-3)


@plays
def test_a_network_learns_the_differences_of_a_fixed_set():
    about = replace(SMALL, sibling_rate=1.0)
    siblings = comparisons_of(about, games=200).siblings()
    network = TrainableValueNetwork(siblings.seen.shape[2], (16, 8))
    network.adapt([siblings.seen])
    rows = torch.arange(len(siblings.chances))
    states = np.zeros((64, 2, siblings.seen.shape[2]), np.float16), np.zeros((64, 2), np.float32)
    sample = Sample(*states, np.full((64, 2), 0.5, np.float32), siblings)

    def differences():
        with torch.no_grad():
            parts = rows_of_siblings([siblings], rows)
            return float(sibling_loss(network, *parts, 1.0) - sibling_loss(network, *parts, 0.0))

    before = differences()
    fit(network, [sample], 16, 1e-2, 30, 0, 200.0)
    assert differences() < 0.7 * before


@plays
@pytest.mark.parametrize("correction", [0.0, 0.5])
def test_learning_from_siblings_resumes_and_does_not_depend_on_workers(tmp_path, monkeypatch, correction):
    monkeypatch.setattr(value_learning, "PART", 3)
    about = replace(SMALL, also=("two_player:2",), correction=correction)
    layers = [
        learn_values(about, tmp_path / "whole", 2).layers,
        learn_values(about, tmp_path / "two", 2, workers=2).layers,
    ]
    (tmp_path / "whole" / "round-0002.safetensors").unlink()
    layers.append(learn_values(about, tmp_path / "whole", 2).layers)
    layers.append(learn_values(replace(about, sibling_rate=0.0), tmp_path / "without", 2).layers)
    flat = [np.concatenate([numbers.ravel() for layer in one for numbers in layer]) for one in layers]
    np.testing.assert_array_equal(flat[0], flat[1])
    np.testing.assert_array_equal(flat[0], flat[2])
    assert (flat[0] != flat[3]).any()


def test_odd_settings_are_refused():
    with pytest.raises(OptionError, match="sibling_turns is 0; it must be an integer of at least 1"):
        replace(SMALL, sibling_turns=(0, 4))
    with pytest.raises(OptionError, match=r"sibling_turns is \(5, 4\); its first turn must not be after its last"):
        replace(SMALL, sibling_turns=(5, 4))
    with pytest.raises(OptionError, match="sibling_rate is 1.5; it must be a number from 0 to 1"):
        replace(SMALL, sibling_rate=1.5)
