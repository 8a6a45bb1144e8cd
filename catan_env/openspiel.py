"""Scenarios as OpenSpiel games: `pyspiel.load_game("catan_base(players=3)")` after `import catan_env.openspiel`.

Chance is explicit, and every rule number is a game parameter. A state holds a game record and a digest of each player's
history. Games with equal parameters share an engine, into which states load their records, so use one thread only.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import catan_env.render  # noqa: F401 (draws states as text)
from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario
from catan_env.envs import viewer
from catan_env.errors import MissingExtraError
from catan_env.text.observation import observation_text

try:
    import pyspiel
except ImportError as error:
    raise MissingExtraError(
        f"OpenSpiel games need {error.name!r}, which is not installed: pip install 'catan-env[openspiel]'."
    ) from error

SCENARIOS = ("base", "two_player", "dice_game")
"""Scenarios registered when this module is imported; see `register_openspiel`."""
DECISIONS_PER_TURN, MAX_TURNS = 1000, 10_000
"""Two limits whose product bounds the length of a game; `MAX_TURNS` applies to scenarios without a turn limit."""
BY_CHANCE = -1
Key = tuple[str, int, tuple[tuple[str, int], ...]]


class SharedEngine:
    """An engine shared by all games with the same parameters.

    Args:
        key: scenario, number of players and rule numbers.

    Attributes:
        engine: a one-game engine with explicit chance.
        start: the record of a new game.
        no_history: the history digest of each player before the first action.
    """

    def __init__(self, key: Key):
        scenario, num_players, rules = key
        self.engine = BatchEngine(
            scenario, 1, num_players, rules=dict(rules), chance="explicit", reward="zero_sum", compiled="auto"
        )
        self.start = self._loaded = self.engine.state.tobytes()
        self.no_history = (b"",) * num_players

    def load(self, record: bytes) -> BatchEngine:
        """Load this record as the engine's game, and return the engine."""
        if record != self._loaded:
            self.engine.state[:] = np.frombuffer(record, self.engine.state.dtype)
            self.engine.refresh()
            self._loaded = record
        return self.engine

    def play(self, record: bytes, action: int, histories: tuple[bytes, ...]) -> tuple[bytes, tuple[bytes, ...]]:
        """Return the record and the player histories after an action or a chance outcome.

        The history of a player is a digest of its actions and of every observation that differs from the previous one.
        """
        engine = self.load(record)
        actor, seats = int(engine.seat_to_act[0]), range(engine.num_players)
        before = [engine.observe("flat", seat, dtype="uint8").tobytes() for seat in seats]
        engine.step(np.array([action]))
        self._loaded = engine.state.tobytes()
        after = [engine.observe("flat", seat, dtype="uint8").tobytes() for seat in seats]
        changed = []
        for seat, history in enumerate(histories):
            own = b"%d" % action if actor == seat else b""
            if own or before[seat] != after[seat]:
                history = hashlib.blake2b(history + own + b"/" + after[seat], digest_size=16).digest()
            changed.append(history)
        return self._loaded, tuple(changed)


@functools.lru_cache(maxsize=16)
def table_of(key: Key) -> SharedEngine:
    """Return the shared engine for a key; equal keys return the same engine."""
    return SharedEngine(key)


