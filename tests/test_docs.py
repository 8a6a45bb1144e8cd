"""The documentation: pages are generated, links resolve, examples run, the site builds, tracked files are small."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from catan_env.errors import OptionError
from catan_training import cli
from catan_training.cli import checkout, make_parser
from tests import shell_blocks
from tests.browser import Page, executable
from tests.shell_blocks import blocks_of, commands_of, write_files_of
from tools import documentation

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [*shell_blocks.PAGES, *shell_blocks.API.glob("*.md"), ROOT / "CHANGELOG.md"]


def examples_of(path):
    """Return the Python blocks of a page that run, without blocks that show a file or are marked `py`."""
    return [block for block in blocks_of(path, "python") if not re.match(r"# \w+\.py\n", block)]


WITH_EXAMPLES = [path for path in shell_blocks.PAGES if examples_of(path)]


def relative(path):
    return path.relative_to(ROOT).as_posix()


def run(*arguments, timeout=600, cwd=ROOT, **environment):
    """Run Python in a separate process, because other tests register scenarios in this one."""
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
    """Generate the pages, build the site, and return the finished process, the pages' folder and the site's folder."""
    folder = tmp_path_factory.mktemp("docs")
    # For one game of each scenario, plain Python is faster than compiling.
    options = ("--check", "--out", str(folder / "source"), "--site", str(folder / "site"), "--no-execute")
    done = run("-m", "catan_training.cli", "docs", *options, timeout=1200, NUMBA_DISABLE_JIT="1")
    return done, folder / "source", folder / "site"


@pytest.mark.slow
def test_everything_is_generated_and_tracked_pictures_are_up_to_date(checked):
    done, source, _ = checked
    assert done.returncode == 0, done.stdout + done.stderr
    names = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    assert names == {*documentation.written(), *generated_here(), documentation.MARK}


def generated_here():
    """Return the paths of generated pages, from a process in which no test has registered scenarios."""
    done = run(
        "-c",
        "import catan_env; from catan_training.cli import make_parser; from tools.documentation import generated\n"
        "print(*generated(make_parser()))",
    )
    return done.stdout.split()


def test_every_scenario_has_a_page_and_a_picture():
    done = run("-c", "import catan_env; print(*catan_env.scenarios())")
    names, made = done.stdout.split(), generated_here()
    assert len(names) > 30 and {f"reference/scenarios/{name}.md" for name in names} < set(made)
    assert {f"images/{name}.svg" for name in names} < set(made)


def test_authors_find_every_event_question_and_number():
    done = run(
        "-c",
        "import catan_env; from tools.pages.rule_words import words_page; from catan_env.games import vocabulary\n"
        "from catan_env.engine.declare import Event, Question; text = words_page()\n"
        "words = [name for name, value in vars(vocabulary).items() if isinstance(value, (Event, Question))]\n"
        "modules = {m for s in catan_env.scenarios().values() for m in s.modules}\n"
        "numbers = [number.name for module in modules for number in getattr(module, 'NUMBERS', ())]\n"
        "print(*[name for name in (*words, *numbers) if f'| `{name}` |' not in text], len(words), len(set(numbers)))",
    )
    *missing, words, numbers = done.stdout.split()
    assert not missing and int(words) > 50 and int(numbers) > 150, done.stderr


@pytest.fixture
def two_pages(monkeypatch, tmp_path):
    """Return a folder with documentation: one written page, one generated page and one tracked picture."""
    docs = tmp_path / "docs"
    (docs / "images").mkdir(parents=True)
    (docs / "guide.md").write_text("guide\n", "utf-8")
    (docs / "conf.py").write_text("", "utf-8")
    (docs / "images" / "base.svg").write_text("older\n", "utf-8")
    made = {"ladder.md": lambda: "ladder\n", "images/base.svg": lambda: "picture\n"}
    monkeypatch.setattr(documentation, "DOCS", docs)
    monkeypatch.setattr(documentation, "NOTEBOOKS", tmp_path / "none")
    monkeypatch.setattr(documentation, "TRACKED", ("images/base.svg",))
    monkeypatch.setattr(documentation, "generated", lambda parser: made)
    return tmp_path


def test_sources_are_written_once_and_without_leftovers(two_pages):
    out = two_pages / "out"
    stale = documentation.write_sources(out, make_parser())
    assert stale == ["images/base.svg"] and (two_pages / "docs/images/base.svg").read_text() == "older\n"
    documentation.update_tracked(out, stale)
    assert (two_pages / "docs/images/base.svg").read_text() == "picture\n"
    (out / "old.md").write_text("a page of a scenario that is gone\n", "utf-8")
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.md")}
    assert documentation.write_sources(out, make_parser()) == []
    left = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    assert set(left) == {"guide.md", "ladder.md", "images/base.svg", documentation.MARK}
    assert all(path.stat().st_mtime_ns == times[path] for path in left.values() if path.suffix == ".md")


def test_a_folder_with_other_files_is_not_touched(two_pages):
    mine = two_pages / "mine"
    mine.mkdir()
    (mine / "thesis.md").write_text("mine\n", "utf-8")
    with pytest.raises(OptionError, match="other files"):
        documentation.write_sources(mine, make_parser())
    assert [path.name for path in mine.iterdir()] == ["thesis.md"]


def test_without_a_checkout_the_commands_say_what_to_do(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(checkout, "CHECKOUT", tmp_path)
    for command in (["docs"], ["measure", "base"], ["ladder", "base"]):
        assert cli.main(command) == 2
        assert "Clone it" in capsys.readouterr().err


# -- file sizes ------------------------------------------------------------------------------------------------

NETWORKS = "agents/catan_agents/pretrained/"
MOST_BYTES_BESIDE_SOURCE, MOST_OF_A_FILE = 1_500_000, 60_000
MOVING_PICTURE, MOST_OF_A_MOVING_PICTURE = "docs/images/base_game.svg", 115_000


def tracked_sizes():
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]
    return {name: (ROOT / name).stat().st_size for name in names if not name.startswith(NETWORKS)}


def test_tracked_files_are_small():
    sizes = tracked_sizes()
    assert sum(size for name, size in sizes.items() if not name.endswith(".py")) < MOST_BYTES_BESIDE_SOURCE
    assert sizes.pop(MOVING_PICTURE, 0) <= MOST_OF_A_MOVING_PICTURE
    large = {name: size for name, size in sizes.items() if size > MOST_OF_A_FILE}
    assert not large, f"generate these with `catan docs`, or compress them: {large}"


def test_nothing_generated_is_tracked():
    tracked = {name.removeprefix("docs/") for name in tracked_sizes() if name.startswith("docs/")}
    assert tracked & set(generated_here()) == set(documentation.TRACKED)


# -- links -----------------------------------------------------------------------------------------------------

FENCE = re.compile(r"^(`{3,}|~{3,}|:{3,}).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(path):
    """Return the anchors that GitHub and the site give to the headings of a page."""
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


QUOTED_PAGE = re.compile(r"`([\w./-]+\.md)(?:#[\w-]+)?`")


def test_quoted_names_of_pages_are_pages_of_the_site():
    """The site turns these names into links. Generated pages have no other address."""
    site, quoted = {*documentation.written(), *generated_here()}, 0
    for path in DOCS.rglob("*.md"):
        for name in QUOTED_PAGE.findall(FENCE.sub("", path.read_text("utf-8"))):
            if path.name != "CHANGELOG.md" and name not in NO_PAGES:
                assert name in site, f"{relative(path)}: {name}"
                quoted += 1
    assert quoted > 5


NO_PAGES = {"report.md"}
"""Files that commands write for their users."""


def test_python_files_that_pages_name_exist():
    """If a file is not in the repository, the page shows it, with its name in the first line."""
    tracked = ["/" + name for name in tracked_sizes()]
    for path in PAGES:
        text = path.read_text("utf-8")
        for name in re.findall(r"`([\w/]+\.py)`", FENCE.sub("", text)):
            shown = re.search(rf"^# {re.escape(name)}\b", text, re.MULTILINE)
            assert shown or any(file.endswith(f"/{name}") for file in tracked), f"{relative(path)}: {name}"


def test_every_page_is_of_one_kind():
    kinds = {"tutorials", "how-to", "reference", "explanation", "notes", "notebooks"}
    pages = {name for name in (*documentation.written(), *generated_here()) if name.endswith((".md", ".ipynb"))}
    assert {name for name in pages if name.split("/")[0] not in kinds} == {"index.md"}


def test_the_link_checker_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a.md").write_text("# A page\n## `some_name` and more\n", "utf-8")
    (tmp_path / "b.md").write_text(
        "[1](a.md) [2](a.md#some_name-and-more) [3](https://example.org) `[4](none.md)`\n"
        "```python\nx = y[0](none.md)\n```\n[5](none.md) [6](a.md#other) [7](../outside.md) [8](#nowhere)\n",
        "utf-8",
    )
    assert list(broken_links(tmp_path / "b.md")) == ["none.md", "a.md#other", "../outside.md", "#nowhere"]


def test_the_description_of_the_package_has_absolute_links_to_these_files():
    """Package indexes show only absolute links, which need the repository's address in `[project.urls]`."""
    pytest.importorskip("hatchling")
    from hatch_build import Description

    metadata = {"urls": {"Source": "https://example.org/someone/catan-env"}}
    Description(str(ROOT), {}).update(metadata)
    text = metadata["readme"]["text"]
    links = re.findall(r"""(?:\]\(|src=")([^)"\s]+)""", text)
    assert len(links) > 10 and all(link.startswith(("https://", "#")) for link in links)
    files = [link.split("/HEAD/")[1] for link in links if link.startswith("https://example.org/someone/catan-env/")]
    assert len(files) > 10 and all((ROOT / file).exists() for file in files)
    assert '<img src="https://example.org/someone/catan-env/raw/HEAD/docs/images/base_game.svg"' in text
    plain = {}
    Description(str(ROOT), {}).update(plain)
    assert plain["readme"]["text"] == (ROOT / "README.md").read_text("utf-8")


