"""Settings that must be in place before Numba is imported, and the Hypothesis profiles."""

import os
from collections import Counter
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parent.parent
_CACHE = _CHECKOUT / ".numba_cache"
# Code with bounds checks needs a separate cache: Numba would load unchecked code from the normal one.
if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
    _CACHE /= "boundscheck"
os.environ.setdefault("NUMBA_CACHE_DIR", str(_CACHE))
os.environ.setdefault("CATAN_ENV_BACKGROUND", "0")  # tests share compiled programs, each compiled once

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(autouse=True, scope="session")
def windows_need_not_be_watched():
    from catan_env.render import window

    window.RENDER_FPS = 1000


@pytest.fixture(autouse=True)
def nothing_is_left_in_the_checkout():
    before = set(os.listdir(_CHECKOUT))
    yield
    left = {name for name in set(os.listdir(_CHECKOUT)) - before if name[0] not in "._"}
    assert not left, f"a test wrote {left} into the checkout: give it a temporary folder"


@pytest.fixture
def plain_python(monkeypatch):
    """Run engines in plain Python. Use it for rules that no other test plays: compiling them takes 15 seconds."""
    from catan_env.engine import plain_first

    monkeypatch.setattr(plain_first, "DISABLE_JIT", True)


QUICK = (
    "test_board",
    "test_check",
    "test_engine_compose",
    "test_engine_declarations",
    "test_face",
    "test_imports",
    "test_sequences",
    "test_vocabulary",
)
"""Files that `--quick` runs beside the tests of rules."""


def pytest_configure(config):
    if config.option.quick:
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # Numba is not imported yet; workers inherit the variable


def pytest_ignore_collect(collection_path, config):
    """With `--quick`, skip other files without importing them, because some import torch."""
    of_rules = collection_path.parent.parent.name == "games"
    if config.option.quick and collection_path.suffix == ".py" and not of_rules and collection_path.stem not in QUICK:
        return True
    return None


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="the tests of `make check`, in plain Python")
    parser.addoption("--part", help="K/N: only every N-th group of tests, from the K-th on")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config, items):
    """Group the tests that need the same programs, and mark all tests of rules as core.

    With `--dist loadgroup`, a group runs on one worker, so that each program is compiled once. Tests with the same
    `scenario` parameter form a group, as do the tests of a system's rules; other tests are grouped by file. With
    several workers, long groups come first, so that none of them runs alone at the end.
    """
    for item in items:
        callspec = getattr(item, "callspec", None)
        scenario = callspec.params.get("scenario") if callspec else None
        of_rules = item.path.parent.parent.name == "games"
        if of_rules:
            item.add_marker(pytest.mark.core)
        if item.get_closest_marker("xdist_group") is None:
            subject = item.path.parent.name if of_rules else item.path.stem
            item.add_marker(pytest.mark.xdist_group(scenario if isinstance(scenario, str) else subject))
    if config.option.quick:
        _keep(config, items, [item for item in items if not item.get_closest_marker("slow")])
    if hasattr(config, "workerinput"):  # with `--no-loadscope-reorder`, xdist hands the groups out in this order
        work = Counter()
        for item in items:
            work[_group_of(item)] += 30 if item.get_closest_marker("slow") else 1
        items.sort(key=lambda item: (-work[_group_of(item)], _group_of(item)))
    if config.option.part:
        part, parts = map(int, config.option.part.split("/"))
        mine = set(sorted({_group_of(item) for item in items})[part - 1 :: parts])
        _keep(config, items, [item for item in items if _group_of(item) in mine])


def _keep(config, items, chosen):
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def _group_of(item):
    return item.get_closest_marker("xdist_group").args[0]
