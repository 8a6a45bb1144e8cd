"""A study's report, generated from its tables as Markdown with pictures and as a single HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.whole_files import write_whole
from catan_training.balance import pictures
from catan_training.balance.boards import site_values
from catan_training.balance.comparing import curves, differences, paired, varied_rules
from catan_training.balance.effects import main_effects
from catan_training.balance.findings import MeasureFinding, Row, estimates_table, finding_parts, rows_of
from catan_training.balance.measures import BESIDE, MEASURES, ConditionGames, Measure
from catan_training.balance.methods import methods
from catan_training.balance.notable import games_to_watch
from catan_training.balance.plan import Plan
from catan_training.balance.report_page import page_of
from catan_training.balance.site_map import RANKED, site_map
from catan_training.balance.study import Study
from catan_training.balance.summary import summary
from catan_training.evaluation.ratings import ratings
from catan_training.evaluation.statistics import (
    ERROR,
    Estimates,
    always_valid,
    chance_of_even,
    quantile_interval,
)
from catan_training.tables import listed, number

SITES = (
    "The win rate of the first player to place, by the site of the first settlement. The study assigns every site in "
    "equally many games on the same paired seeds, and the agents make all other choices, so differences are caused by "
    "the site. The intervals hold for all sites simultaneously (Hothorn, Bretz and Westfall 2008). The map numbers the "
    f"{RANKED} best sites."
)
MARKDOWN, HTML = "report.md", "report.html"
MOST_RATED = 2000
"""Maximum number of games to rate, since rating is slow and converges early."""
QUANTILES = (0.1, 0.5, 0.9)


def write(study: Study) -> list[Path]:
    """Write the report to the study's folder and return the paths.

    Raises:
        CatanError: no games have been played yet.
    """
    report = StudyReport(study)
    text = "\n\n".join(report.parts()) + "\n"
    write_whole(study.folder / MARKDOWN, text)
    write_whole(study.folder / HTML, page_of(text, study.folder))
    return [study.folder / MARKDOWN, study.folder / HTML]


class StudyReport:
    """A report's text. Its methods also draw the pictures they refer to.

    Args:
        study: the study to report on.
        folder: folder for pictures; None for the study's folder.
        prefix: prefix for the pictures' file names.
    """

    def __init__(self, study: Study, folder: Path | None = None, prefix: str = ""):
        self.study, self.plan = study, study.plan
        self.folder, self.prefix = folder or study.folder, prefix
        self.beside = {
            name: StudyReport(beside_study, self.folder, f"{prefix}{name}_")
            for name, beside_study in study.beside().items()
        }
        games, seats = study.tables()
        self.played = games.height
        self.found = {
            k: ConditionGames(
                *(table.filter(table["condition"] == k).select(_columns_of(table, k)) for table in (games, seats))
            )
            for k in range(len(self.plan.conditions))
            if (games["condition"] == k).any()
        }

    @property
    def over(self) -> bool:
        """Whether all of the plan's games have been played."""
        return self.played == self.plan.games

    def parts(self) -> Iterable[str]:
        """Yield the report's paragraphs, tables and pictures in Markdown."""
        yield f"# {title_of(self.plan)}"
        yield summary(self.plan, self.found, self.over)
        if not self.over:
            yield (
                f"**The study is unfinished: {self.played:,} of {self.plan.games:,} games have been played.** The "
                "intervals of win shares are confidence sequences, which hold at any time (Waudby-Smith and Ramdas "
                "2024). All other intervals hold only when all games have been played."
            )
        is_comparable = self.plan.kind != "board" and len(paired(self.found)) > 1
        if self.plan.kind == "sweep" and is_comparable:
            yield from curves(self.plan, self.found, self._picture)
            yield from main_effects(self.plan, self.found)
        if is_comparable:
            yield from differences(self.plan, self.found)
        for k, games in self.found.items():
            condition = self.plan.conditions[k]
            yield f"## {condition.label}, {condition.players} players"
            yield games_and_agents(len(games.won), games.paired_seeds, self.plan.agent_names)
            for measure in () if condition.openings else MEASURES:
                estimates = measure.estimate(games)
                if estimates is not None and len(estimates.names):
                    yield from self._measure(k, games, measure, estimates)
            if condition.openings:
                yield from self._sites(k, games)
        for name, report in self.beside.items():
            yield from report.only(BESIDE[name])
        yield from games_to_watch(self.study, {k: (games.table, games.rows) for k, games in self.found.items()})
        extra = {name: report.played for name, report in self.beside.items()}
        yield from methods(self.plan, self.study.about, self.played, extra)
        yield "## Reproduce"
        yield _settings_text(self.study, self.played)

    def only(self, measure: Measure) -> Iterable[str]:
        """Yield the section for an extra study, which covers a single measure."""
        for k, games in self.found.items():
            if (estimates := measure.estimate(games)) is not None:
                yield from self._measure(k, games, measure, estimates)
            yield extra_games(len(games.won), self.plan.agent_names)

    def _sites(self, condition: int, games: ConditionGames) -> Iterable[str]:
        values, places = site_values(self.plan.conditions[condition], games)
        drawn = site_map(self.plan.conditions[condition], games, values, places)
        yield "### Value of starting sites"
        yield SITES
        yield self._picture(f"sites_{condition}", "Starting sites, colored by their win rate", drawn)
        yield estimates_table(MeasureFinding.of(values, values.intervals()))

    def _measure(self, condition: int, games: ConditionGames, measure: Measure, estimates: Estimates) -> Iterable[str]:
        result = finding(self.plan, condition, games, measure, estimates, self.over)
        yield from finding_parts(measure, result)
        if measure.key == "length":
            drawn = pictures.histogram(games.game("turns"), *self._bins, "turns")
        else:
            drawn = pictures.forest(result, result.bounds, measure.unit, result.par)
        yield self._picture(f"{measure.key}_{condition}", measure.title, drawn)

    @cached_property
    def _bins(self) -> tuple[np.ndarray, float]:
        """Bin edges and height for the game-length histograms, shared by all conditions."""
        return pictures.common_bins([games.game("turns") for games in self.found.values()])

    def _picture(self, name: str, title: str, svg: str) -> str:
        """Write a picture and return Markdown that embeds it."""
        path = self.folder / f"{self.prefix}{name}.svg"
        write_whole(path, svg)
        return f"![{title}]({path.name})"


