from __future__ import annotations

import warnings

with warnings.catch_warnings():
    # discord.py loads a sound module that newer Pythons drop; it is not used
    warnings.simplefilter("ignore", DeprecationWarning)
    import discord  # noqa: F401
