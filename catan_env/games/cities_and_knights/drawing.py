"""Drawings for Cities & Knights: knights, walls, metropolises, the merchant, three dice and improvement tracks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from catan_env.render import markup, palette
from catan_env.render.ansi import Sketch, letter_of
from catan_env.render.badges import SMALL
from catan_env.render.drawing import (
    BUILDINGS,
    FIGURES,
    card_symbol,
    draws,
    explains,
    heads,
    lays_out,
    leaves_out,
    piece,
    writes,
)
from catan_env.render.layout import LINE, PANEL_WIDTH, Part, Parts
from catan_env.render.markup import rect, text, width_of, wrap
from catan_env.render.view import Item, ShownGame, words

SHIELD = "M-19-20h38v20q0 16-19 25q-19-9-19-25z"
WALL = "M-34 34v-17h10v6h9v-6h10v6h10v-6h10v6h9v-6h10v17z"
CROWN = "M-22 0v-19l11 9 11-15 11 15 11-9v19z"
TRACKS = ("#2f7d3b", "#d9a400", "#1f5fa8")
"""Colors of the science, trade and politics tracks."""
EVENTS = (("#1c1c1c", "ship"), (TRACKS[0], "sci"), (TRACKS[1], "trd"), (TRACKS[2], "pol"))
WOKEN = 2
RANKS = ("basic", "strong", "mighty")

leaves_out("metropolis_owner", because="the metropolises on the board show it")
leaves_out("knight_aside", "knight_aside_state", because="the current decision names the knight to place")
leaves_out("barbarian_strength", because="the cities on the board show it")


# -- on intersections --------------------------------------------------------------------------------------


@draws("knight", "knight_owner", "knight_state", "knight_promoted", layer=BUILDINGS)
def knights(game: ShownGame) -> Parts:
    """Draw knights as shields with a seat number, one dot per point of strength and, if active, a gold rim."""
    layout, parts, scale = game.layout, {}, game.layout.unit / 100
    owners, states, promoted = (game.values(name) for name in ("knight_owner", "knight_state", "knight_promoted"))
    for intersection, strength in enumerate(game.values("knight")):
        x, y = layout.intersections[intersection]
        drawing = shield(
            owners[intersection], strength, states[intersection], bool(promoted[intersection]), layout.num_players
        )
        parts[f"knight {intersection}"] = Part(x, y, drawing if strength else "", scale * 1.1)
    return parts


@cache
def shield(seat: int, strength: int, state: int, promoted: bool, num_players: int) -> str:
    """Draw a knight. A dashed rim means it was activated this turn, a chevron that it was promoted this turn."""
    paint = palette.paint_of(seat, num_players)
    rim = palette.GOLD if state else "#ffffff"
    dashes = ' stroke-dasharray="9 5"' if state == WOKEN else ""
    drawing = f'<path d="{SHIELD}" fill="none" stroke="{palette.INK}" stroke-width="17" stroke-linejoin="round"/>'
    drawing += f'<path d="{SHIELD}" fill="none" stroke="{rim}" stroke-width="13" stroke-linejoin="round"{dashes}/>'
    drawing += f'<path d="{SHIELD}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="3.5"/>'
    drawing += text(0, 2, str(seat), 22, paint.ink, bold=True, anchor="middle")
    drawing += "".join(
        f'<circle cx="{(k - (strength - 1) / 2) * 11:g}" cy="11" r="4.2" fill="{paint.ink}"/>' for k in range(strength)
    )
    if promoted:
        drawing += f'<path d="M-12-26l12-11 12 11" fill="none" stroke="{palette.HOT}" stroke-width="5"/>'
    return drawing


@draws("wall", layer=BUILDINGS)
def walls(game: ShownGame) -> Parts:
    """Draw city walls as battlements in front of their cities."""
    layout, scale = game.layout, game.layout.unit / 100
    return {
        f"wall {intersection}": Part(*layout.intersections[intersection], wall() if has_wall else "", scale)
        for intersection, has_wall in enumerate(game.values("wall"))
    }


@cache
def wall() -> str:
    """Draw a section of wall."""
    return f'<path d="{WALL}" fill="#8d8478" stroke="#3a342c" stroke-width="3" stroke-linejoin="round"/>'


@draws("metropolis", layer=BUILDINGS)
def metropolises(game: ShownGame) -> Parts:
    """Draw metropolises as crowns above their cities, in the color of the track."""
    layout, scale = game.layout, game.layout.unit / 100
    return {
        f"metropolis {intersection}": Part(
            *layout.intersections[intersection], crown(track - 1) if track else "", scale
        )
        for intersection, track in enumerate(game.values("metropolis"))
    }


@cache
def crown(track: int) -> str:
    """Draw a crown with the letter of its track."""
    shape = f'<path d="{CROWN}" fill="{TRACKS[track]}" stroke="#fff" stroke-width="3" stroke-linejoin="round"/>'
    return markup.moved(0, -34, shape + text(0, -3, "STP"[track], 15, "#ffffff", bold=True, anchor="middle"))


@draws("city_laid", layer=BUILDINGS)
def laid_cities(game: ShownGame) -> Parts:
    """Draw cities lying on their sides, each next to the settlement that it counts as."""
    layout, scale = game.layout, game.layout.unit / 100
    return {
        f"laid city {intersection}": Part(*layout.intersections[intersection], fallen() if is_laid else "", scale)
        for intersection, is_laid in enumerate(game.values("city_laid"))
    }


@cache
def fallen() -> str:
    """Draw a city lying on its side."""
    town = f'<path d="{markup.TOWN}" fill="#bdb6aa" stroke="#3a342c" stroke-width="5"/>'
    return f'<g transform="translate(0 32) rotate(90) scale(.55)">{town}</g>'


# -- on hexes and above the board --------------------------------------------------------------------------


@draws("merchant", "merchant_owner", layer=FIGURES)
def merchant(game: ShownGame) -> Parts:
    """Draw the merchant in its owner's color, separated from the robber by the number token."""
    layout, hex = game.layout, game.values("merchant")
    x, y = layout.hexes[hex] if hex >= 0 else (0, 0)
    pawn = merchant_of(game.values("merchant_owner"), layout.num_players) if hex >= 0 else ""
    return {"merchant": Part(0, 0, markup.moved(x, y, pawn, layout.unit / 100))}


