"""Value networks: saving and loading them, and matching them to games.

A safetensors file holds the weights of three layers and a description of the games. Bundled networks are in
`agents/catan_agents/pretrained/`. Agents accept a network, given by name or file, instead of term weights. The value of
a position is then the seat's estimated probability of winning or, if the file holds term weights as well, their sum
corrected by the network. A file may hold several networks for different games, or for different rule numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents.bundled import PRETRAINED, VALUE_FILE, plays_with_one_less
from catan_agents.evaluation.features import feature_names
from catan_agents.evaluation.network_evaluation import MOST_INPUTS, MOST_UNITS, row_of
from catan_agents.evaluation.terms import Term, terms_of
from catan_agents.search.weights import WeightsError
from catan_env.errors import MissingExtraError
from catan_env.numeric import is_number
from catan_env.text_files import has_ending, json_of
from catan_env.whole_files import write_whole

FORMAT = "catan-value/2"
ABOUT = {"games": list, "made": dict}
PLAYERS = "greedy", "expectimax"
"""Agents that may play with a network."""
LAYERS = 3
PARTS = ("weights", "biases")


@dataclass(frozen=True)
class GameSignature:
    """A game on which a network was trained: scenario, version, number of players, and features.

    The features are described in `catan_agents.evaluation.features`.
    """

    scenario: str
    version: int
    players: int
    features: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.scenario}/{self.players}"

    def __str__(self) -> str:
        return f"{self.scenario!r}, version {self.version}, with {self.players} players"

    def without_last_player(self) -> GameSignature:
        """Return the signature of the same game with one player less."""
        missing = self.players - 1
        features = tuple(name for name in self.features if not name.endswith(f"@{missing}"))
        return replace(self, players=missing, features=features)


def signature_of(engine: Any) -> GameSignature:
    """Return the signature of the game that an engine plays."""
    scenario, players = engine.scenario, engine.num_players
    return GameSignature(
        scenario.name.split("+")[0], scenario.version, players, feature_names(engine.program.composition, players)
    )


def inputs_of(games: Sequence[GameSignature]) -> tuple[str, ...]:
    """Return the names of the inputs of a network for the given games.

    The inputs are the features of all games, followed by one indicator per game if there are several games.
    """
    features = tuple(dict.fromkeys(name for game in games for name in game.features))
    return features + tuple(game.name for game in games) if len(games) > 1 else features


@dataclass(frozen=True)
class ValueNetwork:
    """A network that estimates a seat's probability of winning from the features of a position.

    It has two hidden ReLU layers and a logistic output. With `terms`, its output is instead added to the weighted sum
    of terms, in the same unit.

    Attributes:
        games: games on which the network was trained.
        layers: weights (inputs, units) float32 and biases (units,) float32 of each of the three layers.
        made: human-readable information about the training.
        agent: the agent that plays with the network unless another one is asked for, one of `PLAYERS`.
        terms: weights keyed by term name, for each of the games, or nothing if the network estimates probabilities.
        rules: rule numbers in training, by which one of several networks for a game is chosen.
        others: separately trained networks for further games or rule numbers; their `others` is empty.
    """

    games: tuple[GameSignature, ...]
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    made: Mapping[str, Any]
    agent: str = PLAYERS[0]
    terms: tuple[Mapping[str, float], ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    others: tuple[ValueNetwork, ...] = ()

    @property
    def networks(self) -> tuple[ValueNetwork, ...]:
        """This network and the others."""
        return self, *self.others

    @property
    def all_games(self) -> tuple[GameSignature, ...]:
        """Games of all networks."""
        return tuple(dict.fromkeys(game for network in self.networks for game in network.games))

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, see `inputs_of`."""
        return inputs_of(self.games)

    def row_for(self, engine: Any) -> np.ndarray:
        """Return the network for an engine's game as a 1-D float64 array, see `network_evaluation.row_of`.

        Raises:
            WeightsError: no network can play this game.
        """
        network = self.for_game(engine)
        return row_of(network.layers, _term_weights(network, engine))

    def limited_to(self, games: Collection[GameSignature]) -> ValueNetwork:
        """Return the network for only the given ones of its games, without inputs that are always 0 in them.

        If one game remains, the weights of the input that indicates it become part of the biases.
        """
        known = tuple(game for game in self.games if game in games)
        inputs = inputs_of(known)
        (weights, biases), *later_layers = self.layers
        if len(known) == 1 < len(self.games):
            biases = biases + weights[self.inputs.index(known[0].name)]
        first_layer = self.weights_of(inputs), biases
        terms = tuple(terms for game, terms in zip(self.games, self.terms, strict=False) if game in games)
        return replace(self, games=known, layers=(first_layer, *later_layers), terms=terms, others=())

    def without_last_player(self) -> ValueNetwork:
        """Return this network of a single game for one player less, without the inputs about the missing one."""
        (game,), ((_, biases), *later_layers) = self.games, self.layers
        fewer = game.without_last_player()
        first_layer = self.weights_of(fewer.features), biases
        return replace(self, games=(fewer,), layers=(first_layer, *later_layers))

    def weights_of(self, names: Sequence[str]) -> np.ndarray:
        """Return the first layer's weights of the inputs with the given names, shape (names, units), float32."""
        inputs = self.inputs
        return self.layers[0][0][[inputs.index(name) for name in names]]

    def term_weights_for(self, engine: Any) -> np.ndarray:
        """Return the weights of the terms of an engine's game, shape (terms,), float64, or (0,) without `terms`.

        Raises:
            WeightsError: no network can play this game.
        """
        return _term_weights(self.for_game(engine), engine)

    def suited_to(self, games: Collection[GameSignature], rules: Mapping[str, Any]) -> ValueNetwork | None:
        """Return the one of `networks` that knows some of the games, or None.

        If several do, the one that shares the most rule numbers with `rules` is chosen, and the first one on a tie.
        """
        fitting = [network for network in self.networks if set(network.games) & set(games)]

        def equal_numbers(network: ValueNetwork) -> int:
            return sum(rules.get(name) == number for name, number in network.rules.items())

        return max(fitting, key=equal_numbers, default=None)

    def for_game(self, engine: Any) -> ValueNetwork:
        """Return the one of `networks` that was trained on an engine's game, limited to this game, see `suited_to`.

        A network that was trained on the same game with one more player can play it, too, see `plays_with_one_less`.

        Raises:
            WeightsError: no network can play this game.
        """
        engine_signature, known_games = signature_of(engine), self.all_games
        if network := self.suited_to([engine_signature], engine.rules):
            return network.limited_to([engine_signature])
        larger_games = [
            game
            for game in known_games
            if plays_with_one_less(game.players, engine.num_players) and game.without_last_player() == engine_signature
        ]
        if network := self.suited_to(larger_games, engine.rules):
            return network.limited_to(larger_games).without_last_player()
        if engine_signature in [replace(known, features=engine_signature.features) for known in known_games]:
            raise WeightsError(
                "The value network was trained on features that differ from those of this version. Train it again."
            )
        named_games = " and ".join(map(str, known_games))
        raise WeightsError(f"The value network was trained on {named_games}; this game is {engine_signature}.")


