"""The notebook that this process runs, if it runs one."""

from __future__ import annotations

import sys
from typing import Any


def notebook() -> Any:
    """Return the notebook shell of this process, or None outside notebooks."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python else None
    return shell if getattr(shell, "kernel", None) is not None else None
