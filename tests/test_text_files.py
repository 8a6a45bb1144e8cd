"""Files from people and other programs: the project reads them, or names the file, the line and the remedy.

The tests vary encodings, suffixes and sizes, and damage files.
"""

import os
from pathlib import Path

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.board import load_map
from catan_env.errors import BoardError, CatanError, OptionError, UnknownScenarioError
from catan_env.text_files import json_of, read_json, read_toml, toml_of
from catan_training.cli.options import key_value
from tests.damaged_files import DAMAGE, KINDS, games_table, grid_map, layout, outcome, scenario

pytest.importorskip("torch")
pytest.importorskip("polars")


def name_of(value):
    return value.__name__


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_damaged_files_of_every_kind_are_refused_with_an_error_of_the_project(kind, tmp_path):
    path, read = kind(tmp_path)
    good, rng = path.read_bytes(), np.random.default_rng(1)
    assert outcome(read) == "read"
    for damage in DAMAGE * 2:
        path.write_bytes(damage(good, rng))
        assert outcome(read) in ("read", "refused"), damage.__name__
    path.write_bytes(b"\xc0" + good)
    assert outcome(read) == "refused"
    path.write_bytes(good[: len(good) // 2])
    assert outcome(read) in ("read", "refused")
    path.unlink()
    if kind.__name__ not in ("games_table", "seats_table", "value_settings", "tuning", "journal"):  # may be absent
        assert outcome(read) == "refused"


TEXTS = [kind for kind in KINDS if kind.__name__ not in ("value_network", "network", "run_state")]
TEXTS = [kind for kind in TEXTS if not kind.__name__.endswith("table") and "journal" not in kind.__name__]


@pytest.mark.parametrize("kind", TEXTS, ids=name_of)
def test_files_with_a_byte_order_mark_and_windows_lines_are_read(kind, tmp_path):
    path, read = kind(tmp_path)
    text = path.read_text("utf-8").replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert outcome(read) == "read"
    path.write_bytes(text.encode("utf-16"))
    with pytest.raises(CatanError, match=r"UTF-16.*UTF-8"):
        read()


@pytest.mark.parametrize("kind", [grid_map, layout, scenario], ids=name_of)
def test_endings_may_be_in_capitals(kind, tmp_path):
    path, _ = kind(tmp_path)
    moved = path.rename(path.with_suffix(path.suffix.upper()))
    if kind is scenario:
        assert catan_env.find_scenario(str(moved)).name == "short_game"
        assert catan_env.find_scenario(f"{moved}+card_counting").name.startswith("short_game")
    else:
        BatchEngine("base", 1, 4, board=str(moved))
        assert catan_env.find_scenario("base").laid(moved, 4)


def test_a_file_with_another_ending_is_named(tmp_path):
    path = tmp_path / "island.yaml"
    path.write_text("rows: []\n")
    for board in (path, str(path)):
        with pytest.raises(BoardError, match=r"\.toml or \.json"):
            BatchEngine("base", board=board)
    with pytest.raises(BoardError, match=r"There is a file .*island\.yaml.*end in \.toml or \.json"):
        BatchEngine("base", board=str(path))
    with pytest.raises(BoardError, match=r"There is a file .*island\.yaml"):
        load_map(str(path))
    with pytest.raises(UnknownScenarioError, match=r"There is a file .*island\.yaml.*end in \.toml"):
        catan_env.find_scenario(str(path))
    with pytest.raises(UnknownScenarioError, match=r"Unknown scenario .*none\.yaml"):
        catan_env.find_scenario(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "more than 32 levels deep"),
        ('{"a":' * 100_000, "more than 32 levels deep"),
        ("[" * 40 + "]" * 40, "more than 32 levels deep"),
        ('{\n "a": ' + "7" * 400 + "}", "line 2: an integer of 400 digits"),
        ('{"a": ' + "7" * 5000 + "}", "line 1: an integer of 5000 digits"),
        ('{"a": 18446744073709551616}', "an integer of 20 digits"),
        ('{"a": 1,\n\n "b" 2}', "line 3, column 6: this is not JSON: Expecting ':' delimiter"),
        ("[1]", r"a log must be a table of keys and values; this is \[1\]"),
    ],
)
def test_json_that_no_file_of_the_project_holds(text, message):
    with pytest.raises(OptionError, match=rf"^log\.json.*{message}"):
        json_of(text, "log.json", "log", OptionError)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a." * 20_000 + "b = 1", "line 1: a key has 32 dots or more"),
        ("x = 1\n[" + '"a".' * 20_000 + "b]", "line 2: a key has 32 dots or more"),
        ("a = " + "[" * 100_000, "more than 32 levels deep"),
        ("b = 1\na = " + "7" * 400, "line 2: an integer of 400 digits"),
        ("b = 1\na = " + "7" * 5000, "line 2: an integer of 5000 digits"),
        ("b = 1\na = \n", "line 2: this is not TOML: Invalid value"),
        ("b = [", "at its end: this is not TOML"),
    ],
)
def test_toml_that_no_file_of_the_project_holds(text, message):
    with pytest.raises(OptionError, match=rf"^a\.toml.*{message}"):
        toml_of(text, "a.toml", OptionError)


def test_values_of_options_are_read_as_files_are():
    for text in ("[" * 100_000, "7" * 400, "7" * 5000, "{" + "a." * 20_000 + "b = 1}"):
        assert key_value(f"rule={text}") == ("rule", text)
    assert key_value("rule=[1, 2]") == ("rule", [1, 2])


def test_numbers_with_dots_in_one_line_are_no_long_key():
    row = ", ".join(f"{k}.5" for k in range(500))
    assert len(toml_of(f"a = [{row}]\nb = '{'word. ' * 100}'", "a.toml", OptionError)["a"]) == 500


def test_the_line_of_a_byte_that_is_no_utf_8(tmp_path):
    path = tmp_path / "log.json"
    path.write_bytes(b'{"a": 1,\n "b": "\xc0"}')
    with pytest.raises(OptionError, match=r"log\.json, line 2: byte 0xc0 is not UTF-8\. Save the file again"):
        read_json(path, "log", OptionError)


def test_what_is_no_ordinary_file(tmp_path):
    with pytest.raises(OptionError, match="is a folder"):
        read_toml(tmp_path, "file of settings", OptionError)
    with pytest.raises(OptionError, match="There is no file of settings at .*none.toml"):
        read_toml(tmp_path / "none.toml", "file of settings", OptionError)
    with pytest.raises(OptionError, match="not a valid path of a file"):
        read_toml("a\0.toml", "file of settings", OptionError)
    if Path("/dev/zero").exists():
        with pytest.raises(OptionError, match="device or pipe"):
            read_toml("/dev/zero", "file of settings", OptionError)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        with pytest.raises(BoardError, match="device or pipe"):
            BatchEngine("base", board=tmp_path / "pipe.json")


def test_files_that_are_too_large_are_refused_unread(tmp_path):
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(2**23)
    with pytest.raises(OptionError, match=r"8,388,608 bytes; the limit is 4,194,304"):
        read_toml(path, "file of settings", OptionError)


def test_a_changed_table_of_a_study_is_noticed(tmp_path):
    path, read = games_table(tmp_path)
    games, seats = read()
    games.with_columns(condition=games["condition"] + 1).write_parquet(path)
    with pytest.raises(CatanError, match=r"games\.parquet has changed since it was written. Remove it"):
        read()
    path.unlink()
    assert read()[0].equals(games) and read()[1].equals(seats)
