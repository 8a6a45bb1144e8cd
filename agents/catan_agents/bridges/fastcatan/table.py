"""Games between our agents and the alpha-beta player, played on fastcatan and followed by one of our engines."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from catan_agents.bridges.fastcatan import library, states
from catan_agents.bridges.fastcatan.player import AlphaBeta
from catan_agents.bridges.fastcatan.states import PLAYERS
from catan_agents.bridges.fastcatan.translation import (
    RULES,
    TRADE,
    FastcatanPlaces,
    Memory,
    moves_of,
    places_of,
    player_at,
    position_of,
    seat_of,
    sequences,
    winner_of,
)
from catan_agents.bridges.games import Result
from catan_agents.bridges.mirror import Mirror
from catan_agents.protocol import Agent
from catan_env import find_scenario


class SeatedAgent:
    """One of our agents in a fastcatan game; for each decision, it is given a game in our engine.

    In that game, the agent's seat has its actual cards, and hidden cards are sampled.

    Args:
        agent: the agent.
        places: the mapping of the board's places.
        board: the board of the game.
        seed: seed for the agent and for sampling cards.

    Attributes:
        differences: number of differences between the engines, keyed by what differed.
    """

    def __init__(self, agent: Agent, places: FastcatanPlaces, board: np.void, seed: int):
        self.agent, self._places = agent, places
        self._mirror = Mirror("base", PLAYERS, RULES, places.layout(board), seed=seed)
        self.differences = self._mirror.differences
        agent.reset(seed)

    def choose(self, game: np.void, memory: Memory, legal: list[int]) -> int:
        """Return the fastcatan action that the agent chooses."""
        seat, table = seat_of(game, states.actor(game)), self._mirror.engine.actions
        self._mirror.set_up(position_of(game, self._places, memory, seat), seat)
        options = {
            tuple(table.id(kind, argument) for _, kind, argument in moves): action
            for action in legal
            for moves in sequences(game, action, self._places)
        }
        return self._mirror.choose(self.agent, options)


def play_game(agents: Mapping[int, Agent], opponent: AlphaBeta, seed: int) -> Result:
    """Play one fastcatan game and follow it.

    Games with the same seed have the same board, and their chance events use the same random stream. Seat 0 starts, and
    nobody makes offers.

    Args:
        agents: our agents, keyed by seat, 0 to 3.
        opponent: the player in all other seats.
        seed: seed of the game.

    Raises:
        MissingExtraError: fastcatan is not installed.
    """
    env = library.load().Env()
    env.reset(seed)
    game, board = states.read(env)
    places, memory = places_of(find_scenario("base").board.topology), Memory()
    mirror = Mirror("base", PLAYERS, RULES, places.layout(board), chance="explicit", seed=seed % 2**63)
    mirror.follow([("chance", "start_player", 0)], position_of(game, places, memory))
    seated = {seat: SeatedAgent(agent, places, board, (seed + seat) % 2**62) for seat, agent in agents.items()}
    follower, actions = FastcatanFollower(mirror, places, memory), []
    seconds, decisions = [0.0] * PLAYERS, [0] * PLAYERS
    start = time.perf_counter()
    while game["phase"] != states.ENDED:
        seat, asked = seat_of(game, states.actor(game)), time.perf_counter()
        legal = [action for action in states.legal_ids(game) if action < TRADE]
        if len(legal) == 1:
            action = legal[0]
        elif seat in seated:
            action = seated[seat].choose(game, memory, legal)
        else:
            action = opponent.choose(env, game)
        seconds[seat] += time.perf_counter() - asked
        decisions[seat] += len(legal) > 1
        env.step(action)
        after, _ = states.read(env)
        follower.see(game, action, after)
        actions.append([states.actor(game), action])
        game = after
    differences = Counter(mirror.differences)
    for one in seated.values():
        differences.update({f"asked: {name}": count for name, count in one.differences.items()})
    return Result(
        seed=seed,
        winner=winner_of(game),
        points=game["vp"][[player_at(game, seat) for seat in range(PLAYERS)]].tolist(),
        turns=int(game["turn_count"]),
        seconds=time.perf_counter() - start,
        seconds_by_seat=seconds,
        decisions_by_seat=decisions,
        differences=dict(sorted(differences.items())),
        actions=actions,
        log=mirror.replay_log(),
    )


class FastcatanFollower:
    """Follows a game action by action.

    In our engine, discards are secret until everyone has discarded, so all discards are played together.
    """

    def __init__(self, mirror: Mirror, places: FastcatanPlaces, memory: Memory):
        self.mirror, self._places, self._memory = mirror, places, memory
        self._discards: list[Any] = []

    def see(self, before: np.void, action: int, after: np.void) -> list[str]:
        """Follow an action and return what differed."""
        self._memory.see(before, action, after)
        moves = moves_of(before, action, after, self._places)
        if before["flag"] == states.DISCARD:
            moves = self._discards = self._discards + moves
        if after["flag"] == states.DISCARD:
            if before["flag"] != states.DISCARD:
                self.mirror.follow_without_comparing(moves)
            return []
        self._discards = []
        return self.mirror.follow(moves, position_of(after, self._places, self._memory), winner_of(after))
