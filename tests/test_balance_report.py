"""Reports of studies: their summaries, their pictures, and how to cite them."""

import re
import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import catan_env
from catan_env.errors import CatanError
from catan_training import citation, machine
from catan_training.balance import pictures
from catan_training.balance.measures import MEASURES, ConditionGames
from catan_training.balance.methods import methods
from catan_training.balance.plan import Condition, Plan
from catan_training.balance.report import title_of
from catan_training.balance.summary import summary
from catan_training.evaluation.statistics import SHARE, Estimates
from catan_training.parquet_files import write_table
from tests.test_balance_statistics import made_up

ROOT = Path(__file__).resolve().parent.parent
BY_KEY = {measure.key: measure for measure in MEASURES}


def plan_of(kind, *rules, agents=("heuristic",)):
    conditions = [Condition(f"points {k}", "base", 4, rule) for k, rule in enumerate(rules)]
    return Plan.make(kind, conditions, agents, games=40)


def sentences(text):
    return re.split(r"(?<=\.) (?=[A-Z\d*])", text)


def games_of(seed, **options):
    return made_up(np.random.default_rng(seed), 400, **options)


# -- the summary ---------------------------------------------------------------------------------------------


def test_a_study_begins_with_four_sentences_that_are_true():
    games = games_of(1, bonus=0.15)
    fairness, length, winners, lead = sentences(summary(plan_of("study", {}), {0: games}))
    assert "the places are uneven" in fairness and "the 1st to place wins 4" in fairness and "400 games" in fairness
    assert f"takes {games.game('turns').mean():.2f} (" in length and "luck of the dice" in winners and "leader" in lead
    even = sentences(summary(plan_of("study", {}), {0: games_of(2)}))[0]
    assert "no clear seat advantage" in even
    early = sentences(summary(plan_of("study", {}), {0: games}, over=False))[0]
    assert "(p " not in early


def test_a_comparison_names_the_differences_that_are_clear():
    plan = plan_of("compare", {"victory_points": 9}, {"victory_points": 10})
    first, seats, length, _ = sentences(summary(plan, {0: games_of(3), 1: games_of(3, turns=80)}))
    assert "*points 1* compared with *points 0*, in 800 games on 400 paired seeds" in first
    assert "does not clearly differ" in seats and length.startswith("The number of turns differs by +20.00 (")
    assert "Too few games" in summary(plan, {0: games_of(3)})


def test_a_sweep_says_where_numbers_are_lowest_and_highest():
    plan = plan_of("sweep", *({"victory_points": points} for points in (8, 9, 10)))
    found = {k: games_of(4, turns=60 + 10 * (k != 1)) for k in range(3)}
    first, length, *_ = sentences(summary(plan, found))
    assert "3 conditions of `base` with 4 players vary `victory_points`" in first
    assert "with *points 1* to" in length and length.startswith("The number of turns ranges from 69")
    assert title_of(plan) == "Sweep of base: victory_points"


def test_agents_have_their_names_everywhere():
    games = games_of(5)
    agent = np.tile([0, 0, 1, 1], len(games.table))
    rows = games.rows.with_columns(
        agent=pl.Series(agent), agent_name=pl.Series(np.array(["greedy", "heuristic"], object)[agent], dtype=pl.String)
    )
    assert BY_KEY["skill"].estimate(ConditionGames(games.table, rows)).names == ("greedy", "heuristic")
    assert plan_of("study", {}, agents=("random", "weighted", "random")).agent_names == [
        "random (1)",
        "weighted",
        "random (2)",
    ]


def test_players_and_boards_are_swept_like_rules():
    from catan_training.balance.comparing import varied_rules
    from catan_training.cli.balance import rule_values, varied

    base = Condition("base", "base", 4, {"victory_points": 8})
    settings = [{"board": "beginner", "players": 3}, {"board": "my.json", "players": 4}, {"city_cost": [0, 0, 0, 1, 2]}]
    conditions = [varied(base, one) for one in settings]
    assert [(one.board, one.players) for one in conditions] == [("beginner", 3), ("my.json", 4), (None, 4)]
    assert conditions[0].rules == {"victory_points": 8} and conditions[2].rules["city_cost"] == [0, 0, 0, 1, 2]
    assert conditions[1].label == "board=my.json, players=4"
    assert varied_rules(Plan("sweep", tuple(conditions[:2]), (), 1)) == ["players", "board"]
    with pytest.raises(CatanError, match="players"):
        varied(base, {"players": 9})
    assert rule_values('a=[[1,2],[3]],[4],"x,y",z') == ("a", [[[1, 2], [3]], [4], "x,y", "z"])


# -- pictures ------------------------------------------------------------------------------------------------


def numbers_on_axes(svg):
    return [float(text) for text in re.findall(r">(\d+(?:\.\d+)?)%<", svg)]


