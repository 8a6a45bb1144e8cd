"""Canal tokens: earned by connecting canal sites, then kept or traded with other players.

The board shows which pairs of sites a player has connected. A pair connected during the initial placement, or while the
bank is empty, earns no token later.
"""

import numpy as np

from catan_env.engine.declare import PLAYERS, BoardArray, Count, Field, Kind, Number, Size, answers, rule, set_up, when
from catan_env.engine.small_sets import EMPTY, contains, only
from catan_env.games.base.longest_road import end_tours
from catan_env.games.base.network import GONE_OVER
from catan_env.games.geography.town_sites import is_site
from catan_env.games.vocabulary import (
    DEGREE,
    EDGE_PIECE_BUILT,
    GOOD_GIVEN,
    GOOD_RECEIVED,
    GOODS,
    GOODS_HELD,
    NOTHING,
)

CANAL_SITES = Size("canal_site")
"""Canal sites, from west to east."""
CANAL_TOKEN = Kind("canal_token", GOODS)
KINDS = (CANAL_TOKEN,)
MOST_SITES = 30
ALL_SITES = 2**MOST_SITES - 1
ANY_PAIR = 0

FIELDS = (
    Field("canal_tokens", (PLAYERS,), "i1", 0, 120, "canal tokens of each player", show=Count()),
    Field("canal_bank", (), "i1", 0, 120, "canal tokens in the bank", show=Count()),
    Field(
        "canal_joined", (PLAYERS, CANAL_SITES), "i4", 0, ALL_SITES, "bit set of the canal sites joined with each site"
    ),
)
BOARD_ARRAYS = (BoardArray("canal_site_intersections", "canal", "sites of the canal", most=MOST_SITES),)
NUMBERS = (
    Number("tokens_of_canal", 12, "total number of canal tokens", 0, 120),
    Number(
        "canal_pairs",
        "any",
        "joined canal sites that earn a token: any two, or neighbors on the canal",
        choices=("any", "neighbors"),
    ),
)


@rule("geography.canal_tokens.1")
@set_up
def lay_out_tokens(game, params):
    game.canal_bank = params.tokens_of_canal


# -- earning -----------------------------------------------------------------------------------------------


@rule("geography.canal_tokens.2", "geography.canal_tokens.4", "geography.canal_tokens.5")
def canal_sites_reached(game, params, seat, path):
    """Mark a seat's edge pieces that are connected without a site in between; return the canal sites they reach."""
    game.edge_owner[path] = GONE_OVER
    reached_sites = EMPTY
    for end in range(2):
        intersection = params.path_intersections[path, end]
        if params.intersection_canal_site[intersection] != NOTHING:
            reached_sites |= only(params.intersection_canal_site[intersection])
        if not is_site(params, intersection):
            for k in range(DEGREE):
                other_path = np.int64(params.intersection_paths[intersection, k])
                if other_path != NOTHING and game.edge_owner[other_path] == seat:
                    reached_sites |= canal_sites_reached(game, params, seat, other_path)
    return reached_sites


@rule("geography.canal_tokens.2")
def canal_sites_joined(game, params, seat, path):
    """Return the set of canal sites directly connected through a seat's edge piece."""
    reached_sites = canal_sites_reached(game, params, np.int64(seat), np.int64(path))
    end_tours(game, seat)
    return reached_sites


@rule("geography.canal_tokens.2", "geography.canal_tokens.3", "geography.canal_tokens.6")
@when(EDGE_PIECE_BUILT)
def join_canal_sites(game, params, player, path):
    """Each newly connected pair of sites earns a token."""
    reached_sites = canal_sites_joined(game, params, player, path)
    for west in range(CANAL_SITES):
        for east in range(west + 1, CANAL_SITES):
            is_new = contains(reached_sites, east) and not contains(game.canal_joined[player, west], east)
            if contains(reached_sites, west) and is_new and (params.canal_pairs == ANY_PAIR or east == west + 1):
                game.canal_joined[player, west] |= only(east)
                earn_token(game, player)


@rule("geography.canal_tokens.2", "geography.canal_tokens.7", "geography.canal_tokens.8")
def earn_token(game, player):
    """Give a player a token, except during the initial placement or if the bank is empty."""
    if game.turn > 0 and game.canal_bank > 0:
        game.canal_bank -= 1
        game.canal_tokens[player] += 1


# -- trading with players ----------------------------------------------------------------------------------


@rule("geography.canal_tokens.9")
@answers(GOODS_HELD)
def tokens_held(game, params, player, good):
    return int(game.canal_tokens[player]) if good == CANAL_TOKEN else 0


@rule("geography.canal_tokens.9")
@when(GOOD_GIVEN)
def give_token(game, params, player, good):
    if good == CANAL_TOKEN:
        game.canal_tokens[player] -= 1


@rule("geography.canal_tokens.9")
@when(GOOD_RECEIVED)
def receive_token(game, params, player, good):
    if good == CANAL_TOKEN:
        game.canal_tokens[player] += 1
