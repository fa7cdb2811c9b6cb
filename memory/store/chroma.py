"""The connection to Chroma: in process over a folder, or to a server by URL."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit
from urllib.request import urlopen

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.client import Client

_PROBE_SECONDS = 5.0

ANSWER_SECONDS = 20.0
"""How long a server may take over anything it is asked; one that hangs counts as away."""


def connect(folder: Path | None, url: str | None) -> Client:
    """Connect to the server at ``url``, else open ``folder`` in this process."""
    client: ClientAPI
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if url:
        parts = urlsplit(url)
        _probe(f"{parts.scheme}://{parts.netloc}")
        where: dict[str, Any] = {
            "host": parts.hostname or "localhost",
            "port": parts.port or (443 if parts.scheme == "https" else 8000),
            "ssl": parts.scheme == "https",
            "settings": settings,
        }
        name = parts.path.strip("/")
        if name:
            _make_database(where, name)
            where["database"] = name
        client = chromadb.HttpClient(**where)
        for session in _sessions(client):
            session.timeout = ANSWER_SECONDS  # the library would wait for ever
    else:
        client = chromadb.PersistentClient(path=str(folder), settings=settings)
    return cast("Client", client)


def _make_database(where: dict[str, Any], name: str) -> None:
    """Make the database a URL names, unless it is there."""
    import chromadb
    from chromadb.errors import ChromaError, NotFoundError

    client = cast("Client", chromadb.HttpClient(**where))
    admin = client._admin_client
    try:
        admin.get_database(name)
    except NotFoundError:
        try:
            admin.create_database(name)
        except ChromaError:
            admin.get_database(name)  # somebody else was faster
    finally:
        hang_up(client)


def hang_up(client: Client) -> None:
    """Close a client with all it has open, broken or not."""
    for closable in (*_sessions(client), client):
        with contextlib.suppress(Exception):  # it may be broken already
            closable.close()


def _sessions(client: Any) -> list[Any]:
    """Return what a client talks HTTP with: it and its admin have one each, which the library leaves open."""
    servers = [getattr(part, "_server", None) for part in (client, client._admin_client)]
    found = [getattr(server, "_session", None) for server in servers]
    return [session for session in found if session is not None]


def _probe(url: str) -> None:
    """Ask a server whether it is there: the library leaves a socket open where it is not."""
    with urlopen(f"{url.rstrip('/')}/api/v2/heartbeat", timeout=_PROBE_SECONDS) as answer:  # noqa: S310
        answer.read()
