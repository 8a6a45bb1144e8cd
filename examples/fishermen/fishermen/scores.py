"""How agents value fish, fishing sites and the old boot."""

import numpy as np
from catan_agents.evaluation.base import chance_of
from catan_agents.evaluation.features import ValueFeature, feature, steps_to
from catan_agents.evaluation.terms import Term, measures
from catan_agents.heuristic import DecisionContext, always, score, site_bonus
from catan_agents.heuristic.base import deficit
from catan_env.engine.bitset import where_equal
from catan_env.games.vocabulary import DEGREE, NOTHING, count_of

from fishermen import fishing, old_boot, tokens
from fishermen.fishing import GROUNDS, LAKE, LOWEST_SUM, SUMS, is_at_ground
from fishermen.market import BUILD_FOR_FISH, DRAW_FOR_FISH, DRIVE_ROBBER_OFF, PAY_TOKEN, STEAL_FOR_FISH, TAKE_FOR_FISH
from fishermen.old_boot import PASS_BOOT
from fishermen.tokens import KEEP_FISH, SWAP_FISH, fish_of

WORTH_OF_TOKEN = 0.4
"""Value of a fish token in cards: a token shows about two fish, and four fish bring a card of choice."""
PIPS = 6 - np.abs(7 - np.arange(2, 13))
GOOD, FAIR, NEVER = 280.0, 60.0, -10.0
"""Scores for favors: above and below buying a development card, and below ending the turn."""


# -- the heuristic agent -----------------------------------------------------------------------------------


def waters(t: DecisionContext):
    """Return the pips with which each intersection provides fish, (n, intersections)."""
    topology, pips = t.topology, np.zeros((len(t.games), t.topology.num_intersections))
    coast_ends = topology.path_intersections[topology.coast_paths]
    numbers = t.public("ground_number").astype(int)
    for ground, middle in enumerate(topology.marks["ground"].places):
        covered = np.unique(coast_ends[(coast_ends == middle).any(axis=1)])
        pips[:, covered] += np.where(numbers[:, ground] > 0, PIPS[numbers[:, ground] - LOWEST_SUM], 0)[:, None]
    lake_pips = PIPS[np.array(t.engine.rules["lake_numbers"], bool)].sum()
    games, hexes = np.nonzero(t.public("terrain") == LAKE)
    corners = topology.hex_intersections[hexes]
    pips[games[:, None], corners] += lake_pips * (corners != NOTHING)
    return pips


@site_bonus("ground_number")
def fish_of_a_site(t: DecisionContext):
    return WORTH_OF_TOKEN * t.of(waters)


def is_blocked(t: DecisionContext):
    """Return whether the robber is at one of the seat's buildings, (n,) bool."""
    corners = t.topology.hex_intersections[t.public("robber")]
    owners = np.where(corners != NOTHING, t.public("building_owner")[t.rows[:, None], corners], NOTHING)
    return (t.public("robber") != NOTHING) & (owners == t.seats[:, None]).any(axis=1)


@score(DRIVE_ROBBER_OFF)
def drive_robber_off(t: DecisionContext):
    return np.where(t.of(is_blocked), GOOD, NEVER)[:, None]


@score(TAKE_FOR_FISH)
def take_for_fish(t: DecisionContext):
    """Take a card if it completes the purchase that the seat is saving for."""
    return np.where(t.of(deficit).sum(axis=1) == 1, GOOD, NEVER)[:, None]


def has_many_tokens(t: DecisionContext):
    """Return whether the seat's next catch could exceed the limit, (n,) bool."""
    return t.own("fish").sum(axis=1) >= t.engine.rules["fish_limit"] - 1


@score(STEAL_FOR_FISH, BUILD_FOR_FISH)
def spend_before_the_limit(t: DecisionContext):
    return np.where(t.of(has_many_tokens), FAIR, NEVER)[:, None]


always(GOOD, DRAW_FOR_FISH)


@score(PAY_TOKEN)
def pay_token(t: DecisionContext):
    """Waste as few fish as possible; among equals, pay with few tokens."""
    fish = np.arange(1, 4)
    return fish - 10.0 * np.maximum(fish - t.argument("pay_fish")[:, None], 0)


@score(SWAP_FISH)
def swap_fish(t: DecisionContext):
    """On average, swapping a token with one fish gives a better one."""
    return np.broadcast_to(np.array([10.0, NEVER, NEVER]), (len(t.games), 3))


always(0.0, KEEP_FISH)


@score(PASS_BOOT)
def pass_boot(t: DecisionContext):
    """Pass the boot to the player with the most points."""
    opponents = (t.seats[:, None] + np.arange(1, t.engine.num_players)) % t.engine.num_players
    return GOOD + t.points[t.rows[:, None], opponents]


# -- the searching agents ----------------------------------------------------------------------------------


@measures(
    Term("fish", "fish on the seat's tokens", 0.04),
    Term("fish_tokens_over", "tokens of the seat beyond the limit, after the next catch of two", -0.02),
    of=tokens,
    as_features=False,
)
def fish_held(game, params, seat, pool):
    return fish_of(game, seat), max(0, count_of(game.fish[seat]) + 2 - params.fish_limit)


@measures(Term("fish_income", "expected fish tokens per roll", 1.0), of=fishing)
def fish_income(game, params, seat, pool):
    income = 0.0
    for intersection in where_equal(game.building_owner, seat):
        chance = 0.0
        for ground in range(GROUNDS):
            if is_at_ground(params, ground, intersection):
                chance += chance_of(game.ground_number[ground])
        for k in range(DEGREE):
            hex = params.intersection_hexes[intersection, k]
            if hex != NOTHING and game.terrain[hex] == LAKE:
                for sum in range(len(SUMS)):
                    chance += params.lake_numbers[sum] * chance_of(sum + LOWEST_SUM)
        income += chance * game.building[intersection]
    return income


@measures(Term("old_boot", "whether the seat holds the old boot", -0.8), of=(tokens, old_boot), as_features=False)
def boot_held(game, params, seat, pool):
    return game.boot == seat


@feature(
    ValueFeature("fish_tokens", "fish tokens of the player"),
    ValueFeature("old_boot", "whether the player holds the old boot"),
    of=(tokens, old_boot),
    each=True,
)
def fish_of_each(game, params, seat, seen):
    for player in range(params.num_players):
        steps = steps_to(params, seat, player)
        seen[2 * steps] = count_of(game.fish[player])
        seen[2 * steps + 1] = game.boot == player


@feature(ValueFeature("fish", "fish on the seat's tokens"), of=tokens)
def own_fish(game, params, seat, seen):
    seen[0] = fish_of(game, seat)
