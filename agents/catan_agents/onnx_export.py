"""Export trained policies and value networks to ONNX, and verify the file with onnxruntime."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents.bundled import VALUE_FILE, trained_folder
from catan_agents.search.value_network import ValueNetwork, load_value_network
from catan_env.engine.batch import BatchEngine
from catan_env.errors import CatanError, MissingExtraError, OptionError
from catan_env.whole_files import write_whole

OPSET = 17
CHECKED = 64
"""Number of positions on which the ONNX file must reproduce the network's outputs."""
CLOSE = 1e-3
"""Largest allowed difference between the file's logits and the network's."""


class ExportError(CatanError):
    """A network cannot be exported, or the file's outputs differ from the network's."""


def export(agent: str | Path, file: str | Path) -> dict[str, Any]:
    """Write the network of a trained agent to an ONNX file, after verifying it with onnxruntime.

    Of several value networks in a file, the first is exported.

    Args:
        agent: name of a bundled agent, or the folder of a checkpoint, training run or value network.
        file: path of the ONNX file to write.

    Returns:
        The file's metadata, with the largest difference found by the check stored under "difference".

    Raises:
        ExportError: the network reads lookahead features or corrects sums of terms, or the check fails.
        OptionError: `agent` is not a trained agent, or `file` does not end in ".onnx".
        MissingExtraError: the `onnx` extra is not installed.
    """
    if Path(file).suffix != ".onnx":
        raise OptionError(f"file is {str(file)!r}; its name must end in .onnx.")
    try:
        import onnx
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError(f"Export needs {error.name!r}: pip install 'catan-env[train,onnx]'.") from None
    folder = trained_folder(agent)
    if (folder / VALUE_FILE).is_file():
        network = load_value_network(folder / VALUE_FILE)
        if network.terms:
            raise ExportError(
                f"The network of {str(agent)!r} corrects sums of terms, which only the engine computes; export "
                "one that estimates chances."
            )
        module, inputs, names, metadata = _of_value_network(network)
    else:
        module, inputs, names, metadata = _of_policy(folder)
    model = onnx.load_model_from_string(_exported(module, inputs, names))
    for key, value in metadata.items():
        model.metadata_props.add(key=key, value=value if isinstance(value, str) else json.dumps(value))
    onnx.checker.check_model(model)
    data = model.SerializeToString()
    difference = _difference(onnxruntime, data, module, inputs, names)
    if difference > CLOSE:
        raise ExportError(f"The file would give outputs that differ by up to {difference:.2g}; nothing was written.")
    write_whole(file, data)
    return {**metadata, "difference": difference}


def _of_policy(folder: Path) -> tuple[Any, Any, tuple[str, ...], dict[str, Any]]:
    """Return the module of a policy, inputs from random play, output names and metadata."""
    import torch

    from catan_agents.learned import LearnedAgent, scenario_of

    agent = LearnedAgent.load(folder)
    about = agent.description
    network_kind = about["network"]["kind"]
    if "terms" in about["network"]:
        raise ExportError(
            f"Agent {agent.name!r} reads lookahead features, which only the engine computes; export an agent that was "
            "trained without them."
        )
    if network_kind not in ("row", "planes"):
        raise ExportError(
            f"The network of {agent.name!r} is of kind {network_kind!r}; networks for the encoders flat and planes can "
            "be exported."
        )
    engine = BatchEngine(scenario_of(about), CHECKED, about["num_players"])
    rng = np.random.default_rng(0)
    for _ in range(100):
        actions = np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1)
        engine.step(np.where(engine.seat_to_act >= 0, actions, -1))
    high = np.asarray(engine.observation_space(about["encoder"], about["dtype"]).high, np.float32)
    high[~np.isfinite(high)] = 1.0  # encoders from other packages may have no bounds

    class Policy(torch.nn.Module):
        """A network that maps observations in [0, 1] to logits and values."""

        high: torch.Tensor

        def __init__(self) -> None:
            super().__init__()
            self.network = agent.network
            self.register_buffer("high", torch.from_numpy(high))

        def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            logits, values, _ = self.network({"row": observation * self.high})
            return logits, values

    metadata = {key: about[key] for key in ("scenario", "version", "num_players", "encoder", "action_layout")}
    metadata |= {
        "format": "catan-policy-onnx/1",
        "actions": about["actions"],
        "reward": about.get("reward", "zero_sum"),
    }
    return Policy().eval(), torch.from_numpy(engine.observe(about["encoder"])), ("logits", "values"), metadata


def _of_value_network(network: ValueNetwork) -> tuple[Any, Any, tuple[str, ...], dict[str, Any]]:
    """Return the module of a value network, random features, output names and metadata."""
    import torch

    layers: list[torch.nn.Module] = []
    for weights, biases in network.layers:
        linear = torch.nn.Linear(*weights.shape)
        linear.load_state_dict({"weight": torch.from_numpy(weights.T.copy()), "bias": torch.from_numpy(biases)})
        layers += [linear, torch.nn.ReLU()]

    class Value(torch.nn.Module):
        """A network that maps the features of a position to the probability of winning."""

        def __init__(self) -> None:
            super().__init__()
            self.layers = torch.nn.Sequential(*layers[:-1])

        def forward(self, features: torch.Tensor) -> tuple[torch.Tensor]:
            return (torch.sigmoid(self.layers(features)[:, 0]),)

    features = np.random.default_rng(0).integers(0, 4, (CHECKED, len(network.inputs))).astype(np.float32)
    games = [{"scenario": game.scenario, "version": game.version, "players": game.players} for game in network.games]
    metadata: dict[str, Any] = {"format": "catan-value-onnx/1", "games": games, "inputs": list(network.inputs)}
    if network.rules:
        metadata["rules"] = dict(network.rules)
    return Value().eval(), torch.from_numpy(features), ("chance",), metadata


def _exported(module: Any, inputs: Any, names: tuple[str, ...]) -> bytes:
    """Convert a module to ONNX and return the bytes of the file, which accepts any number of rows."""
    import torch

    name = _input_of(names)
    buffer: Any = io.BytesIO()
    axes: Mapping[str, Mapping[int, str]] = {key: {0: "n"} for key in (name, *names)}
    with warnings.catch_warnings():  # the exporter that needs no extra package emits a deprecation warning
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            (inputs,),
            buffer,
            input_names=[name],
            output_names=list(names),
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    return buffer.getvalue()


def _input_of(names: tuple[str, ...]) -> str:
    return "observation" if "logits" in names else "features"


def _difference(onnxruntime: Any, data: bytes, module: Any, inputs: Any, names: tuple[str, ...]) -> float:
    """Return the largest difference between the outputs of the file and of the module, over two batch sizes."""
    import torch

    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    largest = 0.0
    for part in (inputs, inputs[:1]):
        with torch.inference_mode():
            expected = module(part)
        found = session.run(list(names), {_input_of(names): part.numpy()})
        largest = max(largest, *(float(abs(a - b.numpy()).max()) for a, b in zip(found, expected, strict=True)))
    return largest
