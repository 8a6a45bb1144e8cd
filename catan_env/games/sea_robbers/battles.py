"""Battles: a ship built on or moved to a path next to a sea robber ship attacks it immediately.

The number of sea robber ships that the player has sunk determines which stack of cards is used. The revealed card is
returned, so every battle draws from a full stack. After a battle, the player can only end the turn.
"""

from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push, times_in_stack
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    BoardArray,
    Count,
    Decision,
    Draw,
    Event,
    Feature,
    Field,
    Number,
    Size,
    answers,
    apply,
    legal,
    outcome,
    rule,
    set_up,
    shows,
    weights,
    when,
)
from catan_env.games.base.initial_placement import PLACE_INITIAL_ROAD
from catan_env.games.base.longest_road import award_longest_road
from catan_env.games.base.network import take_edge_piece
from catan_env.games.base.resources import TAKE_CARD, can_pay, pay, take
from catan_env.games.base.turns import BUILD, END_TURN, PLAY
from catan_env.games.seafarers.moving_ships import is_place, sail
from catan_env.games.seafarers.ships import BUILD_SHIP, NO_SHIP, SHIP
from catan_env.games.vocabulary import (
    DEGREE,
    EDGE_PIECE_BUILT,
    HAND_CARDS,
    HEXES,
    LUMBER,
    NOTHING,
    PATHS,
    PIECES_IN_HAND,
    TURN_STARTED,
    WOOL,
)

SEA_ROBBERS = Size("sea_robber")
"""Starting hexes of sea robber ships: `params.sea_robber_hexes`; `sea_robber_three` marks those for three players."""
STRENGTHS = ("0", "1", "2", "3", "4", "5")
NUM_STRENGTHS = 6
THREE = 3
MOST_SUNK = 20

FIELDS = (
    Field("afloat", (SEA_ROBBERS,), "i1", 0, 1, "whether each sea robber ship is afloat", show=Count()),
    Field("jugs", (PLAYERS,), "i1", 0, 12, "clay jugs on each player's ship tile", show=Count()),
    Field("jug_added", (), "i1", 0, 1, "whether a jug was added this turn", show=Count()),
    Field("sunk", (PLAYERS,), "i1", 0, MOST_SUNK, "sea robber ships each player has sunk", show=Count()),
)
BOARD_ARRAYS = (
    BoardArray(
        "sea_robber_three",
        "marks.sea_robber.three",
        "whether the ship also exists with three players",
        0,
        1,
        most=MOST_SUNK,
    ),
)
NUMBERS = (
    Number("first_jugs", 1, "clay jugs on a ship tile at the start", 0, 12),
    Number("most_jugs", 6, "maximum number of clay jugs on a ship tile", 0, 12),
    Number("jug_cost", (0, 1, 0, 0, 1), "price of a jug: lumber, brick, wool, grain, ore", 0, 30, over=HAND_CARDS),
    Number("wins_for_high_stack", 2, "wins after which cards come from the higher stack", 0, 20),
    Number("low_stack", (1, 2, 3, 2, 0, 0), "cards of each strength in the lower stack: 0 .. 5", 0, 40, some=True),
    Number("high_stack", (0, 0, 1, 2, 3, 2), "cards of each strength in the higher stack: 0 .. 5", 0, 40, some=True),
    Number("points_per_sunk_ship", 1, "victory points of a sunk sea robber ship", 0, 100),
)

ADD_JUG = Action("add_jug", "add a clay jug", needs="the price, room on the ship tile, and no jug added this turn")
ATTACK = Action("attack", "attack the sea robbers at {}", SEA_ROBBERS, "a sea robber ship next to the ship")
FORGO_CARD = Action("forgo_card", "take no card for the lost ship", needs="a ship just lost to sea robbers")
ACTIONS = (ADD_JUG, ATTACK, FORGO_CARD)

