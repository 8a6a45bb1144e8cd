"""Names in the code use one word for each idea, the standard term of the field."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORD_OF_THE_FIELD = {
    "anew": "again",
    "audit": "check",
    "besides": "as well as",
    "company": "opponent_fraction",
    "cut_off": "truncate",
    "foretell": "predict",
    "founded": "initial placement",
    "founding": "initial placement",
    "go_on": "continue, resume",
    "imagine": "determinise, sample",
    "judge": "evaluate",
    "lessons": "imitation",
    "lookouts": "lookahead_features",
    "republish": "refresh",
    "share_reward": "assign rewards",
    "soundness": "validation",
    "taught": "imitation",
    "teacher_sharpness": "teacher_inverse_temperature",
    "telling": "describe",
    "tells": "describe, show",
    "thought": "decision context",
    "told": "report, show",
    "warmth": "temperature",
    "worths": "values",
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def names_in(tree):
    """Yield the names of functions, classes, parameters, variables and attributes that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def retired_words_in(name):
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return [word for word in WORD_OF_THE_FIELD if re.search(rf"(^|_){word}(_|$)", words)]


def test_retired_words_are_found():
    assert retired_words_in("may_go_on") == ["go_on"]
    assert retired_words_in("TellsGames") == ["tells"]
    assert retired_words_in("stellar_cargo_once") == []


def test_names_use_the_words_of_the_field():
    files = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    wrong = {
        f"{file}: {name}: not {word!r} but {WORD_OF_THE_FIELD[word]!r}"
        for file in files
        for name in names_in(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        for word in retired_words_in(name)
    }
    assert not wrong, "\n".join(sorted(wrong))
