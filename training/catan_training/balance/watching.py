"""Game statistics recorded during play, and a study's two tables.

Scenarios without a board have no site columns, and scenarios without dice rolls have no luck column.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from catan_env.board.terrain import BARE, TERRAINS
from catan_env.engine.batch import BatchEngine
from catan_env.engine.field_names import field_names
from catan_env.games.cities_and_knights import barbarians
from catan_training.balance.barbarian_attacks import Attacks

SPLITS = {"quarter": 0.25, "half": 0.5, "three_quarters": 0.75}
"""Fractions of a game's turns after which points are recorded."""
UNSET = -(10**6)
HOPES = np.array([0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
"""Number of ways to roll each sum with two dice, out of 36."""
FERTILE = tuple(kind for kind in range(len(TERRAINS)) if kind not in BARE)
BOARD_FIELDS = ("terrain", "number", "harbor", "building", "building_owner")


class Watch:
    """Records statistics on a batch of N games between steps."""

    def __init__(self, engine: BatchEngine):
        self.engine, self.players = engine, engine.num_players
        n, kinds = engine.num_games, engine.actions.kinds
        self.kind_of = np.array([kinds.index(kind) for kind in engine.actions.kind_of])
        self.did = np.zeros((n, self.players, len(kinds)), np.int32)
        self.choices = np.zeros((n, self.players), np.int32)
        self.first_city = np.zeros((n, self.players), np.int32)
        self.luck = np.zeros((n, self.players))
        self.first_seat = np.full(n, -1)
        self.history = np.full((n, 64, self.players), UNSET, np.int32)
        self._turn = np.zeros(n, np.int64)
        self._known = {name: kinds.index(name) for name in ("roll", "build_city") if name in kinds}
        self._attacks = Attacks(engine) if barbarians in engine.scenario.modules else None
        self._has_board = all(name in field_names(engine.state) for name in BOARD_FIELDS)
        if self._has_board:
            self._map = Sites(engine)
            names = ("pips", "kinds", "harbors") if self._map.has_harbors else ("pips", "kinds")
            self.sites = {name: np.zeros((n, self.players), np.int32) for name in names}
        self.look()

    def before(self, rows: np.ndarray, seats: np.ndarray, actions: np.ndarray) -> None:
        """Record the actions that `seats` will take in games `rows`, each of shape (n,). Call this before the step."""
        kinds = self.kind_of[actions]
        self.did[rows, seats, kinds] += 1
        self.choices[rows, seats] += np.count_nonzero(self.engine.action_mask[rows], axis=1) > 1
        cities = (kinds == self._known.get("build_city", -1)) & (self._turn[rows] > 0)
        first_cities = cities & (self.first_city[rows, seats] == 0)
        self.first_city[rows[first_cities], seats[first_cities]] = self._turn[rows[first_cities]]
        if self._attacks:
            self._attacks.before(rows)
        self._rolling = rows[kinds == self._known.get("roll", -1)]
        if self._has_board and len(self._rolling):
            self._claims = self._map.claims(self.engine.state[self._rolling], self.players)

    def look(self) -> None:
        """Record a step's results."""
        turn = self.engine.state["turn"]
        games_with_new_turn = np.flatnonzero(turn > self._turn)
        if len(games_with_new_turn):
            self._begin(games_with_new_turn, turn)
        if self._attacks:
            self._attacks.look()
        if self._has_board and len(getattr(self, "_rolling", ())):
            state = self.engine.state[self._rolling]
            expected = HOPES[state["number"]] / 36
            hit = state["number"] == state["dice"][:, None]
            self.luck[self._rolling] += (self._claims * (hit - expected)[:, None, :]).sum(2)

    def _begin(self, games: np.ndarray, turn: np.ndarray) -> None:
        """Record points and starting seats in games where a new turn has begun."""
        while turn.max() >= self.history.shape[1]:
            self.history = np.concatenate([self.history, np.full_like(self.history, UNSET)], axis=1)
        self.history[games, turn[games]] = self.engine.victory_points[games]
        new_games = games[self.first_seat[games] < 0]
        if len(new_games):
            self.first_seat[new_games] = self.engine.state["on_turn"][new_games]
            if self._has_board:
                for name, values in self._map.of_initial_placement(self.engine.state[new_games], self.players).items():
                    self.sites[name][new_games] = values
        self._turn[games] = turn[games]

    def tables(self, seating: np.ndarray) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return a table of games and a table of seats. `seating`, shape (N, players), is the agent in each seat.

        All games must be over.
        """
        engine, n, players = self.engine, self.engine.num_games, self.players
        won, points = engine.winners, engine.victory_points
        order = (np.arange(players) - self.first_seat[:, None]) % players + 1
        games = pl.DataFrame(
            {
                "game": np.arange(n, dtype=np.int32),
                "seed": engine.seeds,
                "players": np.full(n, players, np.int8),
                "turns": self._turn.astype(np.int32),
                "choices": self.choices.sum(1).astype(np.int32),
                "actions": self.did.sum((1, 2)).astype(np.int32),
                "winners": won.sum(1).astype(np.int8),
                "truncated": engine.truncated,
                "first_seat": self.first_seat.astype(np.int8),
                **(self._attacks.counts if self._attacks else {}),
            }
        )
        columns: dict[str, np.ndarray] = {
            "agent": seating.astype(np.int16),
            "order": order.astype(np.int8),
            "won": won,
            "points": points.astype(np.int16),
            **{f"points_{name}": values.astype(np.int16) for name, values in engine.points_by_source.items()},
            **{f"points_at_{name}": values.astype(np.int16) for name, values in self._splits().items()},
            "choices": self.choices,
        }
        if self._has_board:
            columns |= {f"site_{name}": values for name, values in self.sites.items()}
            if "roll" in self._known:
                columns["luck"] = self.luck.astype(np.float32)
        if "build_city" in self._known:
            columns["first_city"] = self.first_city
        columns |= {f"did_{kind}": self.did[:, :, k] for k, kind in enumerate(engine.actions.kinds)}
        seats = pl.DataFrame(
            {
                "game": np.repeat(np.arange(n, dtype=np.int32), players),
                "seat": np.tile(np.arange(players, dtype=np.int8), n),
                **{name: values.ravel() for name, values in columns.items()},
            }
        )
        return games, seats

    def _splits(self) -> dict[str, np.ndarray]:
        """Return every seat's points after each fraction of the turns; points before the first turn are 0."""
        filled = self.history.copy()
        filled[:, 0] = np.where(filled[:, 0] == UNSET, 0, filled[:, 0])
        for turn in range(1, filled.shape[1]):
            filled[:, turn] = np.where(filled[:, turn] == UNSET, filled[:, turn - 1], filled[:, turn])
        game_indices = np.arange(len(filled))
        return {name: filled[game_indices, np.ceil(share * self._turn).astype(int)] for name, share in SPLITS.items()}


class Sites:
    """Statistics on the sites that seats have built on."""

    def __init__(self, engine: BatchEngine):
        params = engine.batch.params[0]
        self.corners = params["hex_intersections"]  # (H, 6), -1 where there is none
        self.hexes = params["intersection_hexes"]  # (I, degree)
        self.coast = params["intersection_coast"]
        self.has_harbors = engine.state["harbor"].shape[1] > 0

    def claims(self, state: np.ndarray, players: int) -> np.ndarray:
        """Return how many cards each seat's buildings yield when a hex produces, shape (n, players, H).

        A settlement yields 1 card and a city 2. The robber, other blocks and an empty bank are ignored, because they
        have nothing to do with dice luck.
        """
        weights = np.minimum(state["building"], 2)[:, None, :] * self._own(state, players)
        padded = np.concatenate([weights, np.zeros_like(weights[:, :, :1])], axis=2)  # extra column for -1 corners
        return padded[:, :, self.corners].sum(3)

    def of_initial_placement(self, state: np.ndarray, players: int) -> dict[str, np.ndarray]:
        """Return pips, terrain kinds and harbors at each seat's buildings, each of shape (n, players)."""
        claims, terrain = self.claims(state, players), state["terrain"]
        kinds = [((claims > 0) & (terrain == kind)[:, None, :]).any(2) for kind in FERTILE]
        site_values = {"pips": (claims * HOPES[state["number"]][:, None, :]).sum(2), "kinds": np.sum(kinds, axis=0)}
        if self.has_harbors:
            has_harbor = (self.coast >= 0) & (state["harbor"][:, self.coast] >= 0)
            built = self._own(state, players) & (state["building"] > 0)[:, None, :]
            site_values["harbors"] = (built & has_harbor.any(2)[:, None, :]).sum(2)
        return site_values

    @staticmethod
    def _own(state: np.ndarray, players: int) -> np.ndarray:
        return state["building_owner"][:, None, :] == np.arange(players)[:, None]


def play(
    engine: BatchEngine, agents: Any, seating: np.ndarray, openings: np.ndarray
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Play all of an engine's games to completion and return the tables from `Watch`.

    Args:
        engine: a batch of N new games that samples chance itself and leaves forced moves to the agents.
        agents: the players.
        seating: (N, players) index into `agents` for each seat.
        openings: (N,) id of each game's first action, or -1 to let the agent choose.
    """
    watch, openings_left = Watch(engine), openings
    while len(running_games := np.flatnonzero(engine.seat_to_act >= 0)):
        seats = engine.seat_to_act[running_games]
        agent_to_act, actions = seating[running_games, seats], np.full(engine.num_games, -1, np.int64)
        for k, agent in enumerate(agents):
            games = running_games[agent_to_act == k]
            if len(games):
                actions[games] = agent.act(engine, games)
        actions, openings_left = np.where(openings_left >= 0, openings_left, actions), np.full_like(openings_left, -1)
        watch.before(running_games, seats, actions[running_games])
        engine.step(actions)
        watch.look()
    game_table, seat_table = watch.tables(seating)
    return game_table.with_columns(opening=openings.astype(np.int32)), seat_table
