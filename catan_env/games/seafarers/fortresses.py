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
from catan_env.games.base.initial_placement import FOUND_ROAD, enqueue_founding
from catan_env.games.base.network import place_settlement, place_way, refresh_around, take_way
from catan_env.games.base.turns import BUILD, END_TURN, PLAY
from catan_env.games.seafarers.pirate_fleet import SIDES_OF_DIE
from catan_env.games.seafarers.ships import AT_SEA, BUILD_SHIP, SHIP
from catan_env.games.vocabulary import (
    DEGREE,
    FOUNDING_BEGINS,
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
"""By seat: `table.fortress_intersections`, `table.lane_start_intersections`, `table.beachhead_intersections`."""
LANE = Size("lane")
"""Paths of all lines: `table.lane_paths`, with the `lane_seat` whose line it is, and its `lane_step` from the start."""

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
def man_fortresses(game, table):
    for seat in range(FORTRESSES):
        game.lairs[seat] = table.lair_tokens


# -- the start ---------------------------------------------------------------------------------------------


@rule("seafarers.fortresses.2")
@when(FOUNDING_BEGINS)
def begin_at_the_marked_places(game, table, first, where):
    """After that everybody founds two settlements as usual, or one if there are no pieces for more."""
    game.depth = 0
    for seat in range(table.num_players):
        place_settlement(game, table, seat, table.lane_start_intersections[seat])
        for k in range(LANE):
            if table.lane_seat[k] == seat and table.lane_step[k] == 0:
                game.ships[table.lane_paths[k]] = AT_SEA
                place_way(game, table, seat, SHIP, table.lane_paths[k])
    for k in range(table.num_players):
        enqueue_founding(game, to_the_left(table, first, k))
    if table.settlements_per_player > 2:
        for k in range(table.num_players - 1, -1, -1):
            enqueue_founding(game, to_the_left(table, first, k))


@rule("seafarers.fortresses.2")
@legal(FOUND_ROAD)
def only_roads_are_founded(game, table, seat, mask):
    for path in range(PATHS):
        mask[BUILD_SHIP + path] = False


# -- where one may go --------------------------------------------------------------------------------------


@rule("seafarers.fortresses.3")
@answers(MAY_LAY)
def ships_keep_to_the_lines(game, table, kind, path):
    """And roads keep off them, so that nobody bars his own line."""
    lane = table.path_lane[path]
    return (lane != NOTHING and table.lane_seat[lane] < table.num_players) == (kind == SHIP)


@rule("seafarers.fortresses.4")
@answers(MAY_SETTLE)
def on_the_main_island_and_ones_own_beachhead(game, table, player, intersection):
    """And where one's fortress was."""
    if player < FORTRESSES:
        if intersection == table.beachhead_intersections[player]:
            return True
        if intersection == table.fortress_intersections[player]:
            return game.lairs[player] == 0
    for k in range(DEGREE):
        hex = table.intersection_hexes[intersection, k]
        if hex != NOTHING and table.region_start[table.hex_region[hex]]:
            return True
    return False


@rule("seafarers.fortresses.4")
@answers(OCCUPIED)
def pirates_hold_it(game, table, player, intersection):
    seat = table.intersection_fortress[intersection]
    return seat != NOTHING and game.lairs[seat] > 0


# -- ships and warships ------------------------------------------------------------------------------------


@rule("seafarers.fortresses.3")
def is_ship_of_line(game, table, seat, k):
    """Whether a path of all lines is one of a player's own, and has his ship."""
    return table.lane_seat[k] == seat and game.way[table.lane_paths[k]] == seat


@rule("seafarers.fortresses.3")
def ships_in_line(game, table, seat):
    """How many ships a player's line has."""
    ships = 0
    for k in range(LANE):
        ships += is_ship_of_line(game, table, seat, k)
    return ships


@rule("seafarers.fortresses.5")
def is_complete(game, table, seat):
    """Whether a player's line reaches his fortress."""
    for k in range(LANE):
        if table.lane_seat[k] == seat and game.way[table.lane_paths[k]] != seat:
            return False
    return True


@rule("seafarers.fortresses.1", "seafarers.pirate_fleet.5")
@legal(PLAYING_CARDS)
def knights_need_ships(game, table, seat, mask):
    if ships_in_line(game, table, seat) <= game.warships[seat]:
        mask[PLAY_KNIGHT] = False


@rule("seafarers.fortresses.6")
def lose_front_ship(game, table, seat):
    """Takes off the ship that is furthest from the start."""
    front = NOTHING
    for k in range(LANE):
        if is_ship_of_line(game, table, seat, k):
            if front == NOTHING or table.lane_step[k] > table.lane_step[front]:
                front = k
    if front != NOTHING:
        path = table.lane_paths[front]
        take_way(game, table, seat, SHIP, path)
        game.warships[seat] = min(game.warships[seat], ships_in_line(game, table, seat))


# -- the attack --------------------------------------------------------------------------------------------


@rule("seafarers.fortresses.5")
@legal(PLAY, BUILD)
def may_attack(game, table, seat, mask):
    mask[ATTACK_FORTRESS] = game.lairs[seat] > 0 and is_complete(game, table, seat)


@rule("seafarers.fortresses.5")
@apply(ATTACK_FORTRESS)
def attack_fortress(game, table, seat, argument):
    replace(game, AFTER_ATTACK, seat)
    push(game, FORTRESS_DIE, CHANCE)


@rule("seafarers.fortresses.5", "seafarers.fortresses.6")
@outcome(FORTRESS_DIE)
def storm(game, table, side):
    """More warships take a lair, as many lose a ship, fewer two."""
    seat = game.on_turn
    warships = int(game.warships[seat])
    pop(game)
    if warships > side + 1:
        game.lairs[seat] -= 1
        if game.lairs[seat] == 0:
            retake(game, table, seat)
    else:
        lose_front_ship(game, table, seat)
        if warships < side + 1:
            lose_front_ship(game, table, seat)


@rule("seafarers.fortresses.7")
def retake(game, table, seat):
    """The fortress becomes a settlement, if there is a piece left; else it may be settled later."""
    fortress = table.fortress_intersections[seat]
    if game.settlements_left[seat] > 0:
        place_settlement(game, table, seat, fortress)
    else:
        refresh_around(game, table, fortress)


@rule("seafarers.fortresses.5")
@legal(AFTER_ATTACK)
def nothing_but_the_end(game, table, seat, mask):
    mask[END_TURN] = True


@rule("seafarers.fortresses.7")
@answers(MAY_WIN)
def fortress_is_retaken(game, table, player, where):
    return game.lairs[player] == 0


@rule("seafarers.fortresses.3")
@checks(LINES_UNBROKEN)
def lines_unbroken(game, table):
    for seat in range(table.num_players):
        ships = ships_in_line(game, table, seat)
        if game.warships[seat] > ships or ships != table.ships_per_player - game.ways_left[seat, SHIP]:
            return False
    return True
