"""Greedy play from a leaf of a tree, and the chances of winning that follow from it, compiled with the rules."""

from math import exp

import numpy as np

from catan_agents.evaluation.terms import IS_NETWORK
from catan_agents.search.lookahead import FIRST, Search, evaluated, mark_wanted, outlook, value
from catan_agents.search.streams import keep_in_step
from catan_agents.search.worlds import let_fall, move, take
from catan_env.engine.bitset import where_bit
from catan_env.engine.decision_stack import CHANCE, RUNNING, WON, head_seat
from catan_env.engine.kernels import draw_outcome

is_network = IS_NETWORK

NO_FURTHER = 0  # a named constant, for the same reason as `FIRST`
ONLY, JUST_IT = 0, 1
"""Index of the single world that is searched, and the set containing only that world."""
MOST_MOVES = 200
"""Maximum number of greedy moves played from a leaf."""
STEEP = 40.0
"""Bound on exponents; differences beyond it have no further effect."""


def mark_choices(space, game, params, seat):
    """Mark a seat's legal actions in `masks[0]`, excluding avoided ones.

    If exactly one action is marked, return it, otherwise -1.
    """
    if mark_wanted(space, game, params, seat, 0) == 1:
        for action in where_bit(space.masks[0], 0):
            return action
    return -1


def rate(space, params, weights, seat, action):
    """Return the value of an action in the world at level 0, computed as in `greedy`."""
    search = Search(space, params, weights, seat, int(space.stack[0, 0].depth))
    take(space, 0, action)
    if not evaluated(search, FIRST, ONLY, NO_FURTHER):
        outlook(search, FIRST, ONLY, JUST_IT, NO_FURTHER)
    return space.world_values[FIRST, ONLY]


def greedy_action(space, game, params, weights, seat):
    """Return the action with the highest value in the world at level 0, or -1 if no action is legal."""
    chosen_action = mark_choices(space, game, params, seat)
    if chosen_action < 0:
        best_worth = -1e300
        for action in where_bit(space.masks[0], 0):
            worth = rate(space, params, weights, seat, action)
            if worth > best_worth:
                best_worth, chosen_action = worth, action
    return chosen_action


def chances_to_win(game, params, evaluation, cache, chances):
    """Compute each seat's chance of winning, which is proportional to exp(value).

    A value network estimates the chances directly; its outputs are normalized over all seats.
    """
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
    judged_by_network = is_network(evaluation)  # its values are already chances, computed one seat at a time
    chance_sum = 0.0
    for player in range(players):
        if not judged_by_network:
            chances[player] = exp(max(chances[player] - best_value, -STEEP))
        chance_sum += chances[player]
    for player in range(players):
        chances[player] /= chance_sum


def add_chances(space, params, settings, share, latest, chances):
    """Add a share of every seat's chance of winning in the world at level 0 to `chances`."""
    chances_to_win(space.stack[0, 0], params, settings.evaluation, space.cache, latest)
    for player in range(params.num_players):
        chances[player] += share * latest[player]


def play_on(space, params, settings, origin, number, latest, chances):
    """Play greedily for all seats in the world at level 0 until `settings.turns` more turns have started.

    `chances` receives every seat's mean chance of winning at the starts of the later half of these turns. The mean is
    less noisy than the last of them. `latest` is scratch memory.
    """
    game = space.stack[0, 0]
    turn = np.int64(game.turn)
    last_turn = turn + settings.turns
    turns_to_count = max(settings.turns - settings.turns // 2, 1)
    uncounted = turns_to_count
    for player in range(params.num_players):
        chances[player] = 0.0
    for _ in range(MOST_MOVES):
        if game.ended != RUNNING or game.turn >= last_turn:
            break
        if game.turn != turn:
            turn = keep_in_step(game, turn, origin, number)
            if last_turn - turn < turns_to_count:
                add_chances(space, params, settings, 1.0 / turns_to_count, latest, chances)
                uncounted -= 1
        seat = np.int64(head_seat(game))
        if seat == CHANCE:
            outcome = draw_outcome(game, params, space.odds[0, 0])
            if outcome < 0:
                break
            let_fall(game, params, outcome)
        else:
            action = greedy_action(space, game, params, settings.weights, seat)
            if action < 0:
                break
            move(game, params, seat, action)
    add_chances(space, params, settings, uncounted / turns_to_count, latest, chances)
