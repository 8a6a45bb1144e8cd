"""Victory points of the games in a batch, in total and by source.

Each module function that answers `PUBLIC_POINTS` or `HIDDEN_POINTS` is a source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.engine.arrays import Batch
from catan_env.engine.compose import Composition
from catan_env.engine.declare import HIDDEN_POINTS, PUBLIC_POINTS, Composed

POINTS_FROM = Composed("points_from")
PREFIX = "points_of_"


def sources_of(composition: Composition) -> dict[str, Callable]:
    """Return the functions that count points, in module order, keyed by source name such as "longest_road"."""
    sources: dict[str, Callable] = {}
    for question in (PUBLIC_POINTS, HIDDEN_POINTS):
        for function in composition.roles("answers", question.name):
            name = function.__name__.removeprefix(PREFIX)
            sources[name if name not in sources else f"{name}_{len(sources)}"] = function
    return sources


def compose_sources(composition: Composition) -> list[str]:
    """Define the `POINTS_FROM` function unless it already exists, and return the source names in index order."""
    functions = sources_of(composition)
    if composition.defines(POINTS_FROM.name):
        return list(functions)
    sources_by_name = {f"source_{k}": function for k, function in enumerate(functions.values())}
    lines = [
        f"if source == {k}:\n        return {name}(game, params, player, 0)" for k, name in enumerate(sources_by_name)
    ]
    composition.add_function(POINTS_FROM.name, "game, params, player, source", [*lines, "return 0"], sources_by_name)
    return list(functions)


def sum_points(batch: Batch, public, total):
    """Write every seat's visible and total victory points into two (N, players) int64 arrays."""
    params = batch.params[0]
    for i in range(public.shape[0]):
        game = batch.records[i]
        for seat in range(public.shape[1]):
            public[i, seat] = PUBLIC_POINTS(game, params, seat)
            total[i, seat] = public[i, seat] + HIDDEN_POINTS(game, params, seat)


def split_points(batch: Batch, counts):
    """Write every seat's victory points by source into `counts`, int64 of shape (N, players, sources)."""
    params = batch.params[0]
    for i in range(counts.shape[0]):
        game = batch.records[i]
        for seat in range(counts.shape[1]):
            for source in range(counts.shape[2]):
                counts[i, seat, source] = POINTS_FROM(game, params, seat, source)


def points_of(engine: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return two (N, players) int64 arrays: visible victory points and all victory points."""
    public, total = np.zeros((2, engine.num_games, engine.num_players), np.int64)
    engine.run_kernel(sum_points, public, total)
    return public, total


def points_by_source(engine: Any) -> dict[str, np.ndarray]:
    """Return (N, players) int64 victory points by source, such as "longest_road"."""
    names = compose_sources(engine.program.composition)
    counts = np.zeros((engine.num_games, engine.num_players, len(names)), np.int64)
    engine.run_kernel(split_points, counts)
    return {name: counts[:, :, k] for k, name in enumerate(names)}
