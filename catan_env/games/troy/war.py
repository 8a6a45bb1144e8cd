"""The war: a full pool triggers a battle; seven of its cards are revealed, and the city with more of them wins.

Battle points would reveal a player's side, so they are hidden. A city's fifth win ends the game immediately. If the
player on turn then has enough points to win, that player wins.
"""

from catan_env.engine.decision_stack import CHANCE, RUNNING, finish, head_argument, pop, push, set_argument
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    HIDDEN_POINTS,
    Count,
    Draw,
    Field,
    Number,
    answers,
    outcome,
    rule,
    weights,
    when,
)
from catan_env.engine.small_sets import EMPTY, contains, only
from catan_env.engine.stacks import weigh_stack
from catan_env.games.base.victory import all_points
from catan_env.games.troy.allegiance import CITIES, NO_SIDE, NUM_CITIES
from catan_env.games.troy.donations import DONATED, pool_size
from catan_env.games.troy.fleet import ships_of
from catan_env.games.vocabulary import HAND_CARDS

MOST_CARDS = 100
CARRY = 0
ACTIVE_PLAYER, MORE_SHIPS, SHARED = range(3)

FIELDS = (
    Field("battles_won", (NUM_CITIES,), "i1", 0, 100, "battles won by each city", show=Count(), labels=CITIES),
    Field("uncovered", (HAND_CARDS,), "i1", 0, 100, "cards uncovered in the last battle", show=Count()),
)
NUMBERS = (
    Number("pool_of_battle", 10, "number of cards in the pool that starts a battle", 1, MOST_CARDS),
    Number("cards_of_battle", 7, "number of cards uncovered in a battle", 1, MOST_CARDS),
    Number(
        "card_supports",
        (2, 0, 1, 2, 1),
        "city for which a card counts: 0 none, 1 Troy, 2 Mycenae",
        0,
        2,
        over=HAND_CARDS,
    ),
    Number("leftover", "carry", "treatment of cards that are not uncovered", choices=("carry", "discard")),
    Number("battle_points", 1, "victory points of each supporter for a battle won", 0, 10),
    Number("last_battle_points", 2, "victory points of each supporter for the battle that ends the war", 0, 10),
    Number("battles_to_end", 5, "won battles of a city that end the game", 1, 100),
    Number(
        "tie_break",
        "active_player",
        "first tie-break between supporters of the winning city; the next ones follow in order",
        choices=("active_player", "more_ships", "shared"),
    ),
)

UNCOVER = Draw("uncover", "the uncovered card is {}", HAND_CARDS, argument=MOST_CARDS, unordered=True)


@rule("troy.war.1")
@when(DONATED)
def go_to_battle(game, params, player, where):
    """The donation that fills the pool triggers a battle immediately."""
    if pool_size(game) >= params.pool_of_battle:
        for card in range(HAND_CARDS):
            game.uncovered[card] = 0
        push(game, UNCOVER, CHANCE, min(params.cards_of_battle, pool_size(game)))


@rule("troy.war.2")
@weights(UNCOVER)
def cards_in_the_pool(game, params, weights):
    weigh_stack(game.pool, weights)


@rule("troy.war.2", "troy.war.3", "troy.war.4")
@outcome(UNCOVER)
def uncover(game, params, card):
    """Revealed cards are returned to the bank one by one."""
    game.pool[card] -= 1
    game.uncovered[card] += 1
    game.bank[card] += 1
    cards_left = head_argument(game) - 1
    set_argument(game, cards_left)
    if cards_left == 0:
        pop(game)
        decide_battle(game, params)


def cards_for(game, params, city):
    """Return the number of revealed cards that count toward a city."""
    card_count = 0
    for card in range(HAND_CARDS):
        if params.card_supports[card] == city + 1:
            card_count += game.uncovered[card]
    return card_count


def decide_battle(game, params):
    """The city with more cards wins; nobody wins a tie. The other cards stay in the pool or go to the bank."""
    for city in range(NUM_CITIES):
        if cards_for(game, params, city) > cards_for(game, params, 1 - city):
            game.battles_won[city] += 1
    if params.leftover != CARRY:
        for card in range(HAND_CARDS):
            game.bank[card] += game.pool[card]
            game.pool[card] = 0


@rule("troy.allegiance.2", "troy.war.5", "troy.war.6")
@answers(HIDDEN_POINTS)
def war_points(game, params, player, where):
    """Supporters score points for the battles that their city has won."""
    if game.side[player] == NO_SIDE:
        return 0
    wins = int(game.battles_won[game.side[player]])
    last_battle_bonus = params.last_battle_points - params.battle_points if wins >= params.battles_to_end else 0
    return wins * params.battle_points + last_battle_bonus


# -- the end of the war ------------------------------------------------------------------------------------


@rule("troy.war.7", "troy.war.8", "troy.war.9")
@when(ACTION_RESOLVED)
def end_war(game, params, player, where):
    if game.ended == RUNNING:
        for city in range(NUM_CITIES):
            if game.battles_won[city] >= params.battles_to_end:
                finish(game, winners_of_war(game, params, city))


def winners_of_war(game, params, city):
    """Return which of a city's supporters have the most points after tie-breaks."""
    leaders = EMPTY
    most_points = 0
    for player in range(params.num_players):
        if game.side[player] == city:
            points = all_points(game, params, player)
            if points > most_points:
                most_points = points
                leaders = EMPTY
            if points == most_points:
                leaders |= only(player)
    if params.tie_break == ACTIVE_PLAYER and contains(leaders, game.on_turn):
        leaders = only(game.on_turn)
    if params.tie_break != SHARED:
        leaders = with_most_ships(game, params, leaders)
    return leaders


def with_most_ships(game, params, players):
    """Return which players in a set have the most ships."""
    leaders = EMPTY
    most_ships = 0
    for player in range(params.num_players):
        if contains(players, player):
            ship_count = ships_of(game, params, player)
            if ship_count > most_ships:
                most_ships = ship_count
                leaders = EMPTY
            if ship_count == most_ships:
                leaders |= only(player)
    return leaders
