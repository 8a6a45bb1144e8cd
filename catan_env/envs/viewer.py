"""A registry of the renderers that environments use.

The layering of the package puts drawing above the environments, so environments cannot import it. Instead,
`catan_env.render` registers itself here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from catan_env.engine.arguments import check_option
from catan_env.engine.batch import BatchEngine

RENDER_MODES = ("human", "rgb_array", "ansi")
RENDER_FPS = 4

Renderer = Callable[[BatchEngine, int], Any]

_renderers: dict[str, Renderer] = {}


def install_renderer(mode: str, renderer: Renderer) -> None:
    """Register `renderer(engine, game)` to draw games in this mode.

    The renderer returns a str for "ansi", a fresh (height, width, 3) uint8 array for "rgb_array", and None for "human".
    It must work without a display.

    Raises:
        OptionError: the mode is unknown.
    """
    check_option("mode", mode, RENDER_MODES)
    _renderers[mode] = renderer


def check_render_mode(mode: str | None) -> str | None:
    """Return the mode unchanged if it is valid.

    Raises:
        OptionError: the mode is unknown; the message lists all modes.
    """
    if mode is not None:
        check_option("render_mode", mode, RENDER_MODES)
    return mode


def render(engine: BatchEngine, game: int, mode: str) -> Any:
    """Draw one game with all hands visible: a str, a (height, width, 3) uint8 array, or None for "human"."""
    return _renderers[mode](engine, game)
