"""Declarations that several rule modules share: axes, kinds of cards, menus, events, questions."""

from catan_env.board.topology import NOTHING as NOTHING
from catan_env.engine.declare import ANY, EVERY, LEAST, MOST, Axis, Bitset, Event, Kind, Menu, Pairs, Question, Size

HEXES = Size("hexes")
INTERSECTIONS = Size("intersections")
PATHS = Size("paths")
COAST = Size("coast")
"""Coast paths in clockwise order. `params.coast_intersections` (COAST, 2) holds their ends."""
PATH_BITSET = Bitset("path_bitset", PATHS)
DEGREE = Size("degree")
"""Maximum number of paths, and of hexes, at an intersection. Arrays are padded with -1."""
CORNERS = Size("corners")
"""Maximum number of corners, and of sides, of a hex. Arrays are padded with -1."""
SIDES = Size("sides")
"""Maximum number of hexes along a path. Arrays are padded with -1."""
REGIONS = Size("region")
"""Hexes that the map marks as regions, listed in `params.region_hexes`.

Each region has a `region_island`, its island (-1 for none), and the flags `region_start`, whether initial settlements
may stand there, and `region_pirate`, whether the pirate starts there. Maps with a variable set-up also define
`region_pile`, the pile that its hex and number come from (-1 if they are fixed), and `region_most_pips`."""
TERRAIN_KINDS = Size("terrains")
"""Terrains of the scenario's map, a prefix of `TERRAINS`."""
OPPONENTS = Size("opponents")
"""The other seats, counted to the left. Argument 0 is the next seat."""

HAND_CARDS = Axis("hand_cards")
"""Kinds of cards in hands, the bank, prices and trades. Resources come first."""
RESOURCE_KINDS = tuple(Kind(name, HAND_CARDS) for name in ("lumber", "brick", "wool", "grain", "ore"))
LUMBER, BRICK, WOOL, GRAIN, ORE = RESOURCE_KINDS
NUM_RESOURCES = 5
CARD_PAIRS = Pairs("card_pairs", HAND_CARDS, "{} for 1 {}")
"""A kind to give, and another to receive."""
GOODS = Axis("goods", beyond=HAND_CARDS)
"""Goods that players trade with each other: all cards, then goods that modules add, such as tokens."""
EDGE_PIECES = Axis("edge_pieces")
"""Kinds of pieces on paths, such as roads and ships."""

NOBODY = -1
"""No seat: nobody owns, holds or decides it. `NOTHING` stands for no place, card or other entry."""
SEVEN = 7

BUILDING = Menu("building", "pieces are paid for and built")
BUYING = Menu("buying", "development cards are bought")
PLAYING_CARDS = Menu("playing_cards", "a development card is played")
BANK_TRADING = Menu("bank_trading", "cards are traded with the bank")
PLAYER_TRADING = Menu("player_trading", "cards are traded with other players")
OWN_TURN = Menu("own_turn", "whatever else belongs to the own turn after the roll")
ACTION_PHASE = Menu("action_phase", "whatever else belongs to any action phase: the own turn's, or a paired player's")

TERRAIN_LAID = Event("terrain_laid", "chance has laid the terrain of every hex; what is pushed now is drawn next")
INITIAL_PLACEMENT_BEGINS = Event(
    "initial_placement_begins", "`player` is to found first; what is pushed now is decided before"
)
EDGE_PIECE_BUILT = Event("edge_piece_built", "a way of `player` has been laid on path `where`")
EDGE_PIECE_LEAVES = Event("edge_piece_leaves", "a way of `player` is about to be taken off path `where`")
EDGE_PIECE_REMOVED = Event("edge_piece_removed", "a way of `player` has been taken off path `where`")
SETTLEMENT_BUILT = Event("settlement_built", "`player` has built a settlement on intersection `where`")
CITY_BUILT = Event("city_built", "`player` has built a city on intersection `where`")
BUILDING_REMOVED = Event(
    "building_removed", "the building of `player` on intersection `where` has been taken off the board"
)
CITY_LOST = Event("city_lost", "the city of `player` on intersection `where` has become a settlement")
BUILDING_CHANGED = (SETTLEMENT_BUILT, CITY_BUILT, CITY_LOST, BUILDING_REMOVED)
"""All changes of buildings: `@when(*BUILDING_CHANGED)` reacts to each of them, after it."""
DICE_ROLLED = Event("dice_rolled", "`player` has rolled the sum `where`")
SEVEN_ROLLED = Event("seven_rolled", "`player` has rolled a 7; what is pushed now comes after the discards")
PRODUCED = Event("produced", "the roll `where` of `player` has brought its cards")
ROBBER_MOVED = Event("robber_moved", "`player` has moved the robber to hex `where`, before any theft")
CARD_STOLEN = Event("card_stolen", "`player` has taken an unseen card from the hand of seat `where`")
CARD_BOUGHT = Event("card_bought", "`player` has bought a development card")
KNIGHT_PLAYED = Event("knight_played", "`player` has played a knight")
KNIGHT_DISCARDED = Event("knight_discarded", "`player` has given up a played knight")
MONOPOLY_PLAYED = Event("monopoly_played", "`player` has taken all cards of kind `where` from everybody")
TRADED = Event("traded", "`player` has traded with seat `where`")
GOOD_GIVEN = Event("good_given", "`player` has given away a good of kind `where`, no card, in a trade")
GOOD_RECEIVED = Event("good_received", "`player` has received a good of kind `where`, no card, in a trade")
PASSAGE_CHANGED = Event("passage_changed", "whether ways of others than `player` go on through `where` has changed")
TURN_STARTED = Event("turn_started", "the own turn of `player` has begun")
TURN_ENDED = Event("turn_ended", "the own turn of `player` is over")
PAIRED_PHASE_STARTED = Event("paired_phase_started", "the action phase of `player` in another player's turn has begun")
PAIRED_PHASE_ENDED = Event("paired_phase_ended", "the action phase of `player` in another player's turn is over")

