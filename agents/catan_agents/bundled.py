"""Where what comes along lies: trained agents, and weights that were tuned."""

from pathlib import Path

PRETRAINED = Path(__file__).parent / "pretrained"
CHECKPOINT_FILE, VALUE_FILE = "checkpoint.json", "value.safetensors"
"""The file in the folder of a trained agent that says what it is: one that chooses, or a value network."""
TUNED = Path(__file__).parent / "search" / "tuned"
