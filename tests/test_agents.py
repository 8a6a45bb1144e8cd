"""Agents play legally in every scenario, ignore hidden information and are reproducible.

Loading a checkpoint runs no code, and a checkpoint rejects games with another layout.
"""

import json
import pickle
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import catan_env
from catan_agents import Agent, agent_names, make_agent
from catan_agents.careless import CarelessAgent
from catan_agents.heuristic import HeuristicAgent, always, score, unscored
from catan_agents.heuristic.base import build_road
from catan_agents.heuristic.partner_building import lay_road_for_oneself_or_partner
from catan_agents.heuristic.scoring import LIKELY, scores_of
from catan_agents.player_view import PlayerView
from catan_agents.random import RandomAgent
from catan_agents.streams import GameStreams
from catan_agents.weighted import WEIGHTS, WeightedRandomAgent
from catan_env import BatchEngine
from catan_env.engine.declare import Action, apply, legal
from catan_env.engine.random import game_seeds
from catan_env.errors import CatanError, OptionError, UnknownAgentError
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.base.turns import PLAY, ROLL
from catan_env.games.trade_partners import mirrored_building

SCENARIOS = sorted(catan_env.scenarios())
AGENTS = {"random": RandomAgent, "weighted": WeightedRandomAgent, "heuristic": HeuristicAgent}


def play_on(engine, agent, steps):
    """Let an agent play all seats, and return its actions with shape (steps, N)."""
    taken = []
    for _ in range(steps):
        games = np.flatnonzero(engine.seat_to_act >= 0)
        actions = np.full(engine.num_games, -1)
        actions[games] = agent.act(engine, games)
        engine.step(actions)
        taken.append(actions)
    return np.array(taken)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_plays_every_scenario_legally(scenario, agent):
    for players in catan_env.find_scenario(scenario).players:
        engine = BatchEngine(scenario, 8, players, seed=players)
        engine.random_rollout(150)
        play_on(engine, AGENTS[agent](), 150)  # `step` rejects illegal actions


@pytest.mark.core
@pytest.mark.parametrize("agent", AGENTS)
def test_is_an_agent(agent):
    made = AGENTS[agent]()
    assert isinstance(made, Agent) and made.name == agent
    engine = BatchEngine("base", 3, seed=1)
    actions = made.act(engine, np.array([0, 2]))
    assert actions.shape == (2,) and actions.dtype == np.int64
    assert engine.action_mask[[0, 2], actions].all()
    assert made.act(engine, np.zeros(0, np.int64)).shape == (0,)


@pytest.mark.parametrize("agent", [name for name, made in AGENTS.items() if hasattr(made, "probabilities")])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_an_agent_chooses_as_often_as_it_says(scenario, agent):
    made, engine = AGENTS[agent](), BatchEngine(scenario, 1, seed=2)
    engine.random_rollout(150)
    engine = engine.clone([0] * 4000)
    expected = made.probabilities(engine, np.arange(4000))
    assert (expected == expected[0]).all() and np.isclose(expected[0].sum(), 1)
    assert (expected[0] > 0).tolist() == engine.action_mask[0].tolist()
    counts = np.bincount(made.act(engine, np.arange(4000)), minlength=engine.actions.n)
    assert (abs(counts - 4000 * expected[0]) <= 5 * np.sqrt(4000 * expected[0]) + 1).all()


@pytest.mark.core
@pytest.mark.parametrize("agent", AGENTS)
def test_a_game_does_not_depend_on_its_batch(agent):
    many, few = BatchEngine("base", 6, seed=game_seeds(3, 6)), BatchEngine("base", 2, seed=game_seeds(3, 6)[:2])
    first, second = AGENTS[agent](seed=5), AGENTS[agent](seed=5)
    np.testing.assert_array_equal(play_on(many, first, 40)[:, :2], play_on(few, second, 40))


@pytest.mark.core
@pytest.mark.parametrize("agent", AGENTS)
def test_reset_repeats_and_other_seeds_differ(agent):
    made = AGENTS[agent](seed=1)
    runs = []
    for seed in (4, 4, 5):
        made.reset(seed)
        runs.append(play_on(BatchEngine("base", 4, seed=2), made, 30))
    assert np.array_equal(runs[0], runs[1])
    if agent != "heuristic":  # it is random only between equal scores
        assert not np.array_equal(runs[0], runs[2])


