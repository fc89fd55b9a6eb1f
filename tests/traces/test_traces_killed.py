"""A killed gateway loses what was under way and nothing else; readers take what it left."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from gateway_stage import Stage
from plain_client import ask, question
from speaking_upstream import KEY, Said, Upstream

from agent_trace.journal import Journal
from agent_trace.reading import TornTail, UnreadableRecord, read_trace

SERVER = """
import json, os, sys
from pathlib import Path
from agent_trace.gateway import Loopback, Settings, serving, upstream_from
there = upstream_from(sys.argv[1], "KEY", os.environ)
with serving(Settings({"openai": there, "anthropic": there})) as gateway:
    run = gateway.admit("run-1", Path(sys.argv[2]))
    print(json.dumps([gateway.listen(Loopback()), run.token]), flush=True)
    sys.stdin.read()
"""


class _Run:
    def __init__(self, token: str) -> None:
        self.token = token


def test_a_killed_gateway_has_every_record_that_was_answered_to_the_end(upstream: Upstream, tmp_path: Path):
    environ = {**os.environ, "KEY": KEY, "PYTHONPATH": os.pathsep.join(sys.path)}
    argv = [sys.executable, "-c", SERVER, upstream.base_url, str(tmp_path)]
    with subprocess.Popen(argv, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as gateway:
        address, token = json.loads(gateway.stdout.readline())
        stage = Stage(upstream, None, address, _Run(token), tmp_path)
        for number in range(20):
            assert ask(stage, question(f"number {number}", stream=number % 2 == 0)).whole
        os.kill(gateway.pid, signal.SIGKILL)
    trace = read_trace(tmp_path)
    assert [r.request.value["messages"][0]["content"] for r in trace.records] == [f"number {n}" for n in range(20)]
    assert trace.faults == ()


def test_a_torn_tail_and_a_foreign_line_are_told_and_cost_nothing_else(stage: Stage):
    stage.upstream.script = lambda asked: Said("fine")
    for _ in range(3):
        ask(stage, question())
    (segment,) = stage.directory.glob("*.jsonl")
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(lines[0] + b'{"format": "other"}\n' + lines[1] + lines[2][:-20])
    trace = read_trace(stage.directory)
    assert [one.sequence for one in trace.records] == [1, 2]
    assert trace.faults[1] == TornTail(segment, 4)
    assert isinstance(trace.faults[0], UnreadableRecord)
    assert trace.faults[0].line == 2


def test_every_writer_begins_a_segment_and_a_full_one_is_followed_by_another(tmp_path: Path):
    for _ in range(2):
        journal = Journal(tmp_path, largest=10)
        journal.write([b"12345\n", b"67890\n"])
        journal.write([b"abc\n"])
        journal.close()
    assert [path.name for path in sorted(tmp_path.iterdir())] == [f"records-{n:06}.jsonl" for n in (1, 2, 3, 4)]
    assert (tmp_path / "records-000001.jsonl").read_bytes() == b"12345\n67890\n"


def test_no_directory_of_records_is_one_clear_error(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match="no records"):
        read_trace(tmp_path)
