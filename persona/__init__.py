"""Who is talking: characters, lore, prompts and replies."""
