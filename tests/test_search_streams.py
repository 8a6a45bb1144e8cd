"""Random streams of simulations: the same luck for each action, and dice spread evenly over simulations."""

from types import SimpleNamespace

import numpy as np
import pytest

from catan_agents.search import streams
from catan_env.engine.random import below, next_word


@pytest.mark.core
def test_streams_of_simulations_are_the_same_for_their_number_and_unlike_for_others():
    game, start = SimpleNamespace(rng=np.zeros(4, np.uint32)), np.array([1, 2, 3, 4])

    def dice(number):
        streams.begin_stream(game, start, number)
        return [below(game, 6) for _ in range(8)]

    thrown = np.array([dice(number) for number in range(600)])
    assert dice(17) == thrown[17].tolist() and start.tolist() == [1, 2, 3, 4]
    assert len(np.unique(thrown, axis=0)) > 595
    counted = (thrown[:, :, None] == np.arange(6)).sum(axis=0)  # rolls by position and face
    assert (abs(counted - 100) < 45).all()
    both = np.array([[np.corrcoef(one, other)[0, 1] for one in thrown.T] for other in thrown.T])
    assert abs(both - np.eye(8)).max() < 0.18


@pytest.mark.core
def test_simulations_with_a_number_roll_the_same_dice_in_a_turn_whatever_was_drawn_before():
    game, origin = SimpleNamespace(rng=np.zeros(4, np.uint32), turn=3), np.array([1, 2, 3, 4])

    def dice(number, drawn_before):
        streams.begin_stream(game, origin, number)
        game.turn = 3
        before = [below(game, 6) for _ in range(drawn_before)]
        assert streams.keep_in_step(game, 3, origin, number) == 3  # the turn goes on, and so does its stream
        before += [below(game, 6) for _ in range(8 - drawn_before)]
        game.turn = 4
        assert streams.keep_in_step(game, 3, origin, number) == 4
        return before, [below(game, 6) for _ in range(8)]

    assert dice(5, 0) == dice(5, 3)
    (before, after), (_, others_after) = dice(5, 0), dice(6, 0)
    assert before != after != others_after


@pytest.mark.core
def test_dice_of_a_turn_are_spread_evenly_over_simulations():
    game, origin = SimpleNamespace(rng=np.zeros(4, np.uint32), turn=0), np.array([1, 2, 3, 4])

    def firsts(turn, numbers):
        words = []
        for number in numbers:
            game.turn = turn
            streams.keep_in_step(game, turn - 1, origin, number)
            words.append(int(next_word(game)))
        return np.array(words)

    turns = np.array([firsts(turn, range(96)) for turn in range(5, 25)])
    for first, last in ((0, 16), (16, 32), (0, 64), (64, 96)):
        size = last - first
        assert all(len(np.unique(words * size >> 32)) == size for words in turns[:, first:last])
    both = np.corrcoef(turns[:, :64])
    assert abs(both[np.triu_indices(20, 1)]).max() < 0.5 and len(np.unique(turns)) == turns.size


@pytest.mark.core
def test_a_stream_can_begin_with_any_word():
    game = SimpleNamespace(rng=np.zeros(4, np.uint32))
    for number, word in enumerate((0, 1, 12345, 2**31, 2**32 - 1)):
        streams.begin_stream(game, np.array([1, 2, 3, 4]), number)
        streams.begin_with(game, word)
        assert next_word(game) == word
