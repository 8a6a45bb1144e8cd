"""`draw` and `Picture`, which render a game as SVG for notebooks and for SVG and PNG files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from catan_env.engine.arguments import check_index
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError
from catan_env.render import board, markup, moves, overlay, palette, panel
from catan_env.render.layout import WIDTH, Part, Parts, PictureLayout
from catan_env.render.markup import number
from catan_env.render.view import Reading, ShownGame
from catan_env.text_files import has_ending
from catan_env.whole_files import write_whole


class Picture:
    """An SVG picture.

    Attributes:
        svg: the complete SVG document.
        width, height: size in pixels.
    """

    def __init__(self, svg: str, width: int, height: int):
        self.svg, self.width, self.height = svg, width, height

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture {self.width} x {self.height}>"

    def save(self, path: str | Path, width: int | None = None) -> Path:
        """Save the picture as a .svg or .png file.

        Args:
            path: file path, whose suffix determines the format.
            width: width of a PNG in pixels; defaults to the width of the picture.

        Raises:
            OptionError: the path has a different suffix.
            MissingExtraError: a PNG needs the `render` extra.
        """
        path = Path(path)
        if has_ending(path, ".svg"):
            write_whole(path, self.svg)
        elif has_ending(path, ".png"):
            from catan_env.render.pixels import png_of

            write_whole(path, png_of(self.svg, width or self.width))
        else:
            raise OptionError(f"path is {path.name!r}; the name of a picture must end in .svg or .png.")
        return path

    def to_array(self, width: int | None = None) -> np.ndarray:
        """Return the pixels as a new (height, width, 3) uint8 array, 800 wide by default.

        Raises:
            MissingExtraError: the `render` extra is not installed.
        """
        from catan_env.render.pixels import pixels_of

        return pixels_of(self.svg, width or self.width)


def draw(
    engine: BatchEngine,
    game: int = 0,
    viewer: int | None = None,
    probabilities: Sequence[float] | np.ndarray | None = None,
    names: Sequence[str] | None = None,
    places: bool = False,
) -> Picture:
    """Draw a game of an engine.

    Args:
        engine: the engine.
        game: index of the game.
        viewer: seat whose knowledge is shown; None shows all hands and points.
        probabilities: (actions,) action probabilities for the seat to act, shown as heat and in a list of the ten most
            likely actions.
        names: player names by seat.
        places: whether to show the numbers of intersections (in circles), paths and hexes (#, with coordinates).

    Raises:
        OptionError: an argument is invalid.
    """
    check_index("game", game, engine.num_games)
    if viewer is not None:
        check_index("viewer", viewer, engine.num_players)
    names = seat_names(engine, names)
    shown_game = Reading(engine, [game]).game()
    layout = shown_game.layout
    recent_moves = moves.last_moves(moves.moves_of(engine, game))
    parts = sheet(shown_game, viewer, names, moves.describe_moves(recent_moves, viewer))
    body = [ground(layout, names), *(svg_of(part) for part in parts.values())]
    if recent_moves and recent_moves[0].seat >= 0:
        body.append(board.spotlight(shown_game, recent_moves[0].axis, recent_moves[0].argument))
    height = layout.height
    if places and layout.topology is not None:
        body.append(_numbers(layout))
    if probabilities is not None:
        likely = overlay.likely_actions(engine, game, probabilities)
        body += overlay.heat(layout, engine, likely)
        body.append(overlay.top_ten(layout, engine, likely, game))
        height += overlay.HEIGHT
    return Picture(document("".join(body), height), WIDTH, height)


def document(body: str, height: int) -> str:
    """Return a complete SVG document, 800 wide."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="{markup.FONTS}">{markup.rect(0, 0, WIDTH, height, palette.PAPER)}{body}</svg>'
    )


def ground(layout: PictureLayout, names: Sequence[str]) -> str:
    """Draw the static parts of a picture, which never change during a game."""
    panels = [panel.panel_ground(layout, seat, names[seat]) for seat in range(layout.num_players)]
    return board.ground(layout) + "".join(panels)


def sheet(game: ShownGame, viewer: int | None, names: Sequence[str], last: str) -> Parts:
    """Draw the dynamic parts of a picture, showing only what `viewer` is allowed to see."""
    parts = panel.header(game, names, last)
    parts |= board.board(game)
    for seat in range(game.layout.num_players):
        parts |= panel.panel(game, seat, viewer)
        parts[f"to act {seat}"] = panel.to_act(game, seat)
    return parts | panel.strip(game, viewer)


def svg_of(part: Part, name: str = "") -> str:
    """Return a part as SVG, translated to its place, with a class name if one is given."""
    return markup.moved(part.x, part.y, part.content, part.scale, name)


def seat_names(engine: BatchEngine, names: Sequence[str] | None) -> list[str]:
    """Return a name for every seat; names may be empty strings.

    Raises:
        OptionError: the number of names differs from the number of seats.
    """
    if names is None:
        return [""] * engine.num_players
    if isinstance(names, str) or len(names) != engine.num_players:
        raise OptionError(f"names is {names!r}; it must have one name for each of {engine.num_players} seats.")
    return [str(name) for name in names]


def _numbers(layout: PictureLayout) -> str:
    """Draw the numbers of all places, as used in action arguments, and the coordinates of hexes."""
    elements = []

    def write(x: float, y: float, words: str, color: str) -> None:
        elements.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="8.5" text-anchor="middle" fill="{color}" '
            f'stroke="#fff" stroke-width="3" paint-order="stroke">{words}</text>'
        )

    for place, (x, y) in enumerate(layout.paths):
        write(x, y + 3, str(place), "#7a0156")
    for place, (x, y) in enumerate(layout.intersections):
        elements.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="7" fill="{palette.INK}" stroke="#fff"/>')
        elements.append(markup.text(x, y + 3, str(place), 8.5, "#ffffff", anchor="middle"))
    for place, ((x, y), key) in enumerate(zip(layout.hexes, layout.map.hex_keys, strict=True)):
        write(x, y - 0.56 * layout.unit, f"#{place}", palette.INK)
        write(x, y - 0.3 * layout.unit, f"({', '.join(map(str, key))})", palette.INK)
    return "".join(elements)
