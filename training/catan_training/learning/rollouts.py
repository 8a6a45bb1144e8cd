"""The games a learner plays against itself, its teacher and its opponents, and what it keeps of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from catan_agents import make_agent
from catan_agents.networks import parts_of
from catan_agents.search.lookahead_features import LookaheadFeatures
from catan_agents.seats import to_seats
from catan_agents.streams import GameStreams
from catan_env.engine.batch import BatchEngine
from catan_training.learning.devices import device_of, pinned_zeros
from catan_training.learning.pool import Pool
from catan_training.learning.resolved import RolloutConfig, ScenarioConfig
from catan_training.learning.returns import Returns, returns_of
from catan_training.learning.stopwatch import Stopwatch

LEARNER = -1
"""Who sits on a seat: the learner, or a member of the pool by its index."""
NO_LABEL = -1
"""No action."""

Choose = Callable[[dict[str, np.ndarray], np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""From observations by part, (n, ...) each, and masks (n, actions): actions (n,) int64, the logarithms of their
probabilities (n,) and of all seats the value, then whatever else is foretold (n, players * told), both float32."""

CHOICES = 100
"""Lengths are foretold in so many choices."""


@dataclass
class Rollout:
    """T steps of N games. Arrays are rewritten by the next one.

    Attributes:
        observations: (T, N, ...) by part, as whoever was to act saw them.
        masks: (T, N, actions) bool.
        actions, labels: (T, N) int64: what was done, and what the teacher would have done (NONE without one).
        worths: (T, N, actions) float32: what each action is worth to a teacher that values them, in victory points; of
            others (T, N, 0).
        log_probs: (T, N) float32 of the actions.
        learn: (T, N) bool: where there is something to learn.
        told: (T, N, players, told) float32, of the seats as whoever was to act sees them: the value, then whatever
            else is foretold.
        ahead: of each step where all legal actions lead, (legal actions of all games, columns); empty if not looked at.
        advantages, targets: what came of it: (T, N) float32 of those who chose, and for all that was told.
    """

    observations: dict[str, np.ndarray]
    masks: np.ndarray
    actions: np.ndarray
    labels: np.ndarray
    log_probs: np.ndarray
    learn: np.ndarray
    predicted: np.ndarray
    advantages: np.ndarray
    targets: np.ndarray
    action_values: np.ndarray
    lookahead: list[np.ndarray] = field(default_factory=list)


