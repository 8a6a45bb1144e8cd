"""Warships: players may place one instead of moving the robber; warships steal, take tribute and can be chased away.

A player who builds a ship on a side of a warship's hex, or moves one onto or off such a side, pays one card to the
warship's owner. A ship that has not moved this turn and has an end at a corner of the hex may try once to chase the
warship away.
"""

from catan_env.board.terrain import SEA
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Decision,
    Draw,
    Field,
    Invariant,
    SeatFlag,
    apply,
    checks,
    legal,
    outcome,
    rule,
    when,
)
from catan_env.engine.small_sets import EMPTY, count_members, only
from catan_env.games.base.building import FREE_ROAD
from catan_env.games.base.resources import hand_over, resources_in
from catan_env.games.base.robber import PLACE_ROBBER
from catan_env.games.base.theft import let_steal
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.sea_robbers.battles import robbers_at
from catan_env.games.seafarers.moving_ships import MOVE_SHIP, SHIP_MOVED, TAKE_SHIP, is_place
from catan_env.games.seafarers.ships import BUILD_SHIP, LAUNCHED, NO_SHIP, ships_at
from catan_env.games.seafarers.waters import touches
from catan_env.games.vocabulary import (
    BUILDING,
    CORNERS,
    DEGREE,
    EDGE_PIECE_BUILT,
    HAND_CARDS,
    HEXES,
    NOBODY,
    NOTHING,
    NUM_RESOURCES,
    OPPONENTS,
    PATHS,
    TURN_STARTED,
    count_of,
    to_the_left,
)

IN_BANK = -1
DIE = ("1", "2", "3", "4", "5", "6")
CHASING = 5
"""Die roll that chases a warship away: a 6."""

FIELDS = (
    Field("warship", (HEXES,), "i1", NOBODY, 7, "seat with a warship on each hex", NOBODY, show=SeatFlag()),
    Field("spent", (PATHS,), "i1", 0, 1, "whether each ship has moved or tried to chase this turn", show=Count()),
)

MOVE_WARSHIP = Action("move_warship", "move the own warship to {}", HEXES, "a sea hex without another ship in it")
PAY_TRIBUTE = Action("pay_tribute", "pay 1 {} in tribute", HAND_CARDS, "a card of this kind in hand")
CHASE = Action(
    "chase",
    "chase the warship of {} away",
    OPPONENTS,
    "the seat's ship at the warship's hex that has neither moved nor tried to chase this turn",
)
PUSH_WARSHIP = Action("push_warship", "push the warship to {}", HEXES, "a free sea hex next to the warship's")
LEAVE_WARSHIP = Action("leave_warship", "leave the warship where it is", needs="a chased warship")
ACTIONS = (MOVE_WARSHIP, PAY_TRIBUTE, CHASE, PUSH_WARSHIP, LEAVE_WARSHIP)

OWE_TRIBUTE = Decision("owe_tribute", "pay tribute for the ship", argument=PLAYERS)
PLACE_CHASED = Decision("place_chased", "push the warship to another hex", argument=PLAYERS)
CHASE_DIE = Draw("chase_die", "the die shows {}", DIE, argument=PLAYERS)
ONE_WARSHIP_EACH = Invariant("one_warship_each", "every player has at most one warship, and it is at sea")


@rule("sea_robbers.warships.1")
def warship_of(game, seat):
    """Return the hex of a player's warship; -1 while it is in the supply."""
    for hex in range(HEXES):
        if game.warship[hex] == seat:
            return hex
    return IN_BANK


@rule("sea_robbers.warships.1")
def is_free_sea(game, params, hex):
    """Return whether a warship may be placed on a hex: sea with no warship or sea robber ship."""
    return game.terrain[hex] == SEA and game.warship[hex] == NOBODY and robbers_at(game, params, hex) == NOTHING


# -- placing and moving ------------------------------------------------------------------------------------


@rule("sea_robbers.warships.1")
@legal(PLACE_ROBBER)
def hexes_for_warship(game, params, seat, mask):
    for hex in range(HEXES):
        mask[MOVE_WARSHIP + hex] = is_free_sea(game, params, hex)


@rule("sea_robbers.warships.2")
@apply(MOVE_WARSHIP)
def move_warship(game, params, seat, hex):
    """The warship steals from one opponent who has a ship at its new hex."""
    pop(game)
    set_warship(game, seat, hex)
    let_steal(game, params, seat, ships_at(game, params, seat, hex))


@rule("sea_robbers.warships.1")
def set_warship(game, owner, hex):
    """Place a player's warship on a hex or return it to the supply."""
    old_hex = warship_of(game, owner)
    if old_hex != IN_BANK:
        game.warship[old_hex] = NOBODY
    if hex != IN_BANK:
        game.warship[hex] = owner


