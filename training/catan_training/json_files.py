"""Writing JSON files atomically."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from catan_env.whole_files import write_whole


def write_json(path: str | Path, found: Any) -> None:
    """Write a JSON file atomically, creating its folder if necessary.

    Raises:
        OSError: the file cannot be written.
    """
    write_whole(path, json.dumps(found, indent=2) + "\n")
