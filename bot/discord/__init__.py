"""Lily on Discord: listening, talking, commands. The only package that knows Discord."""
