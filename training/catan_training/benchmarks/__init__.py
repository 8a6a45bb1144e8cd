"""Speed benchmarks and random-play soak tests."""
