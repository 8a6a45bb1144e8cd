"""How environments draw themselves: a registry that a renderer enters, and plain text until one does.

Drawing stands below the environments in the table of parts, so they cannot import it; it installs itself here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.engine.arguments import check_option
from catan_env.engine.batch import BatchEngine
from catan_env.engine.declare import OWNER, PLAYERS, Field

RENDER_MODES = ("human", "rgb_array", "ansi")
RENDER_FPS = 4

Renderer = Callable[[BatchEngine, int], Any]

_renderers: dict[str, Renderer] = {}


def install_renderer(mode: str, renderer: Renderer) -> None:
    """Makes `renderer(engine, game)` draw in this mode, in place of an earlier one.

    It returns a str for "ansi", a fresh (height, width, 3) uint8 array for "rgb_array", None for "human", which
    must do without a display as well.

    Raises:
        OptionError: there is no such mode.
    """
    check_option("mode", mode, RENDER_MODES)
    _renderers[mode] = renderer


def check_render_mode(mode: str | None) -> str | None:
    """The mode, if it is one.

    Raises:
        OptionError: it is not; the message lists those there are.
    """
    if mode is not None:
        check_option("render_mode", mode, RENDER_MODES)
    return mode


def render(engine: BatchEngine, game: int, mode: str) -> Any:
    """Draws one game as a spectator who sees every hand: str, (height, width, 3) uint8, or None for "human"."""
    return _renderers.get(mode, _PLAIN[mode])(engine, game)


def plain_text(engine: BatchEngine, game: int = 0) -> str:
    """The game in words: who decides what, and each seat's points and holdings, from the rules' declarations."""
    record, points = engine.state[game], engine.victory_points[game]
    seat = int(engine.seat_to_act[game])
    if seat >= 0:
        state = f"seat {seat} to act: {engine.decision(game).replace('_', ' ')}"
    elif engine.terminated[game]:
        state = f"won by seat {int(engine.winner[game])}"
    else:
        state = "ended without a winner" if engine.truncated[game] else "chance to act"
    holdings = [f for module in engine.scenario.modules for f in getattr(module, "FIELDS", ()) if _is_holding(f)]
    lines = [f"{engine.scenario.title}: {state}"]
    for player in range(engine.num_players):
        held = [_held(field, record[field.name][player]) for field in holdings]
        lines.append("; ".join([f"  seat {player}: {points[player]} points", *filter(None, held)]))
    return "\n".join(lines)


def _is_holding(field: Field) -> bool:
    """Whether it is something with named kinds that each seat keeps to itself, as cards in hand are."""
    return len(field.shape) == 2 and field.shape[0] == PLAYERS and field.visible == OWNER and bool(field.labels)


def _held(field: Field, counts: np.ndarray) -> str:
    kinds = [f"{count} {label.replace('_', ' ')}" for count, label in zip(counts.tolist(), field.labels) if count]
    return f"{field.name.replace('_', ' ')}: {', '.join(kinds)}" if kinds else ""


def plain_picture(engine: BatchEngine, game: int = 0) -> np.ndarray:
    """The text of `plain_text` as an image: (height, width, 3) uint8.

    Raises:
        ImportError: pillow is missing.
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise ImportError("Drawing needs pillow: pip install 'catan-env[render]'.") from error
    text, margin = plain_text(engine, game), 8
    _, _, width, height = ImageDraw.Draw(Image.new("RGB", (1, 1))).multiline_textbbox((0, 0), text)
    image = Image.new("RGB", (int(width) + 2 * margin, int(height) + 2 * margin), "white")
    ImageDraw.Draw(image).multiline_text((margin, margin), text, fill="black")
    return np.array(image)


def _print(engine: BatchEngine, game: int) -> None:
    print(render(engine, game, "ansi"))


_PLAIN: dict[str, Renderer] = {"ansi": plain_text, "rgb_array": plain_picture, "human": _print}