@cache
def merchant_of(seat: int, num_players: int) -> str:
    """Draw the merchant with its owner's seat number."""
    paint = palette.paint_of(seat, num_players)
    pawn = f'<path d="{markup.PAWN}" fill="none" stroke="#fff" stroke-width="12"/>'
    pawn += f'<path d="{markup.PAWN}" fill="{paint.fill}" stroke="{palette.GOLD}" stroke-width="5"/>'
    return markup.moved(52, 14, pawn + text(0, 24, str(seat), 20, paint.ink, bold=True, anchor="middle"))


@heads("red_die", "yellow_die", "event_die")
def three_dice(game: ShownGame) -> Part:
    """Draw three small dice below their sum."""
    x, y = game.layout.dice_spot
    return Part(x - 42, y + 40, dice(*(game.values(name) for name in ("red_die", "yellow_die", "event_die"))))


@cache
def dice(red: int, yellow: int, event: int) -> str:
    """Draw the red, yellow and event dice."""
    if not red or not yellow:
        return ""
    drawing = ""
    for k, (value, fill, ink) in enumerate(((red, palette.HOT, "#ffffff"), (yellow, "#f0e442", palette.INK))):
        drawing += rect(k * 24, 0, 21, 21, fill, 4, palette.INK)
        drawing += text(k * 24 + 10.5, 15.5, str(value), 14, ink, bold=True, anchor="middle")
    if event:
        fill, name = EVENTS[event - 1]
        drawing += rect(48, 0, 28, 21, "#ffffff", 4, fill) + text(62, 14, name, 11, fill, bold=True, anchor="middle")
    return drawing


# -- in the panels -----------------------------------------------------------------------------------------


@lays_out("improvement", "progress_backs", "progress", "progress_shown", "hand_shown", height=3 * LINE)
def tracks_and_cards(items: Mapping[str, Item], seat: int, x: float, y: float, zoom: float) -> Parts:
    """Draw the improvement tracks with the progress cards below them.

    The tracks fill the line that the hand leaves free. Each track shows its level and one card back for every progress
    card from its deck. Below them, two lines list the progress cards that the viewer may see and the cards that the
    seat has been shown.
    """
    names = items["improvement"].labels
    levels, backs = items["improvement"].value, items["progress_backs"].value
    held_cards = [_named(items[name]) for name in ("progress",) if name in items]
    shown_cards = [_named(items[name]) for name in ("progress_shown", "hand_shown") if name in items]
    cards_text = "; ".join(filter(None, [*held_cards, *(f"sees {cards}" for cards in shown_cards if cards)]))
    return {
        f"tracks {seat}": Part(x, y - 2 * zoom, tracks(names, levels, backs), zoom),
        f"progress {seat}": Part(x, y + (LINE - 2) * zoom, written(cards_text), zoom),
    }


def _named(item: Item) -> str:
    """Return the kinds in an item, with their counts, in words."""
    if not isinstance(item.value, tuple):
        return ""
    kind_counts = zip(item.labels, item.value, strict=True)
    return ", ".join(words(name) + (f" x{count}" if count > 1 else "") for name, count in kind_counts if count)


@cache
def tracks(names: tuple[str, ...], levels: tuple[int, ...], backs: tuple[int, ...]) -> str:
    """Draw each track in its color, with its level and one card back for every progress card from its deck."""
    x, drawing = 0.0, ""
    for name, level, cards, color in zip(names, levels, backs, TRACKS, strict=True):
        label = f"{name} {level}"
        width = width_of(label, SMALL, bold=True) + 8
        drawing += rect(x, -9.5, round(width), 12, color, 3)
        drawing += text(x + 4, 0, label, SMALL, "#ffffff", bold=True)
        x += width + 2
        for _ in range(cards):
            drawing += rect(x, -9.5, 7, 11, color, 1, "#ffffff") + text(x + 3.5, -1, "?", 8, "#ffffff", anchor="middle")
            x += 8
        x += 6
    return drawing


