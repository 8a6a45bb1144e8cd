"""Networks of trained agents: what each seat's chances are, and what to do, from one observation.

A network takes the parts of an encoder's observation as tensors, (n, ...) uint8, and gives (n, actions) logits and
(n, seats) values: of the seat that looks first, then of the others to its left. The observations `flat` and `planes`
have one part, "row".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from catan_env.errors import OptionError

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
KINDS = ("intersections", "paths", "hexes")
TOUCH = (
    ("intersections", "intersections"), ("intersections", "paths"), ("intersections", "hexes"),
    ("paths", "intersections"), ("hexes", "intersections"),
)
"""Who is told by whom."""
MOST_LAYERS, MOST_WEIGHTS = 100, 500_000_000
"""Of networks that are loaded: a damaged description would otherwise ask for all memory there is."""


def parts_of(observation: Any) -> dict[str, np.ndarray]:
    """An encoder's observation by its parts."""
    return observation if isinstance(observation, dict) else {"row": observation}


def as_tensors(parts: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """The parts as tensors that share their memory."""
    return {name: torch.from_numpy(part) for name, part in parts.items()}


def _scale(space: Any) -> torch.Tensor:
    """What brings the bytes of a space to 0 .. 1."""
    return torch.from_numpy(1.0 / np.maximum(space.high.astype(np.float32), 1.0))


def _small(layer: nn.Linear, gain: float) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class RowNetwork(nn.Module):
    """Fully connected layers over a row of features, shared by policy and values.

    Args:
        size, actions, seats: features, logits and values.
        hidden: sizes of the layers between.
        activation: one of `ACTIVATIONS`.
    """

    def __init__(self, size: int, actions: int, seats: int, hidden: tuple[int, ...], activation: str):
        super().__init__()
        self.register_buffer("scale", torch.ones(size))
        self.first = nn.Linear(size, hidden[0])
        layers: list[nn.Module] = [ACTIVATIONS[activation]()]
        for before, after in zip(hidden, hidden[1:], strict=False):
            layers += [nn.Linear(before, after), ACTIVATIONS[activation]()]
        self.trunk = nn.Sequential(*layers)
        self.policy = _small(nn.Linear(hidden[-1], actions), 0.01)
        self.value = _small(nn.Linear(hidden[-1], seats), 0.1)

    def fit_to(self, encoder: Any) -> None:
        """Brings features to 0 .. 1, and makes up for most of them being 0: one in ten is not."""
        self.scale.copy_(_scale(encoder.space))
        with torch.no_grad():
            self.first.weight.mul_(3.0)

    def forward(self, parts: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """See the module."""
        row = parts["row"].to(torch.bfloat16 if torch.is_autocast_enabled("cpu") else torch.float32)
        features = self.trunk(nn.functional.linear(row, self.first.weight * self.scale, self.first.bias))
        return self.policy(features), self.value(features)


class GraphNetwork(nn.Module):
    """Places of a kind share weights, tell each other what they know, and each has the logits of its own actions.

    Args:
        places: number of places and of their features, by kind, and of the features of no place as `globals`.
        heads: of every kind of action, in the order of ids, the kind of place it goes to ("" for none) and how many
            ids it has.
        width: numbers that stand for a place.
        rounds: of messages between places that touch.
    """

    def __init__(self, places: Mapping[str, Any], heads: list, seats: int, width: int, rounds: int):
        super().__init__()
        self.heads = [tuple(head) for head in heads]
        for kind in KINDS:
            self.register_buffer(f"scale_{kind}", torch.ones(tuple(places[kind])))
        self.register_buffer("scale_globals", torch.ones(places["globals"]))
        for kind, other in TOUCH:
            self.register_buffer(f"{kind}_of_{other}", torch.zeros(places[kind][0], places[other][0]))
        self.embed = nn.ModuleDict({kind: nn.Linear(places[kind][1], width) for kind in KINDS})
        self.table = nn.Linear(places["globals"], width)
        self.told = nn.ModuleList(
            nn.ModuleDict({f"{kind}_of_{other}": nn.Linear(width, width, bias=False) for kind, other in TOUCH})
            for _ in range(rounds)
        )
        self.kept = nn.ModuleList(
            nn.ModuleDict({kind: nn.Linear(width, width) for kind in KINDS}) for _ in range(rounds)
        )
        self.whole = nn.Linear(width * (1 + len(KINDS)), width)
        self.policy = nn.ModuleList(
            _small(nn.Linear(width, 1 if kind else extent), 0.01) for kind, extent in self.heads
        )
        self.value = _small(nn.Linear(width, seats), 0.1)

    def fit_to(self, encoder: Any) -> None:
        """Takes over from the encoder which places touch, and brings features to 0 .. 1."""
        for part in (*KINDS, "globals"):
            getattr(self, f"scale_{part}").copy_(_scale(encoder.space[part]))
        for kind, other in TOUCH:
            self.get_buffer(f"{kind}_of_{other}").copy_(torch.from_numpy(_touching(encoder, kind, other)))

    def forward(self, parts: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """See the module."""
        known = torch.relu(self.table(parts["globals"] * self.scale_globals))
        at = {kind: self.embed[kind](parts[kind] * getattr(self, f"scale_{kind}")) for kind in KINDS}
        at = {kind: torch.relu(places + known[:, None]) for kind, places in at.items()}
        for told, kept in zip(self.told, self.kept, strict=True):
            heard = {kind: kept[kind](at[kind]) for kind in KINDS}
            for kind, other in TOUCH:
                name = f"{kind}_of_{other}"
                heard[kind] = heard[kind] + torch.matmul(self.get_buffer(name), told[name](at[other]))
            at = {kind: at[kind] + torch.relu(heard[kind]) for kind in KINDS}
        whole = torch.relu(self.whole(torch.cat([known, *(at[kind].mean(1) for kind in KINDS)], dim=1)))
        logits = [
            head(at[kind] + whole[:, None])[..., 0] if kind else head(whole)
            for head, (kind, _) in zip(self.policy, self.heads, strict=True)
        ]
        return torch.cat(logits, dim=1), self.value(whole)


def _touching(encoder: Any, kind: str, other: str) -> np.ndarray:
    """(places, others) float32: an equal share for each place of the other kind that touches a place, else 0."""
    arrays = {
        ("intersections", "intersections"): encoder.intersection_neighbors,
        ("intersections", "paths"): encoder.intersection_paths,
        ("paths", "intersections"): encoder.path_intersections,
        ("hexes", "intersections"): encoder.hex_intersections,
    }
    if (kind, other) not in arrays:
        among = _touching(encoder, other, kind).T > 0
    else:
        touched = arrays[kind, other]
        among = np.zeros((len(touched), encoder.space[other].shape[0]), bool)
        place, number = np.nonzero(touched >= 0)
        among[place, touched[place, number]] = True
    return (among / np.maximum(among.sum(1, keepdims=True), 1)).astype(np.float32)


class PlanesNetwork(nn.Module):
    """Convolutions over the map drawn on a grid, then fully connected layers.

    Args:
        shape: channels, height and width of an observation.
        actions, seats: logits and values.
        channels: of each convolution.
    """

    NARROW = 8
    """Channels that are left when the cells are laid in a row."""

    def __init__(self, shape: tuple[int, int, int], actions: int, seats: int, channels: tuple[int, ...]):
        super().__init__()
        self.register_buffer("scale", torch.ones(shape))
        layers: list[nn.Module] = []
        for before, after in zip((shape[0], *channels), channels, strict=False):
            layers += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU()]
        narrow = [nn.Conv2d(channels[-1], self.NARROW, 1), nn.ReLU(), nn.Flatten()]
        cells = self.NARROW * shape[1] * shape[2]
        self.trunk = nn.Sequential(*layers, *narrow, nn.Linear(cells, channels[-1]), nn.ReLU())
        self.policy = _small(nn.Linear(channels[-1], actions), 0.01)
        self.value = _small(nn.Linear(channels[-1], seats), 0.1)

    def fit_to(self, encoder: Any) -> None:
        """Brings features to 0 .. 1."""
        self.scale.copy_(_scale(encoder.space))

    def forward(self, parts: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """See the module."""
        features = self.trunk(parts["row"] * self.scale)
        return self.policy(features), self.value(features)


def network_for(engine: Any, encoder: Any, hidden: tuple[int, ...], activation: str) -> tuple[nn.Module, dict]:
    """A fresh network for an engine's games as an encoder shows them, and the description to make it anew.

    Args:
        hidden: sizes of the layers between; of a graph, the first is the width, and there are as many rounds as sizes;
            of `planes`, the channels of the convolutions.
        activation: of networks over rows; others have "relu".

    Raises:
        OptionError: there is no network for what this encoder gives.
    """
    if encoder.name == "flat":
        about = {"kind": "row", "size": encoder.size, "hidden": list(hidden), "activation": activation}
    elif encoder.name == "graph":
        places = {kind: list(encoder.space[kind].shape) for kind in KINDS}
        heads = []
        for kind in engine.actions.kinds:
            axis = engine.actions.axis(kind)
            heads.append([axis if axis in KINDS else "", len(engine.actions.ids(kind))])
        about = {
            "kind": "graph", "places": {**places, "globals": encoder.space["globals"].shape[0]}, "heads": heads,
            "width": hidden[0], "rounds": len(hidden),
        }
    elif encoder.name == "planes":
        about = {"kind": "planes", "shape": list(encoder.shape), "channels": list(hidden)}
    else:
        raise OptionError(
            f"There is no network for the encoder {encoder.name!r}; there are some for 'flat', 'graph' and 'planes'."
        )
    network = make_network(about, engine.actions.n, engine.num_players)
    network.fit_to(encoder)
    return network, about


def make_network(about: Mapping[str, Any], actions: int, seats: int) -> nn.Module:
    """The network of a description that `is_network` accepts."""
    if about["kind"] == "graph":
        return GraphNetwork(about["places"], about["heads"], seats, about["width"], about["rounds"])
    if about["kind"] == "planes":
        return PlanesNetwork(tuple(about["shape"]), actions, seats, tuple(about["channels"]))
    return RowNetwork(about["size"], actions, seats, tuple(about["hidden"]), about["activation"])


def is_network(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    """Whether a description is that of a network, and of one that fits into memory."""
    check = {"row": _is_row, "graph": _is_graph, "planes": _is_planes}.get(str(about.get("kind")))
    return _sizes(actions, seats) and check is not None and check(about, actions, seats)


def _sizes(*sizes: Any) -> bool:
    return all(type(size) is int and 0 < size <= MOST_WEIGHTS for size in sizes)


def _list_of_sizes(sizes: Any, most: int) -> bool:
    return isinstance(sizes, list) and 0 < len(sizes) <= most and _sizes(*sizes)


def _is_row(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    if set(about) != {"kind", "size", "hidden", "activation"} or not isinstance(about["activation"], str):
        return False
    if about["activation"] not in ACTIVATIONS or not _list_of_sizes(about["hidden"], MOST_LAYERS):
        return False
    if not _sizes(about["size"]):
        return False
    sizes = [about["size"], *about["hidden"], actions + seats]
    return sum(one * other for one, other in zip(sizes, sizes[1:], strict=False)) <= MOST_WEIGHTS


def _is_graph(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    if set(about) != {"kind", "places", "heads", "width", "rounds"} or not _sizes(about["width"], about["rounds"]):
        return False
    places, heads = about["places"], about["heads"]
    if not isinstance(places, dict) or set(places) != {*KINDS, "globals"} or not _sizes(places["globals"]):
        return False
    if not all(_list_of_sizes(places[kind], 2) and len(places[kind]) == 2 for kind in KINDS):
        return False
    if not isinstance(heads, list) or not heads or not all(isinstance(head, list) and len(head) == 2 for head in heads):
        return False
    for kind, extent in heads:
        if not _sizes(extent) or kind != "" and (kind not in KINDS or places[kind][0] != extent):
            return False
    features = places["globals"] + sum(places[kind][1] for kind in KINDS) + actions + seats
    weights = about["width"] * features + about["width"] ** 2 * (4 + about["rounds"] * (len(KINDS) + len(TOUCH)))
    touching = sum(places[kind][0] * places[other][0] for kind, other in TOUCH)
    return sum(extent for _, extent in heads) == actions and about["rounds"] <= MOST_LAYERS and (
        weights + touching <= MOST_WEIGHTS
    )


def _is_planes(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    if set(about) != {"kind", "shape", "channels"} or not _list_of_sizes(about["channels"], MOST_LAYERS):
        return False
    if not _list_of_sizes(about["shape"], 3) or len(about["shape"]) != 3:
        return False
    sizes, cells = [about["shape"][0], *about["channels"]], about["shape"][1] * about["shape"][2]
    weights = sum(9 * one * other for one, other in zip(sizes, sizes[1:], strict=False))
    last = sizes[-1] * (PlanesNetwork.NARROW * cells + actions + seats)
    return weights + last + sizes[0] * cells <= MOST_WEIGHTS
