"""Generated documentation pages."""
