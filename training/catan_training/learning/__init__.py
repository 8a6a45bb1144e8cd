"""Learning: settings of a training run, its games, the learner, the run itself and its report."""