def _term_weights(network: ValueNetwork, engine: Any) -> np.ndarray:
    """Return the weights of the terms of a network that knows just an engine's game, see `term_weights_for`."""
    if not network.terms:
        return np.zeros(0)
    (weights,) = network.terms
    names = [term.name for term in terms_of(engine.program.composition)]
    if set(names) != set(weights):
        raise WeightsError(
            "The value network was trained with terms that differ from those of this version. Train it again."
        )
    return np.array([weights[name] for name in names])


def save_value_network(path: str | Path, network: ValueNetwork, bits: int = 32) -> None:
    """Write a network and its others to a file atomically, creating the folder if needed.

    Agents always compute in 32 bits.

    Args:
        path: file to write.
        network: the network.
        bits: bits per stored number: 32, 16, or 8 for weights and 16 for biases.

    Raises:
        OptionError: `bits` is not 8, 16 or 32.
    """
    from safetensors.numpy import save

    from catan_agents.tensor_files import CHECKSUM, checksum_of, rounded_to

    numbers_of_parts = {
        prefix_of(number) + f"{k}.{name}": np.asarray(numbers)
        for number, one in enumerate(network.networks)
        for k, layer in enumerate(one.layers)
        for name, numbers in zip(PARTS, layer, strict=True)
    }
    tensors = rounded_to(bits, numbers_of_parts)
    metadata: dict[str, Any] = {"format": FORMAT, **_described(network)}
    if network.others:
        metadata["others"] = [_described(other) for other in network.others]
    text = json.dumps(metadata)
    metadata[CHECKSUM] = checksum_of(tensors, text)
    write_whole(path, save(tensors, {"about": json.dumps(metadata)}))


