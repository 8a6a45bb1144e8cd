"""Monte-Carlo tree search over worlds that a seat cannot tell apart, compiled with the rules.

One tree serves all worlds (information-set search; Cowling, Powley and Whitehouse, 2012): each simulation deals anew
what the seat does not see and goes down by what is legal in its world, chance drawn with the odds of that world.
Every seat chooses for itself by PUCT (max^n), with priors from the values that `greedy` goes by; whose decision is in
question looks at its actions as `catan_agents.search.root` says. Where a simulation
leaves the tree, it plays on greedily for some turns; then the terms of all seats become chances to win. Or else it
stops there to ask for priors and chances: one simulation of each game of a batch, for a network to answer all at once.
"""

from math import exp, sqrt

import numpy as np

from catan_agents.evaluation.memo import forget
from catan_agents.evaluation.terms import IS_NETWORK
from catan_agents.search.lookahead import FIRST, judged, leave_out_avoided, outlook, value
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
from catan_env.engine.blocks import blocks, count_with_bit, first_of, with_bit
from catan_env.engine.compose import Composed
from catan_env.engine.imagine import deal_world
from catan_env.engine.kernels import draw_outcome, only_action
from catan_env.engine.queue import CHANCE, RUNNING, WON, head, head_seat

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


def chances_to_win(game, table, judge, memory, chances):
    """Writes for each seat how likely it is to win, by the values of all: in proportion to exp(value)."""
    players = table.num_players
    if game.ended != RUNNING:
        for player in range(players):
            chances[player] = 1.0 if game.ended == WON and (game.winners >> player) & 1 else 0.0
        return
    best = -1e30
    for player in range(players):
        chances[player] = value(game, table, player, judge, memory)
        best = max(best, chances[player])
    if players == 1:
        chances[0] = 0.5 + 0.5 * best / (1.0 + abs(best))
        return
    network = is_network(judge)  # whose values are chances, each seat's by itself
    total = 0.0
    for player in range(players):
        if not network:
            chances[player] = exp(max(chances[player] - best, -STEEP))
        total += chances[player]
    for player in range(players):
        chances[player] /= total


def mark_wanted(game, table, manners, seat, mask, words):
    """Marks what a seat may do and does not avoid. Returns the action, if there is one only; -1 otherwise."""
    for k in range(words.shape[0]):
        words[k] = 0
    mark_legal(game, table, seat, head(game), mask)
    leave_out_avoided(table, manners, mask)
    return only_action(mask)


def rate(space, table, weights, seat, action):
    """What an action is worth in the world at the bottom of the stack, as `greedy` sees it."""
    resting = int(space.stack[0, 0].depth)
    take(space, 0, action)
    if not judged(space, table, weights, seat, FIRST, ONLY, JUST_IT, NO_FURTHER, resting):
        outlook(space, table, weights, seat, FIRST, ONLY, JUST_IT, NO_FURTHER, resting)
    return space.worths[FIRST, ONLY]


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


def expand(space, table, weights, links, counts, used, node, seat, sharpness):
    """Gives a node a child for each action marked in the mask that it has none for, with its prior."""
    for k in range(blocks(space.masks.shape[1])):
        found = with_bit(space.masks[0], k, 0)
        while found:
            action = first_of(found, k)
            found &= found - 1
            child = child_of(links, counts, used, node, action)
            if child != 0 and counts[child, PRIOR] == 0.0:
                worth = rate(space, table, weights, seat, action) * sharpness
                if counts[node, LEVEL] == UNKNOWN:
                    counts[node, LEVEL] = worth
                counts[child, PRIOR] = exp(min(max(worth - counts[node, LEVEL], -STEEP), STEEP))


def select(links, counts, mask, node, explore):
    """The child to follow among those marked: the best by PUCT. Actions not tried yet count as good as the mean."""
    prior, visits, wins = 0.0, 0.0, 0.0
    child = links[node, CHILD]
    while child != 0:
        if mask[links[child, MOVE]]:
            prior += counts[child, PRIOR]
            visits += counts[child, VISITS]
            wins += counts[child, WINS]
        child = links[child, SIBLING]
    mean = wins / visits if visits > 0.0 else 0.0
    breadth = explore * sqrt(visits + 1.0) / max(prior, 1e-300)
    best, chosen = -1e30, 0
    child = links[node, CHILD]
    while child != 0:
        if mask[links[child, MOVE]]:
            seen = counts[child, VISITS]
            worth = counts[child, WINS] / seen if seen > 0.0 else mean
            worth += breadth * counts[child, PRIOR] / (1.0 + seen)
            if worth > best:
                best, chosen = worth, child
        child = links[child, SIBLING]
    return chosen


