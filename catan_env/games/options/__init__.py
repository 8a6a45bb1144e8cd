"""Optional rule modules, which any scenario can add without changing its actions."""
