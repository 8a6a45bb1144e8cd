"""The API pages: signatures and docstrings fill their blocks, and every public name and attribute is shown."""

import re
from pathlib import Path

import pytest

import catan_env

griffe = pytest.importorskip("griffe")

from tools import documentation  # noqa: E402 (after the library that it needs)
from tools.pages import api  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
PAGES = {name: (documentation.DOCS / name).read_text("utf-8") for name in documentation.API}
TARGETS = [match["target"] for page in PAGES.values() for match in api.BLOCK.finditer(page)]


@pytest.mark.parametrize("name", PAGES)
def test_the_tracked_pages_are_up_to_date(name):
    assert api.refreshed(PAGES[name]) == PAGES[name], f"docs/{name} is stale; run `python -m tools.pages.api`"


def test_every_public_name_of_the_package_has_a_place():
    text = "\n".join(PAGES.values())
    missing = [name for name in catan_env.__all__ if name[0].isalpha() and f"`{name}`" not in text]
    missing = [name for name in missing if not re.search(rf"`(?:\w+\.)+{name}`", text)]
    assert not [name for name in missing if name not in ("encoders", "envs", "errors", "render", "replay_steps")]


def test_a_block_replaces_an_older_one_one_heading_further_down():
    page = "# Engine\n\n## Making games\n\n<!-- api: catan_env.make -->\nolder\n## heading\n<!-- end -->\n\nby hand\n"
    fresh = api.refreshed(page)
    assert "older" not in fresh and fresh.endswith("<!-- end -->\n\nby hand\n")
    assert "\n### `catan_env.make`\n\n```python\nmake(" in fresh and "| Argument | Meaning |" in fresh


def test_members_can_be_chosen_or_hidden():
    whole, some, none = (api.block("catan_env.BatchEngine", chosen) for chosen in ([], ["step"], ["-"]))
    assert "`BatchEngine.reset`" in whole and "`BatchEngine.step`" in whole
    assert "`BatchEngine.step`" in some and "`BatchEngine.reset`" not in some and "BatchEngine.step" not in none


def test_environments_show_their_options():
    assert "| Option | Default | Meaning |" in api.block("catan_env.envs.CatanEnv")
    assert "| `illegal_penalty` |" in api.block("catan_env.envs.CatanEnv")


def test_an_unknown_name_is_an_error():
    with pytest.raises(KeyError):
        api.refreshed("# Title\n\n<!-- api: catan_env.Enigne -->\n<!-- end -->\n")


def public_classes():
    """Return the classes that the pages show: markers name them or the modules that contain them."""
    found = {}
    for target in TARGETS:
        one = api.find(target)
        members = [one] if one.is_class else one.members.values() if one.is_module else ()
        for member in members:
            if not (member.is_alias and one.is_module) and member.is_class and member.is_public:
                found[member.canonical_path] = member
    return found


def listed_attributes(one):
    sections = [section for each in (one, *one.mro()) if each.docstring for section in each.docstring.parsed]
    entries = [entry for section in sections if section.kind.value == "attributes" for entry in section.value]
    return {name for entry in entries for name in re.findall(r"\w+", api.name_of(entry))}


def test_help_shows_every_public_attribute():
    """`help()` shows properties, but it shows an attribute set in `__init__` only if the docstring lists it."""
    classes, hidden = public_classes(), {}
    assert len(classes) > 50
    for path, one in classes.items():
        if "Extractor" in path:  # layers of a network
            continue
        named = listed_attributes(one) | {parameter.name for parameter in one.parameters if "dataclass" in one.labels}
        names = [
            name
            for name, member in one.all_members.items()
            if member.is_attribute and member.labels == {"instance-attribute"} and member.value and name[0] != "_"
        ]
        if missing := [name for name in names if name not in named]:
            hidden[path] = missing
    assert not hidden
