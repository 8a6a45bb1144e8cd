"""Soak tests: long runs of random play, checked after every step, with a replay log of the first failure."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents.random import RandomAgent
from catan_env.engine import replay
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import TRUNCATED
from catan_env.engine.field_names import field_names
from catan_env.errors import CatanError
from catan_env.testing.endings import DECISIONS_IN_A_TURN
from catan_env.whole_files import write_whole

COPY_EVERY = 500
"""Number of batch steps between checks of snapshots and clones."""
COPY_STEPS = 20
REPLAY_SHARE = 8
"""One in `REPLAY_SHARE` finished games is replayed from its log."""
STANDSTILL = 100
"""A game is considered stuck in a loop after this many random decisions that change nothing."""


@dataclass(frozen=True)
class SoakReport:
    """Counts from a soak run, and its first failure, if any."""

    scenario: str
    num_players: int
    seed: int
    actions: int = 0
    won: int = 0
    truncated: int = 0
    replayed: int = 0
    copied: int = 0
    seconds: float = 0.0
    failure: str = ""
    replay_file: str = ""

    @property
    def ended(self) -> int:
        """Number of finished games."""
        return self.won + self.truncated

    @property
    def verdict(self) -> str:
        """ "ok", "FAILED", or "INCOMPLETE" if no game finished and endings and replays were never checked."""
        return "FAILED" if self.failure else "ok" if self.ended else "INCOMPLETE"


class Failure(Exception):
    """A check that failed in a game."""

    def __init__(self, game: int, what: str):
        super().__init__(what)
        self.game, self.what = game, what


class _Watch:
    """Detects games stuck in a loop: decisions change nothing, or a turn never ends."""

    def __init__(self, engine: BatchEngine):
        self.engine = engine
        self._records, self._turns = self._looks()
        self._idle = np.zeros(engine.num_games, np.int64)
        self._decisions = np.zeros(engine.num_games, np.int64)

    def _looks(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the records without their random streams, shape (games, bytes), and the turn number of each game."""
        records = self.engine.state.copy()
        records["rng"] = 0
        turns = records["turn"].copy() if "turn" in field_names(records) else np.zeros(len(records), np.int64)
        return records.view(np.uint8).reshape(len(records), -1), turns

    def check(self) -> None:
        """Update the counts after each game's latest decision.

        Raises:
            Failure: a game is stuck in a loop.
        """
        records, turns = self._looks()
        running = self.engine.seat_to_act >= 0
        self._idle = np.where(running & (records == self._records).all(axis=1), self._idle + 1, 0)
        self._decisions = np.where(running & (turns == self._turns), self._decisions + 1, 0)
        self._records, self._turns = records, turns
        for counts, most, what in (
            (self._idle, STANDSTILL, "have changed nothing"),
            (self._decisions, DECISIONS_IN_A_TURN, "have not ended the turn"),
        ):
            if counts.max() >= most:
                game = int(counts.argmax())
                raise Failure(
                    game,
                    f"{most} decisions in a row {what}; the last is {self.engine.decision(game)!r}. Pop the decision, "
                    "or limit its actions",
                )

    def forget(self, games: np.ndarray) -> None:
        """Start over for new games."""
        records, turns = self._looks()
        self._records[games], self._turns[games] = records[games], turns[games]
        self._idle[games] = self._decisions[games] = 0


