"""Fortresses of the pirates: the line of ships that leads to one's own, and retaking it.

Everybody begins with a settlement and a ship in a place of his own. The map marks one of the shortest lines from there
over the beachhead to the fortress: it is as good as any, for nobody else sails there. Its first ships are the warships,
its last the ones that are lost. A fortress is attacked as the last thing of a turn.
"""

from catan_env.engine.decision_stack import CHANCE, pop, push, replace
from catan_env.engine.declare import (
    Action,
    Count,
    Decision,
    Draw,
    Field,
    Invariant,
    Number,
    Size,
    answers,
    apply,
    checks,
    legal,
    outcome,
    rule,
    set_up,
    when,
)
from catan_env.games.base.development_cards import PLAY_KNIGHT
from catan_env.games.base.initial_placement import PLACE_INITIAL_ROAD, schedule_initial_placement
from catan_env.games.base.network import place_edge_piece, place_settlement, refresh_around, take_edge_piece
from catan_env.games.base.turns import BUILD, END_TURN, PLAY
from catan_env.games.seafarers.pirate_fleet import SIDES_OF_DIE
from catan_env.games.seafarers.ships import AT_SEA, BUILD_SHIP, SHIP
from catan_env.games.vocabulary import (
    DEGREE,
    INITIAL_PLACEMENT_BEGINS,
    MAY_LAY,
    MAY_SETTLE,
    MAY_WIN,
    NOTHING,
    OCCUPIED,
    PATHS,
    PLAYING_CARDS,
    to_the_left,
)

FORTRESSES = Size("fortress")
"""By seat: `params.fortress_intersections`, `params.lane_start_intersections`, `params.beachhead_intersections`."""
LANE = Size("lane")
"""Paths of all lines: `params.lane_paths`, with the `lane_seat` whose line it is, and its `lane_step` from the
start."""

FIELDS = (Field("lairs", (FORTRESSES,), "i1", 0, 30, "lair tokens left at each seat's fortress", show=Count()),)
NUMBERS = (Number("lair_tokens", 3, "wins against a fortress that retake it", 1, 30),)

ATTACK_FORTRESS = Action(
    "attack_fortress", "attack the fortress", needs="a full line of ships to one's own fortress, not yet retaken"
)
ACTIONS = (ATTACK_FORTRESS,)
AFTER_ATTACK = Decision("after_attack", "end the turn after the attack")
FORTRESS_DIE = Draw("fortress_die", "the die shows {}", SIDES_OF_DIE)
LINES_UNBROKEN = Invariant("lines_unbroken", "warships are ships, and all ships lie on their owner's line")


@rule("seafarers.fortresses.7")
@set_up
def man_fortresses(game, params):
    for seat in range(FORTRESSES):
        game.lairs[seat] = params.lair_tokens


# -- the start ---------------------------------------------------------------------------------------------


@rule("seafarers.fortresses.2")
@when(INITIAL_PLACEMENT_BEGINS)
def begin_at_the_marked_places(game, params, first, where):
    """After that everybody founds two settlements as usual, or one if there are no pieces for more."""
    game.depth = 0
    for seat in range(params.num_players):
        place_settlement(game, params, seat, params.lane_start_intersections[seat])
        for k in range(LANE):
            if params.lane_seat[k] == seat and params.lane_step[k] == 0:
                game.ships[params.lane_paths[k]] = AT_SEA
                place_edge_piece(game, params, seat, SHIP, params.lane_paths[k])
    for k in range(params.num_players):
        schedule_initial_placement(game, to_the_left(params, first, k))
    if params.settlements_per_player > 2:
        for k in range(params.num_players - 1, -1, -1):
            schedule_initial_placement(game, to_the_left(params, first, k))


@rule("seafarers.fortresses.2")
@legal(PLACE_INITIAL_ROAD)
def only_roads_are_placed_initially(game, params, seat, mask):
    for path in range(PATHS):
        mask[BUILD_SHIP + path] = False


# -- where one may go --------------------------------------------------------------------------------------


@rule("seafarers.fortresses.3")
@answers(MAY_LAY)
def ships_keep_to_the_lines(game, params, kind, path):
    """And roads keep off them, so that nobody bars his own line."""
    lane = params.path_lane[path]
    return (lane != NOTHING and params.lane_seat[lane] < params.num_players) == (kind == SHIP)


