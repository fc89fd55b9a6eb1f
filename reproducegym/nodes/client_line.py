"""The `ssh` client's command line: all that holds for each call, and nothing that the inventory does not say."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from reproducegym.schema.node import Node

__all__ = ["address", "client", "local_files"]

_OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "BatchMode": "yes",
        "StrictHostKeyChecking": "yes",
        "GlobalKnownHostsFile": "none",
        "UpdateHostKeys": "no",
        "CheckHostIP": "no",
        "PreferredAuthentications": "publickey",
        "ForwardAgent": "no",
        "ForwardX11": "no",
        "PermitLocalCommand": "no",
        "ControlPath": "ctl",
        "ControlPersist": "no",
        "ServerAliveCountMax": "3",
        "StreamLocalBindUnlink": "yes",
        "ExitOnForwardFailure": "yes",
        "LogLevel": "ERROR",
    }
)


def client(node: Node, alive_s: int) -> list[str]:
    """The client with its options; it must be run in the directory of the connection, where its socket is `ctl`."""
    own = {
        "UserKnownHostsFile": _quoted(node.known_hosts),
        "Port": str(node.port),
        "ServerAliveInterval": str(alive_s),
    }
    if node.key is not None:
        own |= {"IdentityFile": _quoted(node.key), "IdentitiesOnly": "yes"}
    line = ["ssh", "-T", "-F", node.ssh_config or "none"]
    for name, value in {**_OPTIONS, **own}.items():
        line += ["-o", f"{name}={value}"]
    return line


def address(node: Node) -> list[str]:
    """Whom to call."""
    return ["-l", node.user, "--", node.host]


def local_files(node: Node) -> Iterator[Path]:
    """The files of this machine that the client will read."""
    for file in (node.known_hosts, node.key, node.ssh_config):
        if file is not None:
            yield Path(file)


def _quoted(path: str) -> str:
    """A path as the client's options want it: it expands percent signs, and takes spaces for ends."""
    return '"' + path.replace("%", "%%") + '"'
