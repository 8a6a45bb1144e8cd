"""Pictures of a game, split into regions that a page can arrange: board, one panel per seat, stacks, shared items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from catan_env.render import board, panel
from catan_env.render.badges import fitted
from catan_env.render.layout import BOARD_WIDTH, HEADER, LINE, MARGIN, PLACES, WIDTH, Part, Parts
from catan_env.render.markup import FONTS
from catan_env.render.picture import draw, svg_of
from catan_env.render.view import Reading, ShownGame

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine
    from catan_env.render.layout import PictureLayout
    from catan_env.render.moves import Move

HEAD_WIDTH = 116
"""Width of the region that shows the turn and the dice in games without a board."""
TABLE_WIDTH, TABLE_LINES = 280, 8
"""Width and maximum number of lines of the region for shared items."""


def geometry(engine: BatchEngine) -> dict[str, Any]:
    """Return the positions of regions and places in the pictures of a game, in JSON-serializable form.

    Returns:
        `boxes` with the view box (x, y, width, height) of every region, `unit` with the number of pixels per hex size,
        and the positions of each kind of place. A path is given as its two ends, a hex as its corners. Panels, stacks
        and shared items ("table") may be smaller than their boxes.
    """
    layout = Reading(engine, [0]).game().layout
    boxes = {
        "stacks": [MARGIN, layout.strip_y, layout.strip_width, layout.height - layout.strip_y],
        "table": [0, 0, TABLE_WIDTH, LINE * TABLE_LINES],
    }
    for seat in range(layout.num_players):
        x, y, width, height = layout.panel_x(seat), layout.panel_y(seat), layout.panel_width, layout.panel_height
        boxes[f"panel {seat}"] = [x, y, width, height]
    if layout.topology is None:
        boxes["head"] = [WIDTH - HEAD_WIDTH, 0, HEAD_WIDTH, HEADER]
        return {"boxes": boxes, "unit": 0, "places": {}}
    boxes["board"] = [MARGIN, HEADER, BOARD_WIDTH, layout.board_height]
    places = {kind: _rounded(getattr(layout, kind)) for kind in PLACES}
    return {
        "boxes": boxes,
        "unit": round(layout.unit, 2),
        "places": places,
        "ends": [_rounded(ends) for ends in layout.path_ends],
        "outlines": [_rounded(outline) for outline in layout.outlines],
    }


def _rounded(positions: Sequence[tuple[float, float]]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in positions]


def regions(engine: BatchEngine, viewer: int, names: Sequence[str], last: Move | None) -> dict[str, str]:
    """Return the SVG of each region of game 0, as seen by a seat or by `view.SPECTATOR`.

    Args:
        engine: the engine.
        viewer: a seat or `SPECTATOR`.
        names: player names by seat.
        last: the last action, which is marked on the board if the viewer may know its location.
    """
    game = Reading(engine, [0]).game()
    layout = game.layout
    head = panel.header(game, names, "")
    del head["decision"], head["last"]
    drawn = {f"panel {seat}": _panel(game, seat, viewer, names[seat]) for seat in range(layout.num_players)}
    drawn["stacks"] = _joined(panel.stacks(game, viewer)[0])
    lines = fitted(panel.shared_badges(game, viewer), TABLE_WIDTH, LINE * (TABLE_LINES - 1))
    drawn["table"] = _joined({f"{k}": Part(0, LINE * (k + 1), line) for k, line in enumerate(lines)})
    if layout.topology is None:
        drawn["head"] = _joined(head)
    else:
        is_known = last is not None and (last.privy is None or viewer in last.privy)
        drawn["board"] = _board(layout, game, last if is_known else None) + _joined(head)
    return drawn


def _panel(game: ShownGame, seat: int, viewer: int, name: str) -> str:
    parts = panel.panel(game, seat, viewer)
    height = panel.used_height(game.layout, seat, parts)
    parts["to act"] = panel.to_act(game, seat, height)
    return panel.panel_ground(game.layout, seat, name, height) + _joined(parts)


def _board(layout: PictureLayout, game: ShownGame, last: Move | None) -> str:
    marked = board.spotlight(game, last.axis, last.argument) if last is not None and last.seat >= 0 else ""
    return board.ground(layout) + _joined(board.board(game)) + marked


def _joined(parts: Parts) -> str:
    return "".join(svg_of(part) for part in parts.values() if part.content)


def board_picture(engine: BatchEngine) -> str:
    """Return an SVG document of game 0: the board or, in games without one, the whole picture."""
    game = Reading(engine, [0]).game()
    if game.layout.topology is None:
        return draw(engine).svg
    x, y, width, height = geometry(engine)["boxes"]["board"]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" font-family="{FONTS}">'
        f"{_board(game.layout, game, None)}</svg>"
    )