HEX_BLOCKED = Question("hex_blocked", "whether hex `where` produces nothing", ANY)
HAND_LIMIT = Question("hand_limit", "cards `player` may hold when a 7 is rolled")
RATE = Question("rate", "cards of kind `where` that `player` gives the bank for one of another kind", LEAST, 127)
FURTHER_INCOME = Question("further_income", "cards of choice that the roll `where` brings `player`")
CARDS_IN_PLAY = Question("cards_in_play", "cards of kind `where` that there are in all")
CARDS_ASIDE = Question("cards_aside", "cards of kind `where` that are neither in hands nor in the bank")
GOODS_HELD = Question("goods_held", "goods of kind `where`, no cards, that `player` could give away")
MAY_LAY = Question("may_lay", "whether a way of kind `player` may lie on path `where`, whoever's it is", EVERY)
EDGE_PIECE_KIND = Question("edge_piece_kind", "kind of the way on path `where`")
ENDS_LINE = Question("ends_line", "whether a line of `player` is closed at intersection `where`, as at a building", ANY)
MAY_TAKE_UP = Question("may_take_up", "whether `player` may take up the own way on path `where` to move it", EVERY)
MAY_PASS = Question("may_pass", "whether ways of `player` go on through intersection `where`", EVERY)
MAY_CONTINUE = Question(
    "may_continue", "whether `player` may lay a way beyond intersection `where`, which its ways reach and pass", EVERY
)
OCCUPIED = Question("occupied", "whether a piece other than a building stands on intersection `where`", ANY)
CAN_BUILD_FREE = Question("can_build_free", "whether `player` has a place and a piece for a free way", ANY)
MAY_PLAY_MORE = Question("may_play_more", "whether `player` may play several development cards in a turn", ANY)
MAY_PLACE_INITIALLY = Question(
    "may_place_initially", "whether `player` may found on intersection `where`, where he may settle", EVERY
)
PIECES_IN_HAND = Question(
    "pieces_in_hand",
    "whether pieces are still to be set or taken off, so that Longest Road waits; `where` is the way just laid, or -1",
    ANY,
)
MAY_SETTLE = Question("may_settle", "whether `player` may settle on intersection `where`, other pieces apart", EVERY)
MAY_WIN = Question("may_win", "whether `player`, on turn, wins if he has the points", EVERY)
ROBBER_MAY_GO = Question("robber_may_go", "whether the robber may be moved to hex `where`", EVERY)
STILL_TO_ACT = Question("still_to_act", "whether `player`, not on turn, gets an action phase in the running turn", ANY)
ROBBER_RESTS = Question("robber_rests", "whether a 7 of `player` leaves the robber where it is", ANY)
SETTLEMENTS_ASIDE = Question(
    "settlements_aside", "settlement pieces of `player` that are neither to be built nor stand for `player`"
)
CITIES_LAID = Question("cities_laid", "city pieces of `player` that lie on their sides and count as settlements")
SIDE_BY_SIDE = Question("side_by_side", "whether buildings one path apart are no hindrance", ANY)
DECIDES_FOR = Question("decides_for", "seat that decides for color `player`, which nobody plays", MOST, NOBODY)
MAY_STEAL_FROM = Question("may_steal_from", "whether `player` may take cards from seat `where`", EVERY)
HAND_CONTRADICTS = Question(
    "hand_contradicts", "cards everybody knows of that the hand of `player` would lack or exceed"
)
THEFT_OPTIONAL = Question("theft_optional", "whether `player` may do without a theft at the robber's hex", ANY)

ACTS, HOLDS_CARDS, SCORES = 1, 2, 4
"""Bits of `params.traits`, in the order of `declare.TRAITS`."""


def acts(params, seat):
    """Return whether a seat belongs to a player. Neutral colors do not act."""
    return seat < params.num_players


def decider(game, params, color):
    """Return the seat that decides for a color."""
    return color if acts(params, color) else DECIDES_FOR(game, params, color)


def holds_cards(params, seat):
    """Return whether a color has a hand and takes part in production."""
    return (params.traits[seat] & HOLDS_CARDS) != 0


def scores(params, seat):
    """Return whether a color can have victory points, including those of special cards."""
    return (params.traits[seat] & SCORES) != 0


def to_the_left(params, seat, steps):
    """Return the seat `steps` places to the left."""
    return (seat + steps) % params.num_players


def count_of(numbers):
    """Return the sum of an array of small numbers, such as the number of cards in a stack."""
    total = 0
    for k in range(len(numbers)):
        total += int(numbers[k])
    return total


def rightful_holder(counts, holder, minimum):
    """Return the seat that should hold a card for the highest count, such as Largest Army.

    On a tie the holder keeps the card; if the holder is not part of the tie, nobody gets it. Counts below the minimum
    do not earn it.
    """
    highest_count = 0
    leader = NOBODY
    for seat in range(len(counts)):
        if counts[seat] > highest_count:
            highest_count = int(counts[seat])
            leader = seat
        elif counts[seat] == highest_count:
            leader = NOBODY
    if highest_count < minimum:
        return NOBODY
    if holder != NOBODY and counts[holder] == highest_count:
        return int(holder)
    return leader
