"""Many attempts while driver, engine and sandboxes are killed at random: all are valid after resuming, all is clean."""

import json
import os
import random
import shutil
import subprocess
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from engine import Engine, own_engine, processes_that_name
from sample_paper import ROOT, SOLUTION, build_sample, call, command_line, manifest

from reproducegym.schema.batch import AttemptLine, Batch, BatchTask

pytestmark = pytest.mark.soak

ATTEMPTS = int(os.environ.get("REPRODUCEGYM_SOAK_ATTEMPTS", "64"))
NOOPS = int(os.environ.get("REPRODUCEGYM_SOAK_NOOPS", "200"))


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_sample(tmp_path_factory.mktemp("attempts") / "runs")


def valid_slots(paper: Path, batch_id: str) -> Counter[tuple[str, int | None]]:
    lines = [AttemptLine.from_json(line) for line in (paper / "04-run" / "index.jsonl").read_text().splitlines()]
    assert len(lines) == len(list(paper.glob("04-run/c*/*/[0-9]*")))
    return Counter((one.claim_id, one.slot) for one in lines if one.batch_id == batch_id and one.reward_valid)


def harm(kind: str, driver: subprocess.Popen[bytes], engine: Engine, moments: random.Random) -> None:
    if kind == "driver":
        driver.kill()
        driver.wait()
    elif kind == "engine":
        engine.kill()
        engine.start()
    elif boxes := engine.docker("ps", "-q").stdout.split():
        engine.docker("kill", moments.choice(boxes))


def test_all_attempts_end_valid_after_random_kills_and_nothing_is_left(
    paper: Path, docker_image: str, tmp_path: Path, record_property
):
    if os.geteuid() != 0:
        pytest.skip("only root can start an engine of its own")
    copy = Path(shutil.copytree(paper, tmp_path / "runs" / paper.name))
    claim = manifest(copy)["tasks"][0]["claim_id"]
    moments, kills, calls = random.Random(11), Counter[str](), 0
    (tmp_path / "temporary").mkdir()
    with own_engine(docker_image) as engine:
        env = {**os.environ, "DOCKER_HOST": engine.host, "TMPDIR": str(tmp_path / "temporary")}
        words = ["--agent", f"script:{SOLUTION}", "--attempts", str(ATTEMPTS), "--parallel", "2", "--sandbox", "docker"]
        asked: list[str | Path] = ["run.py", "--paper", copy, "--claim-id", claim, *words]
        while True:
            calls += 1
            assert calls < ATTEMPTS + 20
            driver = subprocess.Popen(
                command_line(*asked), cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while driver.poll() is None:
                time.sleep(moments.uniform(2.0, 20.0))
                if driver.poll() is None and sum(kills.values()) < ATTEMPTS:
                    kind = moments.choice(["driver", "engine", "sandbox"])
                    kills[kind] += 1
                    harm(kind, driver, engine, moments)
            if list((copy.parent / ".batches").glob("*.json")):
                asked = ["run.py", "--runs", copy.parent, "--resume", "last", "--parallel", "2"]
            if driver.returncode == 0:
                break
        batch = Batch.from_json(next((copy.parent / ".batches").glob("*.json")).read_bytes())
        slots = valid_slots(copy, batch.batch_id)
        assert set(slots.values()) == {1}
        assert len(slots) == ATTEMPTS
        assert engine.containers() == []
        assert engine.docker("volume", "ls", "-q").stdout == ""
    assert not list(copy.glob("04-run/*/*/.[rt]*"))
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not processes_that_name(str(tmp_path))
    assert str(tmp_path) not in Path("/proc/self/mountinfo").read_text()
    rewards = [json.loads(path.read_text())["reward"] for path in copy.glob("04-run/c*/*/*/result.json")]
    assert min(reward for reward in rewards if reward is not None) >= 0.9
    record_property("attempts", ATTEMPTS)
    record_property("calls", calls)
    for kind, number in kills.items():
        record_property(f"{kind} killed", number)


def test_ray_fills_200_slots_once_each_though_a_worker_is_killed(paper: Path, tmp_path: Path, record_property):
    pytest.importorskip("ray")
    copy = Path(shutil.copytree(paper, tmp_path / "runs" / paper.name))
    tasks = manifest(copy)["tasks"][:2]
    batch = Batch(
        schema_version=1,
        batch_id="soak",
        begun=datetime.now(tz=UTC),
        agent="noop",
        sandbox="namespaces",
        attempts=NOOPS // 2,
        tasks=tuple(
            BatchTask(paper_id=copy.name, claim_id=task["claim_id"], spec_hash=task["spec_hash"]) for task in tasks
        ),
        assets=(),
        config=None,
    )
    (copy.parent / ".batches").mkdir()
    (copy.parent / ".batches" / "soak.json").write_text(batch.to_json())
    words = ("run.py", "--runs", copy.parent, "--resume", "soak", "--executor", "ray", "--parallel", "2")
    driver = subprocess.Popen(command_line(*words), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    owner: int | None = None
    while owner is None:
        assert driver.poll() is None, driver.communicate()[1]
        notes = list(copy.glob("04-run/*/*/.running-*/owner.json"))
        if len(list(copy.glob("04-run/c*/*/[0-9]*"))) >= NOOPS // 10 and notes:
            try:
                owner = int(json.loads(notes[0].read_text())["owner"].partition(":")[0])
            except FileNotFoundError:
                continue  # it has ended meanwhile
            os.kill(owner, 9)
        time.sleep(0.01)
    _, said = driver.communicate(timeout=1200)
    assert driver.returncode == 0, said
    slots = valid_slots(copy, "soak")
    assert len(slots) == NOOPS
    assert set(slots.values()) == {1}
    assert call("reproducegym", "clean", "--runs", copy.parent).returncode == 0
    assert not list(copy.glob("04-run/*/*/.[rt]*"))
    record_property("attempts", NOOPS)
