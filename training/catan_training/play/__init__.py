"""Play in the browser: tables with people and agents, served as web pages.

`catan play` starts the server. Everything that a page shows and sends is derived from the scenario's declarations, so
registered scenarios and scenario files work the same way. Requires the extra "play".
"""
