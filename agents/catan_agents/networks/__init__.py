"""Neural networks for trained agents; they compute a policy and values from an observation.

A network takes the parts of an encoder's observation as uint8 tensors of shape (n, ...). It returns logits, shape (n,
actions), values, shape (n, seats), and position features, shape (n, `widths[1]`). Values start with the observing seat
and continue to its left. `beside`, shape (n, `widths[0]`), is the output of another network, which is added to the
first layer. The observations `flat` and `planes` have a single part, "row".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from catan_agents.networks.graph import KINDS, GraphNetwork, is_graph
from catan_agents.networks.layers import GameNetwork, are_sizes
from catan_agents.networks.lookahead import LookaheadNetwork, are_terms
from catan_agents.networks.planes import PlanesNetwork, is_planes
from catan_agents.networks.row import RowNetwork, is_row
from catan_env.encoders import ViewEncoder
from catan_env.errors import OptionError


def parts_of(observation: Any) -> dict[str, np.ndarray]:
    """Return an encoder's observation as a dict of parts."""
    return observation if isinstance(observation, dict) else {"row": observation}


def as_tensors(parts: Mapping[str, np.ndarray], device: torch.device) -> dict[str, torch.Tensor]:
    """Return the parts as tensors on a device. On the CPU, the tensors share memory with the arrays."""
    return {name: torch.from_numpy(part).to(device, non_blocking=True) for name, part in parts.items()}


def is_own_row(encoder: Any) -> bool:
    """Return whether this is a user-defined encoder that produces one row of features per game."""
    return isinstance(encoder, ViewEncoder) and getattr(encoder.space, "shape", None) == (encoder.size,)


def network_for(
    engine: Any,
    encoder: Any,
    hidden: tuple[int, ...],
    activation: str,
    lookahead: Any = None,
) -> tuple[GameNetwork, dict]:
    """Return a new network for the games of an engine, and a description from which it can be rebuilt.

    Args:
        hidden: sizes of the hidden layers. For `graph`, the first size is the width, and the number of sizes is the
            number of rounds; for `planes`, the sizes are the numbers of convolution channels.
        activation: activation function for `flat` networks; other networks use "relu".
        lookahead: a `catan_agents.search.lookahead_features.LookaheadFeatures` if the network should also take
            lookahead features of each action.

    Raises:
        OptionError: no network supports this encoder.
    """
    if encoder.name == "flat" or is_own_row(encoder):
        description = {"kind": "row", "size": encoder.size, "hidden": list(hidden), "activation": activation}
    elif encoder.name == "graph":
        place_shapes = {kind: list(encoder.space[kind].shape) for kind in KINDS}
        heads = []
        for kind in engine.actions.kinds:
            axis = engine.actions.axis(kind)
            heads.append([axis if axis in KINDS else "", len(engine.actions.ids(kind))])
        description = {
            "kind": "graph",
            "places": {**place_shapes, "globals": encoder.space["globals"].shape[0]},
            "heads": heads,
            "width": hidden[0],
            "rounds": len(hidden),
        }
    elif encoder.name == "planes":
        description = {"kind": "planes", "shape": list(encoder.shape), "channels": list(hidden)}
    else:
        raise OptionError(
            f"There is no network for the encoder {encoder.name!r}; allowed: 'flat', 'graph', "
            "'planes', and functions of a SeatView that return (n, size)."
        )
    description |= {"terms": [lookahead.terms]} if lookahead is not None else {}
    network = make_network(description, engine.actions.n, engine.num_players)
    if isinstance(network, LookaheadNetwork):
        network.begin_as(lookahead.weights)
    network.fit_to(encoder)
    return network, description


def make_network(about: Mapping[str, Any], actions: int, seats: int) -> GameNetwork:
    """Build a network for a number of actions and seats from a description that `is_network` accepts."""
    inner = _over_observations(about, actions, seats)
    return LookaheadNetwork(inner, len(about["terms"][0])) if "terms" in about else inner


def _over_observations(about: Mapping[str, Any], actions: int, seats: int) -> GameNetwork:
    if about["kind"] == "graph":
        return GraphNetwork(about["places"], about["heads"], seats, about["width"], about["rounds"])
    if about["kind"] == "planes":
        return PlanesNetwork(tuple(about["shape"]), actions, seats, tuple(about["channels"]))
    return RowNetwork(about["size"], actions, seats, tuple(about["hidden"]), about["activation"])


def is_network(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    """Return whether a description fits in memory and matches a game with these numbers of actions and seats."""
    if not are_sizes(actions, seats) or "terms" in about and not are_terms(about["terms"]):
        return False
    about = {key: value for key, value in about.items() if key != "terms"}
    is_kind = {"row": is_row, "graph": is_graph, "planes": is_planes}.get(str(about.get("kind")))
    return is_kind is not None and is_kind(about, actions, seats)
