"""The learner, trained by imitating a teacher, by self-play with masked PPO, or by imitation followed by PPO.

Each update collects one rollout per scenario and takes gradient steps on minibatches that mix all scenarios. During
imitation, the policy is fitted to the teacher's actions with a cross-entropy loss, and the values are fitted to the
returns. PPO (Schulman et al., 2017) then trains both, with illegal actions masked out (Huang and Ontanon, 2022).

All randomness in an update is determined by the seed and the update number, so a resumed run continues exactly as if it
had not been interrupted. With multiple processes, each collects its own rollouts, and the gradients are averaged.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import numpy as np
import torch

from catan_agents.learned import LearnedAgent, describe
from catan_agents.networks import Network, as_tensors, network_for, network_of, shared_network_for
from catan_training.learning.checkpoints import weights_of
from catan_training.learning.devices import compiles, device_of, fetched, multiplies_bfloat16
from catan_training.learning.pool import Pool
from catan_training.learning.processes import Processes
from catan_training.learning.resolved import ResolvedConfig
from catan_training.learning.rollouts import Rollout, RolloutCollector
from catan_training.learning.stopwatch import Stopwatch

MASKED = -1e9
"""Logit for illegal actions. It is finite so that entropy and cross-entropy never compute 0 times infinity."""


class Learner:
    """The network and optimizer, together with the games and opponent pool of each scenario.

    Args:
        config: resolved settings.
        processes: the group of training processes; a single process by default.

    Raises:
        CatanError: a scenario, opponent, rule, encoder or other setting is invalid.
    """

    def __init__(self, config: ResolvedConfig, processes: Processes | None = None):
        torch.manual_seed(config.seed)  # all processes start from the same network
        self.processes = processes or Processes()
        self.seed = self.processes.seed_of(config.seed)
        self.config, self._pool_updates, self._start = config.update, config.pool.pool_updates, config.network.start
        self.watch = Stopwatch()
        self.games = [
            RolloutCollector(
                scenario,
                config.rollout,
                self.seed,
                Pool(config.pool.opponents, config.pool.pool_size),
                self.watch,
            )
            for scenario in config.scenarios
        ]
        first_game, *other_games = played_games = [(games.engine, games.encoder) for games in self.games]
        lookaheads = [lookahead for games in self.games for lookahead in games.lookaheads[:1]]
        network_config = config.network
        network, network_description = (
            shared_network_for(played_games, network_config.hidden, len(network_config.auxiliary_targets), lookaheads)
            if other_games
            else network_for(
                *first_game,
                network_config.hidden,
                network_config.activation,
                len(network_config.auxiliary_targets),
                *lookaheads,
            )
        )
        self.device = device_of(network_config.device)
        self.network = network.to(self.device)
        self._asked = [network_of(self.network, game) for game in range(len(played_games))]
        if network_config.compiled and compiles(self.device):
            self._asked = [torch.compile(game_network) for game_network in self._asked]
        description = describe(*first_game, network_description, config.evaluation.choice != "sampled", other_games)
        self.player = LearnedAgent(self.network, description, name="learner")
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.update.learning_rate, eps=1e-5)
        self.generator = torch.Generator(self.device)
        self.bfloat16 = network_config.precision == "bfloat16" or (
            network_config.precision == "auto" and multiplies_bfloat16(self.device)
        )
        self.updates = self.choices = 0

    def begin(self) -> None:
        """Load the weights of the agent named by the `start` setting, if any.

        Raises:
            CatanError: the agent does not exist or has a different network.
        """
        if self._start:
            self.network.load_state_dict(weights_of(self._start, self.player.description))

    def precision(self) -> AbstractContextManager:
        """Return the autocast context for forward passes."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)

    def choose(
        self, seen: dict[str, np.ndarray], legal: np.ndarray, game: int = 0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sample actions for one scenario from the policy; see `catan_training.learning.rollouts.Choose`."""
        with torch.inference_mode(), self.precision():
            tensors = as_tensors({**seen, "legal": legal}, self.device)
            logits, values, _ = self._asked[game](tensors)
            log_probs = _masked(logits.float(), tensors["legal"]).log_softmax(1)
            exponentials = torch.empty_like(log_probs).exponential_(generator=self.generator)
            actions = (log_probs.exp() / exponentials).argmax(1, keepdim=True)
            chosen_log_probs = log_probs.gather(1, actions)[:, 0]
            return actions[:, 0].cpu().numpy(), chosen_log_probs.cpu().numpy(), values.float().cpu().numpy()

    def update(self, done: float) -> dict[str, float]:
        """Collect one rollout per scenario and train on them.

        Args:
            done: fraction of training completed so far, from 0 to 1; drives the schedules.

        Returns:
            The update's metrics, keyed by name.
        """
        config = self.config
        seed = int(np.random.SeedSequence([self.seed, self.updates]).generate_state(1, np.uint64)[0] >> 2)
        self.generator.manual_seed(seed)
        imitation_share = config.imitation_fraction
        imitating = done < imitation_share
        phase_progress = (
            done / imitation_share if imitating else (done - imitation_share) / max(1.0 - imitation_share, 1e-9)
        )
        first_rate, last_rate = (
            (config.teacher_rate, config.teacher_rate_end)
            if imitating
            else (config.learning_rate, config.learning_rate_end)
        )
        rate = self.optimizer.param_groups[0]["lr"] = first_rate + (last_rate - first_rate) * phase_progress
        entropy_weight = config.entropy_weight + (config.entropy_weight_end - config.entropy_weight) * phase_progress
        rollouts = [
            games.play(partial(self.choose, game=game), seed, imitating) for game, games in enumerate(self.games)
        ]
        with self.watch("update"):
            figures = self._learn(rollouts, imitating, entropy_weight)
            for games in self.games:
                games.pool.rate(self.processes.mean(games.pool.ratings()))
            figures = dict(zip(figures, self.processes.mean(list(figures.values())), strict=True))
        self.updates += 1
        if not imitating and self.updates % self._pool_updates == 0:
            for games in self.games:
                games.pool.add(self.player, self.updates)
        return {"learning_rate": rate, "imitating": float(imitating), **figures}

    def _learn(self, rollouts: list[Rollout], imitating: bool, entropy_weight: float) -> dict[str, float]:
        """Take gradient steps for `epochs` passes. Each minibatch contains samples from every rollout."""
        config = self.config
        samples = [
            Samples(game_network, rollout, imitating, self.device)
            for game_network, rollout in zip(self._asked, rollouts, strict=True)
        ]
        choice_counts = self.processes.all_gather(sum(len(sample.picked) for sample in samples))
        self.choices += sum(choice_counts)
        figure_sums: dict[str, torch.Tensor] = {}
        batch_count = max(1, round(min(choice_counts) / config.batch_size))
        for _ in range(config.epochs):
            batches_by_sample = [
                sample.picked[
                    torch.randperm(len(sample.picked), generator=self.generator, device=self.device)
                ].tensor_split(batch_count)
                for sample in samples
            ]
            for batches in zip(*batches_by_sample, strict=True):
                self.optimizer.zero_grad()
                for sample, batch in zip(samples, batches, strict=True):
                    share = len(batch) / sum(map(len, batches))
                    loss, figures = self._loss(sample, batch, imitating, entropy_weight)
                    (share * loss).backward()
                    for name, figure in figures.items():
                        figure_sums[name] = (
                            figure_sums.get(name, 0.0) + share / (batch_count * config.epochs) * figure.detach()
                        )
                self.processes.share_gradients(self.network.parameters())
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
                self.optimizer.step()
        return fetched(figure_sums)

    def _loss(
        self, sample: Samples, batch: torch.Tensor, imitating: bool, entropy_weight: float
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Return the loss for a minibatch and its metrics, keyed by name."""
        config = self.config
        with self.precision():
            logits, values, _ = sample.network(sample.parts(batch))
        log_probs = _masked(logits.float(), sample.masks[batch]).log_softmax(1)
        chosen_log_probs = log_probs.gather(1, sample.actions[batch, None])[:, 0]
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        errors = (values.float() - sample.targets[batch]).square().mean(0).view(-1, 1 + len(config.auxiliary_targets))
        value_loss = config.value_weight * errors[0, 0] + config.others_weight * errors[1:, 0].sum()
        figures = {"value_error": errors[0, 0], "entropy": entropy}
        for column, target in enumerate(config.auxiliary_targets, 1):
            value_loss = value_loss + config.auxiliary_weight * errors[:, column].sum()
            figures[f"{target}_error"] = errors[:, column].mean()
        if imitating:
            policy_loss = -chosen_log_probs.mean()
            if sample.action_values.shape[1]:
                teacher_probs = (config.teacher_inverse_temperature * sample.action_values[batch]).softmax(1)
                policy_loss = -(teacher_probs * log_probs).sum(1).mean()
            figures["agreement"] = (log_probs.argmax(1) == sample.actions[batch]).float().mean()
            loss = policy_loss + value_loss
        else:
            policy_loss, figures["kl"], figures["clipped"] = self._surrogate(
                chosen_log_probs - sample.log_probs[batch], sample.advantages[batch]
            )
            loss = policy_loss + value_loss - entropy_weight * entropy
        return loss, {"policy_loss": policy_loss, **figures}

    def _surrogate(self, log_ratio: torch.Tensor, advantages: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the clipped PPO loss, an estimate of the KL divergence and the fraction of clipped samples."""
        clip = self.config.clip_range
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        ratio = log_ratio.exp()
        loss = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
        with torch.no_grad():
            return loss, (ratio - 1 - log_ratio).mean(), ((ratio - 1).abs() > clip).float().mean()

    def state(self) -> dict[str, Any]:
        """Return the state needed to resume, including every process's games."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "pools": [games.pool.state() for games in self.games],
            "games": self.processes.all_gather([games.state() for games in self.games]),
            "updates": self.updates,
            "choices": self.choices,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Restore a state returned by `state()`. The number of processes must be the same."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        own_games = state["games"][self.processes.rank]
        for games, pool_state, games_state in zip(self.games, state["pools"], own_games, strict=True):
            games.pool.load(pool_state, self.player)
            games.load(games_state)
        self.updates, self.choices = state["updates"], state["choices"]


class Samples:
    """A rollout as flat tensors on the device, together with the network to train on it.

    Attributes:
        picked: indices of the steps to train on.
        seen, masks, actions, log_probs, action_values, advantages, targets, lookahead: as in `Rollout`. During
            imitation, `actions` holds the teacher's actions.
    """

    def __init__(self, network: Network, rollout: Rollout, imitating: bool, device: torch.device):
        self.network = network

        def rows(array: np.ndarray) -> torch.Tensor:
            """Flatten an array from shape (T, N, ...) to (T * N, ...). On the CPU, the result shares its memory."""
            flat = torch.from_numpy(array.reshape(rollout.learn.size, *array.shape[2:]))
            return flat.to(device, non_blocking=True)

        self.picked = torch.from_numpy(np.flatnonzero(rollout.learn)).to(device)
        self.seen = {part: rows(array) for part, array in rollout.observations.items()}
        self.masks, self.log_probs = rows(rollout.masks), rows(rollout.log_probs)
        self.actions = rows(rollout.labels if imitating else rollout.actions)
        self.advantages, self.action_values = rows(rollout.advantages), rows(rollout.action_values)
        self.targets = rows(rollout.targets).flatten(1)
        self.lookahead = torch.from_numpy(np.concatenate(rollout.lookahead)).to(device) if rollout.lookahead else None
        if self.lookahead is not None:
            self.counts = self.masks.sum(1)
            self.firsts = self.counts.cumsum(0) - self.counts

    def parts(self, batch: torch.Tensor) -> dict[str, torch.Tensor]:
        """Return the network inputs for a minibatch."""
        inputs = {part: array[batch] for part, array in self.seen.items()}
        if self.lookahead is not None:
            counts = self.counts[batch]
            offsets = (self.firsts[batch] - counts.cumsum(0) + counts).repeat_interleave(counts)
            lookahead_rows = torch.arange(len(offsets), device=offsets.device) + offsets
            inputs |= {"legal": self.masks[batch], "lookahead": self.lookahead[lookahead_rows]}
        return inputs


def _masked(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    return logits.masked_fill(~legal, MASKED)
