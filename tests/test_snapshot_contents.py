"""Snapshots with a valid checksum and impossible contents are rejected, and the error names the field."""

import functools
import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_env import BatchEngine
from catan_env.engine.decision_stack import CHANCE, WON
from catan_env.engine.declare import PLAYERS
from catan_env.errors import CatanError, SnapshotError
from tests.strategies import PLAIN_PYTHON, assert_same, every_game, every_scenario, look, play_on, play_until


def sealed(engine, change):
    """Return a snapshot of an engine with changed records and a valid checksum."""
    twin = engine.clone()
    change(twin.state)
    return twin.save()


def refuses(engine, data, words):
    before = look(engine)
    with pytest.raises(SnapshotError, match=words) as caught:
        engine.load(data)
    assert "Nothing was changed" in str(caught.value) or "log" in str(caught.value)
    assert_same(before, look(engine))


def begun(scenario, players, games=2):
    """Return games past the initial placement."""
    engine = BatchEngine(scenario, games, players, seed=4)
    play_until(engine, lambda: (engine.state["turn"] > 3).all())
    return engine


def write(name, value, *place):
    def change(state):
        state[name][(1, *place)] = value

    return change


@pytest.mark.core
@every_scenario
@pytest.mark.parametrize(
    ("name", "place", "value", "allowed"),
    [
        ("depth", (), 200, "allowed are 0 to 32"),
        ("depth", (), 0, "a running game has at least one decision"),
        ("robber", (), 100, "allowed are -1 to"),
        ("building_owner", (3,), 99, "allowed are -1"),
        ("decision_stack", (0,), 250, "allowed are 0 to"),
        ("decision_seats", (0,), 7, "allowed are 0 to"),
        ("decision_seats", (0,), CHANCE, "allowed are 0 to"),
        ("ended", (), 3, "allowed are 0 to 2"),
        ("rng", (slice(None),), 0, "must not be all zeros"),
        ("terrain", (0,), 99, "allowed are -1 to"),
        ("next_player", (), 7, "allowed are"),
    ],
    ids=str,
)  # fmt: skip
def test_impossible_values_are_refused_by_name(scenario, players, name, place, value, allowed):
    engine = begun(scenario, players)
    if name not in engine.state.dtype.names:
        pytest.skip(f"{scenario} has no {name}")
    refuses(engine, sealed(engine, write(name, value, *place)), rf"{name}(\[0\]|\[3\])? of game 1 is .*{allowed}")


@pytest.mark.core
@every_scenario
def test_every_field_is_checked_against_its_bounds(scenario, players):
    engine = begun(scenario, players)
    for field in engine.program.composition.fields.values():
        limits = np.iinfo(field.dtype)
        for value in {max(field.low - 1, limits.min), min(field.high + 1, limits.max)}:
            if not field.low <= value <= field.high and engine.state[field.name].size:
                where = (1, *(0 for _ in field.shape))
                refuses(
                    engine,
                    sealed(engine, lambda state: state[field.name].__setitem__(where, value)),  # noqa: B023
                    rf"{field.name}.* of game 1 is {value}; allowed are {field.low} to ",
                )


@every_game
def test_seats_that_nobody_plays_stay_as_they_are(scenario, players):
    engine = begun(scenario, players)
    composition = engine.program.composition
    idle = range(players, composition.length(PLAYERS) - composition.sizes["neutrals"])
    for field in composition.fields.values():
        if field.shape[:1] == (PLAYERS,):
            for seat in idle:
                where = (1, seat, *(0 for _ in field.shape[1:]))

                def change(state):
                    state[field.name][where] = field.low + (state[field.name][where] == field.low)  # noqa: B023

                refuses(engine, sealed(engine, change), f"{field.name}.* nobody plays that seat")


@every_scenario
def test_what_breaks_an_invariant_is_refused(scenario, players):
    engine = begun(scenario, players)
    if "bank" not in engine.state.dtype.names:
        pytest.skip(f"{scenario} has no cards")
    refuses(engine, sealed(engine, write("bank", 0, 0)), "game 1 breaks 'cards_conserved'")


@pytest.mark.core
def test_games_that_could_not_continue_are_refused():
    engine = begun("base", 3)
    code = engine.program.composition.code

    def nothing_to_draw(state):
        state["decision_stack"][1, state["depth"][1] - 1] = code("draw_card")
        state["decision_seats"][1, state["depth"][1] - 1] = CHANCE
        state["cards_used"][1] += state["deck"][1]
        state["deck"][1] = 0

    refuses(engine, sealed(engine, nothing_to_draw), "game 1 has no legal action or outcome at 'draw_card'")


