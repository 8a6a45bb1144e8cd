"""Observations show each field as declared, and only to seats that may see it. All encoders and modes agree."""

import hashlib
import os
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from encoder_toy import HEXES, fields_as_seen, toy, toy_engine
from env_helpers import TABLES

import catan_env
from catan_env import BatchEngine
from catan_env.board.hexgrid import HexGrid
from catan_env.encoders import ENCODERS, encoders_of, layout_of, make_encoder, register_encoder
from catan_env.encoders.planes import grid
from catan_env.encoders.row import blocks
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.compose import Composed, Composition
from catan_env.engine.decision_stack import FIELDS as STACK_FIELDS
from catan_env.engine.declare import HIDDEN, OWNER, PLAYERS, Count, Field, OneHot
from catan_env.errors import CompositionError, OptionError, UnknownEncoderError


def as_seen(encoder, seat, game):
    """Return the columns of one game's uint8 row as a mapping from names to values."""
    return dict(zip(encoder.feature_names, encoder.encode(seat, games=[game])[0].tolist()))


@pytest.mark.core
@pytest.mark.parametrize("players", (2, 3))
def test_every_kind_of_declaration(players):
    engine = toy_engine(players=players)
    encoder = make_encoder(engine, "flat", "uint8")
    for game, seat in product(range(engine.num_games), range(players)):
        purse = engine.state["purse"][game]
        computed = {"rounds": 200 - engine.state["turns"][game], "numbered/low": 0, "numbered/high": 2}
        for k in range(players):
            name = f"left_{k}" if k else "me"
            computed[f"richer/{name}"] = int(purse[(seat + k) % players] > purse[seat])
        computed |= {f"own_land/hex_{k}": k + 3 * seat for k in range(3)}
        assert as_seen(encoder, seat, game) == dict(fields_as_seen(engine, game, seat)) | computed


@pytest.mark.core
def test_a_row_by_hand():
    engine = toy_engine(1)
    state = engine.state[0]
    state["ground"], state["road"], state["tide"], state["leader"], state["era"] = (0, 3, 1), 2, -1, 0, 300
    state["road"][4], state["port"], state["hand"], state["debts"] = 1, -1, ((1, 2), (3, 4), (5, 9)), 120
    seen = as_seen(make_encoder(engine, "flat", "uint8"), 1, 0)

    def show(prefix):
        return [value for name, value in seen.items() if name.startswith(prefix)]

    assert show("ground/") == [0, 0, 1, 0, 0, 0, 0, 1, 0]  # land, sea, gold, three hexes each
    assert show("road/me/") == [int(k == 4) for k in range(15)]
    assert show("road/left_1/") == [int(k != 4) for k in range(15)]
    assert show("road/left_2/") == [0] * 15
    assert sum(show("port/")) == 0
    assert seen["tide"] == 2
    assert show("leader/") == [0, 0, 1]
    assert show("era/") == [0, 1]
    assert show("hand/") == [3, 4, 14, 3]
    assert show("debts/") == [122, 122, 122, 255, 255]
    assert not show("deck") and not show("tally")
    columns = {column.name: column for column in layout_of(engine.program, 3).columns}
    assert columns["stock/fish/hex_2"][1:] == (5, "hexes", 2, "stock/fish")
    assert columns["hand/left_1/total"][1:] == (18, None, 0, "hand/left_1/total")


encode = Composed("encode")


def width(states, all_params, row):
    return encode(states[0], all_params[0], 0, row)


@pytest.mark.core
def test_the_row_ends_where_the_names_end():
    engine = toy_engine(1)
    encoder = make_encoder(engine, "flat")
    row = np.zeros(encoder.size, np.uint8)
    assert engine.program.kernel(width)(engine.batch.records, engine.batch.params, row) == encoder.size