# -- examples --------------------------------------------------------------------------------------------------


def in_its_own_group(path):
    """Return a test case with its own xdist group, so that it does not wait for other tests of this file."""
    return pytest.param(path, id=relative(path), marks=pytest.mark.xdist_group(relative(path)))


@pytest.mark.slow
@pytest.mark.parametrize("path", map(in_its_own_group, WITH_EXAMPLES))
def test_examples_run(path, tmp_path):
    """Run the Python blocks of a page in order, in a folder with the files that its other blocks show.

    The test replaces numbers of three or more digits by 8.
    """
    write_files_of(path, tmp_path)
    script = tmp_path / "examples.py"
    script.write_text(re.sub(r"(?<![\w.\"'-])\d[\d_]{2,}\b", "8", "\n".join(examples_of(path))), "utf-8")
    plain = {"NUMBA_DISABLE_JIT": "1"} if "export NUMBA_DISABLE_JIT=1" in path.read_text("utf-8") else {}
    done = run(str(script), cwd=tmp_path, **plain)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_commands_of_pages_are_commands(path):
    for command in commands_of(path):
        make_parser().parse_args(shlex.split(command)[1:])  # exits with a message if there is no such option


def test_the_pages_show_many_commands():
    assert sum(1 for path in PAGES for _ in commands_of(path)) > 50


