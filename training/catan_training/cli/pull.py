"""The `catan pull` command."""

from __future__ import annotations

import argparse

SUMMARY = "copy an agent from the Hugging Face hub to a folder"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("repo", metavar="REPO", help="repository user/name, or a folder that begins with ./ or /")
    parser.add_argument("--out", metavar="FOLDER", help="new folder (default: the name of the repository)")
    parser.add_argument("--revision", metavar="NAME", help="branch, tag or commit (default: the newest)")


def run(options: argparse.Namespace) -> int:
    """Copy the agent and print its folder."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_agents.hub import pull

    print(pull(options.repo, options.out or options.repo.rstrip("/").rpartition("/")[2], options.revision))
    return 0