def hide_otherwise(engine, rng):
    """Shuffle what the seats to act cannot see: others' cards (keeping totals), the deck and the random stream."""
    state, rows = engine.state, np.arange(engine.num_games)
    for name in ("hands", "development_cards", "new_development_cards"):
        others = np.ones(state[name].shape[:2], np.bool_)
        others[rows, np.maximum(engine.seat_to_act, 0)] = False
        for game, seat in np.argwhere(others).tolist():
            rng.shuffle(state[name][game, seat])
    for row in state["deck"]:
        rng.shuffle(row)
    state["rng"] = rng.integers(1, 2**32, state["rng"].shape)


@pytest.mark.parametrize("agent", AGENTS)
def test_what_a_seat_cannot_see_changes_nothing(agent):
    engine = BatchEngine("base", 64, seed=9)
    rng = np.random.default_rng(0)
    for rounds in range(12):
        engine.random_rollout(40)
        engine.reset(games=engine.seat_to_act < 0)
        games = np.flatnonzero(engine.action_mask.sum(axis=1) > 1)
        before = AGENTS[agent](seed=rounds).act(engine, games)
        engine_before, mask = engine.save(), engine.action_mask.copy()
        hide_otherwise(engine, rng)
        engine.refresh()
        same = (engine.action_mask == mask).all(axis=1)[games]
        assert same.mean() > 0.9  # tests of the rules check that masks do not leak
        after = AGENTS[agent](seed=rounds).act(engine, games)
        np.testing.assert_array_equal(before[same], after[same])
        engine.load(engine_before)


# -- random numbers ------------------------------------------------------------------------------------------


@pytest.mark.core
def test_streams_are_uniform_and_per_game():
    streams = GameStreams(7)
    draws = np.array([streams.uniform(np.arange(1000)) for _ in range(100)])
    assert draws.min() >= 0 and draws.max() < 1
    counts = np.bincount((draws.ravel() * 20).astype(int), minlength=20)
    assert abs(counts - 5000).max() < 5 * np.sqrt(5000)
    assert abs(np.corrcoef(draws[:, :5].T) - np.eye(5)).max() < 0.5
    again = GameStreams(7)
    np.testing.assert_array_equal(again.uniform(np.array([900, 3])), draws[0, [900, 3]])
    np.testing.assert_array_equal(again.uniform(np.array([3])), draws[1, [3]])


def stub(mask, kinds=None):
    """Return an engine stub that has only a mask and action kinds."""
    kinds = kinds or ["other"] * mask.shape[1]
    return SimpleNamespace(action_mask=mask, actions=SimpleNamespace(hash=str(kinds), kind_of=kinds))


@pytest.mark.core
def test_random_is_uniform_over_legal_actions():
    engine = BatchEngine("base", 20_000)
    engine.batch.masks[:] = False
    last = engine.actions.n - 1
    engine.batch.masks[:, [1, 63, 64, last]] = True
    counts = np.bincount(RandomAgent(1).act(engine, np.arange(20_000)), minlength=last + 1)
    assert counts.sum() == counts[[1, 63, 64, last]].sum()
    assert abs(counts[[1, 63, 64, last]] - 20_000 / 4).max() < 5 * np.sqrt(20_000 * 3 / 16)


@pytest.mark.core
def test_random_chooses_the_legal_action_at_its_fraction_of_them():
    """Any mask gives the action of the definition, and a mask without legal actions gives -1."""
    engine = BatchEngine("base", 50)
    rng = np.random.default_rng(0)
    masks = rng.random((50, engine.actions.n)) < rng.random((50, 1)) ** 3
    masks[7] = False
    engine.batch.masks[:, : engine.actions.n] = masks
    games = rng.permutation(50)[:40]
    fractions = GameStreams(3).uniform(games)
    expected = [
        own[int(fraction * own.size)] if own.size else -1
        for own, fraction in zip(map(np.flatnonzero, masks[games]), fractions, strict=True)
    ]
    assert RandomAgent(3).act(engine, games).tolist() == expected


