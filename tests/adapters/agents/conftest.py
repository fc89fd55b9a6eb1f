"""A copy of the built sample paper, and a scripted upstream that agents are let at through their own gateway."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sample_paper import CHEAP_CLAIM, call
from speaking_upstream import KEY, Upstream, speaking

from reproducegym.sandbox.namespaces import NamespacesSandbox


@dataclass(frozen=True)
class Attempted:
    """One attempt as a user sees it."""

    result: dict
    directory: Path
    said: str

    @property
    def trace(self) -> Path:
        return self.directory / "trace"


@pytest.fixture(scope="session")
def sample(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    availability = NamespacesSandbox().availability()
    if not availability.works:
        pytest.skip(f"no namespaces sandbox: {availability.detail}")
    return Path(shutil.copytree(built_sample, tmp_path_factory.mktemp("agents") / "runs" / built_sample.name))


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with speaking() as server:
        yield server


@pytest.fixture
def attempt(sample: Path, upstream: Upstream) -> Callable[..., Attempted]:
    """Run one attempt through run.py, with keys from the shell."""

    def run(agent: str, *, sandbox: str = "namespaces") -> Attempted:
        root = upstream.base_url.removesuffix("/v1")
        keys = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "a-model"}
        keys |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": root, "ANTHROPIC_MODEL": "a-model"}
        asked = ["run.py", "--paper", sample, "--claim-id", CHEAP_CLAIM, "--agent", agent, "--sandbox", sandbox]
        done = call(*asked, "--json", env=keys)
        assert done.returncode == 0, done.stderr
        (result,) = json.loads(done.stdout)["attempts"]
        return Attempted(result, Path(result.pop("attempt_dir")), done.stdout + done.stderr)

    return run
