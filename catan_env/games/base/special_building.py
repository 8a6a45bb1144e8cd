"""Special building phase for five or six players: after each turn, the other players may build and buy."""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import Action, Decision, Number, apply, legal, rule, when
from catan_env.games.vocabulary import BUILDING, BUYING, TURN_ENDED, to_the_left

SPECIAL_BUILDING = 0

NUMBERS = (
    Number(
        "extra_phase",
        "special_building",
        "phase for the other players after each turn",
        choices=("special_building", "paired_players", "none"),
    ),
)

PASS = Action("pass", "build nothing more", needs="the special building phase")
ACTIONS = (PASS,)

BUILD_SPECIALLY = Decision(
    "build_specially", "build and buy in the special building phase, or pass", menus=(BUILDING, BUYING)
)


@rule("base.special_building.1", "base.special_building.3")
@when(TURN_ENDED)
def open_special_building(game, params, player, where):
    if params.extra_phase == SPECIAL_BUILDING:
        for k in range(params.num_players - 1, 0, -1):
            push(game, BUILD_SPECIALLY, to_the_left(params, player, k))


@rule("base.special_building.1", "base.special_building.2", "base.victory.6")
@legal(BUILD_SPECIALLY)
def may_pass_on(game, params, seat, mask):
    mask[PASS] = True


@rule("base.special_building.1")
@apply(PASS)
def pass_on(game, params, seat, argument):
    pop(game)
