"""Training, evaluation, balance studies, benchmarks and the `catan` command line.

Modules directly in this folder are shared by these subpackages.
"""

import os

# Make idle PyTorch threads sleep. By default they spin, which slows down training on a busy machine. PyTorch reads the
# variable at import time.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
