"""The proxy against a real server: what is allowed passes, everything else is refused, told, counted and logged."""

import ssl
import time
from pathlib import Path

import pytest
from egress_stage import CERTIFICATE, TOKEN, Stage, allowed, never, site, stage

from reproducegym.adapters.egress.allowance import Place


def through(one: Stage, port: int, *, name: str = "files.example") -> bytes:
    """The answer to `GET /a` over TLS in a tunnel to files.example, with a hello for a name."""
    client, said = one.ask(f"CONNECT files.example:{port} HTTP/1.1\r\nHost: files.example:{port}")
    assert said == b"HTTP/1.1 200 Connection established\r\n\r\n"
    with ssl.create_default_context(cafile=CERTIFICATE).wrap_socket(client, server_hostname=name) as inside:
        inside.sendall(b"GET /a HTTP/1.1\r\nHost: files.example\r\nConnection: close\r\n\r\n")
        got = b""
        while more := inside.recv(65536):
            got += more
        return got


def test_a_plain_request_passes_to_the_host_that_its_address_names(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}")) as one:
        head = f"POST http://files.example:{port}/a?secret=1 HTTP/1.1\r\nHost: other.example\r\nContent-Length: 5"
        _, said = one.ask(head, body=b"hello")
        assert said.startswith(b"HTTP/1.1 200 ")
        assert said.endswith(f"POST /a?secret=1 host=files.example:{port} body=5".encode())
        opened, closed = one.lines()
        assert (opened["event"], opened["host"], opened["port"]) == ("opened", "files.example", port)
        assert (opened["address"], opened["path"]) == ("127.0.0.1", "/a")
        assert (closed["event"], closed["reason"]) == ("closed", "done")
        usage = one.log.usage()
        assert (usage.opened, usage.refused, usage.failed) == (1, 0, 0)
        assert (usage.sent_bytes, usage.received_bytes) == (closed["sent"], closed["received"])
        assert min(closed["sent"], closed["received"]) > 90
        assert "secret" not in (one.trace / "egress.jsonl").read_text()


def test_a_tunnel_carries_tls_for_the_name_that_was_asked_for(tmp_path: Path):
    with site(tls=True) as port, stage(tmp_path, allowed(f"files.example:{port}")) as one:
        assert through(one, port).endswith(b"GET /a host=files.example body=0")
    assert one.told() == [("opened", None), ("closed", "done")]


def test_a_tunnel_for_another_name_is_cut(tmp_path: Path):
    with site(tls=True) as port, stage(tmp_path, allowed(f"files.example:{port}")) as one:
        with pytest.raises(OSError):
            through(one, port, name="hidden.example")
        assert one.told() == [("refused", "other_name")]


def test_a_tunnel_carries_nothing_but_tls(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}")) as one:
        client, _ = one.ask(f"CONNECT files.example:{port} HTTP/1.1\r\nHost: x")
        client.sendall(b"GET / HTTP/1.1\r\nHost: hidden.example\r\n\r\n")
        assert client.recv(100) == b""
        assert one.told() == [("refused", "no_tls")]


@pytest.mark.parametrize(
    ("line", "code", "reason"),
    [
        ("CONNECT files.example:22", 403, "not_listed"),
        ("CONNECT www.files.example:443", 403, "not_listed"),
        ("CONNECT 127.1:443", 403, "not_listed"),
        ("CONNECT 2130706433:443", 403, "not_listed"),
        ("CONNECT code.example:443", 403, "named_by_paper"),
        ("GET http://files.example/", 403, "not_listed"),
        ("GET https://files.example:443/", 400, "malformed"),
        ("GET http://me@files.example:443/", 400, "malformed"),
        ("GET /only/a/path", 400, "malformed"),
        ("CONNECT files.example", 400, "malformed"),
        ("CONNECT http://files.example:443", 400, "malformed"),
    ],
)
def test_everything_else_is_refused_with_its_reason(tmp_path: Path, line: str, code: int, reason: str):
    listed = allowed("files.example:443", "code.example:443", named=("www.code.example",))
    with stage(tmp_path, listed, never) as one:
        _, said = one.ask(f"{line} HTTP/1.1\r\nHost: x")
        assert said.startswith(f"HTTP/1.1 {code} ".encode())
        assert said.endswith(f"egress: {reason}\n".encode())
        assert one.told() == [("refused", reason)]
        assert one.log.usage().refused == 1


def test_bytes_that_are_no_http_are_refused(tmp_path: Path):
    with stage(tmp_path, allowed("files.example:443")) as one:
        client = one.connect()
        client.sendall(b"\x16\x03\x01 what\r\n\r\n")
        assert client.recv(65536).startswith(b"HTTP/1.1 400 ")
        assert one.told() == [("refused", "malformed")]


@pytest.mark.parametrize("token", ["", "another", TOKEN[:-1]])
def test_without_the_runs_token_nothing_is_looked_at(tmp_path: Path, token: str):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}")) as one:
        _, said = one.ask(f"GET http://files.example:{port}/ HTTP/1.1\r\nHost: x", token=token)
        assert said.startswith(b"HTTP/1.1 407 ")
        assert b"proxy-authenticate: Basic" in said
        assert one.told() == [("refused", "wrong_token")]


