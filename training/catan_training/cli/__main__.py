"""`python -m catan_training.cli` is the command `catan`."""

import sys

from catan_training.cli import main

sys.exit(main())
