"""What makes the repository's documentation: measurements, generated pages, pictures, the site. Not installed."""
