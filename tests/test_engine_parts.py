"""Rules compile once: kernels, processes and edited rules share their common parts."""

import os

import numba
import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.binding import packed_dtype
from catan_env.engine.compiler import jit
from catan_env.engine.declare import ACTION_RESOLVED, PLAYERS, Action, Decision, Field, apply, legal, when
from catan_env.engine.scenario import Facts
from tests.coin_toy import TOY, module, scenario
from tests.strategies import play_on

pytestmark = pytest.mark.skipif(not jit.PATCHED, reason="about compiled code and known versions of Numba")
if jit.PATCHED:
    from catan_env.engine.compiler import content, disk_cache, part_files, parts
    from catan_env.engine.compiler.record_bytes import hasher

RULES = """
STEP = 1

def deepest(number):
    return number + STEP

def middle(number):
    return deepest(deepest(number))

def beside(number):
    return number // 2

@when(ACTION_RESOLVED)
def react(game, params, player, where):
    game.coins[0] = (int(middle(game.coins[0])) + beside(game.coins[1])) % 50
"""
EDITS = {
    "a rule deep in the tree": ("number + STEP", "number * 3 + STEP"),
    "a constant": ("STEP = 1", "STEP = 2"),
    "a signature": ("number + STEP", "number + STEP + 0.5"),
    "a default value": ("def deepest(number):\n    return number", "def deepest(number, more=4):\n    return more"),
    "a call": ("deepest(deepest(number))", "deepest(number)"),
}
REACHED = {"deepest", "middle", "react", "announce_action_resolved", "let_chance_act", "play"}
"""The rules that these edits may reach, besides the kernels, which are no parts."""


class Processes:
    """Simulates new processes that play variants of the toy with one cache folder, and records what each compiles."""

    def __init__(self, monkeypatch, folder):
        self.monkeypatch, self.folder, self.compiled = monkeypatch, folder, []
        make_part = parts.make_part

        def make_and_note(symbol, compiled):
            self.compiled.append(compiled.fndesc.qualname)
            return make_part(symbol, compiled)

        monkeypatch.setattr(parts, "make_part", make_and_note)

    def play(self, source=RULES, rollout=False, before=(), players=2, **options):
        """Play four games with these rules, with the modules `before` first, and return their records."""
        self.monkeypatch.setattr(numba.config, "CACHE_DIR", str(self.folder))
        for name, empty in (("PARTS", {}), ("SAVED", set()), ("SYMBOLS", {}), ("OTHERS", set())):
            self.monkeypatch.setattr(parts, name, empty)
        self.compiled.clear()
        namespace = {"__name__": "edited", "when": when, "ACTION_RESOLVED": ACTION_RESOLVED}
        exec(source, namespace)
        modules = [*before, module(**TOY), module("edited", react=namespace["react"])]
        engine = BatchEngine(scenario(*modules, facts=Facts((players,))), 4, seed=1, **options)
        engine.reset()
        if rollout:
            engine.random_rollout(20)
            return engine.state.copy()
        return play_on(engine, 20).state.copy()

    def files(self):
        return list(self.folder.rglob(f"*{part_files.SUFFIX}"))

    def forget_kernels(self):
        for path in self.folder.rglob("*.nb?"):
            path.unlink()


@pytest.fixture
def processes(monkeypatch, tmp_path):
    return Processes(monkeypatch, tmp_path)


def test_an_edit_compiles_only_what_it_reaches(processes):
    original = processes.play()
    assert REACHED | {"beside", "head", "fair"} <= set(processes.compiled)
    for edit, (old, new) in EDITS.items():
        edited = processes.play(RULES.replace(old, new))
        assert {"react"} < set(processes.compiled) <= REACHED, edit
        in_plain_python = processes.play(RULES.replace(old, new), compiled=False)
        assert (edited == in_plain_python).all() and (edited != original).any(), edit


def test_other_kernels_load_the_rules_that_a_step_has_compiled(processes):
    processes.play()
    rolled_out = processes.play(rollout=True)
    assert processes.compiled == [], "the rollout has no rules of its own"
    assert (rolled_out == processes.play(rollout=True, compiled=False)).all()


WAIT, PAUSE = Action("wait", "wait", (), "never"), Decision("pause", "wait")
WIDE = Field("wide", (PLAYERS, 2), "i4", 0, 9, "something before all other fields")


@legal(PAUSE)
def idle(game, params, seat, mask):
    mask[WAIT] = True


@apply(WAIT)
def stay(game, params, seat, argument):
    game.wide[seat, 0] += 1


FURTHER = module("further", FIELDS=(WIDE,), ACTIONS=(WAIT,), idle=idle, stay=stay)


def test_scenarios_share_the_rules_that_they_have_in_common(processes):
    """Scenarios share rules even if they differ in other fields, lengths of axes and codes."""
    processes.play()
    common = {"bet", "fair", "fall", "end", "pay_out", "react", "deepest", "push", "head", "finish"}
    assert common <= set(processes.compiled)
    other = processes.play(before=(FURTHER,), players=3)
    assert {"idle", "stay"} <= set(processes.compiled) and common.isdisjoint(processes.compiled)
    assert (other == processes.play(before=(FURTHER,), players=3, compiled=False)).all()


