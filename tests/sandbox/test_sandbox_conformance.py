"""Every backend keeps every promise of the conformance suite, as root and as an ordinary user."""

import os
import sys
import traceback

import pytest

from reproducegym.ports import Sandbox
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox
from reproducegym.sandbox.self_check import CHECKS, check_sandbox

ORDINARY_UID = 4321


def broken_promises(sandbox: Sandbox, image: str) -> list[str]:
    findings = list(check_sandbox(sandbox, image))
    assert len(findings) == len(CHECKS)
    return [f"{finding.promise}: {finding.detail}" for finding in findings if not finding.kept]


@pytest.mark.docker
def test_docker_keeps_every_promise(docker_image: str) -> None:
    assert broken_promises(DockerSandbox(), docker_image) == []


@pytest.mark.parametrize("way", ["bubblewrap", "unshare"])
def test_namespaces_keep_every_promise(way: str) -> None:
    sandbox = works_or_skip(NamespacesSandbox(way))
    assert broken_promises(sandbox, "any") == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become an ordinary user")
@pytest.mark.parametrize("way", ["bubblewrap", "unshare"])
def test_namespaces_keep_every_promise_for_an_ordinary_user(way: str) -> None:
    sandbox = works_or_skip(NamespacesSandbox(way))
    report, answer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setgroups([])
            os.setgid(ORDINARY_UID)
            os.setuid(ORDINARY_UID)
            if not os.access(sys.executable, os.X_OK):
                sys.executable = "/usr/bin/python3"  # this test's own may be for root only; an ordinary driver has one
            assert sandbox.availability().works
            broken = broken_promises(sandbox, "any")
            os.write(answer, "\n".join(broken).encode())
            code = 0 if not broken else 1
        except BaseException:  # noqa: BLE001 - the child must never return into pytest
            os.write(answer, traceback.format_exc().encode())
        finally:
            os._exit(code)
    os.close(answer)
    with os.fdopen(report, "rb") as lines:
        said = lines.read().decode()
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, said


def works_or_skip(sandbox: NamespacesSandbox) -> NamespacesSandbox:
    availability = sandbox.availability()
    if not availability.works:
        pytest.skip(availability.detail)
    return sandbox
