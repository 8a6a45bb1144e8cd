"""`Mirror`: one of our engines, following a game that another engine runs.

A bridge to another engine translates boards, positions and actions. The mirror does everything else: it either sets up
a position as known to a seat and asks an agent, or replays the moves of the other game and reports differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from catan_agents.protocol import Agent
from catan_env import BatchEngine, Position
from catan_env.engine.positions import sampled, spare_of
from catan_env.engine.replay import annotated, write_log
from catan_env.errors import ActionFormatError, IllegalActionError

Outside = TypeVar("Outside", bound=Hashable)
Move = tuple[str, str, int]
"""A move in a game being followed: ("act", kind of action, argument), or ("chance", draw, outcome)."""

STACK = ("decision_stack", "decision_seats")
UNCOMPARED = frozenset({*STACK, "decision_arguments", "rng", "income", "ended", "winners", "depth", "offers_left"})
"""Fields that other engines lack, that duplicate information in other fields, or that `compare` handles separately."""
GAMES = np.zeros(1, np.int64)


def fields_by_byte(dtype: np.dtype) -> list[str]:
    """Return the name of the field that each byte of a packed record belongs to."""
    parts = [(name, dtype.fields[name]) for name in dtype.names or ()]  # type: ignore[index]
    return [name for name, (part, *_) in parts for _ in range(part.itemsize)]


class Mirror:
    """A game in our engine that mirrors a game in another engine.

    Use a mirror either to ask agents (`set_up`, then `choose`) or to follow a whole game (`follow`), but not both.

    Args:
        scenario: name of the scenario whose rules are closest to the other engine's.
        num_players: number of seats.
        rules: rule values that make our rules match the other engine's as closely as possible.
        board: the board of the game.
        chance: "sampled" for asking agents, or "explicit" for following a game.
        seed: seed for sampling cards.

    Attributes:
        engine: our engine, which holds a single game.
        differences: number of differences between the engines, keyed by kind.
        is_exact: whether the log of `engine` covers the whole game. If the engines differ, the log ends, and the game
            continues from the other engine's position.
    """

    def __init__(
        self,
        scenario: str,
        num_players: int,
        rules: Mapping[str, Any],
        board: Any,
        chance: str = "sampled",
        seed: int = 0,
    ):
        self.engine = BatchEngine(
            scenario,
            num_players=num_players,
            rules=rules,
            board=board,
            chance=chance,
            seed=seed,
            record=chance == "explicit",
        )
        self.differences: Counter[str] = Counter()
        self.is_exact = True
        self._exact_entries: int | None = None
        self._spare = spare_of(self.engine)
        self._field_at = fields_by_byte(self.engine.state.dtype)
        self._seed = seed
        self._asked = 0
        self._contradictions: set[str] = set()
        """Contradictions found in the last position, stored so that a persistent contradiction is counted only once."""

    # -- asking agents ------------------------------------------------------------------------------------

    def set_up(self, position: Position, seat: int) -> None:
        """Set up a position as known to a seat, and sample all hidden cards.

        Facts that contradict our rules are counted as differences but kept, since the other engine is authoritative.

        Raises:
            PositionError: the position is malformed.
        """
        self._write(position, seat)
        self._asked += 1
        self.engine.state[:] = sampled(self._spare, seat, 1, self._seed + self._asked)
        self.engine.refresh()

    def choose(self, agent: Agent, options: Mapping[tuple[int, ...], Outside]) -> Outside:
        """Ask an agent to choose in the position that was set up.

        The agent chooses among the actions that both engines allow. All differences are counted.

        Args:
            agent: the agent to ask.
            options: the legal actions in the other engine, keyed by the equivalent sequence of our action ids.

        Returns:
            The chosen action, in the form of the other engine.
        """
        prefix: tuple[int, ...] = ()
        while True:
            open_options = [ids for ids in options if ids[: len(prefix)] == prefix]
            allowed = self._allowed({ids[len(prefix)] for ids in open_options}, count=not prefix)
            if not allowed:
                self.differences["nothing that both engines allow"] += 1
                return options[open_options[0]]
            prefix += (allowed[0] if len(allowed) == 1 else self._ask(agent, allowed),)
            if prefix in options:
                return options[prefix]
            self.engine.step(np.array(prefix[-1:]))

    def _allowed(self, theirs: set[int], count: bool) -> list[int]:
        """Return the actions that both engines allow; with `count`, count action kinds that only one engine allows."""
        legal = set(np.flatnonzero(self.engine.action_mask[0]).tolist())
        if count:
            for who, ids in (("only there", theirs - legal), ("only here", legal - theirs)):
                for kind in sorted({self.engine.actions.pair(action)[0] for action in ids}):
                    self.differences[f"legal {who}: {kind}"] += 1
        return sorted(theirs & legal)

    def _ask(self, agent: Agent, allowed: list[int]) -> int:
        mask = self.engine.batch.masks[0]
        mask[:] = False
        mask[allowed] = True
        action = int(agent.act(self.engine, GAMES)[0])
        if action in allowed:
            return action
        self.differences[f"{agent.name} chose what the other engine forbids"] += 1
        return allowed[0]

    # -- following a game ---------------------------------------------------------------------------------

    def follow(self, moves: Sequence[Move], truth: Position, winner: int = -1) -> list[str]:
        """Play moves that the other engine has made, and adopt its position if the engines differ.

        Args:
            moves: the moves, translated to our actions and outcomes.
            truth: the full position in the other engine after the moves.
            winner: the seat that has won in the other engine, or -1 while the game is in progress.

        Returns:
            A list of what differed; empty if the engines agree.
        """
        before = int(self.engine.batch.log_length[0])
        if found := self._play(moves):
            self._write(truth, None)
        elif moves:
            found = [f"{moves[-1][1]}: {name}" for name in self.compare(truth, winner)]
        if found:
            self.differences.update(found)
            if self.is_exact:
                self.is_exact, self._exact_entries = False, before
            if winner < 0:
                self.engine.state[:] = self._spare.state
                self.engine.refresh()
        return found

    def replay_log(self) -> dict[str, Any]:
        """Return the replay log of the mirrored game up to the first difference, with the note `is_exact`."""
        entries = self.engine.log_entries(0)[: self._exact_entries]
        return annotated(write_log(self.engine, 0, entries), is_exact=self.is_exact)

    def follow_without_comparing(self, moves: Sequence[Move]) -> None:
        """Play moves after which the other engine is between two positions that both engines can represent."""
        self.differences.update(self._play(moves))

    def compare(self, truth: Position, winner: int = -1) -> list[str]:
        """Return the fields that differ from the other engine's position, or ["winner"] if the winner differs."""
        self._write(truth, None)
        if int(self.engine.winner[0]) != winner:
            return ["winner"]
        different = self.engine.state.view(np.uint8) != self._spare.state.view(np.uint8)
        names = {self._field_at[byte] for byte in np.flatnonzero(different).tolist()}
        found = sorted(names - UNCOMPARED - ({"on_turn", "next_player", "turn"} if winner >= 0 else set()))
        if winner < 0:
            ours, theirs = self.engine.state[0], self._spare.state[0]
            depth = int(ours["depth"])
            if depth != int(theirs["depth"]) or any((ours[n][:depth] != theirs[n][:depth]).any() for n in STACK):
                found.append("decision")
        return found

    def _play(self, moves: Sequence[Move]) -> list[str]:
        engine = self.engine
        for who, kind, argument in moves:
            if kind not in ("build_road", "forgo_free_roads") and engine.decision(0) == "free_road":
                engine.step(np.array([engine.actions.id("forgo_free_roads")]))
            table = engine.outcomes if who == "chance" else engine.actions
            try:
                engine.step(np.array([table.id(kind, argument)]))
            except (IllegalActionError, ActionFormatError):
                return [f"only there: {kind}"]
        return []

    def _write(self, position: Position, seat: int | None) -> None:
        found = {f"contradiction: {text}" for text in position.write(self._spare, self.engine.state[0], seat)}
        self.differences.update(found - self._contradictions)
        self._contradictions = found
