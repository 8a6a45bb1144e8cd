"""Declarations shared by several rule modules: axes, kinds of cards, menus, events and questions."""

from catan_env.board.topology import NOTHING as NOTHING
from catan_env.engine.declare import ANY, EVERY, LEAST, MOST, Axis, Bitset, Event, Kind, Menu, Pairs, Question, Size

HEXES = Size("hexes")
INTERSECTIONS = Size("intersections")
PATHS = Size("paths")
COAST = Size("coast")
"""Coast paths in clockwise order; `params.coast_intersections` (COAST, 2) holds their ends."""
PATH_BITSET = Bitset("path_bitset", PATHS)
DEGREE = Size("degree")
"""Maximum number of paths, and of hexes, at an intersection. Arrays are padded with -1."""
CORNERS = Size("corners")
"""Maximum number of corners, and of sides, of a hex. Arrays are padded with -1."""
SIDES = Size("sides")
"""Maximum number of hexes along a path. Arrays are padded with -1."""
REGIONS = Size("region")
"""Hexes that the map marks as regions, listed in `params.region_hexes`.

Each region has a `region_island`, its island (-1 for none), and two flags: `region_start` says whether initial
settlements are allowed there, and `region_pirate` whether the pirate starts there. Maps with a variable setup also
define `region_most_pips` and `region_pile`, the pile from which the hex and its number are drawn (-1 if they are
fixed)."""
TERRAIN_KINDS = Size("terrains")
"""Terrains of the scenario's map, a prefix of `TERRAINS`."""
OPPONENTS = Size("opponents")
"""The other seats, in order to the left. Argument 0 is the next seat."""

HAND_CARDS = Axis("hand_cards")
"""Kinds of cards in hands, the bank, prices and trades. Resources come first."""
RESOURCE_KINDS = tuple(Kind(name, HAND_CARDS) for name in ("lumber", "brick", "wool", "grain", "ore"))
LUMBER, BRICK, WOOL, GRAIN, ORE = RESOURCE_KINDS
NUM_RESOURCES = 5
CARD_PAIRS = Pairs("card_pairs", HAND_CARDS, "{} for 1 {}")
"""A kind to give and another to receive."""
GOODS = Axis("goods", beyond=HAND_CARDS)
"""Goods that players trade with each other: all cards, then any goods that modules add, such as tokens."""
EDGE_PIECES = Axis("edge_pieces")
"""Kinds of pieces on paths, such as roads and ships."""

NOBODY = -1
"""No seat: there is no owner, holder or decider. `NOTHING` is the equivalent for places, cards and other entries."""
SEVEN = 7

BUILDING = Menu("building", "build pieces for their price")
BUYING = Menu("buying", "buy development cards")
PLAYING_CARDS = Menu("playing_cards", "play a development card")
BANK_TRADING = Menu("bank_trading", "trade cards with the bank")
PLAYER_TRADING = Menu("player_trading", "trade cards with other players")
OWN_TURN = Menu("own_turn", "other actions in the own turn after the roll")
ACTION_PHASE = Menu("action_phase", "other actions in any action phase, of the own turn or of a paired player")

TERRAIN_LAID = Event("terrain_laid", "the terrain of every hex is drawn; draws that a reaction pushes come next")
INITIAL_PLACEMENT_BEGINS = Event(
    "initial_placement_begins",
    "`player` is about to place the first settlement; decisions that a reaction pushes come before",
)
EDGE_PIECE_BUILT = Event("edge_piece_built", "`player` has placed an edge piece on path `where`")
EDGE_PIECE_LEAVES = Event("edge_piece_leaves", "an edge piece of `player` is about to leave path `where`")
EDGE_PIECE_REMOVED = Event("edge_piece_removed", "an edge piece of `player` has left path `where`")
SETTLEMENT_BUILT = Event("settlement_built", "`player` has built a settlement on intersection `where`")
CITY_BUILT = Event("city_built", "`player` has built a city on intersection `where`")
BUILDING_REMOVED = Event(
    "building_removed", "the building of `player` on intersection `where` has been taken off the board"
)
CITY_LOST = Event("city_lost", "the city of `player` on intersection `where` has become a settlement")
BUILDING_CHANGED = (SETTLEMENT_BUILT, CITY_BUILT, CITY_LOST, BUILDING_REMOVED)
"""All changes to buildings; `@when(*BUILDING_CHANGED)` reacts after each of them."""
HARBOR_PLACED = Event("harbor_placed", "`player` has placed a harbor on coast path `where` during the game")
DICE_ROLLED = Event("dice_rolled", "`player` has rolled the total `where`")
SEVEN_ROLLED = Event(
    "seven_rolled", "`player` has rolled a 7; decisions that a reaction pushes come after the discards"
)
PRODUCED = Event("produced", "players have received the cards of the roll `where` of `player`")
ROBBER_MOVED = Event("robber_moved", "`player` has moved the robber to hex `where`, before any theft")
CARD_STOLEN = Event("card_stolen", "`player` has taken an unseen card from the hand of seat `where`")
CARD_BOUGHT = Event("card_bought", "`player` has bought a development card")
KNIGHT_PLAYED = Event("knight_played", "`player` has played a knight")
KNIGHT_DISCARDED = Event("knight_discarded", "`player` has given up a played knight")
MONOPOLY_PLAYED = Event("monopoly_played", "`player` has taken all cards of kind `where` from everybody")
TRADED = Event("traded", "`player` has traded with seat `where`")
GOOD_GIVEN = Event("good_given", "`player` has given away a good of kind `where`, no card, in a trade")
GOOD_RECEIVED = Event("good_received", "`player` has received a good of kind `where`, no card, in a trade")
PASSAGE_CHANGED = Event(
    "passage_changed", "routes of players other than `player` through `where` may have opened or closed"
)
TURN_STARTED = Event("turn_started", "the own turn of `player` has begun")
TURN_ENDED = Event("turn_ended", "the own turn of `player` has ended")
PAIRED_PHASE_STARTED = Event("paired_phase_started", "the action phase of `player` in another player's turn has begun")
PAIRED_PHASE_ENDED = Event("paired_phase_ended", "the action phase of `player` in another player's turn has ended")

