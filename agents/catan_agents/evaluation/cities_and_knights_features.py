"""Value-network features for Cities & Knights: improvements, knights, the next attack, and progress cards.

The base features already count commodities: in production, in the hand, and in trade rates.
"""

from catan_agents.evaluation.base import nearness
from catan_agents.evaluation.cities_and_knights import nearness_of_level
from catan_agents.evaluation.features import ValueFeature, feature
from catan_env.engine.bitset import any_of, number_of, where_equal
from catan_env.engine.stacks import copy_row
from catan_env.games.base import bank_trade as bank_trade_rules
from catan_env.games.cities_and_knights import barbarians as barbarian_rules
from catan_env.games.cities_and_knights import city_walls as wall_rules
from catan_env.games.cities_and_knights import defenders as defender_rules
from catan_env.games.cities_and_knights import improvements as improvement_rules
from catan_env.games.cities_and_knights import knights as knight_rules
from catan_env.games.cities_and_knights import merchant_piece as merchant_rules
from catan_env.games.cities_and_knights import metropolises as metropolis_rules
from catan_env.games.cities_and_knights import pillaging as pillaging_rules
from catan_env.games.cities_and_knights import progress_decks as progress_rules
from catan_env.games.cities_and_knights.barbarians import strength_of_barbarians, strength_of_knights
from catan_env.games.cities_and_knights.city_walls import can_build_wall
from catan_env.games.cities_and_knights.improvements import THIRD_LEVEL, TRACKS
from catan_env.games.cities_and_knights.knights import (
    BASIC,
    INACTIVE,
    MIGHTY,
    RANKS,
    can_enlist,
    can_promote,
    defence_of,
    is_free,
    knights_in_state,
    touches_own_edge_piece,
)
from catan_env.games.cities_and_knights.metropolises import has_plain_city, plain_cities_of
from catan_env.games.cities_and_knights.progress_decks import PROGRESS
from catan_env.games.vocabulary import INTERSECTIONS

MOST_STRENGTH = 6
"""Maximum lead or deficit in strength, of a player or of all knights over the barbarians."""

# -- features of each player -------------------------------------------------------------------------------


@feature(
    ValueFeature("level", "improvement level of a track", along=TRACKS),
    ValueFeature("ability", "whether the player has the ability of a track's third level", along=TRACKS),
    of=improvement_rules,
    each=True,
)
def levels_of_player(game, params, player, seen):
    for track in range(TRACKS):
        seen[track] = game.improvement[player, track]
        seen[TRACKS + track] = game.improvement[player, track] >= THIRD_LEVEL


@feature(
    ValueFeature("metropolis", "whether the player has the metropolis of a track", along=TRACKS),
    ValueFeature("plain_cities", "cities without a metropolis, which barbarians can pillage"),
    of=metropolis_rules,
    each=True,
    memo=True,
)
def metropolises_of_player(game, params, player, seen):
    for track in range(TRACKS):
        seen[track] = game.metropolis_owner[track] == player
    seen[TRACKS] = number_of(plain_cities_of(game, player))


@feature(
    *(ValueFeature(f"knights_{rank}", f"{rank} knights on the board") for rank in RANKS),
    *(ValueFeature(f"active_{rank}", f"active {rank} knights on the board") for rank in RANKS),
    of=knight_rules,
    each=True,
    memo=True,
)
def knights_of_player(game, params, player, seen):
    for intersection in where_equal(game.knight_owner, player):
        rank = game.knight[intersection] - BASIC
        seen[rank] += 1.0
        seen[MIGHTY + rank] += game.knight_state[intersection] != INACTIVE


@feature(
    ValueFeature("knight_places", "intersections where the player could place a knight"),
    of=knight_rules,
    each=True,
    memo=True,
)
def knight_places_of_player(game, params, player, seen):
    for intersection in range(INTERSECTIONS):
        if is_free(game, intersection) and touches_own_edge_piece(game, params, player, intersection):
            seen[0] += 1.0


@feature(
    ValueFeature("defence", "strength of the player's active knights"),
    ValueFeature("defence_ahead", "lead in active strength over the strongest opponent"),
    ValueFeature("weakest", "whether the barbarians would pillage one of the player's cities if they won now"),
    ValueFeature("strongest", "whether the player would be the only defender if the knights won now"),
    ValueFeature("shares_defence", "whether the player would be one of several defenders if the knights won now"),
    ValueFeature("city_at_risk", "progress of the barbarians, squared, if an attack now would cost the player a city"),
    ValueFeature("defender_at_hand", "progress of the barbarians, squared, if an attack now would earn a token"),
    of=(barbarian_rules, knight_rules, pillaging_rules, defender_rules),
    each=True,
    memo=True,
)
def next_attack_of_player(game, params, player, seen):
    urgency = progress_of_barbarians(game, params) ** 2
    seen[0] = defence_of(game, player)
    seen[1] = clipped(defence_of(game, player) - best_defence_of_others(game, params, player))
    seen[2] = is_weakest(game, params, player)
    seen[3] = seen[0] > 0 and seen[1] > 0
    seen[4] = seen[0] > 0 and seen[1] == 0
    seen[5] = urgency if seen[2] and attack_margin(game, params) < 0 else 0.0
    seen[6] = urgency if seen[3] and attack_margin(game, params) >= 0 else 0.0


