"""Games as text: observations, actions in words, a page of rules, and games played from text alone."""

import json
import re
from zlib import crc32

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.errors import GameOverError, IllegalActionError, NotStartedError, OptionError
from catan_env.text import TextEnv, legal_actions, observation_json, observation_text, parse_action, prompt, rules_text

SIX = ("base", "two_player", "dice_game", "cities_and_knights", "seafarers_new_shores", "helpers")


def played(scenario="base", steps=120, players=None, seed=1):
    engine, rng = BatchEngine(scenario, 1, players, seed=seed), np.random.default_rng(0)
    for _ in range(steps):
        engine.step(np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1))
    return engine


def test_an_observation_says_what_the_seat_has_and_only_sums_of_others():
    engine = played()
    seat = int(engine.seat_to_act[0])
    seen = json.loads(json.dumps(observation_json(engine)))
    hands = engine.state["hands"][0]
    assert seen["seat"] == seat
    own = seen.get("hands", {}).get("me", {})
    assert sum(own.values()) == hands[seat].sum()
    for k in range(1, 4):
        other = seen["hands"].get(f"left_{k}", {})
        assert set(other) <= {"total"} and other.get("total", 0) == hands[(seat + k) % 4].sum()
    hexes = [name for places in seen["terrain"].values() for name in places]
    assert sorted(hexes) == sorted(engine.place_names(0)["hexes"])


def test_hidden_cards_do_not_change_the_text():
    engine = played(steps=300, seed=3)
    seat = int(engine.seat_to_act[0])
    worlds = engine.determinise(seats=seat, count=4, seed=5)
    assert any((world["hands"] != engine.state["hands"][0]).any() for world in worlds)
    twin = engine.clone([0, 0, 0, 0])
    twin.state[:] = worlds
    twin.refresh()
    assert len({prompt(twin, k) for k in range(4)} | {prompt(engine)}) == 1


def test_the_text_has_a_line_for_every_thing():
    text = observation_text(played())
    assert re.search(r"^hands me: \d \w+", text, re.MULTILINE) and re.search(r"^terrain desert: ", text, re.MULTILINE)
    assert "{" not in text and len(text) < 6000


def test_actions_are_read_back_from_ids_and_sentences():
    engine = played()
    for action in legal_actions(engine):
        assert engine.action_mask[0, action["id"]]
        assert parse_action(engine, 0, f"I think 99999 is bad.\nAnswer: {action['id']}") == action["id"]
        assert parse_action(engine, 0, action["text"].upper() + ".") == action["id"]
    illegal = int(np.flatnonzero(~engine.action_mask[0])[0])
    for reply in ("", "no idea", str(illegal), "9" * 30):
        with pytest.raises(IllegalActionError, match="names no legal action"):
            parse_action(engine, 0, reply)


@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_rules_fit_on_a_page(scenario):
    page = rules_text(scenario)
    words_and_signs = re.findall(r"\w+|[^\w\s]", page)
    assert len(page) / 3.5 <= 3000 and len(words_and_signs) <= 3000
    assert page.startswith("# ") and page.count("\n- ") >= 15


def test_rules_name_goal_and_prices():
    page = rules_text("base", 3)
    assert "Victory points to win: 10." in page and "Price of a city: 2 grain, 3 ore." in page and "3 players" in page


def reader(text):
    """Reply like a language model that chooses among the legal actions listed in the text."""
    ids = re.findall(r"^(\d+): ", text.split("Legal actions:\n")[1], re.MULTILINE)
    return f"Let me think about turn 12. I choose {ids[crc32(text.encode()) % len(ids)]}"


@pytest.mark.parametrize("scenario", SIX)
def test_a_reader_plays_from_text_alone(scenario):
    """Play a whole base game, but only 40 decisions in other scenarios, which take minutes in plain Python."""
    env = TextEnv(scenario, rules={"victory_points": 3} if scenario == "base" else None)
    observation, info = env.reset(seed=4)
    assert observation.startswith("# ") and info["seat"] >= 0
    done, decisions = False, 0
    while not done and decisions < (3000 if scenario == "base" else 40):
        seat, observation = env.get_observation()
        done, info = env.step(reader(observation))
        assert not info["illegal"], info["error"]
        decisions += 1
    rewards, facts = env.close()
    assert env.illegal == [0] * env.engine.num_players
    if scenario == "base":
        assert (
            done and sum(rewards.values()) == 2 - env.engine.num_players and any(fact["won"] for fact in facts.values())
        )
        with pytest.raises(GameOverError):
            env.step("1")


def test_illegal_replies_are_counted_and_asked_again():
    env = TextEnv(tries=2, with_rules=False, form="json")
    with pytest.raises(NotStartedError):
        env.get_observation()
    first, info = env.reset(num_players=3, seed=1)
    assert json.loads(first.split("What you see:\n")[1].split("\n")[0])["seat"] == info["seat"]
    _, info = env.step("build a castle")
    assert info["illegal"] and info["action"] is None and env.get_observation()[1] == first
    _, info = env.step("again")
    assert info["illegal"] and info["action"] is not None and sum(env.illegal) == 2
    with pytest.raises(OptionError, match="must be a text"):
        env.step(3)


def test_textarena_plays_it():
    textarena = pytest.importorskip("textarena")
    textarena.register(
        id="Catan-v0", entry_point="catan_env.text:TextEnv", scenario="base", rules={"victory_points": 3}
    )
    env = textarena.make("Catan-v0")
    env.reset(num_players=3, seed=2)
    for _ in range(5):
        player, observation = env.get_observation()
        done, _ = env.step(action=reader(observation))
    assert player in range(3) and not done and set(env.close()[0]) == {0, 1, 2}
