"""Collecting rollouts from games that the learner plays against itself, its teacher and the opponent pool."""

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
from catan_agents.seats import from_seats, to_seats
from catan_agents.streams import GameStreams
from catan_env.encoders import compact_dtype
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.rollouts import Returns, RolloutRecorder, returns_of
from catan_training.learning.devices import device_of, pinned_zeros
from catan_training.learning.pool import Pool
from catan_training.learning.resolved import RolloutConfig, ScenarioConfig
from catan_training.learning.stopwatch import Stopwatch

LEARNER = -1
"""Owner index for the learner's seats. Other seats hold the index of a pool member."""
NO_LABEL = -1
"""Label for steps without a teacher action."""

Choose = Callable[[dict[str, np.ndarray], np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""A batched policy.

It takes a dict of observation parts, each of shape (n, ...), and legal-action masks of shape (n, actions). It returns
actions, shape (n,), int64; log-probabilities, shape (n,), float32; and predictions, shape (n, players * predicted),
float32. The predictions for a seat are its value followed by the auxiliary targets.
"""

CHOICES = 100
"""Number of decisions per unit of predicted game length."""


@dataclass
class Rollout:
    """T steps of N games. The arrays are overwritten by the next rollout.

    Attributes:
        observations: dict of parts, each of shape (T, N, ...), as seen by the seat to act.
        masks: (T, N, actions) bool.
        actions: (T, N) int64 actions taken.
        labels: (T, N) int64 teacher actions, or NO_LABEL.
        action_values: (T, N, actions) float32 teacher action values, in victory points; (T, N, 0) if unused.
        log_probs: (T, N) float32 log-probabilities of the learner's sampled actions.
        learn: (T, N) bool, whether the learner trains on this step.
        predicted: (T, N, players, predicted) float32 value and auxiliary predictions, starting with the seat to act.
        lookahead: for each step, the lookahead features of all legal actions in all games, shape (legal actions,
            columns). Empty if the setting is off.
        advantages: (T, N) float32.
        targets: (T, N, players, predicted) float32 targets for `predicted`.
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
    """A batch of games of one scenario that the learner trains on.

    In the last `pool_share` of the games, a pool member plays half of the seats, rounded down but at least one. Games
    that start during imitation have no pool opponents.

    Raises:
        CatanError: a scenario, opponent, rule or other setting is invalid.
    """

    def __init__(self, scenario: ScenarioConfig, config: RolloutConfig, seed: int, pool: Pool, watch: Stopwatch):
        self.config, self.pool, self.watch = config, pool, watch
        self.engine = make_engine(scenario, config, seed)
        self.encoder = self.engine.encoder(config.encoder, compact_dtype(config.encoder))
        workers = range(config.torch_threads)
        self.teachers: list[Any] = [make_agent(scenario.teacher) for _ in workers if scenario.teacher]
        self._valued = bool(
            config.teacher_inverse_temperature and self.teachers and hasattr(self.teachers[0], "evaluate_actions")
        )
        self.lookaheads, self._streams = (
            [LookaheadFeatures(self.engine) for _ in workers if config.lookahead_features],
            GameStreams(),
        )
        self._hands = ThreadPoolExecutor(len(workers)) if len(workers) > 1 else None
        games, players = self.engine.num_games, self.engine.num_players
        steps, prediction_count, device = (
            config.rollout_steps,
            1 + len(config.auxiliary_targets),
            device_of(config.device),
        )
        self.owner = np.full((games, players), LEARNER, np.int64)
        self.pooled = np.arange(games) >= games - int(config.pool_share * games)
        observation = parts_of(self.encoder.encode())
        if self.lookaheads:
            observation["now"] = np.zeros((games, self.lookaheads[0].columns), np.float32)
        self._kept = Rollout(
            {part: pinned_zeros((steps, *array.shape), array.dtype, device) for part, array in observation.items()},
            pinned_zeros((steps, games, self.engine.actions.n), bool, device),
            pinned_zeros((steps, games), np.int64, device),
            pinned_zeros((steps, games), np.int64, device),
            pinned_zeros((steps, games), np.float32, device),
            np.zeros((steps, games), bool),
            np.zeros((steps, games, players, prediction_count), np.float32),
            np.zeros((steps, games), np.float32),
            np.zeros((steps, games, players, prediction_count), np.float32),
            pinned_zeros((steps, games, self.engine.actions.n if self._valued else 0), np.float32, device),
        )
        self._kept.labels.fill(NO_LABEL)
        self._recorder = RolloutRecorder(self.engine, steps)
        self._points = np.zeros((steps, games, players), np.float32)
        self.finished = 0

    def play(self, choose: Choose, seed: int, imitating: bool) -> Rollout:
        """Play `rollout_steps` decisions per game.

        Args:
            choose: the learner's policy.
            seed: seed for all agents and for opponent sampling.
            imitating: whether to label decisions with the teacher's actions and have the teacher play its share of the
                games.
        """
        rollout, engine, watch = self._kept, self.engine, self.watch
        rng = np.random.default_rng(seed)
        recorder = self._recorder
        recorder.critic, recorder.length = partial(self._values, choose), 0
        self.pool.reset(seed)
        self._streams.reset(seed)
        rollout.lookahead = []
        for index, teacher in enumerate(self.teachers):
            teacher.reset(seed + index)
        game_indices = np.arange(engine.num_games)
        led_by_teacher = (
            game_indices < self.config.teacher_games * engine.num_games
            if imitating
            else np.zeros(engine.num_games, bool)
        )
        for t in range(self.config.rollout_steps):
            with watch("engine"):
                seats, mask = engine.seat_to_act.copy(), rollout.masks[t]
                mask[:] = engine.action_mask
                seen = {part: array[t] for part, array in rollout.observations.items()}
                self._observe(seen)
            if self.lookaheads:
                with watch("lookahead"):
                    seen |= self._lookahead_parts(seen, mask)
                rollout.lookahead.append(seen["lookahead"])
            with watch("network"):
                actions, rollout.log_probs[t], predicted = choose(seen, mask)
                rollout.predicted[t] = predicted.reshape(rollout.predicted[t].shape)
            running = seats >= 0
            actor = np.where(running, self.owner[game_indices, np.maximum(seats, 0)], LEARNER)
            rollout.learn[t] = running & (actor == LEARNER)
            with watch("others"):
                if imitating:
                    self._ask_teacher(np.flatnonzero(rollout.learn[t]), rollout.labels[t], rollout.action_values[t])
                    actions = np.where(led_by_teacher & rollout.learn[t], rollout.labels[t], actions)
                for member in np.unique(actor[actor != LEARNER]).tolist():
                    games = np.flatnonzero(actor == member)
                    actions[games] = self.pool.members[member].agent.act(engine, games)
            with watch("engine"):
                rollout.actions[t] = actions
                recorder.step(actions)
                self._points[t] = 0.0
                over = recorder.terminated[t] | recorder.truncated[t]
                if over.any():
                    self._points[t, over] = engine.victory_points[over]
                    self._end(np.flatnonzero(over), None if imitating else rng)
        with watch("network"):
            last_predictions = self._predictions(choose, engine.seat_to_act)
        with watch("data"):
            for index, target in enumerate(("value", *self.config.auxiliary_targets)):
                returns = self._returns(target, rollout.predicted[..., index], last_predictions[..., index])
                rollout.targets[..., index] = from_seats(returns.seat_targets, recorder.seats)
                if not index:
                    rollout.advantages = returns.advantages
        return rollout

    def _returns(self, what: str, predicted: np.ndarray, last: np.ndarray) -> Returns:
        """Return advantages and targets for the value, the final points or the remaining decisions."""
        engine, config, recorder = self.engine, self.config, self._recorder
        seats, rewards, discount, final_values = recorder.seats, recorder.rewards, config.discount, None
        if what == "points":
            rewards, discount = self._points / engine.rules["victory_points"], 1.0
        elif what == "length":
            rewards, discount = (seats[..., None] == np.arange(engine.num_players)).astype(np.float32) / CHOICES, 1.0
        else:
            final_values = recorder.final_values
        return returns_of(
            seats,
            self._kept.learn,
            rewards,
            recorder.ended,
            to_seats(predicted, seats),
            np.where(engine.seat_to_act[:, None] >= 0, to_seats(last, engine.seat_to_act), 0.0),
            discount,
            config.gae_lambda,
            final_values,
        )

    def _predictions(self, choose: Choose, seats: np.ndarray) -> np.ndarray:
        """Return the learner's predictions in all games, shape (N, players, predicted), relative to the given seats."""
        seen, mask = parts_of(self.encoder.encode(seats)), self.engine.action_mask.copy()
        if self.lookaheads:
            seen |= self._lookahead_parts({"now": np.zeros_like(self._kept.observations["now"][0])}, mask)
        return choose(seen, mask)[2].reshape(self._kept.predicted[0].shape)

    def _values(self, choose: Choose, games: np.ndarray) -> np.ndarray:
        """Return each seat's predicted value in each of `games`, shape (n, players). Games may be over."""
        seats = np.full(self.engine.num_games, NO_SEAT_TO_ACT)
        seats[games] = np.maximum(self.engine.seat_to_act[games], 0)
        return to_seats(self._predictions(choose, seats)[..., 0], seats)[games]

    def _observe(self, seen: dict[str, np.ndarray]) -> None:
        self.encoder.encode(out=seen.get("row", {part: array for part, array in seen.items() if part != "now"}))

    def _lookahead_parts(self, seen: dict[str, np.ndarray], mask: np.ndarray) -> dict[str, np.ndarray]:
        """Fill `seen["now"]` in place and return the lookahead parts of the observations (see `LookaheadNetwork`)."""
        games = np.flatnonzero(self.engine.seat_to_act >= 0)
        random_words = self._streams.words(games)
        encoded_shares = self._shared(
            [
                partial(lookahead.encode, games_share, words_share)
                for lookahead, games_share, words_share in zip(
                    self.lookaheads,
                    *(np.array_split(indices, len(self.lookaheads)) for indices in (games, random_words)),
                    strict=True,
                )
            ]
        )
        now, lookahead = (np.concatenate(arrays) for arrays in zip(*encoded_shares, strict=True))
        seen["now"][:] = 0.0
        seen["now"][games] = now
        return {"legal": mask, "now": seen["now"], "lookahead": lookahead}

    def _ask_teacher(self, games: np.ndarray, labels: np.ndarray, action_values: np.ndarray) -> None:
        """Write the teacher's actions and action values for the given games; set all other labels to NO_LABEL."""
        questions = [
            partial(teacher.evaluate_actions if self._valued else teacher.act, self.engine, share)
            for teacher, share in zip(self.teachers, np.array_split(games, len(self.teachers)), strict=True)
        ]
        answers = self._shared(questions)
        if self._valued:
            action_values[games] = np.concatenate([values for _, values in answers])
            answers = [actions for actions, _ in answers]
        labels[:] = NO_LABEL
        labels[games] = np.concatenate(answers)

    def _shared(self, work: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run one task per thread and return the results."""
        if self._hands is None:
            return [piece() for piece in work]
        return [future.result() for future in [self._hands.submit(piece) for piece in work]]

    def _end(self, games: np.ndarray, rng: np.random.Generator | None) -> None:
        """Tally finished games and assign seats for the next games. Without `rng`, the learner gets all seats."""
        owner, won = self.owner[games], self.engine.winners[games]
        self.finished += len(games)
        with_opponents = (owner != LEARNER).any(1) & won.any(1)
        if with_opponents.any():
            learner_seats = owner[with_opponents] == LEARNER
            self.pool.note(
                owner[with_opponents].max(1),
                learner_seats.sum(1),
                owner.shape[1],
                (won[with_opponents] & learner_seats).any(1),
            )
        self.owner[games] = LEARNER
        games = games[self.pooled[games]]
        if rng is not None and len(games) and self.pool.members:
            players = self.engine.num_players
            rank = rng.random((len(games), players)).argsort(axis=1)
            members = self.pool.draw(rng, len(games))[:, None]
            self.owner[games] = np.where(rank < max(1, players // 2), members, LEARNER)

    def state(self) -> dict[str, Any]:
        """Return the state of all games as bytes and arrays."""
        return {
            "games": self.engine.save(),
            "owner": self.owner.copy(),
            "finished": self.finished,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Restore a state returned by `state()`."""
        self.engine.load(state["games"])
        self.owner[:], self.finished = state["owner"], state["finished"]


def make_engine(scenario: ScenarioConfig, config: RolloutConfig, seed: int) -> BatchEngine:
    """Create the training engine, which resets finished games and plays forced moves automatically."""
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
