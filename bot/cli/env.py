"""What a command is given besides its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.output import Output
from bot.errors import UserError
from memory.catalog import Catalog
from memory.clock import Clock, SystemClock

if TYPE_CHECKING:
    from bot.settings import Settings


@dataclass
class Env:
    """The surroundings of one run. Settings are read when a command first asks for them."""

    catalog: Catalog
    out: Output
    environ: Mapping[str, str]
    cwd: Path
    config: Path | None = None
    data: Path | None = None
    clock: Clock = field(default_factory=SystemClock)

    @cached_property
    def settings(self) -> Settings:
        """The settings, ``--data`` laid over them; :class:`bot.errors.SettingsError` tells all faults."""
        from bot.settings import load_settings

        settings = load_settings(self.config, self.environ, self.cwd)
        return settings if self.data is None else settings.with_data_dir(self.cwd / self.data.expanduser())

    def log_folder(self) -> Path | None:
        """Return where the log of this run goes, or None where the settings could not be read."""
        if self.data is not None:
            return self.cwd / self.data.expanduser()
        try:
            return self.settings.storage.data_dir
        except UserError:
            return None