def test_ticks_are_round_and_every_axis_has_one_unit():
    values = np.array([0.19, 0.22, 0.26, 0.27])
    shares = Estimates(("a", "b", "c", "d"), values, np.zeros((1, 4)), SHARE)
    svg = pictures.forest(shares, np.stack([values - 0.01, values + 0.01], 1), lambda name: "share of wins")
    steps = np.diff(numbers_on_axes(svg))
    assert len(steps) >= 2 and set(steps.round(6)) <= {2.0, 5.0, 1.0} and svg.count(">share of wins<") == 1
    length = BY_KEY["length"].estimate(games_of(6))
    svg = pictures.forest(length, length.intervals(), BY_KEY["length"].unit)
    assert all(svg.count(f">{unit}<") == 2 for unit in ("turns", "rounds", "choices", "minutes"))  # row and axis


def test_panels_of_one_unit_have_equal_axes():
    def panel(name, unit, value):
        estimates = Estimates((name,) * 2, np.full(2, value), np.zeros((1, 2)), SHARE)
        return pictures.Panel(name, unit, estimates, np.array([[value - 0.1, value + 0.1]] * 2))

    settings = [{"victory_points": 8}, {"victory_points": 9}]
    svg = pictures.curves([panel("a", "wins", 0.2), panel("b", "wins", 0.8)], settings, ["victory_points"])
    seen = numbers_on_axes(svg)
    assert len(seen) >= 6 and seen[: len(seen) // 2] == seen[len(seen) // 2 :]


def test_histograms_of_all_conditions_have_equal_bins():
    samples = [np.array([31, 44, 52, 60]), np.array([70, 101])]
    edges, highest = pictures.common_bins(samples)
    assert edges[0] <= 31 and edges[-1] > 101 and len(set(np.diff(edges))) == 1 and highest >= 0.5
    svg = pictures.histogram(samples[0], edges, highest, "turns")
    assert "turns (dashed: median; shaded: middle 80%)" in svg and svg == pictures.histogram(
        samples[0], edges, highest, "turns"
    )


def test_pictures_take_the_color_of_the_page():
    svg = pictures.histogram(np.arange(10), np.arange(0, 11, 2), 0.3, "turns")
    assert "currentColor" in svg and pictures.INK not in svg and "prefers-color-scheme" in svg
    assert svg.startswith("<svg") and "#ffffff" not in svg  # no background


# -- citing --------------------------------------------------------------------------------------------------


def test_the_methods_follow_from_the_plan():
    plan = plan_of("compare", {}, {"city_cost": [0, 0, 0, 1, 2]}, agents=("heuristic", "random"))
    about = {"scenarios": {"base": 2}, "versions": {"python": "3.12.1", "catan-env": "0.1.0", "commit": "12ab34"}}
    _, paragraph, references, _, entry = methods(plan, about, plan.games, {})
    for part in ("commit 12ab34", "`base` (version 2)", "city_cost = [0, 0, 0, 1, 2]", "`heuristic` and `random`"):
        assert part in paragraph
    assert f"{plan.games:,} games" in paragraph and f"same {plan.paired_seeds} paired seeds" in paragraph
    for name in re.findall(r"([A-Z]\w+) (?:19|20)\d\d", paragraph):  # the list has every cited reference
        assert name in references
    assert "note    = {commit 12ab34}" in entry
    assert "at any time" in next(part for part in methods(plan, about, 1, {}) if "We played" in part)


def test_all_citations_say_the_same():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    fields = dict(re.findall(r'^(?:  - )?(\w+): "?([^"\n]*)"?$', text, re.MULTILINE))
    assert (fields["title"], fields["version"]) == (citation.TITLE, catan_env.__version__)
    assert citation.AUTHORS in text and re.search(r"^# doi: ", text, re.MULTILINE) and not citation.DOI
    assert citation.bibtex({"catan-env": catan_env.__version__}) in (ROOT / "README.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == machine.OWN


def test_files_know_the_commit_that_wrote_them(tmp_path):
    found = machine.versions("numpy", "catan-env")
    write_table(tmp_path / "games.parquet", pl.DataFrame({"game": [1]}))
    written = pl.read_parquet_metadata(tmp_path / "games.parquet")
    assert written["catan-env"] == found["catan-env"] and written.get("commit") == found.get("commit")
    if (ROOT / ".git").exists():
        assert re.fullmatch(r"[0-9a-f]{12}(-modified)?", found["commit"])
    assert "commit" not in machine.versions("numpy")


def test_a_report_that_is_read_on_a_phone(tmp_path):
    from catan_training.balance.report_page import page_of
    from tests.browser import Page, executable

    (tmp_path / "a.svg").write_text(pictures.histogram(np.arange(40), np.arange(0, 41, 5), 0.3, "turns"), "utf-8")
    table = "| " + " | ".join(f"city_cost=[0, 0, 0, 2, {k}]" for k in range(9)) + " |\n" + "|---" * 9 + "|\n"
    page = page_of(f"# Sweep\n\n{table}\n\n![Length](a.svg)\n", tmp_path)
    assert 'name="viewport"' in page and "color-scheme: light dark" in page and 'aria-label="Length"' in page
    if executable() is None:
        pytest.skip("no browser is installed")
    (tmp_path / "report.html").write_text(page, "utf-8")
    with Page((tmp_path / "report.html").as_uri()) as shown:
        for width in (390, 1400):
            shown.resize(width)
            assert shown.run("document.documentElement.scrollWidth") <= width
            assert shown.run("document.querySelector('svg').getBoundingClientRect().width") <= width - 32
        assert shown.errors == []
