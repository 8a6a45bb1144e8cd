"""The learner: proximal policy optimisation by self-play, over masked actions, after imitation of a teacher.

One update plays a rollout and takes gradient steps on it. While there is a teacher the policy learns to do what that
would have done (cross entropy), and the values what came of it; afterwards both learn by PPO (Schulman et al., 2017)
with illegal actions masked out (Huang and Ontanon, 2022). All randomness of an update comes from the seed and the
number of the update, so that a run goes on from a checkpoint as if it had never stopped. Of several processes each
plays a rollout of its own, and all take the same gradient steps. Of several scenarios each is played in every update,
and every gradient step is on choices of all of them.
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
"""The logit of an illegal action: finite, so that its probability of 0 times its logarithm is 0."""


class Learner:
    """Everything that learns: network, optimiser, and the games of each scenario with their pool of opponents.

    Args:
        config: resolved settings.
        processes: that learn together; this one alone by default.

    Raises:
        CatanError: scenario, opponents, rules, encoder or another setting that do not exist or fit.
    """

    def __init__(self, config: ResolvedConfig, processes: Processes | None = None):
        torch.manual_seed(config.seed)  # the network's, the same for all processes
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
        """Takes over the network of the agent that training begins with, if there is one.

        Raises:
            CatanError: it is not there, or has another network than this one.
        """
        if self._start:
            self.network.load_state_dict(weights_of(self._start, self.player.description))

    def precision(self) -> AbstractContextManager:
        """In which the network's products are computed."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)

    def choose(
        self, seen: dict[str, np.ndarray], legal: np.ndarray, game: int = 0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions drawn from the policy for one of the scenarios, see `catan_training.learning.rollouts.Choose`."""
        with torch.inference_mode(), self.precision():
            tensors = as_tensors({**seen, "legal": legal}, self.device)
            logits, values, _ = self._asked[game](tensors)
            log_probs = _masked(logits.float(), tensors["legal"]).log_softmax(1)
            exponentials = torch.empty_like(log_probs).exponential_(generator=self.generator)
            actions = (log_probs.exp() / exponentials).argmax(1, keepdim=True)
            chosen_log_probs = log_probs.gather(1, actions)[:, 0]
            return actions[:, 0].cpu().numpy(), chosen_log_probs.cpu().numpy(), values.float().cpu().numpy()

    def update(self, done: float) -> dict[str, float]:
        """Plays a rollout of each scenario and learns from them.

        Args:
            done: how much of the training is, 0 to 1: schedules depend on it.

        Returns:
            figures of the update, by name.
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
        """Gradient steps on minibatches, each with its share of every rollout, `epochs` times over."""
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
        """The loss of some choices of a rollout, and figures by name."""
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
        """PPO's clipped objective as a loss, how far the policy has moved (an estimate of its divergence), and the
        part of the samples that the clipping holds back."""
        clip = self.config.clip_range
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        ratio = log_ratio.exp()
        loss = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
        with torch.no_grad():
            return loss, (ratio - 1 - log_ratio).mean(), ((ratio - 1).abs() > clip).float().mean()

    def state(self) -> dict[str, Any]:
        """All that a later run needs to go on, of the games those of every process."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "pools": [games.pool.state() for games in self.games],
            "games": self.processes.all_gather([games.state() for games in self.games]),
            "updates": self.updates,
            "choices": self.choices,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Brings back what `state` gave to as many processes."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        own_games = state["games"][self.processes.rank]
        for games, pool_state, games_state in zip(self.games, state["pools"], own_games, strict=True):
            games.pool.load(pool_state, self.player)
            games.load(games_state)
        self.updates, self.choices = state["updates"], state["choices"]


class Samples:
    """The choices of a rollout as tensors on a device, in a row, and the network that learns from them.

    Attributes:
        picked: numbers of those there is something to learn from.
        seen, masks, actions, log_probs, action_values, advantages, targets, lookahead: see `Rollout`; actions are the
            teacher's if the learner imitates it.
    """

    def __init__(self, network: Network, rollout: Rollout, imitating: bool, device: torch.device):
        self.network = network

        def rows(array: np.ndarray) -> torch.Tensor:
            """(T, N, ...) as (T * N, ...); on the processor it shares its memory."""
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
        """What the network is shown of some choices."""
        inputs = {part: array[batch] for part, array in self.seen.items()}
        if self.lookahead is not None:
            counts = self.counts[batch]
            offsets = (self.firsts[batch] - counts.cumsum(0) + counts).repeat_interleave(counts)
            lookahead_rows = torch.arange(len(offsets), device=offsets.device) + offsets
            inputs |= {"legal": self.masks[batch], "lookahead": self.lookahead[lookahead_rows]}
        return inputs


def _masked(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    return logits.masked_fill(~legal, MASKED)
