"""Recorded measurements: one compressed JSON file for each kind, with one entry per scenario.

To print one: `xzcat docs/measurements/scenarios.json.xz`.
"""

from __future__ import annotations

import json
import lzma
import shlex
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from catan_env.whole_files import write_whole
from catan_training.machine import machine, versions

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "measurements"
BENCHMARKS, LADDER, MATCHES, SCENARIOS, STUDIES = (
    FOLDER / f"{kind}.json.xz" for kind in ("benchmarks", "ladder", "matches", "scenarios", "studies")
)
PACKAGES = ("catan-env", "numpy", "numba", "torch")


def read(file: Path) -> dict[str, Any]:
    """Return the entries in a file, keyed by scenario; empty if the file is missing."""
    return json.loads(lzma.decompress(file.read_bytes())) if file.exists() else {}


def write(file: Path, held: Mapping[str, Any]) -> None:
    """Write a file atomically, with numbers to seven significant digits. The same data always gives the same bytes."""
    text = json.dumps(_rounded(dict(sorted(held.items()))), separators=(",", ":"))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0}]  # text is not aligned
    write_whole(file, lzma.compress(text.encode(), filters=filters))


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def keep(file: Path, scenario: str, part: str, figures: Any) -> None:
    """Record one part of the measurements of a scenario, replacing any earlier figures for that part.

    The entry includes the command, the time, the versions and the machine.
    """
    content = read(file)
    content.setdefault(scenario, {})[part] = {
        "command": shlex.join(["catan", *sys.argv[1:]]),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(*PACKAGES),
        "machine": machine(),
        "figures": figures,
    }
    write(file, content)
