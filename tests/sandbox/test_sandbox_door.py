"""What a door lets through, and that nothing else gets out."""

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket

import pytest

from reproducegym.ports import Door, ExecOutcome, Sandbox, SandboxBox
from reproducegym.sandbox.door import open_door

ASK = """
import sys, threading, urllib.request
body = b"x" * int(sys.argv[1])
def ask(answers, n):
    with urllib.request.urlopen("http://127.0.0.1:8790/" + str(n), data=body, timeout=60) as reply:
        answers[n] = reply.read().decode()
answers = {}
threads = [threading.Thread(target=ask, args=(answers, n)) for n in range(int(sys.argv[2]))]
[one.start() for one in threads]
[one.join() for one in threads]
print(sorted(answers.values()))
"""
ELSEWHERE = """
import socket
for where in (("192.0.2.1", 80), ("169.254.169.254", 80), ("127.0.0.1", 8791)):
    try:
        socket.create_connection(where, 3)
        print("reached", where)
    except OSError:
        pass
print(sorted(name for _, name in socket.if_nameindex()))
"""


class Echo(BaseHTTPRequestHandler):
    """Answers with the path and the digest of what was sent."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        answer = f"{self.path} {hashlib.sha256(body).hexdigest()}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class UnixServer(ThreadingHTTPServer):
    """Serves a socket that listens already."""

    def __init__(self, listening: socket) -> None:
        super().__init__(("", 0), Echo, bind_and_activate=False)
        self.socket.close()
        self.socket = listening

    def get_request(self) -> tuple[socket, object]:
        connection, _ = self.socket.accept()
        return connection, ("inside", 0)


@contextlib.contextmanager
def served(door: Door) -> Iterator[None]:
    server = UnixServer(door.sockets["gateway"])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()


def behind_the_relay(box: SandboxBox, *command: str) -> ExecOutcome:
    assert box.door is not None
    return box.exec([*box.door.relay, "gateway", "8790", "--", *command], timeout_s=60.0, output_bytes=65536)


@pytest.fixture
def box(backend: Sandbox, spec) -> Iterator[SandboxBox]:
    with backend.create(replace(spec(), door=("gateway",))) as made:
        assert made.door is not None
        with served(made.door):
            yield made


def test_what_is_sent_arrives_and_what_is_answered_comes_back(box: SandboxBox) -> None:
    digest = hashlib.sha256(b"x" * 3_000_000).hexdigest()
    ended = behind_the_relay(box, "python3", "-c", ASK, "3000000", "4")
    assert ended.output.decode().strip() == str([f"/{n} {digest}" for n in range(4)])


def test_a_door_is_no_network(box: SandboxBox) -> None:
    assert behind_the_relay(box, "python3", "-c", ELSEWHERE).output.decode().strip() == "['lo']"


@pytest.mark.parametrize(
    ("command", "code"), [("exit 7", 7), ("kill -9 $$", 137), ("kill -TERM $PPID; sleep 5", 143), ("exit 0", 0)]
)
def test_a_command_behind_the_relay_ends_as_it_ends(box: SandboxBox, command: str, code: int) -> None:
    ended = behind_the_relay(box, "/bin/bash", "-c", command)
    assert (ended.exit_code, ended.timed_out) == (code, False)


def test_a_program_that_is_not_there_is_told_from_the_relay(box: SandboxBox) -> None:
    ended = behind_the_relay(box, "/no/such/program")
    assert ended.exit_code == 127
    assert b"/no/such/program: No such file or directory" in ended.output


def test_the_door_cannot_be_taken_down_from_inside(box: SandboxBox) -> None:
    ended = box.exec(
        ["/bin/bash", "-c", "rm -f /door/gateway /door/relay.py; ls /door"], timeout_s=9, output_bytes=4096
    )
    assert ended.output.decode().split("\n")[-3:-1] == ["gateway", "relay.py"]


def test_without_anybody_behind_it_a_door_says_so(backend: Sandbox, spec) -> None:
    with backend.create(replace(spec(), door=("gateway",))) as made:
        assert made.door is not None
        made.door.sockets["gateway"].close()
        ended = behind_the_relay(made, "python3", "-c", ASK, "1", "1")
    assert b"relay: the door does not open: Connection refused" in ended.output


def test_a_sandbox_has_no_door_unless_it_is_given_one(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as made:
        assert made.door is None
        assert made.exec(["/bin/ls", "/door"], timeout_s=9, output_bytes=4096).exit_code == 2


def test_doors_work_where_the_temporary_directory_has_a_long_name(tmp_path: Path, monkeypatch) -> None:
    deep = tmp_path / ("a" * 120)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with open_door(("gateway",)) as (directory, _):
        assert (directory / "gateway").is_socket()