# -- tribute -----------------------------------------------------------------------------------------------


@rule("sea_robbers.warships.3")
def asks_tribute(game, params, owner, seat, path):
    """Return whether a player's warship would take tribute from a seat for a path."""
    hex = warship_of(game, owner)
    return owner != seat and hex != IN_BANK and touches(params, path, hex)


@rule("sea_robbers.warships.3")
def tribute_for(game, params, seat, path, left):
    """Return how many cards of tribute a ship on `path` owes; `left` is the path it came from, -1 for a new ship."""
    card_count = 0
    for owner in range(params.num_players):
        if asks_tribute(game, params, owner, seat, path) or (
            left != NOTHING and asks_tribute(game, params, owner, seat, left)
        ):
            card_count += 1
    return card_count


@rule("sea_robbers.warships.3", "sea_robbers.warships.7")
@legal(BUILDING)
def ships_need_tribute(game, params, seat, mask):
    """A player can build a ship only if able to pay the tribute on top of the ship's price."""
    cards_left = resources_in(game.hands[seat]) - count_of(params.ship_cost)
    bar_unpaid_places(game, params, seat, mask, NOTHING, cards_left)


@rule("sea_robbers.warships.4")
def bar_unpaid_places(game, params, seat, mask, left, cards):
    """Unmark places whose tribute exceeds `cards`; `left` is the path that the ship comes from, -1 for a new ship."""
    for path in range(PATHS):
        if mask[BUILD_SHIP + path] and tribute_for(game, params, seat, path, left) > cards:
            mask[BUILD_SHIP + path] = False


@rule("sea_robbers.warships.4")
@legal(FREE_ROAD)
def free_ships_need_tribute(game, params, seat, mask):
    """A player may place a free ship only if able to pay the tribute, but may also forgo the ship."""
    bar_unpaid_places(game, params, seat, mask, NOTHING, resources_in(game.hands[seat]))


@rule("sea_robbers.warships.4")
@legal(MOVE_SHIP)
def moves_need_tribute(game, params, seat, mask):
    """The player must be able to pay the tribute for the ship's new place.

    A real hand can always pay for at least one place. If a sampled hand cannot pay for any, all places remain legal.
    """
    left = head_argument(game)
    card_count = resources_in(game.hands[seat])
    payable_count = 0
    for path in range(PATHS):
        payable_count += mask[BUILD_SHIP + path] and tribute_for(game, params, seat, path, left) <= card_count
    if payable_count > 0:
        bar_unpaid_places(game, params, seat, mask, left, card_count)


@rule("sea_robbers.warships.4")
def can_pay_move(game, params, seat, ship, path):
    """Return whether a player holds enough cards to pay the tribute for moving a ship."""
    return tribute_for(game, params, seat, path, ship) <= resources_in(game.hands[seat])


@rule("sea_robbers.warships.4")
@legal(PLAY, BUILD)
def ships_that_cannot_pay_stay(game, params, seat, mask):
    """A player may pick up a ship only if the tribute for at least one new place can be paid."""
    for ship in range(PATHS):
        if mask[TAKE_SHIP + ship]:
            mask[TAKE_SHIP + ship] = has_payable_place(game, params, seat, ship)


@rule("sea_robbers.warships.4")
def has_payable_place(game, params, seat, ship):
    """Return whether a ship can move to any place whose tribute its owner can pay."""
    for path in range(PATHS):
        if is_place(game, params, seat, ship, path) and can_pay_move(game, params, seat, ship, path):
            return True
    return False


@rule("sea_robbers.warships.3")
@when(EDGE_PIECE_BUILT)
def owe_for_new_ship(game, params, player, path):
    if game.ships[path] == LAUNCHED:
        owe_tribute(game, params, player, path, NOTHING)


