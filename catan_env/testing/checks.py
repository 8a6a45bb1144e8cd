"""`check_scenario`, which runs all checks of a scenario in one call."""

from __future__ import annotations

import json
import shlex
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.engine.arguments import check_count
from catan_env.engine.batch import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.random import check_seed
from catan_env.engine.registry import find_scenario, import_of
from catan_env.engine.scenario import Scenario
from catan_env.errors import CatanError, OptionError
from catan_env.testing import agents, copies, drawings, endings, hidden, numbers, randomness
from catan_env.testing.effects import Deals, Twins
from catan_env.testing.faults import Fault, StateCheck
from catan_env.testing.playing import Chooser
from catan_env.testing.soundness import unsound
from catan_env.testing.traces import RuleError, TracedGame, TraceMove, decisions_in, followed, log_of_moves, shortest
from catan_env.testing.worlds import Worlds
from catan_env.whole_files import write_whole

CHECKS = {
    "rules": "the scenario composes, and its rules run without errors",
    "soundness": "fields stay within their bounds, invariants hold, and every seat to act has a legal action",
    "hidden": "observations, masks and public points do not depend on anything that the seat does not see",
    "worlds": "worlds of `determinise` are sound, look the same to their seat, and differ in all hidden fields",
    "scores": "every action has a score, and no score depends on anything that the seat does not see",
    "effects": "no two legal actions have the same effect",
    "chance": "outcomes are dealt as often as their probabilities say",
    "drawing": "every state is drawn, every field has a place, panels have room, and hidden values leave no trace",
    "endings": "turns and games end, however stubborn the players are",
    "copies": "clones, snapshots, pickles, replays and games of the same seed play on identically",
    "randomness": "rules draw no random numbers",
    "numbers": "rules work with every number that they accept",
    "fields": "declarations of fields agree with themselves, and observations show every shown field",
}
"""The property that each check verifies, keyed by the name of the check."""
OF_STATES = ("soundness", "hidden", "worlds", "scores", "effects", "chance", "drawing")
"""Checks of individual states, which are applied to states visited in random games."""
EVERY = 15
"""Number of decisions between fully checked states; states with a new kind of action are also checked."""
SOUND_EVERY = 3
"""Number of decisions between states checked for soundness."""
TWINS = 4
"""Number of copies of a state to make with other hidden values."""


@dataclass(frozen=True)
class Finding:
    """A property that the scenario violates.

    Attributes:
        check: name of the check, a key in `CHECKS`.
        message: a sentence describing the defect.
        decisions: number of decisions in the shortest game found that exhibits the defect; None if no game is needed.
        log: path of the replay log of that game; "" if there is none.
        needs: module or scenario file that `catan replay` must import; "" if there is none.
    """

    check: str
    message: str
    decisions: int | None = None
    log: str = ""
    needs: str = ""

    @property
    def command(self) -> str:
        """The command that shows the game; "" if there is none."""
        words = ["catan", "replay", self.log, *(["--import", self.needs] if self.needs else [])]
        return shlex.join(words) if self.log else ""


@dataclass
class Report:
    """The result of `check_scenario`.

    Attributes:
        scenario: reference to the scenario.
        num_players: number of players.
        findings: the violated properties.
        checks: names of the checks.
        states: number of states on which all state checks were run.
        speed: random-play speed in steps per second, relative to the base game; None if not measured.
        compiled: whether the rules were compiled.
        seconds: total duration of the checks.
    """

    scenario: str
    num_players: int
    checks: tuple[str, ...]
    compiled: bool = not DISABLE_JIT
    findings: list[Finding] = field(default_factory=list)
    states: int = 0
    speed: float | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the scenario has all properties."""
        return not self.findings

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON-serializable data."""
        findings = [asdict(finding) | {"command": finding.command} for finding in self.findings]
        return asdict(self) | {"ok": self.ok, "findings": findings}


def check_scenario(
    scenario: str | Path | Scenario,
    num_players: int | None = None,
    *,
    checks: Collection[str] | None = None,
    games: int = 4,
    steps: int = 150,
    seed: int = 0,
    rules: Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
) -> Report:
    """Check all properties in `CHECKS` by playing random games, and report violations.

    Args:
        scenario: registered name, path of a scenario file, or `Scenario`.
        num_players: number of players; defaults to the scenario's maximum.
        checks: names of the checks; defaults to all. Speed is measured only when all checks run.
        games: number of random games. In every second game, rare outcomes are as likely as any others.
        steps: decisions per game.
        seed: seed for games and moves.
        rules: overrides for rule numbers.
        folder: folder for replay logs, created if needed; with None, none are written.

    Raises:
        UnknownScenarioError, ScenarioFileError: the scenario cannot be found or read.
        OptionError: a check is unknown, or a number is out of bounds.
    """
    start = time.perf_counter()
    check_count("games", games)
    check_count("steps", steps)
    check_seed(seed)
    chosen = tuple(CHECKS if checks is None else (name for name in CHECKS if name in checks))
    if unknown := sorted(set(checks or ()) - set(CHECKS)):
        raise OptionError(f"Unknown check {unknown[0]!r}. Available: {', '.join(CHECKS)}.")
    found = scenario if isinstance(scenario, Scenario) else find_scenario(scenario)
    report = Report(found.reference, found.check_players(num_players), chosen)
    try:
        run = _Run(found, report, seed, rules, Path(folder) if folder is not None else None)
    except Exception as error:  # an author's module may raise anything
        report.findings.append(Finding("rules", f"the scenario does not start: {type(error).__name__}: {error}"))
    else:
        run.play(games, steps)
        run.whole_checks(steps)
        if checks is None:
            report.speed = _speed(found, report.num_players)
    report.seconds = time.perf_counter() - start
    return report


