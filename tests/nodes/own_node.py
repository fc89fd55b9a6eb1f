"""Nodes of the tests' own: real sshd's, each in namespaces with a link, processes and file systems of its own."""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from reproducegym.nodes.inventory import read_nodes
from reproducegym.schema.node import Node

# Nothing of the driver's temporary files is seen there, so a path of the driver that is used on a node shows.
HOLD = """
mount -t tmpfs tmpfs /tmp && mount -t tmpfs tmpfs /run && mkdir /run/sshd && hostname "$1" && ip link set lo up &&
trap '' CHLD && echo ready && exec cat
"""
SSHD = """
Port 22
HostKey {place}/host_key
PidFile none
AuthorizedKeysFile {place}/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
AllowStreamLocalForwarding yes
"""
WAIT_S = 20.0


def missing() -> str:
    """What keeps nodes from being made here; the empty text: nothing."""
    if os.geteuid() != 0:
        return "nodes of our own need root"
    lacking = [name for name in ("ssh", "sshd", "ssh-keygen", "ip", "unshare", "nsenter", "bwrap") if not tool(name)]
    return f"{', '.join(lacking)} missing: run tests/nodes/install-sshd.sh" if lacking else ""


def tool(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def call(*argv: str | Path, **options) -> str:
    done = subprocess.run([tool(str(argv[0])), *argv[1:]], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{argv}: {done.stderr}"
    return done.stdout


@dataclass
class OwnNode:
    """A node that runs: `place` is its own disk, `entry` its lines for an inventory, `pid` its first process."""

    name: str
    place: Path
    link: str
    host: str
    pid: int
    sshd: "subprocess.Popen[bytes] | None" = None
    engine: "subprocess.Popen[bytes] | None" = None
    entry: dict = field(default_factory=dict)

    def inside(self, *argv: str | Path) -> list[str]:
        """The command line that runs another one on the node, without ssh."""
        return [
            tool("nsenter"),
            "--target",
            str(self.pid),
            "--mount",
            "--net",
            "--pid",
            "--uts",
            "--ipc",
            "--",
            *map(str, argv),
        ]

    def call(self, *argv: str | Path) -> str:
        return call(*self.inside(*argv))

    def cut(self) -> None:
        """Pull the cable."""
        call("ip", "link", "set", self.link, "down")

    def mend(self) -> None:
        call("ip", "link", "set", self.link, "up")

    def start_sshd(self) -> None:
        log = (self.place / "sshd.log").open("ab")
        self.sshd = subprocess.Popen(
            self.inside(tool("sshd"), "-D", "-e", "-f", self.place / "sshd_config"), stdout=log, stderr=log
        )
        log.close()
        end = time.monotonic() + WAIT_S
        while b"Server listening" not in (self.place / "sshd.log").read_bytes():
            assert time.monotonic() < end, (self.place / "sshd.log").read_text()
            time.sleep(0.02)

    def start_engine(self) -> None:
        """A Docker engine of the node's own, at /run/docker.sock there."""
        log = (self.place / "dockerd.log").open("ab")
        at = ("--host", "unix:///run/docker.sock", "--data-root", self.place / "docker", "--exec-root", "/run/docker")
        alone = ("--pidfile", "/run/docker.pid", "--iptables=false", "--bridge=none", "--ip-forward=false")
        self.engine = subprocess.Popen(self.inside(tool("dockerd"), *at, *alone), stdout=log, stderr=log)
        log.close()
        end = time.monotonic() + WAIT_S
        while b"API listen on /run/docker.sock" not in (self.place / "dockerd.log").read_bytes():
            assert time.monotonic() < end, (self.place / "dockerd.log").read_text()[-2000:]
            assert self.engine.poll() is None, (self.place / "dockerd.log").read_text()[-2000:]
            time.sleep(0.05)
        self.entry["engine"] = "/run/docker.sock"

    def stop_engine(self) -> None:
        """As when the machine's service is restarted: its containers end with it."""
        pid = self.call("cat", "/run/docker.pid").strip()
        self.call("kill", pid)
        self.engine.wait(30)
        (self.place / "dockerd.log").unlink()

    def new_host_key(self) -> None:
        """As if the machine were set up anew, or another one answered in its place."""
        for old in self.place.glob("host_key*"):
            old.unlink()
        call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.place / "host_key")

    def public_host_key(self) -> str:
        return " ".join((self.place / "host_key.pub").read_text().split()[:2])


@contextlib.contextmanager
def own_node(name: str, keys: Path) -> Iterator[OwnNode]:
    """A node that can be reached with `keys/id` and is known in `keys/known_hosts`."""
    if not (keys / "id").exists():
        call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / "id")
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp", prefix="reproducegym-own-node-")))
        spaces = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts", "--ipc")
        holder = subprocess.Popen(
            [tool("unshare"), *spaces, "/bin/sh", "-c", HOLD, "sh", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        stack.callback(end, holder)
        assert holder.stdout.readline() == b"ready\n"
        (pid,) = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text().split()
        x, y = random.SystemRandom().randrange(256), random.SystemRandom().randrange(64) * 4
        link, host = f"rgym{holder.pid:x}", f"198.18.{x}.{y + 2}"
        call("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", pid)
        stack.callback(subprocess.run, [tool("ip"), "link", "del", link], stderr=subprocess.DEVNULL, check=False)
        call("ip", "addr", "add", f"198.18.{x}.{y + 1}/30", "dev", link)
        call("ip", "link", "set", link, "up")
        node = OwnNode(name, place, link, host, int(pid))
        node.call(tool("ip"), "addr", "add", f"{host}/30", "dev", "eth0")
        node.call(tool("ip"), "link", "set", "eth0", "up")
        (place / "sshd_config").write_text(SSHD.format(place=place))
        shutil.copy(keys / "id.pub", place / "authorized_keys")
        node.new_host_key()
        with (keys / "known_hosts").open("a") as known:
            known.write(f"{host} {node.public_host_key()}\n")
        node.start_sshd()
        node.entry = {
            "name": name,
            "host": host,
            "user": "root",
            "key": str(keys / "id"),
            "known_hosts": str(keys / "known_hosts"),
            "workdir": str(place / "work"),
            "python": getattr(sys, "_base_executable", sys.executable),
            "engine": None,
        }
        yield node


def end(holder: "subprocess.Popen[bytes]") -> None:
    """With its first process every other of the node ends."""
    holder.kill()
    holder.communicate()


def inventory(path: Path, *nodes: OwnNode, **changed: Mapping) -> Path:
    """An inventory of these nodes, each with what is changed."""
    path.write_text(yaml.safe_dump({"schema_version": 1, "nodes": [{**one.entry, **changed} for one in nodes]}))
    return path


def entry(node: OwnNode, tmp_path: Path, **changed) -> Node:
    """The node as the program reads it."""
    (read,) = read_nodes([inventory(tmp_path / "entry.yaml", node, **changed)])
    return read
