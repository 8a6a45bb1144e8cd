"""Monte-Carlo tree search over worlds that a seat cannot tell apart, compiled with the rules.

One tree covers all worlds (information-set search; Cowling, Powley and Whitehouse, 2012). Each simulation samples the
hidden information, follows actions that are legal in the resulting world, and samples chance outcomes according to the
odds in that world. Each seat maximizes its own result (max^n) using PUCT, with priors from the evaluation that `greedy`
uses. At the root, actions are selected by `catan_agents.search.root` instead.

After leaving the tree, a simulation plays greedily for a few turns and converts the evaluations of all seats, at the
starts of the later ones, to chances of winning. With a network, it stops instead to query the network for priors and
chances. Each game then runs one simulation at a time, and a single network call serves the whole batch.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np

from catan_agents.evaluation.memo import clear_cache
from catan_agents.search.playout import STEEP, mark_choices, play_on, rate
from catan_agents.search.root import (
    CHILD,
    LEVEL,
    MOVE,
    NODES,
    PRIOR,
    ROOT,
    SIBLING,
    STREAMS,
    VISITS,
    WINS,
    best_action,
    next_candidate,
    note,
)
from catan_agents.search.streams import begin_stream, keep_in_step
from catan_agents.search.worlds import begin, let_fall, move
from catan_env.engine.bitset import count_with_bit, where_bit
from catan_env.engine.decision_stack import CHANCE, RUNNING, head_seat
from catan_env.engine.determinise import deal_world
from catan_env.engine.kernels import draw_outcome

UNKNOWN = -1e300
LONGEST = 128
"""Maximum number of moves and outcomes between the root and a leaf."""
LEAST = 1e-6
"""Minimum value of a known prior; 0 marks an unknown prior."""


class Settings(NamedTuple):
    """Parameters of the search.

    Attributes:
        weights: (terms,) weights of the evaluation.
        evaluation: (terms,) weights for estimating chances of winning; a seat's chance is proportional to exp(value).
        inverse_temperature: priors are proportional to exp(value * inverse_temperature).
        explore: weight of priors relative to simulation results at nodes below the root.
        confidence: weight of simulation results relative to priors at the root, see `catan_agents.search.root`.
        depth: maximum number of decisions on a path through the tree, not counting forced moves.
        turns: number of turns to play greedily from a leaf, see `catan_agents.search.playout`.
        asks: whether simulations stop to query a network for priors and chances.
    """

    weights: np.ndarray
    evaluation: np.ndarray
    inverse_temperature: float
    explore: float
    confidence: float
    depth: int
    turns: int
    asks: bool


class Roots(NamedTuple):
    """Decisions to search, and the output arrays.

    Attributes:
        worlds: (games,) records, sampled from the point of view of the seat to act; every simulation resamples them.
        legal, seats: (games, actions) bool legal actions, and (games,) seat to act.
        leaves: (games,) records, output: the leaf worlds at which simulations stopped to query the network.
        actions, shares: (games,) output: action ids; (games, actions) output: unnormalized probability of each action
            being the best.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    leaves: np.ndarray
    actions: np.ndarray
    shares: np.ndarray


class Trees(NamedTuple):
    """Memory for running simulations in several games of an engine.

    Attributes:
        links, counts, used: the trees, (games, nodes, 3), (games, nodes, 4) and (games, 2). A tree that uses no nodes
            is empty.
        streams, luck: (games, 4) starting state of the random streams, and (games, simulations) float64 result of the
            first simulation that used each stream.
        paths, movers, lengths: (games, LONGEST) nodes visited by the last simulation, (games, LONGEST) the seat that
            moved to each node, and (games,) path lengths.
        asked, wanted: (games,) and (games, actions) bool, whether the last simulation stopped to query the network for
            priors, and the actions that need them.
        priors: (games, actions) float64, priors of the actions in `wanted`.
        chances: (games, players), chances of winning, taken from the evaluation or from the final result of the game.
        latest: (games, players), scratch memory for the chances of one position.
    """

    links: np.ndarray
    counts: np.ndarray
    used: np.ndarray
    streams: np.ndarray
    luck: np.ndarray
    paths: np.ndarray
    movers: np.ndarray
    lengths: np.ndarray
    asked: np.ndarray
    wanted: np.ndarray
    priors: np.ndarray
    chances: np.ndarray
    latest: np.ndarray


class Tree(NamedTuple):
    """The tree of one game and the path of its last simulation, as in `Trees`."""

    links: np.ndarray
    counts: np.ndarray
    used: np.ndarray
    path: np.ndarray
    movers: np.ndarray


