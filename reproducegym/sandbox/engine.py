"""Tells the failures of a Docker engine as what they are for us: the engine's fault, never the work's."""

import contextlib
from collections.abc import Iterator

from reproducegym.errors import InfrastructureError

__all__ = ["asking_engine"]


@contextlib.contextmanager
def asking_engine(what: str) -> Iterator[None]:
    """Within it every failure of the engine, or of the way to it, becomes one line that ends with what went wrong.

    Raises:
        InfrastructureError: `the Docker engine <what>: …`.
    """
    import docker.errors

    try:
        yield
    except (docker.errors.DockerException, OSError) as error:  # requests' errors are OSErrors
        raise InfrastructureError(f"the Docker engine {what}: {error}") from error
