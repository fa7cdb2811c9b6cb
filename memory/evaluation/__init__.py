"""How well the parts do on labelled rows: pure functions over dicts."""
