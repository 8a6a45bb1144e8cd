"""Training, evaluation, balance studies, benchmarks and the command line `catan`.

Modules in this folder are shared by these packages.
"""

import os

# Waiting threads of PyTorch sleep. The default, spinning, slows training down on a busy machine. PyTorch reads the
# variable when it is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
