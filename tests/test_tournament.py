"""Tournaments: fixtures, standings and ratings. `test_tournament_runs.py` tests running and killing them."""

import json
from dataclasses import replace

import numpy as np
import pytest

import catan_env
from catan_env.engine import registry
from catan_env.engine.decision_stack import RUNNING, finish
from catan_env.engine.declare import ACTION_RESOLVED, when
from catan_env.errors import CatanError
from catan_training.evaluation import paired_seeds, published
from catan_training.evaluation.fixtures import Fixtures, orders
from catan_training.evaluation.matches import play
from catan_training.evaluation.paired_seeds import PairedSeeds, play_paired_seeds
from catan_training.evaluation.progress import TableProgress
from catan_training.evaluation.ratings import GROUPS, ratings
from catan_training.evaluation.standings import TableResults, standings
from catan_training.evaluation.tournaments import run_tournament
from tests.coin_toy import TOY, toy

QUICK = {"offers_per_turn": 0, "victory_points": 3}


def fixtures(**changes):
    """Return the fixtures of a tournament that takes seconds."""
    return Fixtures.read(
        {
            "agents": ["random", "weighted"],
            "players": [2],
            "rules": QUICK,
            "games": 12,
            "batch": 4,
            "seed": 5,
            **changes,
        }
    )


@when(ACTION_RESOLVED)
def end_together(game, params, player, where):
    """End the game after the last flip. Both players win if they have the same number of coins."""
    if game.left <= 0 and game.ended == RUNNING:
        finish(game, 3 if game.coins[0] == game.coins[1] else 1 << int(game.coins[1] > game.coins[0]))


@pytest.fixture
def coins(monkeypatch):
    """Return the name of a registered game without a board, in which two players may win together."""
    made = toy(name="coins_together", **{**TOY, "end": end_together})
    monkeypatch.setitem(registry._scenarios, made.name, made)
    return made.name


# -- fixtures ------------------------------------------------------------------------------------------------


