"""Evaluation of agents: games over all orders of seats, win rates with intervals, and tables of results."""
