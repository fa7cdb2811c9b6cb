"""Who is compared in benchmarks/side_by_side.py: each in a process of its own, by its own interpreter."""
