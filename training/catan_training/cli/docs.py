"""The `catan docs` command."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_training.cli.checkout import tool

SUMMARY = "generate pages and pictures of the documentation and build the site (in a checkout of the repository)"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--out",
        default="build/docs-source",
        metavar="FOLDER",
        help="folder for written and generated pages (default: build/docs-source)",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="fail if a tracked picture or page in docs is stale instead of updating it",
    )
    parser.add_argument("--site", metavar="FOLDER", help="folder for the built site (default: do not build it)")
    parser.add_argument(
        "--execute",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="run the notebooks for the site (default: run them)",
    )


def run(options: argparse.Namespace) -> int:
    """Write the pages and build the site. The exit status is 1 if a tracked file is stale or the site has errors."""
    import catan_env  # noqa: F401

    documentation = tool("documentation")
    out = Path(options.out)
    stale = documentation.write_sources(out, options.parser)
    print(f"{out}: pages and pictures")
    if not options.check:
        documentation.update_tracked(out, stale)
    for name in stale:
        print(f"docs/{name} is stale; run `catan docs`." if options.check else f"wrote docs/{name}")
    built = not options.site or documentation.build_site(out, Path(options.site), options.execute)
    if options.site and built:
        print(Path(options.site) / "index.html")
    return 1 if (stale and options.check) or not built else 0
