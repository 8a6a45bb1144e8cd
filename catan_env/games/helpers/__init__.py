"""Helpers: a card for each player, used once or twice and then exchanged for another."""
