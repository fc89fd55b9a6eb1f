"""Traces in large: Harbor's own validator, bodies of 100 MB in bounded memory, kills at any moment."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

TRACES = Path(__file__).resolve().parent.parent / "traces"
sys.path.insert(0, str(TRACES))

from gateway_stage import Stage, settings_for  # noqa: E402
from plain_client import ask, question  # noqa: E402
from speaking_upstream import KEY, Raw, Said, speaking  # noqa: E402
from test_traces_export import busy_run  # noqa: E402

from agent_trace.export import atif  # noqa: E402
from agent_trace.gateway import Loopback, serving  # noqa: E402
from agent_trace.merge import merged  # noqa: E402
from agent_trace.reading import read_body, read_trace  # noqa: E402

pytestmark = pytest.mark.soak

VALIDATOR = "harbor.utils.trajectory_validator"
KILLS = 20
STREAMS = 8


class _Token:
    def __init__(self, token: str) -> None:
        self.token = token


@pytest.fixture(scope="module")
def harbor_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has Harbor, which wants 3.12 or newer: named, or made here."""
    if named := os.environ.get("REPRODUCEGYM_HARBOR_PYTHON"):
        return named
    found = [name for minor in (14, 13, 12) if (name := shutil.which(f"python3.{minor}"))]
    newer = next((n for n in found if not subprocess.run([n, "-V"], capture_output=True, check=False).returncode), None)
    if newer is None:
        pytest.skip("no Python 3.12 or newer here for Harbor: REPRODUCEGYM_HARBOR_PYTHON names none")
    place = tmp_path_factory.mktemp("harbor")
    subprocess.run([newer, "-m", "venv", str(place)], check=True)
    subprocess.run([str(place / "bin" / "pip"), "install", "-q", "harbor>=0.26,<0.27"], check=True)
    return str(place / "bin" / "python")


def test_harbor_takes_a_busy_runs_trajectory(harbor_python: str, tmp_path: Path):
    with speaking() as upstream, serving(settings_for(upstream)) as gateway:
        run = gateway.admit("run-1", tmp_path / "trace")
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), run, tmp_path / "trace")
        busy_run(stage)
        document = atif(merged(stage.trace()), "an-agent", "1.0")
    for path, data in document.files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    written = tmp_path / "trajectory.json"
    written.write_text(json.dumps(document.trajectory))
    argv = [harbor_python, "-m", VALIDATOR, str(written)]
    answer = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_bodies_of_a_hundred_megabytes_pass_in_bounded_memory(tmp_path: Path, record_property):
    size = 100 << 20
    with speaking() as upstream, _gateway(upstream.base_url, tmp_path) as (stage, process):
        upstream.script = lambda asked: Raw([b'{"x": "', *([b"y" * (1 << 20)] * 100), b'"}'], 200, "application/json")
        assert ask(stage, question()).status == 200
        before = process.memory_info().rss
        peak = [before]
        over = threading.Event()

        def watch() -> None:
            while not over.wait(0.02):
                peak[0] = max(peak[0], process.memory_info().rss)

        watching = threading.Thread(target=watch)
        watching.start()
        began = time.monotonic()
        got = ask(stage, question("x" * size), timeout_s=600)
        took = time.monotonic() - began
        over.set()
        watching.join()
        assert got.status == 200
        assert len(got.body) == size + 9
        assert upstream.largest_body > size
    record = read_trace(tmp_path).records[-1]
    assert record.request.bytes > size
    assert len(read_body(record.response, tmp_path)["x"]) == size
    record_property("seconds", round(took, 1))
    record_property("grew_mib", (peak[0] - before) >> 20)
    assert peak[0] - before < 100 << 20


def test_a_gateway_killed_at_any_moment_loses_only_what_was_under_way(tmp_path: Path, record_property):
    answered, recorded = 0, 0
    with speaking() as upstream:
        for number in range(KILLS):
            upstream.script = lambda asked: Said("word " * 20, pieces=10, gap_s=0.002)
            place = tmp_path / str(number)
            with _gateway(upstream.base_url, place) as (stage, process):
                done = _load(stage, process, 0.05 * (number + 1))
            trace = read_trace(place) if list(place.glob("*.jsonl")) else None
            told = {r.request.value["messages"][0]["content"] for r in trace.records} if trace else set()
            assert done <= told, sorted(done - told)
            answered, recorded = answered + len(done), recorded + len(told)
    record_property("answered_to_the_end", answered)
    record_property("recorded", recorded)
    assert answered > KILLS


def _load(stage: Stage, process: psutil.Process, seconds: float) -> set[str]:
    """Names of the requests that were answered to the end before the gateway was killed."""
    done: set[str] = set()

    def work(worker: int) -> None:
        for number in range(1000):
            try:
                if ask(stage, question(f"{worker}-{number}")).whole:
                    done.add(f"{worker}-{number}")
            except (ConnectionError, OSError):
                return

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(STREAMS)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    for thread in threads:
        thread.join()
    return done


class _gateway:
    """A gateway in a process of its own."""

    def __init__(self, upstream: str, records: Path) -> None:
        self._argv = [sys.executable, "-m", "agent_trace", "--records", str(records), "--openai", upstream, "KEY"]
        self._records = records

    def __enter__(self) -> tuple[Stage, psutil.Process]:
        environ = {**os.environ, "KEY": KEY, "PYTHONPATH": os.pathsep.join(sys.path)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(self._argv, env=environ, **pipes)
        told = json.loads(self._process.stdout.readline())
        stage = Stage(None, None, told["address"], _Token(told["token"]), self._records)
        return stage, psutil.Process(self._process.pid)

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
