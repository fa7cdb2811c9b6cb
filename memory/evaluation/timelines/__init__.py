"""The packaged timelines of the stale-answer set: what was said, what is asked later, what must hold then."""

from __future__ import annotations

from pathlib import Path

FILES = tuple(sorted(Path(__file__).parent.glob("*.jsonl")))
"""The files of the set, one for each language."""
