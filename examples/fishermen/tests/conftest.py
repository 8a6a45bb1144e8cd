"""Settings of all tests."""

import os

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # plain Python: nothing compiles, and debuggers work
