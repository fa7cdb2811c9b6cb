"""Which version of Lily this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """Return the installed version, or ``?`` where the package is not installed."""
    try:
        return version("lily-companion")
    except PackageNotFoundError:
        return "?"