BAD_DECLARATIONS = {
    "do not fit": Field("x", (), "i2", -10, 250, "", show=Count()),
    "first axis must be PLAYERS": Field("x", (HEXES,), "i1", 0, 1, "", visible=OWNER, show=Count()),
    "one label per entry": Field("x", (3,), "i1", 0, 1, "", show=Count(), labels=("a", "b")),
    "two categories with the same name": Field("x", (), "i1", 0, 1, "", show=OneHot(("a", "a"))),
    "more categories than": Field("x", (), "i1", 0, 1, "", show=OneHot(("a", "b"), 127)),
    "cannot have a total": Field("x", (PLAYERS,), "i1", 0, 1, "", visible=OWNER, show=Count(), total=True),
    "allowed: Count": Field("x", (), "i1", 0, 1, "", show="count"),
}


@pytest.mark.core
@pytest.mark.parametrize("message", BAD_DECLARATIONS)
def test_declarations_that_cannot_be_shown_are_refused(message):
    class Module:
        FIELDS = (BAD_DECLARATIONS[message],)

    with pytest.raises(CompositionError, match=message):
        blocks(Composition("bad", [Module], toy().sizes))


# -- arguments ----------------------------------------------------------------------------------------------


@pytest.mark.core
def test_rows_of_games_where_no_seat_is_to_act_are_zero():
    engine = toy_engine(4)
    engine.step(np.array([0, 1, 0, -1]))
    assert engine.seat_to_act.tolist() == [1, -2, 1, 0]
    for name in ENCODERS:
        encoder = make_encoder(engine, name)
        for array in parts_of(encoder.encode()):
            assert not array[1].any()
        everyone = encoder.encode(seat=[1, 2, 1, 0])
        for whole, some in zip(parts_of(everyone), parts_of(encoder.encode())):
            assert (whole[[0, 2, 3]] == some[[0, 2, 3]]).all()
        for whole, some in zip(parts_of(everyone), parts_of(encoder.encode(seat=[0, 1], games=[3, 2]))):
            assert (some == whole[[3, 2]]).all()
        mask = np.array([True, False, False, True])
        for whole, some in zip(parts_of(encoder.encode(2)), parts_of(encoder.encode(2, games=mask))):
            assert (some == whole[mask]).all()


@pytest.mark.core
def test_out_is_reused_and_checked():
    engine = toy_engine(3)
    encoder = make_encoder(engine, "flat")
    out = np.full((3, encoder.size), 7, np.float32)
    assert encoder.encode(out=out) is out
    assert (out == encoder.encode()).all()
    fresh = encoder.encode()
    assert fresh is not encoder.encode()
    locked = out.copy()
    locked.flags.writeable = False
    for bad in (out[:2], out.astype(np.float64), np.asfortranarray(out), locked, out.tolist(), out[:, :-1]):
        with pytest.raises(OptionError):
            encoder.encode(out=bad)
    graph = make_encoder(engine, "graph")
    given = graph.encode(0)
    assert all(array is given[part] for part, array in graph.encode(1, out=given).items())
    with pytest.raises(OptionError):
        graph.encode(out={"hexes": given["hexes"]})
    planes = make_encoder(engine, "planes", "uint8")
    given = planes.encode(0)
    assert planes.encode(1, out=given) is given


@pytest.mark.core
def test_bad_arguments_are_refused():
    engine = toy_engine(2)
    with pytest.raises(UnknownEncoderError, match="'flat'"):
        make_encoder(engine, "flap")
    for name in ENCODERS:
        with pytest.raises(OptionError, match="float32, uint8"):
            make_encoder(engine, name, "float64")
        encoder = make_encoder(engine, name)
        for bad in ({"seat": 3}, {"seat": [0]}, {"seat": 0.5}, {"games": [2]}, {"seat": [0, 1], "games": [0]}):
            with pytest.raises(OptionError):
                encoder.encode(**bad)


@pytest.mark.core
def test_encoders_can_be_registered():
    register_encoder("seat", lambda view: view.seats[:, None])
    try:
        assert toy_engine(2).observe("seat").tolist() == [[0], [0]]
    finally:
        del ENCODERS["seat"]


@pytest.mark.core
def test_threads_change_nothing():
    one, many = toy_engine(7), toy_engine(7, threads=3)
    for name, dtype in product(ENCODERS, ("float32", "uint8")):
        pair = [make_encoder(engine, name, dtype).encode() for engine in (one, many)]
        for a, b in zip(*map(parts_of, pair)):
            assert (a == b).all()


