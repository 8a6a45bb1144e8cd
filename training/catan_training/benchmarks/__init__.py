"""Speed benchmarks, and soak tests with random play."""
