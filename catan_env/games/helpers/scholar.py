"""The scholar: buy one of the top three development cards, replacing one card of the price with any resource.

The cards stay in the stack until the player keeps one. No one else sees them or learns which one is kept.
"""

from catan_env.engine.dealing import collect, deal_again, deal_stack_again
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Draw,
    Field,
    Invariant,
    Kind,
    Number,
    apply,
    checks,
    legal,
    outcome,
    redeals,
    rule,
    weights,
)
from catan_env.engine.stacks import clear_row
from catan_env.games.base.development_cards import DECK_CARDS, NUM_CARDS, deck_size
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.helpers.substitutes import mark_substitutes, pay_with
from catan_env.games.vocabulary import CARD_BOUGHT, CARD_PAIRS, count_of

SCHOLAR = Kind("scholar", HELPERS)
KINDS = (SCHOLAR,)

FIELDS = (
    Field(
        "cards_looked_at",
        (PLAYERS, NUM_CARDS),
        "i1",
        0,
        40,
        "cards of the stack that the scholar shows to each player",
        visible=OWNER,
        show=Count(),
        labels=DECK_CARDS,
    ),
)
NUMBERS = (Number("cards_of_scholar", 3, "number of cards of the stack that the scholar shows", 1, 10),)

NEEDS = "the scholar ready, the price of a development card and a card in the stack"
CONSULT_SCHOLAR = Action("consult_scholar", "let the scholar choose a development card", needs=NEEDS)
CONSULT_WITH = Action(
    "consult_scholar_with", "let the scholar choose a development card, with {} of its price", CARD_PAIRS, NEEDS
)
KEEP_CARD = Action("keep_card", "keep the {}", DECK_CARDS, "a card of this kind among those looked at", OWNER)
ACTIONS = (CONSULT_SCHOLAR, CONSULT_WITH, KEEP_CARD)

CHOOSE_CARD_TO_KEEP = Decision("choose_card_to_keep", "keep one of the development cards seen")
LOOK_AT_CARD = Draw("look_at_card", "the scholar looks at a {}", DECK_CARDS, OWNER, argument=PLAYERS)
LOOKED_AT_IN_STACK = Invariant("looked_at_in_stack", "the cards that the scholar sees are in the stack")


@rule("helpers.scholar.1")
@legal(PLAY, BUILD)
def may_consult_scholar(game, params, seat, mask):
    if is_ready(game, seat, SCHOLAR) and deck_size(game) > 0:
        mask[CONSULT_SCHOLAR] = can_pay(game, seat, params.development_card_cost)
        mark_substitutes(game, seat, params.development_card_cost, CONSULT_WITH, mask)


@rule("helpers.scholar.1")
@apply(CONSULT_SCHOLAR)
def consult_scholar(game, params, seat, argument):
    pay(game, seat, params.development_card_cost)
    look_at_cards(game, params, seat)


@rule("helpers.scholar.1")
@apply(CONSULT_WITH)
def consult_scholar_with(game, params, seat, pair):
    pay_with(game, seat, params.development_card_cost, pair)
    look_at_cards(game, params, seat)


@rule("helpers.scholar.2", "helpers.scholar.3")
def look_at_cards(game, params, seat):
    """Let a player who has paid look at the top cards of the stack and keep one."""
    use(game, seat)
    CARD_BOUGHT(game, params, seat, 0)
    push(game, CHOOSE_CARD_TO_KEEP, seat)
    for _ in range(min(params.cards_of_scholar, deck_size(game))):
        push(game, LOOK_AT_CARD, CHANCE, seat)


@rule("helpers.scholar.2")
@weights(LOOK_AT_CARD)
def cards_not_looked_at(game, params, weights):
    for card in range(NUM_CARDS):
        weights[card] = game.deck[card] - game.cards_looked_at[head_argument(game), card]


@rule("helpers.scholar.2")
@outcome(LOOK_AT_CARD)
def look_at_card(game, params, card):
    game.cards_looked_at[head_argument(game), card] += 1
    pop(game)


@rule("helpers.scholar.2")
@legal(CHOOSE_CARD_TO_KEEP)
def cards_to_keep(game, params, seat, mask):
    for card in range(NUM_CARDS):
        mask[KEEP_CARD + card] = game.cards_looked_at[seat, card] > 0


@rule("helpers.scholar.2", "helpers.scholar.4")
@apply(KEEP_CARD)
def keep_card(game, params, seat, card):
    pop(game)
    for kind in range(NUM_CARDS):
        game.cards_looked_at[seat, kind] = 0
    game.deck[card] -= 1
    game.development_cards[seat, card] += 1
    game.new_development_cards[seat, card] += 1


@rule("helpers.scholar.5")
@redeals("development_cards", "new_development_cards", "deck", "cards_looked_at")
def redeal_cards_around_scholar(game, params, seat, pool):
    """A seat looking at cards knows them; as far as other seats know, they may be any cards from the stack."""
    for card in range(NUM_CARDS):
        game.deck[card] -= game.cards_looked_at[seat, card]
    deal_stack_again(game, pool, seat, game.development_cards, game.new_development_cards, game.deck)
    for card in range(NUM_CARDS):
        game.deck[card] += game.cards_looked_at[seat, card]
    for player in range(PLAYERS):
        if player != seat and count_of(game.cards_looked_at[player]) > 0:
            clear_row(pool)
            collect(pool, game.deck)
            deal_again(game, pool, game.cards_looked_at[player])


@rule("helpers.scholar.2")
@checks(LOOKED_AT_IN_STACK)
def looked_at_in_stack(game, params):
    for card in range(NUM_CARDS):
        for player in range(PLAYERS):
            if game.cards_looked_at[player, card] > game.deck[card]:
                return False
    return True
