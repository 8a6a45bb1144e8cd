"""Training of policy and value networks, and of evaluation weights."""
