"""Blocks of the API pages, generated from signatures and docstrings without importing the code.

Each page in `docs/reference/api` contains markers, each followed by its generated block:

    <!-- api: catan_env.BatchEngine -->
    ...
    <!-- end -->

A marker names a module, class or function. Any names after it, as in `catan_env.Scenario sizes names`, limit the
members; "-" hides them all. Headings in a block are one level below the last heading before it. Everything outside the
blocks is written by hand. `catan docs` updates the pages; `python -m tools.pages.api` updates only these pages.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import catan_env
from catan_env.errors import MissingExtraError
from tools.pages.markdown import table

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reference" / "api"
PACKAGES = ("catan_env", "catan_agents", "catan_training")
BLOCK = re.compile(r"(<!-- api: (?P<target>[\w.]+)(?P<members>[^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
CODE = re.compile(r"(`+[^`]*`+)")
KINDS = {"parameters": "Argument", "attributes": "Attribute", "raises": "Error"}
"""Docstring sections that are rendered as tables, with the title of the first column."""
PLAIN = ("Protocol", "NamedTuple", "Generic", "Struct")
"""Base classes that are of no interest to users of a class."""


@cache
def packages() -> Any:
    """Read the source code of all packages, once.

    Raises:
        MissingExtraError: the extra "docs" is not installed.
    """
    try:
        import griffe
    except ImportError as error:
        raise MissingExtraError("The API pages need griffe: pip install 'catan-env[docs]'.") from error
    logging.getLogger("griffe").setLevel(logging.ERROR)  # griffe warns about entries for several arguments
    folders = [ROOT, ROOT / "agents", ROOT / "training"]
    loader = griffe.GriffeLoader(search_paths=folders, docstring_parser="google", allow_inspection=False)
    for package in PACKAGES:
        loader.load(package)
    loader.resolve_aliases(external=False)
    return loader.modules_collection


def find(target: str) -> Any:
    """Return the module, class or function with this dotted name.

    Raises:
        KeyError: there is no such object.
    """
    found = packages()[target]
    if (
        found.is_module and found.canonical_path != target
    ):  # a package may import a function from a module of the same name
        return found[found.name]
    return found


def refreshed(page: str) -> str:
    """Return the text of a page, with its blocks updated.

    Raises:
        KeyError: a marker names an object that does not exist.
        MissingExtraError: the extra "docs" is not installed.
    """

    def fresh(match: re.Match[str]) -> str:
        *_, heading = HEADING.findall(BLOCK.sub("", page[: match.start()]))
        content = block(match["target"], match["members"].split(), len(heading) + 1)
        return f"{match[1]}\n{content}\n{match[4]}"

    return BLOCK.sub(fresh, page)


def block(target: str, members: Iterable[str] = (), level: int = 2) -> str:
    """Return the Markdown for a module, class or function, with headings starting at `level`."""
    documented, chosen = find(target), list(members)
    if documented.is_module:
        parts = [_text(documented), *_members(documented, chosen, level)]
    else:
        parts = [*_entry(documented, target, level)]
        parts += _members(documented, chosen, level + 1) if documented.is_class else ()
    return "\n\n".join(filter(None, parts)) + "\n"


def _members(owner: Any, chosen: list[str], level: int, inherited: bool = True) -> Iterator[str]:
    """Document the public members: attributes as a table, then classes and functions."""
    members = owner.all_members if owner.is_class and inherited else owner.members
    shown = {
        name: member
        for name, member in members.items()
        if (name in chosen if chosen else not name.startswith("_")) and _is_documented(name, member, owner)
    }
    values = [(f"`{name}`", _cell(member.docstring.value)) for name, member in shown.items() if member.is_attribute]
    if values:
        yield table(("Attribute", "Meaning"), values)
    for name, member in shown.items():
        if not member.is_attribute:
            yield from _entry(member, f"{owner.name}.{name}" if owner.is_class else name, level)
            if member.is_class:
                yield from _members(member, [], level + 1, inherited=False)


def _is_documented(name: str, member: Any, owner: Any) -> bool:
    """Return whether a member has a docstring and is not merely imported."""
    imported = member.is_alias and not owner.is_class and name not in (owner.exports or ())
    return not imported and not member.is_module and member.docstring is not None


def _entry(documented: Any, name: str, level: int) -> Iterator[str]:
    """Return the heading, signature and docstring of a class or function."""
    yield f"{'#' * level} `{name}`"
    if documented.is_function or (documented.is_class and documented.parameters):
        yield f"```python\n{_signature(documented)}\n```"
    bases = (
        [str(base) for base in documented.bases if str(base).split("[")[0] not in PLAIN] if documented.is_class else []
    )
    yield _text(documented)
    yield f"Inherits from {', '.join(f'`{base}`' for base in bases)}." if bases else ""
    yield from map(_options, documented.decorators if not documented.is_attribute else ())


def _options(decorator: Any) -> str:
    """Return the table of the options that `catan_env.envs.options.documented` adds to an environment."""
    kind = re.match(r"documented\(['\"](\w+)", str(decorator.value))
    if kind is None:
        return ""
    rows = ((f"`{one.name}`", f"`{one.default!r}`", _cell(one.meaning)) for one in catan_env.spec(kind[1]).options)
    return table(("Option", "Default", "Meaning"), rows)


def _signature(documented: Any) -> str:
    """Return the signature on one line or, if it is long, with one parameter per line."""
    text = documented.signature()
    if len(text) <= 100:
        return text
    head, _, rest = text.partition("(")
    parameters, _, result = rest.rpartition(")")
    lines = [f"    {parameter}," for parameter in _split(parameters)]
    return "\n".join([f"{head}(", *lines, f"){result}"])


def _split(parameters: str) -> Iterator[str]:
    """Split a string at commas that are not inside brackets or quotes."""
    depth, start, quote = 0, 0, ""
    for k, character in enumerate(parameters):
        if quote or character in "\"'":
            quote = "" if character == quote else quote or character
        elif character in "[({":
            depth += 1
        elif character in "])}":
            depth -= 1
        elif character == "," and depth == 0:
            yield parameters[start:k].strip()
            start = k + 1
    yield parameters[start:].strip()


def _text(documented: Any) -> str:
    """Return an object's docstring as Markdown."""
    sections = documented.docstring.parsed if documented.docstring else []
    return "\n\n".join(filter(None, map(_section, sections)))


