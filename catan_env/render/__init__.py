"""Pictures of games as SVG, pixels, text and replay pages.

`draw(engine, game)` and `engine.render(game)` return a `Picture`. `animate(log)` returns an animated `Picture` of a
recorded game. SVG, text and replay pages need no other packages. Pixels and windows need the `render` extra, whose
packages are imported on first use. Importing this package registers the renderers for engines and environments.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

import numpy as np

from catan_env import games
from catan_env.engine.batch import BatchEngine
from catan_env.envs.viewer import install_renderer
from catan_env.render.animation import animate
from catan_env.render.ansi import text_of
from catan_env.render.page import replay_page
from catan_env.render.picture import Picture, draw

__all__ = ["Picture", "animate", "draw", "replay_page", "text_of"]


def _pixels(engine: BatchEngine, game: int) -> np.ndarray:
    return draw(engine, game).to_array()


def _show(engine: BatchEngine, game: int) -> None:
    from catan_env.render.window import show

    show(engine, game)


def _text(engine: BatchEngine, game: int) -> str:
    return text_of(engine, game)


BatchEngine.renderer = draw
install_renderer("ansi", _text)
install_renderer("rgb_array", _pixels)
install_renderer("human", _show)

for _module in walk_packages(games.__path__, f"{games.__name__}."):
    if _module.name.rpartition(".")[2].startswith("drawing"):
        import_module(_module.name)
