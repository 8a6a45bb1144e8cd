"""Terms for Cities & Knights: commodities, improvements, knights, and the outcome of the next attack.

The default weights were fitted to predict the winners of 500 games between `greedy` agents, then rounded.
"""

from catan_agents.evaluation.base import chance_of
from catan_agents.evaluation.terms import Term, measures
from catan_env.board.terrain import DESERT
from catan_env.games.base import network as network_rules
from catan_env.games.base import production as production_rules
from catan_env.games.base.network import CITY
from catan_env.games.cities_and_knights import barbarians as barbarian_rules
from catan_env.games.cities_and_knights import improvements as improvement_rules
from catan_env.games.cities_and_knights import knights as knight_rules
from catan_env.games.cities_and_knights import progress_decks as progress_rules
from catan_env.games.cities_and_knights.barbarians import strength_of_barbarians, strength_of_knights
from catan_env.games.cities_and_knights.commodities import PAPER
from catan_env.games.cities_and_knights.improvements import LEVELS, TRACKS, commodity_of, has_city, price_of
from catan_env.games.cities_and_knights.knights import defence_of
from catan_env.games.cities_and_knights.progress_decks import progress_held
from catan_env.games.vocabulary import DEGREE, HEX_BLOCKED, INTERSECTIONS, NOBODY, NOTHING

# -- commodities and improvements --------------------------------------------------------------------------


@measures(
    Term("commodities", "expected commodities per roll", 6.5),
    of=(improvement_rules, production_rules, network_rules),
    as_features=False,
)
def commodities_to_expect(game, params, seat, pool):
    expected = 0.0
    for intersection in range(INTERSECTIONS):
        if game.building_owner[intersection] == seat and game.building[intersection] == CITY:
            for k in range(DEGREE):
                hex = params.intersection_hexes[intersection, k]
                if hex != NOTHING and game.terrain[hex] < DESERT and not HEX_BLOCKED(game, params, NOBODY, hex):
                    if params.second_card_of_city[game.terrain[hex]] >= PAPER:
                        expected += chance_of(game.number[hex])
    return expected


@measures(
    Term("levels", "sum of the seat's improvement levels", 0.9),
    Term("near_level", "nearness of the hand to the next level of the nearest track, if the seat has a city", 0.3),
    of=improvement_rules,
    as_features=False,
)
def improvements_made(game, params, seat, pool):
    levels = 0
    best_nearness = 0.0
    for track in range(TRACKS):
        levels += int(game.improvement[seat, track])
        best_nearness = max(best_nearness, nearness_of_level(game, params, seat, track))
    return levels, best_nearness


def nearness_of_level(game, params, seat, track):
    """Return how close a hand is to the price of a track's next level, from 0 to 1; 0 if the seat cannot buy it.

    The result is the square of the fraction covered.
    """
    if game.improvement[seat, track] == LEVELS or not has_city(game, params, seat):
        return 0.0
    share = min(int(game.hands[seat, commodity_of(track)]) / price_of(game, seat, track, 0), 1.0)
    return share * share


@measures(Term("progress_cards", "progress cards in hand", 0.1), of=progress_rules, as_features=False)
def progress_in_hand(game, params, seat, pool):
    return progress_held(game, seat)


# -- knights and barbarians --------------------------------------------------------------------------------


@measures(
    Term("strength", "strength of the seat's knights", 0.4),
    Term("active_strength", "strength of the seat's active knights", 0.1),
    of=knight_rules,
    as_features=False,
)
def own_knights(game, params, seat, pool):
    strength = 0
    for intersection in range(INTERSECTIONS):
        if game.knight_owner[intersection] == seat:
            strength += game.knight[intersection]
    return strength, defence_of(game, seat)


@measures(
    Term("city_at_risk", "nearness of the barbarians, if an attack now would cost the seat a city", -3.0),
    Term("defender_at_hand", "nearness of the barbarians, if an attack now would make the seat a defender", 1.4),
    of=(barbarian_rules, knight_rules, improvement_rules),
    as_features=False,
)
def next_attack(game, params, seat, pool):
    """Return the risk of losing a city, and the chance of becoming a defender, in the next attack.

    Both assume an attack against the current knights. Distant attacks, whose outcome is uncertain, are discounted by
    multiplying by the square of the barbarians' progress.
    """
    nearness = (game.barbarian_steps + 1) / params.steps_to_attack
    own_defence = defence_of(game, seat)
    is_weakest = has_city(game, params, seat)
    is_strongest = True
    for player in range(params.num_players):
        if player != seat:
            other_defence = defence_of(game, player)
            is_weakest = is_weakest and (own_defence <= other_defence or not has_city(game, params, player))
            is_strongest = is_strongest and own_defence > other_defence
    barbarians_beaten = strength_of_knights(game, params) >= strength_of_barbarians(game, params)
    return (
        nearness * nearness if is_weakest and not barbarians_beaten else 0.0,
        nearness * nearness if is_strongest and barbarians_beaten else 0.0,
    )
