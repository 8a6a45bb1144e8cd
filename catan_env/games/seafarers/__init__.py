"""Seafarers: ships, the pirate, gold, fog, islands; and what sails on them."""
