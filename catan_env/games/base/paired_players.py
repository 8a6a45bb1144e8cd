"""Paired players: the later rule for five and six, in place of the special building phase.

The paired player's phase counts as an own turn, so it can be won.
"""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import Decision, apply, legal, rule, when
from catan_env.games.base.development_cards import cards_become_playable
from catan_env.games.base.turns import END_TURN
from catan_env.games.vocabulary import (
    BANK_TRADING,
    BUILDING,
    BUYING,
    NOBODY,
    PLAYING_CARDS,
    TURN_ENDED,
    to_the_left,
)

PAIRED_PLAYERS = 1
STEPS_TO_PARTNER = 3

PAIRED_PHASE = Decision(
    "paired_phase",
    "trade with the bank, build, play a development card or end the phase",
    menus=(BANK_TRADING, BUILDING, BUYING, PLAYING_CARDS),
)


@rule("base.special_building.1", "base.paired_players.1", "base.paired_players.3", "base.paired_players.4")
@when(TURN_ENDED)
def open_paired_phase(game, params, player, where):
    if params.extra_phase == PAIRED_PLAYERS:
        partner = to_the_left(params, player, STEPS_TO_PARTNER)
        game.on_turn = partner
        cards_become_playable(game, params, partner, 0)
        push(game, PAIRED_PHASE, partner)


@rule("base.paired_players.2")
@legal(PAIRED_PHASE)
def may_end_paired_phase(game, params, seat, mask):
    mask[END_TURN] = True


@rule("base.paired_players.1")
@apply(END_TURN, at=(PAIRED_PHASE,))
def end_paired_phase(game, params, seat, argument):
    pop(game)
    game.on_turn = NOBODY
