"""The policy overlay, which shows action probabilities as heat on the board and lists the ten most likely actions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError
from catan_env.render import markup, palette
from catan_env.render.board import CORNERS
from catan_env.render.layout import MARGIN, PLACES, WIDTH, PictureLayout
from catan_env.render.markup import number, rect, text
from catan_env.render.words import sentence_for

TOP = 10
LEAST = 0.0005
"""Probabilities below this are not drawn."""
SIZE, ROW = 11, 18
STEPS = 40
"""Number of shades of heat."""
BELOW = 0.62
"""Distance of a rank label below the center of its hex, in hex sizes."""
HEIGHT = 22 + TOP // 2 * ROW + 4

Likely = list[tuple[int, float]]
"""(action id, probability), most probable first."""


def likely_actions(engine: BatchEngine, game: int, probabilities: Sequence[float] | np.ndarray) -> Likely:
    """Return the legal actions of a game, most probable first.

    Raises:
        OptionError: `probabilities` is not an (actions,) array of probabilities, or gives weight to an illegal action.
    """
    shares = np.asarray(probabilities, np.float64)
    if shares.shape != (engine.actions.n,) or not np.isfinite(shares).all() or (shares < 0).any():
        raise OptionError(
            f"probabilities must be an array of {engine.actions.n} probabilities, one per action id; "
            f"given: shape {shares.shape}."
        )
    illegal = np.flatnonzero((shares > LEAST) & ~engine.action_mask[game])
    if illegal.size:
        raise OptionError(
            f"probabilities gives {shares[illegal[0]]:.3g} to an action that is not legal: "
            f"{engine.actions.describe(int(illegal[0]))!r}."
        )
    order = np.argsort(-shares, kind="stable")
    return [(int(action), float(shares[action])) for action in order if shares[action] > LEAST]


def heat(layout: PictureLayout, engine: BatchEngine, likely: Likely) -> list[str]:
    """Draw the probabilities of intersections, paths and hexes as heat, and label the top ten actions with their ranks.

    The heat of a place shows the total probability of its actions.
    """
    shares: dict[tuple[str, int], float] = {}
    ranks: dict[tuple[str, int], int] = {}
    for rank, (action, probability) in enumerate(likely, 1):
        kind, argument = engine.actions.pair(action)
        place = layout.place(engine.actions.axis(kind), argument)
        if place:
            shares[place] = shares.get(place, 0.0) + probability
            if rank <= TOP:
                ranks.setdefault(place, rank)
    ordered_places = sorted(shares, key=lambda place: (PLACES.index(place[0]), -ranks.get(place, TOP + 1)))
    drawings = []
    for place in ordered_places:
        share, rank_here = max(round(shares[place] * STEPS), 1) / STEPS, ranks.get(place)
        drawings.append(_spot(layout, *place, share, rank_here is not None))
        if rank_here:
            drawings.append(_rank(layout, *place, rank_here, share > 0.06))
    return drawings


def _spot(layout: PictureLayout, axis: str, argument: int, share: float, ranked: bool) -> str:
    x, y = layout.places(axis)[argument]
    color, unit = palette.heat(share), layout.unit
    drawing = ""
    if axis == "hexes":
        corners = markup.points(
            (x + 0.86 * unit * corner_x, y + 0.86 * unit * corner_y) for corner_x, corner_y in CORNERS
        )
        drawing = f'<polygon points="{corners}" fill="{color}" fill-opacity=".28" stroke="{color}" stroke-width="4"/>'
    elif axis == "paths":
        (start_x, start_y), (end_x, end_y) = layout.path_ends[argument]
        dx, dy = (end_x - start_x) * 0.2, (end_y - start_y) * 0.2
        line = (
            f'd="M{number(start_x + dx)} {number(start_y + dy)}L{number(end_x - dx)} {number(end_y - dy)}" '
            'stroke-linecap="round"'
        )
        drawing = f'<path {line} stroke="#fff" stroke-width="{number(unit * 0.19)}"/>'
        drawing += f'<path {line} stroke="{color}" stroke-width="{number(unit * 0.12)}"/>'
    if axis == "paths" and not ranked:
        return drawing
    radius = max(unit * (0.13 + 0.12 * share**0.5), 8.5 if ranked else 0)
    y += unit * BELOW * (axis == "hexes")
    return drawing + (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{color}" stroke="#fff" '
        'stroke-width="1.5"/>'
    )


def _rank(layout: PictureLayout, axis: str, argument: int, rank: int, light: bool) -> str:
    x, y = layout.places(axis)[argument]
    y += layout.unit * BELOW * (axis == "hexes")
    return text(x, y + 4, str(rank), SIZE, "#ffffff" if light else palette.INK, bold=True, anchor="middle")


def top_ten(layout: PictureLayout, engine: BatchEngine, likely: Likely, game: int) -> str:
    """Draw a two-column list of the most probable actions below the picture."""
    y, column_width = layout.height, (WIDTH - 3 * MARGIN) / 2
    drawing = rect(MARGIN, y, WIDTH - 2 * MARGIN, HEIGHT - 4, palette.PANEL, 6, palette.RULE)
    drawing += text(MARGIN + 8, y + 16, "Most probable actions", 12, bold=True)
    for k, (action, probability) in enumerate(likely[:TOP]):
        x = MARGIN + 8 + (k // (TOP // 2)) * (column_width + MARGIN)
        baseline = y + 33 + k % (TOP // 2) * ROW
        action_text = sentence_for(engine, game, action)
        bar = rect(x + 22, baseline - 11, max(1, round(40 * probability)), 14, palette.heat(probability), 2)
        drawing += bar + text(x + 16, baseline, str(k + 1), SIZE, palette.FAINT, anchor="end")
        drawing += text(x + 112, baseline, percent(probability), SIZE, bold=True, anchor="end")
        drawing += text(x + 118, baseline, markup.fit(action_text, column_width - 130, SIZE), SIZE)
    return drawing


def percent(probability: float) -> str:
    """Format a probability as a percentage."""
    return f"{100 * probability:.1f}%"
