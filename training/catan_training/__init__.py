"""Learning, comparing agents, checking the engine, writing pages, and the command line `catan`: a room each.

What several rooms use stands here: tables of text and what is known of the machine.
"""

import os

# Threads of PyTorch that wait for others sleep. Spinning, the default, makes training crawl on a busy machine. It is
# read when PyTorch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
