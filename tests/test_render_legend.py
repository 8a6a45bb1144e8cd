"""The legend in every scenario, the dice, and the label of the seat that plays next."""

from xml.etree import ElementTree

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.games.base.drawing_panel import PIPS, die
from catan_env.render import draw, replay_page, text_of
from catan_env.render.drawing import TURN_MARKS
from catan_env.render.legend import legend
from catan_env.render.view import Reading
from catan_env.testing.extents import extents

pytestmark = pytest.mark.core


def entries(name):
    return legend(Reading(BatchEngine(name, compiled=False), [0]).layout)


@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_every_symbol_fits_its_box_and_has_words(scenario):
    found = entries(scenario)
    assert len(found) > 1 and len({words for _, words in found}) == len(found)
    for symbol, words in found:
        assert words and ElementTree.fromstring(symbol).get("viewBox") == "-50 -50 100 100"
        inner = symbol.partition(">")[2].rpartition("</svg>")[0]
        for _, left, right in extents(inner, 11):
            assert left >= -52 and right <= 52, words


def test_cities_and_knights_names_knights_cards_and_tracks():
    words = " ".join(words for _, words in entries("cities_and_knights"))
    for name in ("strength 3", "golden rim", "paper", "cloth", "coin", "progress card", "metropolis", "event die"):
        assert name in words
    assert "knight" not in " ".join(words for _, words in entries("base"))
    picture = draw(BatchEngine("cities_and_knights", compiled=False)).svg
    assert ">pa<" not in picture and ">cl<" not in picture


def test_the_seat_that_plays_next_has_no_golden_label():
    engine = BatchEngine("base", seed=1, record=True, compiled=False)
    picture = draw(engine).svg
    assert f">{TURN_MARKS['next_player']}<" in picture and "Next Player" not in picture
    assert TURN_MARKS["next_player"] in text_of(engine)
    page = replay_page(engine.replay_log())
    assert "takes the next turn" in page and "brings lumber" in page


def test_two_dice_show_the_sum():
    assert [die(value).count("<circle") for value in range(1, 7)] == [1, 2, 3, 4, 5, 6] == list(map(len, PIPS))
    engine = BatchEngine("base", 8, seed=1, compiled=False)
    rng = np.random.default_rng(0)
    while not engine.state["dice"].all():
        engine.step(np.argmax(engine.action_mask * rng.random(engine.action_mask.shape), axis=1))
    for game, total in enumerate(engine.state["dice"].tolist()):
        svg = draw(engine, game).svg
        assert svg.count('r="2.6"') == total
