"""Value networks on disk: files, and whose positions they can judge.

A file holds the weights of three layers, as safetensors, and what they belong to. Networks that come along lie in
`agents/catan_agents/pretrained/` under their names. Wherever agents take weights of terms they take a network too, by
its name or file: positions are then worth how likely it finds it that the seat wins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents.bundled import PRETRAINED, VALUE_FILE
from catan_agents.evaluation.features import feature_names
from catan_agents.evaluation.network_evaluation import MOST_INPUTS, MOST_UNITS, row_of
from catan_agents.evaluation.terms import Term
from catan_agents.search.weights import WeightsError
from catan_env.errors import MissingExtraError
from catan_env.text_files import has_ending, json_of
from catan_env.whole_files import write_whole

FORMAT = "catan-value/2"
ABOUT = {"format": str, "games": list, "made": dict}
LAYERS = 3


@dataclass(frozen=True)
class GameSignature:
    """The game that a network was learned from: scenario, version, number of players, and the features that it sees.

    See `catan_agents.evaluation.features`."""

    scenario: str
    version: int
    players: int
    features: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.scenario}/{self.players}"

    def __str__(self) -> str:
        return f"{self.scenario!r}, version {self.version}, with {self.players} players"


def signature_of(engine: Any) -> GameSignature:
    """The signature of the game that an engine plays."""
    scenario, players = engine.scenario, engine.num_players
    return GameSignature(
        scenario.name.split("+")[0], scenario.version, players, feature_names(engine.program.composition, players)
    )


def inputs_of(games: Sequence[GameSignature]) -> tuple[str, ...]:
    """Inputs of a network for these games: all that is seen of any of them and, if they are several, for each one that
    says whether it is played."""
    features = tuple(dict.fromkeys(name for game in games for name in game.features))
    return features + tuple(game.name for game in games) if len(games) > 1 else features


@dataclass(frozen=True)
class ValueNetwork:
    """How likely a seat is to win, by the features of its position: two hidden layers with ReLU, and a logistic unit.

    Attributes:
        games: those that it was learned from.
        layers: of each of three layers the weights, (inputs, units) float32, and the biases, (units,) float32.
        made: how it was learned, for people.
    """

    games: tuple[GameSignature, ...]
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    made: Mapping[str, Any]

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, see `inputs_of`."""
        return inputs_of(self.games)

    def row_for(self, engine: Any) -> np.ndarray:
        """The network for games of an engine, as `catan_agents.evaluation.network_evaluation` has it in memory, 1-D
        float64.

        Raises:
            WeightsError: it was not learned from such games.
        """
        signature, inputs = self.played_in(engine), self.inputs
        (weights, biases), *later_layers = self.layers
        if len(self.games) > 1:
            biases = biases + weights[inputs.index(signature.name)]
        return row_of(((weights[[inputs.index(name) for name in signature.features]], biases), *later_layers))

    def played_in(self, engine: Any) -> GameSignature:
        """Those of its games that an engine plays.

        Raises:
            WeightsError: it was not learned from such games.
        """
        engine_signature = signature_of(engine)
        for signature in self.games:
            if signature == engine_signature:
                return signature
            if replace(signature, features=engine_signature.features) == engine_signature:
                raise WeightsError("The value network was learned from other features of positions than are seen now.")
        known_games = " and ".join(map(str, self.games))
        raise WeightsError(f"The value network was learned from {known_games}; these games are {engine_signature}.")


def save_value_network(path: str | Path, network: ValueNetwork) -> None:
    """Writes a network, in place of what was there at once; the folder is made if need be."""
    from safetensors.numpy import save

    from catan_agents.tensor_files import CHECKSUM, checksum_of

    tensors: dict[str, np.ndarray] = {}
    for k, (weights, biases) in enumerate(network.layers):
        tensors |= {f"{k}.weights": np.ascontiguousarray(weights, np.float32), f"{k}.biases": biases.astype(np.float32)}
    metadata = {"format": FORMAT, "games": [asdict(game) for game in network.games], "made": dict(network.made)}
    text = json.dumps(metadata)
    metadata[CHECKSUM] = checksum_of(tensors, text)
    write_whole(path, save(tensors, {"about": json.dumps(metadata)}))


