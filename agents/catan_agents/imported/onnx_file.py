"""Agents that load ONNX files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.imported.policy import ImportedPolicy, PolicyFileError
from catan_env.errors import MissingExtraError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


class OnnxAgent(ImportedPolicy):
    """An agent whose policy is an ONNX file, a format that most neural-network libraries can export.

    The first input is the observation, shape (n, ...), float32. Any input whose name contains "mask" receives the mask
    of legal actions, shape (n, actions), float32 or bool. The first output must be the logits, shape (n, actions); the
    policy is their softmax over the legal actions. The options are described in `ImportedPolicy`.

    Raises:
        MissingExtraError: the extra `onnx` is not installed.
    """

    of_engines = ("_fitting", "_session")

    def _forget_engines(self) -> None:
        super()._forget_engines()
        self._session: Any = None  # a copy of the agent in another process reopens the file

    def _read(self, dtype: str | None) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingExtraError(
                f"Agent {str(self.file)!r} needs {error.name!r}, which is not installed: pip install 'catan-env[onnx]'."
            ) from None
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = 1
        settings.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(self.file), settings, ["CPUExecutionProvider"])
        except Exception as error:  # its exception classes have no common public base class
            raise PolicyFileError(f"{self.file} is not an ONNX file: {str(error).splitlines()[0]}") from None

    def _fit(self, engine: BatchEngine) -> None:
        if self._session is None:
            self._read(self.dtype)
        first = next((entry for entry in self._session.get_inputs() if "mask" not in entry.name), None)
        if first is None:
            raise PolicyFileError(f"{self.file} has no input for observations; its only inputs are masks.")
        shape = engine.observation_space(self.encoder, self.dtype).shape
        expected = tuple(size for size in first.shape[1:])
        if (
            shape is None
            or len(expected) != len(shape)
            or any(isinstance(size, int) and size != own for size, own in zip(expected, shape))
        ):
            raise PolicyFileError(
                f"{self.file} reads observations of shape {expected}, and the encoder {self.encoder!r} gives {shape} "
                f"in {engine.scenario.name!r} with {engine.num_players} players. Give the encoder that the policy was "
                "trained on, as in policy.onnx:encoder=planes, and its scenario and number of players."
            )

    def _logits(self, observations: Any, legal: np.ndarray) -> np.ndarray:
        inputs = {}
        for entry in self._session.get_inputs():
            if "mask" in entry.name:
                inputs[entry.name] = legal if "bool" in entry.type else legal.astype(np.float32)
            else:
                inputs[entry.name] = observations.astype(np.float32)
        try:
            return self._session.run(None, inputs)[0]
        except Exception as error:  # its exception classes have no common public base class
            raise PolicyFileError(f"{self.file} cannot be run: {str(error).splitlines()[0]}") from None
