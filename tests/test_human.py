"""A person at the terminal: lists, words, one-line trades, undo, and saved logs."""

import json
import re

import numpy as np
import pytest

from catan_agents.human import GameLeft, HumanAgent, listed
from catan_env.engine.batch import BatchEngine
from catan_env.errors import CatanError
from catan_env.testing.positions import position
from catan_training import cli

GAME = np.zeros(1, np.int64)


class Person:
    """A scripted person who gives prepared answers and records the shown text."""

    def __init__(self, *answers):
        self.answers, self.shown = list(answers), []
        self.agent = HumanAgent(self.ask, self.shown.append)

    def ask(self, prompt):
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    def play(self, engine, decisions):
        """Let the person decide, and return descriptions of the actions."""
        sentences = []
        for _ in range(decisions):
            action = int(self.agent.act(engine, GAME)[0])
            sentences.append(engine.describe(0, action))
            engine.step(np.array([action]))
        return sentences

    @property
    def text(self):
        return "\n".join(self.shown)


def game(**options):
    return BatchEngine("base", 1, 2, seed=1, record=True, compiled=False, **options)


def test_a_person_is_asked_until_the_answer_fits():
    engine, person = game(), Person("", "nine", "99", "2", "1")
    legal = np.flatnonzero(engine.action_mask[0])
    second = engine.describe(0, int(legal[1]))
    assert person.play(engine, 1) == [second]
    assert (
        second.removeprefix("build a settlement on ") in person.text
        and "'99' is not a number from 1 to 54." in person.shown
    )
    assert "Nothing fits 'nine'" in person.text
    with pytest.raises(CatanError, match="Run the game in a terminal"):
        Person().play(game(), 1)
    with pytest.raises(GameLeft, match="You have left the game"):
        Person("quit").play(game(), 1)


def test_words_choose_a_place_and_the_map_uses_the_same_words():
    engine, person = game(), Person("desert", "1", "1")
    assert "desert" in person.play(engine, 1)[0]
    board = person.shown[0]
    terrains = {word for line in person.text.splitlines() if line[:4].strip().isdigit() for word in line.split()}
    for terrain in ("hills", "mountains", "forest", "pasture", "fields"):
        assert terrain in board and terrain in " ".join(terrains)


def test_undo_takes_back_until_another_seat_speaks():
    engine, person = game(), Person("1", "undo", "undo", "3", "1")
    third = engine.describe(0, int(np.flatnonzero(engine.action_mask[0])[2]))
    settlement, road = person.play(engine, 2)
    assert settlement == third and "road" in road and engine.seat_to_act[0] == 1
    assert "Your last action is undone." in person.shown and "Nothing can be undone" in person.text


def test_it_shows_what_others_did_since():
    engine, person = game(), Person("1", "1", "news", "help", "1", "1", "1")
    person.play(engine, 2)
    seat = int(engine.seat_to_act[0])
    for _ in range(4):
        if engine.seat_to_act[0] == seat:
            engine.step(np.array([engine.action_mask[0].argmax()]))
    person.play(engine, 1)
    news = [text for text in person.shown if text.startswith("Since your last move:")]
    assert len(news) == 2 and f"Seat {seat}: build a settlement" in news[0] and "undo" in person.text


def market():
    """Return an engine in which seat 0 is on turn with 6 wool and 1 ore, and seat 1 has 3 grain."""
    hands = position("base", 2, {}).on_turn(0).hand(0, wool=6, ore=1).hand(1, grain=3)
    return hands.game().engine


def test_the_bank_takes_a_trade_in_one_line():
    person = Person("bank 3 wool for 1 lumber", "4 wool for 1 lumber", "undo", "4 wool for 1 brick", "end the turn")
    engine = market()
    assert person.play(engine, 1) == ["trade wool for 1 brick with the bank"]
    assert "The bank does not take this trade" in person.text and "trade 4 wool for 1 lumber" in person.text
    assert engine.state["hands"][0, 0, 2] == 2


def test_an_offer_is_one_line():
    person = Person("2 wool for 1 gold", "9 wool for 1 grain", "offer 2 wool and 1 ore for 2 grain")
    engine = market()
    actions = person.play(engine, 7)
    assert actions == ["make a trade offer", *["offer 1 wool"] * 2, "offer 1 ore", *["ask for 1 grain"] * 2,
                       "submit the offer"]  # fmt: skip
    assert engine.decision(0) == "answer_offer" and engine.seat_to_act[0] == 1
    assert "There is no 'gold'" in person.text and "'offer 1 wool' is not possible" in person.text


def test_moves_are_grouped_in_a_persons_order():
    person = Person("quit")
    engine = position("base", 2, {}).on_turn(0).hand(0, lumber=4, brick=4, wool=4, grain=4, ore=4).game().engine
    with pytest.raises(GameLeft):
        person.play(engine, 1)
    lines = [line.split(None, 1)[1] for line in person.shown[-1].splitlines()]
    assert any(line.startswith("trade with the bank (20)") for line in lines) and lines[-1] == "end the turn"


def test_lists_use_columns():
    assert listed(["a", "b"]) == "   1  a\n   2  b"
    first, *lines = listed([f"go to place {number}" for number in range(1, 31)]).splitlines()
    assert first == "go to place ..." and len(lines) == 8 and lines[0].split()[:4] == ["1", "1", "9", "9"]


def test_watch_keeps_the_log_when_the_person_leaves_ends_or_interrupts(tmp_path, monkeypatch, capsys):
    answers = iter(["1", "1", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    monkeypatch.setattr(HumanAgent.__init__, "__defaults__", (input, print, 0))
    command = ["watch", "--scenario", "base", "--agents", "human", "random", "--players", "3", "--no-open", "--out"]
    assert cli.main([*command, str(tmp_path / "left.html")]) == 0
    assert "You have left the game." in capsys.readouterr().out
    log = json.loads((tmp_path / "left.json").read_text())
    assert sum(move[0] == "build_settlement" for move in log["moves"]) >= 1 and (tmp_path / "left.html").exists()
    assert log["players"] == ["human", "random", "random"]  # the last agent takes the remaining seats

    monkeypatch.setattr(HumanAgent.__init__, "__defaults__", (lambda prompt: "1", print, 0))
    assert cli.main([*command, str(tmp_path / "ended.html"), "--rules", "victory_points=3", "offers_per_turn=0"]) == 0
    assert re.search(r"The game was won by seat \d \((human|random)\) after \d+ turns\.", capsys.readouterr().out)

    def interrupt(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr(HumanAgent.__init__, "__defaults__", (interrupt, print, 0))
    assert cli.main([*command, str(tmp_path / "stopped.html")]) == 130
    assert json.loads((tmp_path / "stopped.json").read_text())["moves"]
