"""Everything around the board: the decision, the last action, the players' panels and what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from catan_env.board.terrain import RESOURCES
from catan_env.render import markup, palette
from catan_env.render.markup import number, rect, text, width_of
from catan_env.render.stage import BOARD_WIDTH, HEADER, LINE, MARGIN, PANEL_WIDTH, WIDTH, Part, Parts, Stage
from catan_env.render.view import Game, Item, words

SMALL, NORMAL = 11, 14
TITLE = 20
CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 35, 19, 39
CARDS_Y = 23
BACK = "#6b4e8e"
"""Of development cards and the like."""
NEW, GAINS = "new_", "income"
PIECES = {"roads_left": "road", "settlements_left": markup.HOUSE, "cities_left": markup.TOWN}
"""Fields that have a drawing, in the order in which the rules declare them."""
PIECE_STEP = 41


class Chip(NamedTuple):
    """Something to be set in a line, and the gap behind it; its origin is on the baseline."""

    width: float
    drawing: str
    gap: float = 9


# -- the header --------------------------------------------------------------------------------------------


def header(game: Game, names: Sequence[str], last: str) -> Parts:
    """The decision at hand and the last action, in words, with the number of the turn and the dice."""
    engine, place = game.reading.engine, int(game.reading.games[game.place])
    seat = int(engine.winner[place]) if engine.terminated[place] else int(engine.seat_to_act[place])
    swatch = ""
    if seat >= 0:
        paint = palette.paint_of(seat, game.stage.num_players)
        swatch = rect(MARGIN, 5, 16, 16, paint.fill, 4, palette.INK)
    left = MARGIN + (23 if seat >= 0 else 0)
    decision = game.decision
    if seat >= 0 and names[seat]:
        decision = decision.replace(f"Seat {seat}", f"Seat {seat} ({names[seat]})", 1)
    decision = markup.fit(decision, WIDTH - left - MARGIN, NORMAL, bold=True)
    last = markup.fit(last, WIDTH - 2 * MARGIN, 12)
    return {
        "decision": Part(0, 0, swatch + text(left, 18, decision, NORMAL, bold=True)),
        "last": Part(0, 0, text(MARGIN, 38, last, 12, palette.FAINT) if last else ""),
        "turn": Part(MARGIN + 10, HEADER + 20, _turn(game)),
        "dice": Part(MARGIN + BOARD_WIDTH - 44, HEADER + 8, _dice(game.values("dice", 0))),
    }


def _turn(game: Game) -> str:
    turn = game.values("turn", 0)
    return text(0, 0, f"Turn {turn}", 13, "#31556b", bold=True) if turn else ""


@cache
def _dice(total: int) -> str:
    if not total:
        return ""
    color = palette.HOT if total == 7 else palette.INK
    label = text(17, 24, str(total), 20, color, bold=True, anchor="middle")
    return rect(0, 0, 34, 34, "#ffffff", 7, palette.INK) + label + text(-5, 22, "dice", 12, "#31556b", anchor="end")


# -- a player's panel --------------------------------------------------------------------------------------


def panel_ground(stage: Stage, seat: int, name: str) -> str:
    """What never changes of a panel."""
    paint = palette.paint_of(seat, stage.num_players)
    x, y, width = stage.panel_x, stage.panel_y(seat), PANEL_WIDTH
    band = rect(x, y, width, TITLE, paint.fill, 6, palette.INK)
    title = text(x + 8, y + 14.5, f"Seat {seat}", 13, paint.ink, bold=True)
    name = markup.fit(name, width - 150, 12)
    title += text(x + 62, y + 14.5, name, 12, paint.ink) if name else ""
    icons = [_icon(PIECES[name], paint) for name in PIECES if name in stage.composition.fields]
    pieces = "".join(markup.moved(k * PIECE_STEP, 0, icon) for k, icon in enumerate(icons))
    pieces = markup.moved(x + 6, y + _items_top(stage), pieces, stage.zoom)
    return rect(x, y, width, stage.panel_height, palette.PANEL, 6, palette.RULE) + band + title + pieces


def panel(game: Game, seat: int, viewer: int | None) -> Parts:
    """What changes of a panel, as `viewer` may see it; None sees everything."""
    stage = game.stage
    x, y = stage.panel_x, stage.panel_y(seat)
    visible, hidden = game.points(seat, viewer)
    paint = palette.paint_of(seat, stage.num_players)
    points = markup.plural(visible + hidden, "point") + (f" ({hidden} hidden)" if hidden else "")
    parts = {f"points {seat}": Part(x + PANEL_WIDTH - 8, y + 14.5, _points(points, paint.ink))}
    zoom = stage.zoom
    items = game.of_player(seat, viewer)
    hand = next((item.value for item in items if is_hand(item)), 0)
    open_hand = hand if isinstance(hand, tuple) else ()
    gains = next((item.value for item in items if item.name == GAINS), (0,) * len(RESOURCES))
    for k in range(len(RESOURCES)):
        drawing = card(k, hand[k], gains[k]) if open_hand else ""
        parts[f"card {seat} {k}"] = Part(x + 6 + k * CARD_STEP * zoom, y + CARDS_Y, drawing, zoom)
    if open_hand:
        aside = x + 6 + (len(RESOURCES) * CARD_STEP + 2) * zoom
        parts[f"hand {seat}"] = Part(aside, y + CARDS_Y + 14 * zoom, _count_of_cards(sum(hand)), zoom)
    else:
        parts[f"hand {seat}"] = Part(x + 6, y + CARDS_Y, _covered(hand, gains), zoom)
    pieces = [text(18 + k * PIECE_STEP, 0, str(item.value), bold=True) for k, item in enumerate(_pieces(items))]
    top = y + _items_top(stage)
    parts[f"pieces {seat}"] = Part(x + 6, top, _small("".join(pieces)), zoom)
    chips = [*_holder_chips(game, seat), *item_chips(items, game.reading.engine.rules)]
    lines = int((y + stage.panel_height - top - 3) / (LINE * zoom)) + 1
    start = len(pieces) * PIECE_STEP
    for k, line in enumerate(flow(chips, (PANEL_WIDTH - 12) / zoom, lines, start)):
        parts[f"items {seat} {k}"] = Part(x + 6, top + k * LINE * zoom, line, zoom)
    return parts


def _items_top(stage: Stage) -> float:
    """Baseline of the first line of holdings in a panel."""
    return CARDS_Y + 1 + (CARD_HEIGHT + LINE) * stage.zoom


def _pieces(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.name in PIECES]


def is_hand(item: Item) -> bool:
    """Whether an item is the hand of resource cards."""
    return item.name == "hands"


def to_act(game: Game, seat: int) -> Part:
    """A frame around the panel of the seat to act."""
    stage = game.stage
    acting = int(game.reading.engine.seat_to_act[int(game.reading.games[game.place])]) == seat
    frame = (
        f'<rect x="1" y="1" width="{number(PANEL_WIDTH - 2)}" height="{stage.panel_height - 2}" rx="6" '
        f'fill="none" stroke="{palette.HOT}" stroke-width="3"/>'
    )
    return Part(stage.panel_x, stage.panel_y(seat), frame if acting else "")


@cache
def _points(label: str, ink: str) -> str:
    return text(0, 0, label, 13, ink, bold=True, anchor="end")


@cache
def card(resource: int, count: int, gain: int = 0) -> str:
    """A resource card with how many there are, and how many the last roll brought."""
    fill, ink = palette.RESOURCES[resource], palette.RESOURCE_INKS[resource]
    glyph = markup.moved(9, 10, f'<g opacity=".6">{_inked_glyph(resource, ink)}</g>', 0.2)
    label = text(CARD_WIDTH - (7 if count < 10 else 3), 14.5, str(count), 13, ink, bold=True, anchor="end")
    if gain:
        glyph = rect(2, 3, 15, 13, palette.GOLD, 6) + text(9.5, 12.5, f"+{gain}", 9, anchor="middle")
    drawing = rect(0, 0, CARD_WIDTH, CARD_HEIGHT, fill, 4, "#3a3a3a") + glyph + label
    return drawing if count or gain else f'<g opacity=".35">{drawing}</g>'


def _inked_glyph(terrain: int, ink: str) -> str:
    return markup.glyph(terrain).replace(palette.GLYPHS[terrain], ink, 1)


@cache
def _covered(count: int, gains: tuple[int, ...]) -> str:
    """A hand seen from behind."""
    back = rect(4, 0, 22, CARD_HEIGHT, "#8a8f98", 4, "#3a3a3a") + rect(0, 0, 22, CARD_HEIGHT, "#6d737c", 4, "#3a3a3a")
    label = markup.plural(count, "resource card")
    gained = _swatches("got", gains).drawing if any(gains) else ""
    shift = 34 + width_of(label, 12, bold=count > 7) + 9
    return back + text(34, 14, label, 12, bold=count > 7) + markup.moved(shift, 14, _small(gained))


@cache
def _count_of_cards(count: int) -> str:
    return text(0, 0, markup.plural(count, "card"), SMALL, palette.FAINT)


# -- chips -------------------------------------------------------------------------------------------------


def flow(chips: Sequence[Chip], width: float, lines: int, start: float = 0) -> list[str]:
    """Chips set in so many lines of a width, the first one from `start` on; an ellipsis for what does not fit."""
    x, drawn = start, [""]
    for chip in chips:
        if x and x + chip.width > width:
            if len(drawn) == lines:
                drawn[-1] += text(min(x, width - 10), 0, "...")
                break
            x = 0.0
            drawn.append("")
        drawn[-1] += markup.moved(round(x), 0, chip.drawing)
        x += chip.width + chip.gap
    return [_small(line) for line in drawn + [""] * (lines - len(drawn))]


def _small(content: str) -> str:
    return f'<g font-size="{SMALL}">{content}</g>' if content else ""


def _holder_chips(game: Game, seat: int) -> Iterator[Chip]:
    for name, holder in game.holders():
        if holder == seat:
            yield _tag(words(name).title())


@cache
def _tag(label: str) -> Chip:
    width = width_of(label, SMALL, bold=True) + 12
    body = rect(0, -9.5, round(width), 12, palette.GOLD, 6, "#8a6a00")
    return Chip(width, body + text(6, 0, label, bold=True))


def item_chips(items: Sequence[Item], rules: dict) -> Iterator[Chip]:
    """A chip for each item that says something: not the hand, no zeros, nothing that the rules say anyway.

    `new_cards` says which of the `cards` are new; so does every other pair of names like these.
    """
    names = {item.name for item in items}
    fresh = {item.name: item.value for item in items if item.name.startswith(NEW) and item.name[len(NEW) :] in names}
    for item in items:
        if is_hand(item) or item.name in PIECES or item.name in fresh or item.name == GAINS:
            continue
        if item.name == "trade_rate":
            yield from _rates(item, rules)
        elif isinstance(item.value, tuple):
            yield from _resources(item) if item.labels == RESOURCES else _kinds(item, fresh.get(NEW + item.name))
        elif item.category:
            yield _phrase(item.label, item.category)
        elif item.value and item.value != rules.get(item.name):
            yield _phrase(item.label, str(item.value))


@cache
def _phrase(label: str, value: str) -> Chip:
    width = width_of(label + " ", SMALL)
    drawing = text(0, 0, label, color=palette.FAINT) + text(width, 0, value, bold=True)
    return Chip(width + width_of(value, SMALL, bold=True), drawing)


def _kinds(item: Item, fresh: tuple[int, ...] | None) -> Iterator[Chip]:
    """What is held of several kinds, such as cards or tokens, and how many of them are new."""
    before = "" if item.name == "cards" else item.label
    held = [k for k, count in enumerate(item.value) if count]
    for k in held:
        new = f" ({fresh[k]} new)" if fresh and fresh[k] else ""
        yield _back(f"{item.value[k]} {words(item.labels[k])}{new}", before, 9 if k == held[-1] else 3)
        before = ""


@cache
def _back(label: str, before: str, gap: int) -> Chip:
    start = width_of(before + " ", SMALL) if before else 0
    width = width_of(label, SMALL) + 7
    body = text(0, 0, before, color=palette.FAINT) if before else ""
    body += rect(start, -9.5, round(width), 12, BACK, 3) + text(start + 3.5, 0, label, color="#fff")
    return Chip(start + width, body, gap)


def _icon(shape: str, paint: palette.Paint) -> str:
    """A piece as small as text."""
    if shape != "road":
        return markup.moved(7, -5, markup.building(shape, paint), 0.3)
    line = 'd="M1-2L13-8" stroke-linecap="round"'
    return (
        f'<path {line} stroke="{paint.edge}" stroke-width="5.5"/><path {line} stroke="{paint.fill}" stroke-width="3"/>'
    )


def _resources(item: Item) -> Iterator[Chip]:
    if any(item.value):
        yield _swatches(item.label, item.value)


@cache
def _swatches(label: str, counts: tuple[int, ...]) -> Chip:
    """How many of each resource, with its color and first letter."""
    x = width_of(label + " ", SMALL)
    drawing = text(0, 0, label, color=palette.FAINT)
    for k, count in enumerate(counts):
        if count:
            mark = f"{count} {RESOURCES[k]}"
            width = width_of(mark, SMALL) + 8
            drawing += rect(round(x), -9.5, round(width), 12, palette.RESOURCES[k], 3)
            drawing += text(x + 4, 0, mark, color=palette.RESOURCE_INKS[k])
            x += width + 3
    return Chip(x, drawing)


def _rates(item: Item, rules: dict) -> Iterator[Chip]:
    """Trade rates that are better than without a harbor."""
    usual = max(item.value)
    if usual < rules.get("supply_rate", usual + 1):
        yield _phrase("trades", f"{usual}:1")
    for resource, rate in zip(RESOURCES, item.value, strict=True):
        if rate < usual:
            yield _phrase(resource, f"{rate}:1")


# -- the table ---------------------------------------------------------------------------------------------


def strip(game: Game, viewer: int | None) -> Parts:
    """What lies on the table for all: the supply, stacks, what is still to be done, pieces of neutral colors."""
    stage = game.stage
    y = stage.strip_y
    items = game.of_table(viewer)
    supply = next((item for item in items if item.labels == RESOURCES), None)
    parts: Parts = {}
    x = MARGIN + 6.0
    if supply:
        for k in range(len(RESOURCES)):
            parts[f"{supply.name} {k}"] = Part(x + k * CARD_STEP, y + 18, card(k, supply.value[k]))
        parts[supply.name] = Part(x, y + 12, text(0, 0, f"{supply.label} of resource cards", SMALL, palette.FAINT))
        x += len(RESOURCES) * CARD_STEP + 12
    rest = sorted((item for item in items if item is not supply), key=lambda item: isinstance(item.value, tuple))
    chips = [*_neutral_chips(game), *item_chips(rest, game.reading.engine.rules)]
    lines = int(stage.height - y - 12) // LINE + 1
    for k, line in enumerate(flow(chips, BOARD_WIDTH + MARGIN - x, lines)):
        parts[f"table {k}"] = Part(x, y + 12 + k * LINE, line)
    return parts


def _neutral_chips(game: Game) -> Iterator[Chip]:
    """The neutral colors, and what cards they hold."""
    players = game.stage.num_players
    for k in range(game.stage.composition.sizes.get("neutrals", 0)):
        label = f"neutral {'ab'[k % 2]}"
        drawing = _icon(markup.HOUSE, palette.paint_of(players + k, players))
        yield Chip(18 + width_of(label, SMALL), drawing + text(18, 0, label, color=palette.FAINT))
        yield from _holder_chips(game, players + k)