def test_a_listed_name_that_leads_to_this_machine_is_refused(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}", networks=())) as one:
        _, said = one.ask(f"GET http://files.example:{port}/ HTTP/1.1\r\nHost: x")
        assert said.endswith(b"egress: private_address\n")
        assert one.told() == [("refused", "private_address")]


def test_a_name_is_resolved_once_and_only_what_was_looked_at_is_reached(tmp_path: Path):
    """DNS rebinding: the first answer may be reached, every later one is this machine."""
    answers = [("198.51.100.7",), ("127.0.0.1",)]

    async def rebinding(place: Place) -> tuple[str, ...]:
        return answers.pop(0)

    with site() as port:
        listed = allowed(f"files.example:{port}", networks=("198.51.100.0/24",), connect_s=0.2)
        with stage(tmp_path, listed, rebinding) as one:
            _, said = one.ask(f"GET http://files.example:{port}/ HTTP/1.1\r\nHost: x")
            assert said.startswith(b"HTTP/1.1 502 ")
            assert answers == [("127.0.0.1",)]
            _, said = one.ask(f"GET http://files.example:{port}/ HTTP/1.1\r\nHost: x")
            assert said.endswith(b"egress: private_address\n")
            assert one.told() == [("failed", "unreachable"), ("refused", "private_address")]


def test_a_name_that_nobody_knows_and_a_server_that_is_dead_are_failures(tmp_path: Path):
    with site() as port:
        pass
    with stage(tmp_path, allowed(f"files.example:{port}")) as one:
        _, said = one.ask(f"CONNECT files.example:{port} HTTP/1.1\r\nHost: x")
        assert said.startswith(b"HTTP/1.1 502 ")
        assert one.told() == [("failed", "unreachable")]
    (tmp_path / "other").mkdir()
    with stage(tmp_path / "other", allowed("files.example:443"), never) as one:
        _, said = one.ask("CONNECT files.example:443 HTTP/1.1\r\nHost: x")
        assert said.endswith(b"egress: no_such_host\n")
        assert one.log.usage().failed == 1


def test_a_response_that_breaks_off_breaks_off_for_the_client(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}")) as one:
        _, said = one.ask(f"GET http://files.example:{port}/cut HTTP/1.1\r\nHost: x")
        assert said.startswith(b"HTTP/1.1 200 ")
        assert one.told("closed") == [("closed", "no_http")]


def test_a_client_that_leaves_ends_its_connection_and_no_other(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}")) as one:
        client = one.connect()
        client.sendall(b"CONNECT files")
        client.close()
        gone, _ = one.ask(f"CONNECT files.example:{port} HTTP/1.1\r\nHost: x")
        gone.close()
        _, said = one.ask(f"GET http://files.example:{port}/ HTTP/1.1\r\nHost: x")
        assert said.startswith(b"HTTP/1.1 200 ")


def test_a_run_may_use_so_many_bytes_and_no_more(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}", max_mib=1)) as one:
        _, said = one.ask(f"GET http://files.example:{port}/long HTTP/1.1\r\nHost: x")
        assert len(said) < (1 << 20) + 1000
        assert one.told("closed") == [("closed", "over_bytes")]
        _, said = one.ask(f"GET http://files.example:{port}/ HTTP/1.1\r\nHost: x")
        assert said.endswith(b"egress: over_bytes\n")


def test_a_connection_may_take_so_long_and_no_longer(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}", connection_s=0.2)) as one:
        began = time.monotonic()
        _, said = one.ask(f"GET http://files.example:{port}/slow HTTP/1.1\r\nHost: x")
        assert said == b""
        assert time.monotonic() - began < 2
        assert one.told("closed") == [("closed", "over_time")]


def test_more_connections_than_the_limit_are_refused(tmp_path: Path):
    with site() as port, stage(tmp_path, allowed(f"files.example:{port}", connections=1)) as one:
        held, _ = one.ask(f"CONNECT files.example:{port} HTTP/1.1\r\nHost: x")
        _, said = one.ask(f"GET http://files.example:{port}/ HTTP/1.1\r\nHost: x")
        assert said.startswith(b"HTTP/1.1 503 ")
        held.close()


def test_what_is_under_way_when_the_run_ends_is_ended_and_logged(tmp_path: Path):
    with site() as port:
        with stage(tmp_path, allowed(f"files.example:{port}")) as one:
            client = one.send(f"GET http://files.example:{port}/slow HTTP/1.1\r\nHost: x")
            while not (one.trace / "egress.jsonl").read_bytes():
                time.sleep(0.01)
        assert one.told("closed") == [("closed", "run_over")]
        assert client.recv(100) == b""


def test_who_asks_in_a_loop_fills_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("reproducegym.adapters.egress.log._LINES", 3)
    with stage(tmp_path, allowed("files.example:443")) as one:
        for _ in range(5):
            one.ask("CONNECT x.example:443 HTTP/1.1\r\nHost: x")
        assert len(one.lines()) == 3
        assert one.log.usage().refused == 5
