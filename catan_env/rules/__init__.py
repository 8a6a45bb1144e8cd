"""Rule modules: one system a file, none of which knows the scenario it is in."""
