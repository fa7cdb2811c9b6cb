"""Everything a person touches: clients, commands, settings, wiring."""
