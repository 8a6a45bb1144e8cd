"""`PlayedGame`: a game played by people and agents, with undo, drafts and a view for each seat."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from catan_env.engine.arguments import check_action
from catan_env.engine.batch import BatchEngine
from catan_env.engine.trial import Trial
from catan_env.errors import CatanError, IllegalActionError
from catan_env.render.moves import Move, Narrator, last_moves
from catan_env.render.view import SPECTATOR, Reading
from catan_env.render.words import sentence_for
from catan_env.text import choices
from catan_training.play import pictures

LOOK_BACK = 200
"""Number of past positions that a page can step through."""
LONGEST_SEQUENCE = 60
"""Maximum number of actions in a sequence that a page may compose."""
TOO_LONG = "The sequence continues after chance, another seat or a hidden card; send it in two parts."


@dataclass(frozen=True)
class GameSettings:
    """Arguments for a game's engine: `scenario` is a scenario reference; `seed` determines the board and the dice."""

    scenario: str
    players: int
    seed: int
    rules: Mapping[str, Any] = field(default_factory=dict)
    board: Any = None

    def engine(self, num_games: int = 1, **options: Any) -> BatchEngine:
        """Return a new engine. The game can start immediately, while the rules are being compiled.

        Raises:
            CatanError: a setting is invalid.
        """
        options = {"rules": self.rules, "board": self.board, "compiled": "auto", **options}
        return BatchEngine(self.scenario, num_games, self.players, seed=self.seed, **options)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as a JSON-serializable dictionary."""
        return asdict(self)


class Taken(NamedTuple):
    """An action that was carried out, and whether it can be undone."""

    seat: int
    action: int
    revocable: bool


class LoggedPosition(NamedTuple):
    """The position after a given number of moves in the log."""

    num_moves: int
    record: np.void


class PlayedGame:
    """A game played by people and agents, one action at a time.

    The settings and the actions determine the game, including chance, because `GameSettings.seed` seeds the random
    stream. A game is therefore stored as its settings and actions.

    Attributes:
        settings: arguments for the engine.
        engine: the game.
        taken: all actions so far.
        version: changes whenever the game changes. Pages include it in messages so that outdated messages can be
            detected.

    Raises:
        CatanError: the settings are invalid, or an action in `taken` is illegal.
    """

    def __init__(self, settings: GameSettings, taken: Sequence[Taken] = ()):
        self.settings = settings
        self.engine = settings.engine(record=True)
        self.taken: list[Taken] = []
        self.version = 0
        self._before: list[bytes] = []
        """A snapshot before each of the most recent actions that can still be undone."""
        self._positions: deque[LoggedPosition] = deque(maxlen=LOOK_BACK)
        self._narrator = Narrator(settings.engine(chance="explicit"))
        self._moves: list[Move] = []
        self._remember()
        for seat, action, revocable in taken:
            self._carry_out(seat, action, revocable)

    @property
    def seat_to_act(self) -> int:
        """The seat to act; negative once the game is over."""
        return int(self.engine.seat_to_act[0])

    @property
    def seat_on_turn(self) -> int:
        """The player on turn, even if another seat is to act; negative before the first turn or without turns."""
        return int(self.engine.state["on_turn"][0]) if "on_turn" in (self.engine.state.dtype.names or ()) else -1

    @property
    def is_over(self) -> bool:
        return self.seat_to_act < 0

    # -- playing --------------------------------------------------------------------------------------------

    def act(self, seat: int, actions: Sequence[int]) -> list[Taken]:
        """Carry out a seat's sequence of actions. If any of them is illegal, none is carried out.

        Only the last action in a sequence may involve chance, another seat or hidden information.

        Raises:
            CatanError: the sequence is illegal; the game is left unchanged.
        """
        with self._unchanged_on_error(actions):
            done: list[Taken] = []
            for action in actions:
                if done and not done[-1].revocable:
                    raise IllegalActionError(TOO_LONG)
                self._check_turn(seat)
                done.append(self._take(seat, action))
        self.version += 1
        return done

    def act_as_agent(self, action: int) -> Taken:
        """Carry out an agent's action, which cannot be undone.

        Raises:
            CatanError: the action is illegal; the game is left unchanged.
        """
        taken = self._carry_out(self.seat_to_act, action, False)
        self.version += 1
        return taken

    def undoable(self, seat: int) -> int:
        """Return the number of most recent actions that a seat can undo."""
        return len(self._before) if self.taken and self.taken[-1].seat == seat else 0

    def undo(self, seat: int) -> None:
        """Undo a seat's last action.

        Raises:
            IllegalActionError: since that action, a chance outcome was drawn, another seat acted or hidden information
                was revealed.
        """
        if not self.undoable(seat):
            raise IllegalActionError(
                "Nothing can be undone: chance has been drawn, another seat has acted, or a hidden card was revealed."
            )
        self.engine.load(self._before.pop())
        self.taken.pop()
        self._forget()
        self.version += 1

    def _check_turn(self, seat: int) -> None:
        if self.seat_to_act != seat:
            who = "the game is over" if self.is_over else f"seat {self.seat_to_act} is to act"
            raise IllegalActionError(f"Seat {seat} cannot act: {who}.")

    def _take(self, seat: int, action: int) -> Taken:
        self._trial.place(self.engine.state[0])
        return self._carry_out(seat, action, not self._trial.reveals(action, seat))

    def _carry_out(self, seat: int, action: int, revocable: bool) -> Taken:
        snapshot = self.engine.save() if revocable else b""
        self.engine.step(np.array([action]))
        taken = Taken(seat, int(action), revocable)
        self.taken.append(taken)
        if revocable:
            self._before.append(snapshot)
        else:
            self._before.clear()
        self._remember()
        return taken

    def _remember(self) -> None:
        """Describe the new moves and store the position."""
        num_actions = self.engine.actions.n
        for entry in self.engine.log_entries(0)[len(self._moves) :]:
            chance = entry >= num_actions
            self._moves.append(self._narrator.play(entry - num_actions if chance else entry, chance))
        self._positions.append(LoggedPosition(len(self._moves), self.engine.state[0].copy()))

    def _forget(self) -> None:
        """Drop moves and positions past the end of the engine's log."""
        del self._moves[int(self.engine.batch.log_length[0]) :]
        while len(self._positions) > 1 and self._positions[-1].num_moves > len(self._moves):
            self._positions.pop()
        self._narrator.engine.state[0] = self.engine.state[0]
        self._narrator.engine.refresh()

    @cached_property
    def _trial(self) -> Trial:
        return Trial(lambda num_games: self.settings.engine(num_games, record=True))

    @cached_property
    def _projector(self) -> BatchEngine:
        """An engine used to display past positions."""
        return self.settings.engine(chance="explicit")

    @contextmanager
    def _unchanged_on_error(self, actions: Sequence[int]) -> Iterator[None]:
        """Check that a sequence is well-formed, and restore the game if carrying it out fails."""
        check_length(actions)
        snapshot, num_taken, before = self.engine.save(), len(self.taken), list(self._before)
        try:
            yield
        except CatanError:
            if len(self.taken) != num_taken:
                self.engine.load(snapshot)
                del self.taken[num_taken:]
                self._before[:] = before
                self._forget()
            raise

    # -- views ----------------------------------------------------------------------------------------------

    def choices(self, seat: int) -> dict[str, Any] | None:
        """Return a seat's legal actions, as its page needs them; None if another seat is to act."""
        return self._choices(self.engine, seat) if self.seat_to_act == seat else None

    def attempt(self, seat: int, actions: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
        """Return the position that a sequence of actions, not yet carried out, would lead to.

        Returns:
            `words`: a sentence for every action. `complete`: whether the sequence ends in chance, another seat's
            decision or hidden information, in which case it can only be submitted. Otherwise, the result also has the
            `choices`, `decision` and `regions` that follow the sequence.

        Raises:
            CatanError: the sequence is illegal.
        """
        check_length(actions)
        self._check_turn(seat)
        trial, complete, words = self._trial, False, []
        trial.place(self.engine.state[0])
        for action in actions:
            if complete:
                raise IllegalActionError(TOO_LONG)
            earlier_words = _sentence(trial.engine, action)
            complete = trial.reveals(action, seat)
            words.append(earlier_words)
        if complete:
            return {"words": words, "complete": True}
        after = trial.engine.state[0].copy()
        regions = pictures.regions(trial.engine, seat, names, None)
        decision = Reading(trial.engine, [0]).game().decision
        shown_choices = self._choices(trial.engine, seat)
        trial.place(after)
        return {
            "words": words,
            "complete": False,
            "choices": shown_choices,
            "regions": regions,
            "decision": decision,
        }

    def _choices(self, engine: BatchEngine, seat: int) -> dict[str, Any]:
        groups = choices.groups_of(engine)
        about = choices.place_of_decision(engine)
        decision, record = engine.decision(0), engine.state[0].copy()
        parts = []
        for group in groups if choices.may_repeat(engine) else ():
            if group.options[0].label and not any(option.place for option in group.options):
                self._trial.place(record)
                learned = self._trial.reveals(group.options[0].action, seat)
                if not learned and self._trial.engine.decision(0) == decision:
                    parts.append(group.kind)
        return {"decision": decision, "groups": choices.as_json(groups, parts), "about": about}

    def moves(self, viewer: int, start: int = 0) -> list[list[Any]]:
        """Return the moves from `start` on as [seat, sentence], with only what a viewer may know. Seat -1 is chance."""
        return [[move.seat, move.words(viewer)] for move in self._moves[start:]]

    def moves_since_own(self, viewer: int) -> list[list[Any]]:
        """Return [seat, sentence, moves before] for each move since a seat's last action, up to `LOOK_BACK` moves.

        The third entry can be passed to `look_back`. Spectators get all moves since the first action.
        """
        moves = self._moves
        first_action = next((number for number, move in enumerate(moves) if move.seat >= 0), len(moves))
        is_own = (number for number, move in enumerate(moves) if move.seat == viewer != SPECTATOR)
        own = max(is_own, default=first_action)
        first = max(own, len(moves) - LOOK_BACK)
        return [[move.seat, move.words(viewer), first + k + 1] for k, move in enumerate(moves[first:])]

    def regions(self, viewer: int, names: Sequence[str]) -> dict[str, str]:
        """Return the picture of the game as a viewer sees it, split into regions."""
        last = last_moves(self._moves)
        return pictures.regions(self.engine, viewer, names, last[0] if last else None)

    def look_back(self, viewer: int, num_moves: int, names: Sequence[str]) -> dict[str, str]:
        """Return the picture of the latest position with at most `num_moves` moves, as a viewer saw it at the time."""
        fitting = [position for position in self._positions if position.num_moves <= num_moves]
        position = fitting[-1] if fitting else self._positions[0]
        moves = self._moves[: position.num_moves]
        last = last_moves(moves)
        return pictures.regions(self._shown(position.record), viewer, names, last[0] if last else None)

    def _shown(self, record: np.void) -> BatchEngine:
        self._projector.state[0] = record
        self._projector.refresh()
        return self._projector

    def headline(self) -> str:
        """Describe the current decision or the result."""
        return Reading(self.engine, [0]).game().decision

    def result(self) -> dict[str, Any] | None:
        """Return the winners and the points of each seat, or None if the game is not over."""
        if not self.is_over:
            return None
        return {
            "winners": np.flatnonzero(self.engine.winners[0]).tolist(),
            "points": self.engine.victory_points[0].tolist(),
            "truncated": bool(self.engine.truncated[0]),
        }


def check_length(actions: Sequence[int]) -> None:
    """Raise `IllegalActionError` unless a sequence has an allowed number of actions."""
    if not 0 < len(actions) <= LONGEST_SEQUENCE:
        raise IllegalActionError(f"A sequence has 1 to {LONGEST_SEQUENCE} actions, not {len(actions)}.")


def _sentence(engine: BatchEngine, action: int) -> str:
    """Return the sentence that describes an action, after checking that the action is legal."""
    check_action(action, engine.actions.n)
    if not engine.action_mask[0, action]:
        raise IllegalActionError(f"{engine.describe(0, action)!r} is not legal now.")
    return sentence_for(engine, 0, action)


__all__ = ["SPECTATOR", "GameSettings", "LoggedPosition", "PlayedGame", "Taken"]
