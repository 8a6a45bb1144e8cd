"""Barbarians: the event die advances their ship until they attack the cities, which active knights defend.

The robber stays off the board until the first attack. In older editions (see `robber_at_start`), it starts in the
desert but may not be moved until then.
"""

from catan_env.engine.bitset import number_of
from catan_env.engine.declare import Count, Event, Feature, Field, Number, answers, rule, shows, when
from catan_env.games.base.board_layout import place_robber
from catan_env.games.base.network import CITY, buildings_of
from catan_env.games.cities_and_knights.event_dice import SHIP_ROLLED
from catan_env.games.cities_and_knights.knights import INACTIVE, defence_of
from catan_env.games.vocabulary import (
    INITIAL_PLACEMENT_BEGINS,
    INTERSECTIONS,
    NOTHING,
    ROBBER_RESTS,
    TURN_STARTED,
)

OFF_BOARD = 0

FIELDS = (
    Field("barbarian_steps", (), "i1", 0, 30, "steps of the barbarian ship", show=Count()),
    Field("attacks", (), "u1", 0, 255, "number of barbarian attacks", show=Count()),
)
NUMBERS = (
    Number("steps_to_attack", 7, "steps after which the barbarians attack", 1, 30),
    Number(
        "robber_at_start",
        "off_board",
        "where the robber is until the barbarians first attack",
        choices=("off_board", "desert"),
    ),
)

BARBARIANS = Feature("barbarian_strength", None, 40, "strength of the barbarians")
ATTACK_WON = Event("attack_won", "the barbarians are stronger than all knights; `player` is on turn")
ATTACK_BEATEN = Event("attack_beaten", "the knights repel the barbarians; `player` is on turn")
ATTACK_OVER = Event(
    "attack_over", "an attack of the barbarians has ended and all knights are inactive; `player` is on turn"
)


@rule("cities_and_knights.barbarians.1")
@when(INITIAL_PLACEMENT_BEGINS, TURN_STARTED)
def robber_waits(game, params, player, where):
    if game.attacks == 0 and params.robber_at_start == OFF_BOARD:
        game.robber = NOTHING


@rule("cities_and_knights.barbarians.1", "cities_and_knights.barbarians.2")
@answers(ROBBER_RESTS)
def no_attack_yet(game, params, player, where):
    return game.attacks == 0


@rule("cities_and_knights.barbarians.4", "cities_and_knights.barbarians.6")
def strength_of_barbarians(game, params):
    """Return the barbarians' strength: the number of cities and metropolises on the board."""
    strength = 0
    for player in range(params.num_players):
        strength += number_of(buildings_of(game, player, CITY))
    return strength


@rule("cities_and_knights.barbarians.4")
def strength_of_knights(game, params):
    """Return the total strength of all active knights."""
    strength = 0
    for player in range(params.num_players):
        strength += defence_of(game, player)
    return strength


@rule("cities_and_knights.barbarians.4")
@shows(BARBARIANS)
def show_barbarians(game, params, seat, index):
    return min(strength_of_barbarians(game, params), 40)


@rule("cities_and_knights.barbarians.3")
@when(SHIP_ROLLED)
def sail(game, params, player, where):
    game.barbarian_steps += 1
    if game.barbarian_steps >= params.steps_to_attack:
        game.barbarian_steps = 0
        attack(game, params, player)


@rule("cities_and_knights.barbarians.5")
def attack(game, params, player):
    """Knights win ties. They become inactive before players make any decisions that result from the attack."""
    if strength_of_barbarians(game, params) > strength_of_knights(game, params):
        ATTACK_WON(game, params, player, 0)
    else:
        ATTACK_BEATEN(game, params, player, 0)
    for intersection in range(INTERSECTIONS):
        game.knight_state[intersection] = INACTIVE
    if game.attacks == 0 and params.robber_at_start == OFF_BOARD:
        place_robber(game)
    if game.attacks < 255:
        game.attacks += 1
    ATTACK_OVER(game, params, player, 0)
