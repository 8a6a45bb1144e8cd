"""`Games`: the arrays of a batch, and playing it: reset, step, threads, rollouts, rewards."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np

from catan_env.engine import arguments, kernels, program, sources
from catan_env.engine.arrays import new_batch
from catan_env.engine.queue import NO_SEAT, TRUNCATED
from catan_env.engine.random import streams
from catan_env.engine.registry import find_scenario
from catan_env.engine.rollout import rollout
from catan_env.engine.scenario import Scenario
from catan_env.engine.shaping import Shaping
from catan_env.errors import CatanError, OptionError

INT64 = np.dtype(np.int64)
CHANCE_MODES = ("sampled", "explicit")
REWARDS = ("win_loss", "zero_sum")
FORCED_MOVES = ("ask", "play")


class Games:
    """The playing half of `BatchEngine`, which see for the arguments."""

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
        forced_moves: str = "ask",
        autoreset: bool = False,
    ):
        arguments.check_option("chance", chance, CHANCE_MODES)
        arguments.check_option("reward", reward, REWARDS)
        arguments.check_option("forced_moves", forced_moves, FORCED_MOVES)
        arguments.check_count("num_games", num_games)
        arguments.check_count("threads", threads)
        arguments.check_rules(rules)
        if seed is None:
            raise OptionError("seed is None; an engine needs one to start from: an integer, or one per game.")
        named = scenario if isinstance(scenario, Scenario) else find_scenario(scenario)
        self.num_games = int(num_games)
        self.num_players = named.check_players(num_players)
        laid = named.boards_for.get(self.num_players) if board is None else board
        self.scenario = named.on_board(named, laid)
        self.program = program.program_of(self.scenario)
        self.actions, self.outcomes = self.program.action_tables(self.scenario.names)
        self.rules = self.scenario.values(self.program.composition.numbers, self.num_players, rules or {})
        self.overrides = {name: self.rules[name] for name in rules or {}}
        self.board = copy.deepcopy(board) if isinstance(board, Mapping) else board
        self._table = self.program.table(self.rules, laid)
        self.chance, self.reward, self.forced_moves, self.autoreset = chance, reward, forced_moves, bool(autoreset)
        self.threads = min(int(threads), self.num_games)
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._manner = chance == "explicit", forced_moves == "play", self.autoreset
        n = self.num_games
        self._encoders: dict[tuple[str, str], Any] = {}
        self.batch = new_batch(
            n,
            self.num_players,
            self.actions.n,
            blank=self.program.blank,
            table=self._table,
            weights=np.zeros((self.threads, self.program.max_outcomes), np.int64),
            record=bool(record),
            zero_sum=reward == "zero_sum",
            explicit=chance == "explicit",
            forced=forced_moves == "play",
            autoreset=self.autoreset,
        )
        """The arrays of the games, as compiled kernels take them."""
        self._records = self.batch.records.view(np.ndarray)
        self._mask, self._words, self._seats, self._ended = self.batch[3:7]
        self._weights, self._rewards, self._log, self._log_length, self._zero_sum = self.batch[7:12]
        self._results = np.zeros(self.threads, np.int64)
        self._shape_of_actions = (n,)
        self._read = self.batch[:3]
        self._states_in, self._tables_in, _ = self._read
        self._shown = (self._mask, self._words, self._seats, self._ended)
        if self._pool is None:
            step, weights, self._share = self.program.step, self._weights[0], (0, n)
        else:
            step, weights, self._share = self.program.step_in_parallel, self._weights, (self._results,)
        self._written = (*self._shown, weights, self._rewards, self._zero_sum)
        self._codes = np.zeros(n, np.int64)
        arrays = self._read, (self._codes,), self._written, (self._log, self._log_length)
        self._step = program.entry_point(step, *itertools.chain(*arrays), *self._manner, True, *self._share)
        self.action_mask = _view(self._mask[:, : self.actions.n])
        self.seat_to_act = _view(self._seats)
        self._shaping = Shaping(self, shaping, discount)
        self.shaping, self.discount = self._shaping.weight, self._shaping.discount
        self.seeds = np.zeros(n, np.uint64)
        self.reset(seed)

    def reset(self, seed: int | Iterable[int] | None = None, games: Any = None) -> None:
        """Starts games anew: all, or those in a boolean mask or list of indices.

        With `seed` their random streams start anew as well; without, they go on, so that every game differs.

        Raises:
            OptionError: the seeds or games do not fit the batch.
        """
        where = arguments.indices_of(games, self.num_games)
        if seed is not None:
            self.seeds[where] = arguments.seeds_of(seed, where, self.num_games)
            self._records["rng"][where] = streams(self.seeds[where])
        if self.shaping:
            self._shaping.forget(where)
        self._codes[:] = kernels.GO_ON
        self._codes[where] = kernels.BEGIN
        self._look_at(self._play(self._codes, False))
        if self.shaping:
            self._shaping.reward(where)

    def step(self, actions: np.ndarray) -> None:
        """Carries out one action per game.

        Args:
            actions: (N,) integers. An action id where a seat is to act, an outcome id where chance is (explicit
                mode); -1 leaves a game as it is. A game that is over takes nothing else, or with `autoreset` any id:
                it begins anew.

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
        began = np.flatnonzero((self._seats == NO_SEAT) & (actions >= 0)) if self.shaping else ()
        status = self._play(actions, True)
        if status:
            if status < 0:
                arguments.refuse(self, -1 - status, int(actions[-1 - status]))
            self._look_at(status)
        if self.shaping:
            self._shaping.forget(began)
            self._shaping.reward(np.flatnonzero(actions >= 0))

    def _play(self, actions: np.ndarray, check: bool) -> int:
        """The compiled step: ids, or codes such as `kernels.BEGIN`, which are not to be checked. Returns its status."""
        if self._pool is not None:
            numba.set_num_threads(min(self.threads, numba.config.NUMBA_NUM_THREADS))
        logs = self._log, self._log_length
        return self._step(*self._read, actions, *self._written, *logs, *self._manner, check, *self._share)

    def in_threads(self, work: Callable[[int, int, int], int | None]) -> int:
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
            counts of `actions` chosen (forced moves that the engine plays are none), games `won` and games
            `truncated`. Nothing is rewarded, and an engine that kept replay logs keeps them no longer.
        """
        arguments.check_count("steps", steps, 0)
        counts = np.zeros((self.threads, 3), np.int64)
        self._set_log(np.zeros((self.num_games, 0), np.uint16))
        compiled, (_, forced, _) = self.program.kernel(rollout), self._manner

        def work(thread: int, start: int, stop: int) -> None:
            compiled(
                *self._read,
                *self._shown,
                self._weights[thread],
                self._log,
                self._log_length,
                forced,
                int(steps),
                restart,
                counts[thread],
                start,
                stop,
            )

        self.in_threads(work)
        self._rewards[:] = 0.0
        if self.shaping:
            self._shaping.forget(slice(None))
            self._shaping.reward(np.arange(self.num_games))
        if (self._ended > TRUNCATED).any():
            self._look_at(kernels.SOME_FAULTY)
        actions, won, truncated = counts.sum(0).tolist()
        return {"actions": actions, "won": won, "truncated": truncated}

    def shape(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """(n,) float64: the shaping due to seats (n,) that are asked again in games (n,) where nothing was played, as
        an environment may do that refuses an illegal action or ends an episode. `step` sees to all others."""
        return self._shaping.due(games, seats) if self.shaping else np.zeros(len(games))

    @property
    def victory_points(self) -> np.ndarray:
        """(N, players) int64: all victory points, hidden ones included."""
        return self._points()[1]

    @property
    def visible_points(self) -> np.ndarray:
        """(N, players) int64: victory points that everybody sees."""
        return self._points()[0]

    @property
    def points_by_source(self) -> dict[str, np.ndarray]:
        """(N, players) int64 victory points by what they are for, such as "longest_road": they add up to all."""
        names = sources.compose_sources(self.program.composition)
        counts = np.zeros((self.num_games, self.num_players, len(names)), np.int64)
        compiled = self.program.kernel(sources.points_by_source)
        compiled(self._states_in, self._tables_in, counts, 0, self.num_games)
        return {name: counts[:, :, k] for k, name in enumerate(names)}

    def _points(self) -> tuple[np.ndarray, np.ndarray]:
        public, total = np.zeros((2, self.num_games, self.num_players), np.int64)
        self.program.kernel(program.points)(self._states_in, self._tables_in, public, total, 0, self.num_games)
        return public, total

    def _set_log(self, log: np.ndarray) -> None:
        self._log = log
        self.batch = self.batch._replace(log=log)

    def _look_at(self, status: int) -> None:
        """Acts on the status bits of a step or reset."""
        if status & kernels.SOME_FAULTY:
            raise CatanError(
                f"The rules of {self.scenario.name!r} left a game without a possible decision or outcome "
                f"(games {np.flatnonzero(self._ended > TRUNCATED).tolist()}). This is a defect of a rule module."
            )
        if status & kernels.LOG_FILLING:
            self._set_log(np.concatenate([self._log, np.zeros_like(self._log)], axis=1))
            self._look_at(self._play(np.full(self.num_games, kernels.GO_ON), False))  # forced moves waited for room


def _view(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
