"""Settings for value network training that takes seconds."""

from catan_training.learning.value_settings import ValueTraining

SMALL = ValueTraining(
    players=2,
    rules={"victory_points": 3},
    hidden=(5, 3),
    games=6,
    replay_rounds=2,
    state_sample_rate=0.5,
    batch=64,
    check=0,
    seed=4,
)
