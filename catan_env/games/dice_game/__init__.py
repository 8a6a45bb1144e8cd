"""The dice game and the dice game Plus."""