@rule("seafarers.fortresses.4")
@answers(MAY_SETTLE)
def on_the_main_island_and_ones_own_beachhead(game, params, player, intersection):
    """And where one's fortress was."""
    if player < FORTRESSES:
        if intersection == params.beachhead_intersections[player]:
            return True
        if intersection == params.fortress_intersections[player]:
            return game.lairs[player] == 0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and params.region_start[params.hex_region[hex]]:
            return True
    return False


@rule("seafarers.fortresses.4")
@answers(OCCUPIED)
def pirates_hold_it(game, params, player, intersection):
    seat = params.intersection_fortress[intersection]
    return seat != NOTHING and game.lairs[seat] > 0


# -- ships and warships ------------------------------------------------------------------------------------


@rule("seafarers.fortresses.3")
def is_ship_of_line(game, params, seat, k):
    """Whether a path of all lines is one of a player's own, and has his ship."""
    return params.lane_seat[k] == seat and game.edge_owner[params.lane_paths[k]] == seat


@rule("seafarers.fortresses.3")
def ships_in_line(game, params, seat):
    """How many ships a player's line has."""
    ship_count = 0
    for k in range(LANE):
        ship_count += is_ship_of_line(game, params, seat, k)
    return ship_count


@rule("seafarers.fortresses.5")
def is_complete(game, params, seat):
    """Whether a player's line reaches his fortress."""
    for k in range(LANE):
        if params.lane_seat[k] == seat and game.edge_owner[params.lane_paths[k]] != seat:
            return False
    return True


@rule("seafarers.fortresses.1", "seafarers.pirate_fleet.5")
@legal(PLAYING_CARDS)
def knights_need_ships(game, params, seat, mask):
    if ships_in_line(game, params, seat) <= game.warships[seat]:
        mask[PLAY_KNIGHT] = False


@rule("seafarers.fortresses.6")
def lose_front_ship(game, params, seat):
    """Takes off the ship that is furthest from the start."""
    front_index = NOTHING
    for k in range(LANE):
        if is_ship_of_line(game, params, seat, k):
            if front_index == NOTHING or params.lane_step[k] > params.lane_step[front_index]:
                front_index = k
    if front_index != NOTHING:
        path = params.lane_paths[front_index]
        take_edge_piece(game, params, seat, SHIP, path)
        game.warships[seat] = min(game.warships[seat], ships_in_line(game, params, seat))


# -- the attack --------------------------------------------------------------------------------------------


@rule("seafarers.fortresses.5")
@legal(PLAY, BUILD)
def may_attack(game, params, seat, mask):
    mask[ATTACK_FORTRESS] = game.lairs[seat] > 0 and is_complete(game, params, seat)


@rule("seafarers.fortresses.5")
@apply(ATTACK_FORTRESS)
def attack_fortress(game, params, seat, argument):
    replace(game, AFTER_ATTACK, seat)
    push(game, FORTRESS_DIE, CHANCE)


@rule("seafarers.fortresses.5", "seafarers.fortresses.6")
@outcome(FORTRESS_DIE)
def storm(game, params, side):
    """More warships take a lair, as many lose a ship, fewer two."""
    seat = game.on_turn
    warships = int(game.warships[seat])
    pop(game)
    if warships > side + 1:
        game.lairs[seat] -= 1
        if game.lairs[seat] == 0:
            retake(game, params, seat)
    else:
        lose_front_ship(game, params, seat)
        if warships < side + 1:
            lose_front_ship(game, params, seat)


@rule("seafarers.fortresses.7")
def retake(game, params, seat):
    """The fortress becomes a settlement, if there is a piece left; else it may be settled later."""
    fortress = params.fortress_intersections[seat]
    if game.settlements_left[seat] > 0:
        place_settlement(game, params, seat, fortress)
    else:
        refresh_around(game, params, fortress)


@rule("seafarers.fortresses.5")
@legal(AFTER_ATTACK)
def nothing_but_the_end(game, params, seat, mask):
    mask[END_TURN] = True


@rule("seafarers.fortresses.7")
@answers(MAY_WIN)
def fortress_is_retaken(game, params, player, where):
    return game.lairs[player] == 0


@rule("seafarers.fortresses.3")
@checks(LINES_UNBROKEN)
def lines_unbroken(game, params):
    for seat in range(params.num_players):
        ship_count = ships_in_line(game, params, seat)
        if (
            game.warships[seat] > ship_count
            or ship_count != params.ships_per_player - game.edge_pieces_left[seat, SHIP]
        ):
            return False
    return True
