"""The root of a tree search: which action it simulates next, and which it returns."""

import numpy as np
import pytest

from catan_agents.search import root
from catan_agents.search.tree import child_of

ACTIONS = 12


def tree_of(priors):
    """Return a tree with an unvisited root action for each prior."""
    links, counts, used = np.zeros((20, 3), np.int64), np.zeros((20, 4)), np.array([1, 0])
    for action, prior in enumerate(priors):
        counts[child_of(links, counts, used, root.ROOT, action), root.PRIOR] = prior
    return links, counts, used


def searched(links, counts, used, chances, luck, simulations, confidence=2.0):
    """Run simulations that return an action's chance plus the luck of its stream; return the visits per action."""
    scores, first = np.zeros(ACTIONS), np.zeros(len(luck))
    for _ in range(simulations):
        child = root.next_candidate(links, counts, confidence, scores)
        number = int(counts[child, root.VISITS])
        root.note(counts, used, first, child, chances[links[child, root.MOVE]] + luck[number])
    visits = np.zeros(ACTIONS)
    for child in range(1, len(chances) + 1):
        visits[links[child, root.MOVE]] = counts[child, root.VISITS]
    return visits


@pytest.mark.core
def test_better_actions_get_more_simulations():
    chances = np.array([0.30, 0.34, 0.26, 0.38, 0.22, 0.18, 0.14, 0.10])
    visits = searched(*tree_of([1 / 8] * 8), chances, np.zeros(2000), 2000)
    ranked = visits[np.argsort(-chances)]
    assert visits.sum() == 2000
    assert abs(ranked[0] - ranked[1]) <= 1 and abs(ranked[2] - ranked[3]) <= 1
    assert ranked[1] == pytest.approx(4 * ranked[2], abs=8) and ranked[3] == pytest.approx(4 * ranked[4], abs=8)


@pytest.mark.core
def test_luck_counts_alike_for_all_actions():
    """The search distinguishes chances that differ by 0.01, although luck has a standard deviation of 0.3."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        chances = 0.4 + 0.01 * rng.permutation(6)
        links, counts, used = tree_of([1 / 6] * 6)
        searched(links, counts, used, chances, rng.normal(0, 0.3, 300), 300, confidence=20.0)
        shares = np.zeros(ACTIONS)
        found = root.best_action(links, counts, 20.0, np.arange(ACTIONS) < 6, shares)
        assert found == chances.argmax() == shares.argmax()


@pytest.mark.core
def test_a_search_may_outrun_its_memory():
    links, counts, used = tree_of([0.5, 0.5])
    luck = np.zeros(4)
    for _ in range(20):
        child = root.next_candidate(links, counts, 2.0, np.zeros(ACTIONS))
        root.note(counts, used, luck, child, 0.5)
    assert used[root.STREAMS] == 10 and counts[1:3, root.VISITS].tolist() == [10, 10]


@pytest.mark.core
def test_a_prior_counts_until_simulations_know_better():
    even, worse = np.full(ACTIONS, 0.3), np.where(np.arange(ACTIONS) == 1, 0.1, 0.3)
    for chances, simulations, expected in ((even, 50, 1), (worse, 50, 1), (worse, 1000, 0)):
        links, counts, used = tree_of([0.019, 0.98, 0.001])
        searched(links, counts, used, chances[:3], np.zeros(1000), simulations, confidence=0.1)
        assert root.best_action(links, counts, 0.1, np.ones(ACTIONS, bool), np.zeros(ACTIONS)) == expected


@pytest.mark.core
def test_what_was_hardly_looked_at_is_not_taken():
    """The search takes neither an action with few visits nor an illegal action, however good it looks."""
    links, counts, _ = tree_of([0.3, 0.3, 0.4])
    for action, visits, wins in ((0, 40.0, 16.0), (1, 2.0, 2.0), (2, 40.0, 20.0)):
        child = next(k for k in range(1, 4) if links[k, root.MOVE] == action)
        counts[child, root.VISITS], counts[child, root.WINS] = visits, wins
    shares, legal = np.zeros(ACTIONS), np.ones(ACTIONS, bool)
    assert root.best_action(links, counts, 2.0, legal, shares) == 2 and shares[1] <= shares[2] == 1.0
    legal[2] = False
    assert root.best_action(links, counts, 2.0, legal, shares) == 0
