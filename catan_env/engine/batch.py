"""`BatchEngine`: many games of one scenario, stepped together.

The engine holds the arrays and plays. What else callers want of it has files of its own, which it calls: `points`,
`rollout`, `observing`, `determinise`, `serialization`, `replay`, `shaping` and `threads`.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

from catan_env.engine import (
    arguments,
    determinise,
    kernels,
    points,
    program,
    replay,
    rollout,
    serialization,
    validation,
)
from catan_env.engine.arrays import Batch, game_size, new_batch
from catan_env.engine.binding import digest
from catan_env.engine.compiler.jit import entry_point
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT, TRUNCATED, WON
from catan_env.engine.explain import Explanation, explain
from catan_env.engine.observing import Encoders
from catan_env.engine.random import streams
from catan_env.engine.registry import find_scenario
from catan_env.engine.scenario import Scenario
from catan_env.engine.shaping import Shaping
from catan_env.engine.threads import Threads, may_run_parallel_kernels
from catan_env.errors import CatanError, OptionError, ReplayError

INT64 = np.dtype(np.int64)
CHANCE_MODES = ("sampled", "explicit")
REWARDS = ("win_loss", "zero_sum")
FORCED_MOVES = ("ask", "play")

Method = TypeVar("Method", bound=Callable[..., Any])

BUSY = (
    "Another thread is changing this engine's games. An engine serves one thread at a time: give each thread an engine "
    "of its own, such as `engine.clone()`, or hold a lock around its methods."
)


def alone(method: Method) -> Method:
    """Make a method of an engine refuse while another thread is in `step` or in such a method."""

    @functools.wraps(method)
    def refuse_if_busy(engine: BatchEngine, *args: Any, **kwargs: Any) -> Any:
        with engine.held_alone():
            return method(engine, *args, **kwargs)

    return cast(Method, refuse_if_busy)


class BatchEngine:
    """N games of one scenario as one array of records, and everything a caller does with them.

    Args:
        scenario: a registered name, the path of a scenario file, or a `Scenario`.
        num_games: how many games, N.
        num_players: seats per game; the scenario's largest by default.
        seed: one seed for all games, or (N,) uint64 per-game seeds (see `seeds`).
        chance: "sampled" draws chance outcomes at once, "explicit" stops at each and takes outcomes as actions.
        rules: numbers of the rules to override, by name.
        board: a layout name, `Layout` or mapping of hexes, harbors and robber by coordinates; a file (.toml, .json)
            with a layout, or with another map of the same sizes; None for the scenario's own, drawn where it says how.
        reward: "win_loss" (+1 winner, -1 all others) or "zero_sum" (the losers share the -1).
        shaping: weight of potential-based shaping on visible victory points over the target (0: none).
        discount: discount factor of the shaping term; see `catan_env.engine.shaping`.
        record: keep a replay log of every game.
        threads: threads that share the batch in `step`, `observe` and `random_rollout`.
        forced_moves: "ask" waits for every decision; "play" plays those with one legal action only, in `step`,
            `reset` and rollouts, so that whoever is to act has a choice. Logs hold every action all the same.
        autoreset: begin a game that is over anew at the next step, whatever id it is given (-1 leaves it). The step
            that ends a game still shows its end: rewards, `terminated` or `truncated`, nobody to act.

    Arrays marked as views are rewritten by `step` and `reset`; copy what you keep.

    Raises:
        UnknownScenarioError, PlayerCountError, UnknownRuleError, RuleValueError, BoardError, OptionError: bad
            arguments, with what is allowed.
    """

    encoder_factory: Callable[[BatchEngine, str, str], Any]
    """Makes encoders by name; `catan_env.encoders` sets it."""
    renderer: Callable[..., Any]
    """Draws a game; `catan_env.render` sets it."""

    def __init__(  # noqa: PLR0913 - every option of an engine
        self,
        scenario: str | Path | Scenario,
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
        chosen_scenario = scenario if isinstance(scenario, Scenario) else find_scenario(scenario)
        self.num_games = int(num_games)
        self.num_players = chosen_scenario.check_players(num_players)
        self.scenario = chosen_scenario.laid(board, self.num_players)
        self.program = program.program_of(self.scenario)
        self.actions, self.outcomes = self.program.action_tables(self.scenario.names)
        self.rules = self.scenario.values(self.program.composition.numbers, self.num_players, rules or {})
        self.overrides = {name: self.rules[name] for name in rules or {}}
        self.board = copy.deepcopy(board) if isinstance(board, Mapping) else board
        self.chance, self.reward, self.forced_moves, self.autoreset = chance, reward, forced_moves, bool(autoreset)
        self.threads = min(int(threads), self.num_games)
        arguments.check_memory("num_games", self.num_games, game_size(self.program.blank, self.actions.n, bool(record)))
        self.batch: Batch = new_batch(
            self.num_games,
            self.num_players,
            self.actions.n,
            blank=self.program.blank,
            params=self.program.params(self.rules, self.scenario.board),
            weights=np.zeros((self.threads, self.program.max_outcomes), np.int64),
            record=bool(record),
            zero_sum=reward == "zero_sum",
            explicit=chance == "explicit",
            forced=forced_moves == "play",
            autoreset=self.autoreset,
        )
        """The arrays of the games, as compiled kernels take them."""
        self.action_mask = _view(self.batch.masks[:, : self.actions.n])
        """(N, actions.n) bool: the legal actions, all False where no seat is to act: a view."""
        self.seat_to_act = _view(self.batch.seats)
        """(N,) int64: the seat to act, -1 where chance is, -2 in games that are over: a view."""
        self.seeds = np.zeros(self.num_games, np.uint64)
        """(N,) uint64: the seed of each game."""
        self.shaper = Shaping(self, shaping, discount)
        self.shaping, self.discount = self.shaper.weight, self.shaper.discount
        self._state = self.batch.records.view(self.program.record_dtype, np.ndarray)
        self._seats = self.batch.seats
        self._shape_of_actions = (self.num_games,)
        self._codes = np.zeros(self.num_games, np.int64)
        self._results = np.zeros(self.threads, np.int64)
        self._threads = Threads(self.threads, self.num_games)
        self._encoders = Encoders(self, self.encoder_factory)
        self._compiled: dict[Callable, Callable] = {}
        """The compiled function behind each kernel that has run."""
        self._step_kernel: Callable[..., int] = self._step_in_parallel
        if self.threads == 1:
            self._step_kernel = self.entry_point(kernels.step, self.batch, self._codes, True, 0, 0, self.num_games)
        self._step: Callable[..., int] | None = self._step_kernel
        """What `step` runs; None while a thread is changing the games."""
        self.reset(seed)

    # -- playing ------------------------------------------------------------------------------------------

    @alone
    def reset(self, seed: int | Iterable[int] | None = None, games: Any = None) -> None:
        """Starts games anew: all, or those in a boolean mask or list of indices.

        With `seed` their random streams start anew as well; without, they go on, so that every game differs.

        Raises:
            OptionError: the seeds or games do not fit the batch.
        """
        game_indices = arguments.indices_of(games, self.num_games)
        if seed is not None:
            self.seeds[game_indices] = arguments.seeds_of(seed, game_indices, self.num_games)
            self._state["rng"][game_indices] = streams(self.seeds[game_indices])
        if self.shaping:
            self.shaper.reset(game_indices)
        self._codes[:] = kernels.CONTINUE
        self._codes[game_indices] = kernels.RESET
        self._play_codes(self._codes)
        if self.shaping:
            self.shaper.reward(game_indices)

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
        step = self._step
        if step is None:
            raise CatanError(BUSY)
        self._step = None  # the interpreter lets no other thread run since the line that looked
        try:
            if shaping := self.shaping:
                restarted_games = np.flatnonzero((self._seats == NO_SEAT_TO_ACT) & (actions >= 0))
            status = step(self.batch, actions, True, 0, 0, self.num_games)
            if status:
                if status < 0:
                    arguments.refuse(self, -1 - status, int(actions[-1 - status]))
                self._look_at(status)
            if shaping:
                self.shaper.reset(restarted_games)
                self.shaper.reward(np.flatnonzero(actions >= 0))
        finally:
            self._step = step

    @contextmanager
    def held_alone(self) -> Iterator[None]:
        """While this lasts, no other thread can change the games by `step`, `reset`, `load` or `random_rollout`.

        Raises:
            CatanError: another thread is doing so.
        """
        step = self._step
        if step is None:
            raise CatanError(BUSY)
        self._step = None
        try:
            yield
        finally:
            self._step = step

    def _play_codes(self, codes: np.ndarray) -> None:
        """A step with codes such as `kernels.RESET` in place of actions, which are not checked."""
        status = self._step_kernel(self.batch, codes, False, 0, 0, self.num_games)
        if status:
            self._look_at(status)

    def _step_in_parallel(self, batch: Batch, actions: np.ndarray, check: bool, *bounds: int) -> int:
        """The step of all games, `kernels.step` in several threads."""
        if not may_run_parallel_kernels():
            return self.run_kernel(kernels.step, actions, check, *bounds)
        numba.set_num_threads(min(self.threads, numba.config.NUMBA_NUM_THREADS))
        return self.run_kernel(kernels.step_in_parallel, actions, check, self._results)

    def _look_at(self, status: int) -> None:
        """Acts on the status bits of a step or reset."""
        if status & kernels.SOME_FAULTY:
            raise CatanError(
                f"The rules of {self.scenario.name!r} left a game without a possible decision or outcome (games "
                f"{np.flatnonzero(self.batch.ended > TRUNCATED).tolist()}). This is a defect of a rule module."
            )
        if status & kernels.LOG_FILLING:
            self.use_log(np.concatenate([self.batch.log, np.zeros_like(self.batch.log)], axis=1))
            self._play_codes(np.full(self.num_games, kernels.CONTINUE))  # forced moves waited for room

    def run_kernel(self, kernel: Callable, *arguments: Any) -> Any:
        """Run `kernel(batch, *arguments)`, compiled for this scenario, and return what it returns.

        The first call settles the types: later calls must pass arrays of the same dtypes and numbers of axes, aligned
        and C-contiguous, and scalars of the same types. Nothing is checked.
        """
        compiled = self._compiled.get(kernel) or self.entry_point(kernel, self.batch, *arguments)
        return compiled(self.batch, *arguments)

    def entry_point(self, kernel: Callable, *arguments: Any) -> Callable:
        """The compiled function behind a kernel, for arguments like these; see `run_kernel`."""
        if kernel not in self._compiled:
            self._compiled[kernel] = entry_point(self.program.kernel(kernel), *arguments)
        return self._compiled[kernel]

    def in_threads(self, work: Callable[[int, int, int], int | None]) -> int:
        """Run `work(thread, start, stop)` over slices of the batch; return their statuses, or-ed."""
        return self._threads.run(work)

    @property
    def is_interrupted(self) -> bool:
        """Whether the caller of `in_threads` was interrupted: work that takes long stops then."""
        return self._threads.interrupted

    @alone
    def random_rollout(self, steps: int, restart: bool = True) -> dict[str, int]:
        """Plays every game on by `steps` uniformly random legal actions, all compiled; chance is sampled.

        Returns:
            counts of `actions` chosen (forced moves that the engine plays are none), games `won` and games
            `truncated`. Nothing is rewarded, and an engine that kept replay logs keeps them no longer.
        """
        arguments.check_count("steps", steps, 0)
        if self.record:
            self.use_log(np.zeros((self.num_games, 0), np.uint16))
        try:
            counts = rollout.play_randomly(self, steps, restart)
        finally:  # an interrupt leaves games that were played only in part, and nothing half done
            self.batch.rewards[:] = 0.0
            if self.shaping:
                self.shaper.reset(slice(None))
                self.shaper.reward(np.arange(self.num_games))
        if (self.batch.ended > TRUNCATED).any():
            self._look_at(kernels.SOME_FAULTY)
        return counts

    def shape(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """(n,) float64: the shaping due to seats (n,) that are asked again in games (n,) where nothing was played, as
        an environment may do that refuses an illegal action or ends an episode. `step` sees to all others."""
        return self.shaper.due(games, seats) if self.shaping else np.zeros(len(games))

    # -- what happened ------------------------------------------------------------------------------------

    @property
    def rewards(self) -> np.ndarray:
        """(N, players) float32 rewards of the last step: a view."""
        return self.batch.rewards

    @property
    def terminated(self) -> np.ndarray:
        """(N,) bool: games that have ended by the rules, most often because somebody has won."""
        return self.batch.ended == WON

    @property
    def truncated(self) -> np.ndarray:
        """(N,) bool: games cut off by a limit."""
        return self.batch.ended == TRUNCATED

    @property
    def winner(self) -> np.ndarray:
        """(N,) int8: the one seat that has won; -1 where nobody has, or several together."""
        winner_flags = self.winners
        return np.where(winner_flags.sum(1) == 1, winner_flags.argmax(1), -1).astype(np.int8)

    @property
    def winners(self) -> np.ndarray:
        """(N, players) bool: seats that have won."""
        return (self._state["winners"][:, None] >> np.arange(self.num_players) & 1).astype(bool)

    @property
    def victory_points(self) -> np.ndarray:
        """(N, players) int64: all victory points, hidden ones included."""
        return points.points_of(self)[1]

    @property
    def visible_points(self) -> np.ndarray:
        """(N, players) int64: victory points that everybody sees."""
        return points.points_of(self)[0]

    @property
    def points_by_source(self) -> dict[str, np.ndarray]:
        """(N, players) int64 victory points by what they are for, such as "longest_road": they add up to all."""
        return points.points_by_source(self)

    @property
    def state(self) -> np.ndarray:
        """(N,) structured array of the game records: a view. After editing it, call `refresh`."""
        return self._state

    def refresh(self) -> None:
        """Brings masks and seats to act in line with records that were edited."""
        self.run_kernel(kernels.refresh_views, 0, self.num_games)

    def encoder(self, name: str = "flat", dtype: str = "float32") -> Any:
        """The encoder of this name and dtype for this engine; see `catan_env.encoders`.

        Raises:
            UnknownEncoderError, OptionError: no such encoder or dtype.
        """
        return self._encoders.get(name, dtype)

    def observe(
        self, encoder: str = "flat", seat: Any = None, out: Any = None, dtype: str = "float32", games: Any = None
    ) -> Any:
        """Observations of all games (or those in a mask or list) from a seat, or one seat per game.

        Without `seat`, from the seat to act: zero where there is none. "flat" gives (rows, size), fresh or written
        into `out`; see `catan_env.encoders` for the others.
        """
        return self._encoders.get(encoder, dtype).encode(seat, out, games)

    def observation_space(self, encoder: str = "flat", dtype: str = "float32") -> Any:
        """Gymnasium space of one game's observation."""
        return self._encoders.get(encoder, dtype).space

    def feature_names(self, encoder: str = "flat") -> Any:
        """Name of every feature, in order: a list for "flat", by part for encoders whose observation has parts."""
        return self.encoder(encoder).feature_names

    @property
    def topology(self):
        """The board's geometry: axial coordinates, intersections and paths with their adjacency, as arrays."""
        return self.scenario.board.topology

    def place_names(self, game: int = 0) -> Mapping[str, tuple[str, ...]]:
        """What people call the places of the board that is laid in a game, by axis: "6 hills, 3 forest, 11 fields"."""
        arguments.check_game(game, self.num_games)
        return self.scenario.board.place_names(self._state[game])

    def describe(self, game: int, action: int) -> str:
        """Return the sentence for an action in a game, with names of places.

        `actions.describe` uses coordinates instead.
        """
        return self.actions.describe(action, self.place_names(game), self.custom_text(game, action))

    def custom_text(self, game: int, action: int) -> str:
        """Return the text of an action at the current decision if rules replace it (`@describes`), else "".

        The text has {} for the argument.
        """
        describer = self.program.composition.describers.get((self.actions.pair(action)[0], self.decision(game)))
        return describer(self._state[game], self.rules, int(self.seat_to_act[game])) if describer else ""

    def explain(self, name: int | str = "") -> Explanation:
        """Explain which rules run for an action, what they announce and ask, and who responds.

        Args:
            name: an action id, or the name of an action, decision, draw, event or question; "" for all in short.

        Raises:
            ActionFormatError: the scenario has nothing of this name, or no such id.
        """
        return explain(self.program.composition, name if isinstance(name, str) else self.actions.pair(name)[0])

    @property
    def chance_probabilities(self) -> np.ndarray:
        """(N, outcomes.n) float64: probability of each chance outcome, zero rows where a seat is to act."""
        probabilities = np.zeros((self.num_games, max(self.outcomes.n, 1)))
        self.run_kernel(kernels.outcome_probabilities, probabilities, 0, self.num_games)
        return probabilities

    @property
    def chance_mask(self) -> np.ndarray:
        """(N, outcomes.n) bool: the chance outcomes that are possible now (explicit mode)."""
        return self.chance_probabilities > 0

    def render(self, game: int = 0, **options: Any) -> Any:
        """A picture of one game that shows itself in a notebook; see `catan_env.render.draw` for the options."""
        return self.renderer(game, **options)

    def broken_invariants(self) -> list[tuple[int, str]]:
        """Return (game, name) of every broken invariant.

        The list is empty unless the rules have a defect or the state was edited. Values out of the bounds of a field
        appear as "bounds of FIELD". Such a game reports no other invariants, because rules cannot safely read its
        record.
        """
        composition = self.program.composition
        out_of_bounds = validation.broken_bounds(self._state, composition)
        broken_bits = np.zeros(self.num_games, np.int64)
        start = 0
        for game in [*sorted({game for game, _ in out_of_bounds}), self.num_games]:
            self.run_kernel(kernels.check_every_invariant, broken_bits, start, game)
            start = game + 1
        invariant_names = list(composition.invariants)
        return out_of_bounds + [
            (int(i), name)
            for i in np.flatnonzero(broken_bits)
            for k, name in enumerate(invariant_names)
            if broken_bits[i] >> k & 1
        ]

    def decision(self, game: int) -> str:
        """Name of the decision or chance draw at hand in a game; "over" when it has ended."""
        arguments.check_game(game, self.num_games)
        if self.batch.ended[game]:
            return "over"
        record = self._state[game]
        names_by_code = [*self.program.composition.decisions, *self.program.composition.draws]
        return names_by_code[record["decision_stack"][record["depth"] - 1]]

    # -- hidden state -------------------------------------------------------------------------------------

    def determinise(
        self, games: Any = None, seats: Any = None, count: int = 1, seed: Any = 0, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Worlds that seats cannot tell from the true games: what they do not see is dealt anew, as chance would.

        A seat knows what its observation says now; among the deals that agree with it, and with every card that the
        table has seen in a hand, each is as likely as any other. Each world has a random stream of its own.

        Args:
            games: a boolean mask or list of indices, as many times as you like; None for all, G games.
            seats: whose view, one seat or (G,); None for the seats to act.
            count: worlds of each game.
            seed: of the deals and the streams of the worlds: one for all, or (G * count,) uint64, one for each.
            out: where to write them, such as the `state` of another engine of the same kind; call its `refresh` then.

        Returns:
            (G * count,) records, those of the first game first.

        Raises:
            OptionError: games, seats, count, seeds or `out` do not fit.
            CatanError: no world was found; a rule module contradicts itself.
        """
        return determinise.imagine_worlds(self, games, seats, count, seed, out)

    # -- saving -------------------------------------------------------------------------------------------

    @property
    def layout_hash(self) -> str:
        """Fingerprint of the rules' layout: scenario version, record but for derived fields, actions and outcomes."""
        return digest(
            [
                self.scenario.name,
                str(self.scenario.version),
                self.program.record_hash,
                self.actions.hash,
                self.outcomes.hash,
            ]
        )

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of an engine that plays as this one does: all of `BatchEngine`'s but for `seed`."""
        return {
            "scenario": self.scenario,
            "num_games": self.num_games,
            "num_players": self.num_players,
            "chance": self.chance,
            "rules": self.overrides,
            "board": self.board,
            "reward": self.reward,
            "shaping": self.shaping,
            "discount": self.discount,
            "record": self.record,
            "threads": self.threads,
            "forced_moves": self.forced_moves,
            "autoreset": self.autoreset,
        }

    def save(self) -> bytes:
        """A snapshot of all games, streams, rewards, shaping and logs: `load` brings them back exactly."""
        return serialization.save(self)

    @alone
    def load(self, data: bytes) -> None:
        """Brings back a snapshot taken from an engine of the same scenario, rules, board and number of games.

        Raises:
            SnapshotError: it is damaged, of another format, from another kind of engine, or holds what no game can be;
                it names the field and what is allowed. The engine is as it was.
        """
        serialization.load(self, data)

    def clone(self, games: Any = None) -> BatchEngine:
        """A new engine with copies of all games, or of those in a boolean mask or list of indices."""
        return serialization.clone(self, arguments.indices_of(games, self.num_games))

    def __reduce__(self) -> tuple:
        return serialization.unpickle, (type(self), self.settings, self.save())

    def __copy__(self) -> BatchEngine:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> BatchEngine:
        return self.clone()

    @property
    def record(self) -> bool:
        """Whether replay logs are kept."""
        return self.batch.log.shape[1] > 0

    def use_log(self, log: np.ndarray) -> None:
        """Keep replay logs in this array from now on: (N, room) uint16, see `Batch.log`."""
        self.batch = self.batch._replace(log=log)

    def log_entries(self, game: int) -> list[int]:
        """Return the moves of a game so far: ids of actions, and of outcomes plus the number of actions."""
        return self.batch.log[game, : self.batch.log_length[game]].tolist()

    def replay_log(self, game: int = 0) -> dict[str, Any]:
        """The whole game as `(kind, argument)` moves with chance outcomes, ready for JSON; see `catan_env.replay`.

        Raises:
            ReplayError: the engine was made without `record=True`.
        """
        if not self.record:
            raise ReplayError("This engine keeps no replay logs; make it with record=True.")
        arguments.check_game(game, self.num_games)
        return replay.write_log(self, game, self.log_entries(game))


def _view(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
