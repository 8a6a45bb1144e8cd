"""An engine for turn-based games: declarations, composition, the decision stack, chance, batches and logs."""
