"""The bridge to fastcatan, which makes its alpha-beta player an agent and runs games on its engine.

`opponents` lets its player join our games, and `table` lets our agents join its games. fastcatan is published under the
MIT license and is imported only when a bridge is used; see `library`.
"""
