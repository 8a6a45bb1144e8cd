"""`python -m tools.notebooks`: run the notebooks and save their outputs, reduced in size for git.

For some notebooks, the first picture is kept as a small PNG. All other pictures are replaced by their text form. The
site build reruns the notebooks and shows all pictures.
"""

from __future__ import annotations

import argparse
import base64
import io
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from catan_env.whole_files import write_whole

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
WIDTH, COLORS = 320, 12
"""Width in pixels and number of colors of the picture that is kept."""
WITH_PICTURE = ("quickstart",)
PICTURES = ("image/svg+xml", "image/png")
SECONDS = 1800
EMPTY = {"text/plain": ""}
"""Output that remains of the line the compiler prints."""
TEMPORARY = re.compile(rf"{re.escape(tempfile.gettempdir())}/\w+/")
"""Matches the prefix of paths in temporary folders."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all notebooks, or the named ones, and write their outputs to `notebooks/`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    names = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"notebooks to run, of {', '.join(names)} (default: all)"
    )
    for name in parser.parse_args(arguments).names or names:
        run(NOTEBOOKS / f"{name}.ipynb")
        print(name, flush=True)


def run(path: Path) -> None:
    """Run a notebook in a temporary folder, and save it with its outputs reduced in size."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=resources).execute()
    shrink(notebook, path.stem in WITH_PICTURE)
    write_whole(path, nbformat.writes(notebook) + "\n")


def shrink(notebook: Any, with_picture: bool) -> None:
    """Keep text outputs and, if `with_picture`, the first picture as a small PNG."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if output.get("data") != EMPTY]
        for output in cell.get("outputs", ()):
            if "text" in output:
                output.text = TEMPORARY.sub("", output.text)
            data = output.get("data", {})
            found = [(kind, data.pop(kind)) for kind in PICTURES if kind in data]
            if "text/plain" in data:
                data.pop("text/html", None)
            if found and with_picture:
                kind, content = found[0]
                data["image/png"], with_picture = small_picture(content, kind), False


def small_picture(content: str, kind: str) -> str:
    """Return a picture as a base64-encoded narrow PNG with few colors."""
    from PIL import Image

    from catan_env.render.pixels import png_of

    data = png_of(content, 2 * WIDTH) if kind == "image/svg+xml" else base64.b64decode(content)
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    picture = picture.resize((WIDTH, picture.height * WIDTH // picture.width), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode()


if __name__ == "__main__":
    main()
