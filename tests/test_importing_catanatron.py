"""Catanatron games as replay logs: states equal those of the live game, and errors name the action or fact."""

import json
import re

import numpy as np
import pytest

pytest.importorskip("catanatron")

import catan_env
from catan_agents.bridges.catanatron.player import Color
from catan_agents.bridges.catanatron.players import make_player
from catan_agents.bridges.catanatron.table import _new_game
from catan_agents.bridges.catanatron.translation import CARDS, RESOURCES, playable
from catan_env import BatchEngine
from catan_env.errors import GameImportError
from catan_training import cli
from catan_training.importing.catanatron import CatanatronGame
from catan_training.importing.files import import_game, output_of
from tests.strategies import PLAIN_PYTHON

GameEncoder = pytest.importorskip("catanatron.json").GameEncoder
COLORS = list(Color)
POINTS = {"victory_points": 4}


def live_game(players, seed, points=4):
    """Return a catanatron game, and its state at the start and after every action."""
    game = _new_game([make_player("random", color) for color in COLORS[:players]], seed, {"vps_to_win": points})
    states = [facts_of(game)]
    while game.winning_color() is None and game.state.num_turns < 300:
        game.execute(game.state.current_player().decide(game, playable(game)))
        states.append(facts_of(game))
    return game, states


def facts_of(game):
    state = game.state
    facts, players = state.player_state, range(len(state.colors))
    return {
        "hands": [[facts[f"P{p}_{kind}_IN_HAND"] for kind in RESOURCES] for p in players],
        "development_cards": [[facts[f"P{p}_{kind}_IN_HAND"] for kind in CARDS] for p in players],
        "knights_played": [facts[f"P{p}_PLAYED_KNIGHT"] for p in players],
        "bank": list(state.resource_freqdeck),
        "points": [facts[f"P{p}_ACTUAL_VICTORY_POINTS"] for p in players],
        "longest_road": next((p for p in players if facts[f"P{p}_HAS_ROAD"]), -1),
        "largest_army": next((p for p in players if facts[f"P{p}_HAS_ARMY"]), -1),
        "buildings": len(state.board.buildings),
        "roads": len(state.board.roads) // 2,
    }


def our_facts(game):
    state, players = game.state, len(game.players)
    names = ("hands", "development_cards", "knights_played")
    return {
        **{name: state[name][:players].tolist() for name in names},
        "bank": state["bank"].tolist(),
        "points": game.engine.victory_points[0, :players].tolist(),
        "longest_road": int(state["longest_road"]),
        "largest_army": int(state["largest_army"]),
        "buildings": int((state["building"] > 0).sum()),
        "roads": int((state["edge_owner"] >= 0).sum()),
    }


def as_repository_writes(file):
    """Convert a file of release 3.2.1 to the repository's format: separate results, one record per discarded card."""
    records = []
    for color, kind, value in file["actions"]:
        if kind == "DISCARD":
            records += [[[color, "DISCARD_RESOURCE", card], card] for card in value]
        elif kind == "MOVE_ROBBER":
            records.append([[color, kind, value[:2]], value[2]])
        elif kind in ("ROLL", "BUY_DEVELOPMENT_CARD"):
            records.append([[color, kind, None], value])
        else:
            records.append([[color, kind, value], None])
    return {**{key: value for key, value in file.items() if key != "actions"}, "action_records": records}


def exact_games(count, players=3):
    """Return live games that can be imported, as (file, states)."""
    found = []
    for seed in range(1, 40):
        game, states = live_game(players, seed)
        file = json.loads(json.dumps(game, cls=GameEncoder))
        if "actions" not in file:
            pytest.skip("the tests make the form of the repository from that of the release")
        try:
            list(CatanatronGame(file, "game", POINTS).play())
        except GameImportError as error:
            assert "has won there" in str(error)  # during another player's turn
            continue
        found.append((file, states))
        if len(found) == count:
            return found
    raise AssertionError("too few games agree")


@pytest.fixture(scope="module")
def games():
    return exact_games(1 if PLAIN_PYTHON else 3)


def test_every_state_is_that_of_the_live_game(games):
    compared = 0
    for file, states in games:
        for form in (file, as_repository_writes(file)):
            reader = CatanatronGame(form, "game", POINTS)
            for game in reader.play():
                place = re.search(r"action (\d+)", game.where)
                if form is file:
                    assert our_facts(game) == states[int(place[1]) if place else 0]
                    compared += 1
            assert our_facts(game) == states[-1]
            end = catan_env.replay(game.log(source=reader.notes())).state[0]
            assert all(np.array_equal(end[name], game.state[name]) for name in end.dtype.names if name != "rng")
    assert compared > 40 * len(games)


def test_a_card_played_in_the_turn_of_its_purchase_needs_the_house_rule(games):
    file = dict(games[0][0], winning_color=None)
    color = file["colors"][0]
    file["actions"] = [[color, "BUY_DEVELOPMENT_CARD", "MONOPOLY"], [color, "PLAY_MONOPOLY", "WOOD"]]
    assert CatanatronGame(file, "game", {}).house_rules == ["catanatron_roads", "cards_at_once"]
    file["actions"].insert(1, [color, "END_TURN", None])
    assert CatanatronGame(file, "game", {}).house_rules == ["catanatron_roads"]


