"""The TorchRL environment: one `BatchEngine` whose games form the batch dimension of a tensordict."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import check_seed, game_seeds
from catan_env.envs import viewer
from catan_env.envs.attributes import LearnerAttributes
from catan_env.envs.learner import LearnerGames
from catan_env.envs.options import SPECS, documented
from catan_env.errors import MissingExtraError, OptionError

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise MissingExtraError(
        f"Environments of the kind 'torchrl' need TorchRL, but {error.name!r} is not installed: "
        "pip install 'catan-env[torchrl]'."
    ) from error


@documented("torchrl", LearnerGames, without=("num_games",))
class CatanTorchRLEnv(LearnerAttributes, EnvBase):
    """Native TorchRL environment with batch size (N,): N games of one engine, with one learner in each.

    Tensordicts hold `observation` (N, ...), or a nested tensordict if the encoder has several parts, as "graph" does;
    `action_mask` (N, actions) bool; `action` (N,) int64; `reward` (N, 1) float32; `done`, `terminated` and `truncated`
    (N, 1) bool; and, with `with_state=True`, `state` (N, size) float32, the complete game states. The action spec is
    updated with the masks, so `rand_action` returns legal actions. Games are reset individually, as requested by the
    `_reset` entry of the tensordict. With seed s, game i is the same as in a `CatanVectorEnv` with the i-th seed of
    `game_seeds(s, N)`.

    Args:
        with_state: whether to add the complete state of each game, for a centralized critic.
        options: see below, or `print(catan_env.spec("torchrl"))`.

    Attributes:
        num_envs: number of games, N.
        games: the games as the learner sees them.
        render_mode, with_state: the values passed in.
        opponents, seat, illegal, illegal_penalty, max_episode_steps: the current settings, which may be changed at any
            time. All other options are also available as attributes, but are fixed.

    Raises:
        CatanError: an option is unknown or invalid; the message lists valid values (see `catan_env.errors`).
    """

    batch_locked = True

    def __init__(
        self,
        num_envs: int = 1,
        scenario: Any = "base",
        render_mode: str | None = None,
        with_state: bool = False,
        **options: Any,
    ):
        SPECS["torchrl"].check(options)
        mode, games = viewer.check_render_mode(render_mode), LearnerGames(scenario, num_envs, **options)
        super().__init__(device="cpu", batch_size=[games.num_games])
        self.render_mode, self.games, self.with_state = mode, games, bool(with_state)
        self.num_envs = games.num_games
        self._seeds: list[int | None] | None = None
        self._set_specs()

    def _set_specs(self) -> None:
        n, actions = self.num_envs, self.engine.actions.n
        space = self.games.observation_space
        space = space["observation"] if self.observation == "dict" else space
        entries = {"observation": _spec_of(space, n), "action_mask": Binary(shape=(n, actions), dtype=torch.bool)}
        if self.with_state:
            entries["state"] = _spec_of(self.state_space, n)
        self.observation_spec = Composite(entries, shape=(n,))
        self.action_spec = Categorical(actions, shape=(n,), dtype=torch.int64)
        self.reward_spec = Unbounded(shape=(n, 1), dtype=torch.float32)
        ends = {name: Binary(shape=(n, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")}
        self.full_done_spec = Composite(ends, shape=(n,))

    @property
    def engine(self) -> BatchEngine:
        """The engine that runs all games."""
        return self.games.engine

    def _set_seed(self, seed: int | None) -> None:
        """Use this seed the next time all games are reset."""
        self._seeds = None if seed is None else game_seeds(check_seed(seed), self.num_envs).tolist()

    def _reset(self, tensordict: TensorDictBase | None = None, **options: Any) -> TensorDictBase:
        asked = None if tensordict is None else tensordict.get("_reset", None)
        mask = None if asked is None else asked.reshape(self.num_envs).cpu().numpy()
        if mask is None or mask.all():
            self.games.reset(self._seeds)
            self._seeds = None
        else:
            self.games.reset(games=mask)
        zeros = torch.zeros(self.num_envs, 1, dtype=torch.bool)
        return self._seen({"done": zeros, "terminated": zeros.clone(), "truncated": zeros.clone()})

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        rewards, terminated, truncated, _ = self.games.step(tensordict["action"].cpu().numpy())
        ends = {"terminated": terminated, "truncated": truncated, "done": terminated | truncated}
        columns = {name: torch.from_numpy(array)[:, None] for name, array in ends.items()}
        return self._seen({"reward": torch.from_numpy(rewards.astype(np.float32))[:, None], **columns})

    def _seen(self, entries: dict[str, torch.Tensor]) -> TensorDictBase:
        """Return the entries with fresh observations and masks added, and update the mask of the action spec."""
        mask = torch.from_numpy(self.games.action_masks())
        self.action_spec.update_mask(mask)
        seen = _tensors(self.games.encode(), self.num_envs)
        if self.with_state:
            entries["state"] = torch.from_numpy(self.state())
        return TensorDict({"observation": seen, "action_mask": mask, **entries}, batch_size=self.batch_size)

    def action_masks(self) -> np.ndarray:
        """Return the learners' action masks as a fresh (N, actions) bool array."""
        return self.games.action_masks()


def _spec_of(space: gymnasium.Space, n: int) -> Any:
    """Return the spec for n entries of a space, which must be a Box or a Dict."""
    if isinstance(space, gymnasium.spaces.Dict):
        return Composite({name: _spec_of(part, n) for name, part in space.items()}, shape=(n,))
    if not isinstance(space, gymnasium.spaces.Box):
        raise OptionError(f"TorchRL takes observations that are arrays or dicts of them; the encoder gives {space}.")
    low, high = (torch.from_numpy(bound.copy()).expand(n, *space.shape) for bound in (space.low, space.high))
    return Bounded(low, high, shape=(n, *space.shape), dtype=low.dtype)


def _tensors(encoded: Any, n: int) -> Any:
    """Convert an array to a tensor, or a dict of arrays to a tensordict, without copying memory."""
    if isinstance(encoded, dict):
        return TensorDict({name: _tensors(part, n) for name, part in encoded.items()}, batch_size=[n])
    return torch.from_numpy(encoded)
