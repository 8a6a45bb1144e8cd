"""A board study's map, with starting sites colored by win share."""

from __future__ import annotations

import numpy as np

from catan_env.render import board, markup
from catan_env.render.layout import BOARD_WIDTH, HEADER, MARGIN
from catan_env.render.markup import number
from catan_env.render.picture import svg_of
from catan_env.render.view import Reading
from catan_training.balance.measures import ConditionGames
from catan_training.balance.pictures import INK, themed
from catan_training.balance.plan import Condition
from catan_training.evaluation.statistics import Estimates
from catan_training.tables import percent

RANKED = 9
"""Number of top sites whose rank is shown on the map."""
LEGEND = 44
"""Height of the color scale below the board."""
SHADES = 24


def site_map(condition: Condition, games: ConditionGames, values: Estimates, places: np.ndarray) -> str:
    """Draw the board as SVG, with starting sites colored by win share.

    Args:
        condition: the condition with assigned first actions.
        games: the condition's games; the board is taken from the first game.
        values: win shares, best first, shape (K,).
        places: the intersections of the sites, shape (K,).
    """
    game = Reading(condition.engine(np.array(games.table["seed"][:1].to_numpy())), [0]).game()
    layout, shares = game.layout, values.values
    low, high = float(shares.min()), float(shares.max())
    site_xy = layout.places("intersections")
    radius = 0.21 * layout.unit
    parts = [board.ground(layout), *map(svg_of, board.board(game).values())]
    for rank in reversed(range(len(places))):  # draw the best sites last
        x, y = site_xy[places[rank]]
        paint, ink = _shade((shares[rank] - low) / max(high - low, 1e-9))
        parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{paint}" stroke="#fff" '
            f'stroke-width="2"/>'
        )
        if rank < RANKED:
            size = 1.4 * radius
            parts.append(markup.text(x, y + 0.36 * size, str(rank + 1), size, ink, bold=True, anchor="middle"))
    width, height = BOARD_WIDTH + 2 * MARGIN, layout.board_height + MARGIN + LEGEND
    parts.append(_legend(width / 2, HEADER + layout.board_height + MARGIN, low, high))
    return themed(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {HEADER} {width} {height}" width="{width}" '
        f'height="{height}" font-family="{markup.FONTS}">{"".join(parts)}</svg>'
    )


def _legend(middle: float, top: float, low: float, high: float) -> str:
    """Draw the color scale centered on an x coordinate, labeling its ends in percent."""
    step = 200 / SHADES
    boxes = [
        markup.rect(middle - 100 + k * step, top, step + 0.5, 12, _shade(k / (SHADES - 1))[0]) for k in range(SHADES)
    ]
    words = [
        markup.text(middle - 108, top + 11, percent(low), 13, INK, anchor="end"),
        markup.text(middle + 108, top + 11, percent(high), 13, INK),
        markup.text(middle, top + 32, "win rate of the first player from this site", 13, INK, anchor="middle"),
    ]
    return "".join([*boxes, *words])


def _shade(level: float) -> tuple[str, str]:
    """Return the color for a level from 0 to 1, and a contrasting text color."""
    import matplotlib
    from matplotlib.colors import to_hex

    red, green, blue, _ = matplotlib.colormaps["viridis"](level)
    is_light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.18
    return to_hex((red, green, blue)), "#000000" if is_light else "#ffffff"
