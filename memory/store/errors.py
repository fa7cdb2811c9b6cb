"""What can be wrong with a store; every message says what to do."""


class StoreError(Exception):
    """The store can't be used as it is; the text names the cause and the remedy."""


class StoreNewer(StoreError):
    """The data was written by a newer version."""


class StoreDamaged(StoreError):
    """The database file is not a readable database."""


class StoreUnavailable(StoreError):
    """The database can't be reached or written (read-only folder, server down, disk full)."""


class StoreFull(StoreUnavailable):
    """There is no room left to write in; once there is, everything goes on."""


class StoreBusy(StoreUnavailable):
    """Another program holds the database; once it lets go, everything goes on."""


class EmbedderMismatch(StoreError):
    """The vectors of this store come from another embedder: ``held``, while ``wanted`` was asked for."""

    def __init__(self, message: str, held: str = "", wanted: str = "") -> None:
        super().__init__(message)
        self.held = held
        self.wanted = wanted


class IndexUnavailable(StoreError):
    """The vector index can't be reached; recall goes on from SQL."""


class IndexBusy(IndexUnavailable):
    """The vector index is busy for longer than a question is worth waiting; SQL answers meanwhile."""


class NoSuchMemory(StoreError):
    """No memory has that id."""


class StaleRevision(StoreError):
    """A compared row changed meanwhile; the change is planned anew."""
