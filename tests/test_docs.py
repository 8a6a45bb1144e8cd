"""The documentation: generated pages are up to date, links lead somewhere, examples run, the site builds."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from catan_training.cli import make_parser
from tools import documentation

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md")) + [ROOT / "README.md", ROOT / "CHANGELOG.md"]
WITH_EXAMPLES = [
    ROOT / "README.md",
    *(DOCS / f"{name}.md" for name in ("index", "guide", "environments", "training", "write_a_scenario")),
]


def relative(path):
    return path.relative_to(ROOT).as_posix()


def run(*arguments, timeout=600, cwd=ROOT, **environment):
    """A Python process of its own: other tests register scenarios in this one."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **environment},
    )


# -- generated pages -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What checking the pages and building the site said, and the site's folder."""
    site = tmp_path_factory.mktemp("docs") / "site"
    # One game of each scenario is played sooner in plain Python than compiled.
    options = ("--check", "--site", str(site), "--no-execute")
    return run("-m", "catan_training.cli", "docs", *options, timeout=1200, NUMBA_DISABLE_JIT="1"), site


@pytest.mark.slow
def test_generated_pages_are_up_to_date(checked):
    done, _ = checked
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_scenario_has_a_page_and_no_other():
    done = run("-c", "import catan_env; print(*catan_env.scenarios())")
    assert {p.stem for p in (DOCS / "scenarios").glob("*.md")} == {*done.stdout.split(), "index"}


@pytest.fixture
def pages(monkeypatch, tmp_path):
    """A documentation of two pages in a folder of its own."""
    texts = {tmp_path / "scenarios" / "base.md": "base\n", tmp_path / "rule_modules.md": "modules\n"}
    monkeypatch.setattr(documentation, "generated_pages", lambda folder, parser: texts)
    assert sorted(documentation.write_all(tmp_path, make_parser())) == sorted(texts)
    assert documentation.problems(tmp_path, make_parser()) == []
    return tmp_path


def test_stale_missing_and_surplus_pages_are_found_and_put_right(pages):
    page, modules, surplus = pages / "scenarios" / "base.md", pages / "rule_modules.md", pages / "scenarios" / "old.md"
    page.write_text("base, but older\n", "utf-8")
    modules.unlink()
    surplus.write_text("old\n", "utf-8")
    assert sorted(documentation.problems(pages, make_parser())) == [
        f"{modules} is missing",
        f"{page} is stale",
        f"{surplus} is no longer made",
    ]
    assert sorted(documentation.write_all(pages, make_parser())) == sorted([page, modules, surplus])
    assert documentation.problems(pages, make_parser()) == [] and not surplus.exists()
    assert documentation.write_all(pages, make_parser()) == []


# -- links -----------------------------------------------------------------------------------------------------

FENCE = re.compile(r"^(`{3,}|~{3,}|:{3,}).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(path):
    """What GitHub and the site name the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(path):
    text = CODE.sub("", FENCE.sub("", path.read_text("utf-8")))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        aim = (path.parent / file).resolve() if file else path
        if not aim.exists() or ROOT not in aim.parents or (anchor and anchor not in anchors(aim)):
            yield target


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_relative_links_lead_somewhere(path):
    assert not list(broken_links(path))


def test_the_link_checker_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a.md").write_text("# A page\n## `some_name` and more\n", "utf-8")
    (tmp_path / "b.md").write_text(
        "[1](a.md) [2](a.md#some_name-and-more) [3](https://example.org) `[4](none.md)`\n"
        "```python\nx = y[0](none.md)\n```\n[5](none.md) [6](a.md#other) [7](../outside.md) [8](#nowhere)\n",
        "utf-8",
    )
    assert list(broken_links(tmp_path / "b.md")) == ["none.md", "a.md#other", "../outside.md", "#nowhere"]


# -- examples --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=relative)
def test_examples_run(path, tmp_path):
    """All Python blocks of a page, one after another, beside the files whose names its TOML blocks begin with; numbers
    of three digits and more are made smaller."""
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for name, text in re.findall(
        r"^```toml\n# (\w+\.toml)\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        (tmp_path / name).write_text(text, "utf-8")
    script = tmp_path / "examples.py"
    script.write_text(re.sub(r"(?<![\w.\"'-])\d[\d_]{2,}\b", "8", "\n".join(blocks)), "utf-8")
    done = run(str(script), cwd=tmp_path)
    assert done.returncode == 0, done.stderr


# -- the site --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_site_builds_without_a_warning(checked):
    done, site = checked
    assert "WARNING" not in done.stderr and (site / "index.html").is_file(), done.stderr
    pages = [p.read_text("utf-8") for p in site.rglob("*.html")]
    assert not [text for text in pages if re.search(r"<(script|link|img)[^>]+(src|href)=\"https?://", text)]


def test_a_broken_link_fails_the_build(tmp_path):
    pytest.importorskip("sphinx")
    (tmp_path / "conf.py").write_text('extensions = ["myst_nb"]\n', "utf-8")
    (tmp_path / "index.md").write_text("# Title\n[gone](gone.md)\n", "utf-8")
    done = run(
        "-c",
        "import sys; from pathlib import Path; from tools.documentation import build_site\n"
        "sys.exit(0 if build_site(Path(sys.argv[1]), Path(sys.argv[1], 'site'), False) else 1)",
        str(tmp_path),
    )
    assert done.returncode == 1 and "gone.md" in done.stderr
