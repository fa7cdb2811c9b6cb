"""Replaying a script of dated lines through the whole house, at the script's own times."""

from bot.replay.runner import Replay
from bot.replay.script import ScriptLine, read_script

__all__ = ["Replay", "ScriptLine", "read_script"]
