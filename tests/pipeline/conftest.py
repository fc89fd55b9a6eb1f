"""A judge that runs submissions in the namespaces sandbox of this machine."""

import pytest
from small_task import fixed_randbelow

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.sandbox.namespaces import NamespacesSandbox


@pytest.fixture(scope="session")
def judge() -> Judge:
    sandbox = NamespacesSandbox()
    availability = sandbox.availability()
    if not availability.works:
        pytest.skip(f"no namespaces sandbox: {availability.detail}")
    limits = load_config(None).sandbox
    return Judge(
        sandbox=sandbox,
        image=limits.image,
        limits=limits,
        executor=LocalExecutor(2),
        randbelow=fixed_randbelow(),
        run_id="pipeline-tests",
    )
