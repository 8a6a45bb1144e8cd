"""Terms for the dice game and Plus: the expected result of this turn's dice, and the future value of the sheet.

While turns remain, each kind of piece has a fixed value, independent of its printed points, because it gives access to
later pieces. At the end of the game, a piece is worth exactly its points.
"""

from catan_agents.evaluation.dice_rolls import BASKETS, JOKER_WORTH, JOKERS_READY, MOST_BASKETS, WIDTH, to_expect
from catan_agents.evaluation.terms import Term, measures
from catan_env.games.base import largest_army as largest_army_rules
from catan_env.games.base import victory as victory_rules
from catan_env.games.base.victory import all_points
from catan_env.games.dice_game import dice_turns as dice_turns_rules
from catan_env.games.dice_game import gold_trade as gold_trade_rules
from catan_env.games.dice_game import knight_jokers as knight_jokers_rules
from catan_env.games.dice_game import points_row as points_row_rules
from catan_env.games.dice_game import rolling as rolling_rules
from catan_env.games.dice_game import sheet as sheet_rules
from catan_env.games.dice_game import sheet_points as sheet_points_rules
from catan_env.games.dice_game import sheet_route as sheet_route_rules
from catan_env.games.dice_game.knight_jokers import JOKERS
from catan_env.games.dice_game.rolling import FACES, GOLD, MOST_DICE
from catan_env.games.dice_game.sheet import CITIES, KNIGHTS, ROADS, SETTLEMENTS, is_due
from catan_env.games.vocabulary import NOBODY, NOTHING, count_of

SHEET = (rolling_rules, sheet_rules, gold_trade_rules, knight_jokers_rules, dice_turns_rules)

SETTLEMENT, CITY, KNIGHT = 4.5, 16.0, 5.5
"""Values of pieces, in dice-game points, while further pieces can still be built."""
JOKER, JOKER_FOR_CITY, JOKER_FOR_ANY = 3.0, 8.0, 11.0
"""Values of jokers, in dice-game points: for a face that cities do not cost, for one that they do, and for any face."""
SETTLEMENT_OF_PLUS, CITY_OF_PLUS, KNIGHT_OF_PLUS, JOKER_OF_PLUS = 1.0, 2.1, 0.3, 0.45
"""Values in Plus, in victory points. The value of a knight excludes its joker, and all jokers have the same value."""
ROAD_OF_PLUS = 0.1
"""Value of a road in Plus, which scores no points but may earn Longest Road."""
WIN_OF_PLUS = 5.0
"""Additional value in Plus of pieces that win the game."""
LEADS, LEADS_OF_PLUS, FURTHER = 0.2, 0.25, 0.9
"""Fraction of a site's value assigned to its road (in the dice game, in Plus), and the discount per missing road."""
TIME, LAST = 2.5, 0.01
"""Number of turns left at which later pieces still have their full value, and the minimum factor for jokers."""
NEVER = -1e9
UNREACHABLE = 1000
"""More victory points than a basket can bring."""

AHEAD, BUILT, WORTH, GAIN, SETTLE, GROW, SCORE = 0, 32, 64, 96, 104, 112, 120
"""Pool offsets. For each road: the value of the best site it leads to, whether it is built, and its own value. For each
number of additional roads: their value, the values of a settlement and a city built after them, and the victory points
that they bring.
"""
MOST_ROADS, MOST_KNIGHTS = 3, 2
"""Maximum numbers of roads and knights in a basket."""


# -- values of pieces --------------------------------------------------------------------------------------


def turns_to_come(game, params, seat):
    """Return the number of a seat's turns that have not started yet."""
    if game.on_turn == NOBODY:
        return params.turns_each
    steps = seat - game.on_turn
    if steps < 0:
        steps += params.num_players
    turn_place = (game.turn - 1) % params.num_players + steps
    turns_begun = (game.turn - 1) // params.num_players + (1 if steps == 0 or turn_place >= params.num_players else 0)
    return params.turns_each - turns_begun


def later(points, worth, time):
    """Return the value of a piece, between its points (`time` 0) and its value with many turns left (`time` 1)."""
    return points + (worth - points) * time


