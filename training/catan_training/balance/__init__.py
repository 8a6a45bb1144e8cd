"""Balance studies of seat advantage, game length and what sets winners apart, with intervals and data."""
