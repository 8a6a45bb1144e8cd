import sys

from catan_training.cli import main

sys.exit(main())