def _section(section: Any) -> str:
    kind = section.kind.value
    if kind == "text":
        return _escaped(section.value)
    if kind in KINDS:
        return table((KINDS[kind], "Meaning"), ((name_of(one), _cell(one.description)) for one in section.value))
    if kind in ("returns", "yields"):
        return f"**{kind.title()}:** " + " ".join(_cell(one.description) for one in section.value)
    return ""


def name_of(entry: Any) -> str:
    """Return the name of an argument or attribute, or the names of exceptions."""
    name = getattr(entry, "name", "") or str(entry.annotation).strip("()")
    if name.endswith(","):  # given several names, griffe mistakes the second for a type
        name += str(entry.annotation)
    return ", ".join(f"`{part.strip()}`" for part in name.split(","))


def _cell(text: str) -> str:
    """Join text into one line, with line breaks between list items."""
    return " ".join(re.sub(r"\n\s*- ", "<br>- ", _escaped(text)).split())


def _escaped(text: str) -> str:
    """Escape characters outside of code that Markdown would interpret as markup."""
    parts = CODE.split(text)
    return "".join(part if k % 2 else re.sub(r"([*<])", r"\\\1", part) for k, part in enumerate(parts))


def main() -> None:
    """Update the pages and print the names of those that changed."""
    for path in sorted(FOLDER.glob("*.md")):
        page = path.read_text("utf-8")
        if (fresh := refreshed(page)) != page:
            path.write_text(fresh, "utf-8")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
