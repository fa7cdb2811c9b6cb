"""Stand-ins of ours: scripted models behind the real protocols, and an open memory over real stores."""
