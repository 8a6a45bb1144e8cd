"""Composed declarations: errors for unlisted kinds and wrong parameters, bitset fields, and derived fields."""

import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.compose import Composition
from catan_env.engine.declare import ACTION_RESOLVED, Axis, Bitset, Field, Kind, Number, Size, when
from catan_env.errors import SnapshotError
from tests.coin_toy import module, refused, toy

STAMPS = Axis("stamps")
RED_STAMP = Kind("red_stamp", STAMPS)


def test_a_price_in_kinds_that_no_module_lists_is_refused():
    cost = Number("album_cost", (1, 2), "price of an album", over=STAMPS)
    refused(toy(module("albums", NUMBERS=(cost,), KINDS=(RED_STAMP,))), "'album_cost' has 1 values", "are red_stamp")
    refused(toy(module("albums", NUMBERS=(cost,))), "'album_cost' has 2 values", "KINDS", "coins are nothing")


@when(ACTION_RESOLVED)
def three_parameters(game, params, player):
    pass


def test_a_function_that_does_not_take_what_it_is_given_is_refused():
    refused(
        toy(module("clerk", three_parameters=three_parameters)),
        "clerk.three_parameters takes (game, params, player), but @when passes (game, params, player, where)",
    )


@pytest.mark.parametrize("length, words", [(1, 1), (32, 1), (33, 2), (149, 5)])
def test_a_field_over_blocks_has_a_bit_for_each_entry(length, words):
    shelves = Size("shelves")
    open_shelves = Field("open_shelves", (Bitset("shelf_blocks", shelves),), "u4", 0, 2**32 - 1, "")
    modules = (*toy().modules, module("library", FIELDS=(open_shelves,)))
    composition = Composition("library_v0", modules, {"players": 2, "shelves": length})
    assert composition.record_dtype["open_shelves"].shape == (words,)


def test_layouts_do_not_depend_on_derived_fields_but_snapshots_do():
    total = Field("total", (), "i1", 0, 9, "", derived=True)
    bare, kept = BatchEngine(toy()), BatchEngine(toy(module("totals", FIELDS=(total,))))
    assert "total" in kept.state.dtype.names and kept.layout_hash == bare.layout_hash
    with pytest.raises(SnapshotError):
        bare.load(kept.save())
    with pytest.raises(SnapshotError):
        kept.load(bare.save())
    kept.load(kept.save())


def test_a_scenario_fits_on_a_line():
    text = repr(catan_env.find_scenario("base"))
    assert text == "Scenario('base', version=2, 2 or 3 or 4 players, 16 rule modules)"
    assert all(len(repr(catan_env.find_scenario(name))) < 120 for name in catan_env.scenarios())