def prefix_of(number: int) -> str:
    """Return the start of the names of a network's tensors, given its position in `ValueNetwork.networks`."""
    return f"{number}/" if number else ""


def _described(network: ValueNetwork) -> dict[str, Any]:
    """Return the entries of a file that describe a network."""
    games = [asdict(game) for game in network.games]
    entries: dict[str, Any] = {"games": games, "made": dict(network.made), "agent": network.agent}
    if network.terms:
        entries["terms"] = [dict(weights) for weights in network.terms]
    if network.rules:
        entries["rules"] = dict(network.rules)
    return entries


def load_value_network(path: str | Path) -> ValueNetwork:
    """Load a network from a file.

    Raises:
        WeightsError: the file is missing or invalid.
        MissingExtraError: the extra `train` is not installed.
    """
    try:
        from safetensors import SafetensorError

        from catan_agents.tensor_files import CHECKSUM, checksum_of, read_tensors, restored
    except ModuleNotFoundError:
        raise MissingExtraError("Value networks need safetensors: pip install 'catan-env[train]'.") from None
    try:
        tensors, metadata = read_tensors(Path(path))
        about = json_of(metadata.get("about", "{}"), "about", "description of a value network", WeightsError)
        checksum = about.pop(CHECKSUM, None)
        if checksum is not None and checksum != checksum_of(tensors, json.dumps(about)):
            raise ValueError("its checksum does not match its contents; restore an earlier copy")
        return _checked(about, restored(tensors))
    except (OSError, SafetensorError, ValueError, WeightsError) as error:
        raise WeightsError(f"{path} is not a value network: {error}") from None


def _checked(about: Any, parts: Mapping[str, np.ndarray]) -> ValueNetwork:
    """Validate the contents of a file and build its networks from them.

    Raises:
        ValueError: the contents are invalid.
    """
    if about.get("format") != FORMAT:
        raise ValueError(f"its 'format' must be {FORMAT!r}")
    others = about.get("others", [])
    if not isinstance(others, list) or not all(isinstance(other, dict) for other in others):
        raise ValueError("its 'others' must be a list of tables")
    names = [f"{k}.{part}" for k in range(LAYERS) for part in PARTS]
    if set(parts) != {prefix_of(number) + name for number in range(1 + len(others)) for name in names}:
        raise ValueError(f"its parts must be weights and biases of {LAYERS} layers")
    first, *rest = (
        _checked_network(said, {name: parts[prefix_of(number) + name].astype(np.float32) for name in names})
        for number, said in enumerate([about, *others])
    )
    return replace(first, others=tuple(rest))


