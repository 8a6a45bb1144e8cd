"""The bridge to fastcatan, which provides its alpha-beta player as an agent and runs games on its engine.

`opponents` lets the fastcatan player join our games, and `table` lets our agents join fastcatan games. fastcatan is
published under the MIT license and is imported only when a bridge is used; see `library`.
"""
