"""Play in the browser: tables with people and agents, served to web pages.

`catan play` starts the server. Everything that a page shows and sends follows from the declarations of a scenario, so a
registered scenario and a scenario file are played in the same way. Needs the extra "play".
"""
