"""The kernel's keyrings know nothing of mounts: what lies in the driver's is not for a sandbox, nor shared by two."""

import ctypes
import errno
import os
import subprocess
import sys
import textwrap

import pytest

from reproducegym.ports import Sandbox
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

FIRST = {"x86_64": 248, "aarch64": 217}.get(os.uname().machine, 0)  # add_key; request_key and keyctl follow

# What both programs begin with: the first number, and a call by it.
CALL = textwrap.dedent(
    """
    import ctypes, sys
    first = int(sys.argv[1])
    def call(number, *arguments):
        words = [word if isinstance(word, bytes) else ctypes.c_long(word) for word in arguments]
        return ctypes.CDLL(None).syscall(ctypes.c_long(first + number), *words)
    """
)
# Puts a secret into the session's and the user's keyring, readable for all, and then tries two sandboxes.
DRIVER = CALL + textwrap.dedent(
    """
    from reproducegym.ports import SandboxSpec
    from reproducegym.sandbox.docker import DockerSandbox
    from reproducegym.sandbox.namespaces import NamespacesSandbox

    assert call(2, 1, b"story") > 0
    assert call(2, 8, -4, -3) == 0
    keys = [call(0, b"user", b"story-secret", b"SECRET", 6, ring) for ring in (-3, -4)]
    assert all(key > 0 and call(2, 5, key, 0x3F3F3F3F) == 0 for key in keys)
    sandbox = DockerSandbox() if sys.argv[2] == "docker" else NamespacesSandbox(sys.argv[2])
    command = ["python3", "-c", sys.stdin.read(), str(first), *map(str, keys)]
    for _ in range(2):
        with sandbox.create(SandboxSpec("story", "reproducegym/base", {}, {}, 128, 1.0, 32, 8, 8)) as box:
            print(box.exec(command, timeout_s=30.0, output_bytes=9000).output.decode(), end="")
    for key in keys:
        call(2, 3, key)
    """
)
PROBE = CALL + textwrap.dedent(
    """
    for ring in (-3, -4, -5):
        for name in (b"story-secret", b"story-mark"):
            if call(2, 10, ring, b"user", name, 0) > 0:
                print("found", name, "in", ring)
        call(0, b"user", b"story-mark", b"x", 1, ring)
    seen = ctypes.create_string_buffer(100)
    for key in map(int, sys.argv[2:]):
        if call(2, 11, key, ctypes.addressof(seen), 100) > 0:
            print("read", seen.value)
    if call(1, b"user", b"story-secret", 0, 0) > 0:
        print("requested")
    print("done")
    """
)


def keys_work() -> bool:
    """Whether this machine lets a program use keys at all (a container around us may not)."""
    if not FIRST:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    found = libc.syscall(ctypes.c_long(FIRST + 2), ctypes.c_long(0), ctypes.c_long(-3), ctypes.c_long(0))
    return found >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS)


def kind_of(backend: Sandbox) -> str:
    if isinstance(backend, DockerSandbox):
        return "docker"
    assert isinstance(backend, NamespacesSandbox)
    return backend.availability().detail.rpartition(" ")[2]


def test_no_key_of_the_driver_is_seen_and_none_outlives_its_sandbox(backend: Sandbox) -> None:
    if not keys_work():
        pytest.skip("this machine refuses the kernel's keys to all")
    line = [sys.executable, "-c", DRIVER, str(FIRST), kind_of(backend)]
    done = subprocess.run(line, input=PROBE, capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr) == ("done\ndone\n", "")
