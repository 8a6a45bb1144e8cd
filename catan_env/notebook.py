"""Find the notebook that this process is running, if any."""

from __future__ import annotations

import sys
from typing import Any


def notebook() -> Any:
    """Return the notebook shell of this process, or None if it is not running a notebook."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python else None
    return shell if getattr(shell, "kernel", None) is not None else None
