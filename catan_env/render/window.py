"""Render mode "human": a window, or text where there is no display."""

from __future__ import annotations

import os
import sys
from typing import Any
from weakref import WeakKeyDictionary

from catan_env.engine.batch import BatchEngine
from catan_env.envs.viewer import RENDER_FPS
from catan_env.render import ansi
from catan_env.render.picture import draw

_closed: WeakKeyDictionary[BatchEngine, bool] = WeakKeyDictionary()
"""Engines whose window the user has closed."""


def show(engine: BatchEngine, game: int = 0) -> None:
    """Shows a game in a window, at the pace of the environments; prints it where there is no display.

    Closing the window, or pressing Escape, stops the drawing of this engine's games; play goes on.

    Raises:
        MissingExtraError: there is a display, but the extra "render" is not installed.
    """
    if engine not in _closed and not (has_display() and _show_in_window(engine, game)):
        print(ansi.text_of(engine, game, colored=sys.stdout.isatty()), end="\n\n", flush=True)


def has_display() -> bool:
    """Whether a window can be opened, or something stands in for one."""
    if os.environ.get("SDL_VIDEODRIVER") or sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _show_in_window(engine: BatchEngine, game: int) -> bool:
    """Shows a game, unless the display refuses; returns whether it could."""
    from catan_env.render.pixels import library

    pixels = draw(engine, game).to_array()
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pygame: Any = library("pygame")
    size = (pixels.shape[1], pixels.shape[0])
    try:
        if not pygame.display.get_init():
            pygame.display.init()
        window = pygame.display.get_surface()
        if window is None or window.get_size() != size:
            window = pygame.display.set_mode(size)
    except pygame.error:
        return False
    pygame.display.set_caption(engine.scenario.title + (f", game {game}" if engine.num_games > 1 else ""))
    window.blit(pygame.surfarray.make_surface(pixels.swapaxes(0, 1)), (0, 0))
    pygame.display.flip()
    for event in pygame.event.get():
        if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
            _closed[engine] = True
            pygame.display.quit()
            return True
    pygame.time.wait(1000 // RENDER_FPS)
    return True
