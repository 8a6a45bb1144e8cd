"""Card counting: bounds contain the true hands, reveal nothing hidden, and equal an enumeration in small cases."""

from itertools import product

import numpy as np
import pytest

import catan_env

SCENARIO = "base+card_counting"


def random_actions(engine, rng):
    mask = engine.action_mask
    return np.where(engine.seat_to_act >= 0, (rng.random(mask.shape) * mask).argmax(1), -1)


def steal_one(hands, thief, victim):
    """Return all hands possible after a theft, as tuples of tuples, given all hands possible before it."""
    found = set()
    for table in hands:
        for kind in range(5):
            if table[victim][kind]:
                after = [list(hand) for hand in table]
                after[victim][kind] -= 1
                after[thief][kind] += 1
                found.add(tuple(map(tuple, after)))
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_bounds_always_hold_the_hand(players):
    engine = catan_env.BatchEngine(SCENARIO, 64, players, seed=3)
    rng = np.random.default_rng(0)
    for _ in range(600):
        engine.step(random_actions(engine, rng))
        assert not engine.broken_invariants()
        engine.reset(games=engine.terminated | engine.truncated)
    assert (engine.state["least"] < engine.state["most"]).any()


def test_without_thefts_all_is_known():
    engine = catan_env.BatchEngine(SCENARIO, 32, seed=4)
    rng, start = np.random.default_rng(1), engine.state["robber"].copy()
    thefts = np.zeros(32, bool)
    for _ in range(400):
        engine.step(random_actions(engine, rng))
        thefts |= engine.state["robber"] != start
        known = engine.state["least"] == engine.state["most"]
        assert known[~thefts].all()
        if thefts.all():
            break
    assert thefts.any()


def test_bounds_equal_an_enumeration_of_what_a_theft_may_have_taken():
    """From known hands, the bounds after one theft are exactly the minimum and maximum over all possible thefts."""
    rng = np.random.default_rng(2)
    for trial in range(40):
        engine = catan_env.BatchEngine(SCENARIO, 1, 3, seed=trial, chance="explicit")
        play_to_theft(engine, rng)
        state = engine.state[0]
        thief, victim = divmod(int(state["decision_arguments"][state["depth"] - 1]), len(state["hands"]))
        hands = tuple(tuple(int(n) for n in hand) for hand in engine.state["hands"][0, :3])
        aside = engine.state["discards"][0].any()
        if aside or (engine.state["least"] != engine.state["most"]).any():
            continue
        engine.step(np.array([rng.choice(np.flatnonzero(engine.chance_mask[0]))]))
        possible = np.array(sorted(steal_one({hands}, thief, victim)))
        np.testing.assert_array_equal(engine.state["least"][0, :3], possible.min(0))
        np.testing.assert_array_equal(engine.state["most"][0, :3], possible.max(0))


def play_to_theft(engine, rng):
    """Play at random until a card is about to be stolen."""
    while engine.decision(0) != "theft":
        chance = engine.seat_to_act[0] == -1
        possible = np.flatnonzero(engine.chance_mask[0] if chance else engine.action_mask[0])
        engine.step(np.array([rng.choice(possible)]))


def test_bounds_say_nothing_that_is_hidden():
    """Two games that differ only in the stolen card have the same bounds."""
    rng = np.random.default_rng(5)
    compared = 0
    for trial in range(30):
        engine = catan_env.BatchEngine(SCENARIO, 1, 3, seed=trial, chance="explicit")
        play_to_theft(engine, rng)
        outcomes = np.flatnonzero(engine.chance_mask[0])
        if len(outcomes) < 2:
            continue
        compared += 1
        views = []
        for outcome in outcomes[:2]:
            twin = engine.clone()
            twin.step(np.array([outcome]))
            views.append((twin.state["least"].copy(), twin.state["most"].copy()))
        for first, second in zip(*views, strict=True):
            np.testing.assert_array_equal(first, second)
    assert compared


def test_monopoly_empties_all_other_hands_for_good():
    deck = {"development_deck": [8, 2, 2, 11, 2]}  # so that a monopoly card is left
    engine = catan_env.BatchEngine(SCENARIO, 1, 3, seed=0, rules=deck, chance="explicit")
    rng = np.random.default_rng(7)
    play_to_theft(engine, rng)
    while engine.decision(0) != "play":
        chance = engine.seat_to_act[0] == -1
        possible = np.flatnonzero(engine.chance_mask[0] if chance else engine.action_mask[0])
        engine.step(np.array([rng.choice(possible)]))
    seat = int(engine.seat_to_act[0])
    engine.state["development_cards"][0, seat, 3] += 1
    assert engine.state["deck"][0, 3] > 0
    engine.state["deck"][0, 3] -= 1
    engine.state["card_played"][0] = 0
    engine.refresh()
    for kind in range(5):
        twin = engine.clone()
        twin.step(np.array([twin.actions.id("play_monopoly", kind)]))
        others = [p for p in range(3) if p != seat]
        assert (twin.state["most"][0, others, kind] == 0).all()
        assert not twin.broken_invariants()


def test_action_ids_are_those_of_the_scenario_without_it():
    plain, counting = catan_env.BatchEngine("base"), catan_env.BatchEngine(SCENARIO)
    assert plain.actions.hash == counting.actions.hash
    names = set(counting.feature_names()) - set(plain.feature_names())
    seats = ("me", "left_1", "left_2", "left_3")
    kinds = ("lumber", "brick", "wool", "grain", "ore")
    assert names == {f"{bound}/{seat}/{kind}" for bound, seat, kind in product(("least", "most"), seats, kinds)}