def look_ahead(params, pool, settlement, city, time):
    """Write the value of the best site that each road leads to into the pool."""
    for road in range(ROADS - 1, -1, -1):
        end_place = params.road_ends[road, 1]
        best_worth = 0.0
        for k in range(SETTLEMENTS):
            if params.settlement_place[k] == end_place:
                best_worth = max(best_worth, later(params.settlement_points[k], settlement, time))
        for k in range(CITIES):
            if params.city_place[k] == end_place:
                best_worth = max(best_worth, later(params.city_points[k], city, time))
        for k in range(road + 1, ROADS):
            if params.road_ends[k, 0] == end_place:
                best_worth = max(best_worth, FURTHER * pool[AHEAD + k])
        pool[AHEAD + road] = best_worth


def is_joined(params, pool, place):
    """Return whether a place is an endpoint of any road marked as built in the pool."""
    for road in range(ROADS):
        if pool[BUILT + road] > 0.0 and (params.road_ends[road, 0] == place or params.road_ends[road, 1] == place):
            return True
    return False


def share_of_joker(game, params, seat, joker):
    """Return the fraction of a joker's knights that are built, or 0 if the joker has been used."""
    if game.jokers_used[seat, joker]:
        return 0.0
    knights_needed = 0
    knights_built = 0
    for k in range(2):
        knight = params.joker_knights[joker, k]
        if knight != NOTHING:
            knights_needed += 1
            knights_built += game.knights_built[seat, knight]
    return knights_built / knights_needed


def worth_of_joker(params, joker, of_others, of_cities, of_any):
    """Return the value of a joker, depending on whether it gives a face that cities cost, another face, or any face."""
    face = params.joker_face[joker]
    if face == NOTHING:
        return of_any
    return of_cities if params.city_cost[face] > 0 else of_others


def joker_by_knight(params, knight):
    """Return the fraction of a joker that one knight unlocks."""
    for joker in range(JOKERS):
        if params.joker_knights[joker, 0] == knight or params.joker_knights[joker, 1] == knight:
            return 1.0 if params.joker_knights[joker, 1] == NOTHING else 0.5
    return 0.0


# -- baskets -----------------------------------------------------------------------------------------------


def follow_roads(game, params, seat, pool, settlement, city, time):
    """Write the value of each number of additional roads, and of a settlement and a city built after them.

    Each step builds the road with the highest value in the pool. Impossible steps have the value `NEVER`.
    """
    for road in range(ROADS):
        pool[BUILT + road] = game.roads_built[seat, road]
    pool[GAIN] = 0.0
    for more_roads in range(MOST_ROADS + 1):
        pool[SCORE + more_roads] = 0.0
        best_worth = NEVER
        for k in range(SETTLEMENTS):
            if is_due(params, game.settlements_built[seat], k) and is_joined(params, pool, params.settlement_place[k]):
                best_worth = max(best_worth, later(params.settlement_points[k], settlement, time))
        pool[SETTLE + more_roads] = best_worth
        best_worth = NEVER
        for k in range(CITIES):
            if is_due(params, game.cities_built[seat], k) and is_joined(params, pool, params.city_place[k]):
                best_worth = max(best_worth, later(params.city_points[k], city, time))
        pool[GROW + more_roads] = best_worth
        next_road = -1
        for road in range(ROADS):
            if pool[BUILT + road] == 0.0 and is_joined(params, pool, params.road_ends[road, 0]):
                if next_road < 0 or pool[WORTH + road] > pool[WORTH + next_road]:
                    next_road = road
        if next_road < 0:
            pool[GAIN + more_roads + 1] = NEVER
        else:
            pool[GAIN + more_roads + 1] = max(pool[GAIN + more_roads] + pool[WORTH + next_road], NEVER)
            pool[BUILT + next_road] = 1.0


def write_jokers(game, params, seat, pool, of_others, of_cities, of_any):
    """Write the number of usable jokers for each face, and the value of a joker, into the pool."""
    for face in range(FACES):
        pool[JOKERS_READY + face] = 0.0
    for joker in range(JOKERS):
        if share_of_joker(game, params, seat, joker) == 1.0:
            face = GOLD if params.joker_face[joker] == NOTHING else params.joker_face[joker]
            pool[JOKERS_READY + face] += 1.0
            pool[JOKER_WORTH + face] = worth_of_joker(params, joker, of_others, of_cities, of_any)


