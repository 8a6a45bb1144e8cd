"""Where what comes along lies: trained agents, and weights that were tuned."""

from pathlib import Path

PRETRAINED = Path(__file__).parent / "pretrained"
TUNED = Path(__file__).parent / "search" / "tuned"
