"""Game datasets: Parquet files with a row per decision, written by `catan generate` and readable without an engine."""