def test_damaged_and_foreign_files_are_ignored(processes):
    state, files = processes.play(), processes.files()
    whole, file = sorted(processes.compiled), max(files, key=lambda file: file.stat().st_size)
    data = file.read_bytes()
    for damaged in (b"", data[:-1], data[: len(data) // 2], data[:200] + bytes(9) + data[209:], b"no part", data[50:]):
        file.write_bytes(damaged)
        assert part_files.read_part(file.parent, file.stem) is None
    processes.forget_kernels()
    assert (processes.play() == state).all() and 0 < len(processes.compiled) < len(whole)
    assert file.read_bytes() == data, "the same rule makes the same file"
    processes.forget_kernels()
    assert (processes.play() == state).all() and processes.compiled == []
    assert processes.files() == files, "no draft is left"


def test_changed_settings_make_other_parts(processes, monkeypatch):
    processes.play()
    whole = sorted(processes.compiled)
    monkeypatch.setattr(jit, "compiler_settings", lambda: "an edited intrinsic")
    processes.forget_kernels()
    processes.play()
    assert sorted(processes.compiled) == whole


def test_a_missing_part_is_compiled_with_its_callers(processes):
    state, files = processes.play(), processes.files()
    saved = {file.stem: part_files.read_part(file.parent, file.stem) for file in files}
    called = {symbol for part in saved.values() for symbol in part.called}
    part_files.path_of(files[0].parent, min(called)).unlink()
    processes.forget_kernels()
    assert (processes.play() == state).all() and 0 < len(processes.compiled) < len(saved)
    assert {file.stem: part_files.read_part(file.parent, file.stem) for file in processes.files()} == saved


def test_files_of_parts_that_were_not_used_for_longest_are_deleted(tmp_path, monkeypatch):
    """Reading a file counts as use, and saving a file deletes old ones."""
    part = part_files.SavedPart("int64", (), b"bitcode")
    (tmp_path / "other.txt").write_text("not a part")
    for hours, symbol in enumerate(("read", "old")):
        part_files.write_parts(tmp_path, {symbol: part})
        os.utime(tmp_path / f"{symbol}.part", (1e9 + 3600 * hours,) * 2)
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 2 * (tmp_path / "old.part").stat().st_size)
    assert part_files.read_part(tmp_path, "read") == part
    part_files.write_parts(tmp_path, {"new": part})
    assert {path.name for path in tmp_path.iterdir()} == {"read.part", "new.part", "other.txt"}


def test_digests_tell_the_closures_of_intrinsics_apart():
    bytes_of_records = [bytes([255] * 32), bytes([255] * 31 + [0])]
    digests = {content.digest_of_rule(jit.jit(rule_with(hasher(part)))) for part in bytes_of_records * 2}
    assert len(digests) == 2


def rule_with(value):
    """Return a rule that uses a value as a global variable."""
    namespace = {"value": value}
    exec("def rule(game):\n    return value", namespace)
    return namespace["rule"]


@pytest.mark.parametrize("unknown", [object(), np.zeros(3), lambda: 1, {}], ids=["object", "array", "lambda", "dict"])
def test_rules_with_unknown_content_have_no_digest(unknown):
    with pytest.raises(content.NoDigestError, match="unknown content"):
        content.digest_of_rule(jit.jit(rule_with(unknown)))


def test_digests_tell_values_and_types_apart():
    values = [1, 1.0, True, "1", b"1", None, (1,), ((1,),), -1, 0.0, -0.0, np.int64(1), np.int8(1), max, min, np.sqrt]
    digests = [content.digest_of_rule(jit.jit(rule_with(value))) for value in values]
    assert len(set(digests)) == len(values)
    assert digests == [content.digest_of_rule(jit.jit(rule_with(value))) for value in values]


def test_texts_of_arguments_name_only_the_fields_that_a_rule_uses():
    def record(role, *fields):
        return numba.from_dtype(packed_dtype(role, "toy", list(fields)))

    def uses_coins(game):
        return game.coins[0]

    coins, left, many = ("coins", "i2", (2,)), ("left", "i4", ()), ("coins", "i2", (3,))
    alike = [record("game", *fields) for fields in ((coins,), (coins, left), (left, many))]
    others = [record("params", coins), record("game", ("coins", "i1", (2,))), record("game", ("coins", "i2", (2, 2)))]
    rule = jit.jit(uses_coins)
    assert len({content.text_of_argument(rule, kind) for kind in alike}) == 1
    assert len({content.text_of_argument(rule, kind) for kind in alike + others}) == 4


def test_types_of_arguments_include_the_offsets_of_fields():
    layouts = [
        np.dtype({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": offsets, "itemsize": 12})
        for offsets in ([0, 4], [0, 8], [4, 0])
    ]
    texts = {content.text_of_type(numba.from_dtype(layout)) for layout in layouts}
    arrays = {content.text_of_type(numba.from_dtype(layout)[:]) for layout in layouts}
    assert len(texts | arrays) == 6


@pytest.mark.parametrize(
    "known",
    [numba.int8, numba.float32, numba.boolean, numba.none, numba.types.literal(3), numba.types.literal(False)]
    + [numba.types.UniTuple(numba.int64, 2), numba.types.Tuple((numba.int8, numba.float64))],
    ids=str,
)
def test_types_of_results_are_read_from_their_names(known):
    assert parts.type_named(str(known)) == known


@pytest.mark.parametrize("name", ["", "Record(a[type=int8;offset=0];1;False)", "array(int8, 1d, C)", "Tuple(x, int8)"])
def test_other_types_of_results_are_not_read(name):
    assert parts.type_named(name) is None
