"""The `catan new` command."""

from __future__ import annotations

import argparse
import keyword
import re
from pathlib import Path
from string import Template

from catan_env.errors import OptionError

SUMMARY = "write a small package with a variant: rules, scenario file, drawing, scores, tests"
TEMPLATES = Path(__file__).resolve().parent.parent / "variant_template"
ENDING = ".template"
NAME = re.compile(r"[a-z][a-z0-9_]*")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("name", metavar="NAME", help="name of scenario and package: small letters, digits, underscores")
    parser.add_argument("--title", help="title of the scenario (default: NAME in words)")
    parser.add_argument("--out", metavar="FOLDER", help="folder to create (default: NAME)")


def run(options: argparse.Namespace) -> int:
    """Write the package and print the commands to run next."""
    folder = write_package(options.name, Path(options.out or options.name), options.title or "")
    print(f"{folder} holds the variant {options.name!r}. Next:\n  cd {folder}")
    print(f"  catan check {options.name} --import {options.name}\n  python -m pytest")
    return 0


def write_package(name: str, folder: Path, title: str = "") -> Path:
    """Write a package containing a variant that passes all checks, and return its folder.

    Args:
        name: name of both the scenario and the package.
        folder: the folder to create.
        title: the scenario's title; if "", the name is converted to words.

    Raises:
        OptionError: the name is not a valid package name or is already taken, or the folder exists.
    """
    check_name(name)
    if folder.exists():
        raise OptionError(f"{folder} exists already; give another folder with --out, or another name.")
    title = title or name.replace("_", " ").capitalize()
    if re.search(r'["\\\n]', title):
        raise OptionError(f"title is {title!r}; it must be one line without quotes and backslashes.")
    names = {"name": name, "package": name.replace("_", "-"), "title": title}
    for template in sorted(TEMPLATES.rglob(f"*{ENDING}")):
        path = folder / _place_of(template, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template(template.read_text("utf-8")).substitute(names), "utf-8")
    return folder


def check_name(name: str) -> None:
    """Raise OptionError unless the name is valid for a scenario and a package."""
    import catan_env

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise OptionError(f"{name!r} cannot be the name of a package; use small letters, digits and underscores.")
    if name in catan_env.scenarios():
        raise OptionError(f"A scenario has the name {name!r} already; choose another.")


def _place_of(template: Path, name: str) -> Path:
    """Return a template's path in the new package, with the folder and scenario file renamed after the package."""
    parts = list(template.relative_to(TEMPLATES).parts)
    parts[-1] = parts[-1].removesuffix(ENDING).replace("scenario.toml", f"{name}.toml")
    return Path(*[name if part == "package" else part for part in parts])
