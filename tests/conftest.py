"""The servers some tests talk to: real ones, started when first needed, one of each a worker."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.support.chroma_server import ChromaServer
from tests.support.postgres import PostgresServer, binaries
from tests.support.stores import Embedded, Servers
from tests.support.world import STORES


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL of our own. Where none is installed the tests that need it are skipped; never in CI."""
    if binaries() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is not installed here, and CI runs every test")
        pytest.skip("PostgreSQL is not installed here: no initdb")
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    """A Chroma server of our own."""
    with ChromaServer(tmp_path_factory.mktemp("chroma-server")) as server:
        yield server


@pytest.fixture(scope="module", params=["embedded", "servers"])
def store(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the worlds of a module's tests lie: all run on SQLite and embedded Chroma, then on servers.

    The servers are PostgreSQL and Chroma's; each folder has a database of its own on both.
    """
    if request.param == "servers":
        servers = Servers(request.getfixturevalue("postgres"), request.getfixturevalue("chroma"))
    before, STORES.chosen = STORES.chosen, servers if request.param == "servers" else Embedded()
    yield request.param
    STORES.chosen = before
