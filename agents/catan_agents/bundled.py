"""Paths of bundled files: pretrained agents and tuned weights."""

from pathlib import Path

PRETRAINED = Path(__file__).parent / "pretrained"
CHECKPOINT_FILE, VALUE_FILE = "checkpoint.json", "value.safetensors"
"""Files that identify a pretrained agent: the description of a policy network, or a value network."""
TUNED = Path(__file__).parent / "search" / "tuned"
