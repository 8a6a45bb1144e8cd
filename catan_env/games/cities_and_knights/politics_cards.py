"""Politics cards: diplomacy, encouragement, intrigue, sabotage, taxation, treason and wedding.

Espionage has its own module, `espionage`. Constitution is a victory card (`progress_cards`).
"""

from catan_env.engine.bitset import any_of, where_other
from catan_env.engine.decision_stack import current_decision, head_argument, pop, push, set_argument
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Decision,
    Number,
    answers,
    apply,
    legal,
    rule,
)
from catan_env.engine.small_sets import contains
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.base.discarding import DISCARD
from catan_env.games.base.longest_road import award_longest_road
from catan_env.games.base.network import (
    NO_BUILDING,
    ROAD,
    mark_edge_pieces,
    place_edge_piece,
    sites_for_edge_pieces,
    take_edge_piece,
)
from catan_env.games.base.resources import hand_over, hand_size, mark_hand
from catan_env.games.base.robber import MOVE_ROBBER, hexes_for_robber, victims_at
from catan_env.games.base.theft import steal_from
from catan_env.games.cities_and_knights.improvements import POLITICS
from catan_env.games.cities_and_knights.knight_actions import PLACE_KNIGHT, TAKE_KNIGHT, lay_aside, let_retreat
from catan_env.games.cities_and_knights.knights import (
    INACTIVE,
    NO_KNIGHT,
    WOKEN,
    can_enlist,
    has_knight,
    knights_in_state,
    mark_enlistments,
    set_knight,
    touches_own_edge_piece,
)
from catan_env.games.cities_and_knights.progress_cards import FORGO
from catan_env.games.cities_and_knights.progress_decks import (
    DIPLOMACY,
    ENCOURAGEMENT,
    INTRIGUE,
    SABOTAGE,
    TAXATION,
    TREASON,
    WEDDING,
    holds,
    holds_any,
    play_card,
)
from catan_env.games.cities_and_knights.trade_cards import GIVE_CARD
from catan_env.games.vocabulary import (
    ACTION_PHASE,
    CARD_STOLEN,
    DEGREE,
    EDGE_PIECE_KIND,
    INTERSECTIONS,
    NOBODY,
    NOTHING,
    OPPONENTS,
    PASSAGE_CHANGED,
    PATHS,
    PIECES_IN_HAND,
    ROBBER_MOVED,
    ROBBER_RESTS,
    to_the_left,
)

BY_OWNER = 0

NUMBERS = (
    Number("wedding_gift", 2, "cards that each opponent with more points gives for a wedding", 1, 6),
    Number(
        "treason_chosen_by",
        "owner",
        "player that chooses the knight that treason removes",
        choices=("owner", "player"),
    ),
)

PLAY_DIPLOMACY = Action(
    "play_diplomacy", "remove the road on {} by diplomacy", PATHS, "this card, and a road with an open end"
)
PLAY_ENCOURAGEMENT = Action(
    "play_encouragement", "play encouragement", needs="this card, and an inactive knight of the seat"
)
PLAY_INTRIGUE = Action(
    "play_intrigue", "play intrigue", needs="this card, and an opponent's knight at the seat's route"
)
PLAY_SABOTAGE = Action(
    "play_sabotage",
    "play sabotage",
    needs="this card, and an opponent with two or more cards and at least as many points",
)
PLAY_TAXATION = Action("play_taxation", "play taxation", needs="this card, and an earlier barbarian attack")
PLAY_TREASON = Action("play_treason", "play treason on {}", OPPONENTS, "this card, and an opponent with a knight")
PLAY_WEDDING = Action("play_wedding", "play wedding", needs="this card, and an opponent with cards and more points")
ACTIONS = (
    PLAY_DIPLOMACY,
    PLAY_ENCOURAGEMENT,
    PLAY_INTRIGUE,
    PLAY_SABOTAGE,
    PLAY_TAXATION,
    PLAY_TREASON,
    PLAY_WEDDING,
)

