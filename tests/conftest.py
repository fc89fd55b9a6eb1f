"""Fixtures that many rooms share: the Docker image, the real papers, and a visible skip where an asset is missing."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from once import once, shared_directory

if TYPE_CHECKING:
    from model_server import ModelServer
    from read_once import ReadOnce

ROOT = Path(__file__).resolve().parent.parent

# The same examples each time, so that a change is judged by itself; `make soak` draws new ones.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=10_000)
settings.load_profile("default")


def _absent(reason: str) -> None:
    """Skip visibly; where CI promised the engine, fail instead."""
    if os.environ.get("REPRODUCEGYM_REQUIRE_DOCKER") == "1":
        pytest.fail(f"REPRODUCEGYM_REQUIRE_DOCKER=1, yet {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def docker_image() -> str:
    """Name of the base image on a Docker engine that answers."""
    from reproducegym.sandbox.docker import DockerSandbox

    image = "reproducegym/base"
    if shutil.which("docker") is None and not Path("/var/run/docker.sock").exists():
        _absent("no Docker engine is installed here")
    availability = DockerSandbox().availability()
    if not availability.works:
        _absent(f"no Docker engine: {availability.detail}")
    answer = subprocess.run(["docker", "image", "inspect", image], capture_output=True, check=False)
    if answer.returncode != 0:
        _absent(f"the image {image} is missing: run docker/build-base.sh")
    return image


@pytest.fixture(scope="session")
def papers() -> Path:
    """Directory of real papers; they belong to other people and are never part of the repository."""
    named = os.environ.get("REPRODUCEGYM_PAPERS")
    if not named:
        pytest.skip("REPRODUCEGYM_PAPERS names no directory of real papers")
    path = Path(named)
    assert path.is_dir(), f"REPRODUCEGYM_PAPERS={named} is not a directory"
    return path


@pytest.fixture(scope="session")
def built_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample paper, parsed and built once for all workers: to be read or copied, never changed."""
    from sample_paper import PAPER_ID, build_sample

    return once(shared_directory(tmp_path_factory), "sample", build_sample) / PAPER_ID


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], "ReadOnce"]:
    """Reads a PDF, or says what an earlier test of any worker got when it read the same."""
    from read_once import reader

    return reader(shared_directory(tmp_path_factory))


@pytest.fixture
def model_server() -> "Iterator[ModelServer]":
    """A model behind a real HTTP server on loopback; the test gives it a script."""
    from model_server import serving

    with serving() as server:
        yield server


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes name no test: an archive holds the time at which it was made, and each worker makes its own."""
    return argname if isinstance(val, bytes) else None