def title_of(plan: Plan) -> str:
    """Return a report's title."""
    first = plan.conditions[0]
    if plan.kind == "sweep":
        return f"Sweep of {first.scenario}: {listed(varied_rules(plan))}"
    if len(plan.conditions) == 1 or plan.kind == "board":
        return f"Balance of {first.label}"
    scenarios = dict.fromkeys(condition.scenario for condition in plan.conditions)
    if len(scenarios) > 1:
        return f"Comparison of {listed(list(scenarios))}"
    return f"Comparison of {len(plan.conditions)} conditions of {first.scenario}"


def finding(
    plan: Plan, condition: int, games: ConditionGames, measure: Measure, estimates: Estimates, over: bool = True
) -> MeasureFinding:
    """Return one measure's results. `over` is whether all of the plan's games have been played."""
    early = not over and measure.key == "seats"
    par = measure.par(games) if measure.par else None
    details: dict[str, Any] = {"par": par}
    if measure.key == "seats" and par is not None and not early:
        details["chance"] = chance_of_even(estimates, par)
    if measure.key == "length":
        details["quantiles"] = _quantiles(games)
    if measure.key == "skill":
        details["ratings"], details["rated_games"] = _ratings(plan, condition, games)
    return MeasureFinding.of(estimates, always_valid(estimates) if early else estimates.intervals(), **details)


def _columns_of(table: Any, condition: int) -> list[str]:
    """Return the columns defined for a condition. Columns that exist only for other conditions are null."""
    condition_rows = table.filter(table["condition"] == condition)
    return [name for name in table.columns if condition_rows[name].null_count() < condition_rows.height]


def _settings_text(study: Study, played: int) -> str:
    about = study.about
    study_facts = {name: about[name] for name in ("command", "versions", "scenarios")}
    return settings_text(
        **study_facts, games=played, seed=study.plan.seed, agents=study.plan.agent_names, rate=study.games_a_second
    )


def settings_text(
    command: str,
    games: int,
    seed: int,
    agents: Sequence[str],
    scenarios: Mapping[str, int],
    versions: Mapping[str, str],
    rate: float | None,
) -> str:
    """Return the report's paragraph on how it was produced. `rate` is in games per second."""
    versions_text = ", ".join(f"{name} {version}" for name, version in versions.items())
    rules = ", ".join(f"{name} v{version}" for name, version in scenarios.items())
    speed = f" One core plays and measures {number(rate)} of these games per second." if rate else ""
    return (
        f"Command: `{command}`. {games:,} games from seed {seed}, agents in rotation: {', '.join(agents)}. "
        f"Rules: {rules}. Versions: {versions_text}. The plan was fixed before the first game. Paired seeds (a board "
        f"and its chance) are independent, so intervals are computed over paired seeds.{speed}"
    )


def games_and_agents(games: int, paired_seeds: int, agents: Sequence[str]) -> str:
    """Return the line shown below the title of a condition."""
    return f"{games:,} games on {paired_seeds:,} paired seeds; agents in rotation: {', '.join(agents)}."


def extra_games(games: int, agents: Sequence[str]) -> str:
    """Return the line shown below a measure that has extra games."""
    return f"{games:,} extra games; agents in rotation: {', '.join(agents)}."


def _quantiles(games: ConditionGames) -> tuple[Row, ...]:
    """Return quantiles of the number of turns, based on the first game of each paired seed (for independence)."""
    turns_of_first_games = games.game("turns")[np.unique(games.paired_seed, return_index=True)[1]]
    quantiles = [quantile_interval(turns_of_first_games, share, ERROR / len(QUANTILES)) for share in QUANTILES]
    names = (f"{100 * share:.0f}%" for share in QUANTILES)
    return rows_of(names, (value for value, *_ in quantiles), (bounds for _, *bounds in quantiles))


@dataclass
class _Rated:
    """The games to rate; see `catan_training.evaluation.ratings.RatedGames`."""

    paired_seeds: int
    entrants: list[int]
    seating: np.ndarray
    places: np.ndarray


def _ratings(plan: Plan, condition: int, games: ConditionGames) -> tuple[tuple[Row, ...], int]:
    """Rate the agents using the first games of a condition. Return the ratings and the number of games used."""
    seating = plan.seating(condition)
    paired_seeds = min(games.paired_seeds, max(1, MOST_RATED // len(seating)))
    game_count = paired_seeds * len(seating)
    ahead = games.seats("points")[:game_count] + 1e6 * games.won[:game_count]
    rated_games = _Rated(
        paired_seeds=paired_seeds,
        entrants=np.unique(seating).tolist(),
        seating=games.agent[:game_count],
        places=1 + (ahead[:, None, :] > ahead[:, :, None]).sum(2),
    )
    rated = ratings(rated_games, plan.agent_names).items()
    unknown = float("nan"), float("nan")
    return tuple((label, rating["rating"], *(rating["interval"] or unknown)) for label, rating in rated), game_count
