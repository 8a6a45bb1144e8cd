"""Balance studies: recorded data, runs, kills and reports. test_balance_statistics.py tests their conclusions."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import catan_env
from catan_agents.best import BestAgent
from catan_env.board.terrain import BARE
from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import game_seeds
from catan_env.engine.registry import find_scenario
from catan_env.errors import CatanError, OptionError
from catan_training import cli
from catan_training.balance import report
from catan_training.balance.boards import board_of, site_values
from catan_training.balance.effects import effects_of
from catan_training.balance.measures import MEASURES, ConditionGames
from catan_training.balance.notable import notable_games, replay_log
from catan_training.balance.plan import Condition, Plan, further_plans, games_for
from catan_training.balance.studies import holm
from catan_training.balance.study import LINES, Study, play_job
from catan_training.balance.watching import HOPES, Watch
from catan_training.evaluation.matches import play
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
RULES = {"offers_per_turn": 0, "victory_points": 4}


def plan(**changes):
    condition = Condition("base", "base", 4, RULES)
    return Plan.make(
        **{"kind": "study", "conditions": [condition], "agents": ["weighted"], "games": 60, "batch": 16, **changes}
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a study that ran without interruption, and its tables."""
    study = Study.begin(tmp_path_factory.mktemp("studies") / "whole", plan(), "made by a test")
    return study, study.run(1)


def jobs(folder):
    path = Path(folder) / LINES
    found = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return [
        (line["condition"], line["first"]) for line in map(json.loads, (one for one in found if one.endswith(b"\n")))
    ]


def test_without_agents_the_best_one_plays():
    base, other = Condition("base", "base", 4, {}), Condition("troy", "troy", 4, {})
    for conditions in ([base, other], [other, base]):
        best = BestAgent().name_for(conditions[0].engine(np.zeros(1, np.uint64)))
        assert plan(conditions=conditions, agents=()).agent_names == [best]


# -- recorded data ---------------------------------------------------------------------------------------------


def test_rows_agree_with_the_rules(whole):
    games, seats = whole[1]
    assert games.height == 60 and seats.height == 240 and games["paired_seed"].to_list() == list(range(60))
    own = [name for name in seats.columns if name.startswith("points_") and "_at_" not in name]
    assert (seats.select(pl.sum_horizontal(own)).to_series() == seats["points"]).all()
    per_game = seats.group_by("paired_seed", maintain_order=True)
    assert per_game.agg(pl.col("order").sort())["order"].to_list() == [[1, 2, 3, 4]] * 60
    assert (per_game.agg(pl.col("won").sum())["won"] == games["winners"]).all()
    unrolled = games["turns"] - per_game.agg(pl.col("did_roll").sum())["did_roll"]
    assert set(unrolled) <= {0, 1}  # a player who has already won at the start of a turn need not roll
    assert ((seats["first_city"] > 0) == (seats["did_build_city"] > 0)).all()
    assert (seats["did_build_settlement"] >= 2).all()
    first = seats.filter(pl.col("order") == 1)
    assert (first["seat"] == games["first_seat"]).all() and games["first_seat"].n_unique() == 4
    assert (seats["points_at_quarter"] <= seats["points_at_half"] + 2).all() and seats["points_at_half"].max() > 2


def test_trades_between_players_are_counted():
    given = plan(conditions=[Condition("base", "base", 4, {})], agents=["greedy"], games=4, batch=4)
    found = ConditionGames(*play_job(given, 0, 0)[1])
    estimates = next(measure for measure in MEASURES if measure.key == "trading").estimate(found)
    made, closed = (found.seats(f"did_{kind}").sum() for kind in ("make_offer", "confirm"))
    assert 0 < closed < made
    np.testing.assert_allclose(estimates.values[:2], np.array([made, closed]) / found.game("turns").sum())


