"""Drawings for other Seafarers boards: wonder sites, gifts of the Forgotten Tribe, and villages with cloth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from catan_env.render import markup, palette
from catan_env.render.ansi import Sketch
from catan_env.render.badges import Badge, phrase
from catan_env.render.drawing import COAST, ICONS, draws, leaves_out, sets, writes
from catan_env.render.layout import Part, Parts
from catan_env.render.view import Item, ShownGame

POINT, CARD, HARBOR = 0, 1, 2
ICONS_OF_GIFTS = "+c"
HUT = "M-24 18v-24l24-20 24 20v24z"

leaves_out("trades", because="the ships at the villages show it")


@sets("claimed_wonder")
def claimed_wonder(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the wonder that a player has claimed."""
    if item.category:
        yield phrase("wonder", item.category)


@sets("wonder_levels")
def wonder_level(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the level of a player's wonder after its name."""
    if any(item.value):
        yield phrase("level", str(max(item.value)))


@draws("ships", layer=COAST)
def wonder_sites(game: ShownGame) -> Parts:
    """Draw a W on the wall's sites, a B on the bridge's sites, and an empty ring on other closed sites.

    Initial settlements may not be placed on any of them.
    """
    layout, parts = game.layout, {}
    mark = layout.map.marks.get("wonder_site")
    if mark is not None:
        for intersection, wall, bridge in zip(mark.places, mark.numbers["wall"], mark.numbers["bridge"], strict=True):
            letter = "W" if wall else "B" if bridge else ""
            parts[f"wonder site {intersection}"] = Part(
                *layout.intersections[int(intersection)], _site(letter), layout.unit / 100
            )
    return parts


@cache
def _site(letter: str) -> str:
    ring = f'<circle r="18" fill="{palette.PAPER}" stroke="{palette.INK}" stroke-width="3"/>'
    return ring + markup.text(0, 9, letter, 26, palette.INK, bold=True, anchor="middle")


@draws("gift", layer=ICONS + 1)
def gifts(game: ShownGame) -> Parts:
    """Draw a gold disc for a point and a card back for a card. Gift harbors look like any other harbor."""
    layout, mark, parts = game.layout, game.layout.map.marks["gift"], {}
    for k, (path, is_there) in enumerate(zip(mark.places.tolist(), game.values("gift"), strict=True)):
        kind = int(mark.numbers["kind"][k])
        drawing = _gift(kind) if is_there and kind != HARBOR else ""
        x, y = layout.paths[path]
        parts[f"gift {k}"] = Part(x, y, drawing, layout.unit / 100)
    return parts


@cache
def _gift(kind: int) -> str:
    if kind == POINT:
        star = markup.text(0, 10, "1", 28, "#8a6a00", bold=True, anchor="middle")
        return f'<circle r="22" fill="{palette.GOLD}" stroke="#8a6a00" stroke-width="4"/>{star}'
    card_back = markup.rect(-15, -21, 30, 42, "#6a4a8c", 4, "#2e1d42")
    return card_back + markup.text(0, 9, "?", 26, "#ffffff", bold=True, anchor="middle")


@writes("gift", layer=ICONS + 1)
def written_gifts(sketch: Sketch) -> None:
    """Write `+` for a point and `c` for a card."""
    mark = sketch.game.layout.map.marks["gift"]
    for k, is_there in enumerate(sketch.game.values("gift")):
        kind = int(mark.numbers["kind"][k])
        if is_there and kind != HARBOR:
            sketch.canvas.write(*sketch.paths[int(mark.places[k])], ICONS_OF_GIFTS[kind])


@draws("village_cloth", layer=ICONS + 1)
def villages(game: ShownGame) -> Parts:
    """Draw each village as a hut with its number and, below it, its cloth."""
    layout, mark, parts = game.layout, game.layout.map.marks["village"], {}
    for k, (intersection, cloth) in enumerate(zip(mark.places.tolist(), game.values("village_cloth"), strict=True)):
        drawing = _village(int(mark.numbers["number"][k]), cloth)
        x, y = layout.intersections[intersection]
        parts[f"village {k}"] = Part(x, y, drawing, layout.unit / 100)
    return parts


@cache
def _village(number: int, cloth: int) -> str:
    hut = f'<path d="{HUT}" fill="{palette.PAPER}" stroke="{palette.INK}" stroke-width="3"/>'
    color = palette.HOT if number in (6, 8) else palette.INK
    label = markup.text(0, 13, str(number), 25, color, bold=True, anchor="middle")
    roll = markup.rect(-22, 20, 44, 22, "#a04f7c" if cloth else palette.RULE, 5, palette.INK)
    return hut + label + roll + markup.text(0, 38, f"{cloth}", 20, "#ffffff", bold=True, anchor="middle")


@writes("village_cloth", layer=ICONS + 1)
def written_villages(sketch: Sketch) -> None:
    mark = sketch.game.layout.map.marks["village"]
    for k, cloth in enumerate(sketch.game.values("village_cloth")):
        sketch.canvas.write(*sketch.corners[int(mark.places[k])], f"{mark.numbers['number'][k]}:{cloth}", centered=True)
