"""Import other programs' games as replay logs: one module per format, all built on `follow`."""
