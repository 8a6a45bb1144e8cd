"""A single graph network for several games, in which everything with the same name shares weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import torch
from torch import nn
from torch.func import functional_call

from catan_agents.networks.graph import KINDS, GraphNetwork, is_graph
from catan_agents.networks.layers import MOST_WEIGHTS, Answer, GameNetwork, are_names, numbers_of, together

MOST_GAMES = 100
PARTS = (*KINDS, "globals")


class SharedNetwork(GameNetwork):
    """A set of graph networks, one per game, built from shared weights.

    Place features, global features, actions, and seats relative to the observer share weights across games if they have
    the same name. The weights for messages between places are shared by all games. Features and actions that occur in
    only one game have separate columns and rows.

    Args:
        games: a description of each game, from `described`.
        width, rounds: as in `GraphNetwork`.
    """

    def __init__(self, games: Sequence[Mapping[str, Any]], width: int, rounds: int):
        super().__init__()
        names = {part: together(game["features"][part] for game in games) for part in PARTS}
        heads: dict[tuple[str, str], list[str]] = {}
        for game in games:
            for kind, axis, arguments in game["heads"]:
                heads[kind, axis] = together([heads.get((kind, axis), []), arguments])
        places: dict[str, Any] = {kind: [1, len(names[kind])] for kind in KINDS} | {"globals": len(names["globals"])}
        all_heads = [[axis, len(arguments) or 1] for (_, axis), arguments in heads.items()]
        most_values = max(game["values"] for game in games)
        self.shared = GraphNetwork(places, all_heads, most_values, width, rounds)
        self.widths = self.shared.widths
        bare_networks = [_bare(as_graph(game, width, rounds), game["values"]) for game in games]
        self.games = nn.ModuleList(bare_networks)
        self._heads = [[list(heads).index((kind, axis)) for kind, axis, _ in game["heads"]] for game in games]
        self._values = [game["values"] for game in games]
        for game_number, game in enumerate(games):
            for part in PARTS:
                indices = numbers_of(game["features"][part], names[part])
                self.register_buffer(f"{part}_{game_number}", indices, persistent=False)
            for head, (kind, axis, arguments) in enumerate(game["heads"]):
                indices = numbers_of(arguments or [""], heads[kind, axis] or [""])
                self.register_buffer(f"head_{game_number}_{head}", indices, persistent=False)

    def fit_to(self, encoders: Sequence[Any]) -> None:
        """Copy the adjacency of each game from its encoder, and set the scales that map features to 0 .. 1.

        A feature has the same scale in all games.
        """
        for game, encoder in zip(self.games, encoders, strict=True):
            cast("GraphNetwork", game).fit_to(encoder)
        for part in PARTS:
            scale = self.shared.get_buffer(f"scale_{part}").view(-1)
            game_scales = [game.get_buffer(f"scale_{part}") for game in self.games]
            columns_by_game = [self.get_buffer(f"{part}_{game_number}") for game_number in range(len(game_scales))]
            for game_scale, columns in zip(game_scales, columns_by_game, strict=True):
                scale[columns] = torch.minimum(scale[columns], game_scale.view(-1, len(columns)).amin(0))
            for game_scale, columns in zip(game_scales, columns_by_game, strict=True):
                game_scale.copy_(scale[columns].expand_as(game_scale))

    def forward(self, parts: Mapping[str, torch.Tensor], beside: torch.Tensor | float = 0.0, *, game: int) -> Answer:
        """Return logits, values and position features; see the package docstring.

        `game` is the number of the observed game.
        """
        return functional_call(self.games[game], self._weights_of(game), (parts, beside))

    def _weights_of(self, game: int) -> dict[str, torch.Tensor]:
        """Return the weights of the network for one game, keyed by parameter name."""
        shared: dict[str, torch.Tensor] = dict(self.shared.named_parameters())
        game_weights = {name: weights for name, weights in shared.items() if not name.startswith("policy.")}
        value_count = self._values[game]
        for part in PARTS:
            name = "table.weight" if part == "globals" else f"embed.{part}.weight"
            game_weights[name] = shared[name].index_select(1, self.get_buffer(f"{part}_{game}"))
        for head_number, head in enumerate(self._heads[game]):
            indices = self.get_buffer(f"head_{game}_{head_number}")
            for name in ("weight", "bias"):
                game_weights[f"policy.{head_number}.{name}"] = shared[f"policy.{head}.{name}"].index_select(0, indices)
        return game_weights | {name: shared[name][:value_count] for name in ("value.weight", "value.bias")}


def described(engine: Any, encoder: Any, values: int) -> dict[str, Any]:
    """Describe a game for `SharedNetwork`.

    The description contains the number of places of each kind, the names of all features, and the number of values
    (`values` per seat). For each kind of action, it contains the name, the kind of place that the action refers to (""
    for none), and the names of the arguments if they are not places.
    """
    heads = []
    for kind in engine.actions.kinds:
        axis, extent = engine.actions.axis(kind), len(engine.actions.ids(kind))
        if axis in KINDS:
            heads.append([kind, axis, []])
        else:
            names = list(engine.actions.argument_names(kind))
            heads.append([kind, "", names if len(set(names)) == extent else list(map(str, range(extent)))])
    return {
        "places": {kind: encoder.space[kind].shape[0] for kind in KINDS},
        "features": {part: list(encoder.feature_names[part]) for part in PARTS},
        "heads": heads,
        "values": engine.num_players * values,
    }


def as_graph(game: Mapping[str, Any], width: int, rounds: int) -> dict[str, Any]:
    """Return the `GraphNetwork` description for one of the games."""
    places, features = game["places"], game["features"]
    return {
        "kind": "graph",
        "width": width,
        "rounds": rounds,
        "places": {kind: [places[kind], len(features[kind])] for kind in KINDS} | {"globals": len(features["globals"])},
        "heads": [[axis, places[axis] if axis in KINDS else len(arguments)] for _, axis, arguments in game["heads"]],
    }


def is_shared(about: Mapping[str, Any], sizes: Sequence[tuple[int, int]]) -> bool:
    """Return whether a description defines a valid `SharedNetwork` with the given actions and values per game."""
    if set(about) != {"kind", "width", "rounds", "games"} or not isinstance(about["games"], list):
        return False
    games = about["games"]
    if len(games) != len(sizes) or len(games) > MOST_GAMES or not all(map(_is_described, games)):
        return False
    descriptions = [as_graph(game, about["width"], about["rounds"]) for game in games]
    return all(
        game["values"] == value_count and is_graph(graph, actions, value_count, MOST_WEIGHTS // len(games))
        for game, graph, (actions, value_count) in zip(games, descriptions, sizes, strict=True)
    )


def _is_described(game: Any) -> bool:
    if not isinstance(game, dict) or set(game) != {"places", "features", "heads", "values"}:
        return False
    if type(game["values"]) is not int:
        return False
    places, features, heads = game["places"], game["features"], game["heads"]
    if not isinstance(places, dict) or set(places) != set(KINDS) or not isinstance(heads, list):
        return False
    if not isinstance(features, dict) or set(features) != set(PARTS) or not all(map(are_names, features.values())):
        return False
    if not all(isinstance(head, list) and len(head) == 3 and are_names(head[2]) for head in heads):
        return False
    if any(axis not in ("", *KINDS) or (axis == "") != bool(arguments) for _, axis, arguments in heads):
        return False
    return are_names([kind for kind, _, _ in heads])


def _bare(about: Mapping[str, Any], values: int) -> GraphNetwork:
    """Return a network without parameters of its own; its weights are passed in with each observation."""
    network = GraphNetwork(about["places"], about["heads"], values, about["width"], about["rounds"])
    for module in network.modules():
        for name, _ in list(module.named_parameters(recurse=False)):
            module.register_parameter(name, None)
    return network
