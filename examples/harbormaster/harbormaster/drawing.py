"""Drawings of Harbormaster: an anchor before the harbor points. The holder has a badge from the declaration."""

from catan_env.render import drawing

ANCHOR = "M0-9v17M-6-4h12M-8 2q2 6 8 6q6 0 8-6"

drawing.piece(
    "harbor_points",
    lambda paint: (
        f'<path d="{ANCHOR}" transform="translate(9 -5) scale(.7)" fill="none" stroke="{paint.fill}" '
        f'stroke-width="3"/><circle cx="9" cy="-12" r="2" fill="{paint.fill}"/>'
    ),
)