def on_stack(engine, *entries, **fields):
    """Return a change to game 1 that replaces its stack with these decisions and seats, head last, and sets fields."""

    def change(state):
        for position, (name, seat) in enumerate(entries):
            state["decision_stack"][1, position] = engine.program.composition.code(name)
            state["decision_seats"][1, position] = seat
            state["decision_arguments"][1, position] = 0
        state["depth"][1] = len(entries)
        for name, value in fields.items():
            state[name][1] = value

    return change


@pytest.mark.core
@pytest.mark.parametrize(
    ("entries", "fields", "invariant"),
    [
        ([("play", 1)], {"on_turn": -1}, "one_turn"),
        ([("play", 1)], {"on_turn": 0}, "one_turn"),
        ([("play", 1), ("pre_roll", 1)], {"on_turn": 1}, "one_turn"),
        ([("dice", CHANCE)], {"on_turn": -1}, "one_turn"),
        ([("play", 1), ("discard", 1)], {"on_turn": 1}, "discards_due"),
        ([("play", 1), ("discard", 1)], {"on_turn": 1, "to_discard": [0, 100, 0, 0]}, "discards_due"),
        ([("play", 1)], {"on_turn": 1, "to_discard": [0, 0, 1, 0]}, "discards_due"),
        ([("play", 1), ("draft_counter", 2)], {"on_turn": 1}, "one_offer"),
        ([("play", 1), ("answer_offer", 2)], {"on_turn": 1}, "one_offer"),
        ([("play", 1), ("draft_offer", 2)], {"on_turn": 1}, "one_offer"),
        ([("play", 1), ("draft_offer", 1), ("answer_offer", 2)], {"on_turn": 1}, "one_offer"),
        ([("play", 1), ("choose_partner", 1), ("answer_offer", 1)], {"on_turn": 1}, "one_offer"),
        ([("play", 1), ("choose_partner", 1), ("place_robber", 1)], {"on_turn": 1}, "one_offer"),
        ([("play", 1), ("choose_victim", 1)], {"on_turn": 1}, "victim_exists"),
        ([("choose_victim", 1), ("play", 1)], {"on_turn": 1}, "victim_exists"),
        ([("terrain_of_hex", CHANCE), ("play", 1)], {"on_turn": 1}, "board_open"),
        ([("frame_piece", CHANCE), ("play", 1)], {"on_turn": 1}, "board_open"),
        ([("harbor_kind", CHANCE), ("play", 1)], {"on_turn": 1}, "board_open"),
    ],
    ids=str,
)
def test_decisions_that_nothing_has_led_to_are_refused(entries, fields, invariant):
    """Decisions, at the head of the stack and below it, must agree with the rest of the game."""
    engine = begun("base", 3)
    refuses(engine, sealed(engine, on_stack(engine, *entries, **fields)), f"game 1 breaks '{invariant}'")


@pytest.mark.core
def test_a_ship_that_nobody_has_taken_up_is_not_moved():
    engine = begun("seafarers_new_shores", 3)
    play_until(engine, lambda: engine.decision(1) == "play")
    seat = int(engine.seat_to_act[1])

    def change(state):
        path = (state["ships"][1] == 0).argmax()
        on_stack(engine, ("play", seat), ("move_ship", seat))(state)
        state["decision_arguments"][1, 1] = path

    refuses(engine, sealed(engine, change), "game 1 breaks 'own_ship_taken_up'")


@pytest.mark.core
def test_a_building_of_nobody_is_refused():
    engine = begun("base", 3)

    def change(state):
        state["building"][1, (state["building_owner"][1] == -1).argmax()] = 1

    refuses(engine, sealed(engine, change), "game 1 breaks")


@pytest.mark.parametrize("entry", [("give_cards", 1), ("give_cards", 0), ("forced_card", CHANCE)], ids=str)
def test_a_forced_trade_of_more_cards_than_a_hand_holds_is_refused(entry):
    engine = begun("two_player", 2)
    play_until(engine, lambda: engine.decision(1) == "play")

    def change(state):
        on_stack(engine, ("play", 1), entry, on_turn=1)(state)
        state["decision_arguments"][1, 1] = 30

    refuses(engine, sealed(engine, change), "game 1 breaks 'forced_trade_possible'")


@pytest.mark.core
@pytest.mark.parametrize(
    ("entries", "fields", "invariant"),
    [
        ([("spend", 1)], {"on_turn": 0}, "dice_of_one"),
        ([("spend", 1)], {"on_turn": -1}, "dice_of_one"),
        ([("choose_dice", 1), ("spend", 1)], {"on_turn": 1}, "dice_of_one"),
        ([("choose_dice", 1)], {"on_turn": 1, "rolls_made": 3, "dice_lying": [6, 0, 0, 0, 0, 0]}, "dice_of_one"),
        ([("spend", 1)], {"on_turn": 1, "next_player": 1}, "dice_of_one"),
        ([("spend", 1)], {"on_turn": 1, "next_player": 0, "turn": 1}, "boxes_open"),
        ([("spend", 1)], {"on_turn": 1, "next_player": 0, "turn": 0}, "boxes_open"),
    ],
    ids=str,
)
def test_turns_of_the_dice_game_that_nothing_has_led_to_are_refused(entries, fields, invariant):
    engine = begun("dice_game", 2)
    fields = {"dice_lying": 0, "dice_taken_up": 0} | fields
    refuses(engine, sealed(engine, on_stack(engine, *entries, **fields)), f"game 1 breaks '{invariant}'")


