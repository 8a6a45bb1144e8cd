"""Tools that generate this repository's documentation: measurements, pages, pictures and the site. Not installed."""
