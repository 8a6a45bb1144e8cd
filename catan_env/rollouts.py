"""Convert batched rollouts to rewards, returns and advantages for each seat, on the seat's own clock.

Seats act one at a time, so a seat's rewards arrive while others act. Each reward is credited to the seat's most recent
decision, and the next value of a decision is the value at the seat's next decision. All functions process whole batches
and loop only over time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_env.engine.arguments import check_count, check_number
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.errors import CatanError, OptionError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

Critic = Callable[[np.ndarray], np.ndarray]
"""`critic(games)` returns the predicted value of each game for each seat, shape (n, players); see `seat_critic`."""


@dataclass(frozen=True)
class Returns:
    """Results for T decisions in each of N games. Arrays are float32; entries without a decision are meaningless.

    Attributes:
        advantages: (T, N) generalized advantage estimate of the decision, for the seat that acted.
        targets: (T, N) value target: prediction plus advantage.
        rewards: (T, N) reward of the seat that acted until its next decision, or until the end.
        seat_targets: (T, N, players) value target of every seat at every step, indexed by seat number.
    """

    advantages: np.ndarray
    targets: np.ndarray
    rewards: np.ndarray
    seat_targets: np.ndarray


@dataclass(frozen=True)
class Trajectories:
    """Decisions sorted by game, seat and time. Decision k is step `steps[k]` of game `games[k]`.

    Trajectory j consists of the decisions of one seat in one episode that are part of the rollout, at indices
    `starts[j]:starts[j + 1]`. `array[t.steps, t.games]` puts any (T, N, ...) array into this order.

    Attributes:
        steps, games, seats: (K,) int64, the step, game and seat of each decision.
        starts: (J + 1,) int64, index of the first decision of each trajectory; the last entry is K.
        terminated: (J,) bool, whether the trajectory's game was ended by its rules.
        truncated: (J,) bool, whether the game was truncated by a limit. If neither, the rollout ended before the game
            did.
    """

    steps: np.ndarray
    games: np.ndarray
    seats: np.ndarray
    starts: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1


class RolloutRecorder:
    """Records T steps of an engine's games, with or without `autoreset`.

    ```python
    recorder = RolloutRecorder(engine, 64, seat_critic(engine, value))
    for t in range(64):
        actions, values[t] = policy(engine.observe(), engine.action_mask)
        recorder.step(actions)
    returns = recorder.returns(values, discount=0.999, gae_lambda=0.95)
    ```

    If no seat acts in a game on some step, because the game is over or chance acts, that step is not a decision.

    Args:
        engine: the engine to step.
        steps: number of steps, T.
        critic: predicts the values of positions for all seats; see `Critic`. These values bootstrap truncated games and
            games that continue past the last step. Without a critic, they are 0 unless passed to `returns`.

    Attributes:
        engine, critic: as given.
        length: number of recorded steps; after T steps, the next one starts a new rollout.
        seats: (T, N) int64, the seat to act; negative if no seat acts.
        rewards: (T, N, players) float32, rewards of the step, by seat.
        terminated, truncated: (T, N) bool, whether the step ended the game by its rules or by a limit.
        final_values: (T, N, players) float32, values of truncated games, by seat; 0 elsewhere.

    Raises:
        OptionError: `steps` is not a positive integer.
    """

    def __init__(self, engine: BatchEngine, steps: int, critic: Critic | None = None):
        check_count("steps", steps)
        shape = int(steps), engine.num_games
        self.engine, self.critic, self.length = engine, critic, 0
        self.seats = np.full(shape, NO_SEAT_TO_ACT, np.int64)
        self.terminated, self.truncated = np.zeros((2, *shape), np.bool_)
        self.rewards, self.final_values = np.zeros((2, *shape, engine.num_players), np.float32)

    @property
    def decided(self) -> np.ndarray:
        """(T, N) bool: whether a seat made a decision on this step."""
        return self.seats >= 0

    @property
    def ended(self) -> np.ndarray:
        """(T, N) bool: whether the step ended the game, either by its rules or by a limit."""
        return self.terminated | self.truncated

    def step(self, actions: np.ndarray) -> None:
        """Step the engine and record the step. Arguments and errors are as for `BatchEngine.step`."""
        engine = self.engine
        t, seats = self.length % len(self.seats), engine.seat_to_act.copy()
        engine.step(actions)
        self.seats[t], self.rewards[t] = seats, engine.rewards
        ended = (seats != NO_SEAT_TO_ACT) & (engine.seat_to_act == NO_SEAT_TO_ACT)
        np.logical_and(ended, engine.truncated, out=self.truncated[t])
        np.logical_and(ended, engine.terminated, out=self.terminated[t])
        self.final_values[t] = 0.0
        if self.critic is not None and self.truncated[t].any():
            games = np.flatnonzero(self.truncated[t])
            self.final_values[t, games] = self._criticised(games)
        self.length = t + 1

    def _criticised(self, games: np.ndarray) -> np.ndarray:
        """Return the critic's values of the given games for all seats, shape (n, players)."""
        assert self.critic is not None
        values, shape = np.asarray(self.critic(games)), (len(games), self.engine.num_players)
        if values.shape != shape:
            raise OptionError(
                f"critic returned shape {values.shape}; it must return a value per game and seat, {shape}."
            )
        return values

    def last_values(self) -> np.ndarray:
        """Return the critic's values of the current positions, (N, players) float32; 0 for finished games."""
        values = np.zeros((self.engine.num_games, self.engine.num_players), np.float32)
        games = np.flatnonzero(self.engine.seat_to_act != NO_SEAT_TO_ACT)
        if self.critic is not None and games.size:
            values[games] = self._criticised(games)
        return values

    def returns(
        self,
        values: np.ndarray,
        discount: float = 1.0,
        gae_lambda: float = 0.95,
        last_values: np.ndarray | None = None,
        decided: np.ndarray | None = None,
    ) -> Returns:
        """Return rewards, advantages and value targets for the recorded steps; see `returns_of`.

        Args:
            values: (T, N) predicted value of each decision for the seat that acts, or (T, N, players) predicted values
                for all seats, by seat number.
            discount: discount per decision of a seat.
            gae_lambda: lambda of generalized advantage estimation.
            last_values: (N, players) predicted values after the last step; default: the critic's.
            decided: (T, N) bool, the decisions to include, such as the learner's; default: all.

        Raises:
            CatanError: fewer than T steps have been recorded.
            OptionError: a shape or a number is invalid.
        """
        if self.length < len(self.seats):
            raise CatanError(
                f"The rollout has {self.length} of {len(self.seats)} steps. Record all steps before you call `returns`."
            )
        return returns_of(
            self.seats,
            self.decided if decided is None else self.decided & decided,
            self.rewards,
            self.ended,
            values,
            self.last_values() if last_values is None else last_values,
            discount,
            gae_lambda,
            self.final_values,
        )

    def trajectories(self, decided: np.ndarray | None = None) -> Trajectories:
        """Return the decisions of each seat in each episode, in order; `decided` is as for `returns`."""
        counted = self.decided if decided is None else self.decided & decided
        ended = self.ended
        episodes = ended.cumsum(axis=0) - ended
        games, steps = np.nonzero(counted.T)
        seats, episodes = self.seats[steps, games], episodes[steps, games]
        order = np.lexsort((steps, episodes, seats, games))
        steps, games, seats, episodes = steps[order], games[order], seats[order], episodes[order]
        keys = np.stack([games, seats, episodes])
        firsts = np.flatnonzero((keys[:, 1:] != keys[:, :-1]).any(axis=0)) + 1 if len(steps) else np.zeros(0, np.int64)
        starts = np.concatenate([[0], firsts, [len(steps)]]) if len(steps) else np.zeros(1, np.int64)
        # Episode e of a game ends at the e-th step that ends the game.
        ending_games, ending_steps = np.nonzero(ended.T)
        offsets = np.concatenate([[0], ended.sum(axis=0).cumsum()])
        heads = starts[:-1]
        position = offsets[games[heads]] + episodes[heads]
        is_over = position < offsets[games[heads] + 1]
        last_steps = np.append(ending_steps, 0)[np.where(is_over, position, -1)]
        truncated = is_over & self.truncated[last_steps, games[heads]]
        return Trajectories(steps, games, seats, starts, is_over & ~truncated, truncated)