HEX_BLOCKED = Question("hex_blocked", "whether hex `where` produces nothing", ANY)
HAND_LIMIT = Question("hand_limit", "hand limit of `player` on a 7")
RATE = Question("rate", "cards of kind `where` that `player` gives the bank for one of another kind", LEAST, 127)
FURTHER_INCOME = Question("further_income", "cards of any kind that `player` takes for the roll `where`")
CARDS_IN_PLAY = Question("cards_in_play", "total number of cards of kind `where`")
CARDS_ASIDE = Question("cards_aside", "cards of kind `where` outside hands and bank")
GOODS_HELD = Question("goods_held", "goods of kind `where`, no cards, that `player` could give away")
MAY_LAY = Question("may_lay", "whether an edge piece of kind `player` fits on path `where`, whatever its owner", EVERY)
EDGE_PIECE_KIND = Question("edge_piece_kind", "kind of the edge piece on path `where`")
ENDS_LINE = Question(
    "ends_line", "whether a building or similar piece closes a line of `player` at intersection `where`", ANY
)
MAY_TAKE_UP = Question(
    "may_take_up", "whether `player` can take up the own edge piece on path `where` to move it", EVERY
)
MAY_PASS = Question("may_pass", "whether routes of `player` continue through intersection `where`", EVERY)
MAY_CONTINUE = Question("may_continue", "whether `player` can place edge pieces beyond intersection `where`", EVERY)
OCCUPIED = Question("occupied", "whether intersection `where` has a piece that is not a building", ANY)
CAN_BUILD_FREE = Question("can_build_free", "whether `player` has a site and a piece for a free edge piece", ANY)
MAY_PLAY_MORE = Question("may_play_more", "whether `player` can play several development cards in a turn", ANY)
MAY_PLACE_INITIALLY = Question(
    "may_place_initially",
    "whether `player` can place an initial settlement on intersection `where`, a legal site",
    EVERY,
)
PIECES_IN_HAND = Question(
    "pieces_in_hand",
    "whether Longest Road waits for more pieces to be placed or removed; `where` is the path of the new piece, or -1",
    ANY,
)
MAY_SETTLE = Question(
    "may_settle", "whether `player` can settle on intersection `where`, apart from other pieces", EVERY
)
MAY_WIN = Question("may_win", "whether `player`, on turn, wins with enough points", EVERY)
ROBBER_MAY_GO = Question("robber_may_go", "whether the robber can move to hex `where`", EVERY)
STILL_TO_ACT = Question("still_to_act", "whether `player`, not on turn, has an action phase this turn", ANY)
ROBBER_RESTS = Question("robber_rests", "whether a 7 of `player` leaves the robber where it is", ANY)
SETTLEMENTS_ASIDE = Question(
    "settlements_aside", "settlement pieces of `player` that are neither available nor on the board"
)
CITIES_LAID = Question("cities_laid", "city pieces of `player` that lie on their sides as settlements")
CITIES_BUILT_OVER = Question(
    "cities_built_over",
    "cities of `player` on the board whose pieces are back with their owner, below a higher building",
)
HEX_CARD = Question(
    "hex_card", "kind of card that hex `where` brings each building of `player`, instead of its terrain", MOST, NOTHING
)
SIDE_BY_SIDE = Question("side_by_side", "whether buildings can be one path apart", ANY)
DECIDES_FOR = Question("decides_for", "seat that decides for color `player`, which has no player", MOST, NOBODY)
MAY_STEAL_FROM = Question("may_steal_from", "whether `player` can take cards from seat `where`", EVERY)
HAND_CONTRADICTS = Question("hand_contradicts", "number of publicly known cards that contradict the hand of `player`")
THEFT_OPTIONAL = Question("theft_optional", "whether `player` can skip the theft at the robber's hex", ANY)

ACTS, HOLDS_CARDS, SCORES = 1, 2, 4
"""Bits of `params.traits`, in the order of `declare.TRAITS`."""


def acts(params, seat):
    """Return whether a seat belongs to a player. Neutral colors do not act."""
    return seat < params.num_players


def decider(game, params, color):
    """Return the seat that makes a color's decisions."""
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
    """Return the seat that should hold a card awarded for the highest count, such as Largest Army.

    In a tie, a holder who is among those tied keeps the card; otherwise nobody gets it. Counts below the minimum do not
    earn it.
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