class RolloutCollector:
    """Batched games of one scenario, of which every choice of the learner is learned from.

    In the last `pool_share` of the games an opponent of the pool has half of the seats, rounded down, at least one,
    unless a teacher is at work.

    Raises:
        CatanError: scenario, opponents, rules or another setting that do not exist or fit.
    """

    def __init__(self, scenario: ScenarioConfig, config: RolloutConfig, seed: int, pool: Pool, watch: Stopwatch):
        self.config, self.pool, self.watch = config, pool, watch
        self.engine = make_engine(scenario, config, seed)
        self.encoder = self.engine.encoder(config.encoder, "uint8")
        hands = range(config.torch_threads)
        self.teachers: list[Any] = [make_agent(scenario.teacher) for _ in hands if scenario.teacher]
        self._valued = bool(
            config.teacher_inverse_temperature and self.teachers and hasattr(self.teachers[0], "evaluate_actions")
        )
        self.lookaheads, self._streams = (
            [LookaheadFeatures(self.engine) for _ in hands if config.lookahead_features],
            GameStreams(),
        )
        self._hands = ThreadPoolExecutor(len(hands)) if len(hands) > 1 else None
        games, players = self.engine.num_games, self.engine.num_players
        steps, predicted, device = config.rollout_steps, 1 + len(config.auxiliary_targets), device_of(config.device)
        self.owner = np.full((games, players), LEARNER, np.int64)
        self.pooled = np.arange(games) >= games - int(config.pool_share * games)
        space = parts_of(self.encoder.encode())
        if self.lookaheads:
            space["now"] = np.zeros((games, self.lookaheads[0].columns), np.float32)
        self._kept = Rollout(
            {part: pinned_zeros((steps, *rows.shape), rows.dtype, device) for part, rows in space.items()},
            pinned_zeros((steps, games, self.engine.actions.n), bool, device),
            pinned_zeros((steps, games), np.int64, device),
            pinned_zeros((steps, games), np.int64, device),
            pinned_zeros((steps, games), np.float32, device),
            np.zeros((steps, games), bool),
            np.zeros((steps, games, players, predicted), np.float32),
            np.zeros((steps, games), np.float32),
            np.zeros((steps, games, players, predicted), np.float32),
            pinned_zeros((steps, games, self.engine.actions.n if self._valued else 0), np.float32, device),
        )
        self._kept.labels.fill(NO_LABEL)
        self._seats, self._over = np.zeros((steps, games), np.int64), np.zeros((steps, games), bool)
        self._rewards, self._points = np.zeros((2, steps, games, players), np.float32)
        self.finished = 0

    def play(self, choose: Choose, seed: int, imitating: bool) -> Rollout:
        """Plays every game on by `rollout_steps` choices.

        Args:
            choose: the learner.
            seed: of all agents, and of who meets whom.
            taught: whether the teacher says what it would do, and plays its part of the games.
        """
        kept, engine, watch = self._kept, self.engine, self.watch
        rng = np.random.default_rng(seed)
        self.pool.reset(seed)
        self._streams.reset(seed)
        kept.lookahead = []
        for number, teacher in enumerate(self.teachers):
            teacher.reset(seed + number)
        rows = np.arange(engine.num_games)
        led = rows < self.config.teacher_games * engine.num_games if imitating else np.zeros(engine.num_games, bool)
        for t in range(self.config.rollout_steps):
            with watch("engine"):
                seats, mask = self._seats[t], kept.masks[t]
                seats[:], mask[:] = engine.seat_to_act, engine.action_mask
                seen = {part: array[t] for part, array in kept.observations.items()}
                self._observe(seen)
            if self.lookaheads:
                with watch("lookahead"):
                    seen |= self._lookahead_parts(seen, mask)
                kept.lookahead.append(seen["lookahead"])
            with watch("network"):
                actions, kept.log_probs[t], predicted = choose(seen, mask)
                kept.predicted[t] = predicted.reshape(kept.predicted[t].shape)
            running = seats >= 0
            whose = np.where(running, self.owner[rows, np.maximum(seats, 0)], LEARNER)
            kept.learn[t] = running & (whose == LEARNER)
            with watch("others"):
                if imitating:
                    self._ask_teacher(np.flatnonzero(kept.learn[t]), kept.labels[t], kept.action_values[t])
                    actions = np.where(led & kept.learn[t], kept.labels[t], actions)
                for member in np.unique(whose[whose != LEARNER]).tolist():
                    games = np.flatnonzero(whose == member)
                    actions[games] = self.pool.members[member].agent.act(engine, games)
            with watch("engine"):
                kept.actions[t] = actions
                engine.step(actions)
                self._rewards[t], self._over[t] = engine.rewards, running & (engine.seat_to_act < 0)
                self._points[t] = 0.0
                if self._over[t].any():
                    self._points[t, self._over[t]] = engine.victory_points[self._over[t]]
                    self._end(np.flatnonzero(self._over[t]), None if imitating else rng)
        with watch("network"):
            seen, mask = parts_of(self.encoder.encode()), engine.action_mask.copy()
            if self.lookaheads:
                seen |= self._lookahead_parts({"now": np.zeros_like(kept.observations["now"][0])}, mask)
            last = choose(seen, mask)[2]
        with watch("data"):
            last = last.reshape(kept.predicted[0].shape)
            for number, what in enumerate(("value", *self.config.auxiliary_targets)):
                found = self._returns(what, kept.predicted[..., number], last[..., number])
                kept.targets[..., number] = found.targets
                if not number:
                    kept.advantages = found.advantages
        return kept

    def _returns(self, what: str, predicted: np.ndarray, last: np.ndarray) -> Returns:
        """What came of every choice: of its value, of the points in the end, or of the number of choices until then."""
        engine, config, seats = self.engine, self.config, self._seats
        rewards, discount = self._rewards, config.discount
        if what == "points":
            rewards, discount = self._points / engine.rules["victory_points"], 1.0
        elif what == "length":
            rewards, discount = (seats[..., None] == np.arange(engine.num_players)).astype(np.float32) / CHOICES, 1.0
        last = np.where(engine.seat_to_act[:, None] >= 0, to_seats(last, engine.seat_to_act), 0.0)
        return returns_of(
            seats, self._kept.learn, rewards, self._over, to_seats(predicted, seats), last, discount, config.gae_lambda
        )

    def _observe(self, seen: dict[str, np.ndarray]) -> None:
        self.encoder.encode(out=seen.get("row", {part: array for part, array in seen.items() if part != "now"}))

    def _lookahead_parts(self, seen: dict[str, np.ndarray], mask: np.ndarray) -> dict[str, np.ndarray]:
        """The parts of observations that tell where actions lead, see `LookaheadNetwork`; `seen` has room for "now"."""
        games = np.flatnonzero(self.engine.seat_to_act >= 0)
        words = self._streams.words(games)
        found = self._shared(
            [
                partial(lookahead.encode, share, part)
                for lookahead, share, part in zip(
                    self.lookaheads,
                    *(np.array_split(rows, len(self.lookaheads)) for rows in (games, words)),
                    strict=True,
                )
            ]
        )
        now, lookahead = (np.concatenate(part) for part in zip(*found, strict=True))
        seen["now"][:] = 0.0
        seen["now"][games] = now
        return {"legal": mask, "now": seen["now"], "lookahead": lookahead}

    def _ask_teacher(self, games: np.ndarray, labels: np.ndarray, action_values: np.ndarray) -> None:
        """Writes what the teacher would do in these games, NONE in all others, and what actions are worth to it."""
        asked = [
            partial(teacher.evaluate_actions if self._valued else teacher.act, self.engine, share)
            for teacher, share in zip(self.teachers, np.array_split(games, len(self.teachers)), strict=True)
        ]
        found = self._shared(asked)
        if self._valued:
            action_values[games] = np.concatenate([judged for _, judged in found])
            found = [chosen for chosen, _ in found]
        labels[:] = NO_LABEL
        labels[games] = np.concatenate(found)

    def _shared(self, work: Sequence[Callable[[], Any]]) -> list[Any]:
        """What came of each piece of work, one for each thread."""
        if self._hands is None:
            return [piece() for piece in work]
        return [done.result() for done in [self._hands.submit(piece) for piece in work]]

    def _end(self, games: np.ndarray, rng: np.random.Generator | None) -> None:
        """Counts games that have ended, and draws who plays them when they begin anew; with no `rng`, the learner."""
        owner, won = self.owner[games], self.engine.winners[games]
        self.finished += len(games)
        mixed = (owner != LEARNER).any(1) & won.any(1)
        if mixed.any():
            mine = owner[mixed] == LEARNER
            self.pool.note(owner[mixed].max(1), mine.sum(1), owner.shape[1], (won[mixed] & mine).any(1))
        self.owner[games] = LEARNER
        games = games[self.pooled[games]]
        if rng is not None and len(games) and self.pool.members:
            players = self.engine.num_players
            rank = rng.random((len(games), players)).argsort(axis=1)
            member = self.pool.draw(rng, len(games))[:, None]
            self.owner[games] = np.where(rank < max(1, players // 2), member, LEARNER)

    def state(self) -> dict[str, Any]:
        """All games as they stand, as bytes and arrays."""
        return {
            "games": self.engine.save(),
            "owner": self.owner.copy(),
            "finished": self.finished,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Brings back what `state` gave."""
        self.engine.load(state["games"])
        self.owner[:], self.finished = state["owner"], state["finished"]


def make_engine(scenario: ScenarioConfig, config: RolloutConfig, seed: int) -> BatchEngine:
    """The engine of a training run, which resets finished games and asks only where there is a choice."""
    return BatchEngine(
        scenario.scenario,
        config.num_games,
        scenario.num_players,
        seed,
        rules=scenario.rules,
        reward=config.reward,
        shaping=config.shaping,
        discount=config.discount,
        threads=config.env_threads,
        forced_moves="play",
        autoreset=True,
    )
