"""Action selection at the root of a tree: the next action to simulate, and the final choice.

Better actions get more simulations. The two best actions get four times as many simulations each as the next two, those
four times as many as the next four, and so on. The rule resembles sequential halving without a fixed budget (Karnin,
Koren and Somekh, 2013; at the root of a tree with priors: Danihelka, Guez, Schrittwieser and Silver, 2022).

The n-th simulations of all actions use the same sampled world and the same random stream. Results are relative to the
first action that used the stream, so luck affects all actions alike.
"""

from math import exp, log

import numpy as np

from catan_env.engine.random import WORD, next_word

MOVE, CHILD, SIBLING = 0, 1, 2
"""Columns of `links`: the action or outcome that leads to a node, its first child, its next sibling; 0 for none."""
VISITS, WINS, PRIOR, LEVEL = 0, 1, 2, 3
"""Columns of `counts`: visits of a node, its total chance to win for the seat that moved there, its unnormalized prior,
and the value that the priors of its children are relative to. Chances at the root are relative to other actions, see
`note`.
"""
NODES, STREAMS = 0, 1
"""Columns of `used`: nodes of a tree, and random streams that its simulations have used."""
ROOT = 0
RIVALS = 2
"""Number of best actions that get the full share of simulations."""
FEWER = 4
"""Factor by which the share of simulations falls each time an action's rank doubles."""
DOUBTS = 50
"""Visits added to the highest visit count when scores weigh simulations against priors."""
GOLDEN, SILVER = 0x9E3779B1, 0x85EBCA6B
"""Odd factors that spread stream numbers over 32 bits. Stream numbers are below 2**31."""
SPREADING = 16
"""Number of words to discard, after which streams with similar starts are unrelated."""


def begin_stream(game, start, number):
    """Set the random stream of a game to one of the streams that start from the same point."""
    for k in range(4):
        game.rng[k] = start[k]
    game.rng[0] = (start[0] ^ number * GOLDEN) & WORD
    game.rng[2] = (start[2] ^ number * SILVER) & WORD
    for _ in range(SPREADING):
        next_word(game)


def note(counts, used, luck, child, chance):
    """Record the result of a simulation for an action at the root.

    The result is the chance to win minus the one that the first action with the same stream found.
    """
    stream_number = np.int64(counts[child, VISITS])
    stream_slot = stream_number % luck.shape[0]  # a timed search may exceed its memory
    if stream_number == used[STREAMS]:
        luck[stream_slot] = chance
        used[STREAMS] += 1
    counts[child, VISITS] += 1.0
    counts[child, WINS] += chance - luck[stream_slot]


def score(links, counts, confidence, scores):
    """Write the score of each action at the root, in logits, and return the highest visit count.

    A score is the log prior plus the weighted result of the action's simulations.
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
    """Return the child of the root to simulate next, which is furthest behind its share; 0 if there is none."""
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
    """Return the best legal action at the root with at least half of the highest visit count.

    `shares` receives the unnormalized probability of each action to be the best. No action exceeds the returned one.
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