def test_an_offer_is_one_choice_however_many_cards_it_names():
    engine, rng = BatchEngine("base", 1, 3, seed=2), np.random.default_rng(2)
    watch, choices, offers = Watch(engine), 0, 0
    while engine.seat_to_act[0] >= 0:
        legal = np.flatnonzero(engine.action_mask[0])
        is_drafting = engine.decision(0) in ("draft_offer", "draft_counter")
        action = rng.choice([action for action in legal if engine.actions.pair(action)[0] != "cancel_offer"] or legal)
        choices += len(legal) > 1 and not is_drafting
        offers += engine.actions.pair(action)[0] == "submit_offer"
        watch.before(np.array([0]), engine.seat_to_act[:1].copy(), np.array([action]))
        engine.step(np.array([action]))
        watch.look()
    tables = (table.with_columns(paired_seed=0) for table in watch.tables(np.zeros((1, 3), int)))
    estimates = next(measure for measure in MEASURES if measure.key == "length").estimate(ConditionGames(*tables))
    assert estimates.values[2] == choices and offers > 9


def test_initial_placement_and_luck_are_what_a_count_by_hand_says():
    """Play one game and recompute all figures from its positions, place by place."""
    engine = plan().conditions[0].engine(np.array([11], np.uint64))
    watch, topology = Watch(engine), engine.topology
    agent, luck, placed = np.random.default_rng(1), np.zeros(4), None
    while engine.seat_to_act[0] >= 0:
        seat = int(engine.seat_to_act[0])
        action = int(agent.choice(np.flatnonzero(engine.action_mask[0])))
        before = engine.state[0].copy()
        watch.before(np.array([0]), np.array([seat]), np.array([action]))
        engine.step(np.array([action]))
        watch.look()
        if placed is None and engine.state["turn"][0] > 0:
            placed = engine.state[0].copy()
        if engine.actions.pair(action)[0] == "roll":
            dice = int(engine.state["dice"][0])
            for place, kind in enumerate(before["building"]):
                for hex in topology.intersection_hexes[place]:
                    if kind and hex >= 0 and before["number"][hex]:
                        number = int(before["number"][hex])
                        luck[before["building_owner"][place]] += kind * ((number == dice) - HOPES[number] / 36)
    assert np.allclose(watch.luck[0], luck) and np.abs(luck).max() > 0
    for seat in range(4):
        own = [place for place in range(54) if placed["building"][place] and placed["building_owner"][place] == seat]
        hexes = [hex for place in own for hex in topology.intersection_hexes[place] if hex >= 0]
        assert len(own) == 2
        assert watch.sites["pips"][0, seat] == sum(HOPES[placed["number"][hex]] for hex in hexes)
        kinds = {int(placed["terrain"][hex]) for hex in hexes} - set(BARE)
        assert watch.sites["kinds"][0, seat] == len(kinds)
    ends = {
        int(end)
        for path, kind in enumerate(placed["harbor"])
        if kind >= 0
        for end in topology.path_intersections[topology.coast_paths[path]]
    }
    for seat in range(4):
        own = {place for place in range(54) if placed["building"][place] and placed["building_owner"][place] == seat}
        assert watch.sites["harbors"][0, seat] == len(own & ends)


def test_attacks_of_barbarians_are_what_a_count_by_hand_says():
    engine = BatchEngine("cities_and_knights", 1, 3, seed=4)
    watch, agent, attacks, beaten = Watch(engine), np.random.default_rng(1), 0, 0
    for _ in range(4000):
        if (seat := int(engine.seat_to_act[0])) < 0:
            break
        action = int(agent.choice(np.flatnonzero(engine.action_mask[0])))
        before = engine.state[0].copy()
        watch.before(np.array([0]), np.array([seat]), np.array([action]))
        engine.step(np.array([action]))
        watch.look()
        if engine.state["attacks"][0] > before["attacks"]:
            attacks += 1
            cities = sum(int(kind) == 2 for kind in before["building"])
            knights = sum(
                int(knight) for knight, state in zip(before["knight"], before["knight_state"], strict=True) if state
            )
            beaten += knights >= cities
    assert watch.tables(np.zeros((1, 3), int))[0].select("attacks", "attacks_beaten").row(0) == (attacks, beaten)
    assert attacks > beaten > 0