def clipped(strength):
    """Return a difference in strength, clipped to the range -`MOST_STRENGTH` to `MOST_STRENGTH`."""
    return max(-MOST_STRENGTH, min(MOST_STRENGTH, strength))


def best_defence_of_others(game, params, player):
    """Return the strength of the active knights of a player's strongest opponent."""
    best_defence = 0
    for opponent in range(params.num_players):
        if opponent != player:
            best_defence = max(best_defence, defence_of(game, opponent))
    return best_defence


def is_weakest(game, params, player):
    """Return whether no player whose cities can be pillaged contributes less to the defence."""
    if not has_plain_city(game, player):
        return False
    own_defence = defence_of(game, player)
    for opponent in range(params.num_players):
        if defence_of(game, opponent) < own_defence and has_plain_city(game, opponent):
            return False
    return True


@feature(ValueFeature("walls", "city walls on the board"), of=wall_rules, each=True)
def walls_of_player(game, params, player, seen):
    seen[0] = params.walls_per_player - game.walls_left[player]


@feature(ValueFeature("progress", "progress cards in hand of a deck", along=TRACKS), of=progress_rules, each=True)
def progress_of_player(game, params, player, seen):
    copy_row(seen, game.progress_backs[player])


@feature(ValueFeature("defender", "defender tokens"), of=defender_rules, each=True)
def defender_tokens_of_player(game, params, player, seen):
    seen[0] = game.defender[player]


@feature(ValueFeature("merchant", "whether the player has the merchant"), of=merchant_rules, each=True)
def merchant_of_player(game, params, player, seen):
    seen[0] = game.merchant_owner == player


# -- features of the seat itself and of the whole position -------------------------------------------------


def progress_of_barbarians(game, params):
    """Return how close the next attack is, from 0 to 1. At 1, the next ship on the event die brings it."""
    return (game.barbarian_steps + 1) / params.steps_to_attack


def attack_margin(game, params):
    """Return the strength of the active knights minus that of the barbarians."""
    return strength_of_knights(game, params) - strength_of_barbarians(game, params)


@feature(
    ValueFeature("barbarian_progress", "progress of the barbarians, from 0 to 1"),
    ValueFeature("attack_next", "whether the next ship on the event die brings the attack"),
    ValueFeature("attack_margin", "strength of all active knights minus that of the barbarians"),
    ValueFeature("attack_beaten", "whether the knights would win against an attack now"),
    ValueFeature("robber_waits", "whether the barbarians have not attacked yet"),
    of=(barbarian_rules, knight_rules),
)
def barbarians_at_sea(game, params, seat, seen):
    margin = attack_margin(game, params)
    seen[0] = progress_of_barbarians(game, params)
    seen[1] = game.barbarian_steps + 1 >= params.steps_to_attack
    seen[2] = clipped(margin)
    seen[3] = margin >= 0
    seen[4] = game.attacks == 0


@feature(ValueFeature("own_progress", "the seat's progress cards of a kind", along=PROGRESS), of=progress_rules)
def own_progress_cards(game, params, seat, seen):
    copy_row(seen, game.progress[seat])


@feature(
    ValueFeature("near_level", "nearness of the hand to a track's next level, if the seat may buy it", along=TRACKS),
    of=improvement_rules,
)
def own_next_levels(game, params, seat, seen):
    for track in range(TRACKS):
        seen[track] = nearness_of_level(game, params, seat, track)


@feature(
    ValueFeature("near_knight", "nearness of the hand to a basic knight, if the seat has a place and a piece"),
    ValueFeature("near_promotion", "nearness of the hand to a promotion, if a knight may be promoted"),
    ValueFeature("near_activation", "nearness of the hand to an activation, if the seat has an inactive knight"),
    of=(knight_rules, bank_trade_rules),
)
def own_next_knights(game, params, seat, seen):
    if game.knights_left[seat, BASIC - 1] > 0 and can_enlist(game, params, seat):
        seen[0] = nearness(game, params, seat, params.recruit_cost)
    if can_promote(game, seat):
        seen[1] = nearness(game, params, seat, params.promote_cost)
    if any_of(knights_in_state(game, seat, INACTIVE)):
        seen[2] = nearness(game, params, seat, params.activate_cost)


@feature(
    ValueFeature("near_wall", "nearness of the hand to a city wall, if the seat has a city for it and a piece"),
    of=(wall_rules, bank_trade_rules),
)
def own_next_wall(game, params, seat, seen):
    if can_build_wall(game, seat):
        seen[0] = nearness(game, params, seat, params.wall_cost)
