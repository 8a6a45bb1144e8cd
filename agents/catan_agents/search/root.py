"""Action selection at the root of a tree: choosing the next action to simulate, and the final action.

Better actions get more simulations: each of the two best gets four times as many as each of the next two, each of those
gets four times as many as each of the next four, and so on. The rule resembles sequential halving without a fixed
budget (Karnin, Koren and Somekh, 2013; for the root of a tree with priors, see Danihelka, Guez, Schrittwieser and
Silver, 2022).

The n-th simulation of every action uses the same sampled world and the same random streams, see
`catan_agents.search.streams`. Results are measured relative to the first action that used them, so luck affects all
actions equally.
"""

from math import exp, log

import numpy as np

MOVE, CHILD, SIBLING = 0, 1, 2
"""Columns of `links`: the action or outcome leading to a node, its first child, and its next sibling; 0 for none."""
VISITS, WINS, PRIOR, LEVEL = 0, 1, 2, 3
"""Columns of `counts`: the number of visits to a node, the sum of winning chances for the seat that moved there, the
unnormalized prior, and the reference value for the priors of its children. Chances at the root are relative to other
actions, see `note`.
"""
NODES, STREAMS = 0, 1
"""Columns of `used`: the number of nodes in a tree, and the number of random streams used by its simulations."""
ROOT = 0
RIVALS = 2
"""Number of top-ranked actions that get the full share of simulations."""
FEWER = 4
"""Factor by which an action's share of simulations falls each time its rank doubles."""
DOUBTS = 50
"""Number added to the highest visit count when weighting simulation results against priors."""


def note(counts, used, luck, child, chance):
    """Record a simulation's result for an action at the root.

    The result is the winning chance relative to that of the first action that used the same stream.
    """
    stream_number = np.int64(counts[child, VISITS])
    stream_slot = stream_number % luck.shape[0]  # a timed search may run out of slots
    if stream_number == used[STREAMS]:
        luck[stream_slot] = chance
        used[STREAMS] += 1
    counts[child, VISITS] += 1.0
    counts[child, WINS] += chance - luck[stream_slot]


def score(links, counts, confidence, scores):
    """Compute the score of each action at the root, in logits, and return the highest visit count.

    An action's score is its log prior plus the weighted mean result of its simulations.
    """
    most_visits, visit_sum, win_sum = 0.0, 0.0, 0.0
    child = links[ROOT, CHILD]
    while child != 0:
        most_visits = max(most_visits, counts[child, VISITS])
        visit_sum += counts[child, VISITS]
        win_sum += counts[child, WINS]
        child = links[child, SIBLING]
    mean_win_share = win_sum / visit_sum if visit_sum > 0.0 else 0.0
    chance_weight = confidence * (DOUBTS + most_visits)
    child = links[ROOT, CHILD]
    while child != 0:
        child_visits = counts[child, VISITS]
        chance = counts[child, WINS] / child_visits if child_visits > 0.0 else mean_win_share
        scores[links[child, MOVE]] = log(max(counts[child, PRIOR], 1e-300)) + chance_weight * (chance - mean_win_share)
        child = links[child, SIBLING]
    return most_visits


def next_candidate(links, counts, confidence, scores):
    """Return the child of the root that is furthest below its share of simulations, or 0 if there is none."""
    score(links, counts, confidence, scores)
    chosen_child, least_due, best_worth = 0, 1e300, -1e300
    child = links[ROOT, CHILD]
    while child != 0:
        worth = scores[links[child, MOVE]]
        better_count = 0
        rival = links[ROOT, CHILD]
        while rival != 0:
            better_count += scores[links[rival, MOVE]] > worth
            rival = links[rival, SIBLING]
        visits_due, group_size = counts[child, VISITS], RIVALS
        while better_count >= group_size:
            visits_due *= FEWER
            group_size *= 2
        if visits_due < least_due or (visits_due == least_due and worth > best_worth):
            chosen_child, least_due, best_worth = child, visits_due, worth
        child = links[child, SIBLING]
    return chosen_child


def best_action(links, counts, confidence, legal, shares):
    """Return the best legal action at the root among those with at least half of the highest visit count.

    `shares` receives the unnormalized probability of each action being the best; no action has a higher one than the
    returned action.
    """
    for action in range(shares.shape[0]):
        shares[action] = 0.0
    most_visits = score(links, counts, confidence, shares)
    best_score, chosen_action = -1e300, 0
    child = links[ROOT, CHILD]
    while child != 0:
        action = links[child, MOVE]
        if legal[action] and 2.0 * counts[child, VISITS] >= most_visits and shares[action] > best_score:
            best_score, chosen_action = shares[action], action
        child = links[child, SIBLING]
    child = links[ROOT, CHILD]
    while child != 0:
        action = links[child, MOVE]
        shares[action] = exp(min(shares[action] - best_score, 0.0))
        child = links[child, SIBLING]
    return chosen_action
