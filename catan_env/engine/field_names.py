"""Field names of records."""

from __future__ import annotations

import numpy as np


def field_names(records: np.ndarray | np.void | np.dtype) -> tuple[str, ...]:
    """Return the field names of game records, of one record, or of a dtype, in memory order."""
    dtype = records if isinstance(records, np.dtype) else records.dtype
    return dtype.names or ()
