"""The reward service as a user starts it: a process of its own on loopback."""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from sample_paper import ROOT, command_line

from reproducegym.adapters.reward_client import Patience, RewardClient

TOKEN = "0123456789abcdef-token"


class Serving:
    """A running service."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, log: Path) -> None:
        self.process, self.url, self.log = process, url, log

    def client(self, **patience: float) -> RewardClient:
        return RewardClient(self.url, TOKEN, patience=Patience(**{"total_s": 120.0, **patience}))

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextlib.contextmanager
def serving(runs: Path, state: Path, *options: str, **env: str) -> Iterator[Serving]:
    """Start one, wait until it listens, and end it."""
    argv = command_line("reproducegym", "serve-verifier", "--runs", runs, "--state", state, "--port", "0", *options)
    log = state.with_suffix(".log")
    told = {**os.environ, "REPRODUCEGYM_SERVICE_TOKEN": TOKEN, **env}
    with log.open("w") as stream:
        process = subprocess.Popen(argv, cwd=ROOT, env=told, stderr=stream, stdout=stream, text=True)
    try:
        url = None
        while url is None:
            assert process.poll() is None, log.read_text()
            time.sleep(0.02)
            url = re.search(r"on (http://\S+);", log.read_text())
        yield Serving(process, url[1], log)
    finally:
        if process.poll() is None:
            process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(30)
        process.kill()
        process.wait()
