"""Published studies: a page for each scenario, and an index page with a table of all studies.

`summary` reduces a study to the numbers on its page. Pages are generated from summaries and do not need the games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.engine.registry import find_scenario, reference_to, short_name
from catan_env.whole_files import write_whole
from catan_training.balance.findings import MeasureFinding, finding_parts
from catan_training.balance.measures import BESIDE, BUILDINGS, MEASURES, Measure, contest
from catan_training.balance.pictures import forest
from catan_training.balance.plan import WIDTH, Condition, Plan
from catan_training.balance.report import StudyReport, extra_games, finding, games_and_agents, settings_text
from catan_training.balance.study import Study
from catan_training.balance.summary import summary as sentences
from catan_training.evaluation.statistics import ERROR, probability
from catan_training.evaluation.workers import Workers
from catan_training.tables import markdown_table, number

INDEX = "index.md"
DRAWN = frozenset(("seats", "winners"))
"""Measures that have a picture in the documentation."""
CONTEST = "contest"
"""Key of the `contest` finding in the skill study."""
INTRODUCTION = (
    "Every scenario, played by one kind of agent: is it fair, how long is it, what wins? Each has a page with all "
    "measures. [Statistics](../../explanation/statistics.md) defines the measures, and [Balance "
    "studies](../../how-to/balance.md) shows how to study your own variant. The results hold for these agents; people "
    "may find other ways to win."
)
COLUMNS = (
    "- *Best and worst place*: share of games won from the place in the initial placement that wins most and from the "
    "one that wins least.\n"
    "- *Even?*: whether the places differ by more than chance. The p values of Wald's test are adjusted for all "
    "scenarios of the table (Holm 1979).\n"
    "- *Random placement*: share of the best place, and its p value, after a random initial placement. If the places "
    "are even there, the chosen sites cause the advantage.\n"
    "- *What wins*: the largest difference between winners and others, without points of buildings, in standard "
    "deviations.\n"
    "- *Leader wins*: how often the single leader at half time wins.\n"
    "- *Careful wins*: the agent's share of wins against a copy of itself that takes one action in ten at random. The "
    "further it is above one half, the more skill decides.\n"
    "- *Games/s*: games per second on one core.\n\n"
    "Intervals hold with 95% probability for each scenario separately."
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
    """Run or resume a study of each scenario at its maximum number of players, in a folder named after it."""
    studies = []
    for name in scenarios:
        condition = Condition(short_name(name), reference_to(name), find_scenario(name).players[-1])
        plan = Plan.make("study", [condition], agents, games, width, seed)
        study = Study.begin(folder / short_name(name), plan, f"catan balance {name} --games {plan.games} --seed {seed}")
        for study_to_run in (study, *study.begin_beside()):
            study_to_run.run(workers, tell)
        studies.append(study)
    return studies


def summary(study: Study) -> dict[str, Any]:
    """Return the numbers from a single-scenario study as JSON types."""
    report = StudyReport(study)
    games, plan = report.found[0], study.plan
    estimates_by_measure = ((measure, measure.estimate(games)) for measure in MEASURES)
    findings = {
        measure.key: finding(plan, 0, games, measure, estimates).to_dict()
        for measure, estimates in estimates_by_measure
        if estimates is not None and len(estimates.names)
    }
    return {
        "label": plan.conditions[0].label,
        "summary": sentences(plan, report.found, report.over),
        "players": games.players,
        "games": len(games.won),
        "paired_seeds": games.paired_seeds,
        "seed": plan.seed,
        "agents": plan.agent_names,
        "rate": study.games_a_second,
        "findings": findings,
        "beside": {name: _extra_study(BESIDE[name], extra_report) for name, extra_report in report.beside.items()},
        **{name: study.about[name] for name in ("command", "scenarios", "versions")},
    }


def _extra_study(measure: Measure, report: StudyReport) -> dict[str, Any]:
    """Return the numbers from an extra study for one measure."""
    games, plan = report.found[0], report.plan
    findings = {}
    if (estimates := measure.estimate(games)) is not None:
        findings[measure.key] = finding(plan, 0, games, measure, estimates).to_dict()
    if (wins := contest(games)) is not None:
        findings[CONTEST] = MeasureFinding.of(wins, wins.intervals()).to_dict()
    return {
        "games": len(games.won),
        "agents": plan.agent_names,
        "rate": report.study.games_a_second,
        "findings": findings,
    }


def study_page(name: str, found: Mapping[str, Any]) -> str:
    """Generate the Markdown page for a scenario's study from its summary."""
    agents = found["agents"]
    study_facts = {key: found[key] for key in ("command", "games", "seed", "agents", "scenarios", "versions", "rate")}
    parts = [
        f"# Balance of {found['label']}",
        *([found["summary"]] if "summary" in found else []),
        f"## {found['label']}, {found['players']} players",
        games_and_agents(found["games"], found["paired_seeds"], agents),
    ]
    for measure in MEASURES:
        if measure.key in found["findings"]:
            picture = f"![{measure.title}]({_picture_name(name, measure)})" if measure.key in DRAWN else ""
            parts += finding_parts(measure, MeasureFinding.read(found["findings"][measure.key]), picture)
    for beside_name, measure in BESIDE.items():
        if beside_name in found["beside"]:
            beside_study = found["beside"][beside_name]
            if measure.key in beside_study["findings"]:
                parts += finding_parts(measure, MeasureFinding.read(beside_study["findings"][measure.key]))
            parts.append(extra_games(beside_study["games"], beside_study["agents"]))
    parts += ["## Reproduce", settings_text(**study_facts)]
    return "\n\n".join(parts) + "\n"


