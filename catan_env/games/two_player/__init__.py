"""CATAN for Two: neutral colors, trade tokens, and two rolls per turn."""
