"""The generated pages of the documentation."""
