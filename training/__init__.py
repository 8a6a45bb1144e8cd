"""Training and evaluation of agents, benchmarks, soak tests, and the command line `catan`."""
