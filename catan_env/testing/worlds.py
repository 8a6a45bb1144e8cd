"""Checks for `determinise`: worlds are sound, look the same to the seat, and vary in everything that it cannot see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.binding import rule_functions
from catan_env.engine.declare import HIDDEN, OWNER, Field
from catan_env.errors import CatanError
from catan_env.testing.faults import Fault
from catan_env.testing.hidden import declared_fields, disguise, shown_differences
from catan_env.testing.soundness import unsound

COUNT = 2
"""Default number of worlds per game and seat."""
ENOUGH = 8
"""Number of states with other possible values after which a field that never differed is considered never sampled."""
ATTEMPTS = 4
"""Number of other values to try in each of these states."""


def imagined(engine: BatchEngine, seat: int, count: int, seed: int) -> BatchEngine:
    """Return an engine that plays `count` worlds of each game that a seat considers possible.

    Raises:
        CatanError: no world was found.
    """
    twins = engine.clone(np.repeat(np.arange(engine.num_games), count))
    engine.determinise(None, seat, count, seed, out=twins.state)
    twins.refresh()
    return twins


class Worlds:
    """A state check of sampled worlds, which tracks the hidden fields that differed in some world.

    Args:
        count: number of worlds for each game and seat.
    """

    def __init__(self, count: int = COUNT) -> None:
        self.count = count
        self.chances: Counter[str] = Counter()
        """For each field that has never differed in any world, the number of states in which it could have differed."""
        self.sampled: set[str] = set()
        """Fields that have differed in some world."""

    def __call__(self, engine: BatchEngine, rng: np.random.Generator) -> Iterator[Fault]:
        """Yield faults in the worlds of all games, from the point of view of every seat."""
        sources = np.repeat(np.arange(engine.num_games), self.count)
        for seat in range(engine.num_players):
            try:
                twins = imagined(engine, seat, self.count, int(rng.integers(2**32)))
            except CatanError as error:
                yield Fault("no world", str(error))
                continue
            self._note(engine, twins, sources, seat, rng)
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
        """Yield hidden fields that all worlds so far have copied from the true game."""
        for name, states in self.chances.items():
            if states >= ENOUGH and name not in self.sampled:
                yield Fault(
                    f"never sampled {name}",
                    f"hidden field {name!r} was the same as in the true game in all worlds of {states} states: its "
                    "@redeals function does not sample it",
                )

    def _note(
        self, engine: BatchEngine, twins: BatchEngine, sources: np.ndarray, seat: int, rng: np.random.Generator
    ) -> None:
        """Record which hidden fields differ in worlds, and which of the others could have differed in some game.

        A field that no seat sees and that is sampled alone may be determined by other fields, so it is skipped.
        """
        declared = {field.name: field for field in declared_fields(engine)}
        game = int(rng.integers(engine.num_games))
        for names in _sampled_together(engine):
            together = [declared[name] for name in names]
            for field in together:
                true, seen = (_unseen_values(each, field, seat) for each in (engine, twins))
                if (true[sources] != seen).any():
                    self.sampled.add(field.name)
                elif field.name not in self.sampled and (field.visible != HIDDEN or len(together) > 1):
                    self.chances[field.name] += _could_differ(engine, game, field, together, seat, rng)


def _could_differ(
    engine: BatchEngine, game: int, field: Field, together: list[Field], seat: int, rng: np.random.Generator
) -> bool:
    """Return whether some sound state looks the same to a seat but has other values of a hidden field, by sampling."""
    for _ in range(ATTEMPTS):
        twin = _with_other_values(engine, game, field, together, seat, rng)
        differs = (twin.state[field.name][0] != engine.state[field.name][game]).any()
        if differs and not twin.broken_invariants():
            if not any(shown_differences(engine, twin, np.array([game]), seat)):
                return True
    return False


def _with_other_values(
    engine: BatchEngine, game: int, field: Field, together: list[Field], seat: int, rng: np.random.Generator
) -> BatchEngine:
    """Return a copy of a game with other values of a hidden field.

    Two rows that the seat does not see exchange a card, which preserves all totals. If the field has only one such row,
    that row gets other values.
    """
    twin = engine.clone([game])
    own_rows = _unseen_rows(twin, field, seat)
    rows = {key: row for each in together for key, row in _unseen_rows(twin, each, seat).items()}
    pairs = [(one, other) for one in own_rows for other in rows if one != other and len(rows[one]) == len(rows[other])]
    if pairs:
        one, other = (rows[key] for key in pairs[rng.integers(len(pairs))])
        given, taken = (rng.choice(kinds) if len(kinds := np.flatnonzero(row)) else 0 for row in (one, other))
        if one[given] > 0 and other[taken] > 0:
            one[given] -= 1
            other[given] += 1
            other[taken] -= 1
            one[taken] += 1
        twin.refresh()
    else:
        disguise(twin, seat, rng, [field.name])
    return twin


def _unseen_rows(engine: BatchEngine, field: Field, seat: int) -> dict[tuple[str, int], np.ndarray]:
    """Return views of the rows that a seat cannot see in the first game, for each field and player."""
    values = engine.state[field.name][0]
    rows = {-1: values} if field.visible == HIDDEN else dict(enumerate(values[: engine.num_players]))
    return {(field.name, player): row for player, row in rows.items() if player != seat and np.ndim(row) == 1}


def _sampled_together(engine: BatchEngine) -> list[list[str]]:
    """Return the hidden fields, grouped by the `@redeals` function that samples them."""
    dealers: dict[str, Callable] = {}
    for module in engine.scenario.modules:
        for function in rule_functions(module):
            for role in function.roles:
                if role.kind == "redeals":
                    dealers |= {symbol.name: function for symbol in role.symbols}
    return [[name for name in dealers if dealers[name] is function] for function in dict.fromkeys(dealers.values())]


def _unseen_values(engine: BatchEngine, field: Field, seat: int) -> np.ndarray:
    """Return the values of a field that a seat cannot see, shape (N, values)."""
    values = engine.state[field.name]
    if field.visible == OWNER:
        values = values[:, [other for other in range(engine.num_players) if other != seat]]
    return values.reshape(len(values), -1)
