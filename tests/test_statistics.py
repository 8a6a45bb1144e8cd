"""The distributions of dice, thefts, the deck and the set-up, and the independence of random streams."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from catan_env import BatchEngine
from tests.strategies import play_until

ALPHA = 1e-4
MANY = 20_000


def fits(counts, expected):
    """Return whether counts agree with relative frequencies."""
    counts, expected = np.asarray(counts, float), np.asarray(expected, float)
    return chisquare(counts, expected / expected.sum() * counts.sum()).pvalue > ALPHA


@pytest.fixture(scope="module")
def fresh():
    """A large batch of new games."""
    return BatchEngine("base", MANY, seed=5)


def test_dice():
    engine = BatchEngine("base", MANY, seed=1, board="beginner", rules={"initial_placement": "printed"})
    rolls = np.zeros(13, int)
    roll = engine.actions.id("roll")
    engine.step(np.full(MANY, roll))
    np.add.at(rolls, engine.state["dice"], 1)
    assert fits(rolls[2:], [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])


def test_the_second_roll_of_two_differs_and_is_fair():
    engine = BatchEngine("two_player", MANY, seed=2, chance="explicit")
    play_until(engine, lambda: all(engine.decision(g) == "pre_roll" for g in range(3)))
    game = engine.clone([0])
    game.step(np.array([game.actions.id("roll")]))
    game.step(np.array([game.outcomes.id("dice", "6")]))
    if game.decision(0) != "pre_roll":
        pytest.skip("something else is to be decided after this roll")
    game.step(np.array([game.actions.id("roll")]))
    expected = np.array([1, 2, 3, 4, 0, 6, 5, 4, 3, 2, 1]) / 31
    ids = list(game.outcomes.ids("dice"))
    np.testing.assert_allclose(game.chance_probabilities[0, ids], expected)


def test_terrain_of_every_hex(fresh):
    terrain = fresh.state["terrain"]
    for hex in range(terrain.shape[1]):
        assert fits(np.bincount(terrain[:, hex], minlength=6), [4, 3, 4, 4, 3, 1])
    assert (np.apply_along_axis(np.bincount, 1, terrain[:200], minlength=6) == [4, 3, 4, 4, 3, 1]).all()


def test_frame_pieces_and_start_player(fresh):
    for side in range(6):
        assert fits(np.bincount(fresh.state["frame"][:, side], minlength=6), np.ones(6))
    assert fits(np.bincount(fresh.state["next_player"], minlength=4), np.ones(4))


def test_the_corner_where_tokens_begin(fresh):
    """The number tokens start at each of the six corners with equal probability. They skip the desert."""
    corners = fresh.topology.corner_hexes
    first_two = dict.fromkeys(corners, 0)
    spirals = fresh.batch.params["spirals"][0]
    tokens = [token for token in fresh.batch.params["number_tokens"][0] if token > 0]
    number, terrain = fresh.state["number"][:4000], fresh.state["terrain"][:4000]
    for game in range(4000):
        for spiral in spirals:
            laid = [number[game, h] for h in spiral if terrain[game, h] != 5]
            if tokens == laid:
                first_two[int(spiral[0])] += 1
                break
    assert sum(first_two.values()) == 4000
    assert fits(list(first_two.values()), np.ones(6))


def test_stolen_cards_are_as_likely_as_cards_in_the_hand():
    engine = BatchEngine("base", 1, 3, seed=3, chance="explicit")
    play_until(engine, lambda: engine.decision(0) == "theft")
    state = engine.state[0]
    victim = int(state["decision_arguments"][state["depth"] - 1]) % len(state["hands"])
    hand = state["hands"][victim]
    ids = list(engine.outcomes.ids("theft"))
    np.testing.assert_allclose(engine.chance_probabilities[0, ids], hand / hand.sum())


def test_the_deck_is_drawn_without_replacement():
    engine = BatchEngine("base", MANY, seed=4, rules={"offers_per_turn": 0, "turn_limit": 60})
    engine.random_rollout(10**6, restart=False)
    used = engine.state["cards_used"] + engine.state["development_cards"].sum(1)
    drawn = used.sum(1)
    assert ((used + engine.state["deck"]) == [14, 2, 2, 2, 5]).all()
    assert drawn.sum() > MANY
    first = used[drawn == 1]
    assert fits(first.sum(0), [14, 2, 2, 2, 5])


def test_streams_of_games_are_independent():
    """Rolls of neighboring games and of neighboring seeds are independent."""
    rules = {"initial_placement": "printed"}
    one, other = (BatchEngine("base", MANY, seed=s, board="beginner", rules=rules) for s in (6, 7))
    for engine in (one, other):
        engine.step(np.full(MANY, engine.actions.id("roll")))
    for left, right in (
        (one.state["dice"][:-1], one.state["dice"][1:]),
        (one.state["dice"], other.state["dice"]),
    ):
        table = np.zeros((11, 11))
        np.add.at(table, (left - 2, right - 2), 1)
        assert chi2_contingency(table).pvalue > ALPHA
