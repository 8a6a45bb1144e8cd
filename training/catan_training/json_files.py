"""Files that are there whole or not at all: whoever is killed while writing leaves the one before."""

from __future__ import annotations

import json
from errno import EISDIR
from os import strerror
from pathlib import Path
from typing import Any


def write_json(path: str | Path, found: Any) -> None:
    """Writes JSON, in place of what was there at once; the folder is made if need be.

    Raises:
        OSError: the file cannot be written.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(EISDIR, strerror(EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    draft.replace(path)