@pytest.mark.core
def test_weighted_follows_its_weights():
    kinds = ["end_turn", "build_city", "build_settlement", "buy_development_card", "something_new"]
    mask = np.ones((50_000, 5), np.bool_)
    mask[:25_000, [1, 2]] = False
    actions = WeightedRandomAgent(1).act(stub(mask, kinds), np.arange(50_000))
    weights = np.array([1, WEIGHTS["build_city"], WEIGHTS["build_settlement"], WEIGHTS["buy_development_card"], 1])
    for part, rows in ((weights * [1, 0, 0, 1, 1], slice(25_000)), (weights, slice(25_000, None))):
        expected = part / part.sum()
        found = np.bincount(actions[rows], minlength=5) / 25_000
        assert (abs(found - expected) <= 5 * np.sqrt(expected * (1 - expected) / 25_000) + 1e-4).all()


def test_weights_name_kinds_of_the_base_game():
    assert set(WEIGHTS) <= set(BatchEngine("base").actions.kinds)


# -- player view ---------------------------------------------------------------------------------------------


@pytest.mark.core
def test_sight_shows_what_a_seat_may_see_only():
    engine = BatchEngine("base", 5, seed=3)
    engine.random_rollout(60)
    view = PlayerView(engine, np.array([1, 4]))
    np.testing.assert_array_equal(view.public("edge_owner"), engine.state["edge_owner"][[1, 4]])
    np.testing.assert_array_equal(view.own("hands"), engine.state["hands"][[1, 4], engine.seat_to_act[[1, 4]]])
    np.testing.assert_array_equal(view.totals("hands"), engine.state["hands"][[1, 4]].sum(axis=2))
    for look, name in (
        (view.public, "hands"),
        (view.public, "deck"),
        (view.public, "rng"),
        (view.own, "deck"),
        (view.own, "edge_owner"),
        (view.totals, "deck"),
        (view.public, "nothing_such"),
    ):
        with pytest.raises(OptionError, match=name):
            look(name)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_action_is_scored_by_somebody(scenario):
    assert unscored(catan_env.find_scenario(scenario)) == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_legal_action_has_a_score_and_the_best_is_taken(scenario):
    engine, agent = BatchEngine(scenario, 32, seed=4), HeuristicAgent(seed=2)
    engine.random_rollout(200)
    games = np.flatnonzero(engine.seat_to_act >= 0)
    scores, legal = agent.scores(engine, games), engine.action_mask[games]
    assert np.isfinite(scores[legal]).all() and (scores[~legal] == -np.inf).all()
    taken = scores[np.arange(len(games)), agent.act(engine, games)]
    assert (taken >= scores.max(axis=1) - 1e-3).all()  # the tie-breaking noise is smaller


WAVE = Action("wave", "wave")


@legal(PLAY)
def waving(game, params, seat, mask):
    mask[WAVE] = True


@apply(WAVE)
def wave(game, params, seat, argument):
    pass


def test_an_action_nobody_scores_never_stands_before_a_good_one():
    base, waves = catan_env.find_scenario("base"), SimpleNamespace(ACTIONS=(WAVE,), waving=waving, wave=wave)
    scenario = replace(base, name="waving_toy", modules=(*base.modules, waves))
    assert unscored(scenario) == ["wave"]
    table = BatchEngine(scenario).actions
    kinds = {kind: np.isin(np.arange(table.n), table.ids(kind)) for kind in table.kinds}
    engine, agent, chosen = BatchEngine(scenario, 32, 4, seed=3, rules={"turn_limit": 40}), HeuristicAgent(), set()
    for _ in range(250):
        games = np.flatnonzero(engine.seat_to_act >= 0)
        actions = np.full(engine.num_games, -1)
        actions[games] = agent.act(engine, games)
        waved = games[actions[games] == table.id("wave")]
        good = kinds["build_city"] | kinds["build_settlement"] | kinds["roll"] | kinds["play_monopoly"]
        assert not (engine.action_mask[waved] & good).any()
        chosen |= {table.kind_of[action] for action in actions[games]}
        engine.step(actions)
    assert {"wave", "end_turn", "build_settlement"} <= chosen  # an unscored action ties with ending the turn


def test_an_action_is_scored_once():
    with pytest.raises(ValueError, match="roll"):
        always(LIKELY, ROLL)


