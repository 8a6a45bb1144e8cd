"""The context of measurements: machine and package versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any


def versions(*packages: str) -> dict[str, str]:
    """Return the installed versions of Python and of packages."""
    version_of = {"python": platform.python_version()}
    for package in packages:
        try:
            version_of[package] = version(package)
        except PackageNotFoundError:
            version_of[package] = "not installed"
    return version_of


def machine() -> dict[str, Any]:
    """Return the CPU model, the number of available cores, the load average of the last minute and the system."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"cpu": model, "cores": cores, "load": load, "system": f"{platform.system()} {platform.machine()}"}
