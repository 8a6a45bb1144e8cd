"""The aqueduct, third level of science: whom a production brings nothing takes a resource of choice."""

from catan_env.engine.decision_stack import decision_at_hand, pop
from catan_env.engine.declare import SETTLED, rule, when
from catan_env.games.base.resources import CHOOSE_CARD, let_choose_cards, supply_size
from catan_env.games.cities_and_knights.improvements import SCIENCE, THIRD_LEVEL
from catan_env.games.vocabulary import FURTHER_INCOME, PRODUCED, count_of, to_the_left


@rule("cities_and_knights.aqueduct.1", "cities_and_knights.aqueduct.2", "cities_and_knights.sea_progress.1")
@when(PRODUCED)
def draw_from_aqueduct(game, table, player, number):
    for k in range(table.num_players - 1, -1, -1):
        owner = to_the_left(table, player, k)
        if game.improvement[owner, SCIENCE] >= THIRD_LEVEL and not brings_anything(game, table, owner, number):
            let_choose_cards(game, owner, 1)


def brings_anything(game, table, owner, number):
    """Whether a roll has brought a player a card, or will."""
    return count_of(game.income[owner]) > 0 or FURTHER_INCOME(game, table, owner, number) > 0


@rule("cities_and_knights.aqueduct.2")
@when(SETTLED)
def aqueduct_runs_dry(game, table, player, where):
    """Who comes after the last resource of the supply gets none."""
    while decision_at_hand(game) == CHOOSE_CARD and supply_size(game) == 0:
        pop(game)
