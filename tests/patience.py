"""The time that a test waits for another process before it fails. It ends hangs and does not measure speed."""

PATIENCE = 900.0
"""Seconds: a machine that does other work besides may be twenty times as slow as an idle one."""
