"""What a person sees at the terminal: tables of memories, and the chat."""
