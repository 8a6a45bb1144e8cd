"""Writing pages and pictures: of single games, and the generated pages of the documentation."""