def test_watching_changes_nothing(whole):
    """The same agents play the same games without a watch."""
    from catan_training.evaluation.paired_seeds import make_player

    given = plan()
    _, (games, seats), _ = play_job(given, 0, 16)
    players = [make_player(given.agents[0])]
    words = np.random.SeedSequence([given.seed, 16, 0]).generate_state(2)
    players[0].reset(int(words[0]) << 31 | int(words[1]) >> 1)
    engine = given.conditions[0].engine(games["seed"].to_numpy())
    length = play(engine, players, np.zeros((16, 4), np.int64))
    assert games["actions"].to_list() == length.tolist()
    assert seats["points"].to_list() == engine.victory_points.ravel().tolist()


# -- plans and runs --------------------------------------------------------------------------------------------


def test_plans_are_fixed_before_the_games(tmp_path):
    assert Plan.make("study", [Condition("base", "base", 4)]).paired_seeds == games_for(0.02, 4) == 2908 + 1
    assert Plan.read(json.loads(json.dumps(plan().to_dict()))) == plan()
    two = plan(agents=["weighted", "random"])
    assert len(two.seating(0)) == 2 and two.paired_seeds == 30 and two.games == 60
    assert sum(map(two.games_in, two.jobs())) == 60
    with pytest.raises(CatanError):
        plan(conditions=[Condition("base", "base", 4, {"victory_point": 3})])
    with pytest.raises(OptionError, match="width"):
        plan(games=None, width=0.0)
    with pytest.raises(OptionError, match="at least one condition"):
        plan(conditions=[])
    with pytest.raises(OptionError, match="conditions base are given more than once"):
        plan(conditions=[Condition("base", "base", 4)] * 2)
    Study.begin(tmp_path, plan())
    with pytest.raises(OptionError, match="different seed"):
        Study.begin(tmp_path, plan(seed=1))
    with pytest.raises(OptionError, match="no finished games"):
        Study(tmp_path).tables()
    with pytest.raises(OptionError, match="holds no balance study"):
        Study(tmp_path / "nowhere")