RELOCATE_ROAD = Decision("relocate_road", "build the removed road elsewhere, or not", argument=PATHS)
DRIVE_OUT = Decision("drive_out", "choose the knight that intrigue displaces")
COLLECT_TAX = Decision("collect_tax", "move the robber and take a card from each player there")
BETRAY = Decision("betray", "choose the knight that treason removes", argument=PLAYERS)
ENLIST_TRAITOR = Decision("enlist_traitor", "place a knight for the removed one, or none")
GIVE_TO_BRIDE = Decision("give_for_wedding", "give cards for the wedding", argument=6)


@rule("cities_and_knights.knight_actions.7", "cities_and_knights.science_cards.10")
@legal(ACTION_PHASE)
def politics_to_play(game, params, seat, mask):
    if not holds_any(game, seat, POLITICS):
        return
    if holds(game, params, seat, DIPLOMACY):
        for path in where_other(game.edge_owner, NOBODY):
            mask[PLAY_DIPLOMACY + path] = is_open(game, params, ROAD, path)
    mask[PLAY_ENCOURAGEMENT] = holds(game, params, seat, ENCOURAGEMENT) and has_inactive_knight(game, seat)
    mask[PLAY_INTRIGUE] = holds(game, params, seat, INTRIGUE) and can_drive_out(game, params, seat)
    mask[PLAY_SABOTAGE] = holds(game, params, seat, SABOTAGE) and can_sabotage(game, params, seat)
    mask[PLAY_TAXATION] = holds(game, params, seat, TAXATION) and not ROBBER_RESTS(game, params, seat)
    mask[PLAY_WEDDING] = holds(game, params, seat, WEDDING) and somebody_gives(game, params, seat)
    if holds(game, params, seat, TREASON):
        for k in range(1, params.num_players):
            mask[PLAY_TREASON + k - 1] = has_knight(game, params, to_the_left(params, seat, k))


# -- diplomacy ---------------------------------------------------------------------------------------------


def is_loose_end(game, params, path, intersection):
    """Return whether one end of a road or ship touches no other road, ship, building or knight of its owner."""
    owner = game.edge_owner[path]
    if game.building[intersection] != NO_BUILDING and game.building_owner[intersection] == owner:
        return False
    if game.knight_owner[intersection] == owner:
        return False
    for k in range(DEGREE):
        other_path = params.intersection_paths[intersection, k]
        if other_path != NOTHING and other_path != path and game.edge_owner[other_path] == owner:
            return False
    return True


@rule("cities_and_knights.politics_cards.2", "cities_and_knights.sea_progress.2")
def is_open(game, params, kind, path):
    """Return whether a path holds an edge piece of the given kind with a loose end."""
    if game.edge_owner[path] == NOBODY or EDGE_PIECE_KIND(game, params, NOBODY, path) != kind:
        return False
    ends = params.path_intersections
    return is_loose_end(game, params, path, ends[path, 0]) or is_loose_end(game, params, path, ends[path, 1])


@rule("cities_and_knights.politics_cards.1")
@apply(PLAY_DIPLOMACY)
def play_diplomacy(game, params, seat, path):
    play_card(game, seat, DIPLOMACY)
    owner = game.edge_owner[path]
    push(game, RELOCATE_ROAD, seat, path)
    take_edge_piece(game, params, owner, ROAD, path)
    if owner != seat or not can_build_elsewhere(game, seat, ROAD, path):
        pop(game)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.politics_cards.12")
@answers(PIECES_IN_HAND)
def card_is_under_way(game, params, player, where):
    """Longest Road is not updated until diplomacy, intrigue or treason has finished moving pieces."""
    return current_decision(game) in (RELOCATE_ROAD, DRIVE_OUT, BETRAY, ENLIST_TRAITOR)


def can_build_elsewhere(game, seat, kind, removed):
    """Return whether a player can place an edge piece of this kind anywhere but on the path it was removed from."""
    return sites_for_edge_pieces(game, seat, kind) > int(contains(game.edge_piece_sites[kind, removed], seat))


@rule("cities_and_knights.politics_cards.1")
@legal(RELOCATE_ROAD)
def places_for_road(game, params, seat, mask):
    mark_edge_pieces(game, seat, ROAD, BUILD_ROAD, mask)
    mask[BUILD_ROAD + head_argument(game)] = False
    mask[FORGO] = True


