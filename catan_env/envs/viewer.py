"""How environments draw themselves: a registry of renderers.

Drawing stands below the environments in the table of parts, so they cannot import it; `catan_env.render` installs
itself here.
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
    return _renderers[mode](engine, game)
