"""The pytest plug-in, which runs the checks of `catan check` as tests of a scenario.

A test that uses the `catan_check` fixture runs once per check:

    def test_scenario(catan_check):
        catan_check()

The `catan_scenario` fixture names the scenario. By default it returns the `catan_scenario` option from the
configuration file, but a test module or `conftest.py` may override it.

The plug-in imports `catan_env` only inside tests, so that `conftest.py` can set `NUMBA_DISABLE_JIT` first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

OPTION = "catan_scenario"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the configuration file option."""
    parser.addini(OPTION, 'the scenario of `catan_check`: a name, "module:name", or the path of a scenario file')


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that use the `catan_check` fixture once per check."""
    if "catan_check" in metafunc.fixturenames:
        from catan_env.testing import CHECKS

        metafunc.parametrize("catan_check", list(CHECKS), indirect=True)


@pytest.fixture(scope="session")
def catan_scenario(pytestconfig: pytest.Config) -> str:
    """The scenario to check, as named in the configuration file."""
    name = str(pytestconfig.getini(OPTION))
    if not name:
        pytest.fail(f"Name the scenario to check: set {OPTION} in the configuration, or define a fixture {OPTION}.")
    return name


@pytest.fixture
def catan_check(request: pytest.FixtureRequest, catan_scenario: str, tmp_path: Any) -> Callable[..., None]:
    """A function that runs one check and takes the same options as `catan_env.testing.check_scenario`."""
    from catan_env.testing import check_scenario

    def check(**options: Any) -> None:
        report = check_scenario(catan_scenario, **{"checks": [request.param], "folder": tmp_path} | options)
        if not report.ok:
            found = [" - see it with: ".join(filter(None, (each.message, each.command))) for each in report.findings]
            pytest.fail("\n".join([f"{request.param} of {report.scenario}:", *found]), pytrace=False)

    return check
