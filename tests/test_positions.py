"""`engine.from_position`: building records from facts, finding contradictions, and sampling hidden cards."""

import dataclasses

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine, Position, PositionError
from tests.strategies import PLAIN_PYTHON

LEFT_OUT = {"rng", "income", "decision_stack", "decision_seats", "decision_arguments"}
RULES = {"offers_per_turn": 0}


def played(players, steps, seed=0):
    """Return an engine with a game after some random moves."""
    engine, rng = BatchEngine("base", num_players=players, seed=seed, rules=RULES), np.random.default_rng(seed)
    for _ in range(steps):
        if engine.seat_to_act[0] < 0:
            break
        engine.step(np.array([rng.choice(np.flatnonzero(engine.action_mask[0]))]))
    return engine


def facts_of(engine, seat=None):
    """Return the facts of a game that a seat knows, or all facts if `seat` is None."""
    record, players = engine.state[0], range(engine.num_players)
    names = [*engine.program.composition.decisions, *engine.program.composition.draws]
    stack = zip(record["decision_stack"], record["decision_seats"], record["decision_arguments"])

    def cards(field):
        return [record[field][p].tolist() if seat in (None, p) else int(record[field][p].sum()) for p in players]

    return Position(
        decisions=[(names[code], int(who), int(what)) for code, who, what in list(stack)[: record["depth"]]],
        hands=cards("hands"),
        bank=record["bank"].tolist(),
        buildings={
            int(i): (int(record["building_owner"][i]), (None, "settlement", "city")[record["building"][i]])
            for i in np.flatnonzero(record["building"])
        },
        roads={int(i): int(record["edge_owner"][i]) for i in np.flatnonzero(record["edge_owner"] >= 0)},
        robber=int(record["robber"]),
        development_cards=cards("development_cards"),
        new_development_cards=cards("new_development_cards"),
        cards_used=record["cards_used"].tolist(),
        knights_played=record["knights_played"][: engine.num_players].tolist(),
        card_played=bool(record["card_played"]),
        on_turn=int(record["on_turn"]),
        turn=int(record["turn"]),
        dice=int(record["dice"]),
        longest_road=int(record["longest_road"]),
        largest_army=int(record["largest_army"]),
    )


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("steps", [3, 60] if PLAIN_PYTHON else [3, 150, 420])
def test_facts_make_the_game_they_were_read_from(players, steps):
    engine = played(players, steps)
    while engine.state["to_discard"].any():
        engine.step(np.array([int(engine.action_mask[0].argmax())]))
    before = engine.state.copy()
    (record,) = engine.from_position(facts_of(engine))
    assert {name for name in record.dtype.names if (record[name] != before[0][name]).any()} <= LEFT_OUT
    depth = record["depth"]
    assert (record["decision_stack"][:depth] == before[0]["decision_stack"][:depth]).all()
    mask = engine.action_mask.copy()
    engine.state[0] = record
    engine.refresh()
    assert (engine.action_mask == mask).all() and engine.broken_invariants() == []
    assert before["rng"].tolist() != engine.state["rng"].tolist()


def test_a_seat_keeps_its_cards_and_those_of_others_are_sampled_in_their_number():
    engine = played(4, 150)
    truth, worlds = engine.state[0].copy(), engine.from_position(facts_of(engine, 1), seat=1, count=20, seed=7)
    for name in ("hands", "development_cards"):
        assert (worlds[name][:, 1] == truth[name][1]).all()
        assert (worlds[name].sum(axis=2) == truth[name].sum(axis=1)).all()
    assert (worlds["hands"].sum(axis=1) == truth["hands"].sum(axis=0)).all()
    assert len({world["hands"].tobytes() for world in worlds}) > 1
    assert (engine.state[0]["hands"] == truth["hands"]).all()
    again = engine.from_position(facts_of(engine, 1), seat=1, count=20, seed=7)
    assert (again == worlds).all()


GAME = played(4, 60)
FACTS = facts_of(GAME)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bank": [19, 19, 19, 19, 30]}, "bank and known hands hold .* cards, of 19 in the game"),
        ({"hands": [[20, 0, 0, 0, 0]] * 4}, "lumber cards, of 19 in the game"),
        ({"hands": [1, 1, 1, 1]}, "say which seat knows this"),
        ({"buildings": {0: (0, "settlement"), 3: (1, "city")}}, "intersections 0 and 3 are one path apart"),
        ({"buildings": {}, "roads": {0: 2}}, "path 0 touches neither a road nor a building of seat 2"),
        ({"roads": dict.fromkeys(range(30), 0)}, "seat 0 has 30 roads on the board, of 15"),
        ({"cards_used": [15, 0, 0, 0, 0]}, "1 more knight cards than the game has; knights_played adds up to 0"),
        ({"longest_road": 2}, "road_length and the holder of Longest Road"),
        ({"to_discard": [0, 3, 0, 0]}, "exactly the players with pending discards"),
        ({"decisions": [("plya", 0)]}, "no decision 'plya'.* 'play'"),
        ({"decisions": []}, "0 decisions are pending"),
        ({"decisions": [("play", 4)]}, "seat of 'play' is 4; allowed are 0 to 3"),
        ({"robber": 19}, "robber is 19; allowed are 0 to 18"),
        ({"buildings": {0: (0, "castle")}}, "write \\(seat, 'settlement'\\)"),
        ({"hands": [[1, 2]] * 4}, "5 numbers of at least 0"),
        ({"new_development_cards": [[1, 0, 0, 0, 0]] * 4}, "more new development cards than development cards"),
    ],
)
def test_what_contradicts_is_named(changes, said):
    before = GAME.state.copy()
    with pytest.raises(PositionError, match=said):
        GAME.from_position(dataclasses.replace(FACTS, **changes))
    assert (GAME.state == before).all()


def test_largest_army_may_be_left_to_the_rules():
    knights = dataclasses.replace(
        FACTS, knights_played=[3, 0, 2, 0], cards_used=[5, 0, 0, 0, 0], largest_army=None, longest_road=None
    )
    assert GAME.from_position(knights)["largest_army"].tolist() == [0]
    tied = dataclasses.replace(knights, knights_played=[3, 0, 3, 0], cards_used=[6, 0, 0, 0, 0])
    with pytest.raises(PositionError, match="largest_army has to say"):
        GAME.from_position(tied)
    assert GAME.from_position(dataclasses.replace(tied, largest_army=2))["largest_army"].tolist() == [2]


def test_other_systems_have_facts_that_a_position_does_not_know():
    engine = BatchEngine("seafarers_new_shores")
    with pytest.raises(PositionError, match="has other rules too"):
        engine.from_position(FACTS)
    assert catan_env.Position is Position
