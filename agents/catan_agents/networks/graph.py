"""A message-passing network over intersections, paths and hexes, for use with `graph` observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from catan_agents.networks.layers import (
    MOST_LAYERS,
    MOST_WEIGHTS,
    Answer,
    GameNetwork,
    are_sizes,
    list_of_sizes,
    scale_of,
    small,
)

KINDS = ("intersections", "paths", "hexes")
TOUCH = (
    ("intersections", "intersections"),
    ("intersections", "paths"),
    ("intersections", "hexes"),
    ("paths", "intersections"),
    ("hexes", "intersections"),
)
"""The (receiver, sender) pairs between which messages are passed."""


class GraphNetwork(GameNetwork):
    """A message-passing network that shares weights between all places of the same kind.

    Each place outputs logits for the actions that refer to it.

    Args:
        places: number of places and number of features per place, keyed by kind, and the number of global features
            under `globals`.
        heads: for each kind of action, in id order, the kind of place that it refers to ("" for none) and its number of
            ids.
        seats: number of values.
        width: size of the embedding of each place.
        rounds: number of message-passing rounds.
    """

    def __init__(self, places: Mapping[str, Any], heads: list, seats: int, width: int, rounds: int):
        super().__init__()
        self.heads, self.widths = [tuple(head) for head in heads], (width, width)
        for kind in KINDS:
            self.register_buffer(f"scale_{kind}", torch.ones(tuple(places[kind])))
        self.register_buffer("scale_globals", torch.ones(places["globals"]))
        for kind, other_kind in TOUCH:
            self.register_buffer(f"{kind}_of_{other_kind}", torch.zeros(places[kind][0], places[other_kind][0]))
        self.embed = nn.ModuleDict({kind: nn.Linear(places[kind][1], width) for kind in KINDS})
        self.table = nn.Linear(places["globals"], width)
        self.send = nn.ModuleList(
            nn.ModuleDict(
                {f"{kind}_of_{other_kind}": nn.Linear(width, width, bias=False) for kind, other_kind in TOUCH}
            )
            for _ in range(rounds)
        )
        self.keep = nn.ModuleList(
            nn.ModuleDict({kind: nn.Linear(width, width) for kind in KINDS}) for _ in range(rounds)
        )
        self.whole = nn.Linear(width * (1 + len(KINDS)), width)
        self.policy = nn.ModuleList(small(nn.Linear(width, 1 if kind else extent), 0.01) for kind, extent in self.heads)
        self.value = small(nn.Linear(width, seats), 0.1)

    def fit_to(self, encoder: Any) -> None:
        """Copy the adjacency from the encoder, and set the scales that map features to 0 .. 1."""
        for part in (*KINDS, "globals"):
            getattr(self, f"scale_{part}").copy_(scale_of(encoder.space[part]))
        for kind, other_kind in TOUCH:
            self.get_buffer(f"{kind}_of_{other_kind}").copy_(torch.from_numpy(_touching(encoder, kind, other_kind)))

    def forward(self, parts: Mapping[str, torch.Tensor], beside: torch.Tensor | float = 0.0) -> Answer:
        """Return logits, values and position features; see the package docstring."""
        overall_state = torch.relu(self.table(parts["globals"] * self.get_buffer("scale_globals")) + beside)
        embeddings = {kind: self.embed[kind](parts[kind] * getattr(self, f"scale_{kind}")) for kind in KINDS}
        embeddings = {kind: torch.relu(embedding + overall_state[:, None]) for kind, embedding in embeddings.items()}
        for send_layers, keep_layers in zip(self.send, self.keep, strict=True):
            send, keep = cast("nn.ModuleDict", send_layers), cast("nn.ModuleDict", keep_layers)
            gathered = {kind: keep[kind](embeddings[kind]) for kind in KINDS}
            for kind, other_kind in TOUCH:
                buffer_name = f"{kind}_of_{other_kind}"
                gathered[kind] = gathered[kind] + torch.matmul(
                    self.get_buffer(buffer_name), send[buffer_name](embeddings[other_kind])
                )
            embeddings = {kind: embeddings[kind] + torch.relu(gathered[kind]) for kind in KINDS}
        whole = torch.relu(self.whole(torch.cat([overall_state, *(embeddings[kind].mean(1) for kind in KINDS)], dim=1)))
        logits = [
            head(embeddings[kind] + whole[:, None])[..., 0] if kind else head(whole)
            for head, (kind, _) in zip(self.policy, self.heads, strict=True)
        ]
        return torch.cat(logits, dim=1), self.value(whole), whole


def _touching(encoder: Any, kind: str, other: str) -> np.ndarray:
    """Return the normalized adjacency matrix, shape (places, others), float32.

    The nonzero entries in a row are equal and sum to 1.
    """
    arrays = {
        ("intersections", "intersections"): encoder.intersection_neighbors,
        ("intersections", "paths"): encoder.intersection_paths,
        ("paths", "intersections"): encoder.path_intersections,
        ("hexes", "intersections"): encoder.hex_intersections,
    }
    if (kind, other) not in arrays:
        touches = _touching(encoder, other, kind).T > 0
    else:
        neighbors = arrays[kind, other]
        touches = np.zeros((len(neighbors), encoder.space[other].shape[0]), bool)
        place_indices, neighbor_indices = np.nonzero(neighbors >= 0)
        touches[place_indices, neighbors[place_indices, neighbor_indices]] = True
    return (touches / np.maximum(touches.sum(1, keepdims=True), 1)).astype(np.float32)


def is_graph(about: Mapping[str, Any], actions: int, seats: int) -> bool:
    """Return whether a description defines a valid `GraphNetwork` that fits in memory."""
    if set(about) != {"kind", "places", "heads", "width", "rounds"} or not are_sizes(about["width"], about["rounds"]):
        return False
    places, heads = about["places"], about["heads"]
    if not isinstance(places, dict) or set(places) != {*KINDS, "globals"} or not are_sizes(places["globals"]):
        return False
    if not all(list_of_sizes(places[kind], 2) and len(places[kind]) == 2 for kind in KINDS):
        return False
    if not isinstance(heads, list) or not heads or not all(isinstance(head, list) and len(head) == 2 for head in heads):
        return False
    for kind, extent in heads:
        if not are_sizes(extent) or kind != "" and (kind not in KINDS or places[kind][0] != extent):
            return False
    feature_count = places["globals"] + sum(places[kind][1] for kind in KINDS) + actions + seats
    weight_count = about["width"] * feature_count + about["width"] ** 2 * (
        4 + about["rounds"] * (len(KINDS) + len(TOUCH))
    )
    touch_count = sum(places[kind][0] * places[other_kind][0] for kind, other_kind in TOUCH)
    return (
        sum(extent for _, extent in heads) == actions
        and about["rounds"] <= MOST_LAYERS
        and (weight_count + touch_count <= MOST_WEIGHTS)
    )
