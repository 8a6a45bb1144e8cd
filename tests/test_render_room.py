"""Room in pictures: signs, icons of hidden counts, panels and tables fit, whatever fields and kinds a game has."""

import types
from dataclasses import replace

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.declare import OWNER, PLAYERS, Axis, Count, Field, Kind, redeals, set_up
from catan_env.games.vocabulary import COAST, HAND_CARDS
from catan_env.render import draw, drawing, replay_page
from catan_env.render.view import Reading
from catan_env.testing.drawings import overflows
from catan_env.testing.extents import extents

pytestmark = [
    pytest.mark.core,
    pytest.mark.skipif(not DISABLE_JIT, reason="pictures do not depend on compiling"),
]


def variant(name, **declarations):
    """Return the base game with one more rule module."""
    base = catan_env.find_scenario("base")
    return replace(base, name=name, modules=(*base.modules, types.SimpleNamespace(__name__=name, **declarations)))


def faults(engine):
    """Return the messages about overflowing drawings that `catan check` would report."""
    return [fault.message for fault in overflows(engine, 0)]


# -- signs -------------------------------------------------------------------------------------------------

FISH = Field("fish", (COAST,), "i1", 0, 9, "fish at the coast", show=Count())


@set_up
def lay_fish(game, params):
    for place in range(COAST):
        game.fish[place] = 4


def fishing(name, field=FISH):
    return BatchEngine(variant(name, FIELDS=(field,), lay_fish=lay_fish))


def test_a_drawing_in_the_layer_of_signs_replaces_the_default_sign(monkeypatch):
    monkeypatch.setattr(drawing, "BOARD", list(drawing.BOARD))
    monkeypatch.setattr("catan_env.render.board.BOARD", drawing.BOARD)
    drawn = drawing.draws("fish", layer=drawing.ICONS)
    drawn(lambda game: {"shoal": catan_env.render.layout.Part(9, 9, "<text>a shoal</text>")})
    assert "a shoal" in draw(fishing("fishing_drawn")).svg


def test_signs_of_neighbors_on_the_coast_do_not_overlap():
    engine = fishing("fishing")
    layout = Reading(engine, [0]).layout
    spots = np.array(layout.shore)
    distances = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) + np.eye(len(spots)) * 1e3
    ((_, left, right), *_) = extents(catan_env.render.board._sign(FISH, 4, 4)[1])
    assert distances.min() > (right - left) * layout.unit / 100
    harbors = np.array(layout.coast)
    assert np.hypot(*(spots - harbors).T).min() > 45 * layout.unit / 100  # half a harbor plus half a sign
    assert draw(engine).svg.count(">4</text>") >= len(spots)


# -- icons -------------------------------------------------------------------------------------------------

TOKENS = Axis("tokens")
PERCH, TROUT = Kind("perch", TOKENS), Kind("trout", TOKENS)
HELD = Field("tokens", (PLAYERS, TOKENS), "i1", 0, 9, "tokens in hand", visible=OWNER, show=Count(), total=True)
FRESH = replace(HELD, name="new_tokens", meaning="new tokens in hand")


@set_up
def deal_tokens(game, params):
    for player in range(PLAYERS):
        game.tokens[player, PERCH] = 2
        game.tokens[player, TROUT] = 5


@redeals("tokens", "new_tokens")
def redeal_tokens(game, params, seat, pool):
    pass


def test_an_icon_of_a_hidden_kind_comes_once_and_hides_its_count(monkeypatch):
    monkeypatch.setattr(drawing, "PIECES", dict(drawing.PIECES))
    for module in ("view", "panel", "legend"):
        monkeypatch.setattr(f"catan_env.render.{module}.PIECES", drawing.PIECES)
    drawing.piece("perch", lambda paint: f'<circle r="4" class="perch" fill="{paint.fill}"/>')
    declared = {"KINDS": (PERCH, TROUT), "FIELDS": (FRESH, HELD)}
    scenario = variant("tokens", deal_tokens=deal_tokens, redeal_tokens=redeal_tokens, **declared)
    monkeypatch.setitem(catan_env.engine.registry._scenarios, "tokens", scenario)
    engine = BatchEngine(scenario, record=True)
    for viewer, hidden in ((None, 0), (0, 3)):
        svg = draw(engine, viewer=viewer).svg
        assert svg.count('class="perch"') == 4 and svg.count(">?</text>") == hidden
        assert svg.count(">5 trout</text>") == 4 - hidden and "2 perch" not in svg
    engine.step(engine.action_mask.argmax(axis=1))
    assert replay_page(engine.replay_log(0)).count('class=\\"perch') <= 4


# -- room --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", sorted(catan_env.scenarios()))
def test_panels_have_room_for_hidden_hands_and_gains(scenario):
    engine = BatchEngine(scenario)
    assert faults(engine) == []
    state = engine.state
    if "income" in state.dtype.names:
        state["hands"][:, :, :2] = 12
        state["income"][:, :, ::2] = 11
        assert faults(engine) == []


@pytest.mark.parametrize("count", [1, 4])
def test_panels_and_the_bank_have_room_for_more_kinds_of_cards(count):
    kinds = tuple(Kind(f"stone_{k}", HAND_CARDS) for k in range(count))
    engine = BatchEngine(variant(f"stones_{count}", KINDS=kinds))
    state = engine.state
    state["hands"][:] = 9
    state["income"][:] = 1
    assert faults(engine) == []


def test_a_panel_that_draws_over_its_edge_is_found(monkeypatch):
    monkeypatch.setattr(drawing, "ROWS", list(drawing.ROWS))
    monkeypatch.setattr("catan_env.render.panel.ROWS", drawing.ROWS)
    monkeypatch.setattr("catan_env.render.view.ROWS", drawing.ROWS)
    wide = drawing.lays_out("hands", height=9)
    wide(
        lambda items, seat, x, y, zoom: {
            f"wide {seat}": catan_env.render.layout.Part(x, y, "<text font-size='9'>" + "wide " * 30 + "</text>")
        }
    )
    assert any(
        "part 'wide 0' reaches over the edge of the panel of seat 0" in message
        for message in faults(BatchEngine(variant("wide")))
    )
