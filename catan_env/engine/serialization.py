"""Saves, loads and clones an engine's games, with everything needed to continue them."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine import snapshot, validation
from catan_env.engine.arrays import LOG_MARGIN
from catan_env.engine.binding import digest
from catan_env.engine.decision_stack import TRUNCATED


def save(engine: Any) -> bytes:
    """Return a snapshot of an engine; see `BatchEngine.save`."""
    return snapshot.pack(_identity(engine), dict(engine.rules), _contents(engine))


def load(engine: Any, data: bytes) -> None:
    """Restore a snapshot; see `BatchEngine.load`."""
    arrays = snapshot.unpack(data, _identity(engine), dict(engine.rules), _contents(engine))
    records, _, rewards, _, log_lengths, log = arrays
    snapshot.check_log(log, log_lengths, engine.actions.n + engine.outcomes.n, LOG_MARGIN)
    snapshot.check_rewards(rewards)
    _check_records(engine, records)
    _take(engine, *arrays)


def unpickle(kind: type, settings: dict[str, Any], data: bytes) -> Any:
    """Restore an engine that was pickled as its class, settings and a snapshot.

    Unlike `load`, this function does not validate the games, because anyone who can write a pickle can run any code.

    Raises:
        SnapshotError: the pickle comes from a version of this package with different rules.
    """
    engine = kind(**settings)
    _take(engine, *snapshot.unpack(data, _identity(engine), dict(engine.rules), _contents(engine)))
    return engine


def clone(engine: Any, where: np.ndarray) -> Any:
    """Return a new engine with copies of the games at these indices."""
    game_count = len(where)
    twin = _twin(engine, game_count)
    _take(twin, *(array[where] for array in _contents(engine)))
    return twin


def _contents(engine: Any) -> list[np.ndarray]:
    """Return the arrays of a snapshot. Masks, seats to act and end statuses can be computed from the records."""
    batch = engine.batch
    return [engine.state, engine.seeds, batch.rewards, engine.shaper.points, batch.log_length, batch.log]


def _take(engine: Any, records, seeds, rewards, asked, lengths, log) -> None:
    """Copy a snapshot's arrays into an engine."""
    engine.state[:], engine.seeds[:] = records, seeds
    engine.batch.rewards[:], engine.shaper.points[:] = rewards, asked
    engine.batch.log_length[:] = lengths
    engine.use_log(log)
    engine.refresh()
    engine.forget_rewards()


def _twin(engine: Any, num_games: int) -> Any:
    """Return a new engine with the same settings but another number of games."""
    settings = engine.settings | {"num_games": num_games, "threads": min(engine.threads, num_games)}
    return type(engine)(**settings)


def _check_records(engine: Any, records: np.ndarray) -> None:
    """Raise SnapshotError unless the records, shape (N,), are possible games of this engine.

    The records are tested in a spare engine.
    """
    composition, spare_engine = engine.program.composition, _twin(engine, engine.num_games)
    validation.check_values(records, composition, engine.num_players, spare_engine.state)
    spare_engine.state[:] = records
    broken = spare_engine.broken_invariants()
    spare_engine.refresh()
    names_by_code = [*composition.decisions, *composition.draws]
    head_codes = records["decision_stack"][np.arange(engine.num_games), records["depth"].astype(np.int64) - 1]
    with np.errstate(all="ignore"):  # 0 / 0 where a draw has no outcome
        without_outcomes = ~np.isfinite(spare_engine.chance_probabilities).all(axis=1)
    stuck_games = np.flatnonzero(without_outcomes | (spare_engine.batch.ended > TRUNCATED))
    stuck = [(int(i), names_by_code[head_codes[i]]) for i in stuck_games]
    validation.check_playable(broken, stuck, composition)


def _identity(engine: Any) -> dict[str, Any]:
    """Return the properties that an engine must share with the engine that a snapshot came from."""
    return {
        "scenario": engine.scenario.name,
        "version": engine.scenario.version,
        "layout": engine.layout_hash,
        "record": engine.program.snapshot_hash,
        "params": digest([engine.batch.params.tobytes().hex()]),
        "games": engine.num_games,
        "recorded": engine.record,
    }
