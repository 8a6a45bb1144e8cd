"""Pirate fortresses: each player builds a shipping line to one of them and retakes it.

Each fortress holds a settlement piece belonging to the player who must retake it. Each player starts with a settlement
and a ship at a marked place. The map marks one shortest line from there across the beachhead to the fortress. Any
shortest line would do, because no other player sails there. The first ships of a line are its warships, and its last
ship is the first to be lost. All other ships stay along the coast of the main island. Attacking a fortress ends the
turn.
"""

from catan_env.engine.decision_stack import CHANCE, pop, push, replace
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    BoardArray,
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
from catan_env.games.base.initial_placement import initial_settlements_each, schedule_initial_placement
from catan_env.games.base.network import place_edge_piece, place_settlement, take_edge_piece
from catan_env.games.base.turns import BUILD, END_TURN, PLAY
from catan_env.games.seafarers.islands import REGION_START
from catan_env.games.seafarers.pirate_fleet import SIDES_OF_DIE, remove_fleet
from catan_env.games.seafarers.ships import AT_SEA, NO_SHIP, SHIP
from catan_env.games.vocabulary import (
    DEGREE,
    INITIAL_PLACEMENT_BEGINS,
    MAY_CONTINUE,
    MAY_LAY,
    MAY_SETTLE,
    MAY_WIN,
    NOBODY,
    NOTHING,
    OCCUPIED,
    PATHS,
    PLAYING_CARDS,
    SETTLEMENTS_ASIDE,
    SIDES,
    acts,
    to_the_left,
)

FORTRESSES = Size("fortress")
"""Places of each seat: `params.fortress_intersections`, `lane_start_intersections` and `beachhead_intersections`."""
LANE = Size("lane")
"""Paths of all lines: `params.lane_paths`, with `lane_seat`, the seat that owns the line, and `lane_step`, the path's
position along it."""

FIELDS = (Field("lairs", (FORTRESSES,), "i1", 0, 30, "remaining lair tokens at each seat's fortress", show=Count()),)
BOARD_ARRAYS = (
    BoardArray("fortress_intersections", "marks.fortress", "fortress of each seat", least=PLAYERS),
    BoardArray("lane_start_intersections", "marks.lane_start", "start of each seat's line", least=PLAYERS),
    BoardArray("beachhead_intersections", "marks.beachhead", "beachhead of each seat", least=PLAYERS),
    BoardArray("lane_seat", "marks.lane.seat", "seat whose line contains each path", along=PLAYERS),
    BoardArray("lane_step", "marks.lane.step", "place of each path on its line", along=LANE),
    REGION_START,
)
NUMBERS = (
    Number("lair_tokens", 3, "wins needed to retake a fortress", 1, 30),
    Number(
        "fortress_attack",
        "forced",
        "a player whose line is complete attacks at the end of the turn, or may attack",
        choices=("forced", "optional"),
    ),
)
FORCED = 0

ATTACK_FORTRESS = Action(
    "attack_fortress",
    "attack the fortress",
    needs="a complete line of ships to the seat's fortress, which is not yet recaptured",
)
ACTIONS = (ATTACK_FORTRESS,)
AFTER_ATTACK = Decision("after_attack", "end the turn after the attack")
FORTRESS_DIE = Draw("fortress_die", "the die shows {}", SIDES_OF_DIE)
LINES_UNBROKEN = Invariant("lines_unbroken", "warships belong to the line, and all other ships lie at the main island")


@rule("seafarers.fortresses.7", "seafarers.fortresses.8")
@set_up
def man_fortresses(game, params):
    for seat in range(FORTRESSES):
        game.lairs[seat] = params.lair_tokens
        game.settlements_left[seat] -= is_held(game, params, seat)


@rule("seafarers.fortresses.8")
def is_held(game, params, seat):
    """Return whether the pirates hold a player's fortress and, with it, a settlement piece."""
    return seat < FORTRESSES and acts(params, seat) and game.lairs[seat] > 0


@rule("seafarers.fortresses.8")
@answers(SETTLEMENTS_ASIDE)
def piece_in_fortress(game, params, player, where):
    return int(is_held(game, params, player))


# -- the start ---------------------------------------------------------------------------------------------


@rule("seafarers.fortresses.2")
@when(INITIAL_PLACEMENT_BEGINS)
def begin_at_the_marked_places(game, params, first, where):
    """Place each player's marked settlement and ship. Up to two more settlements per player follow as usual."""
    game.depth = 0
    for seat in range(params.num_players):
        place_settlement(game, params, seat, params.lane_start_intersections[seat])
        for k in range(LANE):
            if params.lane_seat[k] == seat and params.lane_step[k] == 0:
                game.ships[params.lane_paths[k]] = AT_SEA
                place_edge_piece(game, params, seat, SHIP, params.lane_paths[k])
    settlements_each = initial_settlements_each(game, params, first)
    if settlements_each > 1:
        for k in range(params.num_players):
            schedule_initial_placement(game, to_the_left(params, first, k))
    if settlements_each > 2:
        for k in range(params.num_players - 1, -1, -1):
            schedule_initial_placement(game, to_the_left(params, first, k))


# -- where to build ----------------------------------------------------------------------------------------