# -- the site --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_site_builds_without_a_warning(checked):
    done, _, site = checked
    assert "WARNING" not in done.stderr and (site / "index.html").is_file(), done.stderr
    pages = [p.read_text("utf-8") for p in site.rglob("*.html")]
    assert not [text for text in pages if re.search(r"<(script|link|img)[^>]+(src|href)=\"https?://", text)]
    assert re.search(
        r'href="../reference/ladder.html"[^>]*><span[^>]*>Ladder<', (site / "how-to/tournament.html").read_text("utf-8")
    )


@pytest.mark.slow
@pytest.mark.skipif(not executable(), reason="no Chromium is installed")
def test_pages_are_as_wide_as_their_window_and_have_their_pictures(checked):
    """Wide tables scroll inside the page, also on phones."""
    _, _, site = checked
    with Page((site / "index.html").as_uri()) as page:
        for file in sorted(site.rglob("*.html")):
            page.visit(file.as_uri())
            assert not page.run("[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"), file
            for width in (390, 800, 1400):
                page.resize(width)
                widest = page.run("document.documentElement.scrollWidth")
                assert widest <= width, f"{file.relative_to(site)} is {widest} pixels wide in a window of {width}"


@pytest.mark.slow
@pytest.mark.skipif(not executable(), reason="no Chromium is installed")
def test_a_phone_opens_the_contents_and_steps_through_a_game(checked):
    _, _, site = checked
    with Page((site / "tutorials/first_game.html").as_uri()) as page:
        page.resize(390)
        drawer = "document.querySelector('.sidebar-drawer').getBoundingClientRect()"
        assert page.run(f"{drawer}.right") <= 0
        page.click(".mobile-header label")
        page.wait(f"{drawer}.left === 0")
        assert 0 < page.run(f"{drawer}.width") < 390 and not page.run("getSelection().toString()")
        address = page.run("document.querySelector('iframe.game').src")
    with Page(address) as game:
        game.resize(390)
        before = game.run("document.body.innerText")
        for _ in range(5):
            game.press("ArrowRight")
        assert game.run("document.body.innerText") != before and game.errors == []


def test_a_broken_link_fails_the_build(tmp_path):
    pytest.importorskip("sphinx")
    (tmp_path / "conf.py").write_text('extensions = ["myst_nb"]\n', "utf-8")
    (tmp_path / "index.md").write_text("# Title\n[gone](gone.md)\n", "utf-8")
    done = run(
        "-c",
        "import sys; from pathlib import Path; from tools.documentation import build_site\n"
        "folder = Path(sys.argv[1]); sys.exit(0 if build_site(folder, folder / 'site', False, folder) else 1)",
        str(tmp_path),
    )
    assert done.returncode == 1 and "gone.md" in done.stderr
