"""Optional rule modules. They add to any scenario without changing its actions."""
