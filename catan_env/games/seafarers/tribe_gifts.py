"""Gifts of the forgotten tribe: the first ship on a marked path earns a point, a development card or a harbor.

Gift development cards are set aside: players cannot buy the last cards in the stack while gifts need them. Harbors are
shuffled at the start. A player who receives a harbor must place it as soon as possible, on the coast next to one of
their buildings and at least one path away from every other harbor. A player with several kinds to place chooses which
comes next.
"""

from catan_env.board.terrain import HARBOR_KINDS
from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    BoardArray,
    BoardCheck,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    Size,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
    when,
)
from catan_env.games.base.bank_trade import use_harbor
from catan_env.games.base.development_cards import BUY_CARD, deck_size, let_draw_card
from catan_env.games.seafarers.new_world import PLACE_HARBOR, is_harbor_site
from catan_env.games.seafarers.ships import NO_SHIP
from catan_env.games.vocabulary import (
    BUYING,
    COAST,
    EDGE_PIECE_BUILT,
    HARBOR_PLACED,
    NOBODY,
    NOTHING,
    SETTLEMENT_BUILT,
)

GIFTS = Size("gift")
"""Paths with gifts: `params.gift_paths`, with `gift_kind` for each: a point, a card or a harbor."""
POINT, CARD, HARBOR = 0, 1, 2
NUM_KINDS = 6

MOST_POINTS = 60

FIELDS = (
    Field("gift", (GIFTS,), "i1", 0, 1, "whether each gift is still on its path", show=Count()),
    Field("gift_points", (PLAYERS,), "i1", 0, MOST_POINTS, "points from the tribe, by player", show=Count()),
    Field(
        "harbors_kept",
        (PLAYERS, NUM_KINDS),
        "i1",
        0,
        10,
        "harbors that each player holds and has not placed",
        show=Count(),
        labels=HARBOR_KINDS,
    ),
)
BOARD_ARRAYS = (
    BoardArray("gift_kind", "marks.gift.kind", "0 a point, 1 a card, 2 a harbor", POINT, HARBOR, most=MOST_POINTS),
)


def gifts_are_harbors(arrays):
    """Return whether every harbor gift is where the layout has a harbor."""
    harbors = arrays["gift_paths"][arrays["gift_kind"] == HARBOR]
    places = arrays["path_coast"][harbors]
    return bool((places != NOTHING).all() and (arrays["layout_harbor"][places] != NOTHING).all())


BOARD_CHECKS = (
    BoardCheck(
        "gift_harbors", "marks.gift.kind: gifts of kind 2 must be on the harbors of the layout", gifts_are_harbors
    ),
)
NUMBERS = (Number("points_of_a_gift", 1, "victory points of each gift that is a point", 0, 100),)
CHOOSE_HARBOR = Action("choose_harbor", "choose the {} harbor", HARBOR_KINDS, "an unplaced harbor from the tribe")
ACTIONS = (PLACE_HARBOR, CHOOSE_HARBOR)

CHOOSE_KEPT = Decision("choose_kept", "choose the next of the tribe's harbors to place")
SITE_GIFT = Decision("site_gift", "place the tribe's harbor", argument=NUM_KINDS - 1)
HARBORS_CONSERVED = Invariant("harbors_conserved", "placed and held harbors match the layout")


@rule("seafarers.tribe_gifts.1")
@set_up
def lay_gifts(game, params):
    for k in range(GIFTS):
        game.gift[k] = True


# -- taking gifts ------------------------------------------------------------------------------------------


@rule("seafarers.tribe_gifts.1", "seafarers.tribe_gifts.3")
@when(EDGE_PIECE_BUILT)
def take_gift(game, params, player, path):
    """A ship built on a path or moved there takes the gift on it."""
    k = params.path_gift[path]
    if k != NOTHING and game.gift[k] and game.ships[path] != NO_SHIP:
        game.gift[k] = False
        if params.gift_kind[k] == POINT:
            game.gift_points[player] += 1
        elif params.gift_kind[k] == CARD:
            let_draw_card(game, player)
        else:
            keep_harbor(game, params, player, params.path_coast[path])