def line_owner(params, path):
    """Return the player whose line includes a path; -1 if nobody sails there."""
    k = params.path_lane[path]
    return int(params.lane_seat[k]) if k != NOTHING and acts(params, params.lane_seat[k]) else NOBODY


def is_of_main_island(params, hex):
    """Return whether a hex belongs to the main island, where players start."""
    region = params.hex_region[hex] if hex != NOTHING else NOTHING
    return region != NOTHING and params.region_start[region] != 0


@rule("seafarers.fortresses.9")
def is_at_main_island(params, path):
    """Return whether a path borders a hex of the main island."""
    for k in range(SIDES):
        if is_of_main_island(params, params.path_hexes[path, k]):
            return True
    return False


@rule("seafarers.fortresses.3", "seafarers.fortresses.9")
@answers(MAY_LAY)
def ships_keep_to_lines_and_coast(game, params, kind, path):
    """Ships stay on the lines or along the coast. Roads stay off the lines, so players cannot block themselves."""
    if line_owner(params, path) != NOBODY:
        return kind == SHIP
    return kind != SHIP or is_at_main_island(params, path)


def is_on_line_of_another(params, player, intersection):
    """Return whether another player's line passes through an intersection."""
    for k in range(DEGREE):
        path = params.intersection_paths[intersection, k]
        if path != NOTHING and line_owner(params, path) != NOBODY and line_owner(params, path) != player:
            return True
    return False


@rule("seafarers.fortresses.3")
@answers(MAY_CONTINUE)
def no_way_onto_lines_of_others(game, params, player, intersection):
    return not is_on_line_of_another(params, player, intersection)


@rule("seafarers.fortresses.3", "seafarers.fortresses.4")
@answers(MAY_SETTLE)
def on_the_main_island_and_ones_own_beachhead(game, params, player, intersection):
    """Players may settle on their own beachhead and, away from other players' lines, on the main island."""
    if player < FORTRESSES and intersection == params.beachhead_intersections[player]:
        return True
    for k in range(DEGREE):
        if is_of_main_island(params, params.intersection_hexes[intersection, k]):
            return not is_on_line_of_another(params, player, intersection)
    return False


@rule("seafarers.fortresses.4")
@answers(OCCUPIED)
def pirates_hold_it(game, params, player, intersection):
    seat = params.intersection_fortress[intersection]
    return seat != NOTHING and game.lairs[seat] > 0


# -- ships and warships ------------------------------------------------------------------------------------


@rule("seafarers.fortresses.3")
def is_ship_of_line(game, params, seat, k):
    """Return whether path `k` of `LANE` is on a player's line and holds that player's ship."""
    return params.lane_seat[k] == seat and game.edge_owner[params.lane_paths[k]] == seat


@rule("seafarers.fortresses.3")
def ships_in_line(game, params, seat):
    """Return how many ships a player's line has."""
    ship_count = 0
    for k in range(LANE):
        ship_count += is_ship_of_line(game, params, seat, k)
    return ship_count


@rule("seafarers.fortresses.5")
def is_complete(game, params, seat):
    """Return whether a player's line reaches the fortress."""
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
    """Remove the ship farthest from the start of a player's line."""
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


@rule("seafarers.fortresses.5", "seafarers.fortresses.10")
@legal(PLAY, BUILD)
def may_attack(game, params, seat, mask):
    if game.lairs[seat] > 0 and is_complete(game, params, seat):
        mask[ATTACK_FORTRESS] = True
        mask[END_TURN] = params.fortress_attack != FORCED


@rule("seafarers.fortresses.5")
@apply(ATTACK_FORTRESS)
def attack_fortress(game, params, seat, argument):
    replace(game, AFTER_ATTACK, seat)
    push(game, FORTRESS_DIE, CHANCE)


@rule("seafarers.fortresses.5", "seafarers.fortresses.6")
@outcome(FORTRESS_DIE)
def storm(game, params, side):
    """More warships than the number rolled capture a lair token. An equal number costs one ship; fewer cost two."""
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


@rule("seafarers.fortresses.7", "seafarers.fortresses.8", "seafarers.pirate_fleet.6")
def retake(game, params, seat):
    """The fortress becomes a settlement. Retaking the last fortress drives the fleet away."""
    game.settlements_left[seat] += 1
    place_settlement(game, params, seat, params.fortress_intersections[seat])
    for player in range(params.num_players):
        if is_held(game, params, player):
            return
    remove_fleet(game)


@rule("seafarers.fortresses.5")
@legal(AFTER_ATTACK)
def nothing_but_the_end(game, params, seat, mask):
    mask[END_TURN] = True


@rule("seafarers.fortresses.7")
@answers(MAY_WIN)
def fortress_is_retaken(game, params, player, where):
    return game.lairs[player] == 0


@rule("seafarers.fortresses.3", "seafarers.fortresses.9")
@checks(LINES_UNBROKEN)
def lines_unbroken(game, params):
    for seat in range(params.num_players):
        if game.warships[seat] > ships_in_line(game, params, seat):
            return False
    for path in range(PATHS):
        if game.ships[path] != NO_SHIP:
            owner = line_owner(params, path)
            if owner != game.edge_owner[path] and (owner != NOBODY or not is_at_main_island(params, path)):
                return False
    return True