CHOOSE_FOE = Decision("choose_foe", "choose the sea robber ship to attack", argument=PATHS)
FLEE = Decision("flee", "move the ship away from the sea robbers", argument=PATHS)
CLAIM_LOSS = Decision("claim_loss", "take lumber or wool for the lost ship, or no card")
AFTER_BATTLE = Decision("after_battle", "end the turn after the battle")
BATTLE = Draw("battle", "the sea robbers have strength {}", STRENGTHS, argument=(PATHS, SEA_ROBBERS))
ROBBER_SHIPS = Feature("robber_ships", HEXES, 1, "where sea robber ships lie")

SHIP_SUNK = Event("ship_sunk", "`player` has sunk sea robber ship `where`")


@rule("sea_robbers.battles.1")
@set_up
def man_ships(game, params):
    for k in range(SEA_ROBBERS):
        game.afloat[k] = params.num_players > THREE or params.sea_robber_three[k] != 0
    for player in range(params.num_players):
        game.jugs[player] = params.first_jugs


@rule("sea_robbers.battles.1")
def robbers_at(game, params, hex):
    """Return the sea robber ship on a hex; -1 if there is none."""
    k = params.hex_sea_robber[hex]
    return int(k) if k != NOTHING and game.afloat[k] else NOTHING


@rule("sea_robbers.battles.1")
@shows(ROBBER_SHIPS)
def show_robber_ships(game, params, seat, hex):
    return robbers_at(game, params, hex) != NOTHING


# -- strength ----------------------------------------------------------------------------------------------


@rule("sea_robbers.battles.8")
@when(TURN_STARTED)
def a_jug_may_be_added(game, params, player, where):
    game.jug_added = False


@rule("sea_robbers.battles.8")
@legal(PLAY, BUILD)
def may_add_jug(game, params, seat, mask):
    mask[ADD_JUG] = not game.jug_added and game.jugs[seat] < params.most_jugs and can_pay(game, seat, params.jug_cost)


@rule("sea_robbers.battles.8")
@apply(ADD_JUG)
def add_jug(game, params, seat, argument):
    pay(game, seat, params.jug_cost)
    game.jugs[seat] += 1
    game.jug_added = True


# -- approaching -------------------------------------------------------------------------------------------


@rule("sea_robbers.battles.2")
def foe_beside(game, params, path, after):
    """Return the first sea robber ship with number `after` or higher whose hex touches an end of a path.

    Return `SEA_ROBBERS` if there is none.
    """
    for k in range(after, SEA_ROBBERS):
        if game.afloat[k]:
            for end in range(2):
                intersection = params.path_intersections[path, end]
                for hex_index in range(DEGREE):
                    if params.intersection_hexes[intersection, hex_index] == params.sea_robber_hexes[k]:
                        return k
    return SEA_ROBBERS


@rule("sea_robbers.battles.9", "sea_robbers.battles.10")
@legal(PLACE_INITIAL_ROAD)
def first_ships_keep_away(game, params, seat, mask):
    for path in range(PATHS):
        if mask[BUILD_SHIP + path] and foe_beside(game, params, path, 0) != SEA_ROBBERS:
            mask[BUILD_SHIP + path] = False


@rule("sea_robbers.battles.2", "sea_robbers.battles.7", "sea_robbers.battles.11", "sea_robbers.battles.12")
@when(EDGE_PIECE_BUILT)
def come_near(game, params, player, path):
    """A ship next to sea robbers attacks them. All other decisions of the turn lapse."""
    if game.ships[path] != NO_SHIP:
        foe = foe_beside(game, params, path, 0)
        if foe != SEA_ROBBERS:
            game.depth = 0
            push(game, AFTER_BATTLE, player)
            if foe_beside(game, params, path, foe + 1) == SEA_ROBBERS:
                push(game, BATTLE, CHANCE, path * SEA_ROBBERS + foe)
            else:
                push(game, CHOOSE_FOE, player, path)


@rule("sea_robbers.battles.13")
@answers(PIECES_IN_HAND)
def ship_is_in_battle(game, params, player, path):
    """Longest Road is not updated until the battle is over, even if tribute for the ship has to be paid first."""
    if path != NOTHING and game.ships[path] != NO_SHIP and foe_beside(game, params, path, 0) != SEA_ROBBERS:
        return True
    return times_in_stack(game, CHOOSE_FOE) + times_in_stack(game, BATTLE) + times_in_stack(game, FLEE) > 0


