"""The `catan export` command."""

from __future__ import annotations

import argparse

SUMMARY = "write the network of a trained agent to an ONNX file, and check it in onnxruntime"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "agent", metavar="AGENT", help="bundled agent, or the folder of a checkpoint, training run or value network"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="ONNX file")


def run(options: argparse.Namespace) -> int:
    """Write the file and print the result of checking it."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_agents.onnx_export import CHECKED, export

    metadata = export(options.agent, options.out)
    print(f"{options.out}: outputs on {CHECKED} positions differ by at most {metadata['difference']:.1g}")
    return 0
