"""Seafarers: ships, the pirate, gold fields, fog, islands, and the rules of its scenarios."""
