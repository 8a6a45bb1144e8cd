"""The dice game and Plus: what the dice of this turn may bring, and what a sheet is good for later on.

While turns are left a piece is worth as much as others of its kind, whatever is printed on it, for it opens the way to
them; at the end it is worth its points.
"""

import numpy as np

from agents.evaluation.dice_rolls import BASKETS, JOKERS, MOST_BASKETS, WIDTH, to_expect
from agents.evaluation.terms import Term, measures
from catan_env.rules.base import largest_army as largest_army_rules
from catan_env.rules.base import victory as victory_rules
from catan_env.rules.dice_game import dice_turns as dice_turns_rules
from catan_env.rules.dice_game import gold_trade as gold_trade_rules
from catan_env.rules.dice_game import knight_jokers as knight_jokers_rules
from catan_env.rules.dice_game import points_row as points_row_rules
from catan_env.rules.dice_game import rolling as rolling_rules
from catan_env.rules.dice_game import sheet as sheet_rules
from catan_env.rules.dice_game import sheet_points as sheet_points_rules
from catan_env.rules.dice_game import sheet_route as sheet_route_rules
from catan_env.rules.dice_game.knight_jokers import JOKERS as ALL_JOKERS
from catan_env.rules.dice_game.rolling import FACES, GOLD, MOST_DICE
from catan_env.rules.dice_game.sheet import CITIES, KNIGHTS, ROADS, SETTLEMENTS, is_due
from catan_env.rules.vocabulary import NOBODY_SEAT, NOTHING, count_of

SHEET = (rolling_rules, sheet_rules, gold_trade_rules, knight_jokers_rules, dice_turns_rules)

SETTLEMENT, CITY, KNIGHT, JOKER = 4.5, 16.0, 5.5, 3.0
"""What a piece is worth in points of the dice game as long as others can follow, a knight its joker included."""
PART = 0.2
"""Of that in Plus, where they have fewer points."""
SETTLEMENT_OF_PLUS, CITY_OF_PLUS, KNIGHT_OF_PLUS, JOKER_OF_PLUS = 1.0, 2.1, 0.9, 0.6
JOKER_FOR_CITY, JOKER_FOR_ANY = 8.0, 11.0
LONG = 0.1
"""What a road is worth in Plus, where it brings no points."""
LEADS, FURTHER = 0.2, 0.9
"""A road brings that much of a site it leads to, and the less, the more roads are missing up to there."""
TIME = 2.5
"""So many turns later there is time for all that a piece makes possible."""
NEVER = -1e9

AHEAD, BUILT, WORTH, GAIN, SETTLE, GROW = 0, 32, 64, 96, 104, 112
MOST_ROADS, MOST_KNIGHTS = 3, 2
"""In a basket. In the pool: what roads lead to, which are built, what they are worth, and of so many more roads what
they bring, and a settlement and a city then."""


# -- what pieces are worth ---------------------------------------------------------------------------------


def turns_to_come(game, table, seat):
    """Own turns of a seat that are still to begin."""
    if game.on_turn == NOBODY_SEAT:
        return table.turns_each
    after = seat - game.on_turn
    if after < 0:
        after += table.num_players
    place = (game.turn - 1) % table.num_players + after
    begun = (game.turn - 1) // table.num_players + (1 if after == 0 or place >= table.num_players else 0)
    return table.turns_each - begun


def later(points, worth, time):
    """What a piece is worth, by its points and while others can follow."""
    return points + (worth - points) * time


def look_ahead(table, pool, settlement, city, time):
    """Writes for each road what the best site is worth that it leads to."""
    for road in range(ROADS - 1, -1, -1):
        end = table.road_ends[road, 1]
        best = 0.0
        for k in range(SETTLEMENTS):
            if table.settlement_place[k] == end:
                best = max(best, later(table.settlement_points[k], settlement, time))
        for k in range(CITIES):
            if table.city_place[k] == end:
                best = max(best, later(table.city_points[k], city, time))
        for k in range(road + 1, ROADS):
            if table.road_ends[k, 0] == end:
                best = max(best, FURTHER * pool[AHEAD + k])
        pool[AHEAD + road] = best


def is_joined(table, pool, place):
    """Whether a road that is marked as built in the pool ends at a place."""
    for road in range(ROADS):
        if pool[BUILT + road] > 0.0 and (table.road_ends[road, 0] == place or table.road_ends[road, 1] == place):
            return True
    return False


def share_of_joker(game, table, seat, joker):
    """The share of its knights that is built, 0 once it is used."""
    if game.jokers_used[seat, joker]:
        return 0.0
    needed = 0
    built = 0
    for k in range(2):
        knight = table.joker_knights[joker, k]
        if knight != NOTHING:
            needed += 1
            built += game.knights_built[seat, knight]
    return built / needed


