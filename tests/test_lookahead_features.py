"""Networks with lookahead features: the features, the initial policy, and learning from them."""

import json

import numpy as np
import pytest

from catan_agents.search import GreedyAgent
from catan_agents.search.lookahead_features import ENDS, TERMS, LookaheadFeatures
from catan_agents.streams import GameStreams
from catan_env import BatchEngine
from catan_training.learning.chances import terms_in
from catan_training.learning.config import TrainConfig, resolve

pytest.importorskip("torch")

import torch

from catan_agents.learned import CheckpointError, LearnedAgent, save_checkpoint
from catan_agents.networks import is_network
from catan_training.learning.ppo import Learner, Samples

WORLDS = 2


@pytest.fixture(scope="module")
def games():
    """Return four-player games at decisions, most in mid-game and some at the start."""
    engine = BatchEngine("base", 24, 4, seed=3, rules={"offers_per_turn": 0}, forced_moves="play", autoreset=True)
    part = engine.clone(np.arange(24) < 16)
    part.random_rollout(150)
    engine.state[:16] = part.state
    engine.reset(games=engine.seat_to_act < 0)
    engine.refresh()
    return engine


def learner(**options):
    return Learner(
        resolve(
            TrainConfig().updated(
                {
                    "num_games": 16,
                    "rollout_steps": 32,
                    "batch_size": 64,
                    "hidden": [16],
                    "torch_threads": 1,
                    "num_players": 4,
                    "teacher": "",
                    "pool_share": 0.0,
                    "precision": "float32",
                    "lookahead_features": True,
                    **options,
                }
            )
        )
    )


def action_values(lookahead, engine, found):
    """Return the action values by the weights of `greedy`, shape (n, actions)."""
    values = np.full(engine.action_mask.shape, -np.inf)
    values[engine.action_mask] = found[:, TERMS:] @ lookahead.weights + 1000 * found[:, ENDS]
    return values


def test_actions_lead_where_greedy_sees_them_lead(games):
    where = np.arange(games.num_games)
    lookahead = LookaheadFeatures(games, WORLDS)
    now, found = lookahead.encode(where, GameStreams(5).words(where))
    np.testing.assert_allclose(now[:, TERMS:], terms_in(games, games.state.copy(), games.seat_to_act), rtol=1e-5)
    values = action_values(lookahead, games, found)
    chosen = GreedyAgent(WORLDS, seed=5).act(games, where)
    clear = np.diff(np.sort(values, axis=1)[:, -2:], axis=1)[:, 0] > 1e-4
    assert clear.sum() > 12
    np.testing.assert_array_equal(values.argmax(axis=1)[clear], chosen[clear])
    np.testing.assert_allclose(values[where, chosen], values.max(axis=1), atol=1e-4)


def test_what_is_shown_does_not_depend_on_what_is_hidden(games):
    where = np.arange(games.num_games)
    other = games.clone()
    other.state[:] = games.determinise(seed=9)
    other.refresh()
    assert any((other.state[name] != games.state[name]).any() for name in ("hands", "development_cards", "deck"))
    seeds = GameStreams(1).words(where)
    shown = [LookaheadFeatures(engine, WORLDS).encode(where, seeds) for engine in (games, other)]
    for one, two in zip(*shown, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("encoder", ["flat", "graph", "planes"])
def test_a_network_begins_as_strong_as_greedy_and_is_kept(games, encoder, tmp_path):
    found = learner(encoder=encoder)
    description = {**found.player.description, "deterministic": True}
    save_checkpoint(tmp_path, found.network, description, {})
    where = np.arange(games.num_games)
    agents = LearnedAgent.load(tmp_path), LearnedAgent(found.network, description)
    chosen = agents[0].act(games, where)
    np.testing.assert_array_equal(chosen, agents[1].act(games, where))
    lookahead = LookaheadFeatures(games)
    values = action_values(lookahead, games, lookahead.encode(where, GameStreams(0).words(where))[1])
    assert (values[where, chosen] > values.max(axis=1) - 0.1).mean() > 0.9
    about = json.loads((tmp_path / "checkpoint.json").read_text())
    about["network"]["terms"][0][0] += "s"
    (tmp_path / "checkpoint.json").write_text(json.dumps(about))
    with pytest.raises(CheckpointError, match="evaluation terms that this version lacks"):
        LearnedAgent.load(tmp_path).act(games, where)


@pytest.mark.parametrize("terms", [None, [], [[]], [["points"], ["cards"]], [["cards", "cards"]]])
def test_damaged_lists_of_terms_are_none_of_networks(terms):
    about = learner(encoder="graph").player.description["network"]
    sizes = BatchEngine("base", 1, 4).actions.n, 4
    assert is_network({**about, "terms": [["points", "cards"]]}, *sizes)
    assert not is_network({**about, "terms": terms}, *sizes)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"torch_threads": 2},
        {"encoder": "planes"},
        {"encoder": "graph"},
    ],
)
def test_it_learns_from_what_it_was_shown(options):
    """For a rollout's choices in any order, the network repeats the log probabilities that it had when it chose."""
    found = learner(**options)
    with torch.no_grad():
        found.network.evaluation.weight.normal_()
    samples = Samples(found.collect(1, False), False, found.device)
    batch = samples.picked[torch.randperm(len(samples.picked), generator=torch.Generator().manual_seed(0))][:200]
    with torch.no_grad():
        logits, _, _ = found.network(samples.inputs(batch))
    said = logits.masked_fill(~samples.masks[batch], -1e9).log_softmax(1)
    torch.testing.assert_close(said.gather(1, samples.actions[batch, None])[:, 0], samples.log_probs[batch])
    before = [own.clone() for own in found.network.weights]
    found.update(0.5)
    assert all((own != was).any() for own, was in zip(found.network.weights, before, strict=True))


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_gradients_repeat_on_two_threads(precision):
    found = learner(precision=precision)
    samples = Samples(found.collect(1, False), False, found.device)
    threads, seen = torch.get_num_threads(), []
    torch.set_num_threads(2)
    try:
        for _ in range(5):
            found.network.zero_grad()
            found.loss(samples, samples.picked, False, 0.01)[0].backward()
            seen.append([own.grad.clone() for own in found.network.parameters()])
    finally:
        torch.set_num_threads(threads)
    for gradients in seen[1:]:
        assert all(torch.equal(one, two) for one, two in zip(gradients, seen[0], strict=True))
