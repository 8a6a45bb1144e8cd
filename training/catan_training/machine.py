"""Context for measurements: the machine and package versions."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, version
from pathlib import Path
from typing import Any

OWN = "catan-env"
NOT_INSTALLED = "not installed"
COMMIT_DIGITS = 12


def versions(*packages: str) -> dict[str, str]:
    """Return the installed versions of Python and `packages`, with the commit of catan-env if it is among them."""
    version_of = {"python": platform.python_version()}
    for package in packages:
        try:
            version_of[package] = version(package)
        except PackageNotFoundError:
            version_of[package] = NOT_INSTALLED
        if package == OWN and (found := commit()):
            version_of["commit"] = found
    return version_of


@cache
def commit() -> str:
    """Return the running code's Git commit, or "" if it is unknown.

    For a checkout with uncommitted changes, "-modified" is appended. A package that pip installed from a repository
    records its commit.
    """
    folder = Path(__file__).resolve().parent
    found = _git(folder, "rev-parse", "HEAD")
    if found and _git(folder, "ls-files", "machine.py"):
        changed = "-modified" if _git(folder, "status", "--porcelain", "--untracked-files=no") else ""
        return found[:COMMIT_DIGITS] + changed
    try:
        origin = json.loads(Distribution.from_name(OWN).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    return str(origin.get("vcs_info", {}).get("commit_id", ""))[:COMMIT_DIGITS]


def _git(folder: Path, *arguments: str) -> str:
    """Return the output of a Git command run in a folder, or "" if it fails."""
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    """Return the CPU model, number of available cores, one-minute load average and operating system."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"cpu": model, "cores": cores, "load": load, "system": f"{platform.system()} {platform.machine()}"}
