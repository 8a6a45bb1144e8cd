"""Checking the engine: how fast it is, and whether long random play keeps everything that must hold."""
