"""Run every `catan` command that a page shows, in page order and with the smaller numbers in `SMALLER`.

`NOT_RUN`, `OTHER_STEPS` and `NOT_RUN_PYTHON` list what does not run, with the reason.
"""

import glob
import importlib.util
import io
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from catan_training import cli
from catan_training.evaluation.single_games import play
from tests.catanlog_files import Writer
from tests.graph_boards import GRID_TEXT
from tests.shell_blocks import PAGES, ROOT, blocks_of, commands_of, lines_of, write_files_of

RULES = "--rules victory_points=3"
TRAINING = (
    f"{RULES} --minutes 0 --steps 60 --num-games 8 --rollout-steps 4 --batch-size 16 --hidden 8 8 --teacher weighted "
    "--curve-points 0 --final-games 4 --eval-opponents random --torch-threads 1"
)
STUDY = f"{RULES} --games 8 --agents weighted --workers 1"
SMALLER = {
    "analyse": "--no-open",
    "balance": STUDY,
    "balance board": f"{STUDY} --games 60",
    "balance compare": STUDY,
    "balance design": f"{STUDY} --candidates 2 --width 0.3",
    "balance report": "",
    "balance sweep": f"{STUDY} --sample 2",
    "bench": "--games 16 --repeats 1 --only step",
    "bench agents": f"{RULES} --games 4 --repeats 1 --agents weighted",
    "bench train": f"{RULES} --games 64 --repeats 1",
    "evaluate": f"{RULES} --games 4",
    "explain": "",
    "import": RULES,
    "generate": f"{RULES} --games 8 --agents weighted --workers 1",
    "new": "",
    "pull": "",
    "push": "",
    "replay": "--no-open",
    "scenarios": "",
    "soak": f"{RULES} --steps 4000 --games 8 --players 3",
    "board": "",
    "check": "--checks rules fields --games 1 --steps 10",
    "export": "",
    "play": "--games games.sqlite --port 0 --no-open",
    "tournament run": f"{RULES} --games 12 --workers 1",
    "tournament show": "",
    "train": TRAINING,
    "train --resume": "",
    "train-value": f"{RULES} --rounds 1 --games 8 --hidden 8 8 --check 0",
    "train-value --scenario helpers": f"{RULES} --rounds 1 --games 4 --check 0",
    "tune": f"{RULES} --generations 1 --pairs 1 --paired-seeds 1",
    "watch": f"{RULES} --no-open",
}
"""Options appended to commands that begin with these words; the longest beginning counts. Later options win."""
NOT_RUN = {
    r"catan \S+ .*--ray": "needs a cluster; test_ray.py",
    r"catan bench .*--against": "needs another engine",
    r"catan bench --quick": "its verdict depends on the machine; tests/test_training.py measures a slice of it",
    r"catan balance studies": "plays every scenario",
    r"catan check (\S+ --import|tea_party)": "packages that a reader has written; test_new.py",
    r"catan .*\bimitator\b": "an agent that the page trains; test_datasets.py",
    r"catan docs": "builds the site; test_docs.py",
    r"catan .*--import my_package": "a placeholder",
    r"catan .*\bllm:": "needs a server of a language model",
    r"catan \S+ .*\bsomeone/": "needs the hub; test_hub.py",
    r"catan ladder": "records its results in the repository; test_ladder.py",
    r"catan train --encoder my_module": "a placeholder; test_hooks.py",
    r"catan match": "needs another engine or a server; test_bridge_catanatron.py, test_matches_here.py",
    r"catan train .*train_gpu": "needs a GPU",
    r"catan \S+ .*<name>": "a placeholder",
    r"catan .*\b(fishermen|harbormaster)\b": "an example package; test_examples_packages.py",
}
"""Commands that are not run, and the reason. `test_docs.py` parses them."""
OTHER_STEPS = {
    r"pip install |git clone |cd |export |\S+ -m venv |\S*activate$": "sets up a machine",
    r"make ": "the targets exist, see below; CI runs them",
    r"(python -m )?pytest|ruff |mypy": "these are the tests",
    r"docker ": "needs Docker; test_container.py",
    r"CATAN_LLM_URL=": "needs a server of a language model; test_llm.py",
    r"hf auth login|python -m twine": "needs an account",
    r"ray start": "needs a cluster; test_ray.py",
    r"python -m build": "test_wheel.py",
    r"python -m tools.strength": "writes rankings into the repository; test_best.py",
    r"python -m tests.golden.record": "writes golden games into the repository; test_golden.py",
    r"python -m catan_training.examples.maskable_ppo": "test_training_examples.py",
    r"python -m catan_training.examples.imitate_files": "test_datasets.py",
}
"""Other lines of shell blocks, and why no test runs them, or which one does."""
NOT_RUN_PYTHON = {
    "explanation/design": "an outline of a rule module; the tutorial on variants has whole ones",
    "how-to/agents": "scores of a rule module that the reader writes; the example packages have whole ones",
    "how-to/analyse": "reads the game of the page's commands; test_analysis.py",
    "how-to/bridges": "needs fastcatan, or goes on with the reader's position; test_bridge_*.py",
    "how-to/environments": "needs PufferLib or TorchRL; test_envs_libraries.py",
    "how-to/import_games": "needs games of other programs; test_importing_*.py",
    "how-to/language_models": "needs a language model; test_llm.py, test_text.py",
    "how-to/openspiel": "needs OpenSpiel; test_openspiel.py runs it where it is installed",
    "reference/datasets": "reads the dataset of the page's commands; test_datasets.py, test_minari_export.py",
    "reference/rules/index": "shows where ids of statements stand; the rule modules have whole ones",
}
"""Pages with blocks marked `py`, which do not run, and the reason. Blocks marked `python` run in test_docs.py."""


