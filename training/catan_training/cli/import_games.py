"""The `catan import` command."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from catan_training.cli.options import add_rules

SUMMARY = "turn games of other programs into replay logs: catanatron, colonist.io, catanlog, JSettlers"
MOST_PRINTED = 10


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="game files, or folders with such files: JSON of catanatron (release 3.2.1 and its repository), replays "
        "of colonist.io, .catan text of catanlog, .soclog logs of JSettlers",
    )
    parser.add_argument("--out", metavar="FOLDER", help="folder for the logs (default: next to each file)")
    parser.add_argument(
        "--partial",
        action="store_true",
        help="also write games that cannot be imported to their end, up to the record that stops them",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the cards and rolls that a file leaves out (default: 0)"
    )
    add_rules(parser)


def run(options: argparse.Namespace) -> int:
    """Import the files. The exit status is 1 if any of them cannot be imported."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_env.errors import GameImportError
    from catan_training.importing.files import files_in, import_game, output_of
    from catan_training.json_files import write_json
    from catan_training.tables import print_table

    files = files_in(options.files)
    counts: Counter[tuple[str, str]] = Counter()
    records: Counter[str] = Counter()
    refused = 0
    for file in files:
        try:
            found = import_game(file, dict(options.rules), options.partial, options.seed)
        except GameImportError as error:
            refused += 1
            print(f"catan import: {error}", file=sys.stderr)
            continue
        path = output_of(file, Path(options.out) if options.out else None)
        write_json(path, found.log)
        program = found.source["format"]
        counts[program, found.kind] += 1
        records[program] += found.records
        if sum(counts.values()) <= MOST_PRINTED:
            filled = ", ".join(f"{kind} {count}" for kind, count in found.source["filled"].items())
            print(f"{path}  (filled in: {filled})" if filled else path)
        if found.problem:
            print(f"catan import: {found.problem} The log ends before it.", file=sys.stderr)
    kinds = ("exact", "filled", "partial")
    rows = [[name, *(str(counts[name, kind]) for kind in kinds), str(records[name])] for name in sorted(records)]
    if len(files) > 1:
        print_table([["format", *kinds, "records"], *rows], f"{len(files) - refused} of {len(files)} games imported")
    return 1 if refused else 0
