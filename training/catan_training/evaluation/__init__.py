"""Agent evaluation: games over all seat orders, win rates with intervals, and result tables."""
