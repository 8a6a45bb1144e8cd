"""Analysis of recorded games: chances to win, costly moves and luck."""
