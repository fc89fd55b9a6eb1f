"""A scripted upstream, a gateway before it, and a run that may pass."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_stage import Stage, settings_for
from speaking_upstream import Upstream, speaking

from agent_trace.gateway import Loopback, serving


@pytest.fixture(scope="session")
def upstream_server() -> Iterator[Upstream]:
    with speaking() as upstream:
        yield upstream


@pytest.fixture
def upstream(upstream_server: Upstream) -> Upstream:
    upstream_server.reset()
    return upstream_server


@pytest.fixture
def stage(upstream: Upstream, tmp_path: Path) -> Iterator[Stage]:
    with serving(settings_for(upstream)) as gateway:
        address = gateway.listen(Loopback())
        directory = tmp_path / "trace"
        yield Stage(upstream, gateway, address, gateway.admit("run-1", directory), directory)
