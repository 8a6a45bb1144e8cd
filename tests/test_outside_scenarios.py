"""Scenarios of other packages, found by entry point, "module:name" or --import, here and in other processes."""

import json
import os
import pickle
import sys

import gymnasium
import pytest

import catan_env
from catan_agents import make_agent
from catan_env.engine import registry
from catan_env.engine.registry import reference_to, requirements_of, short_name, split_scenario
from catan_env.errors import ReplayError, ScenarioFileError, UnknownAgentError, UnknownScenarioError
from catan_env.outside import importing
from catan_training.cli import main

DECLARE = """
from catan_env.engine.declare import OneHot"""
REEFS = """
import catan_env

__version__ = "1.2"
SCENARIO = catan_env.scenario_from(
    {"name": "NAME", "version": 3, "title": "Reefs", "extends": "base", "numbers": {"victory_points": 3}}
)
"""


@pytest.fixture
def module(tmp_path, monkeypatch, request):
    """Yield the name of a module in the current folder that registers a scenario with the same name."""
    name = f"reefs_{request.node.name.removeprefix('test_').split('[')[0]}"
    (tmp_path / f"{name}.py").write_text(REEFS.replace("NAME", name))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    registry._scenarios.pop(name, None)
    sys.modules.pop(name, None)


def test_module_and_name_find_a_scenario(module):
    with pytest.raises(UnknownScenarioError, match=r'or "module:name".*--import MODULE'):
        catan_env.find_scenario(module)
    scenario = catan_env.find_scenario(f"{module}:{module}+card_counting")
    assert scenario.reference == f"{module}:{module}+card_counting"
    assert reference_to(module) == f"{module}:{module}" == catan_env.find_scenario(module).reference
    assert short_name(f"{module}:{module}") == module
    assert requirements_of([module, "base"]) == {module: {"module": module, "version": "1.2"}}


def test_a_file_registers_scenarios(module, tmp_path):
    reference = f"{tmp_path / module}.py:{module}"
    assert catan_env.find_scenario(reference).reference == reference
    assert pickle.loads(pickle.dumps(catan_env.find_scenario(reference))) == catan_env.find_scenario(module)


@pytest.mark.parametrize(
    "text, parts",
    [
        ("base", ("base", "")),
        ("base:players=3", ("base", "players=3")),
        ("base:3", ("base", "3")),
        ("reefs:reefs", ("reefs:reefs", "")),
        (
            "a.reefs:reefs+card_counting:players=3,board=beginner",
            ("a.reefs:reefs+card_counting", "players=3,board=beginner"),
        ),
    ],
)
def test_settings_follow_the_scenario(text, parts):
    assert split_scenario(text) == parts


def test_modules_that_are_missing_or_broken(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "broken_reefs.py").write_text("1 / 0")
    (tmp_path / "needy_reefs.py").write_text("import library_that_nobody_has")
    (tmp_path / "untyped_reefs.py").write_text(f"{DECLARE}\nDEPTHS = OneHot()")
    (tmp_path / "unread_reefs.py").write_text("REEFS = 1\nDEPTHS = (")
    (tmp_path / "misspelt_reefs.py").write_text("import catan_env\ncatan_env.find_scenario('bsae')")
    (tmp_path / "nested_reefs.py").write_text("\nimport catan_env\ncatan_env.find_scenario('misspelt_reefs:reefs')")
    (tmp_path / "agent_reefs.py").write_text("import catan_agents\ncatan_agents.make_agent('gredy')")
    for module, message in {
        "gone_reefs": "There is no module 'gone_reefs'. Install the package",
        "broken_reefs": "cannot be imported: .*broken_reefs.py, line 1: ZeroDivisionError: division by zero",
        "needy_reefs": "needy_reefs.py, line 1: it needs 'library_that_nobody_has', which is not installed",
        "untyped_reefs": r"untyped_reefs.py, line 3: TypeError: OneHot.*names",
        "unread_reefs": r"unread_reefs.py, line 2: SyntaxError: '\(' was never closed",
        "misspelt_reefs": r"misspelt_reefs.py, line 2: Unknown scenario 'bsae'. Did you mean 'base'",
        "nested_reefs": r"nested_reefs.py, line 3: .*misspelt_reefs.py, line 2: Unknown",
        "agent_reefs": r"agent_reefs.py, line 2: Unknown agent 'gredy'. Did you mean 'greedy'",
        ".reefs": "'.reefs' is not the name of a module",
        "json": "Unknown scenario in module 'json': 'reefs'",
    }.items():
        with pytest.raises(UnknownScenarioError, match=message):
            catan_env.find_scenario(f"{module}:reefs")


