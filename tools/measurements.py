"""Measurements as compact data: one file per kind, which holds what was measured of every scenario.

`xzcat docs/measurements/scenarios.json.xz` prints one.
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

from catan_training.machine import machine, versions

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "measurements"
BENCHMARKS, LADDER, SCENARIOS, STUDIES = (
    FOLDER / f"{kind}.json.xz" for kind in ("benchmarks", "ladder", "scenarios", "studies")
)
PACKAGES = ("catan-env", "numpy", "numba", "torch")


def read(file: Path) -> dict[str, Any]:
    """What a file holds, by scenario; nothing where there is no file."""
    return json.loads(lzma.decompress(file.read_bytes())) if file.exists() else {}


def write(file: Path, held: Mapping[str, Any]) -> None:
    """Write what a file is to hold, in place of what it held; the same data gives the same bytes.

    A process that is killed while it writes leaves the former file.
    """
    text = json.dumps(dict(sorted(held.items())), separators=(",", ":"))
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(file.name + ".new")
    draft.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    draft.replace(file)


def keep(file: Path, scenario: str, part: str, figures: Any) -> None:
    """Put a part of a scenario's measurements into a file, in place of what it held of the same part.

    The command, time, versions and machine are kept with it.
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
