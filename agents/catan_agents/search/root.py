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
    number = np.int64(counts[child, VISITS])
    place = number % luck.shape[0]  # a search by the clock may outrun its memory
    if number == used[STREAMS]:
        luck[place] = chance
        used[STREAMS] += 1
    counts[child, VISITS] += 1.0
    counts[child, WINS] += chance - luck[place]


def score(links, counts, confidence, scores):
    """Writes how good each action at the root seems, in logits: its prior, and the chances that simulations found.

    Returns how many simulations the action had that had most.
    """
    most, visits, wins = 0.0, 0.0, 0.0
    child = links[ROOT, CHILD]
    while child != 0:
        most = max(most, counts[child, VISITS])
        visits += counts[child, VISITS]
        wins += counts[child, WINS]
        child = links[child, SIBLING]
    mean = wins / visits if visits > 0.0 else 0.0
    weight = confidence * (DOUBTS + most)
    child = links[ROOT, CHILD]
    while child != 0:
        seen = counts[child, VISITS]
        chance = counts[child, WINS] / seen if seen > 0.0 else mean
        scores[links[child, MOVE]] = log(max(counts[child, PRIOR], 1e-300)) + weight * (chance - mean)
        child = links[child, SIBLING]
    return most


def next_candidate(links, counts, confidence, scores):
    """The child of the root to go down next: whose share of simulations is due. 0 if there is none."""
    score(links, counts, confidence, scores)
    chosen, least, best = 0, 1e300, -1e300
    child = links[ROOT, CHILD]
    while child != 0:
        worth = scores[links[child, MOVE]]
        better = 0
        other = links[ROOT, CHILD]
        while other != 0:
            better += scores[links[other, MOVE]] > worth
            other = links[other, SIBLING]
        due, group = counts[child, VISITS], RIVALS
        while better >= group:
            due *= FEWER
            group *= 2
        if due < least or (due == least and worth > best):
            chosen, least, best = child, due, worth
        child = links[child, SIBLING]
    return chosen


def best_action(links, counts, confidence, legal, shares):
    """The best action at the root, of those that are legal and had half as many simulations as any other; writes
    how likely each is to be the best, by shares, none likelier than that one."""
    for action in range(shares.shape[0]):
        shares[action] = 0.0
    most = score(links, counts, confidence, shares)
    best, chosen = -1e300, 0
    child = links[ROOT, CHILD]
    while child != 0:
        action = links[child, MOVE]
        if legal[action] and 2.0 * counts[child, VISITS] >= most and shares[action] > best:
            best, chosen = shares[action], action
        child = links[child, SIBLING]
    child = links[ROOT, CHILD]
    while child != 0:
        action = links[child, MOVE]
        shares[action] = exp(min(shares[action] - best, 0.0))
        child = links[child, SIBLING]
    return chosen
