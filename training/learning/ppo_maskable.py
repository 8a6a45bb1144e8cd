"""The training run: MaskablePPO over one batch of games, with a learning curve, a final evaluation and a report.

Proximal policy optimisation (Schulman et al., 2017) with illegal actions masked out (Huang and Ontanon, 2022), as
implemented in sb3-contrib. The learner plays one seat, which changes from episode to episode; agents play the others.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

# Threads of PyTorch that wait for others sleep. Spinning, the default, makes training crawl on a busy machine.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from agents import Agent, make_agent
from agents.learned import MaskablePPOAgent, describe, network_options, save_checkpoint
from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario
from training.comparing.evaluate import Evaluation, evaluate
from training.comparing.results import print_evaluations
from training.learning import report
from training.learning.config import TrainConfig, as_command
from training.learning.games import make_games
from training.machine import machine, versions
from training.tables import percent

PACKAGES = ("catan-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo")
CURVE_SEED, FINAL_SEED = 1_000_003, 2_000_003
"""Evaluations play other games than training, and the final one other games than the curve."""


class Budget:
    """How much of the training is done: of its time, which evaluations do not use up, or of its choices."""

    def __init__(self, minutes: float, steps: int):
        self.seconds, self.steps = 60 * minutes, steps
        self.taken = 0
        self._spent, self._since = 0.0, None

    def run(self) -> None:
        """The clock goes on."""
        self._since = time.perf_counter()

    def pause(self) -> None:
        """The clock stands still."""
        self._spent, self._since = self.elapsed, None

    @property
    def elapsed(self) -> float:
        """Seconds of training so far."""
        return self._spent + (time.perf_counter() - self._since if self._since is not None else 0.0)

    @property
    def done(self) -> float:
        """The part that is done, 0 to 1."""
        by_time = self.elapsed / self.seconds if self.seconds else 0.0
        by_steps = self.taken / self.steps if self.steps else 0.0
        return min(1.0, max(by_time, by_steps))


class Course(BaseCallback):
    """Follows a training run: ends it when its budget is spent, measures the learning curve, shows progress."""

    def __init__(self, settings: TrainConfig, budget: Budget, player: Agent, rivals: list[Agent], progress: Progress):
        super().__init__()
        self.settings, self.budget, self.player, self.rivals = settings, budget, player, rivals
        self.progress = progress
        self.curve: list[dict[str, Any]] = []
        self._points = [k / settings.curve_points for k in range(1, settings.curve_points)]
        self._task = progress.add_task("training", total=1.0, steps=0, rate=0)

    def _on_training_start(self) -> None:
        self.measure()
        self.budget.run()

    def _on_step(self) -> bool:
        self.budget.taken = self.num_timesteps
        self.show()
        return self.budget.done < 1.0

    def _on_rollout_end(self) -> None:
        if self._points and self.budget.done >= self._points[0]:
            while self._points and self.budget.done >= self._points[0]:
                self._points.pop(0)
            self.budget.pause()
            self.measure()
            self.budget.run()

    def _on_training_end(self) -> None:
        self.budget.pause()
        self.show()
        self.measure()

    def show(self) -> None:
        """Brings the progress bar up to date."""
        rate = self.num_timesteps / max(self.budget.elapsed, 1e-9)
        self.progress.update(self._task, completed=self.budget.done, steps=self.num_timesteps, rate=rate)

    def measure(self) -> None:
        """A point of the learning curve against each opponent."""
        rates = []
        for rival in self.rivals:
            result = judge(self.player, rival, self.settings, self.settings.curve_games, CURVE_SEED)
            self.curve.append({
                "steps": self.num_timesteps, "seconds": self.budget.elapsed, "opponent": rival.name,
                "wins": result.wins, "games": result.games, "mean_points": result.mean_points,
            })
            self.logger.record(f"evaluation/win_rate_against_{rival.name}", result.win_rate)
            self.logger.record(f"evaluation/points_against_{rival.name}", result.mean_points)
            rates.append(f"{percent(result.win_rate)} against {rival.name}")
        self.progress.console.print(
            f"{self.num_timesteps:>10,} choices, {self.budget.elapsed:4.0f} s: wins {', '.join(rates)}", highlight=False
        )


def judge(player: Agent, rival: Agent, settings: TrainConfig, games: int, seed: int) -> Evaluation:
    """The player against one rival on all other seats, under the rules of its training."""
    return evaluate(
        player, rival, settings.scenario, settings.num_players, games, settings.seed + seed, settings.rules
    )


def train(settings: TrainConfig, console: Console | None = None) -> Path:
    """Trains an agent and leaves a run folder: checkpoint, TensorBoard log, learning curve and report.

    Raises:
        CatanError: scenario, opponents, rules or another setting that do not exist or fit.
    """
    console = console or Console()
    settings = settings.updated({
        "name": settings.name or settings.scenario,
        "num_players": find_scenario(settings.scenario).check_players(settings.num_players or None),
    })
    torch.set_num_threads(settings.torch_threads)
    torch.distributions.Distribution.set_default_validate_args(False)
    games = make_games(settings)
    rivals = [make_agent(name) for name in settings.eval_opponents]
    run = new_folder(settings)
    budget = Budget(settings.minutes, settings.steps)
    model = make_model(settings, games, budget)
    model.set_logger(configure(str(run / "tensorboard"), ["tensorboard"]))
    engine = BatchEngine(settings.scenario, 1, settings.num_players, rules=settings.rules)
    encoder = engine.encoder(settings.encoder, settings.dtype)
    description = describe(engine, encoder, settings.hidden, settings.activation)
    player = MaskablePPOAgent(model.policy, description, settings.deterministic, name=settings.name)
    columns = (
        SpinnerColumn(), BarColumn(), TextColumn("{task.percentage:3.0f}%"), TimeElapsedColumn(),
        TextColumn("{task.fields[steps]:,} choices, {task.fields[rate]:,.0f} a second"),
    )
    with Progress(*columns, console=console) as progress:
        course = Course(settings, budget, player, rivals, progress)
        try:
            model.learn(settings.steps or 2**62, callback=course)
        finally:
            games.close()
    trained = {"steps": model.num_timesteps, "minutes": budget.elapsed / 60, "settings": settings.to_dict()}
    save_checkpoint(run / "checkpoint", model.policy, description, trained)
    player = MaskablePPOAgent.load(run, settings.deterministic, name=settings.name)  # what was saved is what is judged
    console.print("Final evaluation ...")
    results = [judge(player, rival, settings, settings.final_games, FINAL_SEED) for rival in rivals]
    write_report(run, settings, course.curve, results, model.num_timesteps, budget.elapsed)
    print_evaluations(results)
    console.print(f"In {run}/: report.md, report.json, learning_curve.png, checkpoint/, tensorboard/", soft_wrap=True)
    return run


def make_model(settings: TrainConfig, games: Any, budget: Budget) -> MaskablePPO:
    """The learner. Its learning rate falls with the budget, whichever limit that has."""

    def learning_rate(_: float) -> float:
        return settings.learning_rate * (1.0 - budget.done if settings.anneal else 1.0)

    return MaskablePPO(
        "MlpPolicy",
        games,
        learning_rate=learning_rate,
        n_steps=settings.rollout_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.discount,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip_range,
        ent_coef=settings.entropy_weight,
        vf_coef=settings.value_weight,
        max_grad_norm=settings.max_grad_norm,
        policy_kwargs=network_options(settings.hidden, settings.activation),
        seed=settings.seed,
        device="cpu",
    )


def new_folder(settings: TrainConfig) -> Path:
    """A folder for the run that did not exist before."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for suffix in ("", *(f"-{k}" for k in range(2, 100))):
        folder = Path(settings.out) / f"{settings.name}-{stamp}{suffix}"
        if not folder.exists():
            folder.mkdir(parents=True)
            return folder
    raise FileExistsError(f"{folder} and all before it exist.")


def write_report(
    run: Path, settings: TrainConfig, curve: list[dict[str, Any]], results: list[Evaluation], steps: int, seconds: float
) -> Mapping[str, Any]:
    """Writes learning_curve.png, report.json and report.md; returns what report.json holds."""
    summary = {
        "run": run.as_posix(),
        "command": as_command(settings),
        "steps": steps,
        "minutes": seconds / 60,
        "steps_per_second": steps / max(seconds, 1e-9),
        "results": [result.to_dict() for result in results],
        "learning_curve": curve,
        "settings": settings.to_dict(),
        "versions": versions(*PACKAGES),
        "machine": machine(),
    }
    title = f"MaskablePPO on {settings.scenario}, {settings.num_players} players"
    report.draw_learning_curve(curve, settings.num_players, title, run / "learning_curve.png")
    (run / "report.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    (run / "report.md").write_text(report.training_report(summary, results), encoding="utf-8")
    return summary
