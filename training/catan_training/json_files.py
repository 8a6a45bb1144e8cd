"""JSON files that are there whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from catan_env.whole_files import write_whole


def write_json(path: str | Path, found: Any) -> None:
    """Writes JSON, in place of what was there at once; the folder is made if need be.

    Raises:
        OSError: the file cannot be written.
    """
    write_whole(path, json.dumps(found, indent=2) + "\n")
