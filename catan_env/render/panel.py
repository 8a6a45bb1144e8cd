"""Everything around the board: the header, the players' panels and the table strip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from catan_env.engine.declare import NEUTRAL_LETTERS
from catan_env.render import markup, palette
from catan_env.render.badges import SMALL, Badge, fitted, kinds, phrase, quiet_tag, small, tag
from catan_env.render.drawing import BADGES, HEADS, NEUTRALS, PIECES, ROWS, STACKS, TURN_MARKS
from catan_env.render.layout import LINE, MARGIN, WIDTH, Part, Parts, PictureLayout
from catan_env.render.markup import number, rect, text, width_of
from catan_env.render.view import Item, ShownGame, words

NORMAL = 14
TITLE = 20
ROWS_Y = 23
NEW = "new_"
PIECE_STEP, LEAST_PIECE_STEP = 41, 34
"""Distance between piece icons. In rows with many pieces, icons first move closer together and then shrink."""


# -- the header --------------------------------------------------------------------------------------------


def header(game: ShownGame, names: Sequence[str], last: str) -> Parts:
    """Draw the current decision, the last action and registered parts, such as the turn number and the dice."""
    engine, game_index = game.reading.engine, int(game.reading.games[game.place])
    seat = int(engine.winner[game_index]) if engine.terminated[game_index] else int(engine.seat_to_act[game_index])
    swatch = ""
    if seat >= 0:
        paint = palette.paint_of(seat, game.layout.num_players)
        swatch = rect(MARGIN, 5, 16, 16, paint.fill, 4, palette.INK)
    left = MARGIN + (23 if seat >= 0 else 0)
    decision = game.decision
    if seat >= 0 and names[seat]:
        decision = decision.replace(f"Seat {seat}", f"Seat {seat} ({names[seat]})", 1)
    decision = markup.fit(decision, WIDTH - left - MARGIN, NORMAL, bold=True)
    last = markup.fit(last, WIDTH - 2 * MARGIN, 12)
    parts = {
        "decision": Part(0, 0, swatch + text(left, 18, decision, NORMAL, bold=True)),
        "last": Part(0, 0, text(MARGIN, 38, last, 12, palette.FAINT) if last else ""),
    }
    drawings = (drawing for drawing in HEADS if drawing.fits(game.layout.composition))
    return parts | {drawing.fields[0]: drawing.function(game) for drawing in drawings}


# -- a player's panel --------------------------------------------------------------------------------------


def panel_ground(layout: PictureLayout, seat: int, name: str, height: float = 0) -> str:
    """Draw the static parts of a panel. A height of 0 means the height given by the layout."""
    paint = palette.paint_of(seat, layout.num_players)
    x, y, width = layout.panel_x(seat), layout.panel_y(seat), layout.panel_width
    band = rect(x, y, width, TITLE, paint.fill, 6, palette.INK)
    title = text(x + 8, y + 14.5, f"Seat {seat}", 13, paint.ink, bold=True)
    name = markup.fit(name, width - 150, 12)
    title += text(x + 62, y + 14.5, name, 12, paint.ink) if name else ""
    icons = [PIECES[piece](paint) for piece in layout.pieces]
    step, scale = _piece_spacing(layout)
    pieces = "".join(markup.moved(k * step, 0, icon) for k, icon in enumerate(icons))
    pieces = markup.moved(x + 6, y + _items_top(layout), pieces, layout.zoom * scale)
    height = height or layout.panel_height
    return rect(x, y, width, height, palette.PANEL, 6, palette.RULE) + band + title + pieces


def panel(game: ShownGame, seat: int, viewer: int | None) -> Parts:
    """Draw the dynamic parts of a panel, showing only what `viewer` may see; None sees everything."""
    layout = game.layout
    x, y = layout.panel_x(seat), layout.panel_y(seat)
    visible, hidden = game.points(seat, viewer)
    paint = palette.paint_of(seat, layout.num_players)
    points = markup.plural(visible + hidden, "point") + (f" ({hidden} hidden)" if hidden else "")
    parts = {f"points {seat}": Part(x + layout.panel_width - 8, y + 14.5, _points(points, paint.ink))}
    zoom = layout.zoom
    items = game.of_player(seat, viewer)
    item_by_name, row_y = {item.name: item for item in items}, y + ROWS_Y
    for row in (row for row in ROWS if row.fits(layout.composition)):
        parts |= row.function(item_by_name, seat, x + 6, row_y, zoom)
        row_y += row.height * zoom
    counts = [_count(item_by_name.get(field), piece) for piece, field in layout.pieces.items()]
    step, scale = _piece_spacing(layout)
    piece_texts = [text(18 + k * step, 0, count, bold=True) for k, count in enumerate(counts)]
    items_y = y + _items_top(layout)
    parts[f"pieces {seat}"] = Part(x + 6, items_y, small("".join(piece_texts)), zoom * scale)
    badges = [*_holder_badges(game, seat), *item_badges(items, game.reading.engine.rules, layout.pieces)]
    height = (y + layout.panel_height - items_y - 3) / zoom
    start = len(piece_texts) * step * scale
    for k, line in enumerate(fitted(badges, layout.inner_width / zoom, height, start)):
        parts[f"items {seat} {k}"] = Part(x + 6, items_y + k * LINE * zoom, line, zoom)
    return parts


def _items_top(layout: PictureLayout) -> float:
    """Return the baseline of the first line of holdings in a panel."""
    return ROWS_Y + 1 + (layout.rows_height * layout.zoom or LINE)


def _piece_spacing(layout: PictureLayout) -> tuple[float, float]:
    """Return the distance between piece icons, and the scale of their row, at which the row fits the panel."""
    room, count = layout.inner_width / layout.zoom, max(len(layout.pieces), 1)
    step = max(LEAST_PIECE_STEP, min(PIECE_STEP, room / count))
    return step, min(1.0, room / (count * step))


def _count(item: Item | None, piece: str) -> str:
    """Return the count of a piece, given its field or kind, or "?" if the viewer may not see it."""
    if item is None:
        return "?"
    if piece == item.name:
        return str(sum(item.value) if isinstance(item.value, tuple) else item.value)
    return "?" if item.total else str(item.value[item.labels.index(piece)])


def used_height(layout: PictureLayout, seat: int, parts: Parts) -> float:
    """Return the height of a panel without empty lines at its end, leaving room for at least two lines of holdings."""
    lowest = max(part.y for part in parts.values() if part.content) - layout.panel_y(seat)
    return round(max(lowest, _items_top(layout) + LINE * layout.zoom) + 6 * layout.zoom)


def to_act(game: ShownGame, seat: int, height: float = 0) -> Part:
    """Draw a frame around the panel of the seat to act. A height of 0 means the height given by the layout."""
    layout = game.layout
    is_acting = int(game.reading.engine.seat_to_act[int(game.reading.games[game.place])]) == seat
    height = (height or layout.panel_height) - 2
    frame = (
        f'<rect x="1" y="1" width="{number(layout.panel_width - 2)}" height="{number(height)}" rx="6" '
        f'fill="none" stroke="{palette.HOT}" stroke-width="3"/>'
    )
    return Part(layout.panel_x(seat), layout.panel_y(seat), frame if is_acting else "")


@cache
def _points(label: str, ink: str) -> str:
    return text(0, 0, label, 13, ink, bold=True, anchor="end")


# -- badges ------------------------------------------------------------------------------------------------


def _holder_badges(game: ShownGame, seat: int) -> Iterator[Badge]:
    for name, holder in game.holders():
        if holder == seat:
            yield quiet_tag(TURN_MARKS[name]) if name in TURN_MARKS else tag(words(name).title())


def item_badges(items: Sequence[Item], rules: dict, pieces: Mapping[str, str] | None = None) -> Iterator[Badge]:
    """Yield badges for items that have no other place in the picture.

    Zeros, values equal to the rule of the same name, and counts in `pieces` (`PictureLayout.pieces`) are omitted. An
    item `new_X` adds the number of new items to the badges of `X`; for example, `new_development_cards` adds to those
    of `development_cards`.
    """
    names, pieces = {item.name for item in items}, pieces or {}
    fresh = {item.name: item.value for item in items if item.name.startswith(NEW) and item.name[len(NEW) :] in names}
    placed_names = {name for row in ROWS for name in row.fields} | set(fresh)
    for item in items:
        if item.name in placed_names:
            continue
        if item.name in BADGES and not item.total:
            yield from BADGES[item.name].function(item, rules, fresh.get(NEW + item.name))
        elif isinstance(item.value, tuple):
            yield from kinds(_without_pieces(item, pieces), fresh.get(NEW + item.name))
        elif item.category:
            yield phrase(item.label, item.category)
        elif item.value and item.value != rules.get(item.name) and item.name not in pieces:
            yield phrase(item.label, str(item.value))


def _without_pieces(item: Item, pieces: Mapping[str, str]) -> Item:
    """Return an item with one value per kind, which is zero for kinds that have an icon."""
    counts = zip(item.labels, item.value, strict=True)
    return item._replace(value=tuple(0 if pieces.get(label) == item.name else count for label, count in counts))


# -- the table ---------------------------------------------------------------------------------------------


def strip(game: ShownGame, viewer: int | None) -> Parts:
    """Draw the table strip: stacks such as the bank and, to their right, neutral colors and other shared items."""
    layout = game.layout
    y = layout.strip_y
    parts, x = stacks(game, viewer)
    lines = fitted(shared_badges(game, viewer), layout.strip_width + MARGIN - x, layout.height - y - 12)
    return parts | {f"table {k}": Part(x, y + 12 + k * LINE, line) for k, line in enumerate(lines)}


def stacks(game: ShownGame, viewer: int | None) -> tuple[Parts, float]:
    """Draw the stacks in the table strip, and return where they end."""
    parts: Parts = {}
    x = MARGIN + 6.0
    for item in (item for item in game.of_table(viewer) if item.name in STACKS):
        stack_parts, width = STACKS[item.name].function(item, x, game.layout.strip_y)
        parts |= stack_parts
        x += width
    return parts, x


def shared_badges(game: ShownGame, viewer: int | None) -> list[Badge]:
    """Return badges for neutral colors and for shared items without a stack. Items with a count per kind come last."""
    items = [item for item in game.of_table(viewer) if item.name not in STACKS]
    items.sort(key=lambda item: isinstance(item.value, tuple))
    return [*_neutral_badges(game), *item_badges(items, game.reading.engine.rules)]


def _neutral_badges(game: ShownGame) -> Iterator[Badge]:
    """Yield badges for the neutral colors and the titles that they hold."""
    player_count, composition = game.layout.num_players, game.layout.composition
    label_of = next((NEUTRALS[name].function for name in composition.features if name in NEUTRALS), _letter_of)
    for k in range(composition.sizes.get("neutrals", 0)):
        label = label_of(k)
        drawing = markup.moved(
            7, -5, markup.building(markup.HOUSE, palette.paint_of(player_count + k, player_count)), 0.3
        )
        yield Badge(18 + width_of(label, SMALL), drawing + text(18, 0, label, color=palette.FAINT))
        yield from _holder_badges(game, player_count + k)


def _letter_of(number: int) -> str:
    return f"neutral {NEUTRAL_LETTERS[number]}"