@pytest.mark.core
def test_a_turn_beyond_the_last_box_of_the_dice_game_is_refused():
    engine = begun("dice_game", 2)
    refuses(engine, sealed(engine, write("turn", 1000)), "breaks 'turns_fit'")


def test_a_winner_goes_with_a_victory():
    engine = begun("base", 3)
    refuses(engine, sealed(engine, write("winners", 2)), "winners of game 1 is 2; it must be 0")

    def won_by_seat_3(state):
        state["ended"][1], state["winners"][1] = WON, 1 << 3

    refuses(engine, sealed(engine, won_by_seat_3), "winners of game 1 is 8; only seats 0 to 2 can win")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda twin: twin.batch.log_length.__setitem__(0, 1000), r"lengths \[1000, "),
        (lambda twin: twin.batch.log_length.__setitem__(0, -1), r"lengths \[-1, "),
        (lambda twin: twin.batch.log.__setitem__((0, 0), 60_000), "contains the id 60000"),
    ],
)
def test_logs_that_could_not_be_written_on_are_refused(change, words):
    engine = play_on(BatchEngine("base", 2, seed=4, record=True), 30)
    twin = engine.clone()
    change(twin)
    refuses(engine, twin.save(), words)


def test_a_seal_does_not_make_bytes_beside_the_fields_true():
    engine = begun("base", 4, games=1)
    data, offset = engine.save(), engine.state.tobytes()
    at = data.index(offset)
    body = data[:at] + b"\1" + data[at + 1 : -32]
    refuses_anything = pytest.raises(SnapshotError, match="must be zero")
    with refuses_anything:
        engine.load(body + hashlib.sha256(body).digest())


@functools.cache
def station(scenario, k):
    """Return a scenario's engine at one of four points of random play, from early (0) to late (3)."""
    engine = BatchEngine(scenario, 2, seed=k, chance="explicit" if k % 2 else "sampled")
    return play_on(engine, (3, 40, 150, 260)[k], k)


@pytest.mark.rule("base.initial_placement.6", "trade_partners.partner_placement.2")
@pytest.mark.core
@pytest.mark.parametrize(
    ("scenario", "decision", "invariant"),
    [
        ("base", "place_initial_settlement", "initial_pieces_paired"),
        ("trade_partners", "place_initial_partner_settlement", "initial_partner_pieces_paired"),
    ],
)
def test_a_initial_placement_without_its_road_is_refused(scenario, decision, invariant):
    """The decision stack still contains entries of the initial placement beyond its depth. One of them alone must not
    become active again."""
    engine = begun(scenario, None)
    play_until(engine, lambda: engine.decision(1) == "play")

    def change(state):
        depth = state["depth"][1]
        state["decision_stack"][1, depth] = engine.program.composition.code(decision)
        state["decision_seats"][1, depth] = state["decision_seats"][1, depth - 1]
        state["depth"][1] += 1

    refuses(engine, sealed(engine, change), f"breaks '{invariant}'")


@pytest.mark.core
@every_scenario
@settings(max_examples=25 if PLAIN_PYTHON else 100)
@given(data=st.data())
def test_changed_values_are_refused_or_games_play_on(scenario, players, data):
    """With bounds checks (`make test-boundscheck`), this also checks that nothing is read outside its array."""
    engine = station(scenario, data.draw(st.integers(0, 3)))
    fields = [f for f in engine.program.composition.fields.values() if engine.state[f.name].size]
    twin = engine.clone()
    for _ in range(data.draw(st.integers(1, 3))):
        field = data.draw(st.sampled_from(fields))
        values, limits = twin.state[field.name][1:], np.iinfo(field.dtype)
        likely = st.integers(max(field.low, -2), min(field.high, 40))
        where = tuple(data.draw(st.integers(0, size - 1)) for size in values.shape)
        values[where] = data.draw(likely | st.integers(int(limits.min), int(limits.max)))
    try:
        twin.load(twin.save())
    except SnapshotError as error:
        assert any(field.name in str(error) for field in fields) or "breaks" in str(error) or "no legal" in str(error)
        return
    try:
        play_on(twin, 40, seed=1)
        twin.random_rollout(40)
    except CatanError as error:
        assert "bug in a rule module" in str(error)
