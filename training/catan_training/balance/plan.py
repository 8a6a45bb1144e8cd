"""The plan of a study, fixed before its first game: what is played, by whom, from which seeds, and how often."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from scipy import stats

from catan_agents import best_agent
from catan_env.engine.batch import BatchEngine
from catan_env.engine.field_names import field_names
from catan_env.engine.registry import find_scenario
from catan_env.errors import CatanError, OptionError
from catan_env.text_files import check_keys
from catan_training.evaluation.fixtures import Entrant, orders
from catan_training.evaluation.paired_seeds import make_player
from catan_training.evaluation.statistics import ERROR

KINDS = ("study", "compare", "sweep", "board")
"""What a study's report may be about."""
WIDTH = 0.02
CARELESS = 0.1
"""Share of its choices that a careless agent makes at random, beside which an agent's skill is seen."""


@dataclass(frozen=True)
class Condition:
    """One of the things that a study compares, or the only one: a scenario with its numbers and its board."""

    label: str
    scenario: str
    players: int
    rules: Mapping[str, Any] = field(default_factory=dict)
    board: Any = None
    """A file with a board, a layout's name, or a board by coordinates; None for the scenario's own."""
    openings: tuple[int, ...] = ()
    """Ids of actions, each the given first one of as many games of a deal; none: as the agents choose."""
    part: int = 1
    """The case plays one of so many deals, from the first on."""

    def engine(self, seeds: np.ndarray) -> BatchEngine:
        """New games, (N,) seeds uint64, one each."""
        return BatchEngine(self.scenario, len(seeds), self.players, seeds, rules=self.rules, board=self.board)