def points_of_basket(params, pool, roads, settlements, cities, army_points):
    """Return the victory points that a basket brings in Plus."""
    building_points = settlements * params.settlement_points[0] + cities * params.city_points[0]
    return pool[SCORE + roads] + building_points + army_points


def write_baskets(params, pool, idle, knight, second_knight, army, lacking):
    """Write all baskets that the dice can pay for into the pool and return the number of baskets.

    The pool must have been filled by `follow_roads`. `idle` is the value of building nothing, `army` holds the points
    of Largest Army that one and two more knights bring, and `lacking` is the number of points that win the game.
    """
    baskets = 0
    for roads in range(MOST_ROADS + 1):
        for settlements in range(2):
            for cities in range(2):
                for knights in range(MOST_KNIGHTS + 1):
                    basket_worth = pool[GAIN + roads]
                    basket_worth += pool[SETTLE + roads] if settlements else 0.0
                    basket_worth += pool[GROW + roads] if cities else 0.0
                    basket_worth += knight if knights > 0 else 0.0
                    basket_worth += second_knight if knights > 1 else 0.0
                    if baskets == 0:
                        basket_worth += idle
                    army_points = army[knights - 1] if knights > 0 else 0
                    if points_of_basket(params, pool, roads, settlements, cities, army_points) >= lacking:
                        basket_worth += WIN_OF_PLUS
                    price = 0
                    basket_start = BASKETS + WIDTH * baskets
                    for face in range(FACES):
                        cost = roads * params.road_cost[face] + settlements * params.settlement_cost[face]
                        cost += cities * params.city_cost[face] + knights * params.knight_cost[face]
                        pool[basket_start + 1 + face] = cost
                        price += cost
                    if price <= MOST_DICE and basket_worth > NEVER / 2 and baskets < MOST_BASKETS - 1:
                        pool[basket_start] = basket_worth
                        baskets += 1
    return baskets


# -- terms -------------------------------------------------------------------------------------------------


def roads_ahead(game, pool, seat):
    """Return the total value of the sites that existing roads lead to."""
    worth_ahead = 0.0
    for road in range(ROADS):
        worth_ahead += pool[AHEAD + road] if game.roads_built[seat, road] else 0.0
    return worth_ahead


@measures(
    Term("turn", "expected value of the dice in the seat's turn, including the future value of pieces", 1.0),
    Term("roads_ahead", "value of the sites that built roads lead to, while turns remain", LEADS),
    Term("pieces_ahead", "value of built pieces beyond their own points, while turns remain", 1.0),
    Term("jokers_used", "value that used jokers would have, while turns remain", -1.0),
    Term("turns_to_come", "the seat's turns that have not started", 8.0),
    of=(*SHEET, points_row_rules),
)
def sheet_and_dice(game, params, seat, pool):
    turns = turns_to_come(game, params, seat)
    time = min(turns / TIME, 1.0)
    look_ahead(params, pool, SETTLEMENT, CITY, time)
    worth_ahead = roads_ahead(game, pool, seat)
    points_possible = 0.0
    for k in range(SETTLEMENTS):
        points_possible += SETTLEMENT - params.settlement_points[k] if game.settlements_built[seat, k] else 0.0
    for k in range(CITIES):
        points_possible += CITY - params.city_points[k] if game.cities_built[seat, k] else 0.0
    for k in range(KNIGHTS):
        points_possible += KNIGHT - params.knight_points[k] if game.knights_built[seat, k] else 0.0
    worth_used = 0.0
    for joker in range(JOKERS):
        if game.jokers_used[seat, joker]:
            worth_used += worth_of_joker(params, joker, JOKER, JOKER_FOR_CITY, JOKER_FOR_ANY)
    turn_worth = 0.0
    if game.on_turn == seat:
        for road in range(ROADS):
            pool[WORTH + road] = params.road_points[road] + LEADS * time * pool[AHEAD + road]
        follow_roads(game, params, seat, pool, SETTLEMENT, CITY, time)
        knight = second_knight = NEVER
        for k in range(KNIGHTS - 1, -1, -1):
            if game.knights_built[seat, k] == 0:
                second_knight = knight
                knight = later(params.knight_points[k], KNIGHT, time)
        time_left = max(time, LAST)
        write_jokers(game, params, seat, pool, JOKER * time_left, JOKER_FOR_CITY * time_left, JOKER_FOR_ANY * time_left)
        idle = 0.0 if game.has_built else float(params.points_without_building)
        baskets = write_baskets(params, pool, idle, knight, second_knight, (0, 0), UNREACHABLE)
        turn_worth = to_expect(game, params, pool, baskets)
    return turn_worth, time * worth_ahead, time * points_possible, time * worth_used, turns


