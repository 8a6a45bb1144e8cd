"""The aqueduct, level 3 of science: if a production roll brings its owner nothing, the owner chooses a resource."""

from catan_env.engine.decision_stack import current_decision, pop
from catan_env.engine.declare import ACTION_RESOLVED, rule, when
from catan_env.games.base.resources import CHOOSE_CARD, bank_size, let_choose_cards
from catan_env.games.cities_and_knights.improvements import SCIENCE, THIRD_LEVEL
from catan_env.games.vocabulary import FURTHER_INCOME, PRODUCED, count_of, to_the_left


@rule("cities_and_knights.aqueduct.1", "cities_and_knights.aqueduct.2", "cities_and_knights.sea_progress.1")
@when(PRODUCED)
def draw_from_aqueduct(game, params, player, number):
    for k in range(params.num_players - 1, -1, -1):
        owner = to_the_left(params, player, k)
        if game.improvement[owner, SCIENCE] >= THIRD_LEVEL and not brings_anything(game, params, owner, number):
            let_choose_cards(game, owner, 1)


def brings_anything(game, params, owner, number):
    """Return whether a roll has brought or will bring a player any cards."""
    return count_of(game.income[owner]) > 0 or FURTHER_INCOME(game, params, owner, number) > 0


@rule("cities_and_knights.aqueduct.2")
@when(ACTION_RESOLVED)
def aqueduct_runs_dry(game, params, player, where):
    """Once the bank is empty, players who have yet to choose get nothing."""
    while current_decision(game) == CHOOSE_CARD and bank_size(game) == 0:
        pop(game)
