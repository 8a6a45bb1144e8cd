"""Settings for all tests."""

import os

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # plain Python: nothing is compiled, and debuggers work