def shares_of_jokers(game, table, seat):
    """Jokers that are left, those of two knights by halves."""
    shares = 0.0
    for joker in range(ALL_JOKERS):
        shares += share_of_joker(game, table, seat, joker)
    return shares


def worth_of_joker(table, joker):
    """What a joker is worth, in points of the dice game."""
    face = table.joker_face[joker]
    if face == NOTHING:
        return JOKER_FOR_ANY
    return JOKER_FOR_CITY if table.city_cost[face] > 0 else JOKER


def jokers_spent(game, table, seat):
    spent = 0.0
    for joker in range(ALL_JOKERS):
        spent += worth_of_joker(table, joker) if game.jokers_used[seat, joker] else 0.0
    return spent


def joker_by_knight(table, knight):
    """How much of a joker a knight brings."""
    for joker in range(ALL_JOKERS):
        if table.joker_knights[joker, 0] == knight or table.joker_knights[joker, 1] == knight:
            return 1.0 if table.joker_knights[joker, 1] == NOTHING else 0.5
    return 0.0


# -- baskets -----------------------------------------------------------------------------------------------


def follow_roads(game, table, seat, pool, settlement, city, time):
    """Writes what none, one, two, ... roads more bring, the best taken each time, and what a settlement and a city are
    worth then. What each road is worth lies in the pool."""
    for road in range(ROADS):
        pool[BUILT + road] = game.roads_built[seat, road]
    pool[GAIN] = 0.0
    for more in range(MOST_ROADS + 1):
        best = NEVER
        for k in range(SETTLEMENTS):
            if is_due(table, game.settlements_built[seat], k) and is_joined(table, pool, table.settlement_place[k]):
                best = max(best, later(table.settlement_points[k], settlement, time))
        pool[SETTLE + more] = best
        best = NEVER
        for k in range(CITIES):
            if is_due(table, game.cities_built[seat], k) and is_joined(table, pool, table.city_place[k]):
                best = max(best, later(table.city_points[k], city, time))
        pool[GROW + more] = best
        next_road = -1
        for road in range(ROADS):
            if pool[BUILT + road] == 0.0 and is_joined(table, pool, table.road_ends[road, 0]):
                if next_road < 0 or pool[WORTH + road] > pool[WORTH + next_road]:
                    next_road = road
        if next_road < 0:
            pool[GAIN + more + 1] = NEVER
        else:
            pool[GAIN + more + 1] = max(pool[GAIN + more] + pool[WORTH + next_road], NEVER)
            pool[BUILT + next_road] = 1.0


def fill_baskets(game, table, seat, pool, idle, first_knight, second_knight, scale):
    """Writes all baskets that the dice can pay for; returns how many. What roads bring lies in the pool."""
    for face in range(FACES):
        pool[JOKERS + face] = 0.0
    for joker in range(ALL_JOKERS):
        if share_of_joker(game, table, seat, joker) == 1.0:
            face = table.joker_face[joker]
            face = GOLD if face == NOTHING else face
            pool[JOKERS + face] += 1.0
            pool[JOKERS + WIDTH + face] = scale * worth_of_joker(table, joker)
    baskets = 0
    for roads in range(MOST_ROADS + 1):
        for settlements in range(2):
            for cities in range(2):
                for knights in range(MOST_KNIGHTS + 1):
                    worth = pool[GAIN + roads]
                    worth += pool[SETTLE + roads] if settlements else 0.0
                    worth += pool[GROW + roads] if cities else 0.0
                    worth += first_knight if knights > 0 else 0.0
                    worth += second_knight if knights > 1 else 0.0
                    if baskets == 0:
                        worth += idle
                    price = 0
                    first = BASKETS + WIDTH * baskets
                    for face in range(FACES):
                        cost = roads * table.road_cost[face] + settlements * table.settlement_cost[face]
                        cost += cities * table.city_cost[face] + knights * table.knight_cost[face]
                        pool[first + 1 + face] = cost
                        price += cost
                    if price <= MOST_DICE and worth > NEVER / 2 and baskets < MOST_BASKETS - 1:
                        pool[first] = worth
                        baskets += 1
    return baskets


# -- terms -------------------------------------------------------------------------------------------------


