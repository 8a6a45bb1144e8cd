"""Learning, comparing agents, checking the engine, writing pages, and the command line `catan`: a room each.

What several rooms use stands here: tables of text and what is known of the machine.
"""
