"""Registered drawings: fields are drawn or left out for a reason, packages can add drawings, games need no board."""

import types
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from coin_toy import COINS, LEFT, toy

import catan_env
from catan_env import BatchEngine
from catan_env.engine.declare import PLAYERS, Count, Field, set_up
from catan_env.engine.program import program_of
from catan_env.render import draw, drawing, text_of
from catan_env.render.layout import PLACES, WIDTH, Part
from catan_env.render.view import Reading

SCENARIOS = sorted(catan_env.scenarios())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_field_that_is_shown_is_drawn_or_left_out_for_a_reason(scenario):
    declared = Reading(BatchEngine(scenario), [0]).declared
    assert [field.name for field in declared.unshown] == []


def test_what_is_registered_exists():
    compositions = [program_of(scenario).composition for scenario in catan_env.scenarios().values()]
    known = {name for c in compositions for name in (*c.fields, *c.features)}
    known |= {label for c in compositions for field in c.fields.values() for label in field.labels}
    lists = (drawing.BOARD, drawing.TEXT, drawing.HEADS, drawing.ROWS)
    drawn = {name for found in lists for registered in found for name in registered.fields}
    assert drawn | {*drawing.BADGES, *drawing.STACKS, *drawing.PIECES, *drawing.LEFT_OUT} <= known
    assert all(reason for reason in drawing.LEFT_OUT.values())


def test_a_field_has_one_drawing():
    with pytest.raises(ValueError, match="settlements_left"):
        drawing.piece("settlements_left", str)
    with pytest.raises(ValueError, match="frame"):
        drawing.leaves_out("frame", because="a duplicate")


@set_up
def lay_grid(game, params):
    game.grid[0, 0, 3] = 7


GRID = Field("grid", (PLAYERS, 2, 9), "i1", 0, 9, "a sheet", show=Count())
SHEET = types.SimpleNamespace(__name__="sheet", FIELDS=(GRID,), lay_grid=lay_grid)


def test_a_field_nobody_draws_is_found_and_may_be_drawn_from_outside(monkeypatch):
    base = catan_env.find_scenario("base")
    with_sheet = replace(base, name="with_sheet", modules=(*base.modules, SHEET))
    assert [field.name for field in Reading(BatchEngine(with_sheet), [0]).declared.unshown] == ["grid"]
    monkeypatch.setattr(drawing, "BOARD", list(drawing.BOARD))
    monkeypatch.setattr("catan_env.render.board.BOARD", drawing.BOARD)

    @drawing.draws("grid", layer=drawing.FIGURES)
    def sheet(game):
        x, y = game.layout.hexes[0]
        return {"grid": Part(x, y, f"<text>sheet of {game.values('grid')[0][0][3]}</text>")}

    again = replace(with_sheet, name="with_drawn_sheet")
    engine = BatchEngine(again)
    assert Reading(engine, [0]).declared.unshown == []
    assert "sheet of 7" in draw(engine).svg


def test_a_game_without_a_board_is_drawn_and_written():
    shown = (replace(COINS, show=Count()), replace(LEFT, show=Count()))
    engine = BatchEngine(toy(name="coins_shown", FIELDS=shown), 1, 2, seed=1, record=True)
    sizes = set()
    for _ in range(4):
        for viewer in (None, 0, 1):
            picture = draw(engine, viewer=viewer, places=True, probabilities=engine.action_mask[0] / 2)
            said = "|".join(
                e.text for e in ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text")
            )
            assert "Seat 0" in said and "Seat 1" in said and "bet on" in said
            assert f"left |{engine.state['left'][0]}" in said.replace("left|", "left |")
            sizes.add((picture.width, picture.height))
        assert f"left {engine.state['left'][0]}" in text_of(engine)
        engine.step(engine.action_mask[:1].argmax(axis=1))
    assert len(sizes) == 1 and next(iter(sizes))[0] == WIDTH
    layout = Reading(engine, [0]).layout
    assert layout.panel_x(0) + layout.panel_width < layout.panel_x(1) < WIDTH - layout.panel_width
    assert layout.strip_y > layout.panels_bottom and PLACES