@measures(
    Term("turn", "points to be expected of the dice of the own turn, with what they make possible", 1.0),
    Term("roads_ahead", "points of sites that built roads lead to, as long as there is time for them", LEADS),
    Term("pieces_ahead", "what built pieces make possible beyond their points, as long as there is time", 1.0),
    Term("jokers_used", "what jokers were worth that are used, as long as there is time", -1.0),
    of=(*SHEET, points_row_rules),
)
def sheet_and_dice(game, table, seat, pool):
    time = min(turns_to_come(game, table, seat) / TIME, 1.0)
    look_ahead(table, pool, SETTLEMENT, CITY, time)
    ahead = 0.0
    for road in range(ROADS):
        ahead += pool[AHEAD + road] if game.roads_built[seat, road] else 0.0
    possible = 0.0
    for k in range(SETTLEMENTS):
        possible += SETTLEMENT - table.settlement_points[k] if game.settlements_built[seat, k] else 0.0
    for k in range(CITIES):
        possible += CITY - table.city_points[k] if game.cities_built[seat, k] else 0.0
    for k in range(KNIGHTS):
        possible += KNIGHT - table.knight_points[k] if game.knights_built[seat, k] else 0.0
    turn = 0.0
    if game.on_turn == seat:
        for road in range(ROADS):
            pool[WORTH + road] = table.road_points[road] + LEADS * time * pool[AHEAD + road]
        follow_roads(game, table, seat, pool, SETTLEMENT, CITY, time)
        first = second = NEVER
        for k in range(KNIGHTS):
            if game.knights_built[seat, k] == 0:
                if first == NEVER:
                    first = later(table.knight_points[k], KNIGHT, time)
                elif second == NEVER:
                    second = later(table.knight_points[k], KNIGHT, time)
        idle = 0.0 if game.has_built else float(table.points_without_building)
        baskets = fill_baskets(game, table, seat, pool, idle, first, second, max(time, 0.01))
        turn = to_expect(game, table, pool, baskets)
    return turn, time * ahead, time * possible, time * jokers_spent(game, table, seat)


@measures(
    Term("turn", "points to be expected of the dice of the own turn, with what they make possible", 1.0),
    Term("roads_ahead", "points of sites that built roads lead to", LEADS),
    Term("pieces_ahead", "what built pieces make possible beyond their points", 1.0),
    Term("jokers", "jokers that are left, those of two knights by halves", JOKER_OF_PLUS),
    of=(*SHEET, sheet_points_rules, sheet_route_rules, largest_army_rules, victory_rules),
)
def sheet_and_dice_of_plus(game, table, seat, pool):
    look_ahead(table, pool, SETTLEMENT_OF_PLUS, CITY_OF_PLUS, 1.0)
    ahead = 0.0
    possible = 0.0
    for road in range(ROADS):
        ahead += pool[AHEAD + road] if game.roads_built[seat, road] else 0.0
        possible += LONG if game.roads_built[seat, road] else 0.0
    for k in range(CITIES):
        possible += CITY_OF_PLUS - table.city_points[k] if game.cities_built[seat, k] else 0.0
    possible += (KNIGHT_OF_PLUS - JOKER_OF_PLUS) * count_of(game.knights_built[seat])
    turn = 0.0
    if game.on_turn == seat:
        for road in range(ROADS):
            pool[WORTH + road] = LONG + LEADS * pool[AHEAD + road]
            if takes_route(game, table, seat, road):
                pool[WORTH + road] += table.longest_road_points
        follow_roads(game, table, seat, pool, SETTLEMENT_OF_PLUS, CITY_OF_PLUS, 1.0)
        first = second = NEVER
        for k in range(KNIGHTS):
            if game.knights_built[seat, k] == 0:
                worth = KNIGHT_OF_PLUS - JOKER_OF_PLUS + JOKER_OF_PLUS * joker_by_knight(table, k)
                if first == NEVER:
                    first = worth + points_of_army(game, table, seat, 1)
                elif second == NEVER:
                    second = worth + points_of_army(game, table, seat, 2) - points_of_army(game, table, seat, 1)
        baskets = fill_baskets(game, table, seat, pool, 0.0, first, second, PART)
        turn = to_expect(game, table, pool, baskets)
    return turn, ahead, possible, shares_of_jokers(game, table, seat)


def takes_route(game, table, seat, road):
    """Whether a road would bring Longest Road, as the first one of the seat that does."""
    holder = game.longest_road
    if holder == NOBODY_SEAT:
        return road == table.marked_road
    return holder != seat and table.road_depth[road] == game.road_length[holder] + 1


def points_of_army(game, table, seat, more):
    """Points that so many knights more would bring for Largest Army."""
    if game.largest_army == seat:
        return 0
    best = table.largest_army_minimum - 1
    for player in range(table.num_players):
        if player != seat:
            best = max(best, int(game.knights_played[player]))
    return table.largest_army_points if game.knights_played[seat] + more > best else 0
