"""Helpers: each player has a card, uses it once or twice, and then exchanges it for another."""