class _Run:
    """One run of `check_scenario`: its engines and findings."""

    def __init__(
        self, scenario: Scenario, report: Report, seed: int, rules: Mapping[str, Any] | None, folder: Path | None
    ):
        self.scenario, self.report, self.seed, self.folder = scenario, report, seed, folder
        self.options: dict[str, Any] = {"num_players": report.num_players, "rules": rules}
        self.engine = self._engine(chance="explicit")
        self.worlds = Worlds()
        self.twins, self.deals = Twins(), Deals()
        self.known: set[tuple[str, str]] = set()
        self.kinds_seen: Counter[tuple[str, str]] = Counter()

    def _engine(self, num_games: int = 1, **options: Any) -> BatchEngine:
        return BatchEngine(self.scenario, num_games, seed=self.seed, **self.options, **options)

    # -- states of random games --------------------------------------------------------------------------------

    def state_checks(self) -> dict[str, list[StateCheck]]:
        """Return the chosen state checks, keyed by name."""
        leaks = partial(hidden.leaks, twins=TWINS)
        available: dict[str, list[StateCheck]] = {
            "soundness": [unsound],
            "hidden": [leaks],
            "worlds": [self.worlds],
            "scores": [partial(leaks, compare=agents.scored_differences)],
            "effects": [self.twins],
            "chance": [self.deals],
            "drawing": [drawings.misdrawn, partial(leaks, compare=drawings.pictured_differences)],
        }
        if not DISABLE_JIT:
            available["hidden"].append(partial(leaks, compare=hidden.shown_by_encoders))
        return {name: available[name] for name in OF_STATES if name in self.report.checks}

    def play(self, games: int, steps: int) -> None:
        """Play random games, check the states visited, and keep the shortest game found for each fault."""
        checks = self.state_checks()
        for game in range(games):
            streams = randomness.GlobalStreams()
            table = None
            try:
                table = TracedGame(self.engine, self.seed + game)
                for step in table.random_moves(steps, Chooser(self.seed + game, wild=game % 2 == 1)):
                    if self._check_state(table, checks, step):
                        break
            except RuleError as error:
                assert table is not None
                self._keep_error(table, error)
            except CatanError as error:
                self._keep("rules", Fault("start", f"a new game does not start: {error}"))
            if streams and "randomness" in self.report.checks:
                message = "while a game is played, a global random stream moves: rules draw only by Draws"
                self._keep("randomness", Fault("global stream", message))

    def _check_state(self, table: TracedGame, checks: Mapping[str, list[StateCheck]], step: int) -> bool:
        """Check the current state; return whether the game cannot continue."""
        engine = self.engine
        legal = np.flatnonzero(engine.action_mask[0]).tolist()
        keys = {(engine.decision(0), engine.actions.pair(action)[0]) for action in legal}
        is_new = any(self.kinds_seen[key] < 1 for key in keys) or engine.seat_to_act[0] == NO_SEAT_TO_ACT
        self.kinds_seen.update(keys)
        is_whole = is_new or step % EVERY == 0
        self.report.states += is_whole
        damaged = False
        for name, functions in checks.items():
            if is_whole or (name == "soundness" and step % SOUND_EVERY == 0):
                for function in functions:
                    for fault in _faults(function, engine, self.seed):
                        damaged |= name == "soundness"
                        self._keep(name, fault, table, function)
            if damaged:
                return True
        return False

    # -- checks of the whole scenario ----------------------------------------------------------------------------

    def whole_checks(self, steps: int) -> None:
        """Run the chosen checks that are not about single states."""
        tries, orders = (6, 2) if DISABLE_JIT else (60, 12)
        available: dict[str, Callable[[], Iterable[Fault]]] = {
            "worlds": self.worlds.never_sampled,
            "effects": self.twins.idle_arguments,
            "scores": lambda: agents.without_score(self.engine),
            "drawing": lambda: drawings.undrawn(self.engine),
            "copies": lambda: copies.unlike_copies(self._engine(2, record=True), self.seed, min(steps, 60)),
            "randomness": lambda: randomness.random_calls(self.engine),
            "numbers": lambda: numbers.unsound_numbers(self.engine, self.seed, tries, min(steps, 30)),
            "fields": self._field_faults,
        }
        for name, function in available.items():
            if name in self.report.checks:
                for fault in _guarded(function):
                    self._keep(name, fault)
        if "endings" in self.report.checks:
            self._check_endings(orders)

    def _field_faults(self) -> Iterator[Fault]:
        yield from hidden.odd_declarations(self.engine)
        yield from hidden.unseen(self._engine())

    def _check_endings(self, orders: int) -> None:
        try:
            for fault, table in endings.endless(self.engine, self.seed, orders):
                self._keep("endings", fault, table)
            self._check_limit()
        except RuleError as error:
            self._keep("rules", Fault(f"error {type(error.cause).__name__}", f"the rules fail: {error}"))

    def _check_limit(self) -> None:
        """Check that games end at a turn limit."""
        if "turn_limit" not in self.engine.rules:
            return
        rules = dict(self.options["rules"] or {}) | {"turn_limit": 1}
        engine = BatchEngine(self.scenario, 1, self.report.num_players, rules=rules, chance="explicit")
        table = TracedGame(engine, self.seed)
        for _ in table.random_moves(endings.DECISIONS_IN_A_TURN, Chooser(self.seed)):
            pass
        if not table.is_over:
            self._keep("endings", Fault("turn limit", "turn_limit=1 does not end the game"))

    # -- findings ----------------------------------------------------------------------------------------------

    def _keep_error(self, table: TracedGame, error: RuleError) -> None:
        name, check = type(error.cause).__name__, "rules"
        fault = Fault(f"error {name}", f"the rules fail: {error}")
        if "rules" in self.report.checks:
            self._keep(check, fault, table)

    def _keep(
        self, check: str, fault: Fault, table: TracedGame | None = None, function: StateCheck | None = None
    ) -> None:
        """Add a fault to the findings, unless it is already known, with the shortest game found that exhibits it."""
        if (check, fault.subject) in self.known:
            return
        self.known.add((check, fault.subject))
        decisions, log = None, ""
        if table is not None:
            moves = self._shortened(table, fault, function)
            decisions, log = decisions_in(moves), self._written(check, moves, table)
        self.report.findings.append(Finding(check, fault.message, decisions, log, import_of(self.scenario)))

    def _shortened(self, table: TracedGame, fault: Fault, function: StateCheck | None) -> list[TraceMove]:
        """Return a short game that exhibits a fault, leaving the table unchanged."""
        seed, moves = int(self.engine.seeds[0]), list(table.moves)

        def leads_there(other: Any) -> bool:
            if other.error or function is None:
                return bool(other.error) and fault.subject == f"error {type(other.error.cause).__name__}"
            return any(found.subject == fault.subject for found in _faults(function, self.engine, self.seed))

        if function is None and not fault.subject.startswith("error "):
            return moves
        shorter = shortest(self.engine, seed, moves, leads_there)
        followed(self.engine, seed, moves)
        return shorter

    def _written(self, check: str, moves: list[TraceMove], table: TracedGame) -> str:
        if self.folder is None:
            return ""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = len(self.report.findings) + 1
        path = self.folder / f"check-{self.scenario.name}-{number}-{check}.json"
        engine = self._engine(chance="explicit", record=True)
        write_whole(path, json.dumps(log_of_moves(engine, int(table.engine.seeds[0]), moves)))
        return str(path)


