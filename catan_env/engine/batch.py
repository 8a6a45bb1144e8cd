"""`BatchEngine`: many games of one scenario, stepped together.

The engine holds the arrays and runs the kernels. It delegates everything else to the modules `points`, `rollout`,
`observing`, `determinise`, `serialization`, `replay`, `shaping`, `threads` and `plain_first`.
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
    plain_first,
    points,
    positions,
    program,
    replay,
    rollout,
    serialization,
    validation,
)
from catan_env.engine.arrays import Batch, game_size, new_batch
from catan_env.engine.binding import digest
from catan_env.engine.compose import Composition
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT, TRUNCATED, WON
from catan_env.engine.explain import Explanation, explain
from catan_env.engine.faults import describe_faults
from catan_env.engine.fixed import Fixed
from catan_env.engine.idle import INTERVAL, IdleWatch
from catan_env.engine.observing import Encoders
from catan_env.engine.random import streams
from catan_env.engine.registry import find_scenario
from catan_env.engine.rewards import REWARDS, CustomReward, check_reward
from catan_env.engine.scenario import Scenario
from catan_env.engine.shaping import Shaping
from catan_env.engine.threads import Threads, may_run_parallel_kernels
from catan_env.errors import CatanError, OptionError, ReplayError

INT64 = np.dtype(np.int64)
CHANCE_MODES = ("sampled", "explicit")
FORCED_MOVES = ("ask", "play")

Method = TypeVar("Method", bound=Callable[..., Any])

BUSY = (
    "Another thread is changing this engine's games. Only one thread can use an engine at a time: give each thread "
    "its own engine, such as `engine.clone()`, or hold a lock around its methods."
)


def alone(method: Method) -> Method:
    """Make an engine method raise `CatanError` while another thread is changing the games."""

    @functools.wraps(method)
    def refuse_if_busy(engine: BatchEngine, *args: Any, **kwargs: Any) -> Any:
        with engine.held_alone():
            return method(engine, *args, **kwargs)

    return cast(Method, refuse_if_busy)


class BatchEngine:
    """A batch of N games of one scenario, stored as an array of records.

    Args:
        scenario: registered name, path of a scenario file, or `Scenario`.
        num_games: number of games, N.
        num_players: number of seats; defaults to the scenario's maximum.
        seed: one seed for all games, or (N,) uint64 seeds, one per game (see `seeds`).
        chance: "sampled" draws chance outcomes; "explicit" stops at every draw and takes outcome ids as actions.
        rules: rule numbers to override, by name.
        board: the name of a layout, a `Layout`, a mapping of hexes, harbors and robber keyed by coordinates, or a file
            (.toml, .json) that contains a layout or another map of the same dimensions. None selects the scenario's
            default, which may draw a new board for every game.
        reward: "win_loss" (+1 for the winner, -1 for all others); "zero_sum" (the losers share the -1); or a function
            of the batch, `reward(engine)`, passed directly or as "module:function" (see
            `catan_env.engine.rewards.CustomReward`).
        shaping: weight of potential-based shaping on visible victory points as a fraction of those needed; 0 disables
            it.
        discount: discount factor of the shaping term; see `catan_env.engine.shaping`.
        record: whether to keep a replay log of every game.
        threads: number of threads that share the batch in `step`, `observe` and `random_rollout`.
        forced_moves: "ask" stops at every decision; "play" makes `step`, `reset` and rollouts play an action
            automatically when it is the only legal one, so every decision is a real choice. Logs still contain forced
            actions.
        autoreset: whether stepping a finished game resets it. The action id is then ignored, except that -1 leaves the
            game unchanged. After the step that ends a game, its rewards, `terminated` and `truncated` can still be
            read.
        compiled: True compiles the rules before the first step unless they are in the compiler cache. "auto" starts
            batches of up to 8 games in plain Python right away while another process compiles the rules; compiled code
            then takes over between two steps without changing the trajectory. False stays in plain Python.

    Attributes:
        action_mask: (N, actions.n) bool, legal actions of the seat to act; all False where no seat acts. A view.
        seat_to_act: (N,) int64, the seat to act; -1 where chance acts, -2 in finished games. A view.
        actions, outcomes: tables of action ids and of chance outcome ids, each an `ActionTable`.
        scenario: the `Scenario`, with this engine's board.
        num_games, num_players, threads, board, chance, reward, forced_moves, autoreset, compiled: as passed.
        seeds: (N,) uint64, the seed of each game.
        rules: read-only dict of all rule numbers by name.
        overrides: the rule numbers passed as `rules=`.
        shaping, discount: weight and discount factor of the shaping.
        rewards_every_step: whether seats can be rewarded before the game ends, through shaping or a custom reward.
        program: the compiled rules, shared by all engines of the scenario.
        batch: the game arrays that compiled kernels take.
        shaper: computes the shaping term.
        encoder_factory: function that creates encoders by name, set by `catan_env.encoders`.
        renderer: function that draws a game, set by `catan_env.render`.
        idle_watch: warns about finished games that keep getting -1 as their action; None for loops that do this on
            purpose.

    `step` and `reset` overwrite the arrays marked as views. Copy any values that you want to keep.

    Raises:
        UnknownScenarioError, PlayerCountError, UnknownRuleError, RuleValueError, BoardError, OptionError: an argument
            is invalid; the message lists valid values.
    """

    encoder_factory: Callable[[BatchEngine, str, str], Any]
    """Creates encoders by name; `catan_env.encoders` sets it."""
    renderer: Callable[..., Any]
    """Draws a game; `catan_env.render` sets it."""
    scenario, num_games, num_players = Fixed[Scenario](), Fixed[int](), Fixed[int]()
    board, rules, overrides = Fixed[Any](), Fixed[Any](), Fixed[Any]()
    chance, reward, forced_moves, rewards_every_step = Fixed[str](), Fixed[Any](), Fixed[str](), Fixed[bool]()
    shaping, discount = Fixed[float](), Fixed[float]()
    autoreset, threads, compiled = Fixed[bool](), Fixed[int](), Fixed[bool | str]()

    def __init__(  # noqa: PLR0913 - every option of an engine
        self,
        scenario: str | Path | Scenario,
        num_games: int = 1,
        num_players: int | None = None,
        seed: int | Iterable[int] = 0,
        chance: str = "sampled",
        rules: Mapping[str, Any] | None = None,
        board: Any = None,
        reward: str | Callable[[BatchEngine], Any] = "win_loss",
        shaping: float = 0.0,
        discount: float = 1.0,
        record: bool = False,
        threads: int = 1,
        forced_moves: str = "ask",
        autoreset: bool = False,
        compiled: bool | str = True,
    ):
        arguments.check_option("chance", chance, CHANCE_MODES)
        check_reward(reward)
        arguments.check_option("forced_moves", forced_moves, FORCED_MOVES)
        plain_first.check_compiled(compiled)
        arguments.check_count("num_games", num_games)
        arguments.check_count("threads", threads)
        arguments.check_rules(rules)
        if seed is None:
            raise OptionError("seed is None; a new engine needs an integer, or one per game.")
        chosen_scenario = scenario if isinstance(scenario, Scenario) else find_scenario(scenario)
        self.num_games = int(num_games)
        self.num_players = chosen_scenario.check_players(num_players)
        self.scenario = chosen_scenario.laid(board, self.num_players)
        self.program = program.program_of(self.scenario)
        self.actions, self.outcomes = self.program.action_tables(self.scenario.names)
        values = self.scenario.values(self.program.composition.numbers, self.num_players, rules or {})
        self.rules = arguments.FixedRules(values)
        self.overrides = {name: self.rules[name] for name in rules or {}}
        self.board = copy.deepcopy(board) if isinstance(board, Mapping) else board
        self.chance, self.reward, self.forced_moves, self.autoreset = chance, reward, forced_moves, bool(autoreset)
        self.threads = min(int(threads), self.num_games)
        self.compiled = compiled
        self._lost_logs = False
        is_small = self.num_games <= plain_first.FEW_GAMES and self.threads == 1
        self._runner = plain_first.Runner(self.program, compiled, is_small)
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
        """The game arrays that compiled kernels take."""
        self.action_mask = _view(self.batch.masks[:, : self.actions.n])
        """(N, actions.n) bool: the legal actions; all False where no seat acts. A view."""
        self.seat_to_act = _view(self.batch.seats)
        """(N,) int64: the seat to act; -1 where chance acts, -2 in finished games. A view."""
        self.seeds = np.zeros(self.num_games, np.uint64)
        """(N,) uint64: the seed of each game."""
        self.shaper = Shaping(self, shaping, discount)
        self.shaping, self.discount = self.shaper.weight, self.shaper.discount
        self._custom_reward = CustomReward(self, reward) if reward not in REWARDS else None
        self.rewards_every_step = bool(self.shaping) or self._custom_reward is not None
        self._state = self.batch.records.view(self.program.record_dtype, np.ndarray)
        self._seats = self.batch.seats
        self._shape_of_actions = (self.num_games,)
        self._codes = np.zeros(self.num_games, np.int64)
        self._results = np.zeros(self.threads, np.int64)
        self.idle_watch: IdleWatch | None = IdleWatch(self)
        self._steps_to_watch = INTERVAL
        self._threads = Threads(self.threads, self.num_games)
        self._encoders = Encoders(self, self.encoder_factory)
        self._compiled: dict[Callable, Callable] = {}
        """The compiled or plain function of each kernel."""
        self._step_kernel: Callable[..., int] = self._step_in_parallel
        if self.threads == 1:
            self._step_kernel = self.entry_point(kernels.step, self.batch, self._codes, True, 0, 0, self.num_games)
        self._step: Callable[..., int] | None = self._step_kernel
        """The kernel that `step` calls; None while a thread is changing the games."""
        self.reset(seed)

    # -- playing ------------------------------------------------------------------------------------------

    @alone
    def reset(self, seed: int | Iterable[int] | None = None, games: Any = None) -> None:
        """Reset all games, or only those in a boolean mask or a list of indices.

        With `seed`, random streams restart from that seed. Without one, they continue, so every game is different.

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
        if self._custom_reward is not None:
            self._custom_reward.reset(game_indices)
        if self.shaping:
            self.shaper.reward(game_indices)

    def step(self, actions: np.ndarray) -> None:
        """Carry out one action per game. If an error is raised, all games stay unchanged.

        Args:
            actions: (N,) integers: an action id where a seat acts, an outcome id where chance acts (explicit mode), or
                -1 to leave a game unchanged. Pass -1 to finished games; with `autoreset`, any id resets them.

        Raises:
            ActionFormatError: the actions have the wrong type or shape.
            IllegalActionError: an action is illegal; the message names the game, seat, action and reason.
            GameOverError: an action was passed to a finished game.
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
        self._step = None  # no other thread has run since the check above
        try:
            if self.rewards_every_step:
                restarted_games = np.flatnonzero((self._seats == NO_SEAT_TO_ACT) & (actions >= 0))
            status = step(self.batch, actions, True, 0, 0, self.num_games)
            if status:
                if status < 0:
                    arguments.refuse(self, -1 - status, int(actions[-1 - status]))
                self._look_at(status, actions)
            if self.rewards_every_step:
                self._reward(restarted_games, np.flatnonzero(actions >= 0))
        finally:
            self._step = step
        self._steps_to_watch -= 1
        if not self._steps_to_watch:  # calling it at every step would cost 10% of the run time of a single game
            self._steps_to_watch = INTERVAL
            if self.idle_watch is not None:
                self.idle_watch.look(actions)

    def _reward(self, restarted_games: np.ndarray, stepped_games: np.ndarray) -> None:
        """Add custom rewards and shaping after some games were stepped and some of them were reset."""
        if self._custom_reward is not None:
            self._custom_reward.reset(restarted_games)
            self._custom_reward.reward(np.setdiff1d(stepped_games, restarted_games, assume_unique=True))
        if self.shaping:
            self.shaper.reset(restarted_games)
            self.shaper.reward(stepped_games)

    @contextmanager
    def held_alone(self) -> Iterator[None]:
        """Keep other threads from calling `step`, `reset`, `load` and `random_rollout` during the `with` block.

        Raises:
            CatanError: another thread is already changing the games.
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
        """Run an unchecked step that takes codes such as `kernels.RESET` instead of actions."""
        status = self._step_kernel(self.batch, codes, False, 0, 0, self.num_games)
        if status:
            self._look_at(status)

    def _step_in_parallel(self, batch: Batch, actions: np.ndarray, check: bool, *bounds: int) -> int:
        """Run `kernels.step` on all games, in several threads if this process allows it."""
        if not may_run_parallel_kernels():
            return self.run_kernel(kernels.step, actions, check, *bounds)
        numba.set_num_threads(min(self.threads, numba.config.NUMBA_NUM_THREADS))
        return self.run_kernel(kernels.step_in_parallel, actions, check, self._results)

    def _look_at(self, status: int, actions: np.ndarray | None = None) -> None:
        """Handle the status bits of a step or reset."""
        if status & kernels.SOME_FAULTY:
            raise CatanError(describe_faults(self, actions))
        if status & kernels.LOG_FILLING:
            self.use_log(np.concatenate([self.batch.log, np.zeros_like(self.batch.log)], axis=1))
            self._play_codes(np.full(self.num_games, kernels.CONTINUE))  # play forced moves that were waiting for room

    def run_kernel(self, kernel: Callable, *arguments: Any) -> Any:
        """Compile `kernel(batch, *arguments)` for this scenario, run it, and return its result.

        The first call fixes the argument types. Later calls must pass scalars of the same types and aligned,
        C-contiguous arrays of the same dtypes and dimensions. Compiled code does not check this.
        """
        compiled = self._compiled.get(kernel) or self.entry_point(kernel, self.batch, *arguments)
        return compiled(self.batch, *arguments)

    def entry_point(self, kernel: Callable, *arguments: Any) -> Callable:
        """Return the function of a kernel for arguments of these types, creating it only once; see `run_kernel`."""
        if kernel not in self._compiled:
            self._compiled[kernel] = self.bind(kernel, *arguments)
        return self._compiled[kernel]

    def bind(self, kernel: Callable, *arguments: Any) -> Callable:
        """Return the function of any kernel for arguments of exactly these types.

        With `compiled="auto"`, it may run in plain Python until compiled code takes over.
        """
        return self._runner.bind(kernel, *arguments)

    def kernel(self, template: Callable, composition: Composition | None = None, waits: bool = False) -> Callable:
        """Return a kernel that takes arguments of any type.

        With `compiled="auto"`, it may run in plain Python until compiled code takes over. With `waits=True`, it waits
        for the compiler instead; use this for long searches that are too slow in plain Python. `composition` replaces
        the rules of `program`.
        """
        return self._runner.kernel(template, composition, waits)

    @property
    def is_compiled(self) -> bool:
        """Whether `step` currently runs compiled code."""
        return self._runner.is_compiled(self.entry_point(kernels.step, self.batch, self._codes, True, 0, 0, 1))

    def in_threads(self, work: Callable[[int, int, int], int | None]) -> int:
        """Run `work(thread, start, stop)` on slices of the batch and return the bitwise OR of the results."""
        return self._threads.run(work)

    @property
    def is_interrupted(self) -> bool:
        """Whether the caller of `in_threads` was interrupted; if so, long-running work stops early."""
        return self._threads.interrupted

    @alone
    def random_rollout(self, steps: int, restart: bool = True) -> dict[str, int]:
        """Play `steps` uniformly random legal actions in every game, in compiled code.

        Chance outcomes are sampled. Finished games restart if `restart` is true. Afterwards, all rewards are zero and
        the engine no longer keeps replay logs.

        Returns:
            counts of `actions` chosen (excluding forced moves that the engine plays), games `won` and games
            `truncated`.
        """
        arguments.check_count("steps", steps, 0)
        if self.record:
            self.use_log(np.zeros((self.num_games, 0), np.uint16))
            self._lost_logs = True
        try:
            counts = rollout.play_randomly(self, steps, restart)
        finally:  # after an interrupt, games are consistent but have had different numbers of steps
            self.batch.rewards[:] = 0.0
            self.forget_rewards()
            if self.shaping:
                self.shaper.reset(slice(None))
                self.shaper.reward(np.arange(self.num_games))
        if (self.batch.ended > TRUNCATED).any():
            self._look_at(kernels.SOME_FAULTY)
        return counts

    def forget_rewards(self) -> None:
        """Reset the memory of a custom reward in all games after their records have been replaced."""
        if self._custom_reward is not None:
            self._custom_reward.reset(np.arange(self.num_games))

    def shape(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Return the shaping, float64 of shape (n,), for `seats` that act again in `games` without a step in between.

        Environments need this when they reject an illegal action or end an episode. `step` adds all other shaping.
        """
        return self.shaper.due(games, seats) if self.shaping else np.zeros(len(games))

    # -- results ------------------------------------------------------------------------------------

    @property
    def rewards(self) -> np.ndarray:
        """(N, players) float32: rewards of the last step. A view."""
        return self.batch.rewards

    @property
    def terminated(self) -> np.ndarray:
        """(N,) bool: games that ended according to the rules, usually with a winner."""
        return self.batch.ended == WON

    @property
    def truncated(self) -> np.ndarray:
        """(N,) bool: games that were truncated by a limit."""
        return self.batch.ended == TRUNCATED

    @property
    def winner(self) -> np.ndarray:
        """(N,) int8: the winner, or -1 if there is none or more than one."""
        winner_flags = self.winners
        return np.where(winner_flags.sum(1) == 1, winner_flags.argmax(1), -1).astype(np.int8)

    @property
    def winners(self) -> np.ndarray:
        """(N, players) bool: seats that have won."""
        return (self._state["winners"][:, None] >> np.arange(self.num_players) & 1).astype(bool)

    @property
    def victory_points(self) -> np.ndarray:
        """(N, players) int64: all victory points, including hidden ones."""
        return points.points_of(self)[1]

    @property
    def visible_points(self) -> np.ndarray:
        """(N, players) int64: victory points that all players can see."""
        return points.points_of(self)[0]

    @property
    def points_by_source(self) -> dict[str, np.ndarray]:
        """(N, players) int64 victory points by source, such as "longest_road".

        They add up to `victory_points`.
        """
        return points.points_by_source(self)

    @property
    def state(self) -> np.ndarray:
        """(N,) structured array of the game records, a view. Call `refresh` after editing it."""
        return self._state

    def refresh(self) -> None:
        """Recompute masks and seats to act after records were edited."""
        self.run_kernel(kernels.refresh_views, 0, self.num_games)

    def encoder(self, name: str = "flat", dtype: str = "float32") -> Any:
        """Return this engine's encoder with the given name and dtype; see `catan_env.encoders`.

        Raises:
            UnknownEncoderError, OptionError: the encoder or dtype is unknown.
        """
        return self._encoders.get(name, dtype)

    def observe(
        self, encoder: str = "flat", seat: Any = None, out: Any = None, dtype: str = "float32", games: Any = None
    ) -> Any:
        """Return observations of all games, or of those in a mask or list, as seen by one seat or one seat per game.

        By default, each game is observed by its seat to act; if no seat acts, the observation is zero. "flat" returns
        an array of shape (rows, size), which is `out` if that is given. See `catan_env.encoders` for the other
        encoders.
        """
        return self._encoders.get(encoder, dtype).encode(seat, out, games)

    def observation_space(self, encoder: str = "flat", dtype: str = "float32") -> Any:
        """Return the Gymnasium space of one game's observation."""
        return self._encoders.get(encoder, dtype).space

    def feature_names(self, encoder: str = "flat") -> Any:
        """Return the feature names in order: a list for "flat"; for encoders with several parts, one list per part."""
        return self.encoder(encoder).feature_names

    @property
    def topology(self):
        """Geometry of the board as arrays: axial coordinates, adjacency of intersections and paths."""
        return self.scenario.board.topology

    def place_names(self, game: int = 0) -> Mapping[str, tuple[str, ...]]:
        """Return the place names on a game's board for each axis, such as "6 hills, 3 forest, 11 fields"."""
        arguments.check_index("game", game, self.num_games)
        return self.scenario.board.place_names(self._state[game])

    def describe(self, game: int, action: int) -> str:
        """Describe an action in a game in one sentence, using place names.

        `actions.describe` uses coordinates instead.
        """
        return self.actions.describe(action, self.place_names(game), self.custom_text(game, action))

    def custom_text(self, game: int, action: int) -> str:
        """Return the text that `@describes` rules define for an action at the current decision, or "" if there is none.

        In the text, {} is a placeholder for the argument.
        """
        describer = self.program.composition.describers.get((self.actions.pair(action)[0], self.decision(game)))
        return describer(self._state[game], self.rules, int(self.seat_to_act[game])) if describer else ""

    def explain(self, name: int | str = "") -> Explanation:
        """Explain which rules run for an action, which events and questions they use, and which rules respond to them.

        Args:
            name: an action id, or the name of an action, decision, draw, event or question; "" for an overview.

        Raises:
            ActionFormatError: the scenario has no such name or id.
        """
        return explain(self.program.composition, name if isinstance(name, str) else self.actions.pair(name)[0])

    @property
    def chance_probabilities(self) -> np.ndarray:
        """(N, outcomes.n) float64: probability of each chance outcome; rows are zero where a seat acts."""
        probabilities = np.zeros((self.num_games, max(self.outcomes.n, 1)))
        self.run_kernel(kernels.outcome_probabilities, probabilities, 0, self.num_games)
        return probabilities

    @property
    def chance_mask(self) -> np.ndarray:
        """(N, outcomes.n) bool: the chance outcomes that are currently possible (explicit mode)."""
        return self.chance_probabilities > 0

    def render(self, game: int = 0, **options: Any) -> Any:
        """Return a picture of one game that notebooks can display; see `catan_env.render.draw` for the options."""
        return self.renderer(game, **options)

    def broken_invariants(self) -> list[tuple[int, str]]:
        """Return a (game, name) pair for every broken invariant.

        The list is empty unless the rules have a bug or the state was edited. An out-of-bounds field is reported as
        "bounds of FIELD". No other invariants are reported for that game, because rules cannot safely read its record.
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
        """Return the name of a game's current decision or chance draw, or "over" if the game has ended."""
        arguments.check_index("game", game, self.num_games)
        if self.batch.ended[game]:
            return "over"
        record = self._state[game]
        names_by_code = [*self.program.composition.decisions, *self.program.composition.draws]
        return names_by_code[record["decision_stack"][record["depth"] - 1]]

    # -- hidden state -------------------------------------------------------------------------------------

    def determinise(
        self, games: Any = None, seats: Any = None, count: int = 1, seed: Any = 0, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Return worlds: copies of games in which everything that a seat cannot see is sampled.

        A seat knows its current observation. All deals consistent with that observation, and with any cards in hands
        that all players have seen, are equally likely. Each world has its own random stream.

        Args:
            games: a boolean mask, or a list of G indices, possibly repeated; None for all games.
            seats: the observing seat, or (G,) seats; None for the seats to act.
            count: number of worlds per game.
            seed: seed for deals and random streams: one for all worlds, or (G * count,) uint64.
            out: array to write the worlds to, such as the `state` of another engine of the same kind. Call that
                engine's `refresh` afterwards.

        Returns:
            (G * count,) records; the worlds of the first game come first.

        Raises:
            OptionError: games, seats, count, seeds or `out` are invalid.
            CatanError: no world was found because a rule module contradicts itself.
        """
        return determinise.sample_worlds(self, games, seats, count, seed, out)

    def from_position(
        self, position: positions.PositionFacts, seat: int | None = None, count: int = 1, seed: Any = 0, game: int = 0
    ) -> np.ndarray:
        """Return records of a position described by facts, such as a `catan_env.Position`.

        Everything that `seat` cannot see is sampled, as in `determinise`. This engine's games do not change; to use the
        records, write them to the `state` of an engine of the same kind and call its `refresh`.

        Args:
            position: the facts.
            seat: the seat that knows the facts; None if the facts determine everything.
            count: number of records.
            seed: seed for deals and random streams: one for all records, or (count,) uint64.
            game: the game whose board the position uses.

        Returns:
            (count,) records.

        Raises:
            PositionError: the facts are malformed or contradict each other; the message lists the contradictions.
            OptionError: seat, count, seed or game are invalid.
        """
        return positions.records_of(self, positions.spare_of(self), position, seat, count, seed, game)

    # -- saving -------------------------------------------------------------------------------------------

    @property
    def layout_hash(self) -> str:
        """Fingerprint of the scenario version, actions, outcomes, and record layout without derived fields."""
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
        """The `BatchEngine` arguments, except `seed`, for creating an engine that plays like this one."""
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
            "compiled": self.compiled,
        }

    def save(self) -> bytes:
        """Return a snapshot of all games for `load`, including random streams, rewards, shaping and logs."""
        return serialization.save(self)

    @alone
    def load(self, data: bytes) -> None:
        """Restore a snapshot from an engine with the same scenario, rules, board, players and number of games.

        Raises:
            SnapshotError: the snapshot is corrupt, has another format, belongs to another kind of engine, or contains
                an impossible game. The message names the field and its allowed values. The engine is unchanged.
        """
        serialization.load(self, data)

    def clone(self, games: Any = None) -> BatchEngine:
        """Return a new engine with copies of all games, or only of those in a boolean mask or a list of indices."""
        return serialization.clone(self, arguments.indices_of(games, self.num_games))

    def __reduce__(self) -> tuple:
        return serialization.unpickle, (type(self), self.settings, self.save())

    def __repr__(self) -> str:
        how = "compiled" if self.is_compiled else "in plain Python"
        return (
            f"{type(self).__name__}({self.scenario.name!r}, num_games={self.num_games}, "
            f"num_players={self.num_players}, compiled={self.compiled!r}) {how}"
        )

    def __copy__(self) -> BatchEngine:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> BatchEngine:
        return self.clone()

    @property
    def record(self) -> bool:
        """Whether the engine keeps replay logs."""
        return self.batch.log.shape[1] > 0

    def use_log(self, log: np.ndarray) -> None:
        """Store replay logs in this array, (N, room) uint16; see `Batch.log`."""
        self.batch = self.batch._replace(log=log)

    def log_entries(self, game: int) -> list[int]:
        """Return the moves of a game so far: action ids, and outcome ids offset by the number of actions."""
        return self.batch.log[game, : self.batch.log_length[game]].tolist()

    def replay_log(self, game: int = 0) -> dict[str, Any]:
        """Return a game's JSON log of `(kind, argument)` moves, including chance outcomes; see `catan_env.replay`.

        Raises:
            ReplayError: the engine was created without `record=True`.
        """
        if self._lost_logs:
            raise ReplayError("random_rollout has ended the replay logs of this engine; play logged games by step.")
        if not self.record:
            raise ReplayError("This engine keeps no replay logs; create it with record=True.")
        arguments.check_index("game", game, self.num_games)
        return replay.write_log(self, game, self.log_entries(game))


def _view(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
