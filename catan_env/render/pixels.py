"""Convert SVG to pixels with resvg and pillow. On machines without DejaVu Sans, pillow's built-in font is used."""

from __future__ import annotations

import io
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.errors import MissingExtraError

FONT_FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
FONT_FOLDERS = (
    "/usr/share/fonts/truetype/dejavu",
    "/usr/share/fonts/TTF",
    "/usr/share/fonts/dejavu-sans-fonts",
    "/usr/local/share/fonts/dejavu",
)


def png_of(svg: str, width: int) -> bytes:
    """Convert an SVG to a PNG that is `width` pixels wide.

    Raises:
        MissingExtraError: the `render` extra is not installed.
    """
    resvg = library("resvg_py")
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=int(width), skip_system_fonts=True, **font_options()))


def pixels_of(svg: str, width: int) -> np.ndarray:
    """Convert an SVG to a new (height, width, 3) uint8 array.

    Raises:
        MissingExtraError: the `render` extra is not installed.
    """
    image = library("PIL.Image").open(io.BytesIO(png_of(svg, width)))
    return np.array(image.convert("RGB"))


def library(name: str) -> Any:
    """Import a library that belongs to the `render` extra.

    Raises:
        MissingExtraError: the library is not installed.
    """
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            f"Pixels need {error.name or name!r}, which is not installed: pip install 'catan-env[render]'. "
            "SVG pictures (picture.svg, notebooks, replay pages) work without it."
        ) from error


@cache
def font_options() -> dict[str, Any]:
    """Return resvg's font options: DejaVu Sans from matplotlib or the system, or pillow's built-in font."""
    for folder in (_matplotlib_fonts(), *map(Path, FONT_FOLDERS)):
        if folder is not None and all((folder / name).is_file() for name in FONT_FILES):
            return _options([str(folder / name) for name in FONT_FILES], "DejaVu Sans")
    font = library("PIL.ImageFont").load_default(12)
    if not hasattr(font, "font_bytes"):  # this build of pillow lacks FreeType
        raise MissingExtraError("No font was found. Install one: pip install matplotlib")
    path = Path(tempfile.mkdtemp(prefix="catan-font-")) / "default.ttf"
    path.write_bytes(font.font_bytes)
    return _options([str(path)], font.getname()[0])


def _options(files: list[str], family: str) -> dict[str, Any]:
    return {"font_files": files, "font_family": family, "sans_serif_family": family}


def _matplotlib_fonts() -> Path | None:
    """Find the folder of matplotlib's fonts without importing matplotlib."""
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "mpl-data" / "fonts" / "ttf"
