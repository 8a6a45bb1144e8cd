"""The fastcatan bridge: equal states in both engines, agents that see no hidden cards, fastcatan's player, matches.

fastcatan needs Python 3.12. Without fastcatan, only the tests of the first section run.
"""

import importlib.util
import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import catan_env
from catan_agents import make_agent
from catan_agents.bridges.fastcatan import library, states
from catan_agents.bridges.fastcatan.player import AlphaBeta
from catan_agents.bridges.fastcatan.table import FastcatanFollower, SeatedAgent, play_game
from catan_agents.bridges.fastcatan.translation import (
    CARDS,
    PORT_NODES,
    RULES,
    TRADE,
    TRADES,
    FastcatanPlaces,
    Memory,
    player_at,
    position_of,
    seat_of,
    winner_of,
)
from catan_agents.bridges.mirror import Mirror
from catan_env import BatchEngine
from catan_env.errors import MissingExtraError, OptionError, UnknownAgentError
from catan_env.games.base.development_cards import VICTORY_POINT
from catan_training import cli
from catan_training.evaluation.outside import Match, play_match, read_games
from tests.bridge_agents import BUNDLED, FOR_TWO, agent_named, marked
from tests.strategies import PLAIN_PYTHON

needs_fastcatan = pytest.mark.skipif(importlib.util.find_spec("fastcatan") is None, reason="needs fastcatan")
TOPOLOGY = catan_env.find_scenario("base").board.topology
PLACES = FastcatanPlaces(TOPOLOGY)
OTHER_RULES = ("longest_road", "bank", "hands", "winner", "only there: build_road", "road_length")
"""Where release 1.0.2 has other rules than ours."""
MATCH = Match({"agent": "weighted", "label": "weighted"}, "alpha-beta", {"depth": 1}, "fastcatan", 4, games=5, seed=2)


