"""The pirate fleet: each roll moves it along its loop, and it attacks players who have a building at its hex.

The lower die determines how far the fleet moves and how strong it is. Because the fleet moves before production, chance
draws the lower die first and then the higher one, which fixes the sum. A player whose number of warships equals the
fleet's strength is safe. There is no robber: after a 7 and the discards, the player who rolled takes a card from any
opponent. The fleet leaves once all fortresses have been retaken.
"""

from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push, replace
from catan_env.engine.declare import (
    PLAYERS,
    BoardArray,
    Count,
    Draw,
    Feature,
    Field,
    Size,
    apply,
    outcome,
    rule,
    shows,
    weights,
    when,
)
from catan_env.engine.small_sets import EMPTY, only
from catan_env.engine.stacks import move_card, weigh_stack
from catan_env.games.base.resources import hand_size, let_choose_cards
from catan_env.games.base.theft import let_steal
from catan_env.games.base.turns import DICE, LOWEST_SUM, PRE_ROLL, ROLL, SUMS
from catan_env.games.vocabulary import (
    CORNERS,
    HAND_CARDS,
    HEXES,
    KNIGHT_PLAYED,
    NOTHING,
    SEVEN_ROLLED,
    to_the_left,
)

FLEET_LOOP = Size("fleet")
"""Hexes of the loop, in the order in which the fleet visits them: `params.fleet_hexes`."""
SIDES_OF_DIE = ("1", "2", "3", "4", "5", "6")
NUM_SIDES = 6

FIELDS = (
    Field(
        "fleet_place",
        (),
        "i1",
        NOTHING,
        60,
        "position of the pirate fleet on its loop, -1 after it has left",
        show=Count(),
        along=FLEET_LOOP,
    ),
    Field("lower_die", (), "i1", 0, 6, "lower die of the last roll, 0 before the first roll", show=Count()),
    Field("warships", (PLAYERS,), "i1", 0, 60, "ships of each player that are warships", show=Count()),
)
BOARD_ARRAYS = (BoardArray("fleet_hexes", "marks.fleet", "hexes of the pirate fleet's loop", along=HEXES, least=1),)

LOWER_DIE = Draw("lower_die", "the lower die shows {}", SIDES_OF_DIE)
HIGHER_DIE = Draw("higher_die", "the other die shows {}", SIDES_OF_DIE)
CARD_LOST = Draw("card_lost", "the card lost to the pirates is {}", HAND_CARDS, argument=PLAYERS)
FLEET = Feature("fleet", HEXES, 1, "where the pirate fleet lies")


@rule("seafarers.pirate_fleet.1")
def fleet_hex(game, params):
    """Return the fleet's hex; -1 once it is gone."""
    return int(params.fleet_hexes[game.fleet_place]) if game.fleet_place != NOTHING else NOTHING


@rule("seafarers.pirate_fleet.1")
@shows(FLEET)
def fleet_on_hex(game, params, seat, hex):
    return fleet_hex(game, params) == hex


# -- the roll ----------------------------------------------------------------------------------------------


@rule("seafarers.pirate_fleet.1")
@apply(ROLL, at=(PRE_ROLL,))
def roll_one_by_one(game, params, seat, argument):
    replace(game, DICE, CHANCE)
    push(game, HIGHER_DIE, CHANCE)
    push(game, LOWER_DIE, CHANCE)


@rule("seafarers.pirate_fleet.1")
@weights(LOWER_DIE)
def lower_of_two(game, params, weights):
    for k in range(NUM_SIDES):
        weights[k] = 11 - 2 * k


@rule("seafarers.pirate_fleet.1")
@outcome(LOWER_DIE)
def lower_die_falls(game, params, side):
    pop(game)
    game.lower_die = side + 1


@rule("seafarers.pirate_fleet.1")
@weights(HIGHER_DIE)
def higher_of_two(game, params, weights):
    """There is one way to roll a double and two ways to roll any other pair."""
    for k in range(NUM_SIDES):
        if k + 1 == game.lower_die:
            weights[k] = 1
        elif k + 1 > game.lower_die:
            weights[k] = 2


@rule("seafarers.pirate_fleet.1")
@outcome(HIGHER_DIE)
def higher_die_falls(game, params, side):
    pop(game)
    game.dice = game.lower_die + side + 1
    if game.fleet_place != NOTHING:
        move_fleet(game, params)


@rule("seafarers.pirate_fleet.1", "seafarers.pirate_fleet.2")
def move_fleet(game, params):
    """Move the fleet and let it attack."""
    game.fleet_place = (game.fleet_place + game.lower_die) % FLEET_LOOP
    for k in range(params.num_players - 1, -1, -1):
        player = to_the_left(params, game.on_turn, k)
        if is_at_fleet(game, params, player):
            meet_fleet(game, params, player)


@rule("seafarers.pirate_fleet.1")
@weights(DICE)
def sum_of_both(game, params, weights):
    for k in range(len(SUMS)):
        weights[k] = k + LOWEST_SUM == game.dice


@rule("seafarers.pirate_fleet.6")
def remove_fleet(game):
    """Remove the fleet from the board permanently."""
    game.fleet_place = NOTHING


# -- the attack --------------------------------------------------------------------------------------------


@rule("seafarers.pirate_fleet.2")
def is_at_fleet(game, params, player):
    """Return whether a player has a building at the fleet's hex."""
    for corner in range(CORNERS):
        intersection = params.hex_intersections[fleet_hex(game, params), corner]
        if intersection != NOTHING and game.building_owner[intersection] == player:
            return True
    return False


@rule("seafarers.pirate_fleet.2", "seafarers.pirate_fleet.3")
def meet_fleet(game, params, player):
    """A stronger fleet takes one card plus one per city; a player who beats a weaker fleet chooses a card."""
    if game.lower_die > game.warships[player]:
        city_count = params.cities_per_player - game.cities_left[player]
        for _ in range(min(1 + city_count, hand_size(game, player))):
            push(game, CARD_LOST, CHANCE, player)
    elif game.lower_die < game.warships[player]:
        let_choose_cards(game, player, 1)


@rule("seafarers.pirate_fleet.2")
@weights(CARD_LOST)
def cards_to_lose(game, params, weights):
    weigh_stack(game.hands[head_argument(game)], weights)


@rule("seafarers.pirate_fleet.2")
@outcome(CARD_LOST)
def lose_card(game, params, card):
    player = head_argument(game)
    pop(game)
    move_card(game.hands[player], game.bank, card)


@rule("seafarers.pirate_fleet.5")
@when(KNIGHT_PLAYED)
def arm_a_ship(game, params, player, where):
    game.warships[player] += 1


@rule("seafarers.pirate_fleet.4")
@when(SEVEN_ROLLED)
def take_from_anybody(game, params, player, where):
    victims = EMPTY
    for victim in range(params.num_players):
        if victim != player and hand_size(game, victim) > 0:
            victims |= only(victim)
    let_steal(game, params, player, victims)
