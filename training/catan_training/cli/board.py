"""`catan board`."""

from __future__ import annotations

import argparse

SUMMARY = "check a map file and say all that is wrong with it"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("what", choices=("check",), help="check: whether the file describes a board to play on")
    parser.add_argument("file", metavar="FILE", help="a map file, .toml (hex grid) or .json (graph)")


def run(options: argparse.Namespace) -> int:
    """Checks; the status is 1 if anything is wrong."""
    from catan_env.board import check_file, load_map

    if problems := check_file(options.file):
        print("\n".join(problems))
        print(f"{options.file}: {len(problems)} {'error' if len(problems) == 1 else 'errors'}")
        return 1
    board_map = load_map(options.file)
    sizes = ", ".join(f"{axis} {length}" for axis, length in board_map.sizes.items())
    print(f"{options.file}: map {board_map.name} is in order ({board_map.status}; {sizes})")
    return 0
