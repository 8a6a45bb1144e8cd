"""The base game's panels and table: turn, dice, hands, pieces, trade rates and the bank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from catan_env.board.terrain import RESOURCES
from catan_env.render import markup, palette
from catan_env.render.badges import SMALL, Badge, kinds, phrase
from catan_env.render.drawing import SYMBOLS, heads, lays_out, leaves_out, piece, sets, stacks, turn_mark
from catan_env.render.layout import LINE, PADDING, PANEL_WIDTH, Part, Parts
from catan_env.render.markup import rect, text, width_of
from catan_env.render.view import Item, ShownGame, words

CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 35, 19, 39
CHIP_STEP = 28
"""Spacing between gains drawn on a hidden hand."""
HAND_WIDTH = PANEL_WIDTH - 2 * PADDING
"""Width of a row of cards; rows with more kinds than fit shrink."""
SIDES = 6
CORNERS = ((-1, -1), (1, 1), (1, -1), (-1, 1))
PIPS = (
    ((0, 0),),
    CORNERS[:2],
    ((0, 0), *CORNERS[:2]),
    CORNERS,
    ((0, 0), *CORNERS),
    (*CORNERS, (-1, 0), (1, 0)),
)
"""Positions of the pips for each side of a die, relative to its center."""
COUNT_WIDTH = width_of("99 cards", SMALL) + 2

leaves_out("rolls_made", "card_played", because="the current decision shows it")
turn_mark("next_player", "plays next")
leaves_out("on_turn", because="the frame around the panel of the seat to act shows it, and so does the decision")
leaves_out("frame", because="the drawn board shows its result")
leaves_out("visible_points", "own_points", because="every panel shows its points")


# -- at the board's upper edge -----------------------------------------------------------------------------


@heads("turn")
def turn(game: ShownGame) -> Part:
    turn_number = game.values("turn")
    return Part(
        *game.layout.turn_spot, text(0, 0, f"Turn {turn_number}", 13, "#31556b", bold=True) if turn_number else ""
    )


@heads("dice")
def dice(game: ShownGame) -> Part:
    """Draw the sum of the dice. If chance determines only the sum, also draw two dice that add up to it.

    The pair shown has no meaning; it changes from turn to turn, as with real dice.
    """
    total = game.values("dice")
    has_own_dice = "red_die" in game.layout.composition.fields or game.layout.topology is None
    return Part(*game.layout.dice_spot, _dice(total, -1 if has_own_dice else game.values("turn", 0)))


@cache
def _dice(total: int, turn_number: int) -> str:
    if not total:
        return ""
    color = palette.HOT if total == 7 else palette.INK
    drawing = rect(0, 0, 34, 34, "#ffffff", 7, palette.INK)
    drawing += text(17, 24, str(total), 20, color, bold=True, anchor="middle")
    if turn_number < 0 or not 2 <= total <= 2 * SIDES:
        return drawing + text(-5, 22, "dice", 12, "#31556b", anchor="end")
    pairs = [(first, total - first) for first in range(1, SIDES + 1) if 1 <= total - first <= SIDES]
    first, second = pairs[turn_number * 5 % len(pairs)]
    return drawing + markup.moved(-60, 4, die(first)) + markup.moved(-31, 4, die(second))


@cache
def die(value: int) -> str:
    """Draw a die with its pips, 26 units wide."""
    dots = "".join(f'<circle cx="{13 + 7 * x}" cy="{13 + 7 * y}" r="2.6"/>' for x, y in PIPS[value - 1])
    return rect(0, 0, 26, 26, "#ffffff", 6, palette.INK) + f'<g fill="{palette.INK}">{dots}</g>'


# -- cards -------------------------------------------------------------------------------------------------


@lays_out("hands", "income", height=CARD_HEIGHT + LINE)
def hand(items: Mapping[str, Item], seat: int, x: float, y: float, zoom: float) -> Parts:
    """Draw the hand face up or as a card back, with the cards gained from the last roll."""
    parts: Parts = {}
    cards_held: Any = items["hands"].value if "hands" in items else 0  # an int if the hand is hidden
    open_hand = cards_held if isinstance(cards_held, tuple) else ()
    names = next((items[name].labels for name in ("income", "hands") if name in items), ()) or RESOURCES
    gains = items["income"].value if "income" in items else (0,) * len(names)
    card_zoom = min(zoom, (HAND_WIDTH - COUNT_WIDTH * zoom) / (len(names) * CARD_STEP))
    for k, name in enumerate(names):
        drawing = card(k, cards_held[k], gains[k], name) if open_hand else ""
        parts[f"card {seat} {k}"] = Part(x + k * CARD_STEP * card_zoom, y, drawing, card_zoom)
    if open_hand:
        count_x = x + len(names) * CARD_STEP * card_zoom + 2 * zoom
        parts[f"hand {seat}"] = Part(count_x, y + 14 * zoom, _count_of_cards(sum(cards_held)), zoom)
    else:
        parts[f"hand {seat}"] = Part(x, y, _covered(cards_held, gains, names, HAND_WIDTH / zoom), zoom)
    return parts


@stacks("bank")
def bank(item: Item, x: float, y: float) -> tuple[Parts, float]:
    parts = {
        f"supply {k}": Part(x + k * CARD_STEP, y + 18, card(k, count, name=item.labels[k]))
        for k, count in enumerate(item.value)
    }
    parts["bank"] = Part(x, y + 12, text(0, 0, f"{item.label} of resource cards", SMALL, palette.FAINT))
    return parts, len(item.value) * CARD_STEP + 12


@cache
def card(kind: int, count: int, gain: int = 0, name: str = "") -> str:
    """Draw a card with its count and the number gained from the last roll."""
    fill, ink = palette.card_paint(kind)
    glyph = _symbol(kind, ink, name)
    size = 11 if gain and count > 9 else 13  # a large count and its gain share the width
    label = text(CARD_WIDTH - (7 if count < 10 else 3), 14.5, str(count), size, ink, bold=True, anchor="end")
    if gain:
        glyph = rect(2, 3, 15, 13, palette.GOLD, 6) + text(9.5, 12.5, f"+{gain}", 9, anchor="middle")
    drawing = rect(0, 0, CARD_WIDTH, CARD_HEIGHT, fill, 4, "#3a3a3a") + glyph + label
    return drawing if count or gain else f'<g opacity=".35">{drawing}</g>'


def _symbol(kind: int, ink: str, name: str) -> str:
    """Draw the icon of a kind of card or, if it has none, the first letters of its name."""
    if kind < len(RESOURCES):
        icon = markup.glyph(kind).replace(palette.GLYPHS[kind], ink, 1)
        return markup.moved(9, 10, f'<g opacity=".6">{icon}</g>', 0.2)
    if name in SYMBOLS:
        return markup.moved(9, 9.5, f'<g opacity=".75">{SYMBOLS[name](ink)}</g>', 0.17)
    return text(2.5, 12, words(name)[:2], 9, ink)


@cache
def _covered(count: int, gains: tuple[int, ...], names: tuple[str, ...], width: float) -> str:
    """Draw a hidden hand, with the cards gained from the last roll in the remaining width."""
    card_backs = rect(4, 0, 22, CARD_HEIGHT, "#8a8f98", 4, "#3a3a3a") + rect(
        0, 0, 22, CARD_HEIGHT, "#6d737c", 4, "#3a3a3a"
    )
    label = markup.plural(count, "card")
    chips = [_chip(k, gain, names[k]) for k, gain in enumerate(gains) if gain]
    row = "".join(markup.moved(k * CHIP_STEP, 0, chip) for k, chip in enumerate(chips))
    start = 34 + width_of(label, 12, bold=count > 7) + 9
    scale = min(1.0, (width - start) / (max(len(chips), 1) * CHIP_STEP))
    return card_backs + text(34, 14, label, 12, bold=count > 7) + markup.moved(start, 2, row, scale)


def _chip(kind: int, gain: int, name: str) -> str:
    """Draw the number of cards gained of one kind."""
    fill, ink = palette.card_paint(kind)
    label = text(26, 11.5, f"+{gain}", 9, ink, bold=True, anchor="end")
    return rect(0, 0, 27, 15, fill, 4) + markup.moved(-0.5, -1.5, _symbol(kind, ink, name), 0.9) + label


@cache
def _count_of_cards(count: int) -> str:
    return text(0, 0, markup.plural(count, "card"), SMALL, palette.FAINT)


@sets("development_cards")
def development_cards(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the development cards without a label in front; the badge colors identify them."""
    return kinds(item._replace(label=""), fresh)


@sets("trade_rate")
def rates(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the trade rates that beat the bank rate."""
    usual_rate = max(item.value)
    if usual_rate < rules.get("bank_rate", usual_rate + 1):
        yield phrase("trades", f"{usual_rate}:1")
    for kind, rate in zip(item.labels, item.value, strict=True):
        if rate < usual_rate:
            yield phrase(words(kind), f"{rate}:1")


# -- pieces ------------------------------------------------------------------------------------------------


def road_icon(paint: palette.Paint) -> str:
    """Draw a road at text size."""
    line = 'd="M1-2L13-8" stroke-linecap="round"'
    return (
        f'<path {line} stroke="{paint.edge}" stroke-width="5.5"/><path {line} stroke="{paint.fill}" stroke-width="3"/>'
    )


def settlement_icon(paint: palette.Paint) -> str:
    """Draw a settlement at text size."""
    return markup.moved(7, -5, markup.building(markup.HOUSE, paint), 0.3)


def city_icon(paint: palette.Paint) -> str:
    """Draw a city at text size."""
    return markup.moved(7, -5, markup.building(markup.TOWN, paint), 0.3)


piece("road", road_icon)
piece("settlements_left", settlement_icon)
piece("cities_left", city_icon)
