"""Optional modules, which add to any scenario without changing what can be done."""
