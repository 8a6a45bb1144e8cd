"""Agents that load Stable-Baselines3 zip files.

These files contain pickled objects, which can run arbitrary code when loaded. This reader uses only the JSON text and
the tensors in the file, and builds the policy from them.
"""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from gymnasium.spaces import Box, Dict, Discrete
from sb3_contrib.common.maskable import policies

from catan_agents.imported.policy import ImportedPolicy, PolicyFileError
from catan_env.outside import importing, load_object

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

POLICIES = {
    "ActorCriticPolicy": policies.MaskableActorCriticPolicy,
    "ActorCriticCnnPolicy": policies.MaskableActorCriticCnnPolicy,
    "MultiInputActorCriticPolicy": policies.MaskableMultiInputActorCriticPolicy,
}
"""The supported policy classes (those of PPO, A2C and MaskablePPO), keyed by name without "Maskable"."""
CLASS = re.compile(r"<class '(?P<module>(?:catan_agents|stable_baselines3|sb3_contrib|torch)\..*)\.(?P<name>\w+)'>")
"""Classes that may appear in a policy's keyword arguments, limited to libraries that are installed anyway."""
LEFT_OUT = (":type:", ":serialized:", "optimizer_class", "optimizer_kwargs")


class SB3Agent(ImportedPolicy):
    """An agent whose policy was saved by `MaskablePPO`, `PPO` or `A2C` with `model.save("policy.zip")`.

    The options are described in `ImportedPolicy`. The file does not include `VecNormalize` statistics, so the agent
    plays without them.
    """

    def _read(self, dtype: str | None) -> None:
        try:
            with zipfile.ZipFile(self.file) as archive:
                self._data = json.loads(archive.read("data"))
                tensors = archive.read("policy.pth")
            self._tensors = torch.load(io.BytesIO(tensors), map_location="cpu", weights_only=True)
            self._policy_class = POLICIES[self._described("policy_class", "__init__", r"(\w+)\.__init__", "Maskable")]
            self._arguments = _arguments_of(self._data.get("policy_kwargs", {}))
            self._on_masks_too = "Dict" in str(self._data["observation_space"][":type:"])
            if dtype is None and "dtype" in self._data["observation_space"]:
                self.dtype = str(self._data["observation_space"]["dtype"])
        except PolicyFileError as error:
            raise PolicyFileError(f"{self.file} is not loaded: {error}") from None
        except KeyError as error:
            raise PolicyFileError(
                f"{self.file} is not a policy of MaskablePPO, PPO or A2C saved by Stable-Baselines3: {error} is "
                "missing or has another type."
            ) from None
        except (OSError, zipfile.BadZipFile, ValueError, RuntimeError, TypeError) as error:
            raise PolicyFileError(
                f"{self.file} is not a zip file of Stable-Baselines3: {str(error).splitlines()[0]}"
            ) from None
        self._policy: Any = None

    def _described(self, key: str, part: str, pattern: str, without: str) -> str:
        """Extract a name from the textual description of a pickled object."""
        found = re.search(pattern, str(self._data[key].get(part)))
        return found[1].replace(without, "") if found else ""

    def _fit(self, engine: BatchEngine) -> None:
        space: Any = engine.observation_space(self.encoder, self.dtype)
        if self._on_masks_too:
            space = Dict({"observation": space, "action_mask": Box(0, 1, (engine.actions.n,), np.int8)})
        try:
            policy = self._policy_class(space, Discrete(engine.actions.n), lambda _: 0.0, **self._arguments)
            policy.load_state_dict(self._tensors)
        except (RuntimeError, TypeError, AssertionError) as error:
            reason = " ".join(str(error).split())[:200]
            raise PolicyFileError(
                f"{self.file} does not fit {engine.scenario.name!r} with {engine.num_players} players and the encoder "
                f"{self.encoder!r}: {reason}. Name the scenario and number of players that it was trained with "
                "(--scenario and --players on the command line), and its encoder, as in policy.zip:encoder=planes."
            ) from None
        policy.set_training_mode(False)
        self._policy = policy

    def _logits(self, observations: Any, legal: np.ndarray) -> np.ndarray:
        if self._on_masks_too:
            observations = {"observation": observations, "action_mask": legal.view(np.int8)}
        with torch.inference_mode():
            inputs, _ = self._policy.obs_to_tensor(observations)
            return self._policy.get_distribution(inputs).distribution.logits.numpy()


def _arguments_of(described: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a policy. Pickled arguments are parsed from their text form.

    Raises:
        PolicyFileError: an argument cannot be read without running code from the file.
    """
    pickled = ":serialized:" in described
    arguments = {}
    for name, value in described.items():
        if name in LEFT_OUT:
            continue
        if pickled and isinstance(value, str):
            value = _value_of(name, value)
        arguments[name] = value
    return arguments


def _value_of(name: str, text: str) -> Any:
    if found := CLASS.fullmatch(text):
        with importing(allowed=True):  # `CLASS` names the packages that may be imported
            return load_object(f"{found['module']}:{found['name']}", PolicyFileError)
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise PolicyFileError(
            f"the argument {name!r} of the policy is {text}, a pickled object of a class that is not part of "
            "catan_agents, stable_baselines3, sb3_contrib or torch. Such a file can run any code. Load it in a class "
            "with act(engine, games), and name this class as the agent, such as my_agent.py:MyAgent."
        ) from None
