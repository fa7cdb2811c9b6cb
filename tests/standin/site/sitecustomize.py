"""Read by Python at start when this folder is on its path: sends discord.py where the environment says."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from types import ModuleType


def _point(module: ModuleType) -> None:
    if module.__name__ == "discord.http":
        module.Route.BASE = os.environ["STANDIN_DISCORD_API"]
    else:
        import yarl

        module.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["STANDIN_DISCORD_GATEWAY"])


class _Pointing(importlib.abc.MetaPathFinder):
    """Lets discord.py load as ever and only then changes where it connects: other programs pay nothing."""

    def find_spec(
        self, name: str, path: object, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in {"discord.http", "discord.gateway"}:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)  # type: ignore[arg-type]
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_point(module: ModuleType) -> None:
            load(module)
            _point(module)

        spec.loader.exec_module = load_and_point  # type: ignore[method-assign]
        return spec


if "STANDIN_DISCORD_API" in os.environ:
    sys.meta_path.insert(0, _Pointing())
