"""The mayor: take a resource of your choice after a roll that brings you none."""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import Action, Decision, Kind, Number, apply, legal, rule, when
from catan_env.games.base.resources import TAKE_CARD, bank_size, cards_to_choose, take
from catan_env.games.helpers.helper_cards import HELPERS, owner_of
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import NOBODY, PRODUCED, count_of

MAYOR = Kind("mayor", HELPERS)
KINDS = (MAYOR,)

NUMBERS = (Number("mayor_at_all_rolls", 1, "whether the mayor also works on the rolls of other players", 0, 1),)

DO_WITHOUT_MAYOR = Action("do_without_mayor", "do without the mayor", needs="a roll that brought no resource")
ACTIONS = (DO_WITHOUT_MAYOR,)

CALL_MAYOR = Decision("call_mayor", "use the mayor after a roll without resources, or not")


@rule("helpers.mayor.1", "helpers.mayor.2", "helpers.mayor.3", "helpers.mayor.5")
@when(PRODUCED)
def offer_compensation(game, params, roller, number):
    seat = owner_of(game, MAYOR)
    if seat != NOBODY and is_ready(game, seat, MAYOR) and (seat == roller or params.mayor_at_all_rolls):
        if count_of(game.income[seat]) == 0 and bank_size(game) > 0:
            push(game, CALL_MAYOR, seat)


@rule("helpers.mayor.1", "helpers.mayor.6")
@legal(CALL_MAYOR)
def compensations(game, params, seat, mask):
    cards_to_choose(game, params, seat, mask)
    mask[DO_WITHOUT_MAYOR] = True


@rule("helpers.mayor.1")
@apply(TAKE_CARD, at=(CALL_MAYOR,))
def take_compensation(game, params, seat, resource):
    pop(game)
    use(game, seat)
    take(game, seat, resource, 1)


@rule("helpers.mayor.4")
@apply(DO_WITHOUT_MAYOR)
def do_without_mayor(game, params, seat, argument):
    pop(game)
