"""The catanatron bridge: equal states in both engines, honest agents, catanatron's players at our table, matches."""

import dataclasses
import json
import random
import re
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("catanatron")

import catan_env
from catan_agents import make_agent
from catan_agents.bridges.catanatron import CatanEnvPlayer, library
from catan_agents.bridges.catanatron.opponents import CatanatronAgent
from catan_agents.bridges.catanatron.player import Color
from catan_agents.bridges.catanatron.players import KINDS, kind_of, make_player
from catan_agents.bridges.catanatron.table import CatanatronFollower, _new_game, play_game, winner_of
from catan_agents.bridges.catanatron.translation import (
    CARDS,
    RESOURCES,
    CatanatronPlaces,
    num_records,
    playable,
    position_of,
    record_at,
    rules_of,
)
from catan_agents.bridges.mirror import Mirror
from catan_env import BatchEngine
from catan_env.errors import CatanError, MissingExtraError, OptionError, UnknownAgentError
from catan_training import cli
from catan_training.evaluation import outside
from catan_training.evaluation.outside import Match, play_match, read_games, summary
from tests.bridge_agents import BUNDLED, FOR_TWO, agent_named, marked
from tests.strategies import PLAIN_PYTHON
from tests.test_positions import facts_of, played

COLORS = list(Color)
TOPOLOGY = catan_env.find_scenario("base").board.topology
OTHER_RULES = re.compile(
    "only there: (play_knight|play_monopoly|play_year_of_plenty|build_road)"  # cards of this turn, roads past buildings
    "|build_(road|settlement): (longest_road|winner)|contradiction: road_lengths_current.*"  # ties for Longest Road
    "|roll: (bank|hands|winner).*|take_card: .*|.*: winner"  # a short bank, a win on another player's turn
)
"""Where release 3.2.1 and the repository have other rules than ours."""


def table_of(count, kind="random"):
    return [make_player(kind, color) for color in COLORS[:count]]


def begun(players, seed, **options):
    """Return a catanatron game and the follower that mirrors it."""
    game = _new_game(players, seed, options)
    places = CatanatronPlaces(game.state.board.map, TOPOLOGY)
    mirror = Mirror("base", len(players), rules_of(game), places.layout, chance="explicit")
    mirror.follow([("chance", "start_player", 0)], position_of(game, places))
    return game, CatanatronFollower(mirror, places)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_both_engines_are_in_the_same_state_after_every_action(players, seed):
    game, follower = begun(table_of(players), seed, vps_to_win=3 if PLAIN_PYTHON else 6)
    mirror, compared, equal = follower.mirror, 0, 0
    while game.winning_color() is None and game.state.num_turns < 400:
        game.execute(game.state.current_player().decide(game, playable(game)))
        found = follower.see(game)
        assert all(OTHER_RULES.fullmatch(name) for name in found), found
        compared, equal = compared + 1, equal + (not found)
        if found or winner_of(game) >= 0 or game.state.current_prompt.name == "DISCARD":
            continue
        record, facts = mirror.engine.state[0], game.state.player_state
        for seat in range(players):
            assert record["hands"][seat].tolist() == [facts[f"P{seat}_{kind}_IN_HAND"] for kind in RESOURCES]
            assert record["development_cards"][seat].tolist() == [facts[f"P{seat}_{kind}_IN_HAND"] for kind in CARDS]
            assert mirror.engine.victory_points[0, seat] == facts[f"P{seat}_ACTUAL_VICTORY_POINTS"]
            assert (record["longest_road"] == seat) == facts[f"P{seat}_HAS_ROAD"]
        assert record["bank"].tolist() == game.state.resource_freqdeck
        assert mirror.engine.seat_to_act[0] == game.state.current_player_index
    assert compared > 30 and equal > 0.9 * compared


def test_a_difference_is_found_counted_and_followed():
    game, follower = begun(table_of(2), 5)
    for _ in range(12):
        game.execute(playable(game)[0])
        assert follower.see(game) == []
    entries = len(follower.mirror.replay_log()["moves"])
    game.state.resource_freqdeck[2] -= 3
    game.state.player_state["P1_SHEEP_IN_HAND"] += 3
    game.execute(next(action for action in playable(game) if action.action_type.name in ("ROLL", "END_TURN")))
    found = follower.see(game)
    assert {name.partition(": ")[2] for name in found} == {"bank", "hands"} and not follower.mirror.is_exact
    assert follower.mirror.differences[found[0]] == 1
    assert follower.mirror.engine.state[0]["bank"].tolist() == game.state.resource_freqdeck
    log = follower.mirror.replay_log()
    assert len(log["moves"]) == entries and not log["is_exact"]
    catan_env.replay(log)


