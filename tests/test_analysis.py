"""Game analysis: win chances, costs of moves, luck and forecasts, and the pages and tables that show them."""

import json

import numpy as np
import pytest

import catan_env
from catan_agents.search.value_network import network_given
from catan_env.errors import CatanError, OptionError
from catan_training import cli
from catan_training.analysis import report
from catan_training.analysis.forecast import NetworkForecast, chances_in, forecast_for
from catan_training.analysis.games import analyse, engine_like
from catan_training.evaluation.single_games import play
from catan_training.play.chances import chances_of_seats

RULES = {"victory_points": 5, "offers_per_turn": 0}


@pytest.fixture(scope="module")
def log():
    return play(["greedy"], "base", 4, 5, RULES)


@pytest.fixture(scope="module")
def analysis(log):
    return analyse(log)


def test_chances_share_one_and_end_at_the_winner(log, analysis):
    assert analysis.forecast == "base-value" and analysis.names == ["greedy"] * 4
    decisions = sum(len(move) == 2 for move in log["moves"])
    assert analysis.chances.shape == (decisions + 1, 4)
    np.testing.assert_allclose(analysis.chances.sum(axis=1), 1.0)
    assert analysis.winners == [int(analysis.chances[-1].argmax())] and analysis.chances[-1].max() == 1.0
    assert analysis.chances[0].max() < 0.6


def test_the_network_sees_that_a_seat_has_lost_its_cards():
    engine = catan_env.BatchEngine("base", 4, 4, seed=2)
    rng = np.random.default_rng(0)
    for _ in range(300):
        engine.step(np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1))
    forecast = forecast_for(engine)
    assert isinstance(forecast, NetworkForecast)
    chances = chances_in(forecast, engine, engine.state)
    assert chances.shape == (4, 4) and (chances > 0).all()
    better = engine.state.copy()
    better["hands"][:, 0] = 0  # losing its cards must lower a seat's chances
    worse = chances_in(forecast, engine, better)
    had_cards = engine.state["hands"][:, 0].sum(axis=1) > 2
    assert had_cards.any() and (worse[had_cards, 0] < chances[had_cards, 0]).all()


def test_costs_are_differences_to_the_best_action(log, analysis):
    assert analysis.decisions.sum() > 20 and (analysis.cost >= 0).all()
    costs = [move.cost for move in analysis.costly]
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) == pytest.approx(analysis.cost.sum(), abs=1e-9)
    for move in analysis.costly[:10]:
        assert move.better[0].gain == pytest.approx(move.cost) and move.taken not in [one.text for one in move.better]


def test_a_player_who_errs_pays(log, analysis):
    """Random players lose more win chance per decision than `greedy`."""
    careless = analyse(play(["random", "greedy", "greedy", "greedy"], "base", 4, 5, RULES))
    per_decision = careless.cost / careless.decisions
    assert per_decision[0] > 1.5 * per_decision[1:].mean()


def test_luck_is_zero_in_expectation_for_every_draw(log):
    """The luck of all outcomes of a roll, weighted by their probabilities, sums to zero."""
    from catan_training.analysis.games import _swing

    steps = catan_env.replay_steps(log)
    engine = next(e for e in steps if e.seat_to_act[0] == -1 and e.decision(0) == "dice")
    forecast, before = forecast_for(engine), engine.state[0].copy()
    probabilities = engine_like(engine, np.array([before])).chance_probabilities[0]
    swings = [p * _swing(forecast, engine, before, k) for k, p in enumerate(probabilities) if p]
    assert len(swings) == 11 and abs(sum(swings)).max() < 1e-9 and max(abs(s).max() for s in swings) > 1e-4


def test_cards_from_rolls_are_counted(log, analysis):
    rolls = sum(move[0] == "dice" for move in log["moves"])
    assert rolls and analysis.produced is not None and (analysis.produced > 0).any()
    assert (analysis.expected < rolls * 4).all() and (analysis.expected > 0).all()
    assert set(analysis.luck) <= {"dice", "theft", "draw_card"} and "dice" in analysis.luck


