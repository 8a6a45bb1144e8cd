"""What a policy thinks: the probabilities of legal actions as heat on the board and a list of the likeliest ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError
from catan_env.render import markup, palette
from catan_env.render.board import CORNERS
from catan_env.render.markup import number, rect, text
from catan_env.render.stage import MARGIN, PLACES, WIDTH, Stage
from catan_env.render.words import sentence

TOP = 10
LEAST = 0.0005
"""Probabilities below are not drawn."""
ROW = 18
HEIGHT = 22 + TOP // 2 * ROW + 4

Likely = list[tuple[int, float]]
"""(action id, probability), most probable first."""


def likely_actions(engine: BatchEngine, game: int, probabilities: Sequence[float]) -> Likely:
    """The legal actions of a game by probability.

    Raises:
        OptionError: `probabilities` is no array (actions,) of probabilities, or favors an illegal action.
    """
    array = np.asarray(probabilities, np.float64)
    if array.shape != (engine.actions.n,) or not np.isfinite(array).all() or (array < 0).any():
        raise OptionError(
            f"probabilities must be an array of {engine.actions.n} probabilities, one per action id; "
            f"given: shape {array.shape}."
        )
    illegal = np.flatnonzero((array > LEAST) & ~engine.action_mask[game])
    if illegal.size:
        raise OptionError(
            f"probabilities gives {array[illegal[0]]:.3g} to an action that is not legal: "
            f"{engine.actions.describe(int(illegal[0]))!r}."
        )
    order = np.argsort(-array, kind="stable")
    return [(int(k), float(array[k])) for k in order if array[k] > LEAST]


def heat(stage: Stage, engine: BatchEngine, likely: Likely) -> str:
    """Heat on intersections, paths and hexes: each place's share of all probability, and the ranks of the top ten."""
    shares: dict[tuple[str, int], float] = {}
    ranks: dict[tuple[str, int], int] = {}
    for rank, (action, probability) in enumerate(likely, 1):
        kind, argument = engine.actions.pair(action)
        axis = engine.actions.axis(kind)
        if axis in PLACES:
            place = (axis, argument)
            shares[place] = shares.get(place, 0.0) + probability
            if rank <= TOP:
                ranks.setdefault(place, rank)
    order = sorted(shares, key=lambda place: (PLACES.index(place[0]), -ranks.get(place, TOP + 1)))
    return "".join(_spot(stage, *place, shares[place], ranks.get(place)) for place in order)


def _spot(stage: Stage, axis: str, argument: int, share: float, rank: int | None) -> str:
    x, y = stage.places(axis)[argument]
    color, unit = palette.heat(share), stage.unit
    radius = unit * (0.13 + 0.12 * share**0.5)
    drawing = ""
    if axis == "hexes":
        corners = markup.points((x + 0.86 * unit * a, y + 0.86 * unit * b) for a, b in CORNERS)
        drawing = f'<polygon points="{corners}" fill="{color}" fill-opacity=".28" stroke="{color}" stroke-width="4"/>'
        y += unit * 0.62
    elif axis == "paths":
        (a, b), (c, d) = stage.path_ends[argument]
        dx, dy = (c - a) * 0.2, (d - b) * 0.2
        line = f'd="M{number(a + dx)} {number(b + dy)}L{number(c - dx)} {number(d - dy)}" stroke-linecap="round"'
        drawing = f'<path {line} stroke="#fff" stroke-width="{number(unit * 0.19)}"/>'
        drawing += f'<path {line} stroke="{color}" stroke-width="{number(unit * 0.12)}"/>'
    if axis != "paths" or rank:
        radius = max(radius, 8.5) if rank else radius
        drawing += (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{color}" stroke="#fff" '
            'stroke-width="1.5"/>'
        )
    if rank:
        ink = "#ffffff" if share > 0.06 else palette.INK
        drawing += text(x, y + 4, str(rank), SIZE, ink, bold=True, anchor="middle")
    return drawing


SIZE = 11


def top_ten(stage: Stage, engine: BatchEngine, likely: Likely, seat: int) -> str:
    """The likeliest actions in words, in two columns below the picture."""
    y = stage.height
    column = (WIDTH - 3 * MARGIN) / 2
    drawing = rect(MARGIN, y, WIDTH - 2 * MARGIN, HEIGHT - 4, palette.PANEL, 6, palette.RULE)
    drawing += text(MARGIN + 8, y + 16, "Most probable actions", 12, bold=True)
    for k, (action, probability) in enumerate(likely[:TOP]):
        x = MARGIN + 8 + (k // (TOP // 2)) * (column + MARGIN)
        line = y + 33 + k % (TOP // 2) * ROW
        words = sentence(stage.composition, engine.actions, action, False, seat, engine.num_players)
        bar = rect(x + 22, line - 11, max(1, round(46 * probability)), 14, palette.heat(probability), 2)
        drawing += bar + text(x + 16, line, str(k + 1), SIZE, palette.FAINT, anchor="end")
        drawing += text(x + 112, line, percent(probability), SIZE, bold=True, anchor="end")
        drawing += text(x + 118, line, markup.fit(words, column - 130, SIZE), SIZE)
    return drawing


def percent(probability: float) -> str:
    """A probability for people."""
    return f"{100 * probability:.1f}%"
