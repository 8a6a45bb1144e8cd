"""The learner: proximal policy optimisation by self-play, over masked actions, after lessons of a teacher.

One update plays a rollout and takes gradient steps on it. While there is a teacher the policy learns to do what that
would have done (cross entropy), and the values what came of it; afterwards both learn by PPO (Schulman et al., 2017)
with illegal actions masked out (Huang and Ontanon, 2022). All randomness of an update comes from the seed and the
number of the update, so that a run goes on from a checkpoint as if it had never stopped. Of several processes each
plays a rollout of its own, and all take the same gradient steps.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch

from agents.learned import LearnedAgent, describe
from agents.networks import as_tensors, network_for
from training.learning.config import TrainConfig
from training.learning.games import Games, Rollout
from training.learning.pool import Pool
from training.learning.processes import Processes
from training.learning.stopwatch import Stopwatch

MASKED = -1e9
"""The logit of an illegal action: finite, so that its probability of 0 times its logarithm is 0."""


class Learner:
    """Everything that learns: network, optimiser, games and pool.

    Args:
        settings: see `TrainConfig`.
        processes: that learn together; this one alone by default.

    Raises:
        CatanError: scenario, opponents, rules, encoder or another setting that do not exist or fit.
    """

    def __init__(self, settings: TrainConfig, processes: Processes | None = None):
        torch.manual_seed(settings.seed)  # the network's, the same for all processes
        self.processes = processes or Processes()
        self.settings = settings = settings.updated({"seed": self.processes.seed_of(settings.seed)})
        self.watch = Stopwatch()
        self.pool = Pool(settings.opponents if settings.pool_share else (), settings.pool_size)
        self.games = Games(settings, self.pool, self.watch)
        self.network, about = network_for(self.games.engine, self.games.encoder, settings.hidden, settings.activation)
        description = describe(self.games.engine, self.games.encoder, about, settings.deterministic)
        self.player = LearnedAgent(self.network, description, name="learner")
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.learning_rate, eps=1e-5)
        self.generator = torch.Generator()
        self.bfloat16 = settings.precision == "bfloat16" or (settings.precision == "auto" and _multiplies_bfloat16())
        self.updates = self.choices = 0

    def precision(self) -> AbstractContextManager:
        """In which the network's products are computed."""
        return torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16)

    def choose(self, seen: dict[str, np.ndarray], legal: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions drawn from the policy, see `training.learning.games.Choose`."""
        with torch.inference_mode(), self.precision():
            logits, values = self.network(as_tensors(seen))
            log_probs = _masked(logits.float(), torch.from_numpy(legal)).log_softmax(1)
            luck = torch.empty_like(log_probs).exponential_(generator=self.generator)
            actions = (log_probs.exp() / luck).argmax(1, keepdim=True)
            return actions[:, 0].numpy(), log_probs.gather(1, actions)[:, 0].numpy(), values.float().numpy()

    def update(self, done: float) -> dict[str, float]:
        """Plays a rollout and learns from it.

        Args:
            done: how much of the training is, 0 to 1: schedules depend on it.

        Returns:
            figures of the update, by name.
        """
        settings = self.settings
        seed = int(np.random.SeedSequence([settings.seed, self.updates]).generate_state(1, np.uint64)[0] >> 2)
        self.generator.manual_seed(seed)
        share = settings.teacher_share if settings.teacher else 0.0
        taught = done < share
        part = done / share if taught else (done - share) / max(1.0 - share, 1e-9)
        first, last = (
            (settings.teacher_rate, settings.teacher_rate_end) if taught
            else (settings.learning_rate, settings.learning_rate_end)
        )
        rate = self.optimizer.param_groups[0]["lr"] = first + (last - first) * part
        entropy = settings.entropy_weight + (settings.entropy_weight_end - settings.entropy_weight) * part
        rollout = self.games.play(self.choose, seed, taught)
        with self.watch("update"):
            figures = self._learn(rollout, taught, entropy)
            self.pool.rate(self.processes.mean(self.pool.ratings()))
            figures = dict(zip(figures, self.processes.mean(list(figures.values())), strict=True))
        self.updates += 1
        if not taught and self.updates % settings.pool_updates == 0:
            self.pool.add(self.player, self.updates)
        return {"learning_rate": rate, "taught": float(taught), **figures}

    def _learn(self, rollout: Rollout, taught: bool, entropy_weight: float) -> dict[str, float]:
        """Gradient steps on minibatches of a rollout, `epochs` times over."""
        settings, flat = self.settings, rollout.learn.size
        picked = torch.from_numpy(np.flatnonzero(rollout.learn))
        numbers = self.processes.of_all(len(picked))
        self.choices += sum(numbers)
        seen = {part: _rows(array, flat) for part, array in rollout.observations.items()}
        kept = [rollout.masks, rollout.labels if taught else rollout.actions, rollout.log_probs]
        masks, actions, old_log_probs = (_rows(array, flat) for array in kept)
        advantages, targets = _rows(rollout.returns.advantages, flat), _rows(rollout.returns.targets, flat)
        sums: dict[str, float] = {}
        number = max(1, round(min(numbers) / settings.batch_size))
        for _ in range(settings.epochs):
            order = picked[torch.randperm(len(picked), generator=self.generator)]
            for batch in order.tensor_split(number):
                with self.precision():
                    logits, values = self.network({part: array[batch] for part, array in seen.items()})
                log_probs = _masked(logits.float(), masks[batch]).log_softmax(1)
                chosen = log_probs.gather(1, actions[batch, None])[:, 0]
                entropy = -(log_probs.exp() * log_probs).sum(1).mean()
                errors = (values.float() - targets[batch]).square().mean(0)
                value_loss = settings.value_weight * errors[0] + settings.others_weight * errors[1:].sum()
                figures = {"value_error": errors[0], "entropy": entropy}
                if taught:
                    policy_loss = -chosen.mean()
                    figures["agreement"] = (log_probs.argmax(1) == actions[batch]).float().mean()
                    loss = policy_loss + value_loss
                else:
                    policy_loss, figures["kl"], figures["clipped"] = self._surrogate(
                        chosen - old_log_probs[batch], advantages[batch]
                    )
                    loss = policy_loss + value_loss - entropy_weight * entropy
                self.optimizer.zero_grad()
                loss.backward()
                self.processes.share_gradients(self.network.parameters())
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_grad_norm)
                self.optimizer.step()
                for name, figure in {"policy_loss": policy_loss, **figures}.items():
                    sums[name] = sums.get(name, 0.0) + figure.item() / (number * settings.epochs)
        return sums

    def _surrogate(self, log_ratio: torch.Tensor, advantages: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """PPO's clipped objective as a loss, how far the policy has moved (an estimate of its divergence), and the
        part of the samples that the clipping holds back."""
        clip = self.settings.clip_range
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        ratio = log_ratio.exp()
        loss = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
        with torch.no_grad():
            return loss, (ratio - 1 - log_ratio).mean(), ((ratio - 1).abs() > clip).float().mean()

    def state(self) -> dict[str, Any]:
        """All that a later run needs to go on, of the games those of every process."""
        return {
            "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "pool": self.pool.state(),
            "games": self.processes.of_all(self.games.state()), "updates": self.updates, "choices": self.choices,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Brings back what `state` gave to as many processes."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.pool.load(state["pool"], self.player)
        self.games.load(state["games"][self.processes.rank])
        self.updates, self.choices = state["updates"], state["choices"]


def _rows(array: np.ndarray, count: int) -> torch.Tensor:
    """(T, N, ...) as (T * N, ...), sharing memory."""
    return torch.from_numpy(array.reshape(count, *array.shape[2:]))


def _masked(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    return logits.masked_fill(~legal, MASKED)


def _multiplies_bfloat16() -> bool:
    """Whether this processor has instructions for it; without, bfloat16 is slower than float32."""
    return any(getattr(torch.cpu, name, bool)() for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))