@rule("sea_robbers.battles.2")
@legal(CHOOSE_FOE)
def foes_to_attack(game, params, seat, mask):
    foe = foe_beside(game, params, head_argument(game), 0)
    while foe != SEA_ROBBERS:
        mask[ATTACK + foe] = True
        foe = foe_beside(game, params, head_argument(game), foe + 1)


@rule("sea_robbers.battles.2")
@apply(ATTACK)
def attack(game, params, seat, foe):
    path = head_argument(game)
    pop(game)
    push(game, BATTLE, CHANCE, path * SEA_ROBBERS + foe)


@rule("sea_robbers.battles.7")
@legal(AFTER_BATTLE)
def only_end_turn(game, params, seat, mask):
    mask[END_TURN] = True


# -- the battle --------------------------------------------------------------------------------------------


@rule("sea_robbers.battles.3")
@weights(BATTLE)
def cards_of_stack(game, params, weights):
    takes_high_stack = game.sunk[game.on_turn] >= params.wins_for_high_stack
    for k in range(NUM_STRENGTHS):
        weights[k] = params.high_stack[k] if takes_high_stack else params.low_stack[k]


@rule("sea_robbers.battles.4", "sea_robbers.battles.6")
@outcome(BATTLE)
def fight(game, params, strength):
    path = head_argument(game) // SEA_ROBBERS
    foe = head_argument(game) % SEA_ROBBERS
    pop(game)
    player = game.on_turn
    if game.jugs[player] > strength:
        game.afloat[foe] = False
        game.sunk[player] += 1
        SHIP_SUNK(game, params, player, foe)
    elif game.jugs[player] == strength:
        draw_back(game, params, player, path)
    else:
        lose_ship(game, params, player, path)
        if game.bank[LUMBER] + game.bank[WOOL] > 0:
            push(game, CLAIM_LOSS, player)
    award_longest_road(game, params, NOTHING)


@rule("sea_robbers.battles.4")
def lose_ship(game, params, player, path):
    """Remove a ship from the board."""
    take_edge_piece(game, params, player, SHIP, path)


@rule("sea_robbers.battles.5")
def is_refuge(game, params, seat, ship, path):
    """Return whether a ship may retreat to a path: the move must be legal and lead away from all sea robber ships."""
    return is_place(game, params, seat, ship, path) and foe_beside(game, params, path, 0) == SEA_ROBBERS


@rule("sea_robbers.battles.5")
def draw_back(game, params, player, ship):
    """After a tie, the ship moves away or, if it has nowhere to go, is lost."""
    for path in range(PATHS):
        if is_refuge(game, params, player, ship, path):
            push(game, FLEE, player, ship)
            return
    lose_ship(game, params, player, ship)


@rule("sea_robbers.battles.5")
@legal(FLEE)
def refuges(game, params, seat, mask):
    ship = head_argument(game)
    for path in range(PATHS):
        mask[BUILD_SHIP + path] = is_refuge(game, params, seat, ship, path)


@rule("sea_robbers.battles.5")
@apply(BUILD_SHIP, at=(FLEE,))
def flee(game, params, seat, path):
    ship = head_argument(game)
    pop(game)
    sail(game, params, seat, ship, path)
    award_longest_road(game, params, NOTHING)


@rule("sea_robbers.battles.4")
@legal(CLAIM_LOSS)
def cards_for_loss(game, params, seat, mask):
    mask[TAKE_CARD + LUMBER] = game.bank[LUMBER] > 0
    mask[TAKE_CARD + WOOL] = game.bank[WOOL] > 0
    mask[FORGO_CARD] = True


@rule("sea_robbers.battles.4")
@apply(TAKE_CARD, at=(CLAIM_LOSS,))
def claim_loss(game, params, seat, card):
    pop(game)
    take(game, seat, card, 1)


@rule("sea_robbers.battles.4")
@apply(FORGO_CARD)
def forgo_card(game, params, seat, argument):
    pop(game)


@rule("sea_robbers.battles.6")
@answers(PUBLIC_POINTS)
def points_of_sunk_ships(game, params, player, where):
    return params.points_per_sunk_ship * game.sunk[player]