# -- all scenarios ------------------------------------------------------------------------------------------

EVERY_GAME = [("toy", 2), ("toy", 3), *TABLES]
each_game = pytest.mark.parametrize(("scenario", "players"), EVERY_GAME)


def on_map(scenario):
    return scenario == "toy" or catan_env.find_scenario(scenario).board.topology is not None


def parts_of(observation):
    return list(observation.values()) if isinstance(observation, dict) else [observation]


@cache
def played(scenario, players):
    """Return games at various stages. Tests must not change them."""
    if scenario == "toy":
        return toy_engine(8, players)
    engine = BatchEngine(scenario, 8, players, seed=3)
    if not DISABLE_JIT:
        engine.random_rollout(150)
    return engine


@each_game
def test_names_are_unique_and_bounds_hold(scenario, players):
    engine = played(scenario, players)
    whole, scaled = make_encoder(engine, "flat", "uint8"), make_encoder(engine, "flat")
    assert len(set(whole.feature_names)) == whole.size == scaled.size == engine.observe().shape[1]
    for seat in (None, *range(players)):
        numbers, floats = whole.encode(seat), scaled.encode(seat)
        assert (numbers <= whole.layout.high).all()
        assert np.array_equal(numbers * whole.layout.scale, floats)
        assert floats.dtype == np.float32 and floats.max() <= 1
    for name, dtype in product(encoders_of(engine), ("float32", "uint8")):
        encoder = make_encoder(engine, name, dtype)
        observation = encoder.encode(0, games=[2])
        one = {k: v[0] for k, v in observation.items()} if isinstance(observation, dict) else observation[0]
        assert encoder.space.contains(one)


@each_game
def test_fields_are_shown_as_declared(scenario, players):
    engine = played(scenario, players)
    encoder = make_encoder(engine, "flat", "uint8")
    computed = set(engine.program.composition.features)
    for game in range(2):
        seen = as_seen(encoder, game % players, game)
        expected = dict(fields_as_seen(engine, game, game % players))
        assert {name: value for name, value in seen.items() if name.split("/")[0] not in computed} == expected


@pytest.mark.rule("base.resources.2")
@each_game
def test_what_a_seat_cannot_see_is_not_shown(scenario, players):
    engine = played(scenario, players).clone()
    encoder = make_encoder(engine, "flat", "uint8")
    fields = engine.program.composition.fields.values()
    rng, state = np.random.default_rng(1), engine.state
    before = [encoder.encode(seat) for seat in range(players)]
    original = state.copy()
    for seat in range(players):
        others = [k for k in range(players) if k != seat]
        for field in fields:
            values = state[field.name]
            if field.visible == OWNER and field.total:
                rows = values[:, others]
                values[:, others] = rng.permuted(rows.reshape(*rows.shape[:2], -1), axis=2).reshape(rows.shape)
            elif field.visible == OWNER:
                values[:, others] = rng.integers(field.low, field.high + 1, values[:, others].shape)
            elif field.name == "rng":
                values[:] = rng.integers(0, 2**32, values.shape)
            elif field.visible == HIDDEN and values.ndim > 1 and field not in STACK_FIELDS:
                values[:] = rng.permuted(values.reshape(len(values), -1), axis=1).reshape(values.shape)
        assert np.array_equal(encoder.encode(seat), before[seat])
        state[:] = original


@each_game
def test_layouts_do_not_depend_on_the_seed(scenario, players):
    engine = played(scenario, players)
    other = BatchEngine(engine.scenario, 1, players, seed=99)
    for name in encoders_of(engine):
        one, two = make_encoder(engine, name), make_encoder(other, name)
        assert one.hash == two.hash and one.feature_names == two.feature_names and one.space == two.space
        assert one.hash != make_encoder(engine, name, "uint8").hash
    hashes = {layout_of(engine.program, n).hash for n in engine.scenario.players}
    assert len(hashes) == len(engine.scenario.players)


def test_encoders_of_maps_do_not_suit_games_without_one():
    assert encoders_of(toy_engine(1)) == ["flat", "graph", "planes"]
    assert encoders_of(BatchEngine("dice_game", 1, 2)) == ["flat"]


