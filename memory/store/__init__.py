"""Where facts live: SQL holds them, Chroma finds them."""
