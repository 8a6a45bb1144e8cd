"""Paired players: after each turn, the player three seats to the left gets an action phase.

This newer rule for five and six players replaces the special building phase. The phase counts as the partner's turn, so
the partner can win during it. Everything except player trade is allowed.
"""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import Decision, answers, apply, legal, rule, when
from catan_env.games.base.turns import END_TURN
from catan_env.games.vocabulary import (
    ACTION_PHASE,
    BANK_TRADING,
    BUILDING,
    BUYING,
    NOBODY,
    PAIRED_PHASE_ENDED,
    PAIRED_PHASE_STARTED,
    PLAYING_CARDS,
    STILL_TO_ACT,
    TURN_ENDED,
    to_the_left,
)

PAIRED_PLAYERS = 1
STEPS_TO_PARTNER = 3

PAIRED_PHASE = Decision(
    "paired_phase",
    "trade with the bank, build, play cards or end the phase",
    menus=(BANK_TRADING, BUILDING, BUYING, PLAYING_CARDS, ACTION_PHASE),
)


@rule("base.special_building.1", "base.paired_players.1", "base.paired_players.3", "base.paired_players.4")
@when(TURN_ENDED)
def open_paired_phase(game, params, player, where):
    if params.extra_phase == PAIRED_PLAYERS:
        partner = to_the_left(params, player, STEPS_TO_PARTNER)
        game.on_turn = partner
        push(game, PAIRED_PHASE, partner)
        PAIRED_PHASE_STARTED(game, params, partner, 0)


@rule("base.paired_players.1")
@answers(STILL_TO_ACT)
def partner_acts_later(game, params, player, where):
    """The partner's phase is still pending unless the partner is already on turn.

    During that phase, the next player is not the left neighbor of the player on turn.
    """
    if params.extra_phase != PAIRED_PLAYERS or game.on_turn == NOBODY:
        return False
    partner = to_the_left(params, game.on_turn, STEPS_TO_PARTNER)
    return player == partner and to_the_left(params, game.on_turn, 1) == game.next_player


@rule("base.paired_players.2")
@legal(PAIRED_PHASE)
def may_end_paired_phase(game, params, seat, mask):
    mask[END_TURN] = True


@rule("base.paired_players.1")
@apply(END_TURN, at=(PAIRED_PHASE,))
def end_paired_phase(game, params, seat, argument):
    pop(game)
    game.on_turn = NOBODY
    PAIRED_PHASE_ENDED(game, params, seat, 0)
