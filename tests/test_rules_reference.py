"""The rules reference: every statement states its origin and has an implementation and a test, and every rule function
implements a statement. No text of the project cites a missing document."""

import re
import subprocess
from pathlib import Path

import pytest

import catan_env
from catan_env.engine.binding import module_name, rule_functions
from catan_env.games import reference
from catan_training.cli import make_parser
from tools.documentation import generated
from tools.pages.rules import covering_tests, rules_reference_page

ROOT = Path(__file__).resolve().parent.parent
STATEMENTS = reference.statements()
PLAYED = {key: statement for key, statement in STATEMENTS.items() if statement.status != "left_out"}
TESTS = covering_tests(ROOT / "tests")


def listed(keys):
    return "\n".join(sorted(keys))


@pytest.mark.parametrize("system", reference.systems())
def test_ids_are_the_system_a_topic_and_a_number_and_unique(system):
    ids = [statement.id for statement in reference.rules_of(system).statements]
    assert ids and len(set(ids)) == len(ids), f"twice: {listed({key for key in ids if ids.count(key) > 1})}"
    wrong = [key for key in ids if not re.fullmatch(rf"{system}\.[a-z][a-z0-9_]*\.[1-9]\d*", key)]
    assert not wrong, listed(wrong)


def test_every_system_has_statements():
    folders = {path.parent.parent.name for path in (ROOT / "catan_env" / "games").glob("*/scenarios/__init__.py")}
    assert folders <= set(reference.systems())


@pytest.mark.parametrize("system", reference.systems())
def test_statements_have_a_text_a_status_and_a_source(system):
    for statement in reference.rules_of(system).statements:
        key = statement.id
        for text in (statement.text, *([statement.reason] if statement.reason else [])):
            assert text[0] == text[0].upper() and text.endswith(".") and "|" not in text, key
        assert statement.status in reference.STATUSES, key
        assert bool(statement.reason) == (statement.status == "left_out"), key
        if statement.source:
            assert statement.source in reference.sources() and statement.at, key
        else:
            assert statement.status in ("addition", "left_out"), f"{key}: only an addition comes from no publication"


def test_every_source_is_cited():
    assert reference.sources().keys() == {s.source for s in STATEMENTS.values() if s.source}


def test_statements_name_numbers_and_scenarios_that_exist():
    modules = [module for system in reference.systems() for module in reference.rule_modules(system)]
    names = {number.name for module in modules for number in getattr(module, "NUMBERS", ())} | {*catan_env.scenarios()}
    names |= {"board=", "engine.victory_points", "variable_setup"}
    names |= {"base+card_counting", "base+cards_at_once", "base+catanatron_roads", "base+whole_payments"}
    names |= {"base+win_on_any_turn"}
    for system in reference.systems():
        for section in reference.rules_of(system).sections:
            texts = [section.intro, *(f"{s.text} {s.reason}" for s in section.statements)]
            unknown = {name for text in texts for name in re.findall("`([^`]+)`", text)} - names
            assert not unknown, f"{system}, {section.title}: {unknown}"


def test_every_statement_is_played_by_a_function_or_a_file():
    missing = PLAYED.keys() - reference.carriers_by_id().keys()
    assert not missing, listed(missing)


def test_every_statement_has_a_test():
    missing = PLAYED.keys() - TESTS.keys()
    assert not missing, listed(missing)


def test_functions_and_tests_name_statements_that_are_played():
    unknown = (reference.carriers_by_id().keys() | TESTS.keys()) - PLAYED.keys()
    assert not unknown, listed(unknown)


def test_functions_carry_out_statements_of_their_own_system():
    for key, names in reference.carriers_by_id().items():
        own = set(names) - set(STATEMENTS[key].played_by)
        assert {name.split(".")[0] for name in own} <= {key.split(".")[0]}, f"{key}: {own}"


def test_what_plays_a_statement_of_another_system_exists():
    modules = {
        f"{system}.{module_name(module)}": module
        for system in reference.systems()
        for module in reference.rule_modules(system)
    }
    for key, statement in STATEMENTS.items():
        for name in statement.played_by:
            if "/" in name:
                assert (ROOT / "catan_env" / "games" / name).is_file(), f"{key}: there is no file {name}"
            else:
                module, _, function = name.rpartition(".")
                assert hasattr(modules[module], function), f"{key}: there is no function {name}"


@pytest.mark.parametrize("system", reference.systems())
def test_every_rule_function_carries_out_a_statement(system):
    for module in reference.rule_modules(system):
        for function in rule_functions(module):
            assert getattr(function, "rules", ()), f"{module_name(module)}.{function.__name__} has no @rule"


@pytest.mark.parametrize("system", reference.systems())
def test_a_page_shows_every_statement_with_what_plays_and_tests_it(system):
    rules = reference.rules_of(system)
    text = rules_reference_page(rules, reference.carriers_by_id(), TESTS)
    for statement in rules.statements:
        row = next(line for line in text.splitlines() if line.startswith(f"| {statement.id} |"))
        assert statement.text in row
        for name in (*reference.carriers_by_id().get(statement.id, ()), *TESTS.get(statement.id, ())):
            assert f"`{name}`" in row


# Bare names of documents in prose and comments; test_docs.py checks links, paths, and names that pages quote.
CITED = re.compile(r"(?:^|(?<=[\s`;])|(?<=[^\]]\())([A-Za-z]\w*\.(?:md|ya?ml|json))\b(?!/|\(|\.\w)", re.MULTILINE)
QUOTED = re.compile(r"`[\w/-]+\.md(#[\w-]+)?`")
WRITTEN_BY_COMMANDS = {
    "report.md",
    "report.json",
    "results.json",
    "study.json",
    "options.json",
    "settings.json",
    "dataset.json",
}
EXAMPLES = {"board.json", "my_board.json", "NAME.json", "game.json", "nowhere.json"}
EXAMPLES |= {"catanatron.json", "colonist.json", "log.json"}


def unknown_documents(text, names):
    return {name for name in CITED.findall(text) if name not in names}


def test_every_document_cited_is_in_the_project():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    files = [name for name in listed if not name.endswith(Path(__file__).name)]
    pages = [
        name for name in generated(make_parser()) if name.count("/") == 1
    ]  # pages of systems share names with documents
    names = {Path(name).name for name in (*files, *pages)} | WRITTEN_BY_COMMANDS | EXAMPLES
    for name in files:
        if name.endswith((".py", ".toml", ".md", ".ipynb", ".yml")) and (ROOT / name).is_file():
            text = (ROOT / name).read_text("utf-8")
            assert not unknown_documents(QUOTED.sub("", text) if name.startswith("docs/") else text, names), name


def test_the_search_for_documents_itself():
    text = "Sources: tides.md 4, (salt.yaml `price`); [a link](other.md), docs/path.md, `here.md`"
    assert unknown_documents(text, {"here.md"}) == {"tides.md", "salt.yaml"}
