"""Script for the tests: fork after threads have run, compare games of both processes, print the child's warnings."""

import multiprocessing
import warnings

import numpy as np

from catan_env.engine.batch import BatchEngine

SETTINGS = {"scenario": "dice_game", "num_games": 4, "num_players": 2, "seed": 1, "threads": 2, "autoreset": True}


def play(engine):
    for _ in range(20):
        engine.step(np.where(engine.seat_to_act >= 0, engine.action_mask.argmax(axis=1), 0))
    observations = engine.observe()
    engine.random_rollout(5)
    return engine.save(), observations.tobytes()


def play_here_and_again(engine, answers):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answers.send((play(engine), play(BatchEngine(**SETTINGS)), [str(warning.message) for warning in caught]))


if __name__ == "__main__":
    engine = BatchEngine(**SETTINGS)
    play(engine)
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    worker = fork.Process(target=play_here_and_again, args=(engine, sender))
    worker.start()
    assert receiver.poll(120), "the forked process hangs or has died"
    in_child, again_in_child, texts = receiver.recv()
    worker.join()
    assert in_child == play(engine) and again_in_child == play(BatchEngine(**SETTINGS))
    print("\n".join(texts))
