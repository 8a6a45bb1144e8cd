"""Sea Robbers: battles that could be fought soon, and the chests that sunk ships bring besides their points."""

from catan_agents.evaluation.terms import Term, measures
from catan_env.engine.bitset import blocks, first_of, with_bit
from catan_env.games.sea_robbers import battles as battle_rules
from catan_env.games.sea_robbers import chests as chest_rules
from catan_env.games.sea_robbers.battles import NUM_STRENGTHS, SEA_ROBBERS, foe_beside
from catan_env.games.seafarers import ships as ship_rules
from catan_env.games.seafarers.ships import SHIP
from catan_env.games.vocabulary import PATHS, count_of


def chance_to_sink(game, table, seat):
    """How likely a seat wins its next battle."""
    high = game.sunk[seat] >= table.wins_for_high_stack
    weaker = 0
    cards = 0
    for strength in range(NUM_STRENGTHS):
        number = table.high_stack[strength] if high else table.low_stack[strength]
        cards += number
        if strength < game.jugs[seat]:
            weaker += number
    return weaker / cards if cards > 0 else 0.0


def can_attack(game, table, seat):
    """Whether one ship more could come near sea robbers."""
    if game.ways_left[seat, SHIP] > 0:
        for block in range(blocks(PATHS)):
            places = with_bit(game.way_sites[SHIP], block, seat)
            while places:
                if foe_beside(game, table, first_of(places, block), 0) != SEA_ROBBERS:
                    return True
                places &= places - 1
    return False


@measures(
    Term("prey", "chance to sink a sea robber ship, if one ship more would come near it", 0.5),
    of=(battle_rules, ship_rules),
    kept=True,
)
def battle_ahead(game, table, seat, pool):
    return chance_to_sink(game, table, seat) if can_attack(game, table, seat) else 0.0


@measures(Term("chests", "chest tokens in hand", 0.2), of=chest_rules)
def chests_in_hand(game, table, seat, pool):
    return count_of(game.chests[seat])
