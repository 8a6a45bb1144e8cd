"""Balance studies: seat advantage, game length, and what distinguishes winners, with intervals and data."""
