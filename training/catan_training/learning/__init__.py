"""Train policy networks, value networks and evaluation weights."""
