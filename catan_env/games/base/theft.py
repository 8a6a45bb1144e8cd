"""Theft: taking an unseen card from another player's hand."""

from catan_env.engine.decision_stack import CHANCE, head_argument, pending, pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Action,
    Decision,
    Draw,
    Invariant,
    answers,
    apply,
    checks,
    legal,
    outcome,
    rule,
    weights,
)
from catan_env.engine.small_sets import EMPTY, contains, count_members, first_member, only
from catan_env.engine.stacks import weigh_stack
from catan_env.games.base.resources import hand_over, hand_size
from catan_env.games.vocabulary import (
    CARD_STOLEN,
    HAND_CARDS,
    MAY_STEAL_FROM,
    OPPONENTS,
    THEFT_OPTIONAL,
    acts,
    to_the_left,
)

STEAL = Action("steal", "steal from {}", OPPONENTS, "a piece of that player at the place of the theft")
ACTIONS = (STEAL,)

CHOOSE_VICTIM = Decision("choose_victim", "choose a player to steal from")
THEFT = Draw("theft", "the stolen card is {}", HAND_CARDS, OWNER, argument=(PLAYERS, PLAYERS))
VICTIM_EXISTS = Invariant("victim_exists", "a player who chooses a victim chooses among other players")


@rule("base.robber.3")
@answers(MAY_STEAL_FROM)
def another_player(game, params, thief, victim):
    return victim != thief and acts(params, victim)


def let_steal(game, params, thief, victims):
    """Make a player steal from one of a set of victims, choosing if there are several."""
    if victims > 0:
        if count_members(victims) > 1 or THEFT_OPTIONAL(game, params, thief):
            push(game, CHOOSE_VICTIM, thief, victims)
        else:
            steal_from(game, params, thief, first_member(victims))


@rule("base.robber.2", "base.theft.1")
@legal(CHOOSE_VICTIM)
def victims_to_choose(game, params, seat, mask):
    for k in range(1, params.num_players):
        if contains(head_argument(game), to_the_left(params, seat, k)):
            mask[STEAL + k - 1] = True


@rule("base.theft.1")
@apply(STEAL)
def steal(game, params, seat, opponent):
    pop(game)
    steal_from(game, params, seat, to_the_left(params, seat, opponent + 1))


@rule("base.discarding.3", "base.robber.2", "base.theft.2")
def steal_from(game, params, thief, victim):
    """Chance picks one of the victim's cards; an empty hand yields nothing."""
    if hand_size(game, victim) > 0:
        push(game, THEFT, CHANCE, thief * PLAYERS + victim)


@rule("base.robber.2")
@weights(THEFT)
def cards_of_victim(game, params, weights):
    weigh_stack(game.hands[head_argument(game) % PLAYERS], weights)


@rule("base.robber.2")
@outcome(THEFT)
def take_stolen_card(game, params, card):
    thief = head_argument(game) // PLAYERS
    victim = head_argument(game) % PLAYERS
    pop(game)
    hand_over(game, victim, thief, card)
    CARD_STOLEN(game, params, thief, victim)


@rule("base.theft.1")
@checks(VICTIM_EXISTS)
def victim_exists(game, params):
    for position in pending(game, CHOOSE_VICTIM):
        opponents = int(game.decision_arguments[position]) & ~only(game.decision_seats[position])
        if opponents == EMPTY or opponents >= only(params.num_players):
            return False
    return True
