"""The reward service for a long time: thousands of orders, killed again and again, and each answered once."""

import asyncio
import itertools
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.rewards import TOKEN, serving
from reproducegym import load_manifest
from reproducegym.adapters.reward_client import AsyncRewardClient, Patience, Reward

pytestmark = pytest.mark.soak

ORDERS = 3_000
KILLS = 5


@pytest.fixture
def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory, docker_image: str) -> Path:
    out = tmp_path_factory.mktemp("audits")
    argv = [sys.executable, "-m", "reproducegym", "build", "--family", "repo-audit", "--n", "2", "--seed", "7"]
    subprocess.run([*argv, "--out", str(out)], check=True, capture_output=True)
    return out


async def ordered(port: int, task: str, progress: list[int]) -> list[Reward]:
    """Every order by a key of its own; whoever waits goes on asking while the service is away."""
    gate = asyncio.Semaphore(64)
    async with AsyncRewardClient(f"http://127.0.0.1:{port}", TOKEN, patience=Patience(total_s=900)) as client:

        async def one(number: int) -> Reward:
            async with gate:
                found = await client.verify(task, {"output/findings.csv": "rule,file,line\n"}, key=f"order-{number}")
            progress.append(number)
            return found

        return list(await asyncio.gather(*(one(number) for number in range(ORDERS))))


def test_a_service_that_is_killed_again_and_again_answers_every_order_once(
    audits: Path, tmp_path: Path, free_port: int, record_property
):
    task, progress = load_manifest(audits)[0].task_id, list[int]()

    async def both() -> tuple[list[Reward], int]:
        orders = asyncio.create_task(ordered(free_port, task, progress))
        for kills in itertools.count():
            with serving(audits, tmp_path / "state", "--port", str(free_port)) as (_url, process):
                wanted = ORDERS * (kills + 1) // (KILLS + 1)
                while not orders.done() and (kills == KILLS or len(progress) < wanted):
                    await asyncio.sleep(0.05)
                if orders.done():
                    return await orders, kills
                process.kill()
        raise AssertionError("unreachable")

    began = time.monotonic()
    rewards, kills = asyncio.run(both())
    seconds = time.monotonic() - began
    assert {(one.valid, one.failure_kind, one.evidence_level) for one in rewards} == {(True, None, "artifact")}
    assert len({one.verification for one in rewards}) == ORDERS
    with sqlite3.connect(tmp_path / "state" / "queue.sqlite") as base:
        assert base.execute("SELECT COUNT(*), COUNT(DISTINCT key), SUM(state = 'done') FROM jobs").fetchone() == (
            ORDERS,
            ORDERS,
            ORDERS,
        )
        (again,) = base.execute("SELECT SUM(tries - 1) FROM jobs").fetchone()
    record_property("orders", ORDERS)
    record_property("kills", kills)
    record_property("begun_again_after_a_kill", again)
    record_property("verifications_a_second_restarts_included", round(ORDERS / seconds, 1))
