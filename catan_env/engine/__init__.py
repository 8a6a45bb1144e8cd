"""The machine, for any turn-based game: declarations, composition, decision queue, chance, batches, logs."""
