"""Hand-made positions with helper cards."""

import numpy as np

from catan_env.engine.registry import find_scenario
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.testing.positions import Game, PositionBuilder, position

NAMES = tuple(kind.name for module in find_scenario("helpers").modules for kind in getattr(module, "KINDS", ())
              if kind.axis is HELPERS)  # fmt: skip
PLENTY = {"lumber": 2, "brick": 2, "wool": 2, "grain": 2, "ore": 2}


def helpers(players=4, **rules):
    """An empty board of the scenario for so many players."""
    return position("helpers" if players <= 4 else "helpers_5_6", players, rules)


def held(place: PositionBuilder, turned=(), resting=(), **seats):
    """Who has which helper, the others being in the display; some of them turned, some resting."""

    def edit(record):
        held_by, width = record["helpers_held"], len(record["helpers_held"])
        in_play = record["display"] | held_by.any(axis=0)
        held_by[:] = [[seats.get(name) == seat for name in NAMES] for seat in range(width)]
        record["display"] = in_play & ~held_by.any(axis=0)
        for field, names in (("helper_turned", turned), ("helper_resting", resting)):
            record[field] = [any(seats.get(name) == seat for name in names) for seat in range(width)]

    return place._edit(edit)


def holder(helper, players=4, decision="play", hand=PLENTY, turned=False, others=None, rules=None):
    """Seat 0 at its turn with a road, a settlement, some cards and this helper; `others` name their helpers' seats."""
    place = helpers(players, **(rules or {})).settlement(0, "N", 0, 0).road(0, (0, 0, "NE")).hand(0, **hand)
    held(place, (helper,) if turned else (), **{helper: 0}, **(others or {}))
    return place.on_turn(0, decision)


def helper_of(game: Game, seat):
    """The helper of a seat, None if it has none."""
    found = [NAMES[k] for k in np.flatnonzero(game.state["helpers_held"][seat])]
    assert len(found) <= 1
    return found[0] if found else None


def display(game: Game):
    """The helpers that nobody has."""
    return {NAMES[k] for k in np.flatnonzero(game.state["display"])}


def side(game: Game, seat):
    """The side on which a seat's helper lies."""
    return "AB"[game.state["helper_turned"][seat]]


def turns(game: Game):
    """The seat to act, having used its helper, turns it over."""
    assert game.decision == "part_with_helper"
    return game.do("turn_helper")


def next_turn_of(game: Game, seat, roll=12):
    """Everybody ends the turn after a roll that brings nothing, until a seat has begun its own; not rolled yet."""
    game.do("end_turn")
    while not (game.seat == seat and game.decision == "pre_roll"):
        if game.decision == "pre_roll":
            game.roll(roll)
        else:
            game.do({"play": "end_turn", "call_mayor": "do_without_mayor", "build_specially": "pass"}[game.decision])
    return game
