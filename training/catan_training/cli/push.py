"""The `catan push` command."""

from __future__ import annotations

import argparse

SUMMARY = "publish a trained agent with a model card on the Hugging Face hub, or write both to a folder"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "agent", metavar="AGENT", help="bundled agent, or the folder of a checkpoint, training run or value network"
    )
    parser.add_argument("repo", metavar="REPO", help="repository user/name, or a folder that begins with ./ or /")
    parser.add_argument("--license", metavar="NAME", help="license in the model card, such as mit (default: none)")
    parser.add_argument("--private", action="store_true", help="make a repository that is created private")
    parser.add_argument("--message", metavar="TEXT", help="message of the commit (default: the agent's name)")


def run(options: argparse.Namespace) -> int:
    """Publish the agent and print its address."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_agents.hub import push

    print(push(options.agent, options.repo, options.license, options.private, options.message))
    return 0