def _checked_network(about: Any, arrays: Mapping[str, np.ndarray]) -> ValueNetwork:
    """Validate a network's description and its arrays, keyed by layer and part, and build it from them.

    Raises:
        ValueError: the contents are invalid.
    """
    if wrong_keys := [key for key, kind in ABOUT.items() if type(about.get(key)) is not kind]:
        raise ValueError(f"these keys are missing or have wrong values: {', '.join(wrong_keys)}")
    agent = about.get("agent", PLAYERS[0])
    if agent not in PLAYERS:
        raise ValueError(f"its 'agent' is {agent!r}; it must be {' or '.join(PLAYERS)}")
    layers = tuple((arrays[f"{k}.weights"], arrays[f"{k}.biases"]) for k in range(LAYERS))
    games = tuple(_known(game) for game in about["games"])
    inputs = len(inputs_of(games))
    for k, (weights, biases) in enumerate(layers):
        units = 1 if k == LAYERS - 1 else min(len(biases), MOST_UNITS)
        if weights.shape != (min(inputs, MOST_INPUTS), units) or biases.shape != (units,):
            raise ValueError(f"layer {k} has weights of shape {weights.shape} and biases of shape {biases.shape}")
        if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
            raise ValueError(f"layer {k} contains numbers that are not finite")
        inputs = units
    if not isinstance(rules := about.get("rules", {}), dict):
        raise ValueError("its 'rules' must be a table")
    return ValueNetwork(games, layers, about["made"], agent, _checked_terms(about.get("terms", []), len(games)), rules)


def _checked_terms(said: Any, games: int) -> tuple[Mapping[str, float], ...]:
    """Parse the term weights of each game from a file entry.

    Raises:
        ValueError: the entry is invalid.
    """
    if not isinstance(said, list) or len(said) not in (0, games):
        raise ValueError("its 'terms' must be a list with a table for each of its games")
    if not all(
        isinstance(weights, dict) and all(is_number(weight) and np.isfinite(weight) for weight in weights.values())
        for weights in said
    ):
        raise ValueError("each of its 'terms' must map names to finite numbers")
    return tuple(said)


def _known(said: Any) -> GameSignature:
    """Parse the signature of a game from a file entry.

    Raises:
        ValueError: the entry is invalid.
    """
    kinds = {"scenario": str, "version": int, "players": int, "features": list}
    if not isinstance(said, dict) or {key: type(value) for key, value in said.items()} != kinds:
        raise ValueError(f"each of its games must have the keys {', '.join(kinds)}")
    return GameSignature(**said | {"features": tuple(map(str, said["features"]))})


def network_given(given: Any) -> ValueNetwork | None:
    """Return the value network that an option selects, or None if the option specifies weights.

    The option may be a network, the name of a bundled one, or a file.
    """
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
    """Return the weights or network for evaluating positions in an engine's games, as a 1-D float64 array.

    Args:
        given: value of the agent's option, as in `Searcher`.
        weights: function that selects the weights, such as `weights_for`.

    Raises:
        WeightsError: `given` does not fit the game.
    """
    if not isinstance(given, ValueNetwork):
        return weights(terms, engine.scenario.name, engine.num_players, given)
    return given.row_for(engine)


class EvaluationRows:
    """The rows with which an agent evaluates positions, kept for each scenario and number of players.

    Engines that differ in rule numbers share a row, unless networks are chosen by these numbers. A copy starts empty.

    Args:
        given: as for `evaluation_row`.
    """

    def __init__(self, given: Any):
        self.given = given
        networks = given.networks if isinstance(given, ValueNetwork) else ()
        self.deciding_rules = sorted({name for network in networks for name in network.rules})
        self.rows: dict[tuple[Any, ...], np.ndarray] = {}

    def __reduce__(self) -> tuple[type, tuple[Any]]:
        return type(self), (self.given,)

    def of(
        self, engine: Any, terms: Sequence[Term], weights: Callable[[Sequence[Term], str, int, Any], np.ndarray]
    ) -> np.ndarray:
        """Return the row for an engine, see `evaluation_row`."""
        numbers = (repr(engine.rules.get(name)) for name in self.deciding_rules)
        key = engine.scenario.name, engine.num_players, *numbers
        if key not in self.rows:
            self.rows[key] = evaluation_row(engine, terms, self.given, weights)
        return self.rows[key]
