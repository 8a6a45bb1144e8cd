"""PPO and imitation in one file: games, network, rollout, advantages, loss, update, training loop, top to bottom.

An update plays `rollout_steps` decisions in every game and takes gradient steps on them. During imitation, the policy
is fitted to the teacher's actions with a cross-entropy loss, and the values are fitted to the returns. PPO (Schulman et
al., 2017) then trains both, with illegal actions masked out (Huang and Ontanon, 2022).

All randomness in an update is determined by the seed and the update number, so a resumed run continues exactly as if it
had not been interrupted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from catan_agents.learned import CheckpointError, LearnedAgent, describe, save_checkpoint
from catan_agents.networks import as_tensors, network_for, parts_of
from catan_agents.seats import from_seats, to_seats
from catan_env.encoders import compact_dtype
from catan_env.engine.batch import BatchEngine
from catan_env.engine.compiler.progress import WAITED
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.outside import importing
from catan_env.rollouts import RolloutRecorder
from catan_env.text_files import check_keys, json_of
from catan_training.evaluation.results import print_evaluations
from catan_training.learning.budget import Budget
from catan_training.learning.checkpoints import layouts, load_state, new_folder, save_state, weights_of, writing_to
from catan_training.learning.config import TrainConfig, resolve
from catan_training.learning.curve import FINAL_SEED, LearningCurve, evaluate_against
from catan_training.learning.devices import compiles, device_of, fetched, multiplies_bfloat16, pinned_zeros, title_of
from catan_training.learning.pool import LEARNER, Pool
from catan_training.learning.stopwatch import Stopwatch
from catan_training.learning.threads import Lookahead, Teacher, Threads
from catan_training.learning.training_report import write_report

MASKED = -1e9
"""Logit for illegal actions. It is finite so that entropy and cross-entropy never compute 0 times infinity."""
STATE_KEYS: dict[str, Any] = {
    "settings": str,
    "layouts": dict,
    "learner": dict,
    "spent": (int, float),
    "curve": list,
    "measured": int,
    "deterministic": bool,
}
"""Keys of the saved state and their types."""


@dataclass
class Rollout:
    """T steps of N games. The arrays are overwritten by the next rollout.

    Attributes:
        observations: dict of parts, each of shape (T, N, ...), as seen by the seat to act.
        masks: (T, N, actions) bool, the legal actions.
        actions: (T, N) int64 actions taken.
        labels: (T, N) int64 teacher actions; meaningful only where the learner trains on a step of imitation.
        action_values: (T, N, actions) float32 teacher action values, in victory points; (T, N, 0) if unused.
        log_probs: (T, N) float32 log-probabilities of the learner's sampled actions.
        learn: (T, N) bool, whether the learner trains on this step.
        values: (T, N, players) float32 predicted values, starting with the seat to act.
        advantages: (T, N) float32.
        targets: (T, N, players) float32 targets for `values`.
        lookahead: for each step, the lookahead features of all legal actions in all games, shape (legal actions,
            columns). Empty if the setting is off.
    """

    observations: dict[str, np.ndarray]
    masks: np.ndarray
    actions: np.ndarray
    labels: np.ndarray
    action_values: np.ndarray
    log_probs: np.ndarray
    learn: np.ndarray
    values: np.ndarray
    advantages: np.ndarray
    targets: np.ndarray
    lookahead: list[np.ndarray] = field(default_factory=list)


class Learner:
    """The games, the network and the optimizer.

    Args:
        config: resolved settings.

    Raises:
        CatanError: a scenario, opponent, rule, encoder or other setting is invalid.
    """

    def __init__(self, config: TrainConfig):
        torch.manual_seed(config.seed)
        self.config, self.watch = config, Stopwatch()
        self.updates = self.choices = 0
        self.imitation_fraction = config.imitation_fraction if config.teacher else 0.0

        # games, with everyone who plays in them
        self.engine = BatchEngine(
            config.scenario,
            config.num_games,
            config.num_players,
            config.seed,
            rules=config.rules,
            reward=config.reward,
            shaping=config.shaping,
            discount=config.discount,
            threads=config.env_threads,
            forced_moves="play",
            autoreset=True,
        )
        self.encoder = self.engine.encoder(config.encoder, compact_dtype(config.encoder))
        threads = Threads(config.torch_threads)
        self.teacher = Teacher(config.teacher, config.teacher_inverse_temperature, threads)
        self.lookahead = Lookahead(self.engine, threads) if config.lookahead_features else None
        opponents = config.opponents if config.pool_share else ()
        self.pool = Pool(opponents, config.pool_size, config.num_games, self.engine.num_players, config.pool_share)

        # network and optimizer
        self.device = device_of(config.device)
        network, network_description = network_for(
            self.engine,
            self.encoder,
            config.hidden,
            config.activation,
            lookahead=self.lookahead and self.lookahead.features[0],
        )
        self.network = network.to(self.device)
        compiled = config.compiled and compiles(self.device)
        self.forward: Any = torch.compile(self.network) if compiled else self.network
        description = describe(self.engine, self.encoder, network_description, config.choice != "sampled")
        self.player = LearnedAgent(self.network, description, name="learner")
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5)
        self.generator = torch.Generator(self.device)
        self.bfloat16 = config.precision == "bfloat16" or (
            config.precision == "auto" and multiplies_bfloat16(self.device)
        )

        self.recorder = RolloutRecorder(self.engine, config.rollout_steps, self.predict)
        self.rollout = self._storage()

    def _storage(self) -> Rollout:
        """Return the arrays for rollouts, in pinned memory if the device is a GPU."""
        shape = steps, games = self.config.rollout_steps, self.engine.num_games
        observation, actions = parts_of(self.encoder.encode()), self.engine.actions.n
        if self.lookahead:
            observation["now"] = np.zeros((games, self.lookahead.columns), np.float32)

        def zeros(dtype: type | np.dtype, *sizes: int) -> np.ndarray:
            return pinned_zeros((*shape, *sizes), dtype, self.device)

        return Rollout(
            observations={part: zeros(array.dtype, *array.shape[1:]) for part, array in observation.items()},
            masks=zeros(bool, actions),
            actions=zeros(np.int64),
            labels=zeros(np.int64),
            action_values=zeros(np.float32, actions if self.teacher.values_actions else 0),
            log_probs=zeros(np.float32),
            learn=np.zeros(shape, bool),
            values=np.zeros((steps, games, self.engine.num_players), np.float32),
            advantages=np.zeros(shape, np.float32),
            targets=np.zeros((steps, games, self.engine.num_players), np.float32),
        )

    # -- policy ----------------------------------------------------------------------------------------------

    def precision(self) -> AbstractContextManager:
        """Return the autocast context for forward passes."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)

    def choose(self, seen: dict[str, np.ndarray], legal: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sample actions from the policy.

        Args:
            seen: the parts of the observation, each of shape (n, ...).
            legal: (n, actions) bool.

        Returns:
            Actions, shape (n,), int64; their log-probabilities, shape (n,), float32; and values, shape (n, players),
            float32, starting with the observing seat.
        """
        with torch.inference_mode(), self.precision():
            tensors = as_tensors({**seen, "legal": legal}, self.device)
            logits, values, _ = self.forward(tensors)
            log_probs = masked(logits.float(), tensors["legal"]).log_softmax(1)
            exponentials = torch.empty_like(log_probs).exponential_(generator=self.generator)
            actions = (log_probs.exp() / exponentials).argmax(1, keepdim=True)
            chosen_log_probs = log_probs.gather(1, actions)[:, 0]
            return actions[:, 0].cpu().numpy(), chosen_log_probs.cpu().numpy(), values.float().cpu().numpy()

    def predict(self, games: np.ndarray) -> np.ndarray:
        """Return each seat's predicted value in each of `games`, shape (n, players). Games may be over."""
        seats = np.full(self.engine.num_games, NO_SEAT_TO_ACT)
        seats[games] = np.maximum(self.engine.seat_to_act[games], 0)
        seen, mask = parts_of(self.encoder.encode(seats)), self.engine.action_mask.copy()
        if self.lookahead:
            now = np.zeros_like(self.rollout.observations["now"][0])
            seen |= {"now": now, "lookahead": self.lookahead.encode(now)}
        return to_seats(self.choose(seen, mask)[2], seats)[games]

    # -- rollout ---------------------------------------------------------------------------------------------

    def collect(self, seed: int, imitating: bool) -> Rollout:
        """Play `rollout_steps` decisions in every game and compute their advantages.

        Args:
            seed: seed for all agents and for the choice of opponents.
            imitating: whether to label decisions with the teacher's actions and have the teacher play its share of the
                games. Games that start during imitation have no opponents from the pool.
        """
        config, engine, rollout, recorder, watch = self.config, self.engine, self.rollout, self.recorder, self.watch
        rng = np.random.default_rng(seed)
        for player in (self.pool, self.teacher, self.lookahead):
            if player:
                player.reset(seed)
        rollout.lookahead, recorder.length = [], 0
        led_by_teacher = np.arange(engine.num_games) < imitating * config.teacher_games * engine.num_games

        for t in range(config.rollout_steps):
            with watch("engine"):
                seats, mask = engine.seat_to_act.copy(), rollout.masks[t]
                mask[:] = engine.action_mask
                seen = {part: array[t] for part, array in rollout.observations.items()}
                self.encoder.encode(out=seen.get("row", {part: seen[part] for part in seen if part != "now"}))
            if self.lookahead:
                with watch("lookahead"):
                    seen["lookahead"] = self.lookahead.encode(seen["now"])
                rollout.lookahead.append(seen["lookahead"])
            with watch("network"):
                actions, rollout.log_probs[t], rollout.values[t] = self.choose(seen, mask)
            owners = self.pool.owners_of(seats)
            rollout.learn[t] = (seats >= 0) & (owners == LEARNER)
            with watch("others"):
                if imitating:
                    own_games = np.flatnonzero(rollout.learn[t])
                    self.teacher.label(engine, own_games, rollout.labels[t], rollout.action_values[t])
                    actions = np.where(led_by_teacher & rollout.learn[t], rollout.labels[t], actions)
                self.pool.act(engine, owners, actions)
            with watch("engine"):
                rollout.actions[t] = actions
                recorder.step(actions)
                over = np.flatnonzero(recorder.terminated[t] | recorder.truncated[t])
                if over.size:
                    self.pool.change_seats(over, engine.winners[over], None if imitating else rng)

        with watch("network"):
            last_values = recorder.last_values()
        with watch("data"):
            returns = recorder.returns(
                to_seats(rollout.values, recorder.seats), config.discount, config.gae_lambda, last_values, rollout.learn
            )
            rollout.advantages = returns.advantages
            rollout.targets = from_seats(returns.seat_targets, recorder.seats)
        return rollout

    # -- update ----------------------------------------------------------------------------------------------

    def update(self, done: float) -> dict[str, float]:
        """Collect a rollout and train on it.

        Args:
            done: fraction of training completed so far, from 0 to 1; drives the schedules.

        Returns:
            The update's metrics, keyed by name.
        """
        config, imitation_fraction = self.config, self.imitation_fraction
        seed = int(np.random.SeedSequence([config.seed, self.updates]).generate_state(1, np.uint64)[0] >> 2)
        self.generator.manual_seed(seed)
        imitating = done < imitation_fraction
        if imitating:
            progress, rates = done / imitation_fraction, (config.teacher_rate, config.teacher_rate_end)
        else:
            progress = (done - imitation_fraction) / max(1.0 - imitation_fraction, 1e-9)
            rates = config.learning_rate, config.learning_rate_end
        rate = self.optimizer.param_groups[0]["lr"] = annealed(*rates, progress)
        entropy_weight = annealed(config.entropy_weight, config.entropy_weight_end, progress)

        rollout = self.collect(seed, imitating)
        with self.watch("update"):
            figures = self.learn(rollout, imitating, entropy_weight)
        self.updates += 1
        if not imitating and self.updates % config.pool_updates == 0:
            self.pool.add(self.player, self.updates)
        return {"learning_rate": rate, "imitating": float(imitating), **figures}

    def learn(self, rollout: Rollout, imitating: bool, entropy_weight: float) -> dict[str, float]:
        """Pass over a rollout `epochs` times, one gradient step per minibatch, and return the mean metrics."""
        config, samples = self.config, Samples(rollout, imitating, self.device)
        self.choices += len(samples.picked)
        batch_count = max(1, round(len(samples.picked) / config.batch_size))
        figure_sums: dict[str, torch.Tensor] = {}
        for _ in range(config.epochs):
            order = torch.randperm(len(samples.picked), generator=self.generator, device=self.device)
            for batch in samples.picked[order].tensor_split(batch_count):
                loss, figures = self.loss(samples, batch, imitating, entropy_weight)
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
                self.optimizer.step()
                for name, figure in figures.items():
                    share = figure.detach() * (1.0 / (batch_count * config.epochs))
                    figure_sums[name] = figure_sums.get(name, 0.0) + share
        return fetched(figure_sums)

    def loss(
        self, samples: Samples, batch: torch.Tensor, imitating: bool, entropy_weight: float
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Return the loss for a minibatch and its metrics, keyed by name."""
        config = self.config
        with self.precision():
            logits, values, _ = self.forward(samples.inputs(batch))
        log_probs = masked(logits.float(), samples.masks[batch]).log_softmax(1)
        chosen_log_probs = log_probs.gather(1, samples.actions[batch, None])[:, 0]
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        errors = (values.float() - samples.targets[batch]).square().mean(0)  # of the seat itself, then of the others
        value_loss = config.value_weight * errors[0] + config.others_weight * errors[1:].sum()
        figures = {"value_error": errors[0], "entropy": entropy}
        if imitating:
            policy_loss = -chosen_log_probs.mean()
            if samples.action_values.shape[1]:
                teacher_probs = (config.teacher_inverse_temperature * samples.action_values[batch]).softmax(1)
                policy_loss = -(teacher_probs * log_probs).sum(1).mean()
            figures["agreement"] = (log_probs.argmax(1) == samples.actions[batch]).float().mean()
            loss = policy_loss + value_loss
        else:
            advantages, clip = samples.advantages[batch], config.clip_range
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            log_ratio = chosen_log_probs - samples.log_probs[batch]
            ratio = log_ratio.exp()
            policy_loss = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
            with torch.no_grad():
                figures["kl"] = (ratio - 1 - log_ratio).mean()
                figures["clipped"] = ((ratio - 1).abs() > clip).float().mean()
            loss = policy_loss + value_loss - entropy_weight * entropy
        return loss, {"policy_loss": policy_loss, **figures}

    # -- resuming --------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return the state needed to resume."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "pool": self.pool.state(),
            "games": self.engine.save(),
            "updates": self.updates,
            "choices": self.choices,
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore a state returned by `state()`."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.pool.load(state["pool"], self.player)
        self.engine.load(state["games"])
        self.updates, self.choices = state["updates"], state["choices"]


class Samples:
    """A rollout as flat tensors on the device.

    Attributes:
        picked: indices of the steps to train on.
        seen, masks, actions, log_probs, action_values, advantages, targets, lookahead: as in `Rollout`. During
            imitation, `actions` holds the teacher's actions.
    """

    def __init__(self, rollout: Rollout, imitating: bool, device: torch.device):
        def rows(array: np.ndarray) -> torch.Tensor:
            """Flatten an array from shape (T, N, ...) to (T * N, ...). On the CPU, the result shares its memory."""
            flat = torch.from_numpy(array.reshape(rollout.learn.size, *array.shape[2:]))
            return flat.to(device, non_blocking=True)

        self.picked = torch.from_numpy(np.flatnonzero(rollout.learn)).to(device)
        self.seen = {part: rows(array) for part, array in rollout.observations.items()}
        self.masks, self.log_probs = rows(rollout.masks), rows(rollout.log_probs)
        self.actions = rows(rollout.labels if imitating else rollout.actions)
        self.advantages, self.action_values = rows(rollout.advantages), rows(rollout.action_values)
        self.targets = rows(rollout.targets)
        self.lookahead = torch.from_numpy(np.concatenate(rollout.lookahead)).to(device) if rollout.lookahead else None
        if self.lookahead is not None:
            self.counts = self.masks.sum(1)
            self.firsts = self.counts.cumsum(0) - self.counts

    def inputs(self, batch: torch.Tensor) -> dict[str, torch.Tensor]:
        """Return the network inputs for a minibatch."""
        inputs = {part: array[batch] for part, array in self.seen.items()}
        if self.lookahead is not None:
            counts = self.counts[batch]
            offsets = (self.firsts[batch] - counts.cumsum(0) + counts).repeat_interleave(counts)
            lookahead_rows = torch.arange(len(offsets), device=offsets.device) + offsets
            inputs |= {"legal": self.masks[batch], "lookahead": self.lookahead[lookahead_rows]}
        return inputs


def masked(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Return the logits with `MASKED` for illegal actions."""
    return logits.masked_fill(~legal, MASKED)


def annealed(first: float, last: float, progress: float) -> float:
    """Return a setting that changes linearly while progress goes from 0 to 1."""
    return first + (last - first) * progress


# -- training runs -------------------------------------------------------------------------------------------


class TrainingRun:
    """A training run, either new or resumed.

    Args:
        config: resolved settings.
        folder: the run folder.
        console: where to print progress.
    """

    def __init__(self, config: TrainConfig, folder: Path, console: Console):
        self.config, self.folder, self.console = config, folder, console
        torch.set_num_threads(config.torch_threads)
        self.learner, self.budget = Learner(config), Budget(config)
        self.curve = LearningCurve(config, self.learner.player)

    def run(self) -> Path:
        """Train until the budget is used up, evaluate the agent, write the report and return the run folder."""
        self.train()
        self.evaluate()
        self.console.print(
            f"In {self.folder}/: report.md, report.json, learning_curve.png, checkpoint/, tensorboard/", soft_wrap=True
        )
        return self.folder

    def train(self) -> None:
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
        learner, budget, curve, log_folder = self.learner, self.budget, self.curve, str(self.folder / "tensorboard")
        log, saved = SummaryWriter(log_folder, purge_step=budget.taken or None), budget.elapsed
        with writing_to(log_folder), log, Progress(*columns, console=self.console) as progress:
            task = progress.add_task("training", total=1.0, steps=budget.taken, rate=0)
            progress.update(task, completed=budget.done)
            while True:
                if curve.is_due(budget.done):
                    if curve.is_worthwhile(budget):
                        curve.measure(budget, log, self.console)
                    self.save()
                if budget.done >= 1.0:
                    return
                budget.run()
                figures = learner.update(budget.done)
                budget.pause()
                budget.taken = learner.choices
                if budget.elapsed - saved >= 60 * self.config.checkpoint_minutes:
                    self.save()
                    saved = budget.elapsed
                self.log(log, figures)
                rate = budget.taken / max(budget.elapsed, 1e-9)
                progress.update(task, completed=budget.done, steps=budget.taken, rate=rate)

    def log(self, log: SummaryWriter, figures: Mapping[str, float]) -> None:
        """Write an update's metrics to TensorBoard."""
        steps, learner = self.budget.taken, self.learner
        for name, figure in figures.items():
            log.add_scalar(f"learning/{name}", figure, steps)
        for part, share in learner.watch.shares().items():
            log.add_scalar(f"time/{part}", share, steps)
        for member in learner.pool.members:
            log.add_scalar(f"pool/{member.agent.name}", member.rating, steps)
        log.add_scalar("time/choices_per_second", steps / max(self.budget.elapsed, 1e-9), steps)

    def evaluate(self) -> None:
        """Evaluate the saved agent and write the report."""
        config, budget = self.config, self.budget
        self.console.print(
            f"Trained for {budget.elapsed:.0f} s; in addition, the compiler took {WAITED.wall:.0f} s and the learning "
            f"curve {self.curve.seconds:.0f} s. Final evaluation: {config.final_games:,} games per opponent ...",
            soft_wrap=True,
        )
        player = LearnedAgent.load(self.folder, name=config.name)
        seed = config.seed + FINAL_SEED
        results = list(evaluate_against(player, self.curve.rivals, config, config.final_games, seed))
        facts = {
            "steps": budget.taken,
            "minutes": budget.elapsed / 60,
            "deterministic": player.deterministic,
            "learns on": title_of(self.learner.device),
        }
        write_report(self.folder, config, facts, self.curve.points, results)
        print_evaluations(results)

    def save(self) -> None:
        """Save the run's state and a checkpoint of the agent."""
        settings, player = self.config.to_dict(), self.learner.player
        state = {
            "settings": json.dumps(settings),
            "layouts": layouts(player.description),
            "learner": self.learner.state(),
            "spent": self.budget.spent,
            "curve": self.curve.points,
            "measured": self.curve.measured,
            "deterministic": player.deterministic,
        }
        save_state(self.folder, state)
        training_facts = {"steps": self.budget.taken, "minutes": self.budget.elapsed / 60, "settings": settings}
        save_checkpoint(self.folder / "checkpoint", self.learner.network, player.description, training_facts)

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore a saved state."""
        self.learner.load(state["learner"])
        self.budget.spent, self.budget.taken = state["spent"], self.learner.choices
        self.curve.points, self.curve.measured = state["curve"], state["measured"]
        self.curve.choose(state["deterministic"])


def train(settings: TrainConfig, console: Console | None = None) -> Path:
    """Train an agent and write a run folder with checkpoint, TensorBoard log, learning curve and report.

    Returns:
        The run folder.

    Raises:
        CatanError: a scenario, opponent, rule or other setting is invalid.
    """
    config = resolve(settings)
    training_run = TrainingRun(config, Path(config.out), console or Console())
    if config.start:
        learner = training_run.learner
        learner.network.load_state_dict(weights_of(config.start, learner.player.description))
    training_run.folder = new_folder(config)
    return training_run.run()


def resume(folder: str | Path, console: Console | None = None) -> Path:
    """Resume a stopped run from its last checkpoint, using its original settings. Otherwise the same as `train`.

    Raises:
        CheckpointError: the run is missing or corrupt, or a layout has changed.
    """
    state = load_state(Path(folder))
    check_keys(state, str(folder), CheckpointError, **STATE_KEYS)
    config = resolve(TrainConfig().updated(json_of(state["settings"], str(folder), "training run", CheckpointError)))
    with importing(allowed=False):  # never run code named in the folder; --import loads its encoder and reward
        training_run = TrainingRun(config, Path(folder), console or Console())
    for name, layout in layouts(training_run.learner.player.description).items():
        if state["layouts"].get(name) != layout:
            raise CheckpointError(f"The run in {str(folder)!r} cannot resume: its {name} has changed. Start a new run.")
    training_run.load(state)
    return training_run.run()
