"""Sandboxes on the engine of a node that sees none of our files: they keep the promises that they keep here."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import docker
import pytest
from own_node import OwnNode, entry, inventory
from sample_paper import call

from reproducegym.errors import InfrastructureError
from reproducegym.nodes.engine import NodeSandbox
from reproducegym.nodes.probe import probe_node
from reproducegym.nodes.ssh import Connection, connected
from reproducegym.ports import CopyLimits, SandboxSpec
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.self_check import CHECKS, Check, check_sandbox

pytestmark = pytest.mark.docker

IMAGE = "reproducegym/base"
KEPT = {
    "files go in and out, and the exit code comes back",
    "everything but the workspace and /tmp is read-only",
    "a file mounted over one of a directory covers it, and neither can be written",
    "there is no network",
    "a time-out kills all that was started",
    "nothing runs after stop_processes",
}


ASK = """
import socket
knocking = socket.socket(socket.AF_UNIX)
knocking.connect("/door/gateway")
knocking.sendall(b"ping")
print(knocking.recv(9).decode())
"""


DRIVER = """
import sys, time
from pathlib import Path
from reproducegym.nodes.engine import NodeSandbox
from reproducegym.nodes.inventory import read_nodes
from reproducegym.nodes.ssh import connected
from reproducegym.ports import SandboxSpec
(node,) = read_nodes([Path(sys.argv[1])])
with connected(node, timeout_s=20) as connection:
    sandbox = NodeSandbox(connection, gpus=0)
    given = {"/given": Path(sys.argv[1]).parent}
    spec = SandboxSpec("story", sandbox.image_id(sys.argv[2]), {}, given, 192, 1.0, 40, 16, 8, ("gateway",))
    with sandbox.create(spec) as box:
        print("up", flush=True)
        time.sleep(60)
"""


@pytest.fixture(scope="module")
def link(node_b: OwnNode, docker_image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    if node_b.engine is None:
        node_b.start_engine()
    with connected(entry(node_b, tmp_path_factory.mktemp("inventory")), timeout_s=20, alive_s=1) as connection:
        yield connection


@pytest.fixture(scope="module")
def sandbox(link: Connection) -> NodeSandbox:
    made = NodeSandbox(link, gpus=0)
    assert made.image_id(IMAGE) == DockerSandbox().image_id(IMAGE)
    return made


def spec_of(sandbox: NodeSandbox, **changed: object) -> SandboxSpec:
    made = SandboxSpec("story", sandbox.image_id(IMAGE), {}, {}, 192, 1.0, 40, 16, 8)
    return replace(made, **changed)


def left_there(link: Connection) -> list[str]:
    client = docker.DockerClient(base_url=f"unix://{link.engine}")
    try:
        return [one.name for one in (*client.containers.list(all=True), *client.volumes.list())]
    finally:
        client.close()


def test_the_promises_of_a_sandbox_are_kept_on_a_node(sandbox: NodeSandbox, link: Connection, monkeypatch):
    asked: tuple[Check, ...] = tuple(one for one in CHECKS if one.promise in KEPT)
    assert len(asked) == len(KEPT)
    monkeypatch.setattr("reproducegym.sandbox.self_check.CHECKS", asked)
    found = list(check_sandbox(sandbox, sandbox.image_id(IMAGE)))
    assert [f"{one.promise}: {one.detail}" for one in found if not one.kept] == []
    assert left_there(link) == []


def test_the_probe_sees_the_engine_and_the_image(sandbox: NodeSandbox, link: Connection):
    digest = DockerSandbox().image_id(IMAGE)
    found = probe_node(link.node, digest, timeout_s=20)
    assert found.engine is not None
    assert found.engine.image == digest


def test_the_door_of_a_sandbox_there_is_answered_here(sandbox: NodeSandbox, node_b: OwnNode):
    with sandbox.create(spec_of(sandbox, door=("gateway",))) as box:
        assert box.door is not None

        def answer() -> None:
            knocked, _ = box.door.sockets["gateway"].accept()
            with knocked:
                heard.append(knocked.recv(9))
                knocked.sendall(b"pong")

        heard: list[bytes] = []
        thread = threading.Thread(target=answer)
        thread.start()
        ended = box.exec(["python3", "-c", ASK], timeout_s=20.0, output_bytes=4096)
        thread.join(20)
        assert (ended.output, heard) == (b"pong\n", [b"ping"])
        there = box.exec(["/bin/ls", "/door"], timeout_s=9.0, output_bytes=4096)
        assert there.output.split() == [b"gateway", b"relay.py"]
    assert node_b.call("find", node_b.place / "work", "-name", "box-*") == ""


def test_what_a_killed_driver_left_on_the_engine_is_cleaned(
    sandbox: NodeSandbox, node_b: OwnNode, link: Connection, tmp_path: Path
):
    listed = inventory(tmp_path / "nodes.yaml", node_b)
    line = [sys.executable, "-c", DRIVER, str(listed), sandbox.image_id(IMAGE)]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as driver:
        assert driver.stdout.readline() == b"up\n"
        assert len(left_there(link)) == 3  # a container, its workspace, and what was brought to it
        driver.kill()
    done = call("reproducegym", "nodes", "clean", "--nodes", listed, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["nodes"]["node-b"]
    assert (len(told["removed"]), told["boxes"], told["kept"]) == (1, 3, [])
    assert left_there(link) == []


def test_a_cut_link_fails_the_sandbox_and_the_next_one_works_again(
    sandbox: NodeSandbox, node_b: OwnNode, link: Connection
):
    with pytest.raises(InfrastructureError), sandbox.create(spec_of(sandbox)) as box:
        threading.Timer(0.3, node_b.cut).start()
        box.exec(["/bin/sleep", "20"], timeout_s=30.0, output_bytes=99)
    node_b.mend()
    with sandbox.create(spec_of(sandbox)) as box:
        assert box.exec(["/bin/echo", "there"], timeout_s=9.0, output_bytes=99).output == b"there\n"
    sandbox.reap()
    assert left_there(link) == []


def test_an_engine_that_is_restarted_fails_the_sandbox_and_the_next_one_works(
    sandbox: NodeSandbox, node_b: OwnNode, link: Connection, tmp_path: Path
):
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "note").write_text("brought\n")
    given = spec_of(sandbox, read_only={"/given": tmp_path / "given"})
    with pytest.raises(InfrastructureError), sandbox.create(given) as box:
        node_b.stop_engine()
        node_b.start_engine()
        box.exec(["/bin/true"], timeout_s=9.0, output_bytes=99)
    sandbox.reap()
    with sandbox.create(given) as box:
        assert box.exec(["/bin/cat", "/given/note"], timeout_s=9.0, output_bytes=99).output == b"brought\n"
        assert box.get("/workspace", CopyLimits(9, 99, 99)) == {}
    assert left_there(link) == []
