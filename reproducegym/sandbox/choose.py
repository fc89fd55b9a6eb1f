"""Chooses the sandbox backend: the one that was named, or the first that works here, with a line that says which."""

from typing import NamedTuple

from reproducegym.errors import MisuseError, SandboxUnavailableError
from reproducegym.ports import Sandbox
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.labels import TTL_S
from reproducegym.sandbox.namespaces import NamespacesSandbox

__all__ = ["Choice", "choose"]

_NAMES = ("auto", "docker", "namespaces")


class Choice(NamedTuple):
    """A backend, and one line for people that says what was taken and why."""

    sandbox: Sandbox
    line: str


def choose(name: str, image: str, ttl_s: float = TTL_S) -> Choice:
    """The backend `docker` or `namespaces`, or with `auto` docker if its engine answers and has the image.

    What the backend makes may be removed by anybody after `ttl_s` seconds.

    Raises:
        MisuseError: there is no backend of that name.
        SandboxUnavailableError: the named backend, or with `auto` every one, does not work here; the line says why.
    """
    if name == "docker":
        return _docker(image, ttl_s)
    if name == "namespaces":
        return _namespaces(ttl_s)
    if name != "auto":
        raise MisuseError(f'no sandbox "{name}"; there are: {", ".join(_NAMES)}')
    try:
        return _docker(image, ttl_s)
    except SandboxUnavailableError as error:
        why_not_docker = str(error)
    try:
        found = _namespaces(ttl_s)
    except SandboxUnavailableError as error:
        line = f"no sandbox works here: {why_not_docker}; {error}"
        raise SandboxUnavailableError(line) from error
    return Choice(found.sandbox, f"{why_not_docker}: using the namespaces sandbox")


def _docker(image: str, ttl_s: float) -> Choice:
    sandbox = DockerSandbox(ttl_s=ttl_s)
    available = sandbox.availability()
    if not available.works:
        raise SandboxUnavailableError(available.detail)
    found = sandbox.image_id(image)
    return Choice(sandbox, f"{available.detail}, image {image} ({found[:19]})")


def _namespaces(ttl_s: float) -> Choice:
    sandbox = NamespacesSandbox(ttl_s=ttl_s)
    available = sandbox.availability()
    if not available.works:
        raise SandboxUnavailableError(available.detail)
    return Choice(sandbox, available.detail)
