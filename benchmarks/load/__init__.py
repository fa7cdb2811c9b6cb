"""Many people at once: what holds, what grows, what comes back. Run it with ``python -m benchmarks.load``."""
