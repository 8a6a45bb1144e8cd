"""The seven, discarding, moving the robber, and theft.

Sources: bigbox.md A5 ("Discard on 7", "Robber"); bigbox_decisions.yaml `discard`, `robber_must_move`,
`robber_may_go_to_desert`, `steal_mandatory_if_victim`, `victim_with_empty_hand_selectable`.

`friendly_robber` is the option of online play that spares players with few points (the field's one-against-one
benchmark uses it): the robber may not be set next to them, unless that leaves no other hex.
"""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Draw,
    Field,
    Number,
    apply,
    legal,
    outcome,
    set_up,
    weights,
    when,
)
from catan_env.engine.queue import CHANCE, pop, push
from catan_env.rules.base.production import CORNERS, SEVEN
from catan_env.rules.base.resources import hand_over, hand_size, mark_hand, weigh_hand
from catan_env.rules.vocabulary import (
    CARD_STOLEN,
    DICE_ROLLED,
    HEXES,
    NOBODY_SEAT,
    NUM_RESOURCES,
    OPPONENTS,
    ROBBER_MOVED,
    SEVEN_ROLLED,
    THEFT_OPTIONAL,
    to_the_left,
)

FIELDS = (
    Field("hand_limit", (PLAYERS,), "i1", 0, 120, "cards a player may hold when a 7 is rolled", show=Count()),
    Field("to_discard", (PLAYERS,), "i1", 0, 60, "cards each player still has to discard", show=Count()),
    Field(
        "discards",
        (PLAYERS, NUM_RESOURCES),
        "i1",
        0,
        30,
        "cards laid aside until everybody has discarded",
        visible=OWNER,
        show=Count(),
        labels=RESOURCES,
    ),
    Field("thief", (), "i1", NOBODY_SEAT, 7, "seat that steals", NOBODY_SEAT),
    Field("victim", (), "i1", NOBODY_SEAT, 7, "seat that is stolen from", NOBODY_SEAT),
)
NUMBERS = (
    Number("hand_limit", 7, "cards a player may hold when a 7 is rolled", 0, 120),
    Number("friendly_robber", 0, "the robber spares players with at most so many visible points (0: nobody)", 0, 100),
)

DISCARD_CARD = Action("discard_card", "discard 1 {}", RESOURCES, "a card of this kind in hand", OWNER)
MOVE_ROBBER = Action("move_robber", "move the robber to {}", HEXES, "another hex than the robber's")
STEAL = Action("steal", "steal from {}", OPPONENTS, "a building of that player at the robber's hex")
ACTIONS = (DISCARD_CARD, MOVE_ROBBER, STEAL)

DISCARD = Decision("discard", "discard half of the cards")
PLACE_ROBBER = Decision("place_robber", "move the robber")
CHOOSE_VICTIM = Decision("choose_victim", "choose whom to steal from")
THEFT = Draw("theft", "the stolen card is {}", RESOURCES, OWNER)


@set_up
def set_hand_limits(game, table):
    for player in range(PLAYERS):
        game.hand_limit[player] = table.hand_limit


@when(DICE_ROLLED)
def seven(game, table, player, number):
    """Everybody with too many cards discards half, rounded down; then the robber is moved."""
    if number == SEVEN:
        SEVEN_ROLLED(game, table, player, 0)
        push(game, PLACE_ROBBER, player)
        for k in range(table.num_players - 1, -1, -1):
            owner = to_the_left(table, player, k)
            size = hand_size(game, owner)
            if size > game.hand_limit[owner] and size > 1:
                game.to_discard[owner] = size // 2
                push(game, DISCARD, owner)


@legal(DISCARD)
def cards_to_discard(game, table, seat, mask):
    mark_hand(game, seat, DISCARD_CARD, mask)


@apply(DISCARD_CARD)
def discard_card(game, table, seat, resource):
    """Cards are chosen unseen, so they reach the supply only when everybody has chosen."""
    game.hands[seat, resource] -= 1
    game.discards[seat, resource] += 1
    game.to_discard[seat] -= 1
    if game.to_discard[seat] == 0:
        pop(game)
        if nobody_discards(game):
            return_discards(game)


def nobody_discards(game):
    """Whether everybody has laid aside enough."""
    for player in range(PLAYERS):
        if game.to_discard[player] > 0:
            return False
    return True


def return_discards(game):
    """Puts all cards laid aside into the supply."""
    for player in range(PLAYERS):
        for resource in range(NUM_RESOURCES):
            game.supply[resource] += game.discards[player, resource]
            game.discards[player, resource] = 0


def is_spared(game, table, hex, mover):
    """Whether the friendly robber keeps away from a hex: a weak opponent has a building there."""
    for corner in range(CORNERS):
        intersection = table.hex_intersections[hex, corner]
        owner = game.building_owner[intersection]
        is_opponent = owner != NOBODY_SEAT and owner != mover and owner < table.num_players
        if is_opponent and PUBLIC_POINTS(game, table, owner) <= table.friendly_robber:
            return True
    return False


@legal(PLACE_ROBBER)
def hexes_for_robber(game, table, seat, mask):
    open_hexes = 0
    for hex in range(HEXES):
        if hex != game.robber and not (table.friendly_robber > 0 and is_spared(game, table, hex, seat)):
            mask[MOVE_ROBBER + hex] = True
            open_hexes += 1
    if open_hexes == 0:
        for hex in range(HEXES):
            mask[MOVE_ROBBER + hex] = hex != game.robber


@apply(MOVE_ROBBER)
def move_robber(game, table, seat, hex):
    pop(game)
    game.robber = hex
    victims = victims_at(game, table, seat, hex)
    if victims > 0:
        if victims & (victims - 1) or THEFT_OPTIONAL(game, table, seat):
            push(game, CHOOSE_VICTIM, seat)
        else:
            victim = 0
            while victims >> victim != 1:
                victim += 1
            steal_from(game, table, seat, victim)
    ROBBER_MOVED(game, table, seat, hex)


def victims_at(game, table, thief, hex):
    """Bits of the other players with a building on a hex, even if their hands are empty."""
    victims = 0
    for corner in range(CORNERS):
        intersection = table.hex_intersections[hex, corner]
        owner = game.building_owner[intersection]
        if owner != NOBODY_SEAT and owner != thief and owner < table.num_players:
            victims |= 1 << owner
    return victims


@legal(CHOOSE_VICTIM)
def victims_to_choose(game, table, seat, mask):
    victims = victims_at(game, table, seat, game.robber)
    for k in range(1, table.num_players):
        if victims >> to_the_left(table, seat, k) & 1:
            mask[STEAL + k - 1] = True


@apply(STEAL)
def steal(game, table, seat, opponent):
    pop(game)
    steal_from(game, table, seat, to_the_left(table, seat, opponent + 1))


def steal_from(game, table, thief, victim):
    """Lets chance pick one of the victim's cards; from an empty hand nothing is taken."""
    if hand_size(game, victim) > 0:
        game.thief = thief
        game.victim = victim
        push(game, THEFT, CHANCE)


@weights(THEFT)
def cards_of_victim(game, table, weights):
    weigh_hand(game, game.victim, weights)


@outcome(THEFT)
def take_stolen_card(game, table, resource):
    pop(game)
    hand_over(game, game.victim, game.thief, resource)
    CARD_STOLEN(game, table, game.thief, game.victim)
