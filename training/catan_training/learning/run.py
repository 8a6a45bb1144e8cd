"""Training runs, including the budget, learning curve, checkpoints, final evaluation and report."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from catan_agents import Agent, make_agent
from catan_agents.learned import CheckpointError, LearnedAgent, games_of, save_checkpoint
from catan_env.engine.compiler.progress import WAITED
from catan_env.outside import importing
from catan_env.text_files import check_keys, json_of
from catan_env.whole_files import naming, write_whole
from catan_training.evaluation.matches import Evaluation, evaluate
from catan_training.evaluation.results import print_evaluations
from catan_training.learning import devices, training_report
from catan_training.learning.checkpoints import load_state, save_state
from catan_training.learning.config import TrainConfig, as_command
from catan_training.learning.ppo import Learner
from catan_training.learning.processes import Processes, started
from catan_training.learning.resolved import BudgetConfig, ResolvedConfig, ScenarioConfig, resolve
from catan_training.machine import machine, versions
from catan_training.tables import percent

STATE_KEYS: dict[str, Any] = {
    "settings": str,
    "layouts": dict,
    "learner": dict,
    "spent": (int, float),
    "curve": list,
    "measured": int,
    "processes": int,
    "deterministic": bool,
}
"""Keys of the saved state and their types."""
PACKAGES = ("catan-env", "numpy", "numba", "torch", "safetensors", "gymnasium", "pettingzoo")
CURVE_SEED, FINAL_SEED, TRIAL_SEED = 1_000_003, 2_000_003, 3_000_017
"""Seed offsets for the learning curve, the final evaluation and the trials of `choice`. With these offsets, none of
them repeats games from training or from one another.
"""


class Budget:
    """The training budget, given as a duration or a number of decisions. Evaluation and compilation time are excluded.

    When the clock is paused, all processes adopt the time of the first process so that they act consistently.
    """

    def __init__(self, config: BudgetConfig, processes: Processes):
        self.processes = processes
        self.seconds, self.steps = 60 * config.minutes, config.steps
        threads = config.torch_threads if config.clock == "processor" else 1
        if config.clock == "processor":
            self._now = lambda: (time.process_time() - WAITED.processor) / threads
        else:
            self._now = lambda: time.perf_counter() - WAITED.wall
        self.taken = 0
        self.spent = 0.0
        self._since: float | None = None

    def run(self) -> None:
        """Start or resume the clock."""
        self._since = self._now()

    def pause(self) -> None:
        """Pause the clock."""
        self.spent, self._since = self.processes.broadcast(self.elapsed), None

    @property
    def elapsed(self) -> float:
        """Elapsed training time, in seconds."""
        return self.spent + (self._now() - self._since if self._since is not None else 0.0)

    @property
    def done(self) -> float:
        """Fraction of the budget used so far, from 0 to 1."""
        by_time = self.elapsed / self.seconds if self.seconds else 0.0
        by_steps = self.taken / self.steps if self.steps else 0.0
        return min(1.0, max(by_time, by_steps))


class TrainingRun:
    """A training run, either new or resumed.

    Args:
        config: resolved settings.
        folder: the run folder.
        console: where the first process prints its progress; other processes print nothing.
        processes: the group of processes that train together.
    """

    def __init__(self, config: ResolvedConfig, folder: Path, console: Console, processes: Processes):
        self.config, self.folder, self.processes = config, folder, processes
        self.console = console if processes.first else Console(quiet=True)
        torch.set_num_threads(config.budget.torch_threads)
        self.scenarios = config.scenarios
        self.rivals = [make_agent(name) for name in config.evaluation.eval_opponents]
        self.learner, self.budget = Learner(config, processes), Budget(config.budget, processes)
        self.curve: list[dict[str, Any]] = []
        self.measured = -1
        """Index of the last curve point measured, or -1 if there is none."""
        self.evaluating = 0.0
        """Time spent on evaluations, in seconds, excluding compilation."""

    def resume(self, state: Mapping[str, Any]) -> None:
        """Restore a saved state."""
        self.learner.load(state["learner"])
        self.budget.spent, self.budget.taken = state["spent"], self.learner.choices
        self.curve, self.measured = state["curve"], state["measured"]
        self._choose(state["deterministic"])

    def run(self) -> None:
        """Train until the budget is used up."""
        columns = (
            SpinnerColumn(),
            BarColumn(),
            TextColumn("{task.percentage:3.0f}%"),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[steps]:,} decisions, {task.fields[rate]:,.0f} per second"),
        )
        learner, budget = self.learner, self.budget
        log_folder, steps_before = str(self.folder / "tensorboard"), budget.taken
        log = SummaryWriter(log_folder, purge_step=steps_before or None) if self.processes.first else None
        saved = budget.elapsed
        with writing_to(log_folder), log or nullcontext(), Progress(*columns, console=self.console) as progress:
            task = progress.add_task("training", total=1.0, steps=budget.taken, rate=0)
            progress.update(task, completed=budget.done)
            while True:
                if self._due():
                    if log and self._worthwhile():
                        self._measure(log)
                    self.save()
                if budget.done >= 1.0:
                    return
                budget.run()
                figures = learner.update(budget.done)
                budget.pause()
                budget.taken = learner.choices
                if budget.elapsed - saved >= 60 * self.config.budget.checkpoint_minutes:
                    self.save()
                    saved = budget.elapsed
                if log:
                    self._log(log, figures)
                rate = budget.taken / max(budget.elapsed, 1e-9)
                progress.update(task, completed=budget.done, steps=budget.taken, rate=rate)

    def _due(self) -> bool:
        """Return whether the next curve point is due and, if so, mark it as measured.

        The curve has one point before training and `curve_points` during it, the last of them at the end.
        """
        point = (
            int(self.config.evaluation.curve_points * self.budget.done)
            if self.budget.done < 1.0
            else max(self.config.evaluation.curve_points, 1)
        )
        if point <= self.measured:
            return False
        self.measured = point
        return True

    def _worthwhile(self) -> bool:
        """Return whether to measure a curve point that is due.

        Short runs skip some intermediate points so that evaluation takes no longer than training. Runs limited by
        decisions measure every point, so that they are reproducible.
        """
        budget = self.budget
        return bool(budget.steps) or not self.curve or budget.done >= 1.0 or self.evaluating <= budget.elapsed

    def _log(self, log: SummaryWriter, figures: Mapping[str, float]) -> None:
        steps, learner = self.budget.taken, self.learner
        for name, figure in figures.items():
            log.add_scalar(f"learning/{name}", figure, steps)
        for part, share in learner.watch.shares().items():
            log.add_scalar(f"time/{part}", share, steps)
        for scenario, games in zip(self.scenarios, learner.games, strict=True):
            for member in games.pool.members:
                log.add_scalar(f"{self._place('pool', scenario)}/{member.agent.name}", member.rating, steps)
        log.add_scalar("time/choices_per_second", steps / max(self.budget.elapsed, 1e-9), steps)

    def _place(self, title: str, scenario: ScenarioConfig) -> str:
        """Return the log prefix for a scenario's metrics. It includes the scenario only if there are several."""
        return f"{title}/{scenario.title}" if len(self.scenarios) > 1 else title

    def _measure(self, log: SummaryWriter) -> None:
        """Add a point to the learning curve for each combination of scenario and opponent."""
        start = time.perf_counter() - WAITED.wall
        self._add_point(log)
        self.evaluating += time.perf_counter() - WAITED.wall - start

    def _add_point(self, log: SummaryWriter) -> None:
        budget, games, seed = self.budget, self.config.evaluation.curve_games, self.config.seed + CURVE_SEED
        if self.config.evaluation.choice == "tried":
            self.try_choices()
        for scenario in self.scenarios:
            result_texts, log_prefix = [], self._place("evaluation", scenario)
            for result in evaluate_against(self.learner.player, self.rivals, scenario, games, seed):
                opponent = next(iter(result.opponents), "")
                self.curve.append(
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
                opponents_text = training_report.among(opponent)
                log.add_scalar(
                    f"{log_prefix}/win_rate_{opponents_text.replace(' ', '_')}", result.win_rate, budget.taken
                )
                log.add_scalar(
                    f"{log_prefix}/points_{opponents_text.replace(' ', '_')}", result.mean_points, budget.taken
                )
                result_text = f"wins {percent(result.win_rate)}" if opponent else f"{result.mean_points:.1f} points"
                result_texts.append(f"{result_text} {opponents_text}")
            scenario_text = f" in {scenario.title}" if len(self.scenarios) > 1 else ""
            self.console.print(
                f"{budget.taken:>10,} decisions, {budget.elapsed:4.0f} s: {', '.join(result_texts)}{scenario_text}",
                highlight=False,
            )

    def try_choices(self) -> None:
        """Try both taking the most probable action and sampling, and keep whichever wins more often."""
        self._choose(max((True, False), key=self._trial))

    def _trial(self, deterministic: bool) -> tuple[float, float]:
        """Evaluate one way of selecting actions against the last opponent in all scenarios.

        Returns:
            Win rate and mean points, both summed over all scenarios.
        """
        self._choose(deterministic)
        games, seed = self.config.evaluation.curve_games, self.config.seed + TRIAL_SEED
        evaluations = [
            result
            for scenario in self.scenarios
            for result in evaluate_against(self.learner.player, self.rivals[-1:], scenario, games, seed)
        ]
        return sum(result.win_rate for result in evaluations), sum(result.mean_points for result in evaluations)

    def _choose(self, deterministic: bool) -> None:
        """Set whether the player takes the most probable action or samples one."""
        player = self.learner.player
        player.deterministic = player.description["deterministic"] = deterministic

    def save(self) -> None:
        """Save the run's state and a checkpoint of the agent."""
        learner_state = self.learner.state()
        if not self.processes.first:
            return
        settings = self.config.settings.to_dict()
        save_state(
            self.folder,
            {
                "settings": json.dumps(settings),
                "layouts": layouts(self.learner.player.description),
                "learner": learner_state,
                "spent": self.budget.spent,
                "curve": self.curve,
                "measured": self.measured,
                "processes": self.processes.size,
                "deterministic": self.learner.player.deterministic,
            },
        )
        training_facts = {"steps": self.budget.taken, "minutes": self.budget.elapsed / 60, "settings": settings}
        save_checkpoint(
            self.folder / "checkpoint", self.learner.network, self.learner.player.description, training_facts
        )


@contextmanager
def writing_to(log_folder: str) -> Iterator[None]:
    """Include the TensorBoard log's path in write errors, and suppress the traceback from its writer thread."""
    show = threading.excepthook
    threading.excepthook = lambda failure: None if isinstance(failure.exc_value, OSError) else show(failure)
    try:
        with naming(log_folder):
            yield
    finally:
        threading.excepthook = show


def layouts(description: Mapping[str, Any]) -> dict[str, str]:
    """Return the layout hashes that must be unchanged when a run resumes, keyed by description."""
    return {
        f"{kind} layout of {game['scenario']}, {game['num_players']} players": game[f"{kind}_layout"]
        for game in games_of(description)
        for kind in ("action", "observation")
    }


def evaluate_against(
    player: Agent, rivals: Iterable[Agent], scenario: ScenarioConfig, games: int, seed: int
) -> Iterator[Evaluation]:
    """Yield evaluations of the player against each rival, which takes all other seats, under the training rules.

    In a single-player scenario, the player plays alone.
    """
    for rival in rivals if scenario.num_players > 1 else [player]:
        yield evaluate(player, rival, scenario.scenario, scenario.num_players, games, seed, scenario.rules)


def train(settings: TrainConfig, console: Console | None = None) -> Path:
    """Train an agent and write a run folder with checkpoint, TensorBoard log, learning curve and report.

    Under `torchrun`, all processes train together; see `catan_training.learning.processes`.

    Returns:
        The run folder, in every process.

    Raises:
        CatanError: a scenario, opponent, rule or other setting is invalid.
    """
    console = console or Console()
    config, processes = resolve(settings), started()
    training_run = TrainingRun(config, Path(settings.out), console, processes)
    training_run.learner.begin()
    training_run.folder = processes.broadcast(new_folder(config.settings) if processes.first else None)
    return finish(training_run)


def resume(folder: str | Path, console: Console | None = None) -> Path:
    """Resume a stopped run from its last checkpoint, using its original settings. Otherwise the same as `train`.

    Raises:
        CheckpointError: the run is missing or corrupt, the number of processes differs, or a layout has changed.
    """
    processes = started()
    state = processes.broadcast(load_state(Path(folder)) if processes.first else None)
    check_keys(state, str(folder), CheckpointError, **STATE_KEYS)
    if state["processes"] != processes.size:
        raise CheckpointError(
            f"The run in {str(folder)!r} used {state['processes']} process(es) and cannot resume with "
            f"{processes.size}. Set --nproc-per-node of torchrun to the same number."
        )
    config = resolve(TrainConfig().updated(json_of(state["settings"], str(folder), "training run", CheckpointError)))
    with importing(allowed=False):  # never run code named in the folder; --import loads its encoder and reward
        training_run = TrainingRun(config, Path(folder), console or Console(), processes)
    for name, layout in layouts(training_run.learner.player.description).items():
        if state["layouts"].get(name) != layout:
            raise CheckpointError(f"The run in {str(folder)!r} cannot resume: its {name} has changed. Start a new run.")
    training_run.resume(state)
    return finish(training_run)


def finish(training_run: TrainingRun) -> Path:
    """Train to completion, evaluate the agent and write the report."""
    config, console, run = training_run.config, training_run.console, training_run.folder
    training_run.run()
    if not training_run.processes.first:
        return run
    player = LearnedAgent.load(run, name=config.settings.name)  # evaluates the saved agent
    console.print(
        f"Trained for {training_run.budget.elapsed:.0f} s; in addition, the compiler took {WAITED.wall:.0f} s and the "
        f"learning curve {training_run.evaluating:.0f} s. Final evaluation: "
        f"{config.evaluation.final_games:,} games per opponent ...",
        soft_wrap=True,
    )
    results = [
        result
        for scenario in training_run.scenarios
        for result in evaluate_against(
            player, training_run.rivals, scenario, config.evaluation.final_games, config.seed + FINAL_SEED
        )
    ]
    write_report(run, training_run, results)
    print_evaluations(results)
    console.print(f"In {run}/: report.md, report.json, learning_curve.png, checkpoint/, tensorboard/", soft_wrap=True)
    return run


def new_folder(settings: TrainConfig) -> Path:
    """Create the folder `<out>/<name>-<date>-<time>`, adding a numeric suffix if it already exists."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for suffix in ("", *(f"-{k}" for k in range(2, 100))):
        folder = Path(settings.out) / f"{settings.name}-{stamp}{suffix}"
        if not folder.exists():
            folder.mkdir(parents=True)
            return folder
    raise FileExistsError(f"{folder} exists, and so do all names before it. Choose another name.")


def write_report(run: Path, training_run: TrainingRun, results: list[Evaluation]) -> None:
    """Write learning_curve.png, report.json and report.md."""
    settings, steps, seconds = training_run.config.settings, training_run.budget.taken, training_run.budget.elapsed
    summary = {
        "run": run.as_posix(),
        "command": training_run.processes.command(as_command(settings)),
        "steps": steps,
        "minutes": seconds / 60,
        "steps_per_second": steps / max(seconds, 1e-9),
        "deterministic": training_run.learner.player.deterministic,
        "results": [result.to_dict() for result in results],
        "learning_curve": training_run.curve,
        "settings": settings.to_dict(),
        "versions": versions(*PACKAGES),
        "machine": machine()
        | {"learns on": devices.title_of(training_run.learner.device), "processes": training_run.processes.size},
    }
    training_report.draw_learning_curve(training_run.curve, run / "learning_curve.png")
    write_whole(run / "report.json", json.dumps(summary, indent=2) + "\n")
    write_whole(run / "report.md", training_report.training_report(summary, results))
