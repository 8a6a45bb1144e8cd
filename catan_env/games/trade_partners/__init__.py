"""Trade partners: every player builds for a second color, and trades with it."""