# -- without fastcatan -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("python", "needed"), [((3, 11), "Python 3.12 or later"), ((3, 12), "is not installed")])
def test_a_missing_fastcatan_is_said(monkeypatch, python, needed):
    monkeypatch.setitem(sys.modules, "fastcatan", None)
    monkeypatch.setattr(library.sys, "version_info", python)

    def missing(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(library.importlib, "import_module", missing)
    with pytest.raises(MissingExtraError, match=rf"{needed}.*pip install 'catan-env\[fastcatan\]'"):
        make_agent("fastcatan", depth=2)
    with pytest.raises(MissingExtraError, match=needed):
        play_game({}, AlphaBeta(1), 0)


def test_a_release_without_a_player_is_refused(monkeypatch):
    stand_in = SimpleNamespace(Env=SimpleNamespace(), SNAPSHOT_BYTES=431, __version__="2.0.0")
    monkeypatch.setattr(library.importlib, "import_module", lambda name: stand_in)
    with pytest.raises(MissingExtraError, match=r"fastcatan 2.0.0 has no alpha-beta player; the releases 1.0.x"):
        make_agent("fastcatan")


def test_what_fastcatan_lacks_is_said(tmp_path, capsys):
    with pytest.raises(OptionError, match="depth is 9; allowed are 1 to 4"):
        AlphaBeta(9)
    with pytest.raises(OptionError, match="no option 'width'"):
        AlphaBeta.made({"width": 1})
    for changed, error, words in (
        ({"players": 2}, OptionError, "players is 2; allowed are 4 to 4"),
        ({"points": 15}, OptionError, "points is 15; fastcatan allows only 10"),
        ({"hand_limit": 9}, OptionError, "hand_limit is 9"),
        ({"opponent": "value"}, UnknownAgentError, "fastcatan has no player 'value'"),
        ({"table": "colonist"}, OptionError, "allowed are catanatron, fastcatan"),
    ):
        with pytest.raises(error, match=words):
            Match(**{**MATCH.__dict__, **changed})
    assert cli.main(["match", str(tmp_path), "--agent", "weighted", "--opponents", "fastcatan:depth=1"]) == 2
    assert "players is 2" in capsys.readouterr().err


def test_places_are_numbered_as_in_fastcatan():
    assert states.GAME.itemsize + states.BOARD.itemsize == library.SNAPSHOT_BYTES
    assert (np.sort(PLACES.intersections) == np.arange(54)).all() and (np.sort(PLACES.paths) == np.arange(72)).all()
    first_hex = PLACES.nodes[TOPOLOGY.hex_intersections[0]]
    assert sorted(first_hex.tolist()) == [0, 1, 2, 8, 9, 10]
    ends = PLACES.nodes[TOPOLOGY.path_intersections[PLACES.paths]]
    assert np.sort(ends[[0, 6, 17, 38, 71]]).tolist() == [[0, 1], [0, 8], [14, 15], [26, 37], [52, 53]]
    assert set(PLACES.port_paths) <= set(TOPOLOGY.coast_paths.tolist()) and len(PORT_NODES) == 9


# -- fastcatan's table -------------------------------------------------------------------------------------


def begun(seed):
    """Start a game of fastcatan, and return it with the memory and the follower that track it."""
    env = library.load().Env()
    env.reset(seed)
    game, board = states.read(env)
    memory = Memory()
    mirror = Mirror("base", 4, RULES, PLACES.layout(board), chance="explicit")
    assert mirror.follow([("chance", "start_player", 0)], position_of(game, PLACES, memory)) == []
    return env, game, board, memory, FastcatanFollower(mirror, PLACES, memory)


def legal_of(game):
    return [action for action in states.legal_ids(game) if action < TRADE]


@needs_fastcatan
@pytest.mark.parametrize("seed", [1, 2])
def test_both_engines_are_in_the_same_state_after_every_action(seed):
    env, game, _, _, follower = begun(seed)
    record, rng, compared, equal = follower.mirror.engine.state[0], np.random.default_rng(seed), 0, 0
    while game["phase"] != states.ENDED and compared < (60 if PLAIN_PYTHON else 1500):
        action = int(rng.choice(legal_of(game)))
        env.step(action)
        after, _ = states.read(env)
        found = follower.see(game, action, after)
        assert all(any(rule in name for rule in OTHER_RULES) for name in found), found
        compared, equal, game = compared + 1, equal + (not found), after
        if found or winner_of(game) >= 0 or game["flag"] == states.DISCARD:
            continue
        for seat in range(4):
            assert record["hands"][seat].sum() == env.player_handsize(player_at(game, seat))
            assert follower.mirror.engine.victory_points[0, seat] == env.player_vp(player_at(game, seat))
        assert follower.mirror.engine.seat_to_act[0] == seat_of(game, states.actor(game))
    assert compared > 50 and equal > 0.95 * compared
    found = {name for name in follower.mirror.differences if name.startswith("contradiction")}
    assert all("road_lengths_current" in name for name in found), found


@needs_fastcatan
def test_a_difference_is_found_counted_and_followed():
    env, game, board, _, follower = begun(5)
    for _ in range(20):
        action = legal_of(game)[0]
        env.step(action)
        after, _ = states.read(env)
        assert follower.see(game, action, after) == []
        game = after
    changed = game.copy()
    changed["bank"][2] -= 3
    changed["resources"][0, 2] += 3
    changed["handsize"][0] += 3
    states.write(env, changed, board)
    changed, _ = states.read(env)
    action = legal_of(changed)[0]
    env.step(action)
    after, _ = states.read(env)
    found = follower.see(changed, action, after)
    assert {"bank", "hands"} <= {name.partition(": ")[2] for name in found} and not follower.mirror.is_exact
    assert follower.mirror.differences[found[0]] == 1


@needs_fastcatan
@pytest.mark.parametrize("name", marked(name for name in BUNDLED if name not in FOR_TWO))
@pytest.mark.skipif(PLAIN_PYTHON, reason="searches are slow in plain Python")
def test_a_choice_does_not_change_with_what_the_seat_cannot_see(name):
    env, game, board, memory, follower = begun(4)
    asked, player = 0, AlphaBeta(1)
    while asked < 8 and game["phase"] != states.ENDED:
        legal, who = legal_of(game), states.actor(game)
        others = [k for k in range(4) if k != who]
        if len(legal) > 4 and game["turn_count"] > 8 * (asked + 1) and game["total_dev"][others].sum():
            asked += 1
            other = disguised(game, others, np.random.default_rng(asked))
            seat = seat_of(game, who)
            assert position_of(game, PLACES, memory, seat) == position_of(other, PLACES, memory, seat)
            chosen = [
                SeatedAgent(agent_named(name), PLACES, board, 3).choose(one, memory, legal) for one in (game, other)
            ]
            assert chosen[0] == chosen[1] and chosen[0] in legal
        action = legal[0] if len(legal) == 1 else player.choose(env, game)
        env.step(action)
        after, _ = states.read(env)
        follower.see(game, action, after)
        game = after
    assert asked > 1


def disguised(game, others, rng):
    """Redeal the other players' hidden cards, keeping their counts, until hands and development cards differ."""
    other, numbers = game.copy(), game["dev"].astype(int).sum(axis=1)
    while any((other[name] == game[name]).all() for name in ("resources", "dev")):
        other["resources"][others] = dealt(game["resources"][others], game["handsize"][others], rng)
        pool, deck = np.vstack([game["dev"][others], game["dev_deck"]]), int(game["dev_deck"].sum())
        *held, other["dev_deck"] = dealt(pool, [*numbers[others].tolist(), deck], rng)
        other["dev"][others] = held
    other["vp"] = other["public_vp"] + other["dev"][:, CARDS[VICTORY_POINT]]
    return other


def dealt(rows, sizes, rng):
    """Shuffle the cards of all rows, shape (n, 5) by kind, and deal them into rows of the given sizes."""
    cards = rng.permutation(np.repeat(np.arange(5), rows.astype(int).sum(axis=0)))
    return [np.bincount(hand, minlength=5) for hand in np.split(cards, np.cumsum(sizes, dtype=int)[:-1])]


@needs_fastcatan
def test_its_player_accepts_every_offer_it_can_pay():
    """Matches are therefore played without offers: accepting changes nothing until the offer is confirmed."""
    env, game, board, _, _ = begun(3)
    while game["phase"] != states.MAIN or game["dice_roll"] == 0 or game["flag"]:
        env.step(legal_of(game)[0])
        game, _ = states.read(env)
    offered = game.copy()
    offered["resources"], offered["handsize"] = 2, 10
    states.write(env, offered, board)
    for action in (TRADE, TRADE + 5 + 4, TRADE + 10):  # offer a card for one of the rarest kind, then open the offer
        env.step(action)
    answering, _ = states.read(env)
    assert answering["flag"] == states.TRADE and env.ab_decide(states.actor(answering), 1, False) == TRADE + 11


# -- fastcatan's player in our engine -----------------------------------------------------------------------


@needs_fastcatan
@pytest.mark.parametrize("depth", [1, 2])
def test_its_player_plays_whole_games_here(depth):
    engine = BatchEngine("base", 2, 4, seed=1, rules={"offers_per_turn": 1})
    agents = [make_agent("fastcatan", depth=depth), make_agent("weighted")]
    for agent in agents:
        agent.reset(1)
    steps = 0
    while (engine.seat_to_act >= 0).any() and steps < (40 if PLAIN_PYTHON else 3000):
        actions = np.full(2, -1)
        for game in np.flatnonzero(engine.seat_to_act >= 0):
            actions[game] = agents[min(1, engine.seat_to_act[game])].act(engine, np.array([game]))[0]
        engine.step(actions)
        steps += 1
    assert PLAIN_PYTHON or engine.terminated.all()
    unknown = {"a harbor lies where fastcatan has none"}
    assert all(n in unknown or n.startswith(("fastcatan has no", "legal only there")) for n in agents[0].differences)
    with pytest.raises(OptionError, match="plays 'base' with 4 players to 10 points"):
        agents[0].act(BatchEngine("base", num_players=3), np.zeros(1, np.int64))


@needs_fastcatan
def test_a_state_made_for_its_player_is_the_position_it_was_made_from():
    env, game, board, memory, follower = begun(7)
    engine, agent, rng, compared = follower.mirror.engine, make_agent("fastcatan"), np.random.default_rng(0), 0
    while compared < (8 if PLAIN_PYTHON else 150) and game["phase"] != states.ENDED:
        action = int(rng.choice(legal_of(game)))
        env.step(action)
        after, _ = states.read(env)
        if not follower.see(game, action, after) and after["flag"] != states.DISCARD and after["phase"] < states.ENDED:
            seat = int(engine.seat_to_act[0])
            made, laid = agent._state_of(engine, engine.state[0], engine.decision(0), seat, PLACES)
            states.write(agent._env, made, laid)
            made, _ = states.read(agent._env)
            shift = int(after["start_player"])  # seat 0 is player 0 here
            for name in ("resources", "dev", "vp", "public_vp", "roads_left", "settlements_left", "ports", "handsize"):
                assert (made[name] == np.roll(after[name], -shift, axis=0)).all(), name
            assert legal_of(made) == legal_of(after) or after["flag"] == states.STEAL
            compared += 1
        game = after
    assert compared > 5
    assert TRADES.dtype == np.uint64


# -- matches -----------------------------------------------------------------------------------------------


@needs_fastcatan
@pytest.mark.skipif(PLAIN_PYTHON, reason="whole games are slow in plain Python")
def test_a_match_resumes_and_keeps_both_logs(tmp_path, capsys):
    whole = play_match(MATCH, tmp_path)
    assert [game.seat for game in whole] == [0, 1, 2, 3, 0] and len({game.seed for game in whole}) == 2
    assert play_match(MATCH, tmp_path) == whole == read_games(tmp_path)
    ours, theirs = (
        json.loads((tmp_path / "games" / f"000004.{name}.json").read_text()) for name in ("catan_env", "fastcatan")
    )
    assert catan_env.replay(ours).num_players == 4 and len(theirs["actions"]) > 100
    assert cli.main(["match", str(tmp_path)]) == 0
    assert "fastcatan alpha-beta (depth 1)" in capsys.readouterr().out
