"""Entry point for `python -m catan_training.cli`, equivalent to `catan`."""

import sys

from catan_training.cli import main

sys.exit(main())
