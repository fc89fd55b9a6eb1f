#!/usr/bin/env python3
"""Runs inside a sandbox: passes commands and files to a node through the sandbox's door.

    /node/node exec [--cwd DIR] [--timeout S] -- COMMAND...   run it there; output and exit code come back
    /node/node start [--cwd DIR] [--timeout S] -- COMMAND...  detach it; prints the job's name
    /node/node poll JOB | logs JOB [--from BYTE] | stop JOB   how it is, what it printed, end it
    /node/node put FILE_OR_DIRECTORY... DIR                   bring files into DIR of the node
    /node/node get PATH DIR                                   bring a file or directory of the node into DIR here
    /node/node gpus                                           the GPUs that are yours

Exit codes: that of the command for exec; 124 its time-out, 125 the node or the host refuses, 126 wrong use.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import socket
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["main"]

DOOR = "/door/node"
TOKEN = "REPRODUCEGYM_NODE_TOKEN"  # noqa: S105 - the name of a variable
TIME_OUT, REFUSED, MISUSED = 124, 125, 126
CHUNK = 1 << 16
LOGS = 1 << 20


class RefusedError(Exception):
    """The other side says no."""


class Passage:
    """One question to the host."""

    def __init__(self, **asked: object) -> None:
        token = os.environ.get(TOKEN)
        if token is None:
            raise RefusedError(f"{TOKEN} is not set: no node was given to this sandbox")
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(DOOR)
        except OSError as error:
            raise RefusedError(f"the door {DOOR} does not open: {error.strerror}") from error
        self.file = self.socket.makefile("rb")
        self.say(token=token, **asked)

    def say(self, **line: object) -> None:
        """One line."""
        self.socket.sendall(json.dumps(line).encode() + b"\n")

    def send(self, data: bytes) -> None:
        """A piece of what is put."""
        self.socket.sendall(json.dumps({"bytes": len(data)}).encode() + b"\n" + data)

    def answer(self, take: Callable[[bytes], object] = len) -> dict[str, object]:
        """Hand on what comes; then the reply."""
        while True:
            line = self.file.readline()
            if not line:
                raise RefusedError("the host ended the conversation")
            told = json.loads(line)
            if "bytes" in told:
                left = told["bytes"]
                while left:
                    data = self.file.read(min(left, CHUNK))
                    if not data:
                        raise RefusedError("the host ended the conversation")
                    take(data)
                    left -= len(data)
            elif "refused" in told:
                raise RefusedError(told["refused"])
            else:
                done: dict[str, object] = told["done"]
                return done


class Sender(io.RawIOBase):
    """A file for writing whose content goes to the host."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage

    def writable(self) -> bool:
        """It is made to be written."""
        return True

    def write(self, data: Buffer) -> int:
        """Send it on."""
        piece = bytes(data)
        self.passage.send(piece)
        return len(piece)


