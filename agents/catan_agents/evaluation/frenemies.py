"""Terms for Frenemies: the favors and victory chips that favor tokens can pay for."""

from catan_agents.evaluation.terms import Term, measures
from catan_env.games.frenemies import favor_tokens as token_rules
from catan_env.games.frenemies import guild_favors as favor_rules
from catan_env.games.frenemies.favor_tokens import MASTER_BUILDERS


@measures(
    Term("favors_held", "favors that the seat's tokens pay for, including fractions, without victory chips", 0.1),
    Term("chips_held", "victory chips that the seat's tokens pay for, including fractions", 0.7),
    of=(token_rules, favor_rules),
)
def favors_in_hand(game, params, seat, pool):
    favor_sum = 0.0
    for guild in range(MASTER_BUILDERS):
        favor_sum += game.favors[seat, guild] / params.favor_costs[guild]
    chips = game.favors[seat, MASTER_BUILDERS] / params.favor_costs[MASTER_BUILDERS]
    return favor_sum, min(chips, int(game.chips_left))
