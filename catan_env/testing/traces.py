"""Traces: the moves of a game, which are played one at a time and shortened as long as they still lead to a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import CHANCE, NO_SEAT_TO_ACT
from catan_env.testing.playing import Chooser

TRIES = 40
"""Maximum number of shorter traces that `shortest` tries."""


class TraceMove(NamedTuple):
    """An action id, or an outcome id when chance acts."""

    id: int
    chance: bool


class RuleError(Exception):
    """The rules raised an error. The message states the error and the move that caused it."""

    def __init__(self, engine: BatchEngine, move: TraceMove, cause: Exception):
        self.cause, self.last_move = cause, move
        table = engine.outcomes if move.chance else engine.actions
        super().__init__(f"{type(cause).__name__}: {cause} (after {table.describe(move.id)!r})")


class TracedGame:
    """A game with explicit chance, together with a list of all its moves.

    Args:
        engine: an engine with one game and `chance="explicit"`.
        seed: seed of the game.
    """

    def __init__(self, engine: BatchEngine, seed: int):
        self.engine, self.moves = engine, list[TraceMove]()
        engine.reset([seed])

    @property
    def seat(self) -> int:
        """The seat to act; -1 for chance, -2 after the end."""
        return int(self.engine.seat_to_act[0])

    @property
    def is_over(self) -> bool:
        return self.seat == NO_SEAT_TO_ACT

    def move(self, number: int) -> None:
        """Play an action, or an outcome when chance acts.

        Raises:
            RuleError: the rules raised an error.
        """
        move = TraceMove(number, self.seat == CHANCE)
        self.moves.append(move)
        try:
            self.engine.step(np.array([number]))
        except Exception as error:  # an author's rules may raise anything
            raise RuleError(self.engine, move, error) from error

    def allows(self, move: TraceMove) -> bool:
        """Return whether a move can be played now."""
        if move.chance != (self.seat == CHANCE) or self.is_over:
            return False
        mask = self.engine.chance_mask if move.chance else self.engine.action_mask
        return bool(mask[0, move.id])

    def follow(self, moves: Iterable[TraceMove]) -> None:
        """Play the given moves in order, skipping any that are illegal.

        Raises:
            RuleError: see `move`.
        """
        for move in moves:
            if self.allows(move):
                self.move(move.id)

    def random_moves(self, steps: int, choose: Chooser) -> Iterator[int]:
        """Play random moves until `steps` decisions were made or the game ends, yielding the count after each decision.

        Raises:
            RuleError: see `move`.
        """
        for step in range(steps):
            while self.seat == CHANCE:
                self.move(int(choose(self.engine)[0]))
            if self.is_over:
                return
            self.move(int(choose(self.engine)[0]))
            while self.seat == CHANCE:
                self.move(int(choose(self.engine)[0]))
            yield step + 1


def decisions_in(moves: Sequence[TraceMove]) -> int:
    """Return the number of moves made by seats rather than by chance."""
    return sum(not move.chance for move in moves)


def shortest(
    engine: BatchEngine,
    seed: int,
    moves: Sequence[TraceMove],
    leads_there: Callable[[TracedGame], bool],
    tries: int = TRIES,
) -> list[TraceMove]:
    """Return the shortest sequence found of moves that still lead to a fault.

    Parts of the sequence are dropped, starting with large ones, and moves that become impossible are skipped. Moves
    before the first decision, which set up the board, are kept.

    Args:
        engine: an engine with one game and explicit chance; its game is replayed repeatedly.
        seed: seed of the game.
        moves: the moves that lead to the fault.
        leads_there: returns whether a table exhibits the fault; called after the last move of the table. It is also
            called if the rules raise an error at the last move, in which case the error is in `table.error`.
        tries: the maximum number of shorter sequences to try.
    """
    start = next((k for k, move in enumerate(moves) if not move.chance), len(moves))
    best, size = list(moves), max((len(moves) - start) // 2, 1)
    while size and tries > 0:
        position = len(best) - size
        while position >= start and tries > 0:
            tries -= 1
            table = followed(engine, seed, best[:position] + best[position + size :])
            if len(table.moves) < len(best) and leads_there(table):
                best = list(table.moves)
            position = min(position, len(best)) - size
        size //= 2
    return best


class Followed(TracedGame):
    """A table after a sequence of moves, with any error that the rules raised at the last move."""

    error: RuleError | None = None


def followed(engine: BatchEngine, seed: int, moves: Sequence[TraceMove]) -> Followed:
    """Return a table on which the given moves, except impossible ones, have been played."""
    table = Followed(engine, seed)
    try:
        table.follow(moves)
    except RuleError as error:
        table.error = error
    return table


def log_of_moves(engine: BatchEngine, seed: int, moves: Sequence[TraceMove]) -> dict[str, Any]:
    """Return a replay log of the moves.

    `engine` has one game, explicit chance and `record=True`. If the rules raise an error at the last move, that move is
    left out.
    """
    played = followed(engine, seed, moves)
    if played.error:
        played = followed(engine, seed, played.moves[:-1])
    return played.engine.replay_log(0)