@rule("cities_and_knights.politics_cards.1")
@apply(BUILD_ROAD, at=(RELOCATE_ROAD,))
def relocate_road(game, params, seat, path):
    pop(game)
    place_edge_piece(game, params, seat, ROAD, path)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.politics_cards.1", "cities_and_knights.politics_cards.7")
@apply(FORGO, at=(RELOCATE_ROAD, ENLIST_TRAITOR))
def set_nothing(game, params, seat, argument):
    pop(game)
    award_longest_road(game, params, NOTHING)


# -- encouragement -----------------------------------------------------------------------------------------


def has_inactive_knight(game, seat):
    """Return whether a player has an inactive knight."""
    return any_of(knights_in_state(game, seat, INACTIVE))


@rule("cities_and_knights.politics_cards.3")
@apply(PLAY_ENCOURAGEMENT)
def play_encouragement(game, params, seat, argument):
    play_card(game, seat, ENCOURAGEMENT)
    for intersection in knights_in_state(game, seat, INACTIVE):
        game.knight_state[intersection] = WOKEN


# -- intrigue ----------------------------------------------------------------------------------------------


def knights_of_others(game, seat):
    """Return the intersections where opponents have knights."""
    return where_other(game.knight_owner, NOBODY) & where_other(game.knight_owner, seat)


def can_drive_out(game, params, seat):
    """Return whether any opponent's knight stands next to a player's road or ship."""
    for intersection in knights_of_others(game, seat):
        if touches_own_edge_piece(game, params, seat, intersection):
            return True
    return False


@rule("cities_and_knights.politics_cards.4")
@apply(PLAY_INTRIGUE)
def play_intrigue(game, params, seat, argument):
    play_card(game, seat, INTRIGUE)
    push(game, DRIVE_OUT, seat)


@rule("cities_and_knights.politics_cards.4")
@legal(DRIVE_OUT)
def knights_to_drive_out(game, params, seat, mask):
    for intersection in knights_of_others(game, seat):
        mask[TAKE_KNIGHT + intersection] = touches_own_edge_piece(game, params, seat, intersection)


@rule("cities_and_knights.politics_cards.4")
@apply(TAKE_KNIGHT, at=(DRIVE_OUT,))
def drive_out(game, params, seat, intersection):
    owner = game.knight_owner[intersection]
    lay_aside(game, params, intersection)
    PASSAGE_CHANGED(game, params, owner, intersection)
    pop(game)
    let_retreat(game, params, owner, intersection)
    award_longest_road(game, params, NOTHING)


# -- sabotage ----------------------------------------------------------------------------------------------


def is_sabotaged(game, params, seat, player):
    """Return whether a player would have to discard if a seat played sabotage."""
    if player == seat or hand_size(game, player) < 2:
        return False
    return PUBLIC_POINTS(game, params, player) >= PUBLIC_POINTS(game, params, seat)


def can_sabotage(game, params, seat):
    """Return whether sabotage would make any player discard."""
    for player in range(params.num_players):
        if is_sabotaged(game, params, seat, player):
            return True
    return False


@rule("cities_and_knights.politics_cards.5")
@apply(PLAY_SABOTAGE)
def play_sabotage(game, params, seat, argument):
    play_card(game, seat, SABOTAGE)
    for k in range(params.num_players - 1, 0, -1):
        player = to_the_left(params, seat, k)
        if is_sabotaged(game, params, seat, player):
            game.to_discard[player] = hand_size(game, player) // 2
            push(game, DISCARD, player)


# -- taxation ----------------------------------------------------------------------------------------------


@rule("cities_and_knights.politics_cards.6")
@apply(PLAY_TAXATION)
def play_taxation(game, params, seat, argument):
    play_card(game, seat, TAXATION)
    push(game, COLLECT_TAX, seat)


@rule("cities_and_knights.politics_cards.6", "cities_and_knights.politics_cards.11")
@legal(COLLECT_TAX)
def hexes_to_tax(game, params, seat, mask):
    hexes_for_robber(game, params, seat, mask)


@rule("cities_and_knights.politics_cards.6")
@apply(MOVE_ROBBER, at=(COLLECT_TAX,))
def collect_tax(game, params, seat, hex):
    pop(game)
    game.robber = hex
    victims = victims_at(game, params, seat, hex)
    for k in range(params.num_players - 1, 0, -1):
        victim = to_the_left(params, seat, k)
        if contains(victims, victim):
            steal_from(game, params, seat, victim)
    ROBBER_MOVED(game, params, seat, hex)


