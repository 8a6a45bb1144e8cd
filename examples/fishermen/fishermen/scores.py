"""How agents value fish, fishing sites and the old boot."""

from catan_agents.evaluation.base import WAYS_TO_ROLL, pips_of
from catan_agents.evaluation.features import ValueFeature, feature
from catan_agents.evaluation.terms import Term, measures
from catan_agents.heuristic import always, score, site_bonus
from catan_agents.heuristic.base import deficit, is_blocked
from catan_env.engine.bitset import where_equal
from catan_env.engine.decision_stack import head_argument
from catan_env.engine.declare import PUBLIC_POINTS
from catan_env.games.vocabulary import DEGREE, HAND_CARDS, NOTHING, count_of, to_the_left

from fishermen import fishing, old_boot, tokens
from fishermen.fishing import GROUNDS, LAKE, LOWEST_SUM, SUMS, is_at_ground
from fishermen.market import BUILD_FOR_FISH, DRAW_FOR_FISH, DRIVE_ROBBER_OFF, PAY_TOKEN, STEAL_FOR_FISH, TAKE_FOR_FISH
from fishermen.old_boot import PASS_BOOT
from fishermen.tokens import KEEP_FISH, SWAP_FISH, fish_of

WORTH_OF_TOKEN = 0.4
"""Value of a fish token in cards: a token shows about two fish, and four fish bring a card of choice."""
GOOD, FAIR, NEVER = 280.0, 60.0, -10.0
"""Scores for favors: above and below buying a development card, and below ending the turn."""


def pips_of_fish(game, params, intersection):
    """Return the pips with which an intersection provides fish."""
    pips = 0
    for ground in range(GROUNDS):
        if is_at_ground(params, ground, intersection):
            pips += pips_of(game.ground_number[ground])
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.terrain[hex] == LAKE:
            for sum in range(len(SUMS)):
                pips += params.lake_numbers[sum] * pips_of(sum + LOWEST_SUM)
    return pips


# -- the heuristic agent -----------------------------------------------------------------------------------


@site_bonus(of=fishing)
def fish_of_a_site(game, params, seat, memo, intersection):
    return WORTH_OF_TOKEN * pips_of_fish(game, params, intersection)


@score(DRIVE_ROBBER_OFF)
def drive_robber_off(game, params, seat, memo, argument):
    return GOOD if is_blocked(game, params, seat) else NEVER


@score(TAKE_FOR_FISH)
def take_for_fish(game, params, seat, memo, argument):
    """Take a card if it completes the purchase that the seat is saving for."""
    cards = 0.0
    for card in range(HAND_CARDS):
        cards += deficit(game, params, seat, memo, card)
    return GOOD if cards == 1 else NEVER


@score(STEAL_FOR_FISH, BUILD_FOR_FISH)
def spend_before_the_limit(game, params, seat, memo, argument):
    """Spend fish if the seat's next catch could exceed the limit of tokens."""
    return FAIR if count_of(game.fish[seat]) >= params.fish_limit - 1 else NEVER


always(GOOD, DRAW_FOR_FISH)


@score(PAY_TOKEN)
def pay_token(game, params, seat, memo, token):
    """Waste as few fish as possible; among equals, pay with few tokens."""
    fish = token + 1
    return fish - 10.0 * max(fish - head_argument(game), 0)


@score(SWAP_FISH)
def swap_fish(game, params, seat, memo, token):
    """On average, swapping a token with one fish gives a better one."""
    return 10.0 if token == 0 else NEVER


always(0.0, KEEP_FISH)


@score(PASS_BOOT)
def pass_boot(game, params, seat, memo, opponent):
    """Pass the boot to the player with the most points."""
    return GOOD + PUBLIC_POINTS(game, params, to_the_left(params, seat, opponent + 1))


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
        chance = pips_of_fish(game, params, intersection) / WAYS_TO_ROLL
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
def fish_of_player(game, params, player, seen):
    seen[0] = count_of(game.fish[player])
    seen[1] = game.boot == player


@feature(ValueFeature("fish", "fish on the seat's tokens"), of=tokens)
def own_fish(game, params, seat, seen):
    seen[0] = fish_of(game, seat)
