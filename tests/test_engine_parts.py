"""An edit of one rule compiles only what the edit reaches."""

import numba
import pytest

from catan_env import BatchEngine
from catan_env.engine.declare import ACTION_RESOLVED, when
from tests.coin_toy import module, toy
from tests.strategies import PLAIN_PYTHON, play_on

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="Python keeps no compiled code")


def one_more(number):
    return number + 1


def two_more(number):
    return number + 2


@when(ACTION_RESOLVED)
def add_one(game, params, player, where):
    game.coins[0] = one_more(game.coins[0])


@when(ACTION_RESOLVED)
def add_two(game, params, player, where):
    game.coins[0] = two_more(game.coins[0])


class Process:
    """Compiles variants of the toy as processes with one cache folder would, and notes which rules they compile."""

    def __init__(self, monkeypatch, folder):
        from catan_env.engine.compiler import parts

        self.folder, self.parts, self.compiled = folder, parts, []
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
        save = parts.PartFile.save

        def save_and_note(file):
            self.compiled += sorted(file.used[key].description.qualname for key in file.compiled)
            save(file)

        monkeypatch.setattr(parts.PartFile, "save", save_and_note)

    def play(self, reaction):
        """Return the records after twenty actions with this reaction, and the names of all compiled rules."""
        self.compiled, self.parts.PARTS, self.parts.LIBRARIES = [], {}, {}
        engine = BatchEngine(toy(module("charity", gain=reaction)), 4, seed=1)
        return play_on(engine, 20).state.copy(), self.compiled


@pytest.fixture
def process(monkeypatch, tmp_path):
    return Process(monkeypatch, tmp_path)


def test_an_edit_compiles_the_rule_and_its_callers(process):
    before, all_rules = process.play(add_one)
    after, edited_rules = process.play(add_two)
    assert {"add_two", "two_more", "announce_action_resolved"} <= set(edited_rules)
    assert not {"fair", "begin", "sides", "head", "below"} & set(edited_rules)
    assert len(edited_rules) < len(all_rules) / 2
    assert (before != after).any()
    for reaction in (add_one, add_two):
        assert process.play(reaction)[1] == [], "the cache on disk holds the whole program"


def test_what_is_linked_from_saved_parts_plays_as_if_compiled_whole(process, monkeypatch, tmp_path):
    process.play(add_one)
    linked = process.play(add_two)[0]
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "empty"))
    whole, compiled = process.play(add_two)
    assert "fair" in compiled and (linked == whole).all()


def test_a_damaged_file_is_as_good_as_none(process):
    rules = process.play(add_one)[1]
    for path in process.folder.rglob("*.parts"):
        path.write_bytes(path.read_bytes()[:-100] + bytes(100))
    for path in process.folder.rglob("*.nb?"):
        path.unlink()
    assert process.play(add_one)[1] == rules
