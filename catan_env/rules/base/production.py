"""Production: what a roll brings.

Sources: bigbox.md A5 ("Supply too small on a roll"); the Big Box text itself (a card for a settlement, two for a
city, none at the robber's hex); bigbox_decisions.yaml `production_shortage`.
"""

from catan_env.board.terrain import DESERT, RESOURCES
from catan_env.engine.declare import PLAYERS, Count, Field, when
from catan_env.rules.vocabulary import DICE_ROLLED, HEXES, NOBODY_SEAT, NUM_RESOURCES, PRODUCED

CORNERS = 6
SEVEN = 7

FIELDS = (
    Field(
        "income",
        (PLAYERS, NUM_RESOURCES),
        "i1",
        0,
        120,
        "cards each player got from the last roll",
        show=Count(),
        labels=RESOURCES,
    ),
)


@when(DICE_ROLLED)
def produce(game, table, player, number):
    for owner in range(table.num_players):
        for resource in range(NUM_RESOURCES):
            game.income[owner, resource] = 0
    if number != SEVEN:
        for hex in range(HEXES):
            if game.number[hex] == number and game.robber != hex and game.terrain[hex] < DESERT:
                claim(game, table, hex)
        for resource in range(NUM_RESOURCES):
            share_out(game, table, resource)
        PRODUCED(game, table, player, number)


def claim(game, table, hex):
    """One card for each settlement of a player on a hex, two for each city."""
    resource = game.terrain[hex]
    for corner in range(CORNERS):
        intersection = table.hex_intersections[hex, corner]
        owner = game.building_owner[intersection]
        if owner != NOBODY_SEAT and owner < table.num_players:
            game.income[owner, resource] += game.building[intersection]


def share_out(game, table, resource):
    """Hands out what was claimed. If the supply cannot meet all claims nobody gets any, unless only one player
    has a claim, who gets what is left."""
    claimed = 0
    claimants = 0
    for owner in range(table.num_players):
        claimed += int(game.income[owner, resource])
        claimants += game.income[owner, resource] > 0
    short = claimed > game.supply[resource]
    if claimed > 0:
        for owner in range(table.num_players):
            if short and game.income[owner, resource] > 0:
                game.income[owner, resource] = game.supply[resource] if claimants == 1 else 0
            game.hands[owner, resource] += game.income[owner, resource]
        for owner in range(table.num_players):
            game.supply[resource] -= game.income[owner, resource]
