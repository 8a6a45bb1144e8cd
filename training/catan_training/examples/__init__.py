"""Short scripts that train other libraries' learners, and a learner written out in full, on the same environments."""
