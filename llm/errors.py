"""The one exception tree of the models; libraries' errors are translated into it at the adapters."""


class ModelError(Exception):
    """A model gave no usable answer.

    ``transient`` tells whether the same request may succeed later: the work then waits.
    The message is for the admin's log and never holds what a person said.
    """

    transient = False


class ModelBlocked(ModelError):
    """The provider refused the prompt or the answer for its content."""


class ModelEmpty(ModelError):
    """The answer held no text."""


class ModelTruncated(ModelError):
    """The answer was cut off at the token limit before anything usable was said."""


class ModelMalformed(ModelError):
    """The answer was not what was asked for (broken JSON, wrong shape), twice."""


class ModelRateLimited(ModelError):
    """Too many requests; ``retry_after`` is in seconds where the provider says so."""

    transient = True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelTimeout(ModelError):
    """No answer within the time allowed."""

    transient = True


class ModelDown(ModelError):
    """The provider can't be reached or reports an error of its own (5xx)."""

    transient = True


class ModelAway(ModelDown):
    """Nobody was asked: the provider has failed so often in a row that it is left alone for a while."""


class ModelRefused(ModelError):
    """The request itself is wrong: bad key, unknown model, unsupported option. Needs the admin."""


class ModelMisconfigured(ModelRefused):
    """No request can succeed before the admin acts: the key, its rights, the credit, the model's name."""