@rule("sea_robbers.warships.4")
@when(SHIP_MOVED)
def owe_for_move(game, params, player, where):
    """`where` encodes the move as the old path times the number of paths, plus the new path."""
    owe_tribute(game, params, player, where % PATHS, where // PATHS)
    game.spent[where // PATHS] = False
    game.spent[where % PATHS] = True


@rule("sea_robbers.warships.3")
def owe_tribute(game, params, player, path, left):
    """Make a player pay one card to the owner of each warship concerned.

    For a ship that moves after a tie, or a free ship with no other place to go, the player pays only as many cards as
    they have.
    """
    cards_left = resources_in(game.hands[player])
    for owner in range(params.num_players):
        owner_asks = asks_tribute(game, params, owner, player, path)
        if not owner_asks and left != NOTHING:
            owner_asks = asks_tribute(game, params, owner, player, left)
        if owner_asks and cards_left > 0:
            push(game, OWE_TRIBUTE, player, owner)
            cards_left -= 1


@rule("sea_robbers.warships.3", "sea_robbers.warships.7")
@legal(OWE_TRIBUTE)
def cards_for_tribute(game, params, seat, mask):
    """Tribute is paid in resources. Other cards are legal only if a sampled hand has no resources."""
    for card in range(NUM_RESOURCES if resources_in(game.hands[seat]) > 0 else HAND_CARDS):
        mask[PAY_TRIBUTE + card] = game.hands[seat, card] > 0


@rule("sea_robbers.warships.3")
@apply(PAY_TRIBUTE)
def pay_tribute(game, params, seat, card):
    owner = head_argument(game)
    pop(game)
    hand_over(game, seat, owner, card)


# -- chasing -----------------------------------------------------------------------------------------------


@rule("sea_robbers.warships.5")
@when(TURN_STARTED)
def ships_are_ready(game, params, player, where):
    for path in range(PATHS):
        game.spent[path] = False


@rule("sea_robbers.warships.5")
def is_battle_ready(game, seat, path):
    """Return whether a path holds a player's ship that has neither moved nor tried to chase this turn."""
    return path != NOTHING and game.edge_owner[path] == seat and game.ships[path] != NO_SHIP and not game.spent[path]


@rule("sea_robbers.warships.5")
def warships_in_reach(game, params, seat, path):
    """Return how many opponents' warships are on hexes that touch an end of a path."""
    owners = EMPTY
    for end in range(2):
        for k in range(DEGREE):
            hex = params.intersection_hexes[params.path_intersections[path, end], k]
            if hex != NOTHING and game.warship[hex] != NOBODY and game.warship[hex] != seat:
                owners |= only(game.warship[hex])
    return count_members(owners)


@rule("sea_robbers.warships.5")
def battle_ready_ship(game, params, seat, hex):
    """Return the player's ship that would try to chase the warship on a hex; -1 if there is none.

    If there are several, it is one that could chase the fewest other warships.
    """
    chosen_ship = NOTHING
    fewest_warships = PLAYERS
    for corner in range(CORNERS):
        intersection = params.hex_intersections[hex, corner]
        if intersection != NOTHING:
            for k in range(DEGREE):
                path = params.intersection_paths[intersection, k]
                if is_battle_ready(game, seat, path) and warships_in_reach(game, params, seat, path) < fewest_warships:
                    fewest_warships = warships_in_reach(game, params, seat, path)
                    chosen_ship = int(path)
    return chosen_ship


@rule("sea_robbers.warships.5")
@legal(PLAY, BUILD)
def warships_to_chase(game, params, seat, mask):
    for k in range(1, params.num_players):
        hex = warship_of(game, to_the_left(params, seat, k))
        mask[CHASE + k - 1] = hex != IN_BANK and battle_ready_ship(game, params, seat, hex) != NOTHING


@rule("sea_robbers.warships.5")
@apply(CHASE)
def chase(game, params, seat, opponent):
    owner = to_the_left(params, seat, opponent + 1)
    game.spent[battle_ready_ship(game, params, seat, warship_of(game, owner))] = True
    push(game, CHASE_DIE, CHANCE, owner)


@rule("sea_robbers.warships.6")
@outcome(CHASE_DIE)
def roll_against(game, params, side):
    """A chased warship with no free neighboring hex returns to its owner."""
    owner = head_argument(game)
    pop(game)
    if side == CHASING:
        hex = warship_of(game, owner)
        for k in range(CORNERS):
            neighbor = params.hex_neighbors[hex, k]
            if neighbor != NOTHING and is_free_sea(game, params, neighbor):
                push(game, PLACE_CHASED, game.on_turn, owner)
                return
        set_warship(game, owner, IN_BANK)


@rule("sea_robbers.warships.6")
@legal(PLACE_CHASED)
def hexes_for_chased(game, params, seat, mask):
    hex = warship_of(game, head_argument(game))
    for k in range(CORNERS):
        neighbor = params.hex_neighbors[hex, k]
        if neighbor != NOTHING and is_free_sea(game, params, neighbor):
            mask[PUSH_WARSHIP + neighbor] = True
    mask[LEAVE_WARSHIP] = True


@rule("sea_robbers.warships.6")
@apply(PUSH_WARSHIP)
def push_warship(game, params, seat, hex):
    owner = head_argument(game)
    pop(game)
    set_warship(game, owner, hex)


@rule("sea_robbers.warships.6")
@apply(LEAVE_WARSHIP)
def leave_warship(game, params, seat, argument):
    pop(game)


@rule("sea_robbers.warships.1")
@checks(ONE_WARSHIP_EACH)
def one_warship_each(game, params):
    for seat in range(PLAYERS):
        warship_count = 0
        for hex in range(HEXES):
            if game.warship[hex] == seat:
                warship_count += 1
                if game.terrain[hex] != SEA:
                    return False
        if warship_count > 1:
            return False
    return True
