"""Checks of `determinise`: worlds are sound, look the same to their seat, and differ in all that it cannot see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.binding import rule_functions
from catan_env.engine.declare import HIDDEN, OWNER, Field
from catan_env.errors import CatanError
from catan_env.testing.faults import Fault
from catan_env.testing.hidden import declared_fields, shown_differences
from catan_env.testing.soundness import unsound

COUNT = 2
"""Worlds of each game and seat by default."""
ENOUGH = 20
"""States with something to sample, after which a field that never differed counts as never sampled."""


def imagined(engine: BatchEngine, seat: int, count: int, seed: int) -> BatchEngine:
    """Return an engine that plays `count` worlds of each game as a seat imagines them.

    Raises:
        CatanError: no world was found.
    """
    twins = engine.clone(np.repeat(np.arange(engine.num_games), count))
    engine.determinise(None, seat, count, seed, out=twins.state)
    twins.refresh()
    return twins


class Worlds:
    """A state check of imagined worlds, which remembers the hidden fields that differed in some world.

    Args:
        count: number of worlds of each game and seat.
    """

    def __init__(self, count: int = COUNT) -> None:
        self.count = count
        self.chances: Counter[str] = Counter()
        """Number of states in which a field could differ, by field."""
        self.sampled: set[str] = set()
        """Fields that differed in some world."""

    def __call__(self, engine: BatchEngine, rng: np.random.Generator) -> Iterator[Fault]:
        """Yield the faults of worlds of all games, as every seat imagines them."""
        sources = np.repeat(np.arange(engine.num_games), self.count)
        for seat in range(engine.num_players):
            try:
                twins = imagined(engine, seat, self.count, int(rng.integers(2**32)))
            except CatanError as error:
                yield Fault("no world", str(error))
                continue
            self._note(engine, twins, sources, seat)
            for fault in unsound(twins):
                game = int(sources[fault.game])
                yield Fault(f"world: {fault.subject}", f"in a world as seat {seat} imagines it, {fault.message}", game)
            for leak in dict.fromkeys(shown_differences(engine, twins, sources, seat)):
                yield Fault(
                    f"world: {leak.kind}: {leak.place}",
                    f"a world as seat {seat} imagines it shows this seat another value: {leak.place}",
                    leak.game,
                )

    def never_sampled(self) -> Iterator[Fault]:
        """Yield hidden fields that every world so far has copied from the true game."""
        for name, states in self.chances.items():
            if states >= ENOUGH and name not in self.sampled:
                yield Fault(
                    f"never sampled {name}",
                    f"hidden field {name!r} was the same as in the true game in all worlds of {states} states: its "
                    "@redeals function does not sample it",
                )

    def _note(self, engine: BatchEngine, twins: BatchEngine, sources: np.ndarray, seat: int) -> None:
        """Note which hidden fields differ, and in how many games each could.

        A stack that no seat sees is known as long as all that was drawn from it is known. It could differ where another
        field of the same `@redeals` function does.
        """
        declared = {field.name: field for field in declared_fields(engine)}
        for names in _sampled_together(engine):
            varied, differs = {}, {}
            for name in names:
                true, seen = (_unseen_values(each, declared[name], seat) for each in (engine, twins))
                varied[name] = true.max(axis=1, initial=0) != true.min(axis=1, initial=0)
                differs[name] = (true[sources] != seen).reshape(engine.num_games, self.count, -1).any(axis=(1, 2))
            self.sampled |= {name for name in names if differs[name].any()}
            for name in names:
                could_differ = varied[name]
                if declared[name].visible == HIDDEN and len(names) > 1:
                    could_differ = could_differ & np.any([differs[other] for other in names], axis=0)
                self.chances[name] += int(could_differ.sum())


def _sampled_together(engine: BatchEngine) -> list[list[str]]:
    """Return the hidden fields by the `@redeals` function that samples them."""
    dealers: dict[str, Callable] = {}
    for module in engine.scenario.modules:
        for function in rule_functions(module):
            for role in function.roles:
                if role.kind == "redeals":
                    dealers |= {symbol.name: function for symbol in role.symbols}
    return [[name for name in dealers if dealers[name] is function] for function in dict.fromkeys(dealers.values())]


def _unseen_values(engine: BatchEngine, field: Field, seat: int) -> np.ndarray:
    """Return the values of a field that a seat cannot see, (N, values)."""
    values = engine.state[field.name]
    if field.visible == OWNER:
        values = values[:, [other for other in range(engine.num_players) if other != seat]]
    return values.reshape(len(values), -1)