@cache
def written(line: str) -> str:
    """Draw a string on at most two lines."""
    text_lines = wrap(line, PANEL_WIDTH - 24, SMALL, 2)
    return "".join(text(0, k * LINE, text_line, SMALL) for k, text_line in enumerate(text_lines))


def knight_icon(paint: palette.Paint, strength: int) -> str:
    """Draw a knight at text size, with one dot per point of strength as on the board."""
    drawing = f'<path d="{SHIELD}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="5"/>'
    dots = "".join(
        f'<circle cx="{(k - (strength - 1) / 2) * 12:g}" cy="-2" r="5" fill="{paint.ink}"/>' for k in range(strength)
    )
    return markup.moved(7, -5, drawing + dots, 0.27)


def wall_icon(paint: palette.Paint) -> str:
    """Draw a wall at text size."""
    return markup.moved(8, -11, wall(), 0.22)


for number, rank in enumerate(RANKS, 1):
    piece(rank, partial(knight_icon, strength=number))
piece("walls_left", wall_icon)


def paper(ink: str) -> str:
    """Draw a lined sheet of paper."""
    lines = "".join(f'<path d="M-16 {y}h32"/>' for y in (-18, 0, 18))
    return f'<g fill="none" stroke="{ink}" stroke-width="7"><path d="M-28-42h56v84h-56z"/>{lines}</g>'


def cloth(ink: str) -> str:
    """Draw a folded piece of fringed cloth."""
    fringes = "".join(f'<path d="M{x} 26v16"/>' for x in (-27, -9, 9, 27))
    return f'<g fill="none" stroke="{ink}" stroke-width="7"><path d="M-36-34h72v60h-72zM-36-4h72"/>{fringes}</g>'


def coin(ink: str) -> str:
    """Draw a coin."""
    return (
        f'<g fill="none" stroke="{ink}" stroke-width="8"><circle r="38"/><circle r="22"/></g>'
        f'<path d="M0-11v22" stroke="{ink}" stroke-width="8"/>'
    )


for card_name, card_icon in (("paper", paper), ("cloth", cloth), ("coin", coin)):
    card_symbol(card_name, card_icon)


# -- the legend --------------------------------------------------------------------------------------------


@explains("knight")
def knights_in_the_legend() -> list[tuple[str, str]]:
    """Explain knights' strength and activation."""
    ranks = [(shield(0, k, 0, False, 4), f"{rank} knight: strength {k}, not active") for k, rank in enumerate(RANKS, 1)]
    return [
        *ranks,
        (shield(0, 1, 1, False, 4), "golden rim: active knight"),
        (shield(0, 1, WOKEN, False, 4), "dashed rim: activated in this turn, acts from the next one on"),
        (shield(0, 2, 0, True, 4), "chevron: promoted in this turn"),
    ]


@explains("wall", "metropolis", "merchant", "improvement")
def cities_in_the_legend() -> list[tuple[str, str]]:
    """Explain walls, metropolises, the merchant and the symbols next to the tracks."""
    back = rect(-17, -40, 34, 62, TRACKS[2], 5, "#ffffff") + text(0, 8, "?", 44, "#ffffff", bold=True, anchor="middle")
    return [
        (markup.moved(0, -20, wall()), "city wall"),
        (markup.moved(0, 45, crown(0)), "metropolis, with the letter of its track: science, trade or politics"),
        (markup.moved(-52, -14, merchant_of(0, 4)), "merchant, with the seat of its owner"),
        (back, "progress card of a track, after the level of the track"),
        (rect(-40, -26, 80, 52, "#ffffff", 8, palette.INK) + text(0, 11, "ship", 30, bold=True, anchor="middle"),
         "event die: ship moves the barbarians; sci, trd, pol bring progress cards"),
    ]  # fmt: skip


# -- in characters -----------------------------------------------------------------------------------------


@writes("knight", "knight_owner", "knight_state", layer=BUILDINGS)
def written_knights(sketch: Sketch) -> None:
    """Write each knight's strength and seat; a capital K marks an active knight."""
    game = sketch.game
    owners, states = game.values("knight_owner"), game.values("knight_state")
    for intersection, strength in enumerate(game.values("knight")):
        if strength:
            letter = "K" if states[intersection] else "k"
            label = f"{letter}{strength}{letter_of(owners[intersection], game.layout.num_players)}"
            sketch.canvas.write(*sketch.corners[intersection], label, sketch.color(owners[intersection]))


@writes("merchant", layer=FIGURES)
def written_merchant(sketch: Sketch) -> None:
    hex = sketch.game.values("merchant")
    if hex >= 0:
        x, y = sketch.hexes[hex]
        sketch.canvas.write(x, y + 2, "MERCHANT", centered=True)
