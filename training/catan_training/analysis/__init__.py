"""Analysis of recorded games: win probabilities, costly moves and luck."""
