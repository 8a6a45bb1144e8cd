"""Which action to look at next at the root of a tree, and which to take in the end, compiled with the rules.

The better an action seems, the more simulations it gets, in the way of sequential halving (Karnin, Koren and Somekh,
2013; at the root of a tree with priors: Danihelka, Guez, Schrittwieser and Silver, 2022), though without a number set
in advance: of the two best each gets four times as many as each of the next two, those four times as many as each of
the next four, and so on. The n-th simulation of every action has the same deal and the same stream of chance, and what
it finds counts beside what the first action to have that stream found: so luck counts for or against all alike.
"""

from math import exp, log

import numpy as np

from catan_env.engine.random import WORD, next_word

MOVE, CHILD, SIBLING = 0, 1, 2
"""What links of a node are: the action or outcome that leads to it, its first child, its next sibling; 0 is none."""
VISITS, WINS, PRIOR, LEVEL = 0, 1, 2, 3
"""What counts of a node are: simulations through it, the chances to win that they found for the seat that moved there,
its share of the prior, and the value which the priors of its children are relative to. Chances of actions at the root
are relative, see `note`."""
NODES, STREAMS = 0, 1
"""What there is of a tree: nodes, and streams of simulations that began at it."""
ROOT = 0
RIVALS = 2
"""How many of the best actions get as many simulations as the best."""
FEWER = 4
"""How many times fewer simulations an action gets that is further down, each time its rank doubles."""
DOUBTS = 50
"""How many simulations the prior is worth beside those found."""
GOLDEN, SILVER = 0x9E3779B1, 0x85EBCA6B
"""Odd numbers that spread those of streams over 32 bits; numbers are below 2**31."""
SPREADING = 16
"""Words after which streams that began almost alike have nothing in common."""


def begin_stream(game, start, number):
    """Sets the stream of a game to the one of this number among those that begin at the same point."""
    for k in range(4):
        game.rng[k] = start[k]
    game.rng[0] = (start[0] ^ number * GOLDEN) & WORD
    game.rng[2] = (start[2] ^ number * SILVER) & WORD
    for _ in range(SPREADING):
        next_word(game)


def note(counts, used, luck, child, chance):
    """Tells an action at the root the chance to win that a simulation found: how much better it is than that of the
    first action with the same stream."""
    stream_number = np.int64(counts[child, VISITS])
    stream_slot = stream_number % luck.shape[0]  # a search by the clock may outrun its memory
    if stream_number == used[STREAMS]:
        luck[stream_slot] = chance
        used[STREAMS] += 1
    counts[child, VISITS] += 1.0
    counts[child, WINS] += chance - luck[stream_slot]


def score(links, counts, confidence, scores):
    """Writes how good each action at the root seems, in logits: its prior, and the chances that simulations found.

    Returns how many simulations the action had that had most.
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
    """The child of the root to go down next: whose share of simulations is due. 0 if there is none."""
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
    """The best action at the root, of those that are legal and had half as many simulations as any other; writes
    how likely each is to be the best, by shares, none likelier than that one."""
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
