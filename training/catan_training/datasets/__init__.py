"""Datasets of games: one row per decision in Parquet files, written by `catan generate` and read without an engine."""
