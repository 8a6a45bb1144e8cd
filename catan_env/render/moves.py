"""Describe moves from an engine's replay log in words, showing only what a given seat may know."""

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
    """A seat's action, or a chance outcome (seat -1)."""

    seat: int
    entry: int
    """Action or outcome id."""
    full_text: str
    """The sentence, including the argument."""
    hushed: str
    """The sentence shown to seats that may not know the argument."""
    privy: frozenset[int] | None
    """Seats that may know the argument; None if all of them may."""
    axis: str | None
    argument: int

    def words(self, viewer: int | None) -> str:
        """Return the sentence for a viewer; a viewer of None knows everything."""
        return self.full_text if viewer is None or self.privy is None or viewer in self.privy else self.hushed


class Narrator:
    """Describes the moves in an engine that has one game and explicit chance."""

    def __init__(self, engine: BatchEngine):
        self.engine = engine
        self.composition: Composition = engine.program.composition
        self._private = [
            field.name
            for field in self.composition.fields.values()
            if field.visible == OWNER and field.shape[:1] == (PLAYERS,)
        ]

    def before(self, entry: int, chance: bool) -> tuple:
        """Return the data about the next move that `after` needs. Call this before making the move."""
        declarations = self.composition.draws if chance else self.composition.actions
        action_table = self.engine.outcomes if chance else self.engine.actions
        secret = declarations[action_table.pair(entry)[0]].visible != ALL
        private_rows = (
            {field: self.engine.state[field][0].copy() for field in self._private} if secret and chance else {}
        )
        custom_text = "" if chance else self.engine.custom_text(0, entry)
        return entry, chance, int(self.engine.seat_to_act[0]), secret, private_rows, custom_text

    def after(self, before: tuple) -> Move:
        """Return the move just made."""
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
            # No private field changed, so the outcome is public.
            return Move(seat, entry, full_text, full_text, None, action_table.axis(name), argument)
        return Move(seat, entry, full_text, hushed_text, frozenset(privy_seats), action_table.axis(name), argument)

    def play(self, entry: int, chance: bool) -> Move:
        """Make a move and return it.

        Raises:
            CatanError: the move is illegal.
        """
        state_before = self.before(entry, chance)
        self.engine.step(np.array([entry]))
        return self.after(state_before)


class _Story:
    """The moves of one game so far, and a second engine that replays them."""

    def __init__(self, engine: BatchEngine):
        self.entries: list[int] = []
        self.moves: list[Move] = []
        self.teller = Narrator(
            BatchEngine(
                engine.scenario,
                1,
                engine.num_players,
                chance="explicit",
                rules=engine.overrides,
                board=engine.board,
                compiled=engine.compiled,
            )
        )


_stories: WeakKeyDictionary[BatchEngine, dict[int, _Story]] = WeakKeyDictionary()


def moves_of(engine: BatchEngine, game: int) -> list[Move]:
    """Return the moves of a game so far.

    The list is empty if the engine keeps no log or the record was edited. A log does not store which seat made each
    move, so a second engine replays the game. Later calls replay only new moves.
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
    """Return the last action of a player and the chance outcomes that follow it."""
    first = len(moves) - 1
    while first > 0 and moves[first].seat < 0:
        first -= 1
    return moves[max(first, 0) :]


def describe_moves(moves: list[Move], viewer: int | None) -> str:
    """Combine an action and the chance outcomes that follow it into one sentence.

    If the sequence starts with chance events, as it does during setup, only the last outcome is described.
    """
    if not moves:
        return ""
    if moves[0].seat < 0:
        return moves[-1].words(viewer)
    return "; ".join([f"Seat {moves[0].seat}: {moves[0].words(viewer)}", *(move.words(viewer) for move in moves[1:])])