SCENARIO = """title = "Mine"
summary = "The base game to 8 points."
extends = "base"

[numbers]
victory_points = 8
"""


def runs(command):
    return not any(re.match(pattern, command) for pattern in NOT_RUN)


def smaller(command):
    """Return the arguments of a command, with the smaller numbers appended."""
    words = command.removeprefix("catan ")
    beginning = max((start for start in SMALLER if f"{words} ".startswith(f"{start} ")), key=len, default="")
    assert beginning, f"Add smaller numbers for `{command}` to SMALLER, or a reason to NOT_RUN."
    return [file for word in shlex.split(words) for file in matches(word)] + shlex.split(SMALLER[beginning])


def matches(word):
    """Return the files that match a pattern, as a shell does, or the word itself if none match."""
    return sorted(glob.glob(word)) or [word]


WITH_COMMANDS = [path for path in PAGES if any(map(runs, commands_of(path)))]
SLOW = re.compile(
    r"catan (train|tune|bench train|watch --scenario|generate seafarers|check)|quick_rolls|base-value|greedy:trade"
    r"|\.zip"
)
"""Commands of pages that take more than some seconds, even with smaller numbers."""


def case(path):
    slow = any(map(SLOW.search, commands_of(path)))
    name = path.relative_to(ROOT).as_posix()
    marks = [pytest.mark.slow] if slow else []
    return pytest.param(path, id=name, marks=[*marks, pytest.mark.xdist_group(name)])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the files that pages refer to."""
    import catan_env
    from catan_env.board import load_map

    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    (tmp_path / "my_board.json").write_text(json.dumps(load_map("base").layouts["beginner"].to_coordinates()), "utf-8")
    (tmp_path / "two_islands.toml").write_text(GRID_TEXT, "utf-8")
    (tmp_path / "my_scenario.toml").write_text(SCENARIO, "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n" * 9))  # a human player quits at once
    engine = catan_env.BatchEngine("base", rules={"victory_points": 3}, record=True)
    (tmp_path / "game.json").write_text(json.dumps(engine.replay_log(0)), "utf-8")
    monkeypatch.setattr("uvicorn.Server.run", stop_at_once)
    return tmp_path


def stop_at_once(server, sockets):
    """Close the sockets instead of serving until Ctrl-C."""
    for socket in sockets:
        socket.close()


def played_files(folder, page):
    """Write a finished game as a replay log, and a dataset, or write the game as another program's `.catan` text."""
    log = play(["random"], "base", 2, 1, {"victory_points": 3, "offers_per_turn": 0})
    (folder / "games").mkdir()
    if page == "import_games":
        (folder / "games" / "game-7.catan").write_text(Writer(log).text, "utf-8")
        return
    (folder / "games" / "game-7.json").write_text(json.dumps(log), "utf-8")
    generate = f"generate base --games 4 --out data/greedy --agents weighted --workers 1 {RULES}"
    assert cli.main(shlex.split(generate)) == 0


