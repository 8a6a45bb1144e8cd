"""Trade partners: each player also builds for a second color and trades with it."""
