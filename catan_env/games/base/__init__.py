"""The base game for two to six players."""
