"""Progress cards: three decks, drawn at the city gates, of which nobody keeps more than four.

Sources: cities_and_knights.md 2 ("gate", "Hand limit", victory cards face up at once), 7 (played and discarded cards go
under their deck); cities_and_knights.yaml `progress_cards`, `progress_hand_limit`.

The files `science_cards`, `trade_cards` and `politics_cards` say what the cards do. A card goes face down under its
deck, so that nothing on the table tells what lies there.
"""

from catan_env.engine.dealing import collect, deal_anew, empty
from catan_env.engine.declare import (
    NOBODY,
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Axis,
    Count,
    Decision,
    Draw,
    Feature,
    Field,
    Invariant,
    Kind,
    Number,
    answers,
    apply,
    checks,
    legal,
    outcome,
    set_up,
    shows,
    weights,
    when,
)
from catan_env.engine.queue import CHANCE, head_argument, pop, push
from catan_env.engine.random import below
from catan_env.rules.cities_and_knights.event_dice import GATE_ROLLED
from catan_env.rules.cities_and_knights.improvements import TRACKS
from catan_env.rules.vocabulary import NOTHING, TURN_ENDED, to_the_left

PROGRESS = Axis("progress_cards")
SCIENCE_DECK = (
    ALCHEMY,
    CRANE,
    ENGINEERING,
    INVENTION,
    IRRIGATION,
    MEDICINE,
    MINING,
    PRINTING,
    ROAD_BUILDING,
    SMITHING,
) = tuple(
    Kind(name, PROGRESS)
    for name in (
        "alchemy",
        "crane",
        "engineering",
        "invention",
        "irrigation",
        "medicine",
        "mining",
        "printing",
        "road_building",
        "smithing",
    )
)
TRADE_DECK = (COMMERCIAL_HARBOR, GUILD_DUES, MERCHANT, MERCHANT_FLEET, RESOURCE_MONOPOLY, TRADE_MONOPOLY) = tuple(
    Kind(name, PROGRESS)
    for name in (
        "commercial_harbor",
        "guild_dues",
        "merchant",
        "merchant_fleet",
        "resource_monopoly",
        "trade_monopoly",
    )
)
POLITICS_DECK = (
    DIPLOMACY,
    ENCOURAGEMENT,
    ESPIONAGE,
    INTRIGUE,
    SABOTAGE,
    TAXATION,
    TREASON,
    CONSTITUTION,
    WEDDING,
) = tuple(
    Kind(name, PROGRESS)
    for name in (
        "diplomacy",
        "encouragement",
        "espionage",
        "intrigue",
        "sabotage",
        "taxation",
        "treason",
        "constitution",
        "wedding",
    )
)
KINDS = (*SCIENCE_DECK, *TRADE_DECK, *POLITICS_DECK)
FIRST_TRADE, FIRST_POLITICS = len(SCIENCE_DECK), len(SCIENCE_DECK) + len(TRADE_DECK)
NUM_PROGRESS = len(KINDS)
MOST_OF_A_KIND = 6
MOST_UNDER = MOST_OF_A_KIND * len(SCIENCE_DECK)
OPEN_CARDS = ("printing", "constitution")

FIELDS = (
    Field(
        "progress",
        (PLAYERS, PROGRESS),
        "i1",
        0,
        MOST_OF_A_KIND,
        "progress cards in hand",
        visible=OWNER,
        show=Count(),
        total=True,
    ),
    Field(
        "progress_stack",
        (PROGRESS,),
        "i1",
        0,
        MOST_OF_A_KIND,
        "progress cards not yet drawn, on top of their decks",
        visible=NOBODY,
    ),
    Field(
        "progress_under",
        (TRACKS, MOST_UNDER),
        "i1",
        NOTHING,
        NUM_PROGRESS - 1,
        "progress cards under each deck, in the order they come up again, -1 none",
        NOTHING,
        visible=NOBODY,
    ),
    Field(
        "open_cards",
        (PLAYERS, len(OPEN_CARDS)),
        "i1",
        0,
        MOST_OF_A_KIND,
        "victory cards that lie open before each player",
        show=Count(),
        labels=OPEN_CARDS,
    ),
)
NUMBERS = (
    Number(
        "progress_set",
        (2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 6, 2, 4, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2),
        "progress cards of each kind",
        0,
        MOST_OF_A_KIND,
        over=PROGRESS,
    ),
    Number("progress_limit", 4, "progress cards that a player may keep", 0, 54),
)