def test_games_of_a_seed_differ_in_their_seats_only():
    results, boards = [], []
    for seats in ((0, 1), (1, 0)):
        players = [(make_player("weighted", COLORS[0]), make_player("random", COLORS[0]))[k] for k in seats]
        players[1].color = COLORS[1]
        results.append(play_game(players, 11, {"vps_to_win": 4}))
        boards.append(results[-1].log["board"])
    first_rolls = [next(a[3] for a in result.actions if a[1] == "ROLL") for result in results]
    assert boards[0] == boards[1] and first_rolls[0] == first_rolls[1]
    assert results[0].actions != results[1].actions
    again = play_game([make_player("weighted", COLORS[0]), make_player("random", COLORS[1])], 11, {"vps_to_win": 4})
    assert again.actions == results[0].actions and json.loads(json.dumps(again.actions)) == again.actions
    engine = catan_env.replay(again.log)
    assert not again.log["is_exact"] or int(engine.winner[0]) == again.winner


# -- hidden information ------------------------------------------------------------------------------------


def positions(count, players, seed=3):
    """Return catanatron games at decisions with alternatives, in mid-game."""
    table = table_of(players, "weighted")
    game = _new_game(table, seed, {})
    found = []
    while len(found) < count:
        actions = playable(game)
        cards_of_others = sum(hidden(game, game.state.current_player_index, CARDS))
        if len(actions) > 3 and cards_of_others and game.state.num_turns > 12 * (len(found) + 1):
            found.append(game.copy())
        if game.winning_color() is not None:
            return found
        game.execute(game.state.current_player().decide(game, actions))
    return found


def disguise(game, seat, rng):
    """Redeal the hidden cards of all other seats until they differ. Each seat keeps its number of cards.

    With two players, resources are not hidden: the bank and the player's own hand determine the opponent's hand.
    """
    secrets = [CARDS] if len(game.state.colors) == 2 else [RESOURCES, CARDS]
    before = [hidden(game, seat, kinds) for kinds in secrets]
    while any(hidden(game, seat, kinds) == old for kinds, old in zip(secrets, before)):
        deal_again(game, seat, rng)


def hidden(game, seat, kinds):
    """Return the number of cards of each of these kinds in each other seat's hand."""
    facts, others = game.state.player_state, [k for k in range(len(game.state.colors)) if k != seat]
    return [facts[f"P{k}_{kind}_IN_HAND"] for k in others for kind in kinds]


def deal_again(game, seat, rng):
    """Redeal the hidden cards of all other seats at random."""
    facts = game.state.player_state
    others = [k for k in range(len(game.state.colors)) if k != seat]
    for kinds, stack in ((RESOURCES, []), (CARDS, game.state.development_listdeck)):
        pool = [kind for k in others for kind in kinds for _ in range(facts[f"P{k}_{kind}_IN_HAND"])] + list(stack)
        sizes = [sum(facts[f"P{k}_{kind}_IN_HAND"] for kind in kinds) for k in others]
        rng.shuffle(pool)
        for k, size in zip(others, sizes):
            dealt, pool = pool[:size], pool[size:]
            for kind in kinds:
                facts[f"P{k}_{kind}_IN_HAND"] = dealt.count(kind)
        stack[:] = pool
    for k in others:
        facts[f"P{k}_ACTUAL_VICTORY_POINTS"] = facts[f"P{k}_VICTORY_POINTS"] + facts[f"P{k}_VICTORY_POINT_IN_HAND"]


@pytest.mark.parametrize("name", marked(BUNDLED))
@pytest.mark.skipif(PLAIN_PYTHON, reason="searches are slow in plain Python")
def test_a_choice_does_not_change_with_what_the_seat_cannot_see(name):
    rng, games = random.Random(0), positions(3, 2 if name in FOR_TWO else 4)
    assert games
    for game in games:
        seat = game.state.current_player_index
        other = game.copy()
        disguise(other, seat, rng)
        places = CatanatronPlaces(game.state.board.map, TOPOLOGY)
        assert position_of(game, places, seat) == position_of(other, places, seat)
        color = game.state.colors[seat]
        agent = agent_named(name)
        first, second = (CatanEnvPlayer(agent, color, seed=4).decide(one, playable(one)) for one in (game, other))
        assert first == second and first in playable(game)


# -- catanatron's players at our table ---------------------------------------------------------------------


@pytest.mark.parametrize(("players", "steps"), [(2, 9), (4, 60)] if PLAIN_PYTHON else [(2, 9), (2, 300), (4, 500)])
def test_a_game_of_catanatron_is_in_the_position_it_was_made_from(players, steps):
    engine = played(players, steps, seed=2)
    while engine.decision(0) not in ("play", "pre_roll", "place_initial_settlement"):
        engine.step(np.array([int(engine.action_mask[0].argmax())]))
    seat, agent = int(engine.seat_to_act[0]), CatanatronAgent("random")
    game, places = agent._game_of(engine, engine.state[0], engine.decision(0), seat)
    found, truth = position_of(game, places), facts_of(engine)
    same = {item.name for item in dataclasses.fields(truth)} - {"cards_used", "new_development_cards", "dice", "turn"}
    assert {name: getattr(found, name) for name in same} == {
        name: type(getattr(found, name))(getattr(truth, name))
        if name not in ("decisions", "to_discard")
        else getattr(found, name)
        for name in same
    }
    assert sum(found.knights_played) == found.cards_used[0]