def test_rule_modules_that_are_broken(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "shallow_rules.py").write_text(f"{DECLARE}\nDEPTHS = OneHot()")
    for name in ("shallow_rules", "./shallow_rules.py"):
        file = tmp_path / "shallow.toml"
        file.write_text(f'title = "Shallow"\nextends = "base"\nadd = ["{name}"]\n')
        with pytest.raises(ScenarioFileError, match=r"shallow_rules.py, line 3: TypeError: OneHot.*names"):
            catan_env.find_scenario(str(file))


def test_entry_points_name_packages(module, tmp_path, monkeypatch):
    for kind, value in {"module": module, "attribute": f"{module}:SCENARIO", "broken": "gone_reefs"}.items():
        folder = tmp_path / f"{kind}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: {kind}\nVersion: 1.0\n")
        name = module if kind != "broken" else "gone"
        (folder / "entry_points.txt").write_text(f"[catan_env.scenarios]\n{name} = {value}\n")
    monkeypatch.setattr(registry, "_loaded_packages", [])
    assert catan_env.find_scenario(module).module == module
    with pytest.warns(UserWarning, match="'gone' of an installed package cannot be loaded"):
        assert module in catan_env.scenarios()


OPTIONAL = """
import types
import catan_env

catan_env.register_optional("NAME", types.SimpleNamespace(__name__="NAME.rules"), {"victory_points": 4})
"""


@pytest.fixture
def rule(module, tmp_path):
    """Yield the name of a module that registers an optional rule with the same name."""
    (tmp_path / f"{module}.py").write_text(OPTIONAL.replace("NAME", module))
    yield module
    registry._optional.pop(module, None)


def test_optional_rules_are_found_by_module_and_name(rule):
    with pytest.raises(UnknownScenarioError, match="Unknown optional rule"):
        catan_env.find_scenario(f"base+{rule}")
    scenario = catan_env.find_scenario(f"{rule}:base+{rule}")
    assert scenario.numbers["victory_points"] == 4
    assert scenario.reference == reference_to(f"base+{rule}") == f"{rule}:base+{rule}"
    assert requirements_of([scenario.reference])[scenario.reference]["module"] == rule
    assert catan_env.find_scenario("base").reference == "base" == reference_to("base")


def test_optional_rules_are_found_by_entry_point(rule, tmp_path, monkeypatch):
    folder = tmp_path / "rule-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: rule\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[catan_env.scenarios]\n{rule} = {rule}\n")
    monkeypatch.setattr(registry, "_loaded_packages", [])
    assert catan_env.find_scenario(f"base+{rule}").reference == f"{rule}:base+{rule}"


def test_gymnasium_imports_the_module(module):
    words = "".join(word.capitalize() for word in module.split("_"))
    env = gymnasium.make(f"{module}:catan/{words}-v3", num_players=2)
    env.reset(seed=0)
    assert env.unwrapped.engine.scenario.name == module


def test_logs_name_the_module_and_its_version(module):
    engine = catan_env.BatchEngine(f"{module}:{module}", num_players=2, record=True)
    for _ in range(4):
        engine.step(engine.action_mask.argmax(axis=1))
    log = json.loads(json.dumps(engine.replay_log()))
    assert log["scenario"] == f"{module}:{module}"
    assert log["requires"] == {"module": module, "version": "1.2"}
    assert catan_env.replay(log).layout_hash == engine.layout_hash
    assert "requires" not in catan_env.BatchEngine("base", record=True).replay_log()
    del registry._scenarios[module], sys.modules[module]
    sys.path.remove(sys.path[0])
    with pytest.raises(ReplayError, match=rf"needs the module '{module}'.*recorded with {module} 1.2"):
        catan_env.replay(log)


