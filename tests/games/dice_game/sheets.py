"""Hand-made positions of the dice game: sheets, dice that lie there, and a game to play on from there."""

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.testing.positions import Game, check

FACES = ("lumber", "brick", "wool", "grain", "ore", "gold")
BUILT = {what: f"{what}_built" for what in ("roads", "settlements", "cities", "knights")}


def dice_game(players=2, scenario="dice_game", **rules):
    """A game whose first die is about to fall; seat 0 begins."""
    rules = {"start_player": "seat_0"} | rules
    game = Game(BatchEngine(scenario, 1, players, chance="explicit", record=True, rules=rules))
    return game.draw("start_player", 0)


def faces(dice):
    """Dice by side, from their words: "lumber lumber gold"."""
    return [dice.split().count(face) for face in FACES]


def roll(game, dice):
    """The dice that are rolling show these sides."""
    for face in dice.split():
        game.draw("die", face)
    return game


def spending(dice, players=2, scenario="dice_game", turn=None, sheets=None, jokers=None, **rules):
    """The seat on turn spends these dice; `sheets[seat]` is what it has built by kind, `jokers[seat]` those used.

    Points are entered in the box of the first turn, so that they add up. Sheets that are not empty are in the second
    round by default.
    """
    if turn is None:
        turn = players + 1 if sheets else 1
    game = dice_game(players, scenario, **rules)
    record, engine = game.engine.state, game.engine
    seat = (turn - 1) % players
    record["turn"], record["on_turn"], record["next_player"] = turn, seat, (seat + 1) % players
    for player, built in (sheets or {}).items():
        for what, entries in built.items():
            record[BUILT[what]][0, player, list(entries)] = 1
    for player, used in (jokers or {}).items():
        record["jokers_used"][0, player, list(used)] = 1
    record["dice_lying"][0], record["dice_taken_up"], record["rolls_made"] = faces(dice), 0, 3
    record["depth"], record["decision_seats"][0, 0], record["decision_arguments"][0, 0] = 1, seat, 0
    record["decision_stack"][0, 0] = engine.program.composition.code("spend")
    if "points_row" in record.dtype.names:
        for player in range(players):
            record["points_row"][0, player, 0] = points_of(engine, record[0], player)
    else:
        record["knights_played"][0] = record["knights_built"][0].sum(axis=1)
        depth = np.array(engine.scenario.board.road_depth)
        record["road_length"][0, :players] = (record["roads_built"][0, :players] * depth).max(axis=1)
    engine.refresh()
    return game


def settle(game, army=-1, route=-1):
    """Gives the special cards of Plus and checks that the position can arise."""
    game.engine.state["largest_army"], game.engine.state["longest_road"] = army, route
    game.engine.refresh()
    check(game.engine)
    return game


def points_of(engine, record, player):
    """Points of what is marked on a sheet, as it is printed."""
    table = engine.scenario.board.tables({}, engine.scenario.colors)
    pairs = (
        ("roads_built", "road"),
        ("settlements_built", "settlement"),
        ("cities_built", "city"),
        ("knights_built", "knight"),
    )
    return sum(int((record[field][player] * table[f"{what}_points"]).sum()) for field, what in pairs)


def lying(game):
    """The dice that lie open, by side, without those that show none."""
    counts = dict(zip(FACES, game.state["dice_lying"].tolist(), strict=True))
    return {face: count for face, count in counts.items() if count}


def road(game, start, end):
    """The number of a road, by its ends."""
    return game.engine.scenario.board.roads.index((start, end))


def row(game, seat):
    """The row of points of a seat, as far as turns have been played."""
    rounds = -(-int(game.state["turn"]) // game.engine.num_players)
    return game.state["points_row"][seat][:rounds].tolist()
