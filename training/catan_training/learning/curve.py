"""The learning curve of a training run: evaluations before, during and at the end of training."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from torch.utils.tensorboard import SummaryWriter

from catan_agents import Agent, make_agent
from catan_agents.learned import LearnedAgent
from catan_env.engine.compiler.progress import WAITED
from catan_training.evaluation.matches import Evaluation, evaluate
from catan_training.learning.budget import Budget
from catan_training.learning.config import TrainConfig
from catan_training.learning.training_report import among
from catan_training.tables import percent

CURVE_SEED, FINAL_SEED, TRIAL_SEED = 1_000_003, 2_000_003, 3_000_017
"""Seed offsets for the learning curve, the final evaluation and the trials of `choice`. With these offsets, none of
them repeats games from training or from one another.
"""


def evaluate_against(
    player: Agent, rivals: Sequence[Agent], config: TrainConfig, games: int, seed: int
) -> Iterator[Evaluation]:
    """Yield evaluations of the player against each rival, which takes all other seats, under the training rules.

    Scenarios for one player have no rivals, and yield one evaluation.
    """
    for rival in rivals if config.num_players > 1 else [player]:
        yield evaluate(player, rival, config.scenario, config.num_players, games, seed, config.rules)


class LearningCurve:
    """The points of the learning curve, and how the agent acts in them.

    Args:
        config: resolved settings.
        player: the agent that learns.

    Attributes:
        rivals: opponents of the evaluations.
        points: one per evaluation.
        measured: index of the last point that was due, or -1 if there is none.
        seconds: time spent on evaluations, excluding compilation.
    """

    def __init__(self, config: TrainConfig, player: LearnedAgent):
        self.config, self.player = config, player
        self.rivals = [make_agent(name) for name in config.eval_opponents]
        self.points: list[dict[str, Any]] = []
        self.measured, self.seconds = -1, 0.0

    def is_due(self, done: float) -> bool:
        """Return whether the next point is due and, if so, mark it as measured.

        The curve has one point before training and `curve_points` during it, the last of them at the end.
        """
        curve_points = self.config.curve_points
        point = int(curve_points * done) if done < 1.0 else max(curve_points, 1)
        if point <= self.measured:
            return False
        self.measured = point
        return True

    def is_worthwhile(self, budget: Budget) -> bool:
        """Return whether to measure a point that is due.

        Short runs skip some intermediate points so that evaluation takes no longer than training. Runs limited by
        decisions measure every point, so that they are reproducible.
        """
        return bool(budget.steps) or not self.points or budget.done >= 1.0 or self.seconds <= budget.elapsed

    def measure(self, budget: Budget, log: SummaryWriter, console: Console) -> None:
        """Add a point for each opponent."""
        start = time.perf_counter() - WAITED.wall
        if self.config.choice == "tried":
            self.try_choices()
        result_texts = []
        for result in self._evaluations(self.rivals, CURVE_SEED):
            opponent = next(iter(result.opponents), "")
            self.points.append(
                {
                    "steps": budget.taken,
                    "seconds": budget.elapsed,
                    "opponent": opponent,
                    "wins": result.wins,
                    "games": result.games,
                    "mean_points": result.mean_points,
                    "scenario": result.scenario,
                    "players": result.num_players,
                }
            )
            opponents_text = among(opponent)
            key = opponents_text.replace(" ", "_")
            log.add_scalar(f"evaluation/win_rate_{key}", result.win_rate, budget.taken)
            log.add_scalar(f"evaluation/points_{key}", result.mean_points, budget.taken)
            result_text = f"wins {percent(result.win_rate)}" if opponent else f"{result.mean_points:.1f} points"
            result_texts.append(f"{result_text} {opponents_text}")
        console.print(
            f"{budget.taken:>10,} decisions, {budget.elapsed:4.0f} s: {', '.join(result_texts)}", highlight=False
        )
        self.seconds += time.perf_counter() - WAITED.wall - start

    def try_choices(self) -> None:
        """Try both taking the most probable action and sampling, and keep whichever wins more often."""
        self.choose(max((True, False), key=self._trial))

    def choose(self, deterministic: bool) -> None:
        """Set whether the player takes the most probable action or samples one."""
        self.player.deterministic = self.player.description["deterministic"] = deterministic

    def _trial(self, deterministic: bool) -> tuple[float, float]:
        """Return win rate and mean points of one way of selecting actions, against the last opponent."""
        self.choose(deterministic)
        (result,) = self._evaluations(self.rivals[-1:], TRIAL_SEED)
        return result.win_rate, result.mean_points

    def _evaluations(self, rivals: Sequence[Agent], seed_offset: int) -> Iterator[Evaluation]:
        config = self.config
        return evaluate_against(self.player, rivals, config, config.curve_games, config.seed + seed_offset)