def seat_critic(
    engine: BatchEngine, value: Callable[[Any], Any], encoder: str = "flat", dtype: str = "float32"
) -> Critic:
    """Return a critic that wraps a function of observations.

    Args:
        engine: the engine whose positions are evaluated.
        value: takes observations of n games, as returned by `engine.observe`, and returns values, shape (n,), for the
            seats that see them.
        encoder, dtype: observation encoder and its dtype.
    """

    def critic(games: np.ndarray) -> np.ndarray:
        seats = range(engine.num_players)
        return np.stack(
            [np.asarray(value(engine.observe(encoder, seat, None, dtype, games))) for seat in seats], axis=1
        )

    return critic


def returns_of(  # noqa: PLR0913 (the arrays of a rollout)
    seats: np.ndarray,
    decided: np.ndarray,
    rewards: np.ndarray,
    over: np.ndarray,
    values: np.ndarray,
    last_values: np.ndarray,
    discount: float,
    gae_lambda: float,
    final_values: np.ndarray | None = None,
) -> Returns:
    """Compute generalized advantage estimates (Schulman et al., 2016) for all seats, backward through time.

    Args:
        seats: (T, N) the seat to act; negative if there is none.
        decided: (T, N) bool, the decisions to estimate; other steps only pass rewards on to earlier decisions.
        rewards: (T, N, players) rewards of each seat for the step.
        over: (T, N) bool, whether the step ended the game.
        values: (T, N, players) predicted values before the step, by seat, or (T, N) for the seat that acts.
        last_values: (N, players) predicted values after the last step; 0 for finished games.
        discount, gae_lambda: discount and lambda per decision of a seat.
        final_values: (T, N, players) predicted values after a step that truncated a game; default: 0.

    Raises:
        OptionError: a shape or a number is invalid.
    """
    check_number("discount", discount, 1.0)
    check_number("gae_lambda", gae_lambda, 1.0)
    steps, games, players = rewards.shape
    values = _checked_values(values, (steps, games, players))
    if last_values.shape != (games, players):
        raise OptionError(f"last_values has shape {last_values.shape}; it must be {(games, players)}.")
    pending = np.zeros((games, players), np.float32)  # rewards until the seat's next decision
    next_values = np.array(last_values, np.float32)  # predicted value at that decision
    surplus = np.zeros_like(pending)  # advantage of that decision
    advantages, own_rewards, targets = np.zeros((3, steps, games), np.float32)
    seat_targets = np.zeros((steps, games, players), np.float32)
    for t in range(steps - 1, -1, -1):
        running = ~over[t][:, None]
        pending, next_values, surplus = pending * running + rewards[t], next_values * running, surplus * running
        if final_values is not None:
            next_values += final_values[t]
        seat_targets[t] = pending + next_values + surplus
        own_games = np.flatnonzero(decided[t])
        seat = seats[t, own_games]
        before = values[t, own_games, seat] if values.ndim == 3 else values[t, own_games]
        advantage = pending[own_games, seat] + discount * next_values[own_games, seat] - before
        advantage += discount * gae_lambda * surplus[own_games, seat]
        advantages[t, own_games], own_rewards[t, own_games] = advantage, pending[own_games, seat]
        targets[t, own_games] = seat_targets[t, own_games, seat] = before + advantage
        pending[own_games, seat], next_values[own_games, seat], surplus[own_games, seat] = 0.0, before, advantage
    return Returns(advantages, targets, own_rewards, seat_targets)


def _checked_values(values: np.ndarray, shape: tuple[int, int, int]) -> np.ndarray:
    array = np.asarray(values)
    if array.shape not in (shape, shape[:2]):
        raise OptionError(
            f"values has shape {array.shape}; it must be {shape[:2]}, values of the seat that acts, or {shape}, of all "
            "seats."
        )
    return array