class Soak:
    """Plays one scenario at random, with all checks.

    Args:
        scenario, num_players, rules: the games to play, as for `BatchEngine`.
        games: number of games in the batch.
        seed: seed for the games and the actions.
    """

    def __init__(
        self, scenario: str, num_players: int, games: int = 64, seed: int = 0, rules: Mapping[str, Any] | None = None
    ):
        self.engine = BatchEngine(scenario, games, num_players, seed, rules=rules, record=True)
        self.agent = RandomAgent(seed)
        self.seed = seed
        self.actions = self.won = self.truncated = self.replayed = self.copied = 0
        self.watch = _Watch(self.engine)

    def run(self, steps: int, folder: str | Path = ".") -> SoakReport:
        """Play at least `steps` actions, or stop at the first failure and write its replay log to the folder."""
        start, failure, file = time.perf_counter(), "", ""
        step = 0
        try:
            self.check()
            while self.actions < steps:
                self.actions += self.advance(self.engine, self.agent)
                step += 1
                self.check()
                self.watch.check()
                if step % COPY_EVERY == 0:
                    self.check_copies()
                self.finish_games()
        except Failure as found:
            failure = f"game {found.game} (seed {self.seed}, step {step} of the batch): {found.what}"
            file = self.leave_log(found.game, Path(folder))
        engine = self.engine
        return SoakReport(
            engine.scenario.name,
            engine.num_players,
            self.seed,
            self.actions,
            self.won,
            self.truncated,
            self.replayed,
            self.copied,
            time.perf_counter() - start,
            failure,
            file,
        )

    def advance(self, engine: BatchEngine, agent: RandomAgent) -> int:
        """Play one random action in every unfinished game and return the number of such games."""
        running = np.flatnonzero(engine.seat_to_act >= 0)
        actions = np.full(engine.num_games, -1, np.int64)
        actions[running] = agent.act(engine, running)
        try:
            engine.step(actions)
        except CatanError as error:
            faulty = np.flatnonzero(engine.state["ended"] > TRUNCATED)
            raise Failure(int(faulty[0]) if len(faulty) else 0, f"{type(error).__name__}: {error}") from error
        return len(running)

    def check(self) -> None:
        """Check all invariants, and that every unfinished game has a legal action."""
        for game, name in self.engine.broken_invariants():
            raise Failure(game, f"invariant {name!r} does not hold")
        stuck = (self.engine.seat_to_act >= 0) & ~self.engine.action_mask.any(axis=1)
        if stuck.any():
            game = int(np.flatnonzero(stuck)[0])
            raise Failure(game, f"no legal action for decision {self.engine.decision(game)!r}")

    def check_copies(self) -> None:
        """Check that a clone continues identically and that a snapshot restores the games."""
        engine, clone = self.engine, self.engine.clone()
        saved, before = engine.save(), engine.state.copy()
        for copy in (engine, clone):
            agent = RandomAgent(self.seed + self.copied + 1)
            for _ in range(COPY_STEPS):
                self.advance(copy, agent)
        self._compare("clone", engine.state, clone.state)
        differs = (engine.action_mask != clone.action_mask).any(axis=1)
        if differs.any():
            raise Failure(int(np.flatnonzero(differs)[0]), "after a clone, the legal actions differ")
        engine.load(saved)
        self._compare("snapshot", before, engine.state)
        self.copied += 1

    def finish_games(self) -> None:
        """Count the finished games, replay a sample of them, and reset all of them."""
        engine = self.engine
        ended_games = np.flatnonzero(engine.seat_to_act < 0)
        if not len(ended_games):
            return
        for game in ended_games.tolist():
            if (self.won + self.truncated) % REPLAY_SHARE == 0:
                self.check_replay(game)
            self.truncated += bool(engine.truncated[game])
            self.won += bool(engine.terminated[game])
        engine.reset(games=ended_games)
        self.watch.forget(ended_games)

    def check_replay(self, game: int) -> None:
        """Check that replaying a game's log reproduces its record, except for the random stream."""
        log = json.loads(json.dumps(self.engine.replay_log(game)))
        try:
            replayed = replay.replay(log, BatchEngine)
        except CatanError as error:
            raise Failure(game, f"its replay log is refused: {error}") from error
        self._compare("replay", self.engine.state[[game]], replayed.state, game, ignored=("rng",))
        self.replayed += 1

    def _compare(
        self, what: str, one: np.ndarray, other: np.ndarray, game: int | None = None, ignored: Sequence[str] = ()
    ) -> None:
        for name in field_names(one):
            if name not in ignored and not np.array_equal(one[name], other[name]):
                differs = (one[name] != other[name]).reshape(len(one), -1).any(axis=1)
                failing_game = int(np.flatnonzero(differs)[0]) if game is None else game
                raise Failure(failing_game, f"after a {what}, field {name!r} differs")

    def leave_log(self, game: int, folder: Path) -> str:
        """Write a game's replay log and return its path."""
        engine = self.engine
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"soak-{engine.scenario.name}-{engine.num_players}p-seed{self.seed}-game{game}.json"
        write_whole(path, json.dumps(engine.replay_log(game), indent=1))
        return str(path)
