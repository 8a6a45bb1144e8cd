"""Learning: settings of a training run, its games, the run itself and its report."""