def play_on(space, table, weights, turns):
    """Lets all seats play greedily in the world at the bottom of the stack until so many turns have begun."""
    game = space.stack[0, 0]
    last = int(game.turn) + turns
    for _ in range(MOST_MOVES):
        if game.ended != RUNNING or game.turn >= last:
            break
        seat = np.int64(head_seat(game))
        if seat == CHANCE:
            outcome = draw_outcome(game, table, space.odds[0, 0])
            if outcome < 0:
                break
            let_fall(game, table, outcome)
        else:
            chosen = mark_wanted(game, table, space.manners, seat, space.masks[0], space.words[0])
            if chosen < 0:
                best = -1e300
                for k in range(blocks(space.masks.shape[1])):
                    found = with_bit(space.masks[0], k, 0)
                    while found:
                        action = first_of(found, k)
                        found &= found - 1
                        worth = rate(space, table, weights, seat, action)
                        if worth > best:
                            best, chosen = worth, action
            if chosen < 0:
                break
            move(game, table, seat, chosen)


def lacks_prior(links, counts, mask, node):
    """Whether an action that is marked has no prior in the tree."""
    missing = count_with_bit(mask, 0)
    child = links[node, CHILD]
    while child != 0:
        if mask[links[child, MOVE]] and counts[child, PRIOR] > 0.0:
            missing -= 1
        child = links[child, SIBLING]
    return missing > 0


def descend(
    space,
    table,
    weights,
    links,
    counts,
    used,
    path,
    movers,
    sharpness,
    explore,
    confidence,
    asks,
    first,
    scores,
):
    """Goes down the tree in the world at the bottom of the stack; notes the nodes passed, and who moved there.

    It ends at a decision that is met for the first time, once its actions have priors. With `asks` priors are left to
    whoever knows them: it ends at the first decision that lacks one, and `masks[0]` marks the actions in question.

    Returns the length of the path, and whether it ended to ask.
    """
    game = space.stack[0, 0]
    node, length = ROOT, 0
    path[0] = ROOT
    movers[0] = CHANCE
    while game.ended == RUNNING and length + 1 < LONGEST:
        seat = np.int64(head_seat(game))
        if seat == CHANCE:
            wanted = draw_outcome(game, table, space.odds[0, 0])
            if wanted < 0:
                break
            node = child_of(links, counts, used, node, wanted)
            let_fall(game, table, wanted)
        else:
            wanted = -1
            if node != ROOT or first == 0:
                wanted = mark_wanted(game, table, space.manners, seat, space.masks[0], space.words[0])
            if wanted >= 0:
                node = child_of(links, counts, used, node, wanted)
            elif node == ROOT and first != 0:
                node = first
                wanted = links[node, MOVE]
            else:
                if asks and lacks_prior(links, counts, space.masks[0], node):
                    return length, True
                if not asks:
                    fresh = links[node, CHILD] == 0
                    expand(space, table, weights, links, counts, used, node, seat, sharpness)
                    if fresh and node != ROOT:
                        break
                if node == ROOT:
                    node = next_candidate(links, counts, confidence, scores)
                else:
                    node = select(links, counts, space.masks[0], node, explore)
                wanted = links[node, MOVE]
            if node != ROOT:
                move(game, table, seat, wanted)
        if node == ROOT:  # memory is full, or nothing can be done
            break
        length += 1
        path[length] = node
        movers[length] = seat
    return length, False


def back_up(counts, used, luck, path, movers, length, chances):
    """Tells the nodes of a path what a simulation through them has found."""
    counts[ROOT, VISITS] += 1.0
    if length > 0:
        note(counts, used, luck, path[1], chances[movers[1]])
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


