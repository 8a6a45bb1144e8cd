"""The published studies: a page for every scenario and one with a table of all, made from their data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.engine.registry import find_scenario
from catan_training.balance.measures import MEASURES, contest, even, seats
from catan_training.balance.plan import WIDTH, Case, Plan
from catan_training.balance.report import Report
from catan_training.balance.study import Study
from catan_training.evaluation.statistics import ERROR, Estimates, chance_of_even, probability, written
from catan_training.evaluation.workers import Workers
from catan_training.tables import markdown_table, number

INDEX = "index.md"
DRAWN = frozenset(("seats", "winners"))
"""Measures with a picture on the pages of the documentation; the data have all."""
MADE = {measure.key: measure.made for measure in MEASURES}
INTRODUCTION = (
    "Scenarios among players of one kind: is it fair, how long is it, what wins? Each has a page with all "
    "measures; the page [Balance studies](../balance.md) explains them, and how to make the same for one's own "
    "variant. What stands here holds for these agents: people may find other ways to win."
)
COLUMNS = (
    "*Fair?* is the share of games won by the place in the founding that wins most and by the one that wins "
    "least, and *even?* whether they differ by more than chance: p values of Wald's test, by Holm's method (1979) "
    "for all scenarios of the table together. *Random founding* has the first of these shares again, and the p value, "
    "where all found at random: if it is even there, what is not fair comes of the sites that agents choose. *What "
    "wins?* is what winners had most more of than others, beside the points of what they built, in standard "
    "deviations. *Leader wins* is how often a seat ahead alone at half time wins. *Care wins* is how many of the wins "
    "of a seat are had by the agent itself, beside itself choosing at random one time in ten: the further above a "
    "half, the more skill decides and the less luck. *games/s* is what a core plays in a second. Intervals are at 95%, "
    "each scenario's own."
)


def play(
    folder: Path,
    scenarios: Sequence[str],
    agents: Sequence[Any],
    games: int | None,
    width: float = WIDTH,
    seed: int = 0,
    workers: Workers = None,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Study]:
    """Plays what is left of a study of each scenario with its largest number of players, in folders by their names."""
    found = []
    for name in scenarios:
        case = Case(name, name, find_scenario(name).players[-1])
        plan = Plan.make("study", [case], agents, games, width, seed)
        study = Study.begin(folder / name, plan, f"catan balance {name} --games {plan.games} --seed {seed}")
        for part in (study, *study.begin_beside()):
            part.run(workers, tell)
        found.append(study)
    return found


def write_pages(studies: Sequence[Study], folder: Path) -> list[Path]:
    """Writes the pages into a folder of the documentation; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, paths = [], []
    for study in studies:
        name = study.plan.cases[0].scenario
        report = Report(study, folder, f"{name}_", DRAWN)
        paths.append(folder / f"{name}.md")
        paths[-1].write_text("\n\n".join(report.parts()) + "\n", encoding="utf-8")
        rows.append(_Row(study, report))
    tested = holm([row.uneven for row in rows]), holm([row.founded_unevenly for row in rows])
    heading = (
        "scenario",
        "players",
        "agents",
        "games",
        "fair?",
        "even?",
        "random founding",
        "turns",
        "minutes",
        "what wins?",
        "leader wins",
        "care wins",
        "cut off",
        "games/s",
    )
    table = markdown_table([heading, *(row.cells(*chances) for row, *chances in zip(rows, *tested, strict=True))])
    contents = "```{toctree}\n:hidden:\n\n" + "\n".join(row.name for row in rows) + "\n```"
    index = "\n\n".join(["# Studies", INTRODUCTION, table, COLUMNS, contents]) + "\n"
    paths.append(folder / INDEX)
    paths[-1].write_text(index, encoding="utf-8")
    return paths


class _Row:
    """A scenario in the table."""

    def __init__(self, study: Study, report: Report):
        games = report.found[0]
        self.study, self.games, self.beside = study, games, report.beside
        self.name = study.plan.cases[0].scenario
        self.seats = seats(games)
        self.uneven = chance_of_even(self.seats, even(games)) if len(self.seats.names) else 1.0
        random = report.beside.get("founding")
        self.founded = seats(random.found[0]) if random else None
        self.founded_unevenly = chance_of_even(self.founded, even(games)) if self.founded else 1.0

    def cells(self, chance: float, founded: float) -> tuple[str, ...]:
        """One line; `chance` is the p value of even places, `founded` the same where all found at random."""
        agents = ", ".join(entrant.label for entrant in self.study.plan.agents)
        head = f"[{self.name}]({self.name}.md)", str(self.games.players), agents, f"{len(self.games.won):,}"
        length, lead, winners = (MADE[key](self.games) for key in ("length", "lead", "winners"))
        best = self._best(winners) if winners is not None else "-"
        fair = "-"
        if len(self.seats.names) > 1:
            most, least = int(self.seats.values.argmax()), int(self.seats.values.argmin())
            fair = "; ".join(f"{self.seats.names[k]} {_value(self.seats, k)}" for k in (most, least))
        random = f"{_value(self.founded, most)}, p {probability(founded)}" if self.founded else "-"
        verdict = f"{'no' if chance < ERROR else 'not refuted'}, p {probability(chance)}" if fair != "-" else "-"
        return (
            *head,
            fair,
            verdict,
            random,
            *(_named(length, name) for name in ("turns", "minutes")),
            best,
            _named(lead, "ahead at half"),
            self._care(),
            _named(MADE["endings"](self.games), "cut off"),
            self._rate(),
        )

    def _care(self) -> str:
        """How much better the agent plays than itself being careless."""
        found = contest(self.beside["skill"].found[0]) if "skill" in self.beside else None
        return _value(found, 0) if found else "-"

    def _rate(self) -> str:
        """Games a second, of the study or what was played beside it."""
        rates = [study.games_a_second for study in (self.study, *(report.study for report in self.beside.values()))]
        return number(max(filter(None, rates))) if any(rates) else "-"

    def _best(self, winners: Estimates) -> str:
        """What winners had most more of; buildings aside, which are most points in most scenarios."""
        order = [k for k in np.argsort(-winners.values) if winners.names[k] != "points of buildings"]
        return f"{winners.names[order[0]]} {_value(winners, order[0])}" if order else "-"


def holm(chances: Sequence[float]) -> list[float]:
    """p values for a family of tests. Source: Holm, Scandinavian Journal of Statistics 6 (1979)."""
    order = np.argsort(chances)
    stepped = np.array(chances, float)[order] * np.arange(len(chances), 0, -1)
    found = np.empty(len(chances))
    found[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return found.tolist()


def _value(estimates: Estimates, number: int) -> str:
    low, high = estimates.intervals()[number]
    kind = estimates.kind
    return f"{written(estimates.values[number], kind)} ({written(low, kind)} to {written(high, kind)})"


def _named(estimates: Estimates | None, name: str) -> str:
    return _value(estimates, estimates.names.index(name)) if estimates and name in estimates.names else "-"