def study_pictures(name: str, found: Mapping[str, Any]) -> dict[str, Callable[[], str]]:
    """Return a page's pictures, keyed by name, each as a function that draws an SVG document."""
    return {
        _picture_name(name, measure): partial(_forest, measure, found["findings"][measure.key])
        for measure in MEASURES
        if measure.key in DRAWN and measure.key in found["findings"]
    }


def _picture_name(name: str, measure: Measure) -> str:
    return f"{name}_{measure.key}.svg"


def _forest(measure: Measure, given: Mapping[str, Any]) -> str:
    result = MeasureFinding.read(given)
    return forest(result, result.bounds, measure.unit, result.par)


def index_page(summaries: Mapping[str, Mapping[str, Any]]) -> str:
    """Generate the Markdown page with a table of all studies."""
    table_rows = [_Row(name, study_summary) for name, study_summary in sorted(summaries.items())]
    adjusted_p_values = holm([row.p_value for row in table_rows]), holm([row.random_p_value for row in table_rows])
    heading = (
        "scenario",
        "players",
        "agents",
        "games",
        "best and worst place",
        "even?",
        "random placement",
        "turns",
        "minutes",
        "what wins",
        "leader wins",
        "careful wins",
        "truncated",
        "games/s",
    )
    table = markdown_table(
        [heading, *(row.cells(*p_values) for row, *p_values in zip(table_rows, *adjusted_p_values, strict=True))]
    )
    contents = "```{toctree}\n:hidden:\n\n" + "\n".join(row.name for row in table_rows) + "\n```"
    return "\n\n".join(["# Studies", INTRODUCTION, table, COLUMNS, contents]) + "\n"


def write_pages(summaries: Mapping[str, Mapping[str, Any]], folder: Path) -> list[Path]:
    """Write pages and pictures to a folder and return the paths of the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {f"{name}.md": study_page(name, study_summary) for name, study_summary in summaries.items()}
    pages[INDEX] = index_page(summaries)
    for name, text in pages.items():
        write_whole(folder / name, text)
    for name, study_summary in summaries.items():
        for picture, draw in study_pictures(name, study_summary).items():
            write_whole(folder / picture, draw())
    return [folder / name for name in pages]


class _Row:
    """A scenario's row in the table on the index page."""

    def __init__(self, name: str, found: Mapping[str, Any]):
        self.name, self.summary = name, found
        self.found = {key: MeasureFinding.read(finding_data) for key, finding_data in found["findings"].items()}
        self.beside = {
            beside_name: {
                key: MeasureFinding.read(finding_data) for key, finding_data in beside_study["findings"].items()
            }
            for beside_name, beside_study in found["beside"].items()
        }
        self.seats = self.found["seats"]
        self.p_value = _p_value(self.seats)
        self.random_placement = (
            self.beside["initial_placement"]["seats"] if "initial_placement" in self.beside else None
        )
        self.random_p_value = _p_value(self.random_placement)

    def cells(self, p_value: float, random_p_value: float) -> tuple[str, ...]:
        """Return the row's cells.

        `p_value` is the p-value for even places, and `random_p_value` is the same p-value after a random initial
        placement.
        """
        best_and_worst = random = verdict = "-"
        if len(self.seats.rows) > 1:
            values = self.seats.values
            most, least = (self.seats.names[int(k)] for k in (values.argmax(), values.argmin()))
            best_and_worst = "; ".join(f"{name} {self.seats.value_text(name)}" for name in (most, least))
            verdict = f"{'no' if p_value < ERROR else 'not refuted'}, p {probability(p_value)}"
            if self.random_placement:
                random = f"{self.random_placement.value_text(most)}, p {probability(random_p_value)}"
        return (
            f"[{self.name}]({self.name}.md)",
            str(self.summary["players"]),
            ", ".join(self.summary["agents"]),
            f"{self.summary['games']:,}",
            best_and_worst,
            verdict,
            random,
            self._value_text("length", "turns"),
            self._value_text("length", "minutes"),
            self._best_feature(),
            self._value_text("lead", "ahead at half"),
            self._careless_share(),
            self._value_text("endings", "truncated"),
            self._rate(),
        )

    def _value_text(self, measure: str, name: str) -> str:
        return self.found[measure].value_text(name) if measure in self.found else "-"

    def _careless_share(self) -> str:
        """Format the agent's share of wins against a careless copy of itself."""
        contest_finding = self.beside.get("skill", {}).get(CONTEST)
        return contest_finding.value_text(contest_finding.names[0]) if contest_finding else "-"

    def _rate(self) -> str:
        """Format the highest number of games per second among the study and its extra studies."""
        rates = [study["rate"] for study in (self.summary, *self.summary["beside"].values())]
        return number(max(filter(None, rates))) if any(rates) else "-"

    def _best_feature(self) -> str:
        """Return the feature, other than building points, in which winners are furthest ahead."""
        finding_rows = self.found["winners"].rows if "winners" in self.found else ()
        finding_rows = tuple(row for row in finding_rows if row[0] != BUILDINGS)
        if not finding_rows:
            return "-"
        name = max(finding_rows, key=lambda row: row[1])[0]
        return f"{name} {self._value_text('winners', name)}"


def _p_value(found: MeasureFinding | None) -> float:
    """Return the p-value for even places, or 1 if it was not tested."""
    return found.chance if found and found.rows and found.chance is not None else 1.0


def holm(chances: Sequence[float]) -> list[float]:
    """Adjust p-values for a family of tests. Source: Holm, Scandinavian Journal of Statistics 6 (1979)."""
    order = np.argsort(chances)
    stepped = np.array(chances, float)[order] * np.arange(len(chances), 0, -1)
    adjusted = np.empty(len(chances))
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return adjusted.tolist()