def grow(
    worlds,
    tables,
    legal,
    seats,
    weights,
    simulations,
    fresh,
    asks,
    judge,
    sharpness,
    explore,
    confidence,
    turns,
    space,
    links,
    counts,
    used,
    streams,
    luck,
    paths,
    movers,
    lengths,
    asked,
    wanted,
    leaves,
    chances,
    actions,
    shares,
    start,
    stop,
):
    """Kernel: so many simulations for each of the games `start .. stop-1`, and the action that is best by them.

    With `asks` it is one simulation at a time, as far as it goes without asking; `learn` ends it.

    Args:
        worlds: (games,) records, as the seats imagine them; every simulation deals them anew.
        legal, seats: (games, actions) bool and (games,) whose decision it is.
        weights: (terms,) of the value.
        fresh: whether to begin new trees; otherwise those in memory grow further.
        judge: (terms,) weights by which positions become chances to win: exp(value) of each seat, by shares.
        sharpness: of values, where they become priors: exp(value * sharpness).
        explore: how much priors count beside what simulations found, after the first action.
        confidence: how much a chance to win counts beside priors at the root, see `catan_agents.search.root`.
        turns: to play greedily after a leaf.
        space: a `Space` for one world.
        links, counts, used: (games, nodes, 3), (games, nodes, 4) and (games, 2), the trees.
        streams, luck: (games, 4) and (games, simulations) float64, where the streams of simulations begin, and what the
            first simulation with each found.
        paths, movers, lengths: (games, LONGEST), the same, and (games,): where the last simulation went, written.
        asked, wanted: (games,) and (games, actions) bool, written: whether it ended to ask, and about which actions.
        leaves: (games,) records, written where it asked: the worlds as they stand there.
        chances: (games, players), written: to win, as the terms have it after some turns, or as the game has ended.
        actions, shares: (games,) the choice and (games, actions) how likely each is to be the best, by shares, written;
            with `asks` by `learn`.
    """
    table = tables[0]
    forget(space.memory)
    for i in range(start, stop):
        if fresh:
            plant(links[i], counts[i], used[i])
            for k in range(4):
                streams[i, k] = worlds[i].rng[k]
        for _ in range(simulations):
            first = next_candidate(links[i], counts[i], confidence, shares[i])
            begin_stream(worlds[i], streams[i], np.int64(counts[i, first, VISITS]) if first != 0 else 0)
            deal_world(worlds[i], table, seats[i], space.dealing)
            begin(space, worlds[i])
            lengths[i], asked[i] = descend(
                space,
                table,
                weights,
                links[i],
                counts[i],
                used[i],
                paths[i],
                movers[i],
                sharpness,
                explore,
                confidence,
                asks,
                first,
                shares[i],
            )
            if asked[i]:
                leaves[i] = space.stack[0, 0]
                for action in range(table.num_actions):
                    wanted[i, action] = space.masks[0, action]
            if turns > 0:
                play_on(space, table, weights, turns)
            chances_to_win(space.stack[0, 0], table, judge, space.memory, chances[i])
            if not asks:
                back_up(counts[i], used[i], luck[i], paths[i], movers[i], lengths[i], chances[i])
        if not asks:
            actions[i] = best_action(links[i], counts[i], confidence, legal[i], shares[i])


def learn(
    legal,
    asked,
    wanted,
    priors,
    chances,
    confidence,
    links,
    counts,
    used,
    luck,
    paths,
    movers,
    lengths,
    actions,
    shares,
    start,
    stop,
):
    """Kernel: ends simulations that have asked, by what they were answered.

    Args:
        priors: (games, actions), of the actions that were asked about.
        chances: (games, players), to win, as they are to count.
        legal, asked, wanted, confidence, links, counts, used, luck, paths, movers, lengths, actions, shares: as those
            of `grow`.
    """
    for i in range(start, stop):
        if asked[i]:
            for action in range(wanted.shape[1]):
                if wanted[i, action]:
                    child = child_of(links[i], counts[i], used[i], paths[i, lengths[i]], action)
                    if child != 0:
                        counts[i, child, PRIOR] = max(priors[i, action], LEAST)
        back_up(counts[i], used[i], luck[i], paths[i], movers[i], lengths[i], chances[i])
        actions[i] = best_action(links[i], counts[i], confidence, legal[i], shares[i])
