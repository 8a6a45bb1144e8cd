"""Terms for Sea Robbers: the next battle, and chest tokens."""

from catan_agents.evaluation.terms import Term, measures
from catan_env.engine.bitset import where_bit
from catan_env.games.sea_robbers import battles as battle_rules
from catan_env.games.sea_robbers import chests as chest_rules
from catan_env.games.sea_robbers.battles import NUM_STRENGTHS, SEA_ROBBERS, foe_beside
from catan_env.games.seafarers import ships as ship_rules
from catan_env.games.seafarers.ships import SHIP
from catan_env.games.vocabulary import count_of


def chance_to_sink(game, params, seat):
    """Return the probability that a seat wins its next battle."""
    from_high_stack = game.sunk[seat] >= params.wins_for_high_stack
    weaker_count = 0
    card_sum = 0
    for strength in range(NUM_STRENGTHS):
        card_count = params.high_stack[strength] if from_high_stack else params.low_stack[strength]
        card_sum += card_count
        if strength < game.jugs[seat]:
            weaker_count += card_count
    return weaker_count / card_sum if card_sum > 0 else 0.0


def can_attack(game, params, seat):
    """Return whether one more ship could reach sea robbers."""
    if game.edge_pieces_left[seat, SHIP] > 0:
        for path in where_bit(game.edge_piece_sites[SHIP], seat):
            if foe_beside(game, params, path, 0) != SEA_ROBBERS:
                return True
    return False


@measures(
    Term("prey", "probability of sinking a sea robber ship, if one more ship would reach it", 0.5),
    of=(battle_rules, ship_rules),
    memo=True,
)
def battle_ahead(game, params, seat, pool):
    return chance_to_sink(game, params, seat) if can_attack(game, params, seat) else 0.0


@measures(Term("chests", "chest tokens in hand", 0.2), of=chest_rules)
def chests_in_hand(game, params, seat, pool):
    return count_of(game.chests[seat])
