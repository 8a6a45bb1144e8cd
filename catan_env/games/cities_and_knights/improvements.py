"""City improvements: three tracks of five levels; each track has a commodity that pays for its levels.

Buying a level requires a city; keeping a level does not.
"""

from catan_env.engine.declare import (
    EVERY,
    PLAYERS,
    Action,
    Axis,
    Count,
    Event,
    Field,
    Kind,
    Question,
    apply,
    legal,
    rule,
)
from catan_env.engine.small_sets import EMPTY, members, only_if
from catan_env.engine.stacks import move_card
from catan_env.games.cities_and_knights.commodities import PAPER
from catan_env.games.vocabulary import BUILDING, CITIES_LAID

TRACKS = Axis("tracks")
SCIENCE, TRADE, POLITICS = Kind("science", TRACKS), Kind("trade", TRACKS), Kind("politics", TRACKS)
KINDS = (SCIENCE, TRADE, POLITICS)
LEVELS = 5
THIRD_LEVEL = 3

FIELDS = (Field("improvement", (PLAYERS, TRACKS), "i1", 0, LEVELS, "level of each player on each track", show=Count()),)

IMPROVE = Action(
    "improve",
    "improve the own cities in {}",
    TRACKS,
    "a city, the commodities for the next level, and for a metropolis a city without one",
)
ACTIONS = (IMPROVE,)

MAY_IMPROVE = Question("may_improve", "whether `player` can buy the next level of track `where`", EVERY)
IMPROVED = Event("improved", "`player` has reached the next level of track `where`")


def commodity_of(track):
    """Return the commodity that pays for a track."""
    return PAPER + track


@rule("cities_and_knights.improvements.2")
def has_city(game, params, seat):
    """Return whether a player has a city that is not lying on its side."""
    return params.cities_per_player - game.cities_left[seat] > CITIES_LAID(game, params, seat)


@rule("cities_and_knights.improvements.1")
def price_of(game, seat, track, saved):
    """Return the price of the next level in commodities: the number of the level minus the discount `saved`."""
    return max(game.improvement[seat, track] + 1 - saved, 0)


def is_payable(game, seat, track, saved):
    """Return whether a player can pay for a track's next level with a discount of `saved` commodities."""
    has_enough = game.hands[seat, commodity_of(track)] >= price_of(game, seat, track, saved)
    return has_enough & (game.improvement[seat, track] < LEVELS)


@rule("cities_and_knights.improvements.2")
def mark_improvements(game, params, seat, saved, first, mask):
    """Mark the tracks whose next level a player can buy at discount `saved`, with action ids starting at `first`."""
    payable_tracks = EMPTY
    for track in range(TRACKS):
        payable_tracks |= only_if(is_payable(game, seat, track, saved), track)
    if payable_tracks != EMPTY and has_city(game, params, seat):
        for track in members(payable_tracks):
            mask[first + track] = MAY_IMPROVE(game, params, seat, track)


def go_up(game, params, seat, track, saved):
    """Buy the next level of a track."""
    price = price_of(game, seat, track, saved)
    move_card(game.hands[seat], game.bank, commodity_of(track), price)
    game.improvement[seat, track] += 1
    IMPROVED(game, params, seat, track)


@rule("cities_and_knights.improvements.1")
@legal(BUILDING)
def tracks_to_improve(game, params, seat, mask):
    mark_improvements(game, params, seat, 0, IMPROVE, mask)


@rule("cities_and_knights.improvements.1")
@apply(IMPROVE)
def improve(game, params, seat, track):
    go_up(game, params, seat, track, 0)
