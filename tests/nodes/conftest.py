"""Two nodes for the stories of this room, made once."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from own_node import OwnNode, missing, own_node


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the key of the tests and the known host keys lie."""
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="session")
def node_a(keys: Path) -> Iterator[OwnNode]:
    _needs_nodes()
    with own_node("node-a", keys) as made:
        yield made


@pytest.fixture(scope="session")
def node_b(keys: Path) -> Iterator[OwnNode]:
    _needs_nodes()
    with own_node("node-b", keys) as made:
        yield made


def _needs_nodes() -> None:
    """Skip visibly where nodes cannot be made; where CI promised them, fail."""
    lacking = missing()
    if lacking and os.environ.get("REPRODUCEGYM_REQUIRE_NODES") == "1":
        pytest.fail(f"REPRODUCEGYM_REQUIRE_NODES=1, yet {lacking}")
    if lacking:
        pytest.skip(lacking)
