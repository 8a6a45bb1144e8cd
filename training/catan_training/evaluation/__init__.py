"""Comparing agents: games over all orders of seats, win rates with their intervals, tables of results."""
