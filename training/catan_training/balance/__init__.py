"""Balance of scenarios: who wins from which seat, how long games last, what winners had, with intervals and data."""
