"""Names of the fields of records."""

from __future__ import annotations

import numpy as np


def field_names(records: np.ndarray | np.void) -> tuple[str, ...]:
    """Return the names of the fields of game records, or of one record, in their order in memory."""
    return records.dtype.names or ()
