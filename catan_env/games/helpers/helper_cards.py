"""Helper cards: every player has one, and the rest are in the display.

A helper is a `Kind` of the axis `HELPERS`, declared by the module that implements its rules. The stack is in the order
of the modules. During the initial placement, the display represents the stack, with the first card on top.
"""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Axis,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    apply,
    checks,
    legal,
    rule,
    set_up,
    when,
)
from catan_env.games.vocabulary import NOBODY, NOTHING, SETTLEMENT_BUILT, TURN_STARTED, acts, count_of

HELPERS = Axis("helpers")
CHOSEN = 1

FIELDS = (
    Field("helpers_held", (PLAYERS, HELPERS), "u1", 0, 1, "whether each player has each helper", show=Count()),
    Field("helper_turned", (PLAYERS,), "u1", 0, 1, "whether each player's helper shows its B side", show=Count()),
    Field(
        "helper_resting",
        (PLAYERS,),
        "u1",
        0,
        1,
        "whether each player's helper was used or received this turn, so it is not available",
        show=Count(),
    ),
    Field("display", (HELPERS,), "u1", 0, 1, "whether each helper is in the display", show=Count()),
)
NUMBERS = (
    Number("helpers_in_play", (1,) * 10, "helpers in play, in the order of the stack", 0, 1, over=HELPERS),
    Number(
        "first_helper",
        "dealt",
        "the first helper is the top card of the stack, or a choice",
        choices=("dealt", "chosen"),
    ),
)

TAKE_HELPER = Action("take_helper", "take the {}", HELPERS, "this helper in the display, other than the one just used")
ACTIONS = (TAKE_HELPER,)

CHOOSE_FIRST_HELPER = Decision("choose_first_helper", "choose the first helper")
HELPERS_CONSERVED = Invariant("helpers_conserved", "every helper in play is in the display or one player's only helper")


@rule("helpers.helper_cards.1", "helpers.helper_cards.5")
@set_up
def lay_out_helpers(game, params):
    for helper in range(HELPERS):
        game.display[helper] = params.helpers_in_play[helper]


@rule("helpers.helper_cards.2")
def first_in_display(game):
    """Return the first helper in the display or stack; NOTHING if it is empty."""
    for helper in range(HELPERS):
        if game.display[helper]:
            return helper
    return NOTHING


def helper_of(game, seat):
    """Return a seat's helper; NOTHING if it has none."""
    for helper in range(HELPERS):
        if game.helpers_held[seat, helper]:
            return helper
    return NOTHING


def owner_of(game, helper):
    """Return the seat that holds a helper; NOBODY if the helper is in the display."""
    for seat in range(PLAYERS):
        if game.helpers_held[seat, helper]:
            return seat
    return NOBODY


@rule("helpers.helper_cards.3")
def take_from_display(game, seat, helper):
    """Give a seat a helper from the display, A side up."""
    game.display[helper] = False
    game.helpers_held[seat, helper] = True
    game.helper_turned[seat] = False


@rule("helpers.helper_cards.6")
def mark_display(game, mask):
    """Mark every helper in the display."""
    for helper in range(HELPERS):
        mask[TAKE_HELPER + helper] = game.display[helper]


@rule("helpers.helper_cards.3")
@when(SETTLEMENT_BUILT)
def take_first_helper(game, params, player, where):
    """The second initial settlement brings the first helper, which can be used from the first turn on."""
    if game.turn == 0 and acts(params, player) and game.settlements_left[player] == params.settlements_per_player - 2:
        top_helper = first_in_display(game)
        if top_helper != NOTHING and params.first_helper == CHOSEN:
            push(game, CHOOSE_FIRST_HELPER, player)
        elif top_helper != NOTHING:
            take_from_display(game, player, top_helper)


@rule("helpers.helper_cards.4")
@legal(CHOOSE_FIRST_HELPER)
def helpers_to_begin_with(game, params, seat, mask):
    mark_display(game, mask)


@rule("helpers.helper_cards.4")
@apply(TAKE_HELPER, at=(CHOOSE_FIRST_HELPER,))
def begin_with_helper(game, params, seat, helper):
    pop(game)
    take_from_display(game, seat, helper)


@rule("helpers.helper_cards.8", "helpers.helper_use.3", "helpers.helper_cards.9")
@when(TURN_STARTED)
def wake_helpers(game, params, player, where):
    """Helpers used or received in the previous turn are ready again."""
    for seat in range(PLAYERS):
        game.helper_resting[seat] = False


@rule("helpers.helper_cards.1", "helpers.helper_cards.7")
@checks(HELPERS_CONSERVED)
def helpers_conserved(game, params):
    for seat in range(PLAYERS):
        if count_of(game.helpers_held[seat]) > (1 if acts(params, seat) else 0):
            return False
        if helper_of(game, seat) == NOTHING and (game.helper_turned[seat] or game.helper_resting[seat]):
            return False
    for helper in range(HELPERS):
        card_count = int(game.display[helper])
        for seat in range(PLAYERS):
            card_count += game.helpers_held[seat, helper]
        if card_count != params.helpers_in_play[helper]:
            return False
    return True