def trees_for(engine: Any, games: int, nodes: int, simulations: int) -> Trees:
    """Allocate memory for `games` trees of `nodes` nodes each, for one engine."""
    return Trees(
        links=np.zeros((games, nodes, 3), np.int64),
        counts=np.zeros((games, nodes, 4), np.float64),
        used=np.zeros((games, 2), np.int64),
        streams=np.zeros((games, 4), np.int64),
        luck=np.zeros((games, simulations), np.float64),
        paths=np.zeros((games, LONGEST), np.int64),
        movers=np.zeros((games, LONGEST), np.int64),
        lengths=np.zeros(games, np.int64),
        asked=np.zeros(games, np.bool_),
        wanted=np.zeros((games, engine.actions.n), np.bool_),
        priors=np.zeros((games, engine.actions.n), np.float64),
        chances=np.zeros((games, engine.num_players), np.float64),
        latest=np.zeros((games, engine.num_players), np.float64),
    )


def child_of(links, counts, used, node, wanted):
    """Return the child of a node for a move, creating it if needed, or 0 if memory is full."""
    child = links[node, CHILD]
    while child != 0 and links[child, MOVE] != wanted:
        child = links[child, SIBLING]
    if child == 0 and used[NODES] < links.shape[0]:
        child = used[NODES]
        used[NODES] += 1
        links[child, MOVE] = wanted
        links[child, CHILD] = 0
        links[child, SIBLING] = links[node, CHILD]
        links[node, CHILD] = child
        clear(counts, child)
    return child


def clear(counts, node):
    """Reset the counts of a node."""
    for k in range(counts.shape[1]):
        counts[node, k] = 0.0
    counts[node, LEVEL] = UNKNOWN


def expand(space, params, settings, tree, node, seat):
    """Create a child with a prior for each marked action that does not have one yet."""
    counts = tree.counts
    for action in where_bit(space.masks[0], 0):
        child = child_of(tree.links, counts, tree.used, node, action)
        if child != 0 and counts[child, PRIOR] == 0.0:
            worth = rate(space, params, settings.weights, seat, action) * settings.inverse_temperature
            if counts[node, LEVEL] == UNKNOWN:
                counts[node, LEVEL] = worth
            counts[child, PRIOR] = exp(min(max(worth - counts[node, LEVEL], -STEEP), STEEP))


def select(links, counts, mask, node, explore):
    """Return the marked child with the highest PUCT score. Untried actions are given the mean result of the others."""
    prior_sum, visit_sum, win_sum = 0.0, 0.0, 0.0
    child = links[node, CHILD]
    while child != 0:
        if mask[links[child, MOVE]]:
            prior_sum += counts[child, PRIOR]
            visit_sum += counts[child, VISITS]
            win_sum += counts[child, WINS]
        child = links[child, SIBLING]
    mean_win_share = win_sum / visit_sum if visit_sum > 0.0 else 0.0
    breadth = explore * sqrt(visit_sum + 1.0) / max(prior_sum, 1e-300)
    best_worth, chosen_child = -1e30, 0
    child = links[node, CHILD]
    while child != 0:
        if mask[links[child, MOVE]]:
            child_visits = counts[child, VISITS]
            worth = counts[child, WINS] / child_visits if child_visits > 0.0 else mean_win_share
            worth += breadth * counts[child, PRIOR] / (1.0 + child_visits)
            if worth > best_worth:
                best_worth, chosen_child = worth, child
        child = links[child, SIBLING]
    return chosen_child


def lacks_prior(links, counts, mask, node):
    """Return whether any marked action lacks a prior in the tree."""
    missing_count = count_with_bit(mask, 0)
    child = links[node, CHILD]
    while child != 0:
        if mask[links[child, MOVE]] and counts[child, PRIOR] > 0.0:
            missing_count -= 1
        child = links[child, SIBLING]
    return missing_count > 0


def child_to_try(space, params, settings, tree, node, seat, scores):
    """Return the child of a decision to descend to, or 0 to end the descent there because the decision is new.

    The selection rule for the root differs from the one for other nodes. `masks[0]` marks the actions.
    """
    links, mask = tree.links, space.masks[0]
    if settings.asks:
        is_new = lacks_prior(links, tree.counts, mask, node)
    else:
        is_new = links[node, CHILD] == 0 and node != ROOT
        expand(space, params, settings, tree, node, seat)
    if is_new:
        return ROOT
    if node == ROOT:
        return next_candidate(links, tree.counts, settings.confidence, scores)
    return select(links, tree.counts, mask, node, settings.explore)


