"""Reads which nodes there are, from local files that are no part of the repository."""

from collections.abc import Sequence
from pathlib import Path

from reproducegym.errors import MisuseError, NotFoundError, SchemaError
from reproducegym.schema.node import Inventory, Node
from reproducegym.schema.reading import read_yaml

__all__ = ["chosen", "local_inventories", "read_nodes"]

_EXAMPLE = "config/nodes.example.yaml"


def local_inventories(directory: Path) -> tuple[Path, ...]:
    """`config/nodes.yaml` and every `config/nodes.*.yaml` below a directory, but for the example."""
    found = [*directory.glob("config/nodes.yaml"), *sorted(directory.glob("config/nodes.*.yaml"))]
    return tuple(path for path in found if path != directory / _EXAMPLE)


def read_nodes(files: Sequence[Path]) -> tuple[Node, ...]:
    """The nodes of all files, in order, with paths made absolute.

    Raises:
        MisuseError: there is no file, or one cannot be read, does not fit, or names a node again.
    """
    nodes: dict[str, tuple[Node, Path]] = {}
    for file in files:
        for node in _inventory(file).nodes:
            if node.name in nodes:
                raise MisuseError(f"node {node.name} stands in {nodes[node.name][1]} and in {file}; rename one")
            nodes[node.name] = (_absolute(node, file.parent), file)
    if not files:
        line = f"there is no inventory of nodes: copy {_EXAMPLE} to config/nodes.yaml, or name one with --nodes"
        raise MisuseError(line)
    if not nodes:
        raise MisuseError(f"{', '.join(map(str, files))}: there is no node in it")
    return tuple(node for node, _ in nodes.values())


def chosen(nodes: Sequence[Node], names: Sequence[str]) -> tuple[Node, ...]:
    """The named nodes, in the order of the names; all where none is named.

    Raises:
        NotFoundError: there is no such node; the message lists those that there are.
    """
    known = {node.name: node for node in nodes}
    for name in names:
        if name not in known:
            raise NotFoundError(f'no node "{name}"; there are: {", ".join(known) or "none"}')
    return tuple(known[name] for name in dict.fromkeys(names)) if names else tuple(nodes)


def _inventory(file: Path) -> Inventory:
    try:
        return read_yaml(Inventory, file.read_bytes(), str(file))
    except OSError as error:
        raise MisuseError(f"{file}: cannot be read: {error.strerror}") from error
    except SchemaError as error:
        raise MisuseError(str(error)) from error


def _absolute(node: Node, beside: Path) -> Node:
    """The node with the paths of this machine made absolute, from the directory of its inventory."""

    def made(path: str | None) -> str | None:
        return None if path is None else str((beside / Path(path).expanduser()).resolve())

    paths = {"key": made(node.key), "known_hosts": made(node.known_hosts), "ssh_config": made(node.ssh_config)}
    return node.model_copy(update=paths)
