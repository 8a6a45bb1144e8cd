"""Hand-made positions with favor tokens."""

import numpy as np

from catan_env.engine.registry import find_scenario
from catan_env.games.frenemies.favor_tokens import GUILDS
from catan_env.testing.positions import Game, PositionBuilder, position


def frenemies(players=4, **rules):
    """An empty board of the scenario for so many players."""
    return position("frenemies" if players <= 4 else "frenemies_5_6", players, rules)


def tokens_in_play(players):
    """Tokens of each guild for so many players."""
    name = "frenemies" if players <= 4 else "frenemies_5_6"
    return np.array(find_scenario(name).numbers_for[players]["favor_tokens"])


def favors(place: PositionBuilder, seats, stock=None, new=None, players=4):
    """Gives seats tokens by guild; leaves only `stock` in the stock if given; `new` are those of this turn.

    Tokens that are neither held nor in the stock have been redeemed.
    """
    width = {"frenemies": 4, "frenemies_5_6": 6}["frenemies" if players <= 4 else "frenemies_5_6"]
    held, fresh = np.zeros((2, width, len(GUILDS)), np.int8)
    for rows, given in ((held, seats), (fresh, new or {})):
        for seat, tokens in given.items():
            for guild, number in tokens.items():
                rows[seat, GUILDS.index(guild)] = number
    total = tokens_in_play(players)
    left = total - held.sum(axis=0)
    if stock is not None:
        left = np.array([stock.get(guild, 0) for guild in GUILDS])
    place.field("favors", held).field("new_favors", fresh)
    return place.field("favor_stock", left).field("favors_redeemed", total - held.sum(axis=0) - left)


def held(game: Game, seat):
    """Tokens of a seat, by guild."""
    return {guild: int(n) for guild, n in zip(GUILDS, game.state["favors"][seat], strict=True) if n}


def numbers_held(game: Game):
    """How many tokens each seat holds."""
    return game.state["favors"].sum(axis=1)[: game.engine.num_players].tolist()


def stock(game: Game):
    """Tokens in the stock, by guild."""
    return {guild: int(n) for guild, n in zip(GUILDS, game.state["favor_stock"], strict=True) if n}


def receives(game: Game, *draws):
    """Draws tokens; `draws` are pairs of the seat that gets one and its guild. Then nothing is left to draw."""
    for seat, guild in draws:
        before = numbers_held(game)
        game.draw("draw_favor", guild)
        gained = [now - then for now, then in zip(numbers_held(game), before, strict=True)]
        assert gained == [int(k == seat) for k in range(len(before))], f"{guild} should go to seat {seat}: {gained}"
    assert game.decision != "draw_favor"
    return game