def test_a_rule_module_may_have_a_score_of_its_own():
    plain, partners = (scores_of(catan_env.find_scenario(name)) for name in ("base", "trade_partners"))
    assert plain["build_road"] is build_road and partners["build_road"] is lay_road_for_oneself_or_partner
    assert plain["build_city"] is partners["build_city"]
    with pytest.raises(ValueError, match="build_road"):
        score(BUILD_ROAD, of=mirrored_building)(build_road)


# -- careless ------------------------------------------------------------------------------------------------


def test_a_careless_agent_is_another_but_for_a_share_of_its_actions():
    engine = BatchEngine("base", 2000, 4, seed=3)
    engine.random_rollout(60)
    games = np.flatnonzero(engine.seat_to_act >= 0)
    calm, careless, wild = (
        CarelessAgent("weighted", epsilon=share, seed=5).act(engine, games) for share in (0, 0.3, 1)
    )
    assert engine.action_mask[games, careless].all() and engine.action_mask[games, wild].all()
    assert (CarelessAgent("weighted", epsilon=0, seed=5).act(engine, games) == calm).all()
    choice = engine.action_mask[games].sum(1) > 1
    differing = (calm != careless)[choice].mean() / (calm != wild)[choice].mean()
    assert differing == pytest.approx(0.3, abs=0.05)
    assert (CarelessAgent("weighted", epsilon=0, initial_epsilon=1, seed=5).act(engine, games) == calm).all()
    fresh, every = BatchEngine("base", 400, 4, seed=3), np.arange(400)
    first, lots = (CarelessAgent(epsilon=0, initial_epsilon=lot).act(fresh, every) for lot in (0, 1))
    assert (lots != first).mean() > 0.8
    with pytest.raises(OptionError, match="epsilon is 2"):
        CarelessAgent(epsilon=2)


# -- names ---------------------------------------------------------------------------------------------------


def test_agents_are_found_by_name():
    assert {"random", "weighted"} <= set(agent_names())
    for name in agent_names():
        assert make_agent(name).name == name
    with pytest.raises(UnknownAgentError, match=r"Did you mean 'weighted'\?.*random, weighted|.*random.*weighted"):
        make_agent("weigthed")


# -- checkpoints ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """Return the folder of an untrained three-player network's checkpoint, and the network."""
    from catan_agents.learned import describe, save_checkpoint
    from catan_agents.networks import network_for

    engine = BatchEngine("base", 1, 3)
    encoder = engine.encoder("flat", "uint8")
    network, about = network_for(engine, encoder, (32, 16), "tanh")
    folder = tmp_path_factory.mktemp("run") / "checkpoint"
    return save_checkpoint(folder, network, describe(engine, encoder, about), {"steps": 0}), network


@pytest.fixture
def copied(checkpoint, tmp_path):
    """A copy of the checkpoint's folder that a test may damage."""
    for file in checkpoint[0].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_checkpoint_plays_as_its_network(checkpoint, deterministic):
    from catan_agents.learned import LearnedAgent, read_description

    folder, network = checkpoint
    original = LearnedAgent(network, read_description(folder), deterministic, seed=3)
    loaded = make_agent(folder.parent, deterministic=deterministic, seed=3)  # a run folder contains a checkpoint
    engines = [BatchEngine("base", 16, 3, seed=1) for _ in range(2)]
    first, second = play_on(engines[0], original, 60), play_on(engines[1], loaded, 60)
    np.testing.assert_array_equal(first, second)
    assert loaded.name == folder.parent.name


@pytest.mark.parametrize(("bits", "least_size", "most_size"), [(8, 0.25, 0.35), (16, 0.5, 0.55), (32, 1, 1)])
def test_weights_in_fewer_bits_are_close(checkpoint, tmp_path, bits, least_size, most_size):
    from catan_agents.learned import LearnedAgent, read_description, save_checkpoint

    folder, network = checkpoint
    save_checkpoint(tmp_path, network, read_description(folder), {}, bits=bits)
    size, full_size = ((where / "network.safetensors").stat().st_size for where in (tmp_path, folder))
    assert least_size <= size / full_size <= most_size
    loaded = LearnedAgent.load(tmp_path).network.state_dict()
    assert loaded.keys() == network.state_dict().keys()
    for name, tensor in network.state_dict().items():
        row_sizes = tensor.abs().amax(dim=-1, keepdim=True)
        # rounding moves a number by at most half a step
        steps = row_sizes / 127 if bits == 8 and tensor.ndim == 2 else row_sizes * 2.0**-10
        assert ((loaded[name] - tensor).abs() <= (0 if bits == 32 else 0.51 * steps)).all(), name


