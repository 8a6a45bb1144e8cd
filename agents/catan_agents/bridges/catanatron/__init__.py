"""The bridge to catanatron. `CatanEnvPlayer` lets our agents play in its games.

Importing this package imports catanatron, which is licensed under the GPL-3; see `library`.
"""

from catan_agents.bridges.catanatron.player import CatanEnvPlayer

__all__ = ["CatanEnvPlayer"]