@pytest.mark.parametrize("kind", ["random", "weighted", "victory-points"])
def test_players_of_catanatron_play_whole_games_here(kind):
    engine = BatchEngine("base", 2, 3, seed=1, rules={"victory_points": 3 if PLAIN_PYTHON else 5})
    agents = [make_agent(f"catanatron:{kind}"), make_agent("weighted"), make_agent("heuristic")]
    for agent in agents:
        agent.reset(1)
    while (engine.seat_to_act >= 0).any():
        actions = np.full(2, -1)
        for game in np.flatnonzero(engine.seat_to_act >= 0):
            actions[game] = agents[engine.seat_to_act[game]].act(engine, np.array([game]))[0]
        engine.step(actions)
    assert engine.terminated.all()


def test_what_catanatron_lacks_is_said():
    with pytest.raises(UnknownAgentError, match="Did you mean 'value'"):
        kind_of("valeu")
    with pytest.raises(OptionError, match="no option 'depth'"):
        make_player("random", COLORS[0], depth=2)
    with pytest.raises(OptionError, match="plays 'base' with 2 to 4 players"):
        six = SimpleNamespace(scenario=SimpleNamespace(name="base_5_6"), num_players=6)
        make_agent("catanatron:random").act(six, np.zeros(1, np.int64))
    with pytest.raises(OptionError, match="must be a checkout"):
        library.load("/")
    if library.release() == "3.2.1":
        with pytest.raises(MissingExtraError, match="CATANATRON_CHECKOUT"):
            make_player("value", COLORS[0])
    assert all(kind.sees for kind in KINDS.values())


# -- matches -----------------------------------------------------------------------------------------------

MATCH = Match({"agent": "weighted", "label": "weighted"}, "random", games=6, points=4, seed=2)


class Killed(Exception):
    """Simulates a killed process."""


def test_a_match_that_was_killed_resumes_and_plays_the_same_games(tmp_path):
    whole = play_match(MATCH, tmp_path / "whole")

    def kill(games):
        if len(games) == 3:
            raise Killed

    with pytest.raises(Killed):
        play_match(MATCH, tmp_path / "killed", kill)
    journal = tmp_path / "killed" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes() + b'{"game": 3, "se')
    resumed = play_match(MATCH, tmp_path / "killed")

    def timeless(games):
        return [dataclasses.replace(game, seconds=0.0, agent_seconds=0.0) for game in games]

    assert timeless(resumed) == timeless(whole) == timeless(read_games(tmp_path / "killed"))
    assert [game.seat for game in whole] == [0, 1] * 3 and len({game.seed for game in whole}) == 3
    for number in range(6):
        ours, theirs = (
            json.loads((tmp_path / "whole" / "games" / f"{number:06d}.{name}.json").read_text())
            for name in ("catan_env", "catanatron")
        )
        assert catan_env.replay(ours).num_players == 2 and len(theirs["actions"]) > 20
    with pytest.raises(OptionError, match="holds a match with different points"):
        play_match(dataclasses.replace(MATCH, points=5), tmp_path / "whole")
    with pytest.raises(OptionError, match="players is 5; allowed are 2 to 4"):
        dataclasses.replace(MATCH, players=5)


def test_the_summary_counts_wins_by_seat_and_by_paired_seed():
    games = [
        outside.GameResult(k, k % 2, k // 2, winner, [4, 3], 30, 1.0, 0.1, 10, {"x": 1}, True)
        for k, winner in enumerate([0, 1, 0, 0, 1, 1, -1, 1])
    ]
    result = summary(dataclasses.replace(MATCH, games=8), games)
    assert (result["wins"], result["games"], result["unfinished"]) == (5, 8, 1)
    assert result["wins_by_seat"] == [2, 3] and result["differences"] == {"x": 8}
    low, high = result["paired_interval"]
    assert low < result["win_rate"] == 5 / 8 < high


def test_the_command_plays_and_prints_a_match(tmp_path, capsys):
    folder = str(tmp_path / "match")
    command = ["match", folder, "--agent", "weighted", "--opponents", "catanatron:random", "--points", "3"]
    assert cli.main([*command, "--games", "2", "--json", str(tmp_path / "found.json")]) == 0
    assert "catanatron random" in capsys.readouterr().out
    assert json.loads((tmp_path / "found.json").read_text())["games"] == 2
    assert cli.main([*command, "--games", "4"]) == 0 and len(read_games(folder)) == 4
    assert cli.main(["match", folder]) == 0
    assert cli.main(["match", folder, "--agent", "weighted"]) == 2
    assert cli.main(["match", str(tmp_path / "none")]) == 2
    assert cli.main(["match", folder, "--agent", "weighted", "--opponents", "value"]) == 2
    (tmp_path / "match" / "journal.jsonl").write_text("{}\n")
    with pytest.raises(CatanError, match="is not game 0"):
        read_games(folder)


def test_records_read_alike_in_both_interfaces():
    game = _new_game(table_of(2), 3, {})
    for _ in range(40):
        game.execute(game.state.current_player().decide(game, playable(game)))
    records = [record_at(game, k) for k in range(num_records(game))]
    assert len(records) == 40 and {record.seat for record in records} == {0, 1}
    assert all(sum(record.result) in range(2, 13) for record in records if record.kind == "ROLL")
