"""Optional rule modules, which any scenario can add without changes to its actions."""
