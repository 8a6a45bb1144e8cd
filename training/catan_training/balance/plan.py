"""A study's plan, fixed before the first game: conditions, agents, seeds and number of games."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from scipy import stats

from catan_agents.best import BestAgent
from catan_env.engine.batch import BatchEngine
from catan_env.engine.field_names import field_names
from catan_env.engine.registry import find_scenario
from catan_env.errors import CatanError, OptionError
from catan_env.text_files import check_keys
from catan_training.evaluation.fixtures import Entrant, orders
from catan_training.evaluation.paired_seeds import make_player
from catan_training.evaluation.statistics import ERROR

KINDS = ("study", "compare", "sweep", "board")
"""The types of report."""
WIDTH = 0.02
CARELESS = 0.1
"""Fraction of actions that the careless opponent takes at random when an agent's skill is measured."""


@dataclass(frozen=True)
class Condition:
    """A scenario with a fixed number of players, rule numbers and a board. A study covers one or more conditions."""

    label: str
    scenario: str
    players: int
    rules: Mapping[str, Any] = field(default_factory=dict)
    board: Any = None
    """A board file, the name of a layout, or a board given as coordinates; None for the scenario's own board."""
    openings: tuple[int, ...] = ()
    """Ids of actions assigned as first actions, each in equally many games per paired seed; if empty, agents choose."""
    part: int = 1
    """The condition plays the first `paired_seeds / part` of the plan's paired seeds."""

    @property
    def settings(self) -> dict[str, Any]:
        """Everything a sweep can vary, keyed by name: rules, "players" and "board"."""
        return {**self.rules, "players": self.players, "board": self.board}

    def engine(self, seeds: np.ndarray, record: bool = False) -> BatchEngine:
        """Create one new game for each of the seeds, shape (N,), uint64, keeping game logs if `record` is true."""
        rules, board = self.rules, self.board
        return BatchEngine(self.scenario, len(seeds), self.players, seeds, rules=rules, board=board, record=record)