def load_value_network(path: Path) -> ValueNetwork:
    """The network of a file.

    Raises:
        WeightsError: there is no such file, or it holds something else.
        MissingExtraError: the extra `train` is not installed.
    """
    try:
        from safetensors import SafetensorError

        from catan_agents.tensor_files import CHECKSUM, checksum_of, read_tensors
    except ModuleNotFoundError:
        raise MissingExtraError("Value networks need safetensors: pip install 'catan-env[train]'.") from None
    try:
        tensors, metadata = read_tensors(path)
        about = json_of(metadata.get("about", "{}"), "about", "description of a value network", WeightsError)
        checksum = about.pop(CHECKSUM, None)
        if checksum is not None and checksum != checksum_of(tensors, json.dumps(about)):
            raise ValueError("its checksum does not fit its contents; bring back an earlier copy")
        return _checked(about, tensors)
    except (OSError, SafetensorError, ValueError, WeightsError) as error:
        raise WeightsError(f"{path}: no value network: {error}") from None


def _checked(about: Any, parts: Mapping[str, np.ndarray]) -> ValueNetwork:
    """The network of these parts; ValueError says what is wrong with them."""
    if about.get("format") != FORMAT:
        raise ValueError(f"it does not say that its format is {FORMAT!r}")
    if wrong_keys := [key for key, kind in ABOUT.items() if type(about.get(key)) is not kind]:
        raise ValueError(f"it lacks, or has wrong values for, {', '.join(wrong_keys)}")
    if set(parts) != {f"{k}.{part}" for k in range(LAYERS) for part in ("weights", "biases")}:
        raise ValueError(f"it has other parts than weights and biases of {LAYERS} layers")
    layers = tuple((parts[f"{k}.weights"], parts[f"{k}.biases"]) for k in range(LAYERS))
    games = tuple(_known(game) for game in about["games"])
    inputs = len(inputs_of(games))
    for k, (weights, biases) in enumerate(layers):
        units = 1 if k == LAYERS - 1 else min(len(biases), MOST_UNITS)
        if weights.shape != (min(inputs, MOST_INPUTS), units) or biases.shape != (units,):
            raise ValueError(f"layer {k} has weights of shape {weights.shape} and biases of shape {biases.shape}")
        if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
            raise ValueError(f"layer {k} holds numbers that are not finite")
        inputs = units
    return ValueNetwork(games, layers, about["made"])


def _known(said: Any) -> GameSignature:
    """The signature of a game that a file holds; ValueError says what is wrong with it."""
    kinds = {"scenario": str, "version": int, "players": int, "features": list}
    if not isinstance(said, dict) or {key: type(value) for key, value in said.items()} != kinds:
        raise ValueError(f"its games are not told by {', '.join(kinds)}")
    return GameSignature(**said | {"features": tuple(map(str, said["features"]))})


def network_given(given: Any) -> ValueNetwork | None:
    """The value network that was given instead of weights: one, the name of one that comes along, or a file; else
    none."""
    if isinstance(given, ValueNetwork):
        return given
    if not isinstance(given, (str, Path)):
        return None
    bundled = PRETRAINED / given / VALUE_FILE
    path = bundled if bundled.is_file() else Path(given)
    return load_value_network(path) if has_ending(path, bundled.suffix) else None


def evaluation_row(
    engine: Any, terms: Sequence[Term], given: Any, weights: Callable[[Sequence[Term], str, int, Any], np.ndarray]
) -> np.ndarray:
    """What agents judge positions of an engine's games by, 1-D float64: a network if that was given, else what a
    function such as `weights_for` finds.

    Raises:
        WeightsError: what was given does not fit.
    """
    if not isinstance(given, ValueNetwork):
        return weights(terms, engine.scenario.name, engine.num_players, given)
    return given.row_for(engine)
