"""How a new fact stands to a known one."""