@dataclass(frozen=True)
class Plan:
    """All settings that determine a study's games. Equal plans produce equal games on any machine.

    A paired seed fixes the board and all chance. Every condition plays the same paired seeds, once per row of its
    `seating`.

    Attributes:
        kind: the type of report: "study", "compare", "sweep" or "board".
        agents: agents in seat order, repeated to fill the table. They are rotated so that each agent sits in every seat
            equally often.
        paired_seeds: number of paired seeds per condition.
        batch: approximate number of games per job.
    """

    kind: str
    conditions: tuple[Condition, ...]
    agents: tuple[Entrant, ...]
    paired_seeds: int
    seed: int = 0
    batch: int = 512

    @classmethod
    def make(
        cls,
        kind: str,
        conditions: Sequence[Condition],
        agents: Sequence[Any] = (),
        games: int | None = None,
        width: float = WIDTH,
        seed: int = 0,
        batch: int = 512,
    ) -> Plan:
        """Create a plan with `games` games per condition, or with as many as `width` requires.

        The number of games is rounded up to complete paired seeds. If `agents` is empty, the games are played by the
        agent that `best` picks for the first condition.

        Raises:
            CatanError: a scenario, rule, board or agent is unknown or invalid.
        """
        if not conditions:
            raise OptionError("A study needs at least one condition.")
        for condition in conditions:
            condition.engine(np.zeros(1, np.uint64))
        labels = [condition.label for condition in conditions]
        if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
            raise OptionError(f"The conditions {', '.join(repeated)} are given more than once; name each only once.")
        if games is not None and games < 1:
            raise OptionError(f"games is {games!r}; it must be at least 1.")
        if batch < 1:
            raise OptionError(f"batch is {batch!r}; it must be at least 1.")
        entrants = tuple(map(Entrant.read, agents or [_best_agent(conditions[0])]))
        for entrant in entrants:
            make_player(entrant)
        wanted_games = games or max(games_for(width, condition.players) for condition in conditions)
        draft_plan = cls(kind, tuple(conditions), entrants, 1, seed, batch)
        fewest_games = min(
            len(draft_plan.seating(k)) for k, condition in enumerate(conditions) if not condition.openings
        )
        return cls(kind, tuple(conditions), entrants, -(-wanted_games // fewest_games), seed, batch)

    def seating(self, condition: int) -> np.ndarray:
        """Return the index of the agent in each seat of a paired seed's G games, shape (G, players), int64."""
        players, openings = self.conditions[condition].players, self.conditions[condition].openings
        seating = orders([k % len(self.agents) for k in range(players)], "rotations")
        return np.repeat(seating, max(1, len(openings)), axis=0)

    def openings(self, condition: int) -> np.ndarray:
        """Return the ids of the first actions assigned in a paired seed's G games, shape (G,), int64; -1 if none."""
        opening_ids = self.conditions[condition].openings or (-1,)
        return np.tile(np.array(opening_ids, np.int64), len(self.seating(condition)) // len(opening_ids))

    def paired_seeds_of(self, condition: int) -> int:
        """Return the number of paired seeds that a condition plays."""
        return -(-self.paired_seeds // self.conditions[condition].part)

    def paired_seeds_in_a_job(self, condition: int) -> int:
        """Return the number of paired seeds per job, which amounts to about `batch` games."""
        return max(1, self.batch // len(self.seating(condition)))

    def jobs(self) -> list[tuple[int, int]]:
        """Return every job as (condition, first paired seed).

        Jobs alternate between conditions, so in an unfinished study all conditions have similar numbers of games.
        """
        condition_jobs = [
            (k, first)
            for k in range(len(self.conditions))
            for first in range(0, self.paired_seeds_of(k), self.paired_seeds_in_a_job(k))
        ]
        return sorted(condition_jobs, key=lambda job: (job[1], job[0]))

    def games_in(self, job: tuple[int, int]) -> int:
        """Return the number of games in a job."""
        condition, first = job
        return min(self.paired_seeds_in_a_job(condition), self.paired_seeds_of(condition) - first) * len(
            self.seating(condition)
        )

    @property
    def games(self) -> int:
        """Total number of games across all conditions."""
        return sum(map(self.games_in, self.jobs()))

    @property
    def agent_names(self) -> list[str]:
        """The agents' names. Agents that share a label are numbered."""
        labels = [entrant.label for entrant in self.agents]
        return [
            f"{label} ({labels[: k + 1].count(label)})" if labels.count(label) > 1 else label
            for k, label in enumerate(labels)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable mapping that `read` accepts."""
        return asdict(self) | {"agents": [entrant.to_dict() for entrant in self.agents]}

    @classmethod
    def read(cls, given: Mapping[str, Any], name: str = "The plan") -> Plan:
        """Create a plan from the output of `to_dict`. `name` identifies the source in messages.

        Raises:
            CatanError: the mapping is not a valid plan.
        """
        check_keys(given, name, CatanError, kind=str, conditions=list, agents=list)
        check_keys(given, name, CatanError, paired_seeds=int, seed=int, batch=int)
        for k, condition in enumerate(given["conditions"]):
            case = f"{name}: conditions[{k}]"
            check_keys(condition, case, CatanError, label=str, scenario=str, players=int, openings=list, part=int)
            check_keys(condition, case, CatanError, rules=dict)
            if condition["part"] < 1 or any(type(action) is not int for action in condition["openings"]):
                raise CatanError(f"{case}: part must be at least 1, and openings must be integers.")
            find_scenario(condition["scenario"]).check_players(condition["players"])
        if given["kind"] not in KINDS or min(given["paired_seeds"], given["batch"]) < 1 or not given["conditions"]:
            raise CatanError(
                f"{name}: kind must be one of {', '.join(KINDS)}, paired_seeds and batch must be at least 1, and "
                "conditions must not be empty."
            )
        if not given["agents"]:
            raise CatanError(f"{name}: agents is empty; name at least one agent.")
        try:
            conditions = tuple(
                Condition(**{**condition, "openings": tuple(condition["openings"])})
                for condition in given["conditions"]
            )
            return cls(**{**given, "conditions": conditions, "agents": tuple(map(Entrant.read, given["agents"]))})
        except TypeError as error:  # an unknown key
            raise CatanError(f"{name}: {error}") from None


def further_plans(plan: Plan) -> dict[str, Plan]:
    """Return plans for the extra games of a single-agent study, keyed by name, each with a quarter as many games.

    In "skill", the agent plays against a careless copy of itself. In "initial_placement", which requires a scenario
    with an initial placement, the agent takes over after a random one. Studies with several agents, several conditions
    or one player have no extra games.
    """
    condition = plan.conditions[0]
    if plan.kind != "study" or len(plan.conditions) > 1 or len(plan.agents) > 1 or condition.players == 1:
        return {}
    entrant = plan.agents[0]
    careless = {"agent": "careless", "of": entrant.agent, **entrant.options}
    agents_of_plan = {
        "skill": [entrant.to_dict(), {**careless, "label": f"careless {entrant.label}", "epsilon": CARELESS}]
    }
    if "building" in field_names(condition.engine(np.zeros(1, np.uint64)).state):
        agents_of_plan["initial_placement"] = [
            {**careless, "label": f"{entrant.label}, random initial placement", "epsilon": 0, "initial_epsilon": 1}
        ]
    games = -(-plan.games // 4)
    return {
        name: Plan.make("study", plan.conditions, agents, games, seed=plan.seed, batch=plan.batch)
        for name, agents in agents_of_plan.items()
    }


def _best_agent(condition: Condition) -> str:
    return BestAgent().name_for(condition.engine(np.zeros(1, np.uint64)))


def games_for(width: float, players: int) -> int:
    """Return how many games are needed to know the win shares of all seats to within `width`, simultaneously at 95%.

    The calculation assumes one independent winner per game and equal players, and uses Sidak's inequality for the
    seats. Source: Sidak, Rectangular confidence regions, Journal of the American Statistical Association 62 (1967).

    Raises:
        OptionError: `width` is not between 0 and 1.
    """
    if not 0 < width < 1:
        raise OptionError(f"width is {width!r}; it must be a fraction between 0 and 1.")
    z = stats.norm.ppf(0.5 + 0.5 * (1 - ERROR) ** (1 / players))
    share = 1 / players
    return max(1, math.ceil(z * z * share * (1 - share) / width**2))
