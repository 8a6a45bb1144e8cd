"""Find the notebook that this process is running, if any."""

from __future__ import annotations

import sys
from typing import Any


def notebook() -> Any:
    """Return this process's notebook shell, or None outside notebooks."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python else None
    return shell if getattr(shell, "kernel", None) is not None else None