@pytest.mark.parametrize(("scenario", "players"), [g for g in EVERY_GAME if on_map(g[0])])
def test_graph_and_planes_hold_the_flat_row(scenario, players):
    engine = played(scenario, players)
    topology = engine.topology
    flat, graph, planes = (make_encoder(engine, name, "uint8") for name in ("flat", "graph", "planes"))
    row, parts, drawn = flat.encode(1), graph.encode(1), planes.encode(1)
    area = drawn.shape[2] * drawn.shape[3]
    at_places = 0
    for column, values in zip(flat.layout.columns, row.T):
        kind, place = column.place_kind, column.place_index
        if kind in topology.marks:
            kind, place = topology.marks[kind].kind, topology.marks[kind].places[place]
        if kind in planes.cells:
            at_places += values.sum(dtype=np.int64)
            found = parts[kind][:, place, graph.feature_names[kind].index(column.channel)]
            cell = drawn[:, planes.channel_names.index((kind, column.channel)), *planes.cells[kind][place]]
        else:
            found = parts["globals"][:, graph.feature_names["globals"].index(column.name)]
            cell = drawn[:, planes.channel_names.index(("globals", column.name))]
            assert (cell == cell[:, :1, :1]).all()
            cell = cell[:, 0, 0]
        assert (found == values).all() and (cell == values).all()
    # The other encodings contain no further values.
    in_globals = parts["globals"].sum(dtype=np.int64)
    assert sum(parts[kind].sum(dtype=np.int64) for kind in planes.cells) == at_places
    assert drawn.sum(dtype=np.int64) == at_places + area * in_globals
    assert graph.intersection_neighbors.shape == (topology.num_intersections, 3)
    assert parts["paths"].shape[1] == len(graph.path_intersections)


def test_the_grid_of_the_base_board():
    cells, size = grid(HexGrid.of_hexes([(q, r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) < 3]))
    assert size == (11, 21)
    assert cells["hexes"][:, 0].max() == 9 and (cells["hexes"][:, 0] % 2 == 1).all()
    assert (cells["intersections"][:, 0] % 2 == 0).all()


# -- modes --------------------------------------------------------------------------------------------------


def fingerprint(scenario, players, compiled=True):
    """Return a digest of all observations during a few games with random actions."""
    rng = np.random.default_rng(4)
    seen = hashlib.sha256()
    if scenario == "toy":
        engine = toy_engine(3, players, compiled=compiled)
    else:
        engine = BatchEngine(scenario, 2, players, seed=1, compiled=compiled)
    for _ in range(3 if scenario == "toy" else 25):
        for name in encoders_of(engine):
            for array in parts_of(engine.observe(name)):
                seen.update(array.tobytes())
        chances = rng.random(engine.action_mask.shape) * engine.action_mask
        engine.step(np.where(engine.seat_to_act >= 0, chances.argmax(1), -1))
    return seen.hexdigest()


def recompiled():
    """Return the number of encoders that were compiled rather than loaded from the cache."""
    engine = toy_engine(2)
    for name in ENCODERS:
        engine.observe(name)
    kernels = [engine.program.kernel(engine.encoder(name).kernel) for name in ENCODERS]
    return sum(any(kernel.stats.cache_misses.values()) for kernel in kernels)  # one compilation may look there twice


def in_a_new_process(call, **environment):
    here = Path(__file__).parent
    environment |= {"PYTHONPATH": f"{here}{os.pathsep}{here.parent}"}
    done = subprocess.run(
        [sys.executable, "-c", f"import test_encoders; print(test_encoders.{call})"],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(DISABLE_JIT, reason="compares with compiled code")
@each_game
def test_plain_python_sees_the_same(scenario, players):
    assert fingerprint(scenario, players, compiled=False) == fingerprint(scenario, players)


@pytest.mark.slow
@pytest.mark.skipif(DISABLE_JIT, reason="about compiled code")
def test_kernels_are_found_in_the_cache(tmp_path):
    assert in_a_new_process("recompiled()", NUMBA_CACHE_DIR=str(tmp_path)) == "3"
    assert in_a_new_process("recompiled()", NUMBA_CACHE_DIR=str(tmp_path)) == "0"
