"""Games played on catanatron and mirrored move by move in one of our engines."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from catan_agents.bridges.catanatron import library
from catan_agents.bridges.catanatron.translation import (
    CatanatronPlaces,
    FinishedAction,
    moves_of,
    num_records,
    playable,
    position_of,
    record_at,
    rules_of,
)
from catan_agents.bridges.games import Result
from catan_agents.bridges.mirror import Mirror
from catan_env import find_scenario
from catan_env.errors import OptionError

TURN_LIMIT = 1000
"""Number of turns after which catanatron ends a game."""


class Seated:
    """A player with a separate random stream, so that its random choices do not affect the dice and cards."""

    def __init__(self, player: Any, seed: int):
        self.player = player
        self.seconds, self.decisions = 0.0, 0
        self._stream = random.Random(seed).getstate()

    def decide(self, game: Any) -> Any:
        """Ask the player for an action."""
        actions = playable(game)
        table_stream = random.getstate()
        random.setstate(self._stream)
        start = time.perf_counter()
        try:
            action = self.player.decide(game, actions)
        finally:
            self.seconds += time.perf_counter() - start
            self.decisions += len(actions) > 1
            self._stream = random.getstate()
            random.setstate(table_stream)
        return action


def play_game(players: Sequence[Any], seed: int, options: Mapping[str, Any] | None = None) -> Result:
    """Play one catanatron game and follow it.

    Games with the same seed have the same board, and their chance events use the same random numbers in the same order.

    Args:
        players: catanatron players in seat order, with distinct colors. The first one starts.
        seed: seed of the game.
        options: arguments for catanatron's `Game`: `vps_to_win`, `discard_limit`, `friendly_robber`.

    Raises:
        OptionError: this version of catanatron does not accept one of the options.
    """
    game = _new_game(players, seed, dict(options or {}))
    places = CatanatronPlaces(game.state.board.map, find_scenario("base").board.topology)
    mirror = Mirror("base", len(players), rules_of(game), places.layout, chance="explicit", seed=seed % 2**63)
    mirror.follow([("chance", "start_player", 0)], position_of(game, places))
    seated = [Seated(player, seed + 1 + k) for k, player in enumerate(players)]
    follower = CatanatronFollower(mirror, places)
    start = time.perf_counter()
    while game.winning_color() is None and game.state.num_turns < TURN_LIMIT:
        action = seated[game.state.current_player_index].decide(game)
        game.execute(action)
        follower.see(game)
    seconds = time.perf_counter() - start
    winner = winner_of(game)
    differences = Counter(mirror.differences)
    for player in {id(player): player for player in players}.values():
        differences.update({f"asked: {name}": n for name, n in getattr(player, "differences", {}).items()})
    facts = game.state.player_state
    return Result(
        seed=seed,
        winner=winner,
        points=[facts[f"P{k}_ACTUAL_VICTORY_POINTS"] for k in range(len(players))],
        turns=game.state.num_turns,
        seconds=seconds,
        seconds_by_seat=[one.seconds for one in seated],
        decisions_by_seat=[one.decisions for one in seated],
        differences=dict(sorted(differences.items())),
        actions=[_written(record_at(game, k), game) for k in range(num_records(game))],
        log=mirror.replay_log(),
    )


class CatanatronFollower:
    """Follows a game action by action.

    In our engine, discarding starts with the player on turn and is secret until everyone has discarded, so all discards
    are played together.
    """

    def __init__(self, mirror: Mirror, places: CatanatronPlaces):
        self.mirror, self.places = mirror, places
        self._discards: dict[int, list[Any]] = {}

    def see(self, game: Any) -> list[str]:
        """Follow the last action of a game and return the differences."""
        record = record_at(game, num_records(game) - 1)
        moves = moves_of(record, self.places, game.state)
        if record.kind == "DISCARD":
            self._discards.setdefault(record.seat, []).extend(moves)
            if game.state.current_prompt.name == "DISCARD":
                return []
            players, on_turn = len(game.state.colors), game.state.current_turn_index
            seats = [(on_turn + k) % players for k in range(players)]
            moves = [move for seat in seats for move in self._discards.get(seat, [])]
            self._discards = {}
        elif game.state.current_prompt.name == "DISCARD":
            self.mirror.follow_without_comparing(moves)
            return []
        return self.mirror.follow(moves, position_of(game, self.places), winner_of(game))


def winner_of(game: Any) -> int:
    """Return the seat that has won, or -1 if there is none."""
    color = game.winning_color()
    return -1 if color is None else game.state.color_to_index[color]


def _new_game(players: Sequence[Any], seed: int, options: dict[str, Any]) -> Any:
    """Return a game with the players seated in the given order, undoing catanatron's shuffling."""
    library.load()
    random.seed(seed)
    order = random.sample(range(len(players)), len(players))
    shuffled: list[Any] = [None] * len(players)
    for seat, index in enumerate(order):
        shuffled[index] = players[seat]
    for player in players:
        player.reset_state()
    try:
        game = library.part("catanatron.game").Game(shuffled, seed=seed, **options)
    except TypeError as error:
        raise OptionError(f"This catanatron does not take the options {options}: {error}.") from None
    if list(game.state.players) != list(players):
        raise OptionError(
            "This catanatron seats players in an unknown order. Install a release, or use another checkout."
        )
    return game


def _written(record: FinishedAction, game: Any) -> list[Any]:
    """Return a record as JSON types."""
    return [game.state.colors[record.seat].value, record.kind, _plain(record.value), _plain(record.result)]


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_plain(entry) for entry in value]
    return getattr(value, "value", value)
