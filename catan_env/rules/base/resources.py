"""Resource cards: hands, the supply, paying, and taking cards of one's choice from the supply.

Sources: bigbox.md A4 (deck and supply) and A5 (supply shortage of chosen cards: take what exists).
"""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    apply,
    checks,
    legal,
    set_up,
)
from catan_env.engine.queue import pop, push
from catan_env.rules.vocabulary import NUM_RESOURCES

FIELDS = (
    Field(
        "hands",
        (PLAYERS, NUM_RESOURCES),
        "i1",
        0,
        30,
        "resource cards in hand",
        visible=OWNER,
        show=Count(),
        total=True,
        labels=RESOURCES,
    ),
    Field("supply", (NUM_RESOURCES,), "i1", 0, 30, "resource cards in the supply", show=Count(), labels=RESOURCES),
    Field("cards_due", (), "i1", 0, 30, "cards of choice still to be taken from the supply", show=Count()),
)
NUMBERS = (Number("supply_per_resource", 19, "resource cards of each kind", 1, 30),)

TAKE_CARD = Action("take_card", "take 1 {} from the supply", RESOURCES, "a card of this kind in the supply")
ACTIONS = (TAKE_CARD,)

CHOOSE_CARD = Decision("choose_card", "take a resource card of choice from the supply")
CARDS_CONSERVED = Invariant("cards_conserved", "hands, supply and cards laid aside make up the whole set")


@set_up
def fill_supply(game, table):
    for resource in range(NUM_RESOURCES):
        game.supply[resource] = table.supply_per_resource


def hand_size(game, player):
    """Resource cards a player holds."""
    size = 0
    for resource in range(NUM_RESOURCES):
        size += int(game.hands[player, resource])
    return size


def supply_size(game):
    """Resource cards in the supply."""
    size = 0
    for resource in range(NUM_RESOURCES):
        size += int(game.supply[resource])
    return size


def can_pay(game, player, cost):
    """Whether a player holds the cards of a cost."""
    for resource in range(NUM_RESOURCES):
        if game.hands[player, resource] < cost[resource]:
            return False
    return True


def pay(game, player, cost):
    """Puts the cards of a cost back into the supply."""
    for resource in range(NUM_RESOURCES):
        game.hands[player, resource] -= cost[resource]
        game.supply[resource] += cost[resource]


def take(game, player, resource, number):
    """Gives a player cards from the supply, as many as there are; returns how many."""
    number = min(number, game.supply[resource])
    game.hands[player, resource] += number
    game.supply[resource] -= number
    return number


def hand_over(game, giver, receiver, resource):
    """Moves a card from one hand to another."""
    game.hands[giver, resource] -= 1
    game.hands[receiver, resource] += 1


def mark_hand(game, player, first, mask):
    """Marks those of an action for each resource, from the id `first` on, whose card the player holds."""
    for resource in range(NUM_RESOURCES):
        mask[first + resource] = game.hands[player, resource] > 0


def weigh_hand(game, player, weights):
    """Makes a player's cards equally likely to be drawn."""
    for resource in range(NUM_RESOURCES):
        weights[resource] = game.hands[player, resource]


def let_choose_cards(game, player, number):
    """Makes a player take cards of choice, as long as the supply has any."""
    number = min(number, supply_size(game))
    if number > 0:
        game.cards_due = number
        push(game, CHOOSE_CARD, player)


@legal(CHOOSE_CARD)
def cards_to_choose(game, table, seat, mask):
    for resource in range(NUM_RESOURCES):
        mask[TAKE_CARD + resource] = game.supply[resource] > 0


@apply(TAKE_CARD)
def take_card(game, table, seat, resource):
    take(game, seat, resource, 1)
    game.cards_due -= 1
    if game.cards_due == 0:
        pop(game)


@checks(CARDS_CONSERVED)
def cards_conserved(game, table):
    for resource in range(NUM_RESOURCES):
        cards = int(game.supply[resource])
        for player in range(PLAYERS):
            cards += game.hands[player, resource] + game.discards[player, resource]
        if cards != table.supply_per_resource:
            return False
    return True
