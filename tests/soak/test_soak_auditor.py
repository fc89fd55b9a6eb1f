"""Long counts of the auditor environment: speed, a thousand sessions, several workers, and what policies earn."""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.episode import Episode, files_text
from reproducegym.families.auditor.nouns import LEVELS
from reproducegym.planting.project import base_projects

pytestmark = pytest.mark.soak

SESSIONS = 1000
START_S = 300.0
"""How long workers may take to import everything on a busy machine."""


def test_two_thousand_classic_episodes_are_played_in_a_second(record_property: Callable[[str, object], None]):
    drawer = Classic()
    told = [drawer.draw(level, seed).answers() for level in LEVELS for seed in range(700)]
    actions = [(one.triage.to_json(), one.audit.to_json()) for one in told]
    began = time.process_time()
    for number, (triage, audit) in enumerate(actions):
        episode = Episode(drawer.draw(LEVELS[number // 700], number % 700))
        assert episode.text and episode.step(triage).reward == episode.step(audit).reward == 1
    rate = len(actions) / (time.process_time() - began)
    record_property("episodes a second and core", round(rate))
    assert rate >= 2000


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server of two workers."""
    pytest.importorskip("websockets", reason="the extra `openenv` is not installed")
    command = [sys.executable, "-m", "reproducegym", "auditor", "serve", "--port", "0", "--workers", "2"]
    command += ["--reward", "classic", "--capacity", str(SESSIONS)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found is not None
        end = time.monotonic() + START_S
        while not _answers(found[0]):
            assert server.poll() is None and time.monotonic() < end, "the server does not begin"
            time.sleep(0.2)
        yield found[0]
    finally:
        server.terminate()
        server.wait(timeout=30)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health", timeout=2).status_code == 200
    except httpx.HTTPError:
        return False


def test_a_thousand_sessions_at_once_lose_nothing(url: str, record_property: Callable[[str, object], None]):
    from websockets.asyncio.client import connect

    drawer, opened = Classic(), asyncio.Semaphore(50)

    async def session(seed: int, ready: asyncio.Barrier) -> float:
        case = drawer.draw(LEVELS[seed % 3], seed)
        known = case.answers()
        async with opened:
            socket = await connect(url.replace("http", "ws") + "/ws", open_timeout=120, ping_interval=None)
        async with socket:

            async def ask(kind: str, data: dict[str, object]) -> dict:
                await socket.send(json.dumps({"type": kind, "data": data}))
                told = json.loads(await socket.recv())
                assert told["type"] == "observation", told
                return told["data"]

            begun = await ask("reset", {"seed": seed, "task": case.level})
            assert begun["observation"]["text"] == files_text(case)
            await ready.wait()  # all are open now
            await ask("step", known.triage.model_dump(mode="json"))
            return float((await ask("step", known.audit.model_dump(mode="json")))["reward"])

    async def all_of_them() -> list[float]:
        ready = asyncio.Barrier(SESSIONS)
        return await asyncio.gather(*(session(seed, ready) for seed in range(SESSIONS)))

    began = time.monotonic()
    rewards = asyncio.run(all_of_them())
    record_property("sessions", len(rewards))
    record_property("seconds", round(time.monotonic() - began))
    assert rewards == [1.0] * SESSIONS


def test_http_episodes_go_on_at_whichever_worker(url: str, record_property: Callable[[str, object], None]):
    drawer, count = Classic(), 100
    with httpx.Client(base_url=url, headers={"Connection": "close"}, timeout=120) as client:  # any worker may answer
        names = [client.post("/reset", json={"task": "hard", "seed": n}).json()["episode_id"] for n in range(count)]
        for seed, name in enumerate(names):
            known = drawer.draw("hard", seed).answers()
            for action in (known.triage, known.audit):
                body = {"episode_id": name, "action": action.model_dump(mode="json")}
                assert client.post("/step", json=body).json()["reward"] == 1
    record_property("episodes", count)


def test_cheap_tricks_earn_nothing_on_held_out_projects(record_property: Callable[[str, object], None]):
    if not base_projects("held_out"):
        pytest.skip("there are no held-out projects yet")
    command = [sys.executable, "-m", "reproducegym", "auditor", "bench", "--episodes", "200", "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    told = json.loads(ended.stdout)
    for name, row in told["policies"].items():
        record_property(name, f"{row['mean']:.3f} (hard {row['hard']:.3f})")
    assert told["broken"] == [] and ended.returncode == 0
