"""The "human" render mode: a picture in a notebook, a window if there is a display, and text otherwise."""

from __future__ import annotations

import os
import sys
from typing import Any
from weakref import WeakKeyDictionary

from catan_env.engine.batch import BatchEngine
from catan_env.envs.viewer import RENDER_FPS
from catan_env.notebook import notebook
from catan_env.render import ansi
from catan_env.render.picture import draw

_closed: WeakKeyDictionary[BatchEngine, bool] = WeakKeyDictionary()
"""Engines whose windows were closed by the user."""
_shown: WeakKeyDictionary[BatchEngine, dict[int, tuple[int, Any]]] = WeakKeyDictionary()
"""For each game shown in a notebook, the number of the cell and the handle of the picture below it."""


def show(engine: BatchEngine, game: int = 0) -> None:
    """Show a game below the running notebook cell, in a window, or as printed text.

    A window shows at most `RENDER_FPS` pictures per second. Closing the window or pressing Escape ends drawing for this
    engine; the game continues.

    Raises:
        MissingExtraError: there is a display, but the `render` extra is not installed.
    """
    if (
        engine not in _closed
        and not _show_in_notebook(engine, game)
        and not (has_display() and _show_in_window(engine, game))
    ):
        print(ansi.text_of(engine, game, colored=sys.stdout.isatty()), end="\n\n", flush=True)


def _show_in_notebook(engine: BatchEngine, game: int) -> bool:
    """Show a game below the running cell, replacing any previous picture there. Return False outside notebooks."""
    shell = notebook()
    if shell is None:
        return False
    from IPython.display import display

    picture, cell = draw(engine, game), shell.execution_count
    shown_in, handle = _shown.get(engine, {}).get(game, (None, None))
    if handle is not None and shown_in == cell:
        handle.update(picture)
    else:
        _shown.setdefault(engine, {})[game] = cell, display(picture, display_id=True)
    return True


def has_display() -> bool:
    """Return whether a window can be opened. If `SDL_VIDEODRIVER` is set, a display is assumed."""
    if os.environ.get("SDL_VIDEODRIVER") or sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _show_in_window(engine: BatchEngine, game: int) -> bool:
    """Show a game in a window. Return False if the display cannot open a window."""
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