def test_bits_must_be_known(checkpoint, tmp_path):
    from catan_agents.learned import read_description, save_checkpoint

    with pytest.raises(CatanError, match=r"bits is 4; it must be 8, 16 or 32\."):
        save_checkpoint(tmp_path, checkpoint[1], read_description(checkpoint[0]), {}, bits=4)
    assert not list(tmp_path.iterdir())


def test_a_matrix_in_8_bits_needs_one_scale_per_row():
    from catan_agents.tensor_files import restored, rounded_to

    stored = rounded_to(8, {"rows": np.ones((3, 2), np.float32)})
    np.testing.assert_allclose(restored(stored)["rows"], 1, rtol=1e-3)
    for scales in ({}, {"rows/row_scales": stored["rows/row_scales"][:2]}):
        with pytest.raises(ValueError, match="rows has 8 bits, but rows/row_scales does not have one scale per row"):
            restored({"rows": stored["rows"], **scales})


def test_sampling_follows_the_probabilities(checkpoint):
    import torch

    agent = make_agent(checkpoint[0], seed=1)
    n = 20_000
    engine = BatchEngine("base", n, 3, seed=np.zeros(n, np.uint64))
    counts = np.bincount(agent.act(engine, np.arange(n)), minlength=engine.actions.n)
    with torch.no_grad():
        logits, _, _ = agent.network({"row": torch.from_numpy(engine.observe(dtype="uint8")[:1])})
        expected = n * logits[0].masked_fill(torch.from_numpy(~engine.action_mask[0]), -torch.inf).softmax(0).numpy()
    assert (counts[expected < 1e-3] == 0).all()
    assert (abs(counts - expected) <= 5 * np.sqrt(expected) + 1).all()


@pytest.mark.parametrize("key", ["action_layout", "observation_layout"])
def test_another_layout_is_refused(copied, key):
    from catan_agents.learned import CheckpointError

    description = json.loads((copied / "checkpoint.json").read_text())
    (copied / "checkpoint.json").write_text(json.dumps({**description, key: "another"}))
    with pytest.raises(CheckpointError, match=f"layout of {key.split('_')[0]}s is .*, not 'another'"):
        make_agent(copied).act(BatchEngine("base", 2, 3), np.arange(2))


def test_other_games_are_refused(checkpoint):
    with pytest.raises(CatanError, match="number of players is 4, not 3"):
        make_agent(checkpoint[0]).act(BatchEngine("base", 2, 4), np.arange(2))


class Bomb:
    """An object that runs code when it is unpickled."""

    def __reduce__(self):
        return exec, ("raise SystemExit('code from a checkpoint was run')",)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "network.safetensors").write_bytes(pickle.dumps(Bomb(), 2)),
        lambda folder: (folder / "network.safetensors").write_bytes(
            (folder / "network.safetensors").read_bytes()[:1000]
        ),
        lambda folder: (folder / "network.safetensors").write_bytes(b""),
        lambda folder: (folder / "network.safetensors").unlink(),
        lambda folder: (folder / "checkpoint.json").write_text("{"),
        lambda folder: (folder / "checkpoint.json").write_text("[]"),
        lambda folder: (folder / "checkpoint.json").write_text('{"format": "catan-checkpoint/2"}'),
        lambda folder: (folder / "checkpoint.json").unlink(),
        lambda folder: (folder / "checkpoint.json").write_text(
            (folder / "checkpoint.json").read_text().replace("16", "17")
        ),
        lambda folder: (folder / "checkpoint.json").write_text(
            (folder / "checkpoint.json").read_text().replace("tanh", "exec")
        ),
    ],
)
def test_a_damaged_checkpoint_is_refused(copied, damage):
    from catan_agents.learned import CheckpointError

    damage(copied)
    with pytest.raises(CheckpointError):
        make_agent(copied)


def test_a_tensor_file_with_code_is_refused(copied):
    import torch

    from catan_agents.learned import CheckpointError

    torch.save({"weights": Bomb()}, copied / "network.safetensors")
    with pytest.raises(CheckpointError, match="damaged"):
        make_agent(copied)
