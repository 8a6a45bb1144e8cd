"""What each of two processes does in the tests of catan_training.learning.processes: `torchrun ... two_processes.py
FOLDER`.

It leaves what it found in `FOLDER/<rank>.pt`, for the tests to compare.
"""

import sys
from pathlib import Path

import torch

from catan_training.learning import run
from catan_training.learning.config import TrainConfig
from catan_training.learning.ppo import Learner
from catan_training.learning.processes import started
from catan_training.learning.resolved import resolve

SETTINGS = TrainConfig().updated(
    {
        "name": "two",
        "minutes": 0,
        "steps": 1200,
        "num_games": 8,
        "rollout_steps": 16,
        "batch_size": 64,
        "hidden": [16],
        "num_players": 4,
        "curve_points": 1,
        "curve_games": 4,
        "final_games": 4,
        "torch_threads": 1,
        "precision": "float32",
        "teacher": "weighted",
        "imitation_fraction": 0.4,
        "opponents": ["random"],
        "pool_share": 0.25,
        "pool_updates": 1,
        "pool_size": 1,
        "rules": {"offers_per_turn": 0, "victory_points": 4},
        "checkpoint_minutes": 0.0,
    }
)
ONE_STEP = SETTINGS.updated({"batch_size": 128, "teacher": "", "pool_share": 0.0, "max_grad_norm": 1e9})
"""An update of one gradient step, with nothing clipped."""


class Stopped(Exception):
    """A run was stopped from outside."""


def gradients(learner):
    """Those of the last step, by name."""
    return {name: parameter.grad.clone() for name, parameter in learner.network.named_parameters()}


def weights(learner):
    """What is learned."""
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def one_step(processes=None, seed=None, begin=None):
    """One update of a learner, from given weights: what was done, its gradients, and what it has learned."""
    settings = ONE_STEP if seed is None else ONE_STEP.updated({"seed": seed})
    learner = Learner(resolve(settings), processes)
    if begin:
        learner.network.load_state_dict(begin)
    start = weights(learner)
    learner.update(0.0)
    return {
        "start": start,
        "actions": torch.from_numpy(learner.games[0]._kept.actions.copy()),
        "gradients": gradients(learner),
        "weights": weights(learner),
        "choices": learner.choices,
    }


def whole(course):
    """What a run that has ended is like."""
    learner = course.learner
    return {
        "folder": str(course.folder),
        "weights": weights(learner),
        "ratings": learner.games[0].pool.ratings(),
        "updates": learner.updates,
        "choices": learner.choices,
        "finished": learner.games[0].finished,
        "measured": len(course.curve),
        "games": learner.games[0].engine.save(),
    }


def main(folder):
    """Everything, in the same two processes, which start slowly."""
    processes = started()
    courses, saves = [], []
    begin, save = run.TrainingRun.__init__, run.TrainingRun.save

    def remembered(course, *arguments):
        begin(course, *arguments)
        courses.append(course)

    def stopped_at_the_third(course):
        save(course)
        saves.append(course)
        if len(saves) == 3:
            raise Stopped

    run.TrainingRun.__init__ = remembered
    settings = SETTINGS.updated({"out": str(folder / "runs")})
    run.train(settings)
    run.TrainingRun.save = stopped_at_the_third
    try:
        run.train(settings)
    except Stopped:
        run.TrainingRun.save = save
    run.resume(courses[-1].folder)
    found = {"one_step": one_step(processes), "run": whole(courses[0]), "resumed": whole(courses[-1])}
    torch.save(found, folder / f"{processes.rank}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