DISCARD_PROGRESS = Action(
    "discard_progress", "put {} under its deck", PROGRESS, "such a card in hand, and more than one may keep", OWNER
)
FORGO = Action("forgo", "leave it at that", needs="an effect that may be left out")
ACTIONS = (DISCARD_PROGRESS, FORGO)

LEAVE_PROGRESS = Decision("leave_progress", "put a progress card too many under its deck")
DRAW_PROGRESS = Draw("draw_progress", "the progress card is {}", PROGRESS, OWNER, argument=(PLAYERS, TRACKS))
PROGRESS_BACKS = Feature("progress_backs", PLAYERS, 54, "progress cards that each player holds of each deck", TRACKS)
DECK_HEIGHTS = Feature("progress_decks", TRACKS, 60, "cards of each deck")
PROGRESS_CONSERVED = Invariant("progress_conserved", "hands, decks and open cards make up the whole set")


@set_up
def shuffle_decks(game, table):
    for card in range(PROGRESS):
        game.progress_stack[card] = table.progress_set[card]


# -- decks -------------------------------------------------------------------------------------------------


def first_of(track):
    """The first card of a deck."""
    if track == 0:
        return 0
    return FIRST_TRADE if track == 1 else FIRST_POLITICS


def end_of(track):
    """One past the last card of a deck."""
    if track == 2:
        return NUM_PROGRESS
    return first_of(track + 1)


def deck_of(card):
    """The track of whose deck a card is."""
    return (card >= FIRST_TRADE) + (card >= FIRST_POLITICS)


def not_drawn_yet(game, track):
    """Cards of a deck that nobody has drawn so far."""
    cards = 0
    for card in range(first_of(track), end_of(track)):
        cards += int(game.progress_stack[card])
    return cards


def cards_under(game, track):
    """Cards that were put under a deck."""
    cards = 0
    while cards < MOST_UNDER and game.progress_under[track, cards] != NOTHING:
        cards += 1
    return cards


def deck_height(game, track):
    """Cards of a deck that can be drawn."""
    return not_drawn_yet(game, track) + cards_under(game, track)


def put_under(game, card):
    """Puts a card under its deck."""
    track = deck_of(card)
    game.progress_under[track, cards_under(game, track)] = card


def is_victory_card(card):
    """Whether a card is a victory point."""
    return card == PRINTING or card == CONSTITUTION


def held_of(game, player, track):
    """Cards of a deck in a player's hand."""
    cards = 0
    for card in range(first_of(track), end_of(track)):
        cards += int(game.progress[player, card])
    return cards


def progress_held(game, player):
    """Progress cards in a player's hand."""
    return held_of(game, player, 0) + held_of(game, player, 1) + held_of(game, player, 2)


