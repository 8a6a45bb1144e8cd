"""Checks that copies continue identically: clones, snapshots, pickles, replay logs, and games with the same seed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

from catan_env.engine.batch import BatchEngine
from catan_env.engine.replay import replay
from catan_env.errors import CatanError
from catan_env.testing.faults import Fault
from catan_env.testing.looks import differences, look
from catan_env.testing.playing import play_on

FURTHER = 15
"""Number of moves played in each copy."""


def unlike_copies(engine: BatchEngine, seed: int, steps: int) -> Iterator[Fault]:
    """Yield copies that differ from the original after random play.

    Args:
        engine: a fresh engine with sampled chance and `record=True`, whose games will be advanced.
        seed: seed for the moves.
        steps: number of moves before the copies are made.
    """
    twin = BatchEngine(**engine.settings, seed=engine.seeds)
    yield from _compared("another engine with the same seed", play_on(engine, steps, seed), play_on(twin, steps, seed))
    snapshot, clone = engine.save(), engine.clone()
    yield from _compared("a clone", engine, clone)
    try:
        pickled = pickle.loads(pickle.dumps(engine))
        yield from _compared("a pickled engine", engine, pickled)
    except (CatanError, pickle.PicklingError, AttributeError) as error:
        yield Fault("pickle", f"the engine cannot be pickled: {error}")
    loaded = BatchEngine(**engine.settings)
    loaded.load(snapshot)
    yield from _compared("a loaded snapshot", engine, loaded, ("rewards",))
    play_on(engine, FURTHER, seed + 1)
    for name, copied in (("a clone", clone), ("a loaded snapshot", loaded)):
        yield from _compared(f"{name}, played on,", engine, play_on(copied, FURTHER, seed + 1))
    for game in range(engine.num_games):
        yield from _replayed(engine, game)


def _compared(name: str, one: BatchEngine, other: BatchEngine, except_for: tuple[str, ...] = ()) -> Iterator[Fault]:
    names = differences(look(one), look(other), except_for)
    if names:
        yield Fault(f"copy {name}", f"{name} differs in {', '.join(map(repr, names))}")


def _replayed(engine: BatchEngine, game: int) -> Iterator[Fault]:
    try:
        again = replay(engine.replay_log(game), BatchEngine, engine.scenario)
    except CatanError as error:
        yield Fault("replay", f"the replay log of a game is refused: {error}", game)
        return
    names = differences(look(engine, [game], rng=False), look(again, rng=False), ("rewards", "chance_probabilities"))
    if names:
        yield Fault("replay", f"a game replayed from its log differs in {', '.join(map(repr, names))}", game)
