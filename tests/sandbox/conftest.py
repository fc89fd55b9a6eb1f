"""A sandbox of each backend for the stories that all of them must play."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reproducegym.ports import Sandbox, SandboxSpec
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

SpecMaker = Callable[..., SandboxSpec]


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "bubblewrap", "unshare"])
def backend(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "docker":
        request.getfixturevalue("docker_image")
        return DockerSandbox()
    sandbox = NamespacesSandbox(request.param)
    availability = sandbox.availability()
    if not availability.works:
        pytest.skip(availability.detail)
    return sandbox


@pytest.fixture
def spec() -> SpecMaker:
    def make(**read_only: Path) -> SandboxSpec:
        return SandboxSpec(
            run_id="story",
            image="reproducegym/base",
            env={},
            read_only={f"/{name}": path for name, path in read_only.items()},
            memory_mib=192,
            cpus=1.0,
            pids=40,
            workspace_mib=16,
            file_mib=8,
        )

    return make