def test_another_network_and_other_games_are_refused(log):
    with pytest.raises(CatanError, match="trained on 'base'"):
        analyse(log, "base-2-value")
    with pytest.raises(OptionError, match="give a bundled value network"):
        analyse(log, "heuristic")


def test_networks_that_correct_the_evaluation_estimate_no_chances():
    from catan_training.analysis.forecast import TermForecast

    engine = catan_env.BatchEngine("cities_and_knights", 1, 4)
    assert isinstance(forecast_for(engine), TermForecast)
    with pytest.raises(OptionError, match="corrects greedy's evaluation"):
        forecast_for(engine, "knights-value")
    assert chances_of_seats(engine, 0, network_given("knights-value")) == chances_of_seats(engine, 0)


def test_log_losses_fall_towards_the_end(log, analysis):
    losses = report.stage_losses(analysis)
    assert losses.shape == (4, 2) and losses[:, 1].sum() == len(np.unique(analysis.turns[:-1]))
    sure = report.stage_losses(
        type(analysis)(**{**vars(analysis), "chances": np.eye(4)[[analysis.winners[0]]] + 0.0 * analysis.chances})
    )
    assert abs(sure[:, 0]).max() == 0.0


def test_the_command_writes_a_page_and_tables(log, tmp_path, capsys):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(log))
    assert cli.main(["analyse", str(file), "--no-open", "--table", str(tmp_path / "t.csv")]) == 0
    assert capsys.readouterr().out.count("luck") == 4
    page = (tmp_path / "game.analysis.html").read_text()
    assert "Chance to win (base-value)" in page and "Moves that cost most" in page
    assert (tmp_path / "t.csv").read_text().count("\n") == 5
    other = tmp_path / "other.json"
    other.write_text(json.dumps(play(["weighted"], "base", 4, 6, RULES)))
    table = tmp_path / "t.parquet"
    assert cli.main(["analyse", str(file), str(other), "--workers", "1", "--table", str(table)]) == 0
    out = capsys.readouterr().out
    assert "quarter 4" in out and "weighted" in out and table.exists()
    assert cli.main(["analyse", str(file), "--table", "t.txt"]) == 2
    assert "t.txt" in capsys.readouterr().err


def test_games_of_a_dataset_are_analysed(tmp_path, capsys):
    rules = ["--rules", "victory_points=4", "offers_per_turn=0"]
    words = ["generate", "base", "--agents", "weighted", "--games", "2", "--workers", "1", "--out", str(tmp_path)]
    assert cli.main([*words, *rules]) == 0
    assert cli.main(["analyse", str(tmp_path), "--workers", "1"]) == 0
    assert "2 games, by player" in capsys.readouterr().out


def test_folders_hold_logs_and_games_of_other_programs_need_an_import(log, tmp_path, capsys):
    with pytest.raises(OptionError, match="neither a dataset .* nor replay logs"):
        report.logs_in([tmp_path])
    for name in ("b.replay.json", "a.replay.json"):
        (tmp_path / name).write_text(json.dumps(log))
    assert report.logs_in([tmp_path]) == [(str(tmp_path / f"{name}.replay.json"), -1) for name in "ab"]
    (tmp_path / "game.soclog").write_text("SOC game event log:")
    assert cli.main(["analyse", str(tmp_path / "game.soclog")]) != 0
    assert "catan import" in capsys.readouterr().err


def test_charts_of_pages_must_fit_the_game(log):
    with pytest.raises(OptionError, match=r"Chart 'x' has shape \(2, 2\)"):
        catan_env.render.replay_page(log, charts={"x": np.zeros((2, 2))})


def test_games_without_a_network_use_the_evaluation_of_greedy():
    from catan_training.analysis.forecast import TermForecast

    log = play(["random", "greedy", "greedy"], "frenemies", 3, 2, RULES)
    analysis = analyse(log)
    assert isinstance(forecast_for(catan_env.replay(log)), TermForecast) and analysis.forecast == "greedy's evaluation"
    np.testing.assert_allclose(analysis.chances[:-1].sum(axis=1), 1.0)
    assert set(analysis.luck) >= {"dice"} and abs(analysis.luck["dice"]).sum() > 0
    assert analysis.cost[0] > analysis.cost[1:].max()
