"""Frenemies: favor tokens reward kindness to other players."""