# -- treason -----------------------------------------------------------------------------------------------


@rule("cities_and_knights.politics_cards.7", "cities_and_knights.politics_cards.9")
@apply(PLAY_TREASON)
def play_treason(game, params, seat, opponent):
    victim = to_the_left(params, seat, opponent + 1)
    play_card(game, seat, TREASON)
    push(game, BETRAY, victim if params.treason_chosen_by == BY_OWNER else seat, victim)


@rule("cities_and_knights.politics_cards.7")
@legal(BETRAY)
def knights_to_betray(game, params, seat, mask):
    for intersection in range(INTERSECTIONS):
        mask[TAKE_KNIGHT + intersection] = game.knight_owner[intersection] == head_argument(game)


@rule("cities_and_knights.politics_cards.7")
@apply(TAKE_KNIGHT, at=(BETRAY,))
def betray(game, params, seat, intersection):
    traitor = game.on_turn
    owner = game.knight_owner[intersection]
    lay_aside(game, params, intersection)
    PASSAGE_CHANGED(game, params, owner, intersection)
    pop(game)
    if piece_for_traitor(game, traitor) != NO_KNIGHT and can_enlist(game, params, traitor):
        push(game, ENLIST_TRAITOR, traitor)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.politics_cards.8")
def piece_for_traitor(game, seat):
    """Return the strongest knight in a player's supply that is no stronger than the removed one."""
    for strength in range(game.knight_aside, NO_KNIGHT, -1):
        if game.knights_left[seat, strength - 1] > 0:
            return strength
    return NO_KNIGHT


@rule("cities_and_knights.politics_cards.7")
@legal(ENLIST_TRAITOR)
def places_for_traitor(game, params, seat, mask):
    mark_enlistments(game, params, seat, PLACE_KNIGHT, mask)
    mask[FORGO] = True


@rule("cities_and_knights.politics_cards.7")
@apply(PLACE_KNIGHT, at=(ENLIST_TRAITOR,))
def enlist_traitor(game, params, seat, intersection):
    """The new knight is active if the removed one was, but it cannot act this turn."""
    pop(game)
    state = INACTIVE if game.knight_aside_state == INACTIVE else WOKEN
    set_knight(game, params, seat, intersection, piece_for_traitor(game, seat), state)
    award_longest_road(game, params, NOTHING)


# -- wedding -----------------------------------------------------------------------------------------------


def gives_for_wedding(game, params, seat, player):
    """Return whether a player has cards and more points than the seat playing wedding."""
    if player == seat or hand_size(game, player) == 0:
        return False
    return PUBLIC_POINTS(game, params, player) > PUBLIC_POINTS(game, params, seat)


def somebody_gives(game, params, seat):
    """Return whether any opponent would have to give cards for a wedding."""
    for player in range(params.num_players):
        if gives_for_wedding(game, params, seat, player):
            return True
    return False


@rule("cities_and_knights.politics_cards.10")
@apply(PLAY_WEDDING)
def play_wedding(game, params, seat, argument):
    play_card(game, seat, WEDDING)
    for k in range(params.num_players - 1, 0, -1):
        player = to_the_left(params, seat, k)
        if gives_for_wedding(game, params, seat, player):
            push(game, GIVE_TO_BRIDE, player, min(params.wedding_gift, hand_size(game, player)))


@rule("cities_and_knights.politics_cards.10")
@legal(GIVE_TO_BRIDE)
def cards_for_wedding(game, params, seat, mask):
    mark_hand(game, seat, GIVE_CARD, mask)


@rule("cities_and_knights.politics_cards.10")
@apply(GIVE_CARD, at=(GIVE_TO_BRIDE,))
def give_for_wedding(game, params, seat, card):
    hand_over(game, seat, game.on_turn, card)
    CARD_STOLEN(game, params, game.on_turn, seat)
    cards_left = head_argument(game) - 1
    if cards_left > 0:
        set_argument(game, cards_left)
    else:
        pop(game)
