"""What has happened in a game, in words and as a given seat may know it, from the engine's replay log."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.compose import Composition
from catan_env.engine.decision_stack import CHANCE
from catan_env.engine.declare import ALL, OWNER, PLAYERS
from catan_env.errors import CatanError
from catan_env.render.words import sentence


class Move(NamedTuple):
    """An action of a seat, or an outcome of chance (seat -1)."""

    seat: int
    entry: int
    """Action or outcome id."""
    full_text: str
    """In words."""
    hushed: str
    """In words for those who may not know the argument."""
    privy: frozenset[int] | None
    """Who may know it; None for everybody."""
    axis: str | None
    argument: int

    def words(self, viewer: int | None) -> str:
        """In words for a seat; None knows everything."""
        return self.full_text if viewer is None or self.privy is None or viewer in self.privy else self.hushed


class Narrator:
    """Tells the moves of an engine of one game, in explicit mode."""

    def __init__(self, engine: BatchEngine):
        self.engine = engine
        self.composition: Composition = engine.program.composition
        self._private = [
            field.name
            for field in self.composition.fields.values()
            if field.visible == OWNER and field.shape[:1] == (PLAYERS,)
        ]

    def before(self, entry: int, chance: bool) -> tuple:
        """What `after` needs to know of a move that is about to be made."""
        declarations = self.composition.draws if chance else self.composition.actions
        action_table = self.engine.outcomes if chance else self.engine.actions
        secret = declarations[action_table.pair(entry)[0]].visible != ALL
        private_rows = (
            {field: self.engine.state[field][0].copy() for field in self._private} if secret and chance else {}
        )
        custom_text = "" if chance else self.engine.custom_text(0, entry)
        return entry, chance, int(self.engine.seat_to_act[0]), secret, private_rows, custom_text

    def after(self, before: tuple) -> Move:
        """The move that was made."""
        entry, chance, seat, secret, private_rows, custom_text = before
        engine, action_table = self.engine, self.engine.outcomes if chance else self.engine.actions
        name, argument = action_table.pair(entry)
        full_text = sentence(
            self.composition,
            action_table,
            entry,
            chance,
            seat,
            engine.num_players,
            names=engine.place_names(),
            custom_text=custom_text,
        )
        if not secret:
            return Move(seat, entry, full_text, full_text, None, action_table.axis(name), argument)
        hushed_text = sentence(self.composition, action_table, entry, chance, seat, engine.num_players, hidden=True)
        privy_seats = {seat} - {CHANCE}
        for field, old_values in private_rows.items():
            differs = (old_values != engine.state[field][0]).reshape(len(old_values), -1).any(axis=1)
            privy_seats |= set(np.flatnonzero(differs).tolist())
        if chance and not privy_seats and self.composition.draws[name].visible == OWNER:
            # It has come to lie open.
            return Move(seat, entry, full_text, full_text, None, action_table.axis(name), argument)
        return Move(seat, entry, full_text, hushed_text, frozenset(privy_seats), action_table.axis(name), argument)

    def play(self, entry: int, chance: bool) -> Move:
        """Carries out a move and tells it.

        Raises:
            CatanError: it is not possible.
        """
        state_before = self.before(entry, chance)
        self.engine.step(np.array([entry]))
        return self.after(state_before)


class _Story:
    """The moves of one game so far, and a second engine that has played them."""

    def __init__(self, engine: BatchEngine):
        self.entries: list[int] = []
        self.moves: list[Move] = []
        self.teller = Narrator(
            BatchEngine(
                engine.scenario, 1, engine.num_players, chance="explicit", rules=engine.overrides, board=engine.board
            )
        )


_stories: WeakKeyDictionary[BatchEngine, dict[int, _Story]] = WeakKeyDictionary()


def moves_of(engine: BatchEngine, game: int) -> list[Move]:
    """The moves of a game so far, from its replay log; empty where none is kept or the record was edited.

    A log does not say who moved, so the game is played once more, in step with the pictures asked for.
    """
    if not engine.record:
        return []
    entries = engine.log_entries(game)
    stories = _stories.setdefault(engine, {})
    story = stories.get(game)
    if story is None or story.entries != entries[: len(story.entries)]:
        story = stories[game] = _Story(engine)
    n = engine.actions.n
    try:
        for entry in entries[len(story.entries) :]:
            story.moves.append(story.teller.play(entry if entry < n else entry - n, entry >= n))
            story.entries.append(entry)
    except CatanError:
        del stories[game]
        return []
    return story.moves


def last_moves(moves: list[Move]) -> list[Move]:
    """The last action of a player and what chance has decided since."""
    first = len(moves) - 1
    while first > 0 and moves[first].seat < 0:
        first -= 1
    return moves[max(first, 0) :]


def describe_moves(moves: list[Move], viewer: int | None) -> str:
    """An action and the outcomes that followed, as one sentence; of the set-up draws only the last one."""
    if not moves:
        return ""
    if moves[0].seat < 0:
        return moves[-1].words(viewer)
    return "; ".join([f"Seat {moves[0].seat}: {moves[0].words(viewer)}", *(move.words(viewer) for move in moves[1:])])
