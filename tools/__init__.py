"""Tools that generate the repository's documentation: measurements, pages, pictures and the site. Not installed."""
