"""Monte-Carlo tree search over worlds that a seat cannot tell apart, compiled with the rules.

One tree serves all worlds (information-set search; Cowling, Powley and Whitehouse, 2012): each simulation deals anew
what the seat does not see and goes down by what is legal in its world, chance drawn with the odds of that world.
Every seat chooses for itself by PUCT (max^n), with priors from the values that `greedy` goes by; whose decision is in
question looks at its actions as `catan_agents.search.root` says. Where a simulation
leaves the tree, it plays on greedily for some turns; then the terms of all seats become chances to win. Or else it
stops there to ask for priors and chances: one simulation of each game of a batch, for a network to answer all at once.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np

from catan_agents.evaluation.memo import clear_cache
from catan_agents.evaluation.terms import IS_NETWORK
from catan_agents.search.lookahead import FIRST, Search, evaluated, leave_out_avoided, outlook, value
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
    begin_stream,
    best_action,
    next_candidate,
    note,
)
from catan_agents.search.worlds import begin, let_fall, move, take
from catan_env.engine.bitset import count_with_bit, first_index, num_words, with_bit
from catan_env.engine.compose import Composed
from catan_env.engine.decision_stack import CHANCE, RUNNING, WON, head, head_seat
from catan_env.engine.determinise import deal_world
from catan_env.engine.kernels import draw_outcome, only_action

mark_legal = Composed("mark_legal")
is_network = IS_NETWORK

UNKNOWN = -1e300
NO_FURTHER = 0  # by name, as the level
ONLY, JUST_IT = 0, 1
"""The world that is looked at, and the set of it."""
LONGEST = 128
"""Most moves and outcomes from the root to a leaf."""
MOST_MOVES = 200
"""Most moves of greedy play after a leaf."""
STEEP = 40.0
"""Beyond such differences exponentials are as good as zero."""
LEAST = 1e-6
"""Prior of an action that whoever was asked would never take: 0 means that nobody was asked."""


class Settings(NamedTuple):
    """How trees grow.

    Attributes:
        weights: (terms,) of the value.
        evaluation: (terms,) weights by which positions become chances to win: exp(value) of each seat, by shares.
        inverse_temperature: of values, where they become priors: exp(value * inverse_temperature).
        explore: how much priors count beside what simulations found, after the first action.
        confidence: how much a chance to win counts beside priors at the root, see `catan_agents.search.root`.
        turns: to play greedily after a leaf.
        asks: whether simulations stop to ask for priors and chances.
    """

    weights: np.ndarray
    evaluation: np.ndarray
    inverse_temperature: float
    explore: float
    confidence: float
    turns: int
    asks: bool


class Roots(NamedTuple):
    """The decisions that trees are grown for, and where the choices go.

    Attributes:
        worlds: (games,) records, as the seats imagine them; every simulation deals them anew.
        legal, seats: (games, actions) bool and (games,) whose decision it is.
        leaves: (games,) records, written where a simulation stopped to ask: the worlds as they stand there.
        actions, shares: (games,) the choice and (games, actions) how likely each is to be the best, by shares, written.
    """

    worlds: np.ndarray
    legal: np.ndarray
    seats: np.ndarray
    leaves: np.ndarray
    actions: np.ndarray
    shares: np.ndarray


class Trees(NamedTuple):
    """Memory for simulations in several games of an engine at once.

    Attributes:
        links, counts, used: (games, nodes, 3), (games, nodes, 4) and (games, 2), the trees; empty where none are used.
        streams, luck: (games, 4) and (games, simulations) float64, where the streams of simulations begin, and what the
            first simulation with each found.
        paths, movers, lengths: (games, LONGEST), the same, and (games,): where the last simulation went, and who moved.
        asked, wanted: (games,) and (games, actions) bool: whether it ended to ask, and about which actions.
        priors: (games, actions) float64, of the actions that were asked about.
        chances: (games, players), to win, as the terms have it after some turns, or as the game has ended.
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


class Tree(NamedTuple):
    """The tree of one game, and the path of the last simulation, as in `Trees`."""

    links: np.ndarray
    counts: np.ndarray
    used: np.ndarray
    path: np.ndarray
    movers: np.ndarray