@rule("seafarers.tribe_gifts.5")
def keep_harbor(game, params, player, place):
    """Give a player the harbor on a coast path."""
    game.harbors_kept[player, game.harbor[place]] += 1
    game.harbor[place] = NOTHING
    let_place_kept(game, params, player)


@rule("seafarers.tribe_gifts.3")
@legal(BUYING)
def cards_aside_are_not_sold(game, params, seat, mask):
    cards_aside = 0
    for k in range(GIFTS):
        cards_aside += game.gift[k] and params.gift_kind[k] == CARD
    if deck_size(game) <= cards_aside:
        mask[BUY_CARD] = False


@rule("seafarers.tribe_gifts.2")
@answers(PUBLIC_POINTS)
def points_of_gifts(game, params, player, where):
    return params.points_of_a_gift * game.gift_points[player]


# -- placing harbors ---------------------------------------------------------------------------------------


@rule("seafarers.tribe_gifts.5")
def is_own_site(game, params, player, place):
    """Return whether a player may place a harbor on a coast path: next to a building, away from other harbors."""
    for end in range(2):
        if game.building_owner[params.coast_intersections[place, end]] == player:
            return is_harbor_site(game, params, place)
    return False


@rule("seafarers.tribe_gifts.5")
def has_own_site(game, params, player):
    """Return whether a player has anywhere to place a harbor."""
    for coast_index in range(COAST):
        if is_own_site(game, params, player, coast_index):
            return True
    return False


@rule("seafarers.tribe_gifts.6")
def let_place_kept(game, params, player):
    """Let a player choose and place a kept harbor if there is anywhere to place it."""
    kind_count, kept_kind = 0, 0
    for kind in range(NUM_KINDS):
        if game.harbors_kept[player, kind] > 0:
            kind_count, kept_kind = kind_count + 1, kind
    if kind_count > 0 and has_own_site(game, params, player):
        if kind_count > 1:
            push(game, CHOOSE_KEPT, player)
        else:
            push(game, SITE_GIFT, player, kept_kind)


@rule("seafarers.tribe_gifts.6")
@when(SETTLEMENT_BUILT)
def place_at_new_settlement(game, params, player, intersection):
    let_place_kept(game, params, player)


@rule("seafarers.tribe_gifts.7")
@legal(CHOOSE_KEPT)
def harbors_to_choose(game, params, seat, mask):
    for kind in range(NUM_KINDS):
        mask[CHOOSE_HARBOR + kind] = game.harbors_kept[seat, kind] > 0


@rule("seafarers.tribe_gifts.7")
@apply(CHOOSE_HARBOR)
def choose_harbor(game, params, seat, kind):
    pop(game)
    push(game, SITE_GIFT, seat, kind)


@rule("seafarers.tribe_gifts.5")
@legal(SITE_GIFT)
def own_sites(game, params, seat, mask):
    for coast_index in range(COAST):
        mask[PLACE_HARBOR + coast_index] = is_own_site(game, params, seat, coast_index)


@rule("seafarers.tribe_gifts.5")
@apply(PLACE_HARBOR, at=(SITE_GIFT,))
def place_gift(game, params, seat, place):
    """A player with a building there can use the harbor immediately."""
    kind = head_argument(game)
    pop(game)
    game.harbors_kept[seat, kind] -= 1
    game.harbor[place] = kind
    for end in range(2):
        intersection = params.coast_intersections[place, end]
        if game.building_owner[intersection] != NOBODY:
            use_harbor(game, params, game.building_owner[intersection], intersection)
    HARBOR_PLACED(game, params, seat, place)
    let_place_kept(game, params, seat)


@rule("seafarers.tribe_gifts.4")
@checks(HARBORS_CONSERVED)
def harbors_conserved(game, params):
    """From the first turn on, placed and kept harbors together match the layout."""
    laid_count = 0
    kept_count = 0
    published_count = 0
    for coast_index in range(COAST):
        laid_count += game.harbor[coast_index] != NOTHING
        published_count += params.layout_harbor[coast_index] != NOTHING
    for player in range(PLAYERS):
        for kind in range(NUM_KINDS):
            kept_count += int(game.harbors_kept[player, kind])
    return laid_count + kept_count == published_count or game.turn == 0
