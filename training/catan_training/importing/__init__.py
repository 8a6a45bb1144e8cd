"""Games of other programs as replay logs: one module per format, all built on `follow`."""