@pytest.mark.parametrize("path", [case(path) for path in WITH_COMMANDS])
def test_the_commands_of_a_page_run(path, folder, capsys):
    write_files_of(path, folder)
    if path.stem in ("analyse", "import_games"):
        played_files(folder, path.stem)
    for command in filter(runs, commands_of(path)):
        arguments = [newest(word) for word in smaller(command)]
        assert cli.main(arguments) == 0, f"{shlex.join(arguments)}: {capsys.readouterr().err}"


MODELS = {"maskable_ppo.zip": 4, "models/first.zip": 3}
"""Models of Stable-Baselines3 that the Python blocks of pages save, and their number of players."""


def newest(word):
    """Return this test's run folder in place of a run folder with the example date, and other words unchanged.

    Create runs and models that do not exist yet.
    """
    if word in MODELS and not Path(word).exists():
        from sb3_contrib import MaskablePPO

        from catan_env.envs import SB3VecEnv

        env = SB3VecEnv(2, "base", num_players=MODELS[word], rules={"offers_per_turn": 0})
        MaskablePPO("MlpPolicy", env, n_steps=2, batch_size=4, policy_kwargs={"net_arch": [8]}).save(word)
    dated = re.fullmatch(r"runs/(\w+)-20260101-120000", word)
    if not dated:
        return word
    if not (made := sorted(Path("runs").glob(f"{dated[1]}-2*"))):
        assert cli.main(["train", "--name", dated[1], *shlex.split(TRAINING)]) == 0
        made = sorted(Path("runs").glob(f"{dated[1]}-2*"))
    return str(made[-1])


def test_most_commands_run():
    commands = [command for path in PAGES for command in commands_of(path)]
    left_out = [command for command in commands if not runs(command)]
    assert len(commands) - len(left_out) > 95
    assert all(any(re.match(pattern, command) for command in left_out) for pattern in NOT_RUN)
    assert {start for start in SMALLER if not any(f"{c} ".startswith(f"catan {start} ") for c in commands)} == set()


def test_every_other_line_is_a_step_that_no_page_test_can_take():
    others = {line for path in PAGES for line in lines_of(path) if not line.startswith("catan ")}
    assert not [line for line in others if not any(re.match(pattern, line) for pattern in OTHER_STEPS)]
    assert all(any(re.match(pattern, line) for line in others) for pattern in OTHER_STEPS)
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for line in others:
        if line.startswith("make "):
            assert line.split()[1] in targets, line
        elif line.startswith("pip install ") and "[test]" not in line:  # the packages of variants define that extra
            assert set(",".join(re.findall(r"\[(.*?)\]", line)).split(",")) <= {"", *extras}, line
        elif module := re.match(r"python -m ((?:tools|tests|catan_training)[\w.]*)", line):
            assert importlib.util.find_spec(module[1]), line


def test_python_that_does_not_run_has_a_reason():
    with_blocks = {path for path in PAGES if any(blocks_of(path, "py"))}
    assert {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in with_blocks} == {*NOT_RUN_PYTHON}


@pytest.mark.parametrize(("language", "read"), [("toml", tomllib.loads), ("json", json.loads)])
def test_files_on_pages_can_be_read(language, read):
    blocks = [block for path in PAGES for block in blocks_of(path, language)]
    assert blocks and all(map(read, blocks))


def test_every_block_is_in_a_language_that_a_test_knows():
    """Blocks marked `text` show printed output."""
    marks = {
        mark for path in PAGES for mark in re.findall(r"^ *(?:```|~~~)(.+)$", path.read_text("utf-8"), re.MULTILINE)
    }
    assert marks == {"sh", "python", "py", "toml", "json", "text", "bibtex", "{toctree}"}
