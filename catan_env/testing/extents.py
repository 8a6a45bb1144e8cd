"""The extent of drawings: the left and right edges of text and shapes in an SVG fragment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from catan_env.render.markup import width_of

_SHIFT = re.compile(r"translate\(([-\d.]+)[ ,]?([-\d.]*)\)")
_SCALE = re.compile(r"scale\(([-\d.]+)\)")
_STARTS = {"middle": 0.5, "end": 1.0}


def extents(svg: str, font_size: float = 0) -> Iterator[tuple[str, float, float]]:
    """Yield (name, left, right) for each text element, rectangle and circle; the name is the text or the kind of shape.

    Args:
        svg: SVG elements without an enclosing document.
        font_size: font size of text elements that do not specify one.
    """
    yield from _of_element(ElementTree.fromstring(f"<g>{svg}</g>"), 0.0, 1.0, font_size, "")


def _of_element(
    element: ElementTree.Element, x: float, scale: float, size: float, anchor: str
) -> Iterator[tuple[str, float, float]]:
    transform = element.get("transform", "")
    if shift := _SHIFT.search(transform):
        x += float(shift[1]) * scale
    if factor := _SCALE.search(transform):
        scale *= float(factor[1])
    size, anchor = float(element.get("font-size", size)), element.get("text-anchor", anchor)
    left = right = None
    if element.tag == "text" and element.text:
        width = width_of(element.text, size, element.get("font-weight") == "bold")
        left = float(element.get("x", 0)) - width * _STARTS.get(anchor, 0)
        right = left + width
    elif element.tag == "rect":
        left = float(element.get("x", 0))
        right = left + float(element.get("width", 0))
    elif element.tag == "circle":
        radius = float(element.get("r", 0))
        left, right = (float(element.get("cx", 0)) + sign * radius for sign in (-1, 1))
    if left is not None and right is not None:
        yield element.text or element.tag, x + left * scale, x + right * scale
    for child in element:
        yield from _of_element(child, x, scale, size, anchor)