def test_files_of_a_package_are_registered(module, tmp_path):
    (tmp_path / f"{module}.toml").write_text('title = "Reefs"\nextends = "base"\n[numbers]\nvictory_points = 3\n')
    (tmp_path / f"{module}.py").write_text(
        "import catan_env\nfrom pathlib import Path\ncatan_env.register_file(Path(__file__).with_suffix('.toml'))\n"
    )
    scenario = catan_env.find_scenario(f"{module}:{module}")
    assert scenario.reference == f"{module}:{module}"
    assert scenario.file == ""


def test_commands_import_modules(module, capsys):
    assert main(["scenarios", module, "--import", module]) == 0
    assert f"{module}:{module}: Reefs, version 3" in capsys.readouterr().out
    assert main(["scenarios", "--import", "gone_reefs"]) == 2
    assert "There is no module 'gone_reefs'" in capsys.readouterr().err


def test_worker_processes_import_modules(module, tmp_path):
    plan = ["balance", module, "--import", module, "--agents", "random", "--players", "2", "--games", "4"]
    assert main([*plan, "--workers", "2", "--batch", "2", "--out", str(tmp_path / "study")]) == 0
    about = json.loads((tmp_path / "study" / "study.json").read_text())
    assert about["requires"] == {f"{module}:{module}": {"module": module, "version": "1.2"}}


# -- files run no code -------------------------------------------------------------------------------------


def log_of_a_game(reference, path):
    """Write the log of a game that has just started, as a stranger might send it. Return its path."""
    path.write_text(json.dumps(catan_env.BatchEngine(reference, record=True).replay_log(0)))
    return str(path)


def forget(name, *modules):
    registry._scenarios.pop(name, None)
    for module in modules:
        del sys.modules[module]


def test_a_log_imports_no_module_that_only_the_log_names(module, tmp_path, capsys):
    log = log_of_a_game(f"{module}:{module}", tmp_path / "log.json")
    forget(module, module)
    with pytest.raises(ReplayError, match=rf"Module '{module}' is not loaded.*--import {module}"):
        catan_env.replay(log)
    assert main(["replay", log, "--no-open"]) == 2
    assert f"--import {module}" in capsys.readouterr().err and module not in sys.modules
    assert main(["replay", log, "--no-open", "--import", module]) == 0
    assert catan_env.replay(log).scenario.name == module  # now it is loaded


RULES_FILE = "KINDS = ()\n"


def test_a_log_imports_no_rules_of_a_scenario_file(tmp_path, capsys):
    (tmp_path / "own_rules.py").write_text(RULES_FILE)
    file = tmp_path / "own.toml"
    file.write_text('name = "own_rules_in_a_file"\nextends = "base"\nadd = ["./own_rules.py"]\n')
    log = log_of_a_game(file, tmp_path / "log.json")
    loaded = [name for name in sys.modules if name.endswith(".own_rules")]
    forget("own_rules_in_a_file", *loaded)
    os.utime(file, (1, 1))  # a scenario file is read again after it changes
    with pytest.raises(ReplayError, match=r"own_rules.py' is not loaded"):
        catan_env.replay(log)
    assert not any(name.endswith(".own_rules") for name in sys.modules)
    assert main(["replay", log, "--no-open", "--import", str(file)]) == 0


def test_installed_packages_with_entry_points_need_no_import(module, tmp_path, monkeypatch):
    folder = tmp_path / "reefs-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: reefs\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[catan_env.scenarios]\n{module} = {module}\n")
    log = log_of_a_game(f"{module}:{module}", tmp_path / "log.json")
    forget(module, module)
    monkeypatch.setattr(registry, "_loaded_packages", [])
    assert catan_env.replay(log).scenario.name == module


def test_a_study_imports_neither_scenarios_nor_agents_that_only_it_names(module, tmp_path):
    from catan_training.balance.plan import Condition, Plan
    from catan_training.balance.study import Study
    from catan_training.evaluation.fixtures import Entrant

    catan_env.find_scenario(f"{module}:{module}")
    condition = Condition("reefs", f"{module}:{module}", 4)
    Study.begin(tmp_path / "study", Plan("study", (condition,), (Entrant.read("random"),), 1, 0, 1), "a command")
    forget(module, module)
    with pytest.raises(UnknownScenarioError, match=f"--import {module}"):
        Study(tmp_path / "study")
    with importing(allowed=False), pytest.raises(UnknownAgentError, match=f"--import {module}"):
        make_agent(f"{module}:SCENARIO")
    assert module not in sys.modules
