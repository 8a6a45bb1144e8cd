"""Worlds: copies of games in which everything that a seat cannot see is sampled.

A seat knows its current observation and remembers nothing else. A stolen card is just one more card in another hand,
unless a rule module keeps track of it. All deals of unseen cards that are consistent with the observation are equally
likely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.engine import arguments, decision_stack
from catan_env.engine.arrays import Batch, as_records
from catan_env.engine.binding import did_you_mean, module_name, rule_functions
from catan_env.engine.compose import Composition
from catan_env.engine.declare import ALL, CONTRADICTS, OWNER, PLAYERS, Composed
from catan_env.engine.random import streams
from catan_env.errors import CatanError, CompositionError, OptionError

ATTEMPTS = 100_000
"""Maximum number of deals per world. The first or second deal is almost always consistent with public knowledge. If a
player who is one point short of winning holds many unseen cards, only one in hundreds may be."""

redeal = Composed("redeal")
looks_alike = Composed("looks_alike")
"""`looks_alike(one, other, seat)` returns whether a seat cannot tell two worlds of one game apart."""


def compose_redeal(composition: Composition) -> None:
    """Define `redeal(game, params, seat, pool)`, which calls the modules' `@redeals` functions.

    If several modules sample a field, the last one replaces the others.

    Raises:
        CompositionError: no module samples a hidden field, or a function would sample only some of its fields.
    """
    dealers: dict[str, Callable] = {}
    fields_of: dict[Callable, list[str]] = {}
    for module in composition.modules:
        for function in rule_functions(module):
            for name in [symbol.name for role in function.roles if role.kind == "redeals" for symbol in role.symbols]:
                if name not in composition.fields:
                    raise CompositionError(
                        f"{module_name(module)}.{function.__name__} redeals {name!r}, but no module of "
                        f"{composition.display_name} declares such a field.{did_you_mean(name, composition.fields)}"
                    )
                dealers[name] = function
                fields_of.setdefault(function, []).append(name)
    engine_fields = {field.name for field in decision_stack.FIELDS}
    for field in composition.fields.values():
        if field.visible != ALL and field.name not in engine_fields | set(dealers):
            raise CompositionError(
                f"Field {field.name!r} of {composition.display_name} is hidden, but no function redeals it: write "
                f"@redeals({field.name!r}) def f(game, params, seat, pool) in its module; see catan_env.engine.dealing."
            )
    for function, field_names in fields_of.items():
        kept_names = [name for name in field_names if dealers[name] is function]
        if 0 < len(kept_names) < len(field_names):
            later_dealer = next(dealers[name] for name in field_names if name not in kept_names)
            raise CompositionError(
                f"Both {function.__name__} and {later_dealer.__name__} redeal some of {', '.join(field_names)}: the "
                "later one must deal all of them."
            )
    functions = {dealer.__name__ + f"_{k}": dealer for k, dealer in enumerate(fields_of) if dealer in dealers.values()}
    lines = [f"{name}(game, params, seat, pool)" for name in functions]
    composition.add_function("redeal", "game, params, seat, pool", lines, functions)


def compose_looks_alike(composition: Composition) -> None:
    """Define `looks_alike`, which compares a seat's rows of the fields that only their owners see."""
    lines: list[str] = []
    for field in composition.fields.values():
        if field.visible == OWNER and field.shape[:1] == (PLAYERS,):
            sizes = composition.shape(field)[1:]
            entry = ", ".join(["seat", *(f"k{axis}" for axis in range(len(sizes)))])
            lines += [f"{'    ' * axis}for k{axis} in range({size}):" for axis, size in enumerate(sizes)]
            lines += [
                f"{'    ' * len(sizes)}if one.{field.name}[{entry}] != other.{field.name}[{entry}]:",
                f"{'    ' * len(sizes)}    return False",
            ]
    composition.add_function("looks_alike", "one, other, seat", [*lines, "return True"], {})


def deal_world(game, params, seat, pool):
    """Sample everything that a seat cannot see, using the game's random stream.

    Return whether a deal consistent with public knowledge was found.
    """
    for _ in range(ATTEMPTS):
        redeal(game, params, seat, pool)
        agrees = True
        for player in range(params.num_players):
            if player != seat and CONTRADICTS(game, params, player) > 0:
                agrees = False
        if agrees:
            return True
    return False


def determinise(batch: Batch, worlds, sources, seats, starts, pool):
    """Copy game `sources[i]` to `worlds[i]` and sample everything that `seats[i]` cannot see.

    Return -1, or the index of a world for which no valid deal was found.
    """
    for i in range(sources.shape[0]):
        worlds[i] = batch.records[sources[i]]
        game = worlds[i]
        for k in range(4):
            game.rng[k] = starts[i, k]
        if not deal_world(game, batch.params[0], seats[i], pool):
            return i
    return -1


def sample_worlds(engine: Any, games: Any, seats: Any, count: int, seed: Any, out: np.ndarray | None) -> np.ndarray:
    """Return worlds sampled from an engine's games; see `BatchEngine.determinise`."""
    batch = engine.batch
    game_indices = arguments.indices_of(games, engine.num_games)
    arguments.check_count("count", count)
    arguments.check_memory("count", count, max(1, len(game_indices)) * batch.records.itemsize)
    if seats is None:
        seats = batch.seats[game_indices]
        without_seat = game_indices[seats < 0]
        if len(without_seat):
            raise OptionError(
                f"No seat is to act in game {without_seat[0]}; name games in which a seat is to act, or give seats."
            )
    viewers = arguments.seats_of(seats, len(game_indices), engine.num_players)
    source_games = np.repeat(game_indices, count)
    if out is None:
        out = np.empty(len(source_games), batch.records.dtype)
    arguments.check_records(out, len(source_games), engine.state.dtype)
    stream_states = streams(arguments.world_seeds(seed, len(source_games)))
    pool = np.zeros(engine.program.longest_row, np.int64)
    failed_world = engine.run_kernel(
        determinise, as_records(out), source_games, np.repeat(viewers, count), stream_states, pool
    )
    if failed_world >= 0:
        raise CatanError(
            f"No world was found for game {source_games[failed_world]} that agrees with the knowledge of its seat. "
            "The @redeals functions of a rule module contradict public facts; correct the module."
        )
    return out
