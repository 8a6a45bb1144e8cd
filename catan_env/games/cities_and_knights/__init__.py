"""Rules of Cities & Knights."""