def trees_for(engine: Any, games: int, nodes: int, simulations: int) -> Trees:
    """Fresh memory for trees of so many nodes in so many games of an engine."""
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
    )


def chances_to_win(game, params, evaluation, cache, chances):
    """Writes for each seat how likely it is to win, by the values of all: in proportion to exp(value)."""
    players = params.num_players
    if game.ended != RUNNING:
        for player in range(players):
            chances[player] = 1.0 if game.ended == WON and (game.winners >> player) & 1 else 0.0
        return
    best_value = -1e30
    for player in range(players):
        chances[player] = value(game, params, player, evaluation, cache)
        best_value = max(best_value, chances[player])
    if players == 1:
        chances[0] = 0.5 + 0.5 * best_value / (1.0 + abs(best_value))
        return
    judged_by_network = is_network(evaluation)  # whose values are chances, each seat's by itself
    chance_sum = 0.0
    for player in range(players):
        if not judged_by_network:
            chances[player] = exp(max(chances[player] - best_value, -STEEP))
        chance_sum += chances[player]
    for player in range(players):
        chances[player] /= chance_sum


def mark_wanted(game, params, manners, seat, mask, words):
    """Marks what a seat may do and does not avoid. Returns the action, if there is one only; -1 otherwise."""
    for k in range(words.shape[0]):
        words[k] = 0
    mark_legal(game, params, seat, head(game), mask)
    leave_out_avoided(params, manners, mask)
    return only_action(mask)


def rate(space, params, weights, seat, action):
    """What an action is worth in the world at the bottom of the stack, as `greedy` sees it."""
    search = Search(space, params, weights, seat, int(space.stack[0, 0].depth))
    take(space, 0, action)
    if not evaluated(search, FIRST, ONLY, NO_FURTHER):
        outlook(search, FIRST, ONLY, JUST_IT, NO_FURTHER)
    return space.world_values[FIRST, ONLY]


def child_of(links, counts, used, node, wanted):
    """The child of a node that a move leads to, made if there is none yet; 0 if memory is full."""
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
    """Makes the counts of a node those of a new one."""
    for k in range(counts.shape[1]):
        counts[node, k] = 0.0
    counts[node, LEVEL] = UNKNOWN


def expand(space, params, settings, tree, node, seat):
    """Gives a node a child for each action marked in the mask that it has none for, with its prior."""
    counts = tree.counts
    for block in range(num_words(space.masks.shape[1])):
        action_bits = with_bit(space.masks[0], block, 0)
        while action_bits:
            action = first_index(action_bits, block)
            action_bits &= action_bits - 1
            child = child_of(tree.links, counts, tree.used, node, action)
            if child != 0 and counts[child, PRIOR] == 0.0:
                worth = rate(space, params, settings.weights, seat, action) * settings.inverse_temperature
                if counts[node, LEVEL] == UNKNOWN:
                    counts[node, LEVEL] = worth
                counts[child, PRIOR] = exp(min(max(worth - counts[node, LEVEL], -STEEP), STEEP))


def select(links, counts, mask, node, explore):
    """The child to follow among those marked: the best by PUCT. Actions not tried yet count as good as the mean."""
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


def play_on(space, params, weights, turns):
    """Lets all seats play greedily in the world at the bottom of the stack until so many turns have begun."""
    game = space.stack[0, 0]
    last_turn = int(game.turn) + turns
    for _ in range(MOST_MOVES):
        if game.ended != RUNNING or game.turn >= last_turn:
            break
        seat = np.int64(head_seat(game))
        if seat == CHANCE:
            outcome = draw_outcome(game, params, space.odds[0, 0])
            if outcome < 0:
                break
            let_fall(game, params, outcome)
        else:
            chosen_action = mark_wanted(game, params, space.manners, seat, space.masks[0], space.words[0])
            if chosen_action < 0:
                best_worth = -1e300
                for block in range(num_words(space.masks.shape[1])):
                    action_bits = with_bit(space.masks[0], block, 0)
                    while action_bits:
                        action = first_index(action_bits, block)
                        action_bits &= action_bits - 1
                        worth = rate(space, params, weights, seat, action)
                        if worth > best_worth:
                            best_worth, chosen_action = worth, action
            if chosen_action < 0:
                break
            move(game, params, seat, chosen_action)


