"""Example scripts that train on the environments: other libraries' learners, and PPO in a single loop."""