@dataclass(frozen=True)
class Plan:
    """Everything that decides the games of a study; the same plan gives the same games on any machine.

    A deal is a board with its chance, one seed. All cases play the same deals, each in all `seating` of the case.

    Attributes:
        kind: "study", "compare", "sweep" or "board": what the report is about.
        agents: who sits at the tables, in turn from seat to seat; different agents sit everywhere equally often.
        paired_seeds: how many, of each case.
        batch: games of a job, about.
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
        """A plan with the games that are needed, or with so many games a case, rounded up to whole deals.

        Raises:
            CatanError: a scenario, rule, board or agent that does not exist or fit.
        """
        if not conditions or len({condition.label for condition in conditions}) < len(conditions):
            raise OptionError("A study needs one or more cases, each once.")
        for condition in conditions:
            condition.engine(np.zeros(1, np.uint64))
        if games is not None and games < 1:
            raise OptionError(f"games is {games!r}; at least one must be played.")
        if games is None and not 0 < width < 1:
            raise OptionError(f"width is {width!r}; it must be a share between 0 and 1.")
        entrants = tuple(map(Entrant.read, agents or [best_agent(conditions[0].scenario)]))
        for entrant in entrants:
            make_player(entrant)
        wanted_games = games or max(games_for(width, condition.players) for condition in conditions)
        draft_plan = cls(kind, tuple(conditions), entrants, 1, seed, batch)
        fewest_games = min(
            len(draft_plan.seating(k)) for k, condition in enumerate(conditions) if not condition.openings
        )
        return cls(kind, tuple(conditions), entrants, -(-wanted_games // fewest_games), seed, batch)

    def seating(self, condition: int) -> np.ndarray:
        """(G, players) int64: index of the agent on every seat in the G games of a deal."""
        players, openings = self.conditions[condition].players, self.conditions[condition].openings
        seating = orders([k % len(self.agents) for k in range(players)], "rotations")
        return np.repeat(seating, max(1, len(openings)), axis=0)

    def openings(self, condition: int) -> np.ndarray:
        """(G,) int64: id of the given first action in the games of a deal, -1 for none."""
        opening_ids = self.conditions[condition].openings or (-1,)
        return np.tile(np.array(opening_ids, np.int64), len(self.seating(condition)) // len(opening_ids))

    def paired_seeds_of(self, condition: int) -> int:
        """Deals that a case plays."""
        return -(-self.paired_seeds // self.conditions[condition].part)

    def paired_seeds_in_a_job(self, condition: int) -> int:
        """Whole deals, about `batch` games."""
        return max(1, self.batch // len(self.seating(condition)))

    def jobs(self) -> list[tuple[int, int]]:
        """(case, first deal) of every job; cases take turns, so that an unfinished study has about as much of each."""
        condition_jobs = [
            (k, first)
            for k in range(len(self.conditions))
            for first in range(0, self.paired_seeds_of(k), self.paired_seeds_in_a_job(k))
        ]
        return sorted(condition_jobs, key=lambda job: (job[1], job[0]))

    def games_in(self, job: tuple[int, int]) -> int:
        """Games of a job."""
        condition, first = job
        return min(self.paired_seeds_in_a_job(condition), self.paired_seeds_of(condition) - first) * len(
            self.seating(condition)
        )

    @property
    def games(self) -> int:
        """Games of all cases together."""
        return sum(map(self.games_in, self.jobs()))

    def to_dict(self) -> dict[str, Any]:
        """What `read` takes; JSON can hold it."""
        return asdict(self) | {"agents": [entrant.to_dict() for entrant in self.agents]}

    @classmethod
    def read(cls, given: Mapping[str, Any], name: str = "The plan") -> Plan:
        """From what `to_dict` gave, which `name` says where it is from.

        Raises:
            CatanError: it is no plan.
        """
        check_keys(given, name, CatanError, kind=str, conditions=list, agents=list)
        check_keys(given, name, CatanError, paired_seeds=int, seed=int, batch=int)
        for k, condition in enumerate(given["conditions"]):
            case = f"{name}: conditions[{k}]"
            check_keys(condition, case, CatanError, label=str, scenario=str, players=int, openings=list, part=int)
            check_keys(condition, case, CatanError, rules=dict)
            if condition["part"] < 1 or any(type(action) is not int for action in condition["openings"]):
                raise CatanError(f"{case}: part must be 1 or more, and openings whole numbers.")
            find_scenario(condition["scenario"]).check_players(condition["players"])
        if given["kind"] not in KINDS or min(given["paired_seeds"], given["batch"]) < 1 or not given["conditions"]:
            raise CatanError(
                f"{name}: kind must be one of {', '.join(KINDS)}, paired_seeds and batch 1 or more, and conditions not "
                "empty."
            )
        if not given["agents"]:
            raise CatanError(f"{name}: agents is empty; one or more must play.")
        try:
            conditions = tuple(
                Condition(**{**condition, "openings": tuple(condition["openings"])})
                for condition in given["conditions"]
            )
            return cls(**{**given, "conditions": conditions, "agents": tuple(map(Entrant.read, given["agents"]))})
        except TypeError as error:  # a key too many
            raise CatanError(f"{name}: {error}") from None


def further_plans(plan: Plan) -> dict[str, Plan]:
    """What is played beside a study of one agent, a quarter as many games each: "skill", the same agent against itself
    being careless; "initial_placement", it plays on after a random initial placement. None of it where several
    agents play anyhow, cases are compared or a player sits alone, and no initial placement where the game has none."""
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
            {**careless, "label": f"{entrant.label}, founding at random", "epsilon": 0, "initial_epsilon": 1}
        ]
    games = -(-plan.games // 4)
    return {
        name: Plan.make("study", plan.conditions, agents, games, seed=plan.seed, batch=plan.batch)
        for name, agents in agents_of_plan.items()
    }


def games_for(width: float, players: int) -> int:
    """Games after which every seat's win share is known to plus or minus `width`, all of them at once at 95%.

    One game is one draw of a winner among equals, and Sidak's inequality joins the seats.
    Sources: Sidak, Rectangular confidence regions, Journal of the American Statistical Association 62 (1967).
    """
    z = stats.norm.ppf(0.5 + 0.5 * (1 - ERROR) ** (1 / players))
    share = 1 / players
    return max(1, math.ceil(z * z * share * (1 - share) / width**2))
