"""The main path in docs/explanation/design.md, from `BatchEngine.step` to a rule and back, matches the code."""

import ast
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from catan_env import BatchEngine
from tests.strategies import PLAIN_PYTHON, play_until

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"\| [^|]+ \| `([\w.]+)` in `([\w./]+\.py)` \| `(.+)` \|")


def walk():
    """Return (function, path, line) of every hop."""
    text = (ROOT / "docs" / "explanation" / "design.md").read_text(encoding="utf-8")
    section = re.search(r"^## The main path.*?(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert section and len(section[0].splitlines()) < 40, "the walk fits on a page"
    return [(name, path, line.replace(r"\|", "|")) for name, path, line in ROW.findall(section[0])]


def source_of(name, path):
    """Return the source of a function, or of a method given as Class.method."""
    text = (ROOT / path).read_text(encoding="utf-8")
    node = ast.parse(text)
    for part in name.split("."):
        node = next(n for n in node.body if isinstance(n, (ast.ClassDef, ast.FunctionDef)) and n.name == part)
    return ast.get_source_segment(text, node)


@pytest.mark.parametrize(("name", "path", "line"), walk(), ids=str)
def test_each_hop_is_a_line_of_the_function_named(name, path, line):
    lines = [part.strip() for part in source_of(name, path).splitlines()]
    assert lines.count(line) == 1


def test_the_walk_has_its_way_there_and_all_three_ways_back():
    names = [name for name, _, _ in walk()]
    there = ["BatchEngine.step", "step", "play", "Composition._compose_apply", "build_road"]
    assert names[: len(there)] == there
    assert {"show", "BatchEngine.observe"} < set(names[len(there) :])


@pytest.mark.skipif(not PLAIN_PYTHON, reason="watches plain Python: run with NUMBA_DISABLE_JIT=1")
def test_a_road_is_built_by_the_functions_of_the_walk():
    engine = BatchEngine("base", 1, 3, seed=4)
    play_until(engine, lambda: engine.decision(0) == "play")
    engine.state["hands"] += 2
    engine.refresh()
    legal = np.flatnonzero(engine.action_mask[0]).tolist()
    road = next(action for action in legal if engine.actions.kind_of[action] == "build_road")
    called, stacks = [], []

    def watch(frame, event, _):
        if event == "call":
            called.append(frame.f_code.co_name)
            if called[-1] == "build_road":
                stack = []
                while frame.f_code.co_name != "test_a_road_is_built_by_the_functions_of_the_walk":
                    stack.append(frame.f_code.co_name)
                    frame = frame.f_back
                stacks.append(stack[::-1])

    sys.setprofile(watch)
    try:
        engine.step(np.array([road]))
        engine.observe()
    finally:
        sys.setprofile(None)
    assert stacks == [["step", "step", "play", "apply_action", "build_road"]]
    after = called[called.index("build_road") :]
    assert [name for name in after if name in ("show", "mark_legal", "assign_rewards", "observe", "encode")][:5] == [
        "show", "mark_legal", "assign_rewards", "observe", "encode",
    ]  # fmt: skip