def descend(space, params, settings, tree, first, scores, origin, number):
    """Descend the tree in the world at level 0, recording the nodes visited and the seats that moved.

    The descent ends after `settings.depth` decisions, or at the first unvisited decision, after computing priors for
    its actions. With `settings.asks`, it ends at the first decision with a missing prior instead; `masks[0]` marks the
    actions there.

    Returns:
        The path length, and whether the descent ended in order to query the network.
    """
    game = space.stack[0, 0]
    links, counts, used, path, movers = tree
    node, length, decisions, turn = ROOT, 0, 0, np.int64(game.turn)
    path[0] = ROOT
    movers[0] = CHANCE
    while game.ended == RUNNING and length + 1 < LONGEST:
        seat = np.int64(head_seat(game))
        if seat == CHANCE:
            choice = draw_outcome(game, params, space.odds[0, 0])
            if choice < 0:
                break
            node = child_of(links, counts, used, node, choice)
            let_fall(game, params, choice)
        else:
            choice = -1
            if node != ROOT or first == 0:
                choice = mark_choices(space, game, params, seat)
            if choice >= 0:
                node = child_of(links, counts, used, node, choice)
            else:
                if node == ROOT and first != 0:
                    node = first
                elif decisions < settings.depth:
                    node = child_to_try(space, params, settings, tree, node, seat, scores)
                else:
                    node = ROOT
                if node == ROOT:
                    return length, settings.asks
                choice = links[node, MOVE]
                decisions += 1
            if node != ROOT:
                move(game, params, seat, choice)
        if node == ROOT:  # memory is full
            break
        turn = keep_in_step(game, turn, origin, number)
        length += 1
        path[length] = node
        movers[length] = seat
    return length, False


def back_up(tree, luck, length, chances):
    """Update the nodes on a path with the result of a simulation."""
    counts, path, movers = tree.counts, tree.path, tree.movers
    counts[ROOT, VISITS] += 1.0
    if length > 0:
        note(counts, tree.used, luck, path[1], chances[movers[1]])
    for k in range(2, length + 1):
        counts[path[k], VISITS] += 1.0
        if movers[k] >= 0:
            counts[path[k], WINS] += chances[movers[k]]


def plant(links, counts, used):
    """Start a new tree."""
    used[NODES] = 1
    used[STREAMS] = 0
    for k in range(links.shape[1]):
        links[ROOT, k] = 0
    clear(counts, ROOT)


def grow(roots, all_params, settings, simulations, space, trees, start, stop):
    """Kernel: run simulations for each of the games `start .. stop-1` and store the best action.

    With `settings.asks`, the kernel runs one simulation until it needs the network; `learn` then completes it.

    Args:
        roots: `Roots`; receives the chosen actions, unless `settings.asks` is set, in which case `learn` stores them.
        settings: `Settings`.
        simulations: number of simulations per game.
        space: a `Space` for one world.
        trees: `Trees`; empty trees are initialized and others are extended.
    """
    params = all_params[0]
    clear_cache(space.cache)
    for i in range(start, stop):
        world, shares, seat = roots.worlds[i], roots.shares[i], roots.seats[i]
        tree = Tree(trees.links[i], trees.counts[i], trees.used[i], trees.paths[i], trees.movers[i])
        links, counts = tree.links, tree.counts
        if tree.used[NODES] == 0:
            plant(links, counts, tree.used)
            for k in range(4):
                trees.streams[i, k] = world.rng[k]
        for _ in range(simulations):
            first_child = next_candidate(links, counts, settings.confidence, shares)
            origin, number = trees.streams[i], np.int64(counts[first_child, VISITS]) if first_child != 0 else 0
            begin_stream(world, origin, number)
            deal_world(world, params, seat, space.dealing)
            begin(space, world)
            trees.lengths[i], trees.asked[i] = descend(
                space, params, settings, tree, first_child, shares, origin, number
            )
            if trees.asked[i]:
                roots.leaves[i] = space.stack[0, 0]
                for action in range(params.num_actions):
                    trees.wanted[i, action] = space.masks[0, action]
            play_on(space, params, settings, origin, number, trees.latest[i], trees.chances[i])
            if not settings.asks:
                back_up(tree, trees.luck[i], trees.lengths[i], trees.chances[i])
        if not settings.asks:
            roots.actions[i] = best_action(links, counts, settings.confidence, roots.legal[i], shares)


def learn(roots, confidence, trees, start, stop):
    """Kernel: in each game, complete the simulation started by `grow` and store the best action.

    Simulations that stopped to query the network use its answers in `trees.priors` and `trees.chances`.
    """
    for i in range(start, stop):
        tree = Tree(trees.links[i], trees.counts[i], trees.used[i], trees.paths[i], trees.movers[i])
        if trees.asked[i]:
            for action in range(trees.wanted.shape[1]):
                if trees.wanted[i, action]:
                    child = child_of(tree.links, tree.counts, tree.used, tree.path[trees.lengths[i]], action)
                    if child != 0:
                        tree.counts[child, PRIOR] = max(trees.priors[i, action], LEAST)
        back_up(tree, trees.luck[i], trees.lengths[i], trees.chances[i])
        roots.actions[i] = best_action(tree.links, tree.counts, confidence, roots.legal[i], roots.shares[i])
