"""Bridges to other Catan engines. `mirror` contains the shared code; each bridge needs an extra."""
