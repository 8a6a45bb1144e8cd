"""`catan docs`."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_training.cli.checkout import tool

SUMMARY = "write the generated pages of the documentation, or check or build it"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "--folder", default="docs", metavar="FOLDER", help="the documentation's sources (default: docs)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is missing or stale")
    parser.add_argument("--site", metavar="FOLDER", help="also build the site there")
    parser.add_argument(
        "--execute", action=argparse.BooleanOptionalAction, default=True, help="run the notebooks for the site"
    )


def run(options: argparse.Namespace) -> int:
    """Writes or checks; the status is 1 if something is stale or the site was not built."""
    import catan_env  # noqa: F401

    documentation = tool("documentation")
    folder = Path(options.folder)
    if options.check:
        found = documentation.problems(folder, options.parser)
        print("\n".join([*found, "Run `catan docs`."]) if found else "All generated pages are up to date.")
    else:
        found = []
        for path in documentation.write_all(folder, options.parser):
            print(f"wrote {path}" if path.exists() else f"removed {path}")
    built = not options.site or documentation.build_site(folder, Path(options.site), options.execute)
    return 1 if found or not built else 0