@shows(PROGRESS_BACKS)
def show_backs(game, table, seat, index):
    return held_of(game, index // TRACKS, index % TRACKS)


@shows(DECK_HEIGHTS)
def show_heights(game, table, seat, track):
    return deck_height(game, track)


# -- drawing -----------------------------------------------------------------------------------------------


@when(GATE_ROLLED)
def draw_at_gate(game, table, player, track):
    """Everybody with a level on the track that the red die does not exceed by more than one, in turn order, as long as
    there are cards."""
    left = deck_height(game, track)
    drawing = 0
    for k in range(table.num_players):
        if draws_at_gate(game, to_the_left(table, player, k), track) and drawing < left:
            drawing += 1
    for k in range(table.num_players - 1, -1, -1):
        seat = to_the_left(table, player, k)
        if draws_at_gate(game, seat, track):
            if drawers_before(game, table, player, k, track) < drawing:
                let_draw(game, seat, track)


def draws_at_gate(game, seat, track):
    """Whether the red die lets a player draw."""
    level = game.improvement[seat, track]
    return level > 0 and game.red_die <= level + 1


def drawers_before(game, table, player, steps, track):
    """How many of the players before that many steps to the left draw."""
    number = 0
    for k in range(steps):
        number += draws_at_gate(game, to_the_left(table, player, k), track)
    return number


def let_draw(game, player, track):
    """Lets a player draw the top card of a deck that has one."""
    push(game, DRAW_PROGRESS, CHANCE, player * TRACKS + track)


@weights(DRAW_PROGRESS)
def cards_on_top(game, table, weights):
    """Any card not yet drawn; after those, what was put under the deck first."""
    track = head_argument(game) % TRACKS
    if not_drawn_yet(game, track) > 0:
        for card in range(first_of(track), end_of(track)):
            weights[card] = game.progress_stack[card]
    else:
        weights[game.progress_under[track, 0]] = 1


@outcome(DRAW_PROGRESS)
def draw_progress(game, table, card):
    player = head_argument(game) // TRACKS
    track = head_argument(game) % TRACKS
    pop(game)
    if not_drawn_yet(game, track) > 0:
        game.progress_stack[card] -= 1
    else:
        take_from_under(game, track)
    if is_victory_card(card):
        game.open_cards[player, int(card != PRINTING)] += 1
    else:
        game.progress[player, card] += 1
        if player != game.on_turn and progress_held(game, player) > table.progress_limit:
            push(game, LEAVE_PROGRESS, player)


def take_from_under(game, track):
    """Takes the card that has lain longest under a deck."""
    for place in range(MOST_UNDER - 1):
        game.progress_under[track, place] = game.progress_under[track, place + 1]
    game.progress_under[track, MOST_UNDER - 1] = NOTHING


@answers(PUBLIC_POINTS)
def points_of_open_cards(game, table, player, where):
    return int(game.open_cards[player, 0]) + int(game.open_cards[player, 1])


# -- the limit ---------------------------------------------------------------------------------------------


@when(TURN_ENDED)
def leave_cards_too_many(game, table, player, where):
    for _ in range(progress_held(game, player) - table.progress_limit):
        push(game, LEAVE_PROGRESS, player)


@legal(LEAVE_PROGRESS)
def progress_to_leave(game, table, seat, mask):
    for card in range(PROGRESS):
        mask[DISCARD_PROGRESS + card] = game.progress[seat, card] > 0


@apply(DISCARD_PROGRESS)
def discard_progress(game, table, seat, card):
    pop(game)
    play_card(game, seat, card)


# -- playing -----------------------------------------------------------------------------------------------


def play_card(game, seat, card):
    """Puts a card from the hand under its deck."""
    game.progress[seat, card] -= 1
    put_under(game, card)


def holds(game, seat, card):
    """Whether a player has a card."""
    return game.progress[seat, card] > 0


@apply(FORGO)
def forgo(game, table, seat, argument):
    pop(game)


# -- invariants and hidden cards ---------------------------------------------------------------------------


@checks(PROGRESS_CONSERVED)
def progress_conserved(game, table):
    for card in range(PROGRESS):
        cards = int(game.progress_stack[card])
        for player in range(PLAYERS):
            cards += int(game.progress[player, card])
            if is_victory_card(card):
                cards += int(game.open_cards[player, int(card != PRINTING)])
        track = deck_of(card)
        for place in range(MOST_UNDER):
            cards += int(game.progress_under[track, place] == card)
        if cards != table.progress_set[card]:
            return False
    return True


def deal_progress(game, seat, host, pool):
    """Deals anew what a seat does not see that knows the hand of a host: hands and decks keep their sizes, and victory
    cards, which would lie open, are in no hand and under no deck."""
    empty(pool)
    collect(pool, game.progress_stack)
    for player in range(PLAYERS):
        if player != seat and player != host:
            collect(pool, game.progress[player])
    for track in range(TRACKS):
        for place in range(cards_under(game, track)):
            pool[game.progress_under[track, place]] += 1
    printing, constitution = pool[PRINTING], pool[CONSTITUTION]
    pool[PRINTING] = 0
    pool[CONSTITUTION] = 0
    for track in range(TRACKS):
        first, end = first_of(track), end_of(track)
        for player in range(PLAYERS):
            if player != seat and player != host:
                deal_anew(game, pool[first:end], game.progress[player, first:end])
        for place in range(cards_under(game, track)):
            game.progress_under[track, place] = draw_from(game, pool, first, end)
    pool[PRINTING] = printing
    pool[CONSTITUTION] = constitution
    for card in range(PROGRESS):
        game.progress_stack[card] = pool[card]


def draw_from(game, pool, first, end):
    """Takes a card of a deck out of a pool, each as likely as any other."""
    left = 0
    for card in range(first, end):
        left += pool[card]
    rest = below(game, left)
    card = first
    while rest >= pool[card]:
        rest -= pool[card]
        card += 1
    pool[card] -= 1
    return card
