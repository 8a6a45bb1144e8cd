"""Game datasets: one row per decision in Parquet files, written by `catan generate` and readable without an engine."""
