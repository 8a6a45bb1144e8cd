"""Card counting: what a note-taker at the table knows of each hand, as the least and the most of every resource.

Optional: play "base+card_counting". Every gain and payment is public; only stolen cards are not. Sums that
everybody knows narrow the bounds again: the size of each hand, and how many cards of each kind are out of the
supply. Cards laid aside for a 7 count as held until they reach the supply. The bounds always hold the true hand;
what only a comparison of several past thefts would tell, or an offer nobody took, is not used.

Source: bigbox.md A5 ("Hand size": the number is public, the kinds are not).
"""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.declare import NOBODY, PLAYERS, SETTLED, Count, Field, Invariant, checks, when
from catan_env.rules.vocabulary import CARD_STOLEN, MONOPOLY_PLAYED, NUM_RESOURCES

FIELDS = (
    Field(
        "least", (PLAYERS, NUM_RESOURCES), "i1", 0, 30, "cards each player surely holds", show=Count(), labels=RESOURCES
    ),
    Field("most", (PLAYERS, NUM_RESOURCES), "i1", 0, 30, "cards each player may hold", show=Count(), labels=RESOURCES),
    Field("counted", (PLAYERS, NUM_RESOURCES), "i1", 0, 60, "hands as last accounted for", visible=NOBODY),
)
BOUNDS_HOLD = Invariant("bounds_hold", "every hand lies within what a note-taker knows of it")


def held(game, player, resource):
    """Cards of a player, those laid aside included."""
    return int(game.hands[player, resource]) + int(game.discards[player, resource])


@when(CARD_STOLEN)
def lose_sight_of_card(game, table, thief, victim):
    """The stolen card is one of the kinds that the victim may hold."""
    for resource in range(NUM_RESOURCES):
        if game.most[victim, resource] > 0:
            game.most[thief, resource] += 1
            game.least[victim, resource] = max(game.least[victim, resource] - 1, 0)
        game.counted[victim, resource] = held(game, victim, resource)
        game.counted[thief, resource] = held(game, thief, resource)
    narrow(game, table)


@when(MONOPOLY_PLAYED)
def see_hands_emptied(game, table, player, resource):
    """Everybody else has given up all cards of the kind, the player has received what they had."""
    taken = held(game, player, resource) - game.counted[player, resource]
    for other in range(table.num_players):
        if other == player:
            game.least[other, resource] += taken
            game.most[other, resource] += taken
        else:
            game.least[other, resource] = 0
            game.most[other, resource] = 0
        game.counted[other, resource] = held(game, other, resource)
    narrow(game, table)


@when(SETTLED)
def note_changes(game, table, player, where):
    """Gains and payments are seen by all; who pays cards is known to have held them."""
    changed = False
    for owner in range(table.num_players):
        for resource in range(NUM_RESOURCES):
            change = held(game, owner, resource) - game.counted[owner, resource]
            if change != 0:
                changed = True
                game.counted[owner, resource] += change
                game.least[owner, resource] = max(game.least[owner, resource] + change, 0 if change < 0 else change)
                game.most[owner, resource] += change
    if changed:
        narrow(game, table)


def narrow(game, table):
    """Narrows all bounds by the known sizes of hands and numbers of cards of a kind, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for owner in range(table.num_players):
            size = 0
            least = 0
            most = 0
            for resource in range(NUM_RESOURCES):
                size += held(game, owner, resource)
                least += int(game.least[owner, resource])
                most += int(game.most[owner, resource])
            for resource in range(NUM_RESOURCES):
                others_least = least - game.least[owner, resource]
                others_most = most - game.most[owner, resource]
                if bound(game, owner, resource, size - others_most, size - others_least):
                    changed = True
                least = others_least + game.least[owner, resource]
                most = others_most + game.most[owner, resource]
        for resource in range(NUM_RESOURCES):
            out = 0
            least = 0
            most = 0
            for owner in range(table.num_players):
                out += held(game, owner, resource)
                least += int(game.least[owner, resource])
                most += int(game.most[owner, resource])
            for owner in range(table.num_players):
                others_least = least - game.least[owner, resource]
                others_most = most - game.most[owner, resource]
                if bound(game, owner, resource, out - others_most, out - others_least):
                    changed = True
                least = others_least + game.least[owner, resource]
                most = others_most + game.most[owner, resource]


def bound(game, owner, resource, low, high):
    """Narrows one pair of bounds; returns whether that changed it."""
    changed = False
    if game.least[owner, resource] < low:
        game.least[owner, resource] = low
        changed = True
    if game.most[owner, resource] > high:
        game.most[owner, resource] = high
        changed = True
    return changed


@checks(BOUNDS_HOLD)
def bounds_hold(game, table):
    for owner in range(table.num_players):
        for resource in range(NUM_RESOURCES):
            cards = held(game, owner, resource)
            if not game.least[owner, resource] <= cards <= game.most[owner, resource]:
                return False
    return True
