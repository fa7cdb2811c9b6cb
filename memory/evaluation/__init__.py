"""Scores over the sets: time, relations, retrieval, stale answers."""
