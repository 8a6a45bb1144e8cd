"""Code shared by agents whose policy comes from another library: observations, masks and sampling."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.portable import Portable
from catan_agents.streams import GameStreams
from catan_env.engine.arguments import check_flag
from catan_env.errors import CatanError, OptionError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


class PolicyFileError(CatanError, ValueError):
    """Raised when a policy file is corrupt, has an unsupported format, or does not fit the game."""


class ImportedPolicy(Portable):
    """An agent that follows a policy loaded from a file, either sampling legal actions or taking the most probable one.

    Args:
        file: path of the file.
        encoder, dtype: encoder and dtype of the observations that the policy was trained on. If dtype is None, the one
            in the file is used or, if there is none, "float32".
        deterministic: whether to take the most probable legal action instead of sampling.
        seed: seed for sampling.

    Raises:
        PolicyFileError: the file cannot be read or is not of the expected kind.
        OptionError: an option is invalid.
    """

    of_engines: tuple[str, ...] = ("_fitting",)

    def __init__(
        self,
        file: str | Path,
        encoder: str = "flat",
        dtype: str | None = None,
        deterministic: bool = False,
        seed: int = 0,
    ):
        check_flag("deterministic", deterministic)
        self.file, self.name = Path(file).expanduser().resolve(), Path(file).stem
        if not self.file.is_file():
            raise PolicyFileError(f"There is no file {self.file}. Check the path.")
        if not isinstance(encoder, str):
            raise OptionError(f"encoder is {encoder!r}; it must be a name, such as 'flat'.")
        self.encoder, self.dtype, self.deterministic = encoder, dtype or "float32", deterministic
        self._streams = GameStreams(seed)
        self._forget_engines()
        self._read(dtype)

    def _read(self, dtype: str | None) -> None:
        """Read the file. `dtype` is the value of the option as passed in.

        Raises:
            PolicyFileError: see the class.
        """
        raise NotImplementedError

    def _forget_engines(self) -> None:
        self._fitting: int | None = None  # identity of the program for which the policy was prepared

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """See `Agent.act`.

        Raises:
            PolicyFileError: the number of observation values or actions differs between the engine and the policy.
        """
        legal = engine.action_mask[games]
        actions = legal.argmax(axis=1)
        choices = np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)
        if not len(choices):
            return actions
        probabilities = self.probabilities(engine, games[choices])
        if self.deterministic:
            actions[choices] = probabilities.argmax(axis=1)
        else:
            cumulated = probabilities.cumsum(axis=1)
            targets = self._streams.uniform(games[choices]) * cumulated[:, -1]
            actions[choices] = (cumulated <= targets[:, None]).sum(axis=1)
        return actions

    def probabilities(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the action probabilities in the given games, shape (n, actions). Errors are the same as in `act`."""
        if self._fitting != id(engine.program):
            self._fit(engine)
            self._fitting = id(engine.program)
        legal = engine.action_mask[games]
        logits = self._logits(engine.encoder(self.encoder, self.dtype).encode(games=games), legal)
        if logits.shape != legal.shape:
            raise PolicyFileError(
                f"{self.file} gives an array of shape {logits.shape} for {len(games)} games; the game has "
                f"{engine.actions.n} actions. A policy belongs to one scenario and number of players."
            )
        logits = np.where(legal, logits.astype(np.float64), -np.inf)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def _fit(self, engine: BatchEngine) -> None:
        """Check that the policy fits the engine, and prepare it for use.

        Raises:
            PolicyFileError: the policy does not fit.
        """
        raise NotImplementedError

    def _logits(self, observations: Any, legal: np.ndarray) -> np.ndarray:
        """Return logits, shape (n, actions), for the observations of n games and masks of shape (n, actions)."""
        raise NotImplementedError
