"""An engine for any turn-based game: declarations, composition, decision stack, chance, batches, logs."""
