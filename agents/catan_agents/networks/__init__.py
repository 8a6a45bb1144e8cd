"""Neural networks for trained agents; they compute a policy and values from an observation.

A network takes the parts of an encoder's observation as uint8 tensors of shape (n, ...). It returns logits, shape (n,
actions), values, shape (n, seats), and position features, shape (n, `widths[1]`). Values start with the observing seat
and continue to its left. With auxiliary predictions, each seat's value is followed by the predictions for that seat,
for a shape of (n, seats * (1 + predictions)). `beside`, shape (n, `widths[0]`), is the output of another network, which
is added to the first layer.

The observations `flat` and `planes` have a single part, "row". A network for several games also takes the number of the
game; `network_of` binds this argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn

from catan_agents.networks.graph import KINDS, GraphNetwork, is_graph
from catan_agents.networks.layers import Answer, GameNetwork, are_sizes
from catan_agents.networks.lookahead import LookaheadNetwork, are_terms
from catan_agents.networks.planes import PlanesNetwork, is_planes
from catan_agents.networks.row import RowNetwork, is_row
from catan_agents.networks.shared import SharedNetwork, described, is_shared
from catan_env.encoders import ViewEncoder
from catan_env.errors import OptionError

Network = Callable[[Mapping[str, torch.Tensor]], Answer]
"""A function that maps the parts of an observation to the outputs of a network."""


def parts_of(observation: Any) -> dict[str, np.ndarray]:
    """Return an encoder's observation as a dict of parts."""
    return observation if isinstance(observation, dict) else {"row": observation}


def as_tensors(parts: Mapping[str, np.ndarray], device: torch.device) -> dict[str, torch.Tensor]:
    """Return the parts as tensors on a device. On the CPU, the tensors share memory with the arrays."""
    return {name: torch.from_numpy(part).to(device, non_blocking=True) for name, part in parts.items()}


def network_of(network: nn.Module, game: int) -> Network:
    """Return the network for one of the games, selected by number."""
    return partial(network, game=game) if isinstance(network, SharedNetwork | LookaheadNetwork) else network


def is_own_row(encoder: Any) -> bool:
    """Return whether this is a user-defined encoder that produces one row of features per game."""
    return isinstance(encoder, ViewEncoder) and getattr(encoder.space, "shape", None) == (encoder.size,)


def network_for(
    engine: Any,
    encoder: Any,
    hidden: tuple[int, ...],
    activation: str,
    predictions: int = 0,
    lookahead: Any = None,
) -> tuple[GameNetwork, dict]:
    """Return a new network for the games of an engine, and a description from which it can be rebuilt.

    Args:
        hidden: sizes of the hidden layers. For `graph`, the first size is the width, and the number of sizes is the
            number of rounds; for `planes`, the sizes are the numbers of convolution channels.
        activation: activation function for `flat` networks; other networks use "relu".
        predictions: number of auxiliary predictions per seat.
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
    description |= {"predictions": predictions} if predictions else {}
    return _fresh(description, [(engine, encoder)], encoder, [lookahead] if lookahead is not None else [])


def shared_network_for(
    games: Sequence[tuple[Any, Any]], hidden: tuple[int, ...], predictions: int = 0, lookahead: Sequence[Any] = ()
) -> tuple[GameNetwork, dict]:
    """Return a new network for the games of several engines, and a description from which it can be rebuilt.

    Args:
        games: pairs of an engine and its encoder.
        hidden, predictions: as in `network_for` with the encoder `graph`.
        lookahead: as in `network_for`, with one entry per game; empty for none.

    Raises:
        OptionError: an encoder is not `graph`.
    """
    for _, encoder in games:
        if encoder.name != "graph":
            raise OptionError(f"encoder is {encoder.name!r}; a network for several games needs the encoder 'graph'.")
    description = {
        "kind": "shared",
        "width": hidden[0],
        "rounds": len(hidden),
        "games": [described(engine, encoder, 1 + predictions) for engine, encoder in games],
        **({"predictions": predictions} if predictions else {}),
    }
    return _fresh(description, games, [encoder for _, encoder in games], lookahead)


def _fresh(
    about: dict[str, Any], games: Sequence[tuple[Any, Any]], encoders: Any, lookahead: Sequence[Any]
) -> tuple[GameNetwork, dict]:
    """Add the lookahead terms to a description, and return a network built from it and the new description."""
    about |= {"terms": [features.terms for features in lookahead]} if lookahead else {}
    network = make_network(about, games[0][0].actions.n, games[0][0].num_players)
    if isinstance(network, LookaheadNetwork):
        network.begin_as([features.weights for features in lookahead])
    network.fit_to(encoders)
    return network, about


def make_network(about: Mapping[str, Any], actions: int, seats: int) -> GameNetwork:
    """Build a network from a description that `is_network` accepts.

    `actions` and `seats` are the numbers of actions and seats in the first game.
    """
    inner = _over_observations(about, actions, seats)
    return LookaheadNetwork(inner, about["terms"]) if "terms" in about else inner


def _over_observations(about: Mapping[str, Any], actions: int, seats: int) -> GameNetwork:
    if about["kind"] == "shared":
        return SharedNetwork(about["games"], about["width"], about["rounds"])
    values = seats * (1 + about.get("predictions", 0))
    if about["kind"] == "graph":
        return GraphNetwork(about["places"], about["heads"], values, about["width"], about["rounds"])
    if about["kind"] == "planes":
        return PlanesNetwork(tuple(about["shape"]), actions, values, tuple(about["channels"]))
    return RowNetwork(about["size"], actions, values, tuple(about["hidden"]), about["activation"])


def is_network(about: Mapping[str, Any], sizes: Sequence[tuple[int, int]]) -> bool:
    """Return whether a description fits in memory and matches games with the given numbers of actions and seats."""
    predictions = about.get("predictions", 0)
    if not all(are_sizes(*size) for size in sizes) or not are_sizes(
        1 + predictions if type(predictions) is int else None
    ):
        return False
    if "terms" in about and not are_terms(about["terms"], len(sizes)):
        return False
    about = {key: value for key, value in about.items() if key not in ("predictions", "terms")}
    sizes = [(actions, seats * (1 + predictions)) for actions, seats in sizes]
    if about.get("kind") == "shared":
        return is_shared(about, sizes)
    is_kind = {"row": is_row, "graph": is_graph, "planes": is_planes}.get(str(about.get("kind")))
    return is_kind is not None and len(sizes) == 1 and is_kind(about, *sizes[0])
