"""`BatchEngine`: many games of one scenario, stepped together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from catan_env.engine import arguments, kernels, program, replay, snapshot
from catan_env.engine.compose import digest
from catan_env.engine.queue import NO_SEAT, TRUNCATED, WON
from catan_env.engine.random import streams
from catan_env.engine.registry import find_scenario
from catan_env.engine.scenario import Scenario
from catan_env.errors import CatanError, ReplayError

INT64 = np.dtype(np.int64)
CHANCE_MODES = ("sampled", "explicit")
REWARDS = ("win_loss", "zero_sum")


class BatchEngine:
    """N games of one scenario as one array of records, and everything a caller does with them.

    Args:
        scenario: a registered name, or a `Scenario`.
        num_games: how many games, N.
        num_players: seats per game; the scenario's largest by default.
        seed: one seed for all games, or (N,) uint64 per-game seeds (see `seeds`).
        chance: "sampled" draws chance outcomes at once, "explicit" stops at each and takes outcomes as actions.
        rules: numbers of the rules to override, by name.
        board: a layout name, `Layout` or mapping of hexes, harbors and robber by coordinates; None to draw one.
        reward: "win_loss" (+1 winner, -1 all others) or "zero_sum" (the losers share the -1).
        shaping: weight of potential-based shaping on visible victory points over the target (0: none).
        discount: discount factor of the shaping term.
        record: keep a replay log of every game.
        threads: threads that share the batch in `step`, `observe` and `random_rollout`.

    Arrays marked as views are rewritten by `step` and `reset`; copy what you keep.

    Raises:
        UnknownScenarioError, PlayerCountError, UnknownRuleError, RuleValueError, BoardError, OptionError: bad
            arguments, with what is allowed.
    """

    encoder_factory: Callable[[BatchEngine, str, str], Any]
    """Makes encoders by name; `catan_env.encoders` sets it."""

    def __init__(
        self,
        scenario: str | Scenario,
        num_games: int = 1,
        num_players: int | None = None,
        seed: int | Iterable[int] = 0,
        chance: str = "sampled",
        rules: Mapping[str, Any] | None = None,
        board: Any = None,
        reward: str = "win_loss",
        shaping: float = 0.0,
        discount: float = 1.0,
        record: bool = False,
        threads: int = 1,
    ):
        arguments.check_option("chance", chance, CHANCE_MODES)
        arguments.check_option("reward", reward, REWARDS)
        arguments.check_count("num_games", num_games)
        arguments.check_count("threads", threads)
        self.scenario = scenario if isinstance(scenario, Scenario) else find_scenario(scenario)
        self.num_games = int(num_games)
        self.num_players = self.scenario.check_players(num_players)
        self._program = program.program_of(self.scenario)
        self.actions = self._program.actions
        self.outcomes = self._program.outcomes
        self.rules = self.scenario.values(self._program.composition.numbers, self.num_players, rules or {})
        self.overrides = dict(rules or {})
        self.board = board
        self._table = self._program.table(self.rules, board)
        self.chance, self.reward, self.shaping, self.discount = chance, reward, float(shaping), float(discount)
        self.threads = min(int(threads), self.num_games)
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._explicit = chance == "explicit"
        n, players = self.num_games, self.num_players
        self._encoders: dict[tuple[str, str], Any] = {}
        self._records = np.repeat(self._program.blank, n)
        self._mask = np.zeros((n, self.actions.n), np.bool_)
        self._seats = np.full(n, NO_SEAT, np.int64)
        self._ended = np.zeros(n, np.uint8)
        self._weights = [np.zeros(self._program.max_outcomes, np.int64) for _ in range(self.threads)]
        self._log = np.zeros((n, 4 * kernels.LOG_MARGIN if record else 0), np.uint16)
        self._log_length = np.zeros(n, np.int32)
        self._rewards = np.zeros((n, players), np.float32)
        self._rewards_dirty = False
        self._potential = np.zeros((n, players), np.float32)
        self._shape_of_actions = (n,)
        self._states_in, self._tables_in = program.as_records(self._records), program.as_records(self._table)
        self._arguments = (self._mask, self._seats, self._ended, self._weights[0])
        self._step = program.entry_point(
            self._program.step, self._states_in, self._tables_in, self._seats, *self._arguments, self._log,
            self._log_length, True, True, 0, 0,
        )
        self.action_mask = _view(self._mask)
        self.seat_to_act = _view(self._seats)
        self.seeds = np.zeros(n, np.uint64)
        self.reset(seed)

    # -- playing ------------------------------------------------------------------------------------------

    def reset(self, seed: int | Iterable[int] | None = None, games: Any = None) -> None:
        """Starts games anew: all, or those in a boolean mask or list of indices.

        With `seed` their random streams start anew as well; without, they go on, so that every game differs.

        Raises:
            OptionError: the seeds or games do not fit the batch.
        """
        where = arguments.indices_of(games, self.num_games)
        chosen = np.zeros(self.num_games, np.bool_)
        chosen[where] = True
        rng = self._records["rng"][where]
        if seed is not None:
            self.seeds[where] = arguments.seeds_of(seed, where, self.num_games)
            rng = streams(self.seeds[where])
        self._records[where] = self._program.blank[0]
        self._records["rng"][where] = rng
        self._log_length[where] = 0
        self._rewards[where] = 0.0
        status = self._program.start_games(
            self._states_in, self._tables_in, chosen, *self._arguments, self._log, self._log_length,
            self._explicit, 0, self.num_games,
        )
        self._look_at(status, chosen)
        if self.shaping:
            self._potential[where] = self._potentials()[where]

    def step(self, actions: np.ndarray) -> None:
        """Carries out one action per game.

        Args:
            actions: (N,) integers. An action id where a seat is to act, an outcome id where chance is (explicit
                mode); -1 leaves a game as it is, the only thing allowed for a game that is over.

        Raises:
            ActionFormatError: wrong type or shape.
            IllegalActionError: an action is not legal; names game, seat, action and reason.
            GameOverError: an action for a game that is over.
            After any of them every game is as it was.
        """
        if not (
            type(actions) is np.ndarray
            and actions.dtype is INT64
            and actions.shape == self._shape_of_actions
            and actions.flags.carray
        ):
            actions = arguments.check_actions(actions, self.num_games)
        if self._rewards_dirty:
            self._rewards[:] = 0.0
            self._rewards_dirty = False
        if self._pool is None:
            status = self._step(
                self._states_in, self._tables_in, actions, *self._arguments, self._log, self._log_length,
                self._explicit, True, 0, self.num_games,
            )
        else:
            status = self._step_in_threads(actions)
        if status:
            if status < 0:
                arguments.refuse(self, -1 - status, int(actions[-1 - status]))
            self._look_at(status, actions >= 0)
        if self.shaping:
            self._shape()

    def _step_in_threads(self, actions: np.ndarray) -> int:
        states, tables, n = self._states_in, self._tables_in, self.num_games
        illegal = self._program.find_illegal(
            states, tables, actions, self._mask, self._seats, self._weights[0], 0, n
        )
        if illegal >= 0:
            return -1 - illegal
        return self._in_threads(
            lambda thread, start, stop: self._step(
                states, tables, actions, self._mask, self._seats, self._ended, self._weights[thread], self._log,
                self._log_length, self._explicit, False, start, stop,
            )
        )

    def _in_threads(self, work: Callable[[int, int, int], int | None]) -> int:
        """Runs `work(thread, start, stop)` over slices of the batch; returns their statuses, or-ed."""
        if self._pool is None:
            return work(0, 0, self.num_games) or 0
        bounds = [self.num_games * k // self.threads for k in range(self.threads + 1)]
        others = [self._pool.submit(work, k, bounds[k], bounds[k + 1]) for k in range(1, self.threads)]
        status = work(0, 0, bounds[1]) or 0
        for other in others:
            status |= other.result() or 0
        return status

    def random_rollout(self, steps: int, restart: bool = True) -> dict[str, int]:
        """Plays every game on by `steps` uniformly random legal actions, all compiled; chance is sampled.

        Returns:
            counts of `actions` taken, games `won` and games `truncated`. Nothing is rewarded, and an engine that
            kept replay logs keeps them no longer.
        """
        width = -(-self.actions.n // 8)
        counts = np.zeros((self.threads, 3), np.int64)
        no_log, no_length = np.zeros((1, 0), np.uint16), np.zeros(1, np.int32)
        rollout, blank = self._program.rollout, program.as_records(self._program.blank)

        def work(thread: int, start: int, stop: int) -> None:
            words = np.zeros(width, np.int64)
            rollout(
                self._states_in, self._tables_in, blank, words, words.view(np.bool_), self._mask, self._seats,
                self._ended, self._weights[thread], no_log, no_length, int(steps), restart, counts[thread], start, stop,
            )

        self._in_threads(work)
        self._log = self._log[:, :0]
        actions, won, truncated = counts.sum(0).tolist()
        return {"actions": actions, "won": won, "truncated": truncated}

    # -- what happened ------------------------------------------------------------------------------------

    @property
    def rewards(self) -> np.ndarray:
        """(N, players) float32 rewards of the last step: a view."""
        return self._rewards

    @property
    def terminated(self) -> np.ndarray:
        """(N,) bool: games somebody has won."""
        return self._ended == WON

    @property
    def truncated(self) -> np.ndarray:
        """(N,) bool: games cut off by a limit."""
        return self._ended == TRUNCATED

    @property
    def winner(self) -> np.ndarray:
        """(N,) int8: seat that has won, -1 nobody."""
        return self._records["winner"].copy()

    @property
    def victory_points(self) -> np.ndarray:
        """(N, players) int64: all victory points, hidden ones included."""
        return self._points()[1]

    @property
    def visible_points(self) -> np.ndarray:
        """(N, players) int64: victory points that everybody sees."""
        return self._points()[0]

    def _points(self) -> tuple[np.ndarray, np.ndarray]:
        public, total = np.zeros((2, self.num_games, self.num_players), np.int64)
        self._program.kernel(program.points)(self._states_in, self._tables_in, public, total, 0, self.num_games)
        return public, total

    @property
    def state(self) -> np.ndarray:
        """(N,) structured array of the game records: a view. After editing it, call `refresh`."""
        return self._records

    def refresh(self) -> None:
        """Brings masks and seats to act in line with records that were edited."""
        self._program.republish(self._states_in, self._tables_in, *self._arguments[:3], 0, self.num_games)

    def encoder(self, name: str = "flat", dtype: str = "float32") -> Any:
        """The encoder of this name and dtype for this engine; see `catan_env.encoders`.

        Raises:
            UnknownEncoderError, OptionError: no such encoder or dtype.
        """
        if (name, dtype) not in self._encoders:
            self._encoders[name, dtype] = self.encoder_factory(self, name, dtype)
        return self._encoders[name, dtype]

    def observe(self, encoder: str = "flat", seat: Any = None, out: Any = None, dtype: str = "float32") -> Any:
        """Observations of all games from a seat, or (N,) seats; None: the seat to act, zero where there is none.

        "flat" gives (N, size), fresh or written into `out`; see `catan_env.encoders` for the others.
        """
        return self.encoder(encoder, dtype).encode(seat, out)

    def observation_space(self, encoder: str = "flat", dtype: str = "float32") -> Any:
        """Gymnasium space of one game's observation."""
        return self.encoder(encoder, dtype).space

    def feature_names(self, encoder: str = "flat") -> list[str]:
        """Name of every feature of the flat observation, in order."""
        return self.encoder(encoder).feature_names

    @property
    def topology(self):
        """The board's geometry: axial coordinates, intersections and paths with their adjacency, as arrays."""
        return self.scenario.topology

    @property
    def chance_probabilities(self) -> np.ndarray:
        """(N, outcomes.n) float64: probability of each chance outcome, zero rows where a seat is to act."""
        probabilities = np.zeros((self.num_games, max(self.outcomes.n, 1)))
        self._program.weigh(
            self._states_in, self._tables_in, self._seats, self._weights[0], probabilities, 0, self.num_games
        )
        return probabilities

    @property
    def chance_mask(self) -> np.ndarray:
        """(N, outcomes.n) bool: the chance outcomes that are possible now (explicit mode)."""
        return self.chance_probabilities > 0

    def broken_invariants(self) -> list[tuple[int, str]]:
        """(game, name) of every invariant that does not hold; empty unless the rules have an error."""
        broken = np.zeros(self.num_games, np.int64)
        self._program.audit(self._states_in, self._tables_in, broken, 0, self.num_games)
        names = list(self._program.composition.invariants)
        return [(int(i), name) for i in np.flatnonzero(broken) for k, name in enumerate(names) if broken[i] >> k & 1]

    def decision(self, game: int) -> str:
        """Name of the decision or chance draw at hand in a game; "over" when it has ended."""
        if self._ended[game]:
            return "over"
        record = self._records[game]
        names = [*self._program.composition.decisions, *self._program.composition.draws]
        return names[record["queue"][record["depth"] - 1]]

    # -- keeping ------------------------------------------------------------------------------------------

    @property
    def layout_hash(self) -> str:
        """Fingerprint of the rules' layout: scenario version, record, actions and outcomes."""
        return digest([self.scenario.name, str(self.scenario.version), self._program.record_hash,
                       self.actions.hash, self.outcomes.hash])

    def save(self) -> bytes:
        """A snapshot of all games, streams and logs: `load` brings them back exactly."""
        return snapshot.pack(self._identity(), [self._records, self.seeds, self._log_length, self._log])

    def load(self, data: bytes) -> None:
        """Brings back a snapshot taken from an engine of the same scenario, rules, board and number of games.

        Raises:
            SnapshotError: it is damaged or from another kind of engine; the engine is as it was.
        """
        templates = [self._records, self.seeds, self._log_length, self._log]
        records, seeds, lengths, log = snapshot.unpack(data, self._identity(), templates)
        self._records[:], self.seeds[:], self._log_length[:] = records, seeds, lengths
        self._log = log
        self._rewards[:] = 0.0
        self.refresh()
        if self.shaping:
            self._potential[:] = self._potentials()

    def _identity(self) -> dict[str, Any]:
        return {
            "scenario": self.scenario.name, "version": self.scenario.version, "layout": self.layout_hash,
            "table": digest([self._table.tobytes().hex()]), "games": self.num_games,
            "recorded": bool(self._log.shape[1]),
        }

    def clone(self, games: Any = None) -> BatchEngine:
        """A new engine with copies of all games, or of those in a boolean mask or list of indices."""
        where = arguments.indices_of(games, self.num_games)
        twin = BatchEngine(
            self.scenario, len(where), self.num_players, 0, self.chance, self.overrides, self.board, self.reward,
            self.shaping, self.discount, bool(self._log.shape[1]), min(self.threads, len(where)),
        )
        twin._records[:], twin.seeds[:] = self._records[where], self.seeds[where]
        twin._log, twin._log_length[:] = self._log[where].copy(), self._log_length[where]
        twin._rewards[:], twin._potential[:] = self._rewards[where], self._potential[where]
        twin._rewards_dirty = True
        twin.refresh()
        return twin

    def __deepcopy__(self, memo: dict) -> BatchEngine:
        return self.clone()

    def replay_log(self, game: int = 0) -> dict[str, Any]:
        """The whole game as `(kind, argument)` moves with chance outcomes, ready for JSON; see `catan_env.replay`.

        Raises:
            ReplayError: the engine was made without `record=True`.
        """
        if not self._log.shape[1]:
            raise ReplayError("This engine keeps no replay logs; make it with record=True.")
        return replay.write_log(self, game, self._log[game, : self._log_length[game]].tolist())

    # -- checks and bookkeeping ---------------------------------------------------------------------------

    def _look_at(self, status: int, acted: np.ndarray) -> None:
        """Acts on the status bits of a step or reset in which the games marked in `acted` (N,) took part."""
        if status & kernels.SOME_FAULTY:
            raise CatanError(
                f"The rules of {self.scenario.name!r} left a game without a possible decision or outcome "
                f"(games {np.flatnonzero(self._ended > TRUNCATED).tolist()}). This is a defect of a rule module."
            )
        if status & kernels.LOG_FILLING:
            self._log = np.concatenate([self._log, np.zeros_like(self._log)], axis=1)
        if status & kernels.SOME_ENDED:
            won = np.flatnonzero(acted & (self._ended == WON))
            self._rewards[won] = -1.0 if self.reward == "win_loss" else -1.0 / max(self.num_players - 1, 1)
            self._rewards[won, self._records["winner"][won]] = 1.0
            self._rewards_dirty = True

    def _shape(self) -> None:
        """Adds discount * potential(after) - potential(before) to the rewards (Ng, Harada and Russell, 1999)."""
        after = self._potentials()
        after[self._ended > 0] = 0.0
        self._rewards += self.discount * after - self._potential
        self._potential = after
        self._rewards_dirty = True

    def _potentials(self) -> np.ndarray:
        return (self.shaping * self.visible_points / self.rules["victory_points"]).astype(np.float32)


def _view(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