def test_a_killed_study_goes_on_and_loses_and_repeats_nothing(whole, tmp_path):
    Study.begin(tmp_path, plan())
    code = (
        "import sys, time; from catan_training.balance import study; from catan_training.evaluation import journal; "
        "add = journal.Lines.add; journal.Lines.add = lambda self, line: (add(self, line), time.sleep(60)); "
        "study.Study(sys.argv[1]).run(1)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT)
    until = time.monotonic() + PATIENCE
    while not jobs(tmp_path) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    assert process.wait(PATIENCE) == -signal.SIGKILL
    kept = jobs(tmp_path)
    assert 1 <= len(kept) < 4, "the kill came too late to say anything"
    with (tmp_path / LINES).open("ab") as file:
        file.write(b'{"condition": 0, "first": 32, "games": "UEFS')
    early = Study(tmp_path)
    assert "The study is unfinished" in "\n".join(report.StudyReport(early).parts())
    tables = early.run(1)
    assert jobs(tmp_path)[: len(kept)] == kept and sorted(jobs(tmp_path)) == [(0, 0), (0, 16), (0, 32), (0, 48)]
    for mine, theirs in zip(tables, whole[1], strict=True):
        assert_frame_equal(mine, theirs)
    reports = []
    early.run(1, lambda done, total: reports.append((done, total)))
    assert reports == [(60, 60)]  # nothing is left to play


def test_a_report_is_made_again_from_the_data_alone(whole, tmp_path):
    study, _ = whole
    report.write(study)
    for name in ("study.json", "games.parquet", "seats.parquet"):
        shutil.copy(study.folder / name, tmp_path)
    assert report.write(Study(tmp_path)) == [tmp_path / "report.md", tmp_path / "report.html"]
    text = (tmp_path / "report.md").read_text()
    assert text == (study.folder / "report.md").read_text()
    assert "made by a test" in text and "points of longest road" in text and "60 games" in text
    page = (tmp_path / "report.html").read_text()
    assert page.count("<figure><svg") == text.count("![") >= 6 and "<table>" in page


# -- the command line ------------------------------------------------------------------------------------------


def test_a_study_of_one_agent_shows_how_much_skill_decides(tmp_path):
    """The study adds games against a careless copy of the agent. Its report can be rebuilt from the data alone."""
    given = ["--agents", "weighted", "--games", "96", "--workers", "1", "--rules", "victory_points=4"]
    assert cli.main(["balance", "base", *given, "--out", str(tmp_path / "one")]) == 0
    seats = pl.read_parquet(tmp_path / "one/skill/seats.parquet")
    assert seats.group_by("agent").len()["len"].to_list() == [48, 48]
    text = (tmp_path / "one/report.md").read_text()
    assert "Random initial placement" in text and "weighted, random initial placement" in text
    assert "careless weighted" in text and text.count("24 extra games") == 2 and "of these games per second" in text
    for path in (tmp_path / "one").rglob("journal.jsonl"):
        path.unlink()
    assert cli.main(["balance", "report", str(tmp_path / "one")]) == 0
    assert (tmp_path / "one/report.md").read_text() == text
    condition = Condition("base", "base", 4)
    alone = Condition("dice_game", "dice_game", 1)
    assert further_plans(Plan.make("study", [condition], ["weighted", "random"], 8)) == {}
    assert further_plans(Plan.make("study", [alone], ["weighted"], 8)) == {}
    several = Condition("dice_game", "dice_game", 2)
    assert set(further_plans(Plan.make("study", [several], ["weighted"], 8))) == {"skill"}


def test_the_command_line_compares_and_sweeps(tmp_path, capsys):
    common = ["--agents", "weighted", "random", "--games", "24", "--workers", "1", "--rules", "offers_per_turn=0"]
    pair, grid = tmp_path / "pair", tmp_path / "grid"
    given = ["base:victory_points=3", "base:victory_points=4"]
    assert cli.main(["balance", "compare", *given, *common, "--out", str(pair)]) == 0
    text = (pair / "report.md").read_text()
    assert "base:victory_points=4 minus base:victory_points=3" in text and "Skill and luck" in text and "rating" in text
    assert "| agent 1 |" not in text and text.count("| weighted |") >= 4
    seats = pl.read_parquet(pair / "seats.parquet")
    assert set(seats["agent_name"]) == {"weighted", "random"} and set(seats["condition_name"]) == set(given)
    assert seats.group_by("condition", "agent").len()["len"].to_list() == [48] * 4
    games = pl.read_parquet(pair / "games.parquet")
    assert games.filter(condition=0)["seed"].to_list() == games.filter(condition=1)["seed"].to_list()
    assert games.filter(condition=0)["turns"].mean() < games.filter(condition=1)["turns"].mean()
    rules = ["--rule", "victory_points=3,4", "--rule", "city_cost=[0,0,0,2,3],[0,0,0,1,2]"]
    assert cli.main(["balance", "sweep", "base", *rules, *common, "--out", str(grid)]) == 0
    text = (grid / "report.md").read_text()
    assert "Response to the rules" in text and (grid / "curve_length.svg").stat().st_size > 1000
    assert "victory_points=4 with city_cost=[0, 0, 0, 1, 2]" in text.partition("## Main effects")[2]
    assert cli.main(["balance", "report", str(grid)]) == 0 and (grid / "report.md").read_text() == text
    capsys.readouterr()
    for wrong in (
        ["compare", "base"],
        ["compare", "base", "base:city_cost=0,0,0,1,2"],
        ["sweep", "base"],
        ["sweep", "base", "--rule", "victory_points=3,4", "--sample", "-1"],
        ["design", "base", "--rule", "victory_points=3,4", "--games", "4", "--width", "-1"],
        ["base", "--games", "4", "--batch", "0"],
        ["base", "troy"],
        ["report", str(tmp_path)],
        ["nothing"],
    ):
        assert cli.main(["balance", *wrong, "--out", str(tmp_path / "none")]) == 2
        assert capsys.readouterr().err.startswith("catan balance: ")
    assert not (tmp_path / "none").exists() and os.path.exists(pair / "study.json")


def test_effects_of_a_grid_are_those_that_made_it():
    """The main effects and interactions match the planted ones; an incomplete grid has none."""
    settings = [{"a": a, "b": b} for a in (0, 1, 2) for b in ([0, 1], [2, 3])]
    values = np.array([10 * s["a"] + 3 * (s["b"] == [2, 3]) + 5 * (s["a"] == 2) * (s["b"] == [2, 3]) for s in settings])
    effects = {name: weights @ values for name, weights in effects_of(settings, ["a", "b"]).items()}
    assert effects == pytest.approx(
        {"a=1": 10, "a=2": 22.5, "b=[2, 3]": 3 + 5 / 3, "a=1 with b=[2, 3]": 0, "a=2 with b=[2, 3]": 5}
    )
    assert effects_of(settings[:-1], ["a", "b"]) == {}


def test_every_game_of_a_study_can_be_watched(tmp_path, capsys):
    """The keys in the report identify the notable games, and the games' replay logs reproduce the tables."""
    common = ["--agents", "weighted", "random", "--games", "24", "--workers", "1", "--rules", "victory_points=4"]
    assert cli.main(["balance", "base", *common, "--batch", "16", "--out", str(tmp_path / "study")]) == 0
    study = Study(tmp_path / "study")
    games, seats = study.tables()
    found = {title: key for title, key, _ in notable_games(0, games, seats)}
    assert {"longest", "closest", "most one-sided"} <= set(found)
    for title, key in found.items():
        row = games.filter(paired_seed=key.paired_seed, game=key.game)
        engine = catan_env.replay(replay_log(study, key))
        assert engine.state["turn"][0] == row["turns"][0] and engine.seeds[0] == row["seed"][0]
        wanted = seats.filter(paired_seed=key.paired_seed, game=key.game).sort("seat")
        assert engine.victory_points[0].tolist() == wanted["points"].to_list()
        assert title != "longest" or row["turns"][0] == games["turns"].max()
    key = str(found["longest"])
    assert f"| base | longest | {games['turns'].max()} turns | {key} |\n" in (tmp_path / "study/report.md").read_text()
    assert cli.main(["replay", str(tmp_path / "study"), "--game", key, "--no-open"]) == 0
    assert "weighted" in (tmp_path / f"study/replays/{key}.html").read_text()
    assert cli.main(["balance", "report", str(tmp_path / "study")]) == 0
    assert f"[page](replays/{key}.html)" in (tmp_path / "study/report.md").read_text()
    capsys.readouterr()
    for wrong in ("longest", "1.0.0", "0.99.0", "0.0.99", "0.0"):
        assert cli.main(["replay", str(tmp_path / "study"), "--game", wrong]) == 2
        assert f"game is {wrong!r}; " in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_every_scenario_can_be_studied(scenario):
    """In games of two rounds, every seat has a place in the order, and the points in the tables add up."""
    players = find_scenario(scenario).players[-1]
    given = Plan.make(
        "study", [Condition(scenario, scenario, players, {"turn_limit": 2 * players})], ["weighted"], games=2
    )
    _, (games, seats), _ = play_job(given, 0, 0)
    assert games["turns"].to_list() == [2 * players] * 2 and games["truncated"].all()
    assert seats["order"].sort().to_list() == sorted([*range(1, players + 1)] * 2)
    sources = [name for name in seats.columns if name.startswith("points_") and "_at_" not in name]
    assert (seats.select(pl.sum_horizontal(sources)).to_series() == seats["points"]).all()
    if "site_pips" in seats.columns:
        assert seats["site_pips"].min() > 0 and seats["site_kinds"].max() > 1
    length = MEASURES[1].estimate(ConditionGames(games, seats))
    assert length.values[0] == 2 * players and (length.errors[:, 0] == 0).all()


def _same_as_the_report(page, study):
    """Assert that a page, made from the summary alone, matches the report of all data except for single games."""
    paragraphs = [part for part in report.StudyReport(study).parts() if not part.startswith("![")]
    first, last = paragraphs.index("## Games to watch"), paragraphs.index("## Reproduce")
    assert [part for part in page.rstrip().split("\n\n") if not part.startswith("![")] == [
        *paragraphs[:first],
        *paragraphs[last:],
    ]


def test_studies_are_published_as_pages(tmp_path, capsys):
    given = ["--agents", "weighted", "--games", "40", "--workers", "1", "--out", str(tmp_path / "runs")]
    assert cli.main(["balance", "studies", "base", *given, "--pages", str(tmp_path / "pages")]) == 0
    written = {path.name for path in (tmp_path / "pages").iterdir()}
    assert written == {"index.md", "base.md", "base_seats.svg", "base_winners.svg"}
    index, page = ((tmp_path / "pages" / name).read_text() for name in ("index.md", "base.md"))
    row = next(line for line in index.splitlines() if line.startswith("| [base](base.md) | 4 | weighted | 40 |"))
    assert "to place" in row and row.count("(") >= 7 and "Endings" in page and "](base_seats.svg)" in page
    _same_as_the_report(page, Study(tmp_path / "runs" / "base"))
    assert holm([0.01, 0.5, 0.02]) == pytest.approx([0.03, 0.5, 0.04])
    capsys.readouterr()


# -- boards and designs ----------------------------------------------------------------------------------------


def test_a_board_is_studied_from_every_site(tmp_path, capsys):
    """Only the hexes around one site produce much on this board, so the sites at these hexes rank higher."""
    poor = board_of(plan().conditions[0], 5)
    topology = plan().conditions[0].engine(np.zeros(1, np.uint64)).topology
    rich = set(topology.intersection_hexes[20].tolist())
    poor["hexes"] = [
        [*one[:3], 6 if hex in rich and one[2] != "desert" else (2 if one[3] else None)]
        for hex, one in enumerate(poor["hexes"])
    ]
    file, folder = tmp_path / "poor.json", tmp_path / "out"
    file.write_text(json.dumps(poor))
    given = [
        "--agents",
        "weighted",
        "--games",
        "80",
        "--workers",
        "1",
        "--rules",
        "offers_per_turn=0",
        "turn_limit=60",
        "victory_points=3",
        "--out",
        str(folder),
    ]
    assert cli.main(["balance", "board", str(file), *given]) == 0
    study = Study(folder)
    games, seats = study.tables()
    free, forced = games.filter(condition=0), games.filter(condition=1)
    assert free.height == 80 and set(free["opening"]) == {-1}
    assert forced.height == 8 * 54 and forced.group_by("opening").len()["len"].to_list() == [8] * 54
    assert forced["seed"].unique().sort().to_list() == free["seed"].head(8).sort().to_list()
    values, places = site_values(study.plan.conditions[1], ConditionGames(forced, seats.filter(condition=1)))
    assert len(values.names) == 54 and sorted(places.tolist()) == list(range(54))
    assert (np.diff(values.values) <= 0).all()
    near = [rank for rank, place in enumerate(places) if rich & set(topology.intersection_hexes[place].tolist())]
    assert np.mean(near) < 26.5  # sites at the rich hexes rank above the average
    text = (folder / "report.md").read_text()
    assert "Value of starting sites" in text and (folder / "sites_1.svg").stat().st_size > 5000
    capsys.readouterr()


def test_a_design_is_searched_and_checked_on_fresh_games(tmp_path, capsys):
    given = ["--agents", "weighted", "--games", "16", "--width", "0.2", "--workers", "1"]
    rules = ["--rule", "victory_points=3,4,6", "--measure", "turns", "--target", "500"]
    assert cli.main(["balance", "design", "base", *rules, *given, "--out", str(tmp_path / "rules")]) == 0
    assert "closest to the target: victory_points=6" in capsys.readouterr().out
    seeds = [set(Study(tmp_path / "rules" / part).tables()[0]["seed"]) for part in ("round_1", "round_2", "final")]
    assert not seeds[2] & (seeds[0] | seeds[1])
    text = (tmp_path / "rules" / "final" / "report.md").read_text()
    assert "victory_points=3 minus victory_points=6" in text
    boards = ["--candidates", "2", "--out", str(tmp_path / "boards"), "--rules", "victory_points=3"]
    assert cli.main(["balance", "design", "base", *given, *boards]) == 0
    found = json.loads((tmp_path / "boards" / "board.json").read_text())
    assert found in [board_of(plan().conditions[0], int(seed)) for seed in game_seeds(0, 2)]
    assert (
        cli.main(
            [
                "balance",
                "design",
                "base",
                *given,
                "--rule",
                "victory_points=3,4",
                "--measure",
                "joy",
                "--out",
                str(tmp_path / "none"),
            ]
        )
        == 2
    )
    assert "Unknown measure 'joy'" in capsys.readouterr().err