class CatanGame(pyspiel.Game):
    """An OpenSpiel game for one scenario: sequential, with explicit chance and zero-sum rewards at the end.

    Winners share a reward of 1 and the others share -1; everyone gets 0 if the turn limit ends the game.

    Args:
        params: the number of `players`, and rule numbers keyed by name.

    Attributes:
        scenario: name of the scenario, including optional rules. Each scenario has its own subclass.
        game_type: the registered type.
    """

    scenario: str
    game_type: Any

    def __init__(self, params: Mapping[str, Any] | None = None):
        scenario, game_type, defaults = self.scenario, self.game_type, self.game_type.parameter_specification
        given = {**defaults, **(params or {})}
        rules = tuple((name, given[name]) for name in defaults if name != "players" and given[name] != defaults[name])
        self.key: Key = (scenario, int(given["players"]), rules)
        engine = table_of(self.key).engine
        turns = engine.scenario.facts.longest_game or MAX_TURNS
        info = pyspiel.GameInfo(
            num_distinct_actions=engine.actions.n,
            max_chance_outcomes=engine.outcomes.n,
            num_players=engine.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=turns * DECISIONS_PER_TURN,
        )
        super().__init__(game_type, info, dict(params or {}))

    def new_initial_state(self) -> CatanState:
        """Return the state at the start of a game, where chance acts first."""
        return CatanState(self, self.key)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound on the number of chance nodes."""
        return self.max_game_length()

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CatanObserver:
        """Return an observer of a player's view, or of its information state with perfect recall.

        The view mixes public and private information, so an observer of only one of the two shows nothing.

        Raises:
            ValueError: parameters were given.
        """
        if params:
            raise ValueError("Observers of these games take no parameters; leave them out.")
        shows_all = iig_obs_type is None or (
            iig_obs_type.public_info and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
        if not shows_all:
            return CatanObserver(self.key, None)
        return CatanObserver(self.key, "history" if iig_obs_type and iig_obs_type.perfect_recall else "view")


class CatanState(pyspiel.State):
    """A state, consisting of a game record, the player histories and the returns.

    Args:
        game: the OpenSpiel game.
        key: key of the shared engine.
    """

    def __init__(self, game: pyspiel.Game, key: Key):
        super().__init__(game)
        self._key = key
        self._record, self._histories = table_of(key).start, table_of(key).no_history
        self._returns = (0.0,) * game.num_players()

    def engine(self) -> BatchEngine:
        """Load this state into the engine and return the engine; the state stays loaded until another one is used."""
        return table_of(self._key).load(self._record)

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's player id for chance or a finished game."""
        seat = int(self.engine().seat_to_act[0])
        if seat == BY_CHANCE:
            return pyspiel.PlayerId.CHANCE
        return seat if seat >= 0 else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return int(self.engine().seat_to_act[0]) < BY_CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.engine().action_mask[0]).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes with their probabilities."""
        probabilities = self.engine().chance_probabilities[0]
        return [(outcome, float(probabilities[outcome])) for outcome in np.flatnonzero(probabilities).tolist()]

    def _apply_action(self, action: int) -> None:
        table = table_of(self._key)
        self._record, self._histories = table.play(self._record, action, self._histories)
        if table.engine.seat_to_act[0] < BY_CHANCE:
            rewards = table.engine.rewards[0].astype(np.float64)
            self._returns = tuple((rewards - rewards.mean()).tolist())

    def _action_to_string(self, player: int, action: int) -> str:
        engine = self.engine()
        return engine.outcomes.describe(action) if player == pyspiel.PlayerId.CHANCE else engine.describe(0, action)

    def returns(self) -> list[float]:
        """Return the players' rewards, which are zero until the end."""
        return list(self._returns)

    def __str__(self) -> str:
        engine = self.engine()
        decision = "" if self.is_terminal() else f"decision: {engine.decision(0)}\n"
        return f"{decision}{viewer.render(engine, 0, 'ansi')}"

    def row(self, player: int) -> np.ndarray:
        """Return the flat observation of a player, (size,) float32."""
        return self.engine().observe("flat", player)[0]

    def text(self, player: int, perfect_recall: bool = False) -> str:
        """Return a player's view as text, preceded by a digest of the player's history if `perfect_recall` is set."""
        history = f"history: {self._histories[player].hex()}\n" if perfect_recall else ""
        return history + observation_text(self.engine(), 0, player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> CatanState:
        """Return a state with the same information state for one player but with everything hidden from it resampled.

        See `BatchEngine.determinise`. Hidden cards are consistent with the player's view and with the notes kept by
        `+card_counting`. The histories are copied from this state.

        Args:
            player: the player whose information state is kept.
            sampler: function that returns random numbers in [0, 1).
        """
        world = self.engine().determinise(seats=player, seed=int(sampler() * 2**53))
        state = self.clone()
        state.put(world.tobytes())
        return state

    def put(self, record: bytes) -> None:
        """Replace this state's game record, for example with one from `BatchEngine.determinise`."""
        self._record = record


class CatanObserver:
    """A player's view of a state, as an OpenSpiel observer.

    Args:
        key: key of the shared engine.
        shows: "view" for observations; "history" for information states, which have a string but no tensor; None for
            nothing.

    Attributes:
        shows: as given.
        tensor: (size,) float32, the flat observation; None unless the observer shows the view.
        dict: the tensor, keyed by name.
    """

    def __init__(self, key: Key, shows: str | None):
        self.shows = shows
        size = table_of(key).engine.encoder("flat").size
        self.tensor = np.zeros(size, np.float32) if shows == "view" else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: CatanState, player: int) -> None:
        """Write the observation of a player to the tensor."""
        if self.tensor is not None:
            self.tensor[:] = state.row(player)

    def string_from(self, state: CatanState, player: int) -> str | None:
        """Return the player's view as text; None if the observer shows nothing."""
        return None if self.shows is None else state.text(player, self.shows == "history")


def register_openspiel(name: str) -> str:
    """Register a scenario with OpenSpiel and return the game's name: "catan_" plus the scenario's name.

    Scenarios with hidden information get the optional rule `card_counting`, which keeps resampled states consistent
    with all cards that a player can deduce.

    Raises:
        UnknownScenarioError: no such scenario exists.
    """
    facts = find_scenario(name).facts
    is_perfect = facts.information == "perfect"
    reference = name if is_perfect else f"{name}+card_counting"
    players = [number for number in facts.players if number > 1]
    engine = BatchEngine(reference, num_players=players[-1], chance="explicit", compiled=False)
    numbers = {rule: int(value) for rule, value in engine.rules.items() if isinstance(value, (int, np.integer))}
    kinds = pyspiel.GameType
    game_type = kinds(
        short_name=f"catan_{engine.scenario.name.partition('+')[0]}",
        long_name=engine.scenario.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION if is_perfect else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": players[-1], **numbers},
    )
    # Use a class, because OpenSpiel releases registered objects only after Python has shut down; a class survives that.
    creator = type(game_type.short_name, (CatanGame,), {"scenario": reference, "game_type": game_type})
    pyspiel.register_game(game_type, creator)
    return game_type.short_name


GAMES = tuple(register_openspiel(name) for name in SCENARIOS)
"""Names of the games registered when this module is imported."""