def _faults(function: StateCheck, engine: BatchEngine, seed: int) -> list[Fault]:
    """Return the faults that a check finds in a state. An error raised by the check itself is also a fault."""
    return list(_guarded(lambda: function(engine, np.random.default_rng(seed))))


def _guarded(function: Callable[[], Iterable[Fault]]) -> Iterator[Fault]:
    """Yield the faults that a check returns, plus one for any error that a scenario author's code raises during it."""
    try:
        yield from function()
    except Exception as error:  # an author's drawings, scores or rules may raise anything
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        line = f" ({Path(where.tb_frame.f_code.co_filename).name}, line {where.tb_lineno})" if where else ""
        yield Fault(f"error {type(error).__name__}", f"fails with {type(error).__name__}: {error}{line}")


def _speed(scenario: Scenario, num_players: int, steps: int = 60) -> float | None:
    """Return the speed of random play, divided by that of the base game."""
    seconds = []
    for each, players in ((scenario, num_players), (find_scenario("base"), None)):
        engine = BatchEngine(each, 1 if DISABLE_JIT else 64, players, seed=1)
        try:
            engine.random_rollout(steps)
            start = time.perf_counter()
            for _ in range(1 if DISABLE_JIT else 20):
                engine.random_rollout(steps)
        except CatanError:
            return None
        seconds.append(time.perf_counter() - start)
    return seconds[1] / seconds[0]
