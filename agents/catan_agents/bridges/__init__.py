"""Bridges to other Catan engines. `mirror` holds the shared part; each other module needs an extra."""
