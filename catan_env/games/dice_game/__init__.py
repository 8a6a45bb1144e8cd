"""Rule modules of the dice game and the dice game Plus, one idea a file."""
