"""Scenario files: inheritance, errors, and paths of external files in place of scenario names."""

import json
import pickle
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test

import catan_env
from catan_env import BatchEngine
from catan_env.engine.program import composition_of
from catan_env.engine.scenario import TURN_LIMIT, Scenario
from catan_env.errors import (
    BoardError,
    PlayerCountError,
    ReplayError,
    ScenarioFileError,
    UnknownScenarioError,
)
from catan_env.games.scenario_file import read_scenario
from catan_training import cli
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "catan_env" / "games").glob("*/scenarios/*.toml"))
PAGE = (ROOT / "docs" / "how-to" / "write_a_scenario.md").read_text("utf-8")
EXAMPLE = re.search(r"^```toml\n(# quick_rolls\.toml\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[1]
"""The scenario file of the documentation."""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file into a temporary folder and returns its path."""

    def written(text, name="mine.toml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return written


@pytest.fixture
def example(write):
    return write(EXAMPLE, "quick_rolls.toml")


# -- files of the package -------------------------------------------------------------------------------------


def test_every_scenario_of_the_package_is_a_file():
    registered = {name for name, scenario in catan_env.scenarios().items() if not scenario.file}
    assert {file.stem for file in FILES} <= registered and len(FILES) == 34


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_of_the_package_is_its_scenario(file):
    """A path and a name find the same scenario, and the stated facts are correct."""
    scenario = catan_env.find_scenario(file)
    assert scenario is catan_env.find_scenario(file.stem) and scenario.reference == file.stem
    stated = tomllib.loads(file.read_text("utf-8"))
    assert stated["title"] == scenario.title and stated["facts"].get("status") == scenario.facts.status
    composition = composition_of(scenario)
    declared = {field.name for module in scenario.modules for field in getattr(module, "FIELDS", ())}
    hidden = any(composition.fields[name].visible != "all" for name in declared)
    assert scenario.facts.information == ("imperfect" if hidden else "perfect")
    assert scenario.facts.chance == ("stochastic" if composition.draws else "deterministic")
    for players in scenario.players:
        values = scenario.values(composition.numbers, players, {})
        assert values[TURN_LIMIT] == scenario.facts.longest_game
    board = getattr(scenario.board, "map", None)
    assert board is None or (board.status == "reconstruction") == (scenario.facts.status == "reconstruction")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_copy_of_a_file_outside_the_package_makes_the_same_game(file, write):
    """A file describes its scenario completely, so only the name of a copy differs."""
    copy, scenario = (
        read_scenario(write(file.read_text("utf-8"), f"copy_of_{file.name}")),
        catan_env.find_scenario(file),
    )
    assert copy.name == f"copy_of_{file.stem}"
    for part in ("title", "version", "facts", "modules", "numbers", "numbers_for", "neutrals", "optional", "sizes"):
        assert getattr(copy, part) == getattr(scenario, part), part


def test_a_stated_number_holds_for_every_number_of_players(tmp_path):
    """The base game has other numbers for two players. A scenario inherits them unless it states its own."""
    file = tmp_path / "short.toml"
    text = 'extends = "base"\nname = "short"\n[numbers]\nvictory_points = 5\n'
    file.write_text(text, encoding="utf-8")
    short = catan_env.find_scenario(str(file))
    rules = [catan_env.BatchEngine(short, 1, players).rules for players in (2, 3)]
    assert [(numbers["victory_points"], numbers["hand_limit"]) for numbers in rules] == [(5, 9), (5, 7)]
    file.write_text(text + "[numbers_for.2]\nvictory_points = 6\n", encoding="utf-8")
    assert catan_env.find_scenario(str(file)).numbers_for[2]["victory_points"] == 6


def test_a_scenario_pickles_by_name_or_path(example):
    for name in (
        "base",
        "base+card_counting",
        "seafarers_new_shores+variable_setup",
        example,
        f"{example}+card_counting",
    ):
        scenario = catan_env.find_scenario(name)
        other = pickle.loads(pickle.dumps(scenario))
        assert (other.name, other.modules, other.numbers) == (scenario.name, scenario.modules, scenario.numbers)
    stranger = Scenario("stranger", 0, "", "", scenario.facts, scenario.modules)
    with pytest.raises(pickle.PicklingError, match="'stranger' cannot be pickled.*scenario file"):
        pickle.dumps(stranger)


# -- files outside the package --------------------------------------------------------------------------------


@pytest.mark.usefixtures("plain_python")
def test_the_example_is_played_from_python(example):
    engine = BatchEngine(str(example), 4, 3, seed=1, record=True)
    base = BatchEngine("base", 1, 3)
    assert engine.scenario.name == "quick_rolls" and engine.rules["victory_points"] == 8
    assert set(base.actions.kinds) - set(engine.actions.kinds) > {"offer_trade"} or engine.actions.n < base.actions.n
    engine.random_rollout(200)
    assert not engine.broken_invariants()
    assert BatchEngine(example, 1).layout_hash == engine.layout_hash, "a Path does as well"
    assert BatchEngine(f"{example}+card_counting", 1).scenario.name == "quick_rolls+card_counting"


def test_the_example_is_an_environment(example):
    env = catan_env.make(example, num_players=3, max_cycles=40)
    api_test(env, num_cycles=40)
    vector = catan_env.make(str(example), "vector", num_envs=2)
    vector.reset(seed=1)
    assert len(vector.action_masks()) == 2
    for kind in ("parallel", "gymnasium"):
        catan_env.make(example, kind).reset(seed=0)
    assert pickle.loads(pickle.dumps(env)).engine.scenario.file == str(example)


def test_another_process_finds_it(example, tmp_path):
    """The other process runs in another folder, as a worker may."""
    env = catan_env.make(example)
    env.reset(seed=3)
    code = "import pickle, sys; env = pickle.load(open(sys.argv[1], 'rb')); print(env.engine.rules['victory_points'])"
    (tmp_path / "env.pickle").write_bytes(pickle.dumps(env))
    command = [sys.executable, "-c", code, str(tmp_path / "env.pickle")]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", timeout=PATIENCE)
    assert done.stdout.strip() == "8", done.stderr


@pytest.mark.slow
def test_commands_take_its_path(example, tmp_path, capsys, monkeypatch):
    """Commands accept a path relative to the current folder, and `catan balance` passes it to two worker processes."""
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    command = ["balance", f"{example.name}:players=3", "--games", "12", "--batch", "6", "--workers", "2"]
    assert cli.main([*command, "--agents", "random", "--out", "out"]) == 0
    study = json.loads((tmp_path / "out" / "study.json").read_text("utf-8"))
    assert str(example) in study["scenarios"]
    capsys.readouterr()
    assert cli.main(["scenarios", example.name]) == 0
    assert "two_player.second_roll" in capsys.readouterr().out


def test_a_replay_log_names_the_file(example, tmp_path):
    engine = BatchEngine(example, 1, 3, seed=5, record=True)
    for _ in range(60):
        engine.step(np.argmax(engine.action_mask, axis=1))
    log = json.loads(json.dumps(engine.replay_log()))
    assert log["scenario"] == str(example)
    assert np.array_equal(catan_env.replay(log).state["hands"], engine.state["hands"])
    example.write_text(EXAMPLE.replace("victory_points = 8", "victory_points = 9"), "utf-8")
    assert catan_env.replay(log).rules["victory_points"] == 8, "a log has all numbers"
    example.rename(tmp_path / "moved.toml")
    with pytest.raises(ReplayError, match="no scenario file at .*quick_rolls.toml.*scenario=PATH"):
        catan_env.replay(log)
    moved = (tmp_path / "moved.toml").read_text("utf-8")
    (tmp_path / "moved.toml").write_text(f'name = "quick_rolls"\n{moved}', "utf-8")
    again = catan_env.replay(log, scenario=tmp_path / "moved.toml")
    assert np.array_equal(again.state["hands"], engine.state["hands"])


def test_a_changed_file_is_read_again(example):
    before = catan_env.find_scenario(example)
    assert catan_env.find_scenario(example) is before
    example.write_text(EXAMPLE.replace("victory_points = 8", "victory_points = 12"), "utf-8")
    assert BatchEngine(example).rules["victory_points"] == 12


# -- keys -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("plain_python")
def test_a_file_of_rules_beside_it_and_files_that_extend_files(write):
    write(
        "from catan_env.engine.declare import Number, answers\n"
        "from catan_env.games.vocabulary import HAND_LIMIT\n"
        'NUMBERS = (Number("spare_cards", 3, "cards beyond the limit", 0, 9),)\n'
        "@answers(HAND_LIMIT)\n"
        "def spare(game, params, player, where):\n"
        "    return params.spare_cards\n",
        "spare_cards.py",
    )
    write('title = "Spare"\nextends = "base"\nadd = ["./spare_cards.py"]\n[facts]\nplayers = [3]\n', "spare.toml")
    path = write(
        'extends = "./spare.toml"\nadd_before."base.victory" = ["two_player.second_roll"]\n'
        "[numbers]\nrolls_per_turn = 2\nspare_cards = 5\n[optional.faster]\n"
        'module = "options.card_counting"\nnumbers = { spare_cards = 9 }\n'
    )
    scenario = catan_env.find_scenario(path)
    names = [module.__name__.rsplit(".", 1)[-1] for module in scenario.modules]
    assert names[-3:] == ["second_roll", "victory", "spare_cards"] and scenario.players == (3,)
    engine = BatchEngine(path, 4)
    assert (engine.rules["spare_cards"], engine.rules["victory_points"]) == (5, 10)
    assert BatchEngine(f"{path}+faster").rules["spare_cards"] == 9
    engine.random_rollout(100)
    assert not engine.broken_invariants()


@pytest.mark.usefixtures("plain_python")
def test_numbers_of_modules_left_out_go_with_them(write):
    path = write('extends = "base"\nwithout = ["base.development_cards", "base.largest_army"]\n')
    assert "development_deck" not in catan_env.find_scenario(path).numbers
    assert BatchEngine(path, num_players=2).rules["victory_points"] == 15, "what two play with comes from base"


@pytest.mark.usefixtures("plain_python")
def test_a_map_beside_the_file(write):
    table = 'rows = [[0, 0, 2], [0, 1, 1]]\nterrain_counts = { forest = 1, hills = 1, pasture = 1 }\nlayout = "one"\n'
    table += '[layouts.one]\nhexes = [[0, 0, "forest", 5], [1, 0, "hills", 9], [0, 1, "pasture", 4]]\nharbors = []\n'
    table += 'robber = "off"\n'
    write(table, "three.toml")
    path = write('extends = "base"\n[facts]\nplayers = [2]\n[board]\nmap = "./three.toml"\n')
    assert BatchEngine(path).topology.num_hexes == 3


START = 'extends = "base"\n'
OWN = 'title = "Mine"\nmodules = ["dice_game.sheet"]\n[facts]\nplayers = [1, 2]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (START + "summary = \n", "mine.toml, line 2: this is not TOML: "),
        (START + 'sumary = "A"\n', r"mine.toml, line 2: sumary: unknown key 'sumary'. Did you mean 'summary'\?"),
        ('extends = "basse"\n', r"mine.toml, line 1: extends: Unknown scenario 'basse'. Did you mean 'base'\?"),
        ('name = "base"\n' + START, "mine.toml, line 1: name: 'base' is the name of a registered scenario"),
        ('title = "Mine"\n', "mine.toml: it lacks modules; it needs title, modules and facts.players"),
        (
            START + 'add = [\n  "base.rober",\n]\n',
            r"line 3: add: there is no rule module 'base.rober'. Did you mean 'base.robber'\?",
        ),
        (START + 'add = ["base.robber"]\n', "line 2: add: rule module 'base.robber' is listed twice"),
        (START + 'add = "base.robber"\n', "line 2: add: this is 'base.robber', and must be a list"),
        (START + 'add = ["./gone.py"]\n', "line 2: add: There is no file .*gone.py"),
        (START + 'add = ["board.terrain"]\n', "line 2: add: there is no rule module 'board.terrain'"),
        (
            START + 'without = ["base.initial_placement", "base.rober"]\n',
            r"line 2: without: no module 'base.rober' here. Did you mean",
        ),
        (START + 'without = ["base.network"]\n', "mine.toml.*: modules: the modules do not fit together"),
        (
            START + "[facts]\nplayers = [4, 3]\n",
            r"line 3: facts.players: this is \[4, 3\]; list the numbers .* ascending",
        ),
        (START + '[facts]\nstatus = "offical"\n', "line 3: facts.status: this is 'offical'; allowed: official"),
        (
            START + "[numbers]\n\nvictory_pionts = 8\n",
            r"line 4: numbers.victory_pionts: .*Did you mean 'victory_points'\?",
        ),
        (START + "[numbers]\nvictory_points = -8\n", "line 3: numbers.victory_points: .* is -8; allowed are"),
        (START + "[numbers]\nturn_limit = 80\n", "line 3: numbers.turn_limit: set facts.longest_game"),
        (START + "[numbers_for.3]\nvictory_points = 900\n", "line 3: numbers_for.3.victory_points: .* is 900"),
        (START + "[numbers_for.7]\nvictory_points = 9\n", "line 2: numbers_for.7: unknown key '7'"),
        (START + '[board]\nmap = "bases"\n', "line 3: board.map: unknown map 'bases'"),
        (
            START + '[board]\nmap = "base"\nmap_for = { 3 = "large" }\n',
            "line 4: board.map_for.3: the map must have the sizes of 'base'",
        ),
        (
            START + '[neutrals]\ncount = 1\ntraits = ["score"]\n',
            r"line 4: neutrals.traits: unknown trait 'score'. Did you mean",
        ),
        (START + '[optional.x]\nmodule = "base.robbr"\n', r"line 3: optional.x.module: there is no rule module"),
        (OWN, "mine.toml, line 2: modules: the modules do not fit together"),
        (OWN + "longest_game = 9\n", "line 5: facts.longest_game: no module declares a number 'turn_limit'"),
    ],
)
def test_an_error_names_file_line_and_key(text, words, write):
    with pytest.raises(ScenarioFileError, match=words) as caught:
        BatchEngine(write(text))
    assert "mine.toml" in str(caught.value)


def test_errors_beside_the_file(example, tmp_path):
    with pytest.raises(UnknownScenarioError, match="no scenario file at .*gone.toml. Check the path"):
        BatchEngine(tmp_path / "gone.toml")
    with pytest.raises(UnknownScenarioError, match="or give the path of a scenario file"):
        BatchEngine("quick_rolls")
    with pytest.raises(UnknownScenarioError, match="Did you mean 'card_counting'"):
        BatchEngine(f"{example}+card_couting")
    with pytest.raises(PlayerCountError, match="num_players is 2; scenario 'quick_rolls' allows"):
        BatchEngine(example, num_players=2)
    with pytest.raises(BoardError, match="has no layout 'none'"):
        BatchEngine(example, board="none")
    assert cli.main(["scenarios", str(tmp_path / "gone.toml")]) == 2
