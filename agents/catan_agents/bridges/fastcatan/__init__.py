"""The bridge to fastcatan: its alpha-beta player as an agent, and its engine as a table.

`opponents` has its player at our table, and `table` seats our agents at its table. fastcatan is published under the
MIT licence and is imported only when a bridge is used; see `library`.
"""