def test_a_win_during_another_players_turn_needs_the_house_rule(games):
    file = dict(games[0][0])
    on_turn = file["actions"][-1][0]
    other = next(color for color in file["colors"] if color != on_turn)
    for winner, is_needed in ((on_turn, False), (other, True), (None, False)):
        file["winning_color"] = winner
        assert ("win_on_any_turn" in CatanatronGame(file, "game", {}).house_rules) == is_needed


def test_files_become_logs_that_say_where_they_come_from(games, tmp_path, capsys):
    path = tmp_path / "one.json"
    path.write_text(json.dumps(games[0][0]))
    assert cli.main(["import", str(path), "--rules", "victory_points=4"]) == 0
    log = json.loads(output_of(path, None).read_text())
    assert str(output_of(path, None)) in capsys.readouterr().out
    assert log["players"] == games[0][0]["colors"]
    assert log["source"]["format"] == "catanatron 3.2.1" and log["source"]["file"] == "one.json"
    assert cli.main(["replay", str(output_of(path, None)), "--no-open"]) == 0


def test_a_game_is_refused_with_the_action_or_the_fact_that_differs(games, tmp_path):
    file, path = games[0][0], tmp_path / "game.json"

    def refused(message, rules=POINTS, **changes):
        path.write_text(json.dumps({**file, **changes}))
        with pytest.raises(GameImportError, match=message):
            import_game(path, rules)

    refused("victory_points=N", rules={"victory_points": 9})
    actions = [list(action) for action in file["actions"]]
    roll = next(k for k, action in enumerate(actions) if action[1] == "ROLL")
    refused(
        rf"game.json, action {roll + 1} \(\w+ END_TURN\)",
        actions=[*actions[:roll], [actions[roll][0], "END_TURN", None]],
    )
    refused(rf"action {roll + 1} .*no action 'FLY'", actions=[*actions[:roll], [actions[roll][0], "FLY", None]])
    refused(rf"action {roll + 1} .*another form", actions=[*actions[:roll], [actions[roll][0], "ROLL", None]])
    facts = dict(file["player_state"], P0_WOOD_IN_HAND=file["player_state"]["P0_WOOD_IN_HAND"] + 1)
    refused("the state at its end: the file has .* as hand of", player_state=facts)
    refused("9 land hexes instead of 19", tiles=file["tiles"][:9])
    refused("not a game of catanatron", colors=["RED"])
    path.write_text(json.dumps({**file, "actions": [*actions[:roll], [actions[roll][0], "FLY", None]]}))
    found = import_game(path, POINTS, partial=True)
    assert found.kind == "partial" and "FLY" in found.source["problem"] and found.records == roll
    assert catan_env.replay(found.log).decision(0) == "pre_roll"


def test_unknown_files_and_folders_are_refused(tmp_path, capsys):
    (tmp_path / "other.json").write_text("{}")
    assert cli.main(["import", str(tmp_path)]) == 1
    assert "not a game in a known format" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert cli.main(["import", str(empty)]) == 2


# -- optional rules of other programs ----------------------------------------------------------------------


@pytest.mark.rule("options.cards_at_once.1")
def test_cards_can_be_played_at_once():
    for scenario, playable_now in (("base", False), ("base+cards_at_once", True)):
        engine = BatchEngine(scenario, 1, 2, seed=1, chance="explicit", compiled="auto")
        while engine.decision(0) != "play":
            mask = engine.action_mask[0] if engine.seat_to_act[0] >= 0 else engine.chance_mask[0]
            engine.step(np.array([int(mask.argmax())]))
        state, seat = engine.state[0], int(engine.seat_to_act[0])
        state["hands"][seat] += 1
        state["bank"] -= 1
        engine.refresh()
        engine.step(np.array([engine.actions.id("buy_development_card")]))
        engine.step(np.array([engine.outcomes.id("draw_card", 3)]))
        assert engine.action_mask[0, engine.actions.id("play_monopoly", 0)] == playable_now


@pytest.mark.rule("options.whole_payments.1")
def test_a_short_bank_pays_a_single_player_nothing():
    for scenario, paid in (("base", 1), ("base+whole_payments", 0)):
        engine = BatchEngine(scenario, 1, 2, seed=1, chance="explicit", compiled="auto")
        while engine.decision(0) != "pre_roll":
            mask = engine.action_mask[0] if engine.seat_to_act[0] >= 0 else engine.chance_mask[0]
            engine.step(np.array([int(mask.argmax())]))
        state, seat = engine.state[0], int(engine.seat_to_act[0])
        place = int(np.flatnonzero(state["building_owner"] == seat)[0])
        hexes = [h for h in engine.topology.intersection_hexes[place] if h >= 0 and state["terrain"][h] < 5]
        hex = next(h for h in hexes if h != state["robber"])
        corners = set(engine.topology.hex_intersections[hex].tolist())
        others = np.flatnonzero(state["building_owner"] == 1 - seat)
        assert not corners & set(others.tolist())
        state["building"][place] = 2
        state["cities_left"][seat] -= 1
        state["settlements_left"][seat] += 1
        card, number = int(state["terrain"][hex]), int(state["number"][hex])
        state["number"][[h for h in range(19) if h != hex and state["number"][h] == number]] = 0
        left = int(state["bank"][card]) - 1
        state["bank"][card] -= left
        state["hands"][1 - seat, card] += left
        before = int(state["hands"][seat, card])
        engine.refresh()
        engine.step(np.array([engine.actions.id("roll")]))
        engine.step(np.array([engine.outcomes.id("dice", number - 2)]))
        assert engine.state[0]["hands"][seat, card] == before + paid and engine.state[0]["bank"][card] == 1 - paid