def show(data: bytes) -> None:
    """Print it, as it is."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def ended(job: dict[str, object]) -> int:
    """What a finished command gives; a line on stderr where it was ended by something else."""
    if job["dropped_bytes"]:
        print(f"node: {job['dropped_bytes']} bytes of output found no room", file=sys.stderr)
    if job["why"]:
        print(f"node: {job['state']}: {job['why']}", file=sys.stderr)
    if job["state"] == "lost":
        return REFUSED
    return TIME_OUT if job["why"] else int(str(job["exit_code"]))


def run_exec(asked: argparse.Namespace) -> int:
    """`exec`."""
    passage = Passage(op="exec", argv=asked.command, cwd=asked.cwd, timeout_s=asked.timeout)
    return ended(passage.answer(show))


def run_start(asked: argparse.Namespace) -> int:
    """`start`."""
    print(Passage(op="start", argv=asked.command, cwd=asked.cwd, timeout_s=asked.timeout).answer()["job"])
    return 0


def run_poll(asked: argparse.Namespace) -> int:
    """`poll`."""
    print(json.dumps(Passage(op="poll", job=asked.job).answer()))
    return 0


def run_logs(asked: argparse.Namespace) -> int:
    """`logs`."""
    Passage(op="logs", job=asked.job, offset=asked.first, max_bytes=asked.bytes).answer(show)
    return 0


def run_stop(asked: argparse.Namespace) -> int:
    """`stop`."""
    print(json.dumps(Passage(op="stop", job=asked.job).answer()))
    return 0


def run_gpus(asked: argparse.Namespace) -> int:
    """`gpus`."""
    gpus = Passage(op="gpus").answer()["gpus"]
    print("\n".join(gpus if isinstance(gpus, list) else []))
    return 0


def run_put(asked: argparse.Namespace) -> int:
    """`put`."""
    missing = [path for path in asked.paths if not os.path.lexists(path)]
    if missing:
        raise RefusedError(f"there is no {missing[0]} here")
    passage = Passage(op="put", path=asked.to)
    try:
        with io.BufferedWriter(Sender(passage), CHUNK) as out, tarfile.open(fileobj=out, mode="w|") as archive:
            for path in asked.paths:
                archive.add(path, arcname=Path(path).resolve().name)
        passage.say(end=True)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the host has refused, and says why
    print(json.dumps(passage.answer()))
    return 0


def unpack(archive: tarfile.TarFile, to: Path) -> None:
    """Plain files and directories, below a directory."""
    for member in archive:
        parts = Path(member.name).parts
        if member.name.startswith("/") or ".." in parts:
            raise tarfile.TarError(f"{member.name} is no name")
        place = to.joinpath(*parts)
        if member.isdir():
            place.mkdir(parents=True, exist_ok=True)
        content = archive.extractfile(member) if member.isreg() else None
        if content is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("wb") as file:
                shutil.copyfileobj(content, file)
            place.chmod(0o755 if member.mode & 0o100 else 0o644)


def run_get(asked: argparse.Namespace) -> int:
    """`get`."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(write)
        try:
            with os.fdopen(read, "rb") as coming, tarfile.open(fileobj=coming, mode="r|") as archive:
                unpack(archive, Path(asked.to))
                while coming.read(CHUNK):
                    pass
        except (OSError, tarfile.TarError) as error:
            print(f"node: {error}", file=sys.stderr)
            os._exit(1)
        os._exit(0)
    os.close(read)
    with os.fdopen(write, "wb") as stream:
        try:
            moved: dict[str, object] | None = Passage(op="get", path=asked.path).answer(stream.write)
        except BrokenPipeError:
            moved = None
    _, status = os.waitpid(child, 0)
    if moved is None or status:
        raise RefusedError(f"the files could not be written to {asked.to}")
    print(json.dumps(moved))
    return 0


def arguments() -> argparse.ArgumentParser:
    """What may be typed."""
    parser = argparse.ArgumentParser("node", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="op", required=True)
    for name, does in (("exec", run_exec), ("start", run_start)):
        command = commands.add_parser(name)
        command.add_argument("--cwd", default=".")
        command.add_argument("--timeout", type=float, default=None)
        command.add_argument("command", nargs=argparse.REMAINDER)
        command.set_defaults(does=does)
    for name, does in (("poll", run_poll), ("logs", run_logs), ("stop", run_stop)):
        command = commands.add_parser(name)
        command.add_argument("job")
        command.set_defaults(does=does)
        if name == "logs":
            command.add_argument("--from", dest="first", type=int, default=0)
            command.add_argument("--bytes", type=int, default=LOGS)
    command = commands.add_parser("put")
    command.add_argument("paths", nargs="+")
    command.add_argument("to")
    command.set_defaults(does=run_put)
    command = commands.add_parser("get")
    command.add_argument("path")
    command.add_argument("to")
    command.set_defaults(does=run_get)
    commands.add_parser("gpus").set_defaults(does=run_gpus)
    return parser


def main() -> int:
    """Pass one question on."""
    parser = arguments()
    try:
        asked = parser.parse_args()
    except SystemExit as end:
        return MISUSED if end.code else 0
    if asked.op in ("exec", "start"):
        asked.command = asked.command[1:] if asked.command[:1] == ["--"] else asked.command
        if not asked.command:
            print("node: no command was given", file=sys.stderr)
            return MISUSED
    try:
        return int(asked.does(asked))
    except RefusedError as error:
        print(f"node: {error}", file=sys.stderr)
        return REFUSED
    except (BrokenPipeError, ConnectionResetError):
        print("node: the host ended the conversation", file=sys.stderr)
        return REFUSED


if __name__ == "__main__":
    sys.exit(main())