def test_orders_of_seats():
    assert orders((0, 1, 1, 1)).tolist() == [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    assert len(orders((0, 1, 2, 3))) == 24 and len(orders((0, 0, 1, 1))) == 6
    assert orders((0, 1, 2), "rotations").tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert orders((0, 0, 1, 1), "rotations").tolist() == [[0, 0, 1, 1], [0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0]]
    assert (orders((0, 1, 2, 3), "rotations").sum(0) == 6).all()


@pytest.mark.parametrize(
    ("agents", "players", "lineups", "expected"),
    [
        (["random", "weighted"], 3, "mixed", [(0, 0, 1), (0, 1, 1)]),
        (["random", "weighted", "heuristic"], 2, "mixed", [(0, 1), (0, 2), (1, 2)]),
        (["random", "weighted"], 4, "duels", [(0, 1, 1, 1), (1, 0, 0, 0)]),
        (["random", "weighted"], 3, [["weighted", "random", "random"], ["random", "weighted"]], [(0, 0, 1)]),
    ],
)
def test_lineups(agents, players, lineups, expected):
    (table,) = fixtures(agents=agents, players=[players], lineups=lineups).tables
    assert list(table.lineups) == expected
    assert sorted(map(tuple, table.seating[table.lineup_of == 0])) == sorted(map(tuple, orders(expected[0])))


def test_every_scenario_with_every_number_of_players_it_allows():
    found = fixtures(scenarios=["base", "base_5_6"], players=[2, 4, 5], rules={}).tables
    assert [table.name for table in found] == ["base, 2 players", "base, 4 players", "base_5_6, 5 players"]
    assert [table.num_players for table in fixtures(scenarios=["base"], players=[], rules={}).tables] == [4]


def test_settings_survive_json():
    one = fixtures(agents=["random", {"agent": "random", "label": "other", "seed": 3}], lineups=[["random", "other"]])
    assert Fixtures.read(json.loads(json.dumps(one.to_dict()))) == one
    assert one.agents[1].options == {"seed": 3}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": ["random"]}, "at least two agents"),
        ({"agents": ["random", "random"]}, "different labels"),
        ({"agents": ["random", 3]}, "must be a name"),
        ({"agents": "random"}, "must be a list"),
        ({"game": 4}, "Did you mean 'games'"),
        ({"games": 0}, "games is 0"),
        ({"precision": -0.5}, "precision"),
        ({"orders": "some"}, "orders is 'some'"),
        ({"lineups": "some"}, "lineups is 'some'"),
        ({"lineups": [["random", "nobody"]]}, "'nobody', which is not an agent of this tournament: random, weighted"),
        ({"lineups": [["random", "random", "weighted"]]}, "lineup of 2 agents"),
        ({"scenarios": ["bsae"]}, "bsae"),
        ({"scenarios": []}, "name at least one"),
        ({"players": [9]}, "num_players is 9"),
        ({"rules": {"victory_point": 3}}, "Did you mean 'victory_points'"),
        ({"rules": 3}, "must be a table"),
        (
            {"agents": [{"agent": "random", "label": str(k)} for k in range(14)], "players": [4]},
            "set orders to rotations",
        ),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(CatanError, match=message):
        fixtures(**changes)


def test_a_deal_is_the_same_for_all_orders(monkeypatch):
    seen = {}

    def spy(engine, agents, owner):
        seen.update(owner=owner, start=engine.state.copy())
        return play(engine, agents, owner)

    monkeypatch.setattr(paired_seeds, "play", spy)
    play_paired_seeds(fixtures(players=[3], batch=12), 0, 2)
    starts = seen["start"].reshape(2, 6)
    assert (starts == starts[:, :1]).all() and (starts[0] != starts[1]).all()  # boards and random streams
    expected = np.concatenate([orders((0, 0, 1)), orders((0, 1, 1))])
    assert sorted(seen["owner"][:6].tolist()) == sorted(expected.tolist())


def test_a_job_depends_on_nothing_but_the_fixtures_and_its_place():
    one = play_paired_seeds(fixtures(), 0, 2)
    play_paired_seeds(fixtures(), 0, 4)
    assert play_paired_seeds(fixtures(games=400), 0, 2) == one
    assert play_paired_seeds(fixtures(seed=6), 0, 2) != one != replace(play_paired_seeds(fixtures(), 0, 4), first=2)


# -- results -------------------------------------------------------------------------------------------------


def made(winners, points, players=2, **changes):
    """Return the progress of a table with these winners and points: one row per game, ordered by paired seed."""
    progress = TableProgress(fixtures(players=[players], batch=1, games=10_000, **changes), 0)
    size = len(progress.table.seating)
    for first in range(len(winners) // size):
        which = slice(first * size, (first + 1) * size)
        progress.take(PairedSeeds(0, first, 1, winners[which], points[which], {"coins": points[which]}, [7] * size, []))
    return progress


def test_standings_of_games_made_by_hand():
    """Two paired seeds of a duel, each with seats (random, weighted) and then (weighted, random)."""
    progress = made([[1], [0], [0, 1], []], [[2, 3], [3, 2], [3, 3], [1, 2]])
    said = standings(progress, ["random", "weighted"])
    assert (said["games"], said["paired_seeds"], said["shared_wins"], said["nobody_won"]) == (4, 2, 1, 1)
    weighted, random = said["agents"]
    assert (weighted["agent"], weighted["wins"], weighted["win_rate"]) == ("weighted", 3, 0.75)
    assert (random["agent"], random["wins"], random["win_rate"]) == ("random", 1, 0.25)
    assert weighted["wins_by_seat"] == [0.5, 1.0] and weighted["points"] == weighted["sources"]["coins"] == 2.5
    ahead = {(row["agent"], row["against"]): (row["ahead"], row["lead"]) for row in said["cross"]}
    assert ahead == {("random", "weighted"): (0.375, -0.5), ("weighted", "random"): (0.625, 0.5)}
    assert TableResults(progress.table, progress.counted).places.tolist() == [[2, 1], [1, 2], [1, 1], [2, 1]]


def test_intervals_know_that_games_of_a_deal_belong_together():
    """If one seat always wins, both agents win once per paired seed, and the win rate of 50 % has no variance."""
    paired = made([[0], [0]] * 100, [[3, 2]] * 200)
    mixed = made([[0], [1], [1], [0]] * 50, [[3, 2], [2, 3], [2, 3], [3, 2]] * 50)
    paired_width, mixed_width = (p.widest for p in (paired, mixed))
    assert paired.rates[0].mean == mixed.rates[0].mean == 0.5
    assert paired_width < 0.05 < 0.1 < mixed_width


def test_ratings_order_agents_and_say_how_sure_they_are():
    rng = np.random.default_rng(1)
    winners = [[seat] if rng.random() < 0.8 else [1 - seat] for seat in (1, 0) * 40]  # "weighted" wins most games
    progress = made(winners, [[2, 2]] * 80)
    rated = ratings(TableResults(progress.table, progress.counted), ["random", "weighted"])
    assert rated["weighted"]["rating"] > 25 > rated["random"]["rating"]
    low, high = rated["weighted"]["interval"]
    assert rated["random"]["interval"][1] < low < rated["weighted"]["rating"] < high
    few = made(winners[: 2 * GROUPS - 2], [[2, 2]] * (2 * GROUPS - 2))
    assert ratings(TableResults(few.table, few.counted), ["random", "weighted"])["random"]["interval"] is None


def test_an_agent_against_itself_keeps_its_rating():
    progress = made([[0], [0], [1], [1]] * 20, [[2, 2]] * 80, lineups=[["random", "random"]])
    (rating,) = ratings(TableResults(progress.table, progress.counted), ["random", "weighted"]).values()
    assert rating["rating"] == pytest.approx(25, abs=1e-6)


def test_games_without_a_board_and_shared_wins(coins, tmp_path):
    tables = run_tournament(fixtures(scenarios=[coins], rules={}, games=40), tmp_path, 1)
    (said,) = published.results(tables)
    assert said["games"] == 40 and said["shared_wins"] > 0 and said["nobody_won"] == 0
    assert sum(row["wins"] for row in said["agents"]) == said["games"] + said["shared_wins"]
    published.write(tmp_path, tables, [said])


@pytest.mark.slow
@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_every_scenario_has_tournaments(scenario, tmp_path):
    given = fixtures(scenarios=[scenario], players=[], rules={}, orders="rotations", lineups="duels", games=1, batch=1)
    tables = run_tournament(given, tmp_path, 1)
    (said,) = published.results(tables)
    assert said["over"] and said["games"] == len(tables[0].table.seating)
    for row in said["agents"]:
        assert sum(row["sources"].values()) == pytest.approx(row["points"])
    assert len(published.write(tmp_path, tables, [said])) == 3
