"""Progress decks: the three decks, progress cards in hand, and face-up victory cards.

The back of a card shows which deck it is from. The order and kinds of the cards under a deck are hidden.
"""

from catan_env.engine.bitset import where_equal
from catan_env.engine.dealing import collect, deal_again
from catan_env.engine.declare import (
    HIDDEN,
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Axis,
    Count,
    Feature,
    Field,
    Invariant,
    Kind,
    Number,
    Question,
    answers,
    checks,
    rule,
    set_up,
    shows,
)
from catan_env.engine.random import below
from catan_env.engine.stacks import clear_row
from catan_env.games.cities_and_knights.improvements import TRACKS
from catan_env.games.vocabulary import NOTHING

PROGRESS = Axis("progress_cards")
SCIENCE_DECK = tuple(
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
TRADE_DECK = tuple(
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
POLITICS_DECK = tuple(
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
ALCHEMY, CRANE, ENGINEERING, INVENTION, IRRIGATION, MEDICINE, MINING, PRINTING, ROAD_BUILDING, SMITHING = SCIENCE_DECK
COMMERCIAL_HARBOR, GUILD_DUES, MERCHANT, MERCHANT_FLEET, RESOURCE_MONOPOLY, TRADE_MONOPOLY = TRADE_DECK
DIPLOMACY, ENCOURAGEMENT, ESPIONAGE, INTRIGUE, SABOTAGE, TAXATION, TREASON, CONSTITUTION, WEDDING = POLITICS_DECK
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
    ),
    Field("progress_backs", (PLAYERS, TRACKS), "i1", 0, 60, "progress cards in hand of each deck", show=Count()),
    Field(
        "progress_stack",
        (PROGRESS,),
        "i1",
        0,
        MOST_OF_A_KIND,
        "progress cards not yet drawn, at the top of their decks",
        visible=HIDDEN,
    ),
    Field(
        "progress_under",
        (TRACKS, MOST_UNDER),
        "i1",
        NOTHING,
        NUM_PROGRESS - 1,
        "progress cards at the bottom of each deck, in the order in which they are drawn again, -1 for none",
        NOTHING,
        visible=HIDDEN,
    ),
    Field(
        "open_cards",
        (PLAYERS, len(OPEN_CARDS)),
        "i1",
        0,
        MOST_OF_A_KIND,
        "open victory cards of each player",
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
)

PROGRESS_BARRED = Question("progress_barred", "progress cards of kind `where` that `player` cannot play yet")
DECK_HEIGHTS = Feature("progress_decks", TRACKS, 60, "cards in each deck")
PROGRESS_CONSERVED = Invariant("progress_conserved", "hands, decks and open cards add up to the full set")


@rule("cities_and_knights.progress_decks.1")
@set_up
def shuffle_decks(game, params):
    for card in range(PROGRESS):
        game.progress_stack[card] = params.progress_set[card]


# -- decks -------------------------------------------------------------------------------------------------


def first_index(track):
    """Return the index of a deck's first card."""
    if track == 0:
        return 0
    return FIRST_TRADE if track == 1 else FIRST_POLITICS


def end_of(track):
    """Return the index just past a deck's last card."""
    if track == 2:
        return NUM_PROGRESS
    return first_index(track + 1)


def deck_of(card):
    """Return the track of the deck that a card belongs to."""
    return int(card >= FIRST_TRADE) + int(card >= FIRST_POLITICS)


def not_drawn_yet(game, track):
    """Return how many of a deck's cards have not been drawn yet."""
    card_count = 0
    for card in range(first_index(track), end_of(track)):
        card_count += int(game.progress_stack[card])
    return card_count


def cards_under(game, track):
    """Return the number of cards that have been put under a deck."""
    for empty_slot in where_equal(game.progress_under[track], NOTHING):
        return empty_slot
    return MOST_UNDER


def deck_height(game, track):
    """Return how many cards can be drawn from a deck."""
    return not_drawn_yet(game, track) + cards_under(game, track)


@rule("cities_and_knights.progress_decks.2")
def put_under(game, card):
    """Put a card under its deck."""
    track = deck_of(card)
    game.progress_under[track, cards_under(game, track)] = card


def take_from_under(game, track):
    """Take the card that has been under a deck the longest."""
    last_slot = cards_under(game, track) - 1
    for slot in range(last_slot):
        game.progress_under[track, slot] = game.progress_under[track, slot + 1]
    game.progress_under[track, last_slot] = NOTHING


def is_victory_card(card):
    """Return whether a card is worth a victory point."""
    return card in (PRINTING, CONSTITUTION)


def progress_held(game, player):
    """Return how many progress cards a player holds."""
    card_count = 0
    for track in range(TRACKS):
        card_count += int(game.progress_backs[player, track])
    return card_count


@rule("cities_and_knights.progress_decks.1")
@shows(DECK_HEIGHTS)
def show_heights(game, params, seat, track):
    """A deck contains all of its cards that are neither in a hand nor face up."""
    card_count = 0
    for card in range(first_index(track), end_of(track)):
        card_count += int(params.progress_set[card])
    for player in range(PLAYERS):
        card_count -= int(game.progress_backs[player, track])
        if track == deck_of(PRINTING):
            card_count -= int(game.open_cards[player, 0])
        if track == deck_of(CONSTITUTION):
            card_count -= int(game.open_cards[player, 1])
    return card_count


def gain_progress(game, player, card):
    """Add a progress card to a hand."""
    game.progress[player, card] += 1
    game.progress_backs[player, deck_of(card)] += 1


def lose_progress(game, player, card):
    """Remove a progress card from a hand."""
    game.progress[player, card] -= 1
    game.progress_backs[player, deck_of(card)] -= 1


def holds_any(game, seat, track):
    """Return whether a player holds any progress card from a deck."""
    return game.progress_backs[seat, track] > 0


def holds(game, params, seat, card):
    """Return whether a player holds a progress card and may play it."""
    return game.progress[seat, card] > PROGRESS_BARRED(game, params, seat, card)


def play_card(game, seat, card):
    """Move a card from a hand to the bottom of its deck."""
    lose_progress(game, seat, card)
    put_under(game, card)


@rule("cities_and_knights.progress_cards.2")
@answers(PUBLIC_POINTS)
def points_of_open_cards(game, params, player, where):
    return int(game.open_cards[player, 0]) + int(game.open_cards[player, 1])


# -- invariants and hidden cards ---------------------------------------------------------------------------


@rule("cities_and_knights.progress_decks.1")
@checks(PROGRESS_CONSERVED)
def progress_conserved(game, params):
    for card in range(PROGRESS):
        card_count = int(game.progress_stack[card])
        for player in range(PLAYERS):
            card_count += int(game.progress[player, card])
            if is_victory_card(card):
                card_count += int(game.open_cards[player, int(card != PRINTING)])
        track = deck_of(card)
        for slot in range(MOST_UNDER):
            card_count += int(game.progress_under[track, slot] == card)
        if card_count != params.progress_set[card]:
            return False
    for player in range(PLAYERS):
        for track in range(TRACKS):
            back_count = 0
            for card in range(first_index(track), end_of(track)):
                back_count += int(game.progress[player, card])
            if back_count != game.progress_backs[player, track]:
                return False
    return True


def deal_progress(game, seat, host, pool):
    """Redeal the progress cards that are hidden from a seat that knows the hand of `host`.

    Hands and decks keep their sizes. Since victory cards would be face up, none is dealt to a hand or under a deck.
    """
    clear_row(pool)
    collect(pool, game.progress_stack)
    for player in range(PLAYERS):
        if player != seat and player != host:
            collect(pool, game.progress[player])
    for track in range(TRACKS):
        for slot in range(cards_under(game, track)):
            pool[game.progress_under[track, slot]] += 1
    printing_count, constitution_count = pool[PRINTING], pool[CONSTITUTION]
    pool[PRINTING] = 0
    pool[CONSTITUTION] = 0
    for track in range(TRACKS):
        first_card, end_card = first_index(track), end_of(track)
        for player in range(PLAYERS):
            if player != seat and player != host:
                deal_again(game, pool[first_card:end_card], game.progress[player, first_card:end_card])
        for slot in range(cards_under(game, track)):
            game.progress_under[track, slot] = draw_from(game, pool, first_card, end_card)
    pool[PRINTING] = printing_count
    pool[CONSTITUTION] = constitution_count
    for card in range(PROGRESS):
        game.progress_stack[card] = pool[card]


def draw_from(game, pool, first, end):
    """Draw a card of one deck from a pool, uniformly at random."""
    card_count = 0
    for card in range(first, end):
        card_count += pool[card]
    cards_to_pass = below(game, card_count)
    card = first
    while cards_to_pass >= pool[card]:
        cards_to_pass -= pool[card]
        card += 1
    pool[card] -= 1
    return card
