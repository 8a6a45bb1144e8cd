"""Drawings for Harbormaster: an anchor in front of the harbor points. The holder's badge comes from the declaration."""

from catan_env.render import drawing

ANCHOR = "M0-9v17M-6-4h12M-8 2q2 6 8 6q6 0 8-6"


def anchor(paint):
    """Draw an anchor in a seat's color, with a dark edge for light colors."""
    strokes = (("#1c1c1c", 5), (paint.fill, 2.5))
    lines = "".join(f'<path d="{ANCHOR}" stroke="{color}" stroke-width="{width}"/>' for color, width in strokes)
    return f'<g fill="none" stroke-linecap="round" transform="translate(8 -5) scale(.7)">{lines}</g>'


drawing.piece("harbor_points", anchor)
