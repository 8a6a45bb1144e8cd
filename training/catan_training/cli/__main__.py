"""Entry point of `python -m catan_training.cli`, which is the command `catan`."""

import sys

from catan_training.cli import main

sys.exit(main())