def takes_route(game, params, seat, road):
    """Return whether building a road would give the seat Longest Road."""
    holder = game.longest_road
    if holder == NOBODY:
        return road == params.marked_road
    return holder != seat and params.road_depth[road] == game.road_length[holder] + 1


def note_route(params, pool):
    """Write the points of Longest Road that additional roads bring into the pool.

    Roads are otherwise worth less than a point, so those that bring Longest Road stand out by their value.
    """
    for roads in range(MOST_ROADS + 1):
        is_taken = roads > 0 and pool[GAIN + roads] - pool[GAIN + roads - 1] >= params.longest_road_points
        pool[SCORE + roads] = max(pool[SCORE + roads - 1] if roads else 0.0, params.longest_road_points * is_taken)


def points_of_army(game, params, seat, more):
    """Return the number of Largest Army points gained by building `more` additional knights."""
    if game.largest_army == seat:
        return 0
    most_knights = params.largest_army_minimum - 1
    for player in range(params.num_players):
        if player != seat:
            most_knights = max(most_knights, int(game.knights_played[player]))
    return params.largest_army_points if game.knights_played[seat] + more > most_knights else 0


@measures(
    Term("turn", "expected value of the dice in the seat's turn, including the future value of pieces", 1.0),
    Term("roads_ahead", "value of the sites that built roads lead to", LEADS_OF_PLUS),
    Term("roads", "roads built", ROAD_OF_PLUS),
    Term("pieces_ahead", "value of built cities and knights beyond their own points", 1.0),
    Term("jokers", "unused jokers, each counted by the share of its knights that is built", JOKER_OF_PLUS),
    of=(*SHEET, sheet_points_rules, sheet_route_rules, largest_army_rules, victory_rules),
)
def sheet_and_dice_of_plus(game, params, seat, pool):
    look_ahead(params, pool, SETTLEMENT_OF_PLUS, CITY_OF_PLUS, 1.0)
    worth_ahead = roads_ahead(game, pool, seat)
    points_possible = KNIGHT_OF_PLUS * count_of(game.knights_built[seat])
    for k in range(CITIES):
        points_possible += CITY_OF_PLUS - params.city_points[k] if game.cities_built[seat, k] else 0.0
    joker_count = 0.0
    for joker in range(JOKERS):
        joker_count += share_of_joker(game, params, seat, joker)
    turn_worth = 0.0
    if game.on_turn == seat:
        for road in range(ROADS):
            pool[WORTH + road] = ROAD_OF_PLUS + LEADS_OF_PLUS * pool[AHEAD + road]
            if takes_route(game, params, seat, road):
                pool[WORTH + road] += params.longest_road_points
        follow_roads(game, params, seat, pool, SETTLEMENT_OF_PLUS, CITY_OF_PLUS, 1.0)
        note_route(params, pool)
        knight = second_knight = NEVER
        for k in range(KNIGHTS - 1, -1, -1):
            if game.knights_built[seat, k] == 0:
                second_knight = knight
                knight = KNIGHT_OF_PLUS + JOKER_OF_PLUS * joker_by_knight(params, k)
        army = points_of_army(game, params, seat, 1), points_of_army(game, params, seat, 2)
        knight += army[0]
        second_knight += army[1] - army[0]
        lacking = params.victory_points - all_points(game, params, seat)
        write_jokers(game, params, seat, pool, JOKER_OF_PLUS, JOKER_OF_PLUS, JOKER_OF_PLUS)
        baskets = write_baskets(params, pool, 0.0, knight, second_knight, army, lacking)
        turn_worth = to_expect(game, params, pool, baskets)
    return turn_worth, worth_ahead, count_of(game.roads_built[seat]), points_possible, joker_count
