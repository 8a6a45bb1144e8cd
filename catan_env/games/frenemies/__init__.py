"""Frenemies: favor tokens for being kind to one another."""