def lacks_prior(links, counts, mask, node):
    """Whether an action that is marked has no prior in the tree."""
    missing_count = count_with_bit(mask, 0)
    child = links[node, CHILD]
    while child != 0:
        if mask[links[child, MOVE]] and counts[child, PRIOR] > 0.0:
            missing_count -= 1
        child = links[child, SIBLING]
    return missing_count > 0


def child_to_try(tree, settings, mask, node, scores):
    """The child of a node to follow, as the root or every other node chooses."""
    if node == ROOT:
        return next_candidate(tree.links, tree.counts, settings.confidence, scores)
    return select(tree.links, tree.counts, mask, node, settings.explore)


def descend(space, params, settings, tree, first, scores):
    """Goes down the tree in the world at the bottom of the stack; notes the nodes passed, and who moved there.

    It ends at a decision that is met for the first time, once its actions have priors. With `settings.asks` priors are
    left to whoever knows them: it ends at the first decision that lacks one, and `masks[0]` marks the actions in
    question.

    Returns the length of the path, and whether it ended to ask.
    """
    game = space.stack[0, 0]
    links, counts, used, path, movers = tree
    node, length = ROOT, 0
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
                choice = mark_wanted(game, params, space.manners, seat, space.masks[0], space.words[0])
            if choice >= 0:
                node = child_of(links, counts, used, node, choice)
            elif node == ROOT and first != 0:
                node = first
                choice = links[node, MOVE]
            else:
                if settings.asks and lacks_prior(links, counts, space.masks[0], node):
                    return length, True
                if not settings.asks:
                    first_visit = links[node, CHILD] == 0
                    expand(space, params, settings, tree, node, seat)
                    if first_visit and node != ROOT:
                        break
                node = child_to_try(tree, settings, space.masks[0], node, scores)
                choice = links[node, MOVE]
            if node != ROOT:
                move(game, params, seat, choice)
        if node == ROOT:  # memory is full, or nothing can be done
            break
        length += 1
        path[length] = node
        movers[length] = seat
    return length, False


def back_up(tree, luck, length, chances):
    """Tells the nodes of a path what a simulation through them has found."""
    counts, path, movers = tree.counts, tree.path, tree.movers
    counts[ROOT, VISITS] += 1.0
    if length > 0:
        note(counts, tree.used, luck, path[1], chances[movers[1]])
    for k in range(2, length + 1):
        counts[path[k], VISITS] += 1.0
        if movers[k] >= 0:
            counts[path[k], WINS] += chances[movers[k]]


def plant(links, counts, used):
    """Begins a new tree."""
    used[NODES] = 1
    used[STREAMS] = 0
    for k in range(links.shape[1]):
        links[ROOT, k] = 0
    clear(counts, ROOT)


def grow(roots, all_params, settings, simulations, space, trees, start, stop):
    """Kernel: so many simulations for each of the games `start .. stop-1`, and the action that is best by them.

    With `settings.asks` it is one simulation at a time, as far as it goes without asking; `learn` ends it.

    Args:
        roots: `Roots`, in which the choices are written; with `settings.asks` by `learn`.
        settings: `Settings`.
        space: a `Space` for one world.
        trees: `Trees`; an empty tree is begun, others grow further.
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
            begin_stream(world, trees.streams[i], np.int64(counts[first_child, VISITS]) if first_child != 0 else 0)
            deal_world(world, params, seat, space.dealing)
            begin(space, world)
            trees.lengths[i], trees.asked[i] = descend(space, params, settings, tree, first_child, shares)
            if trees.asked[i]:
                roots.leaves[i] = space.stack[0, 0]
                for action in range(params.num_actions):
                    trees.wanted[i, action] = space.masks[0, action]
            if settings.turns > 0:
                play_on(space, params, settings.weights, settings.turns)
            chances_to_win(space.stack[0, 0], params, settings.evaluation, space.cache, trees.chances[i])
            if not settings.asks:
                back_up(tree, trees.luck[i], trees.lengths[i], trees.chances[i])
        if not settings.asks:
            roots.actions[i] = best_action(links, counts, settings.confidence, roots.legal[i], shares)


def learn(roots, confidence, trees, start, stop):
    """Kernel: ends simulations that have asked, by what they were answered in `trees.priors` and `trees.chances`."""
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
