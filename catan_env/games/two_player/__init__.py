"""CATAN for Two: neutral colors, trade tokens, two rolls a turn."""
