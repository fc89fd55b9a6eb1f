"""Paper tasks as an environment of OpenEnv: its own client plays, its own validator examines the server."""

import base64
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sample_paper import call, one_line
from sample_submissions import CHEAP_TASK, honest

pytest.importorskip("openenv", reason="the extra `openenv` is not installed")

import uvicorn
from openenv.cli._validation import validate_running_environment
from openenv.core import GenericEnvClient
from openenv.validation.runner import run_validation
from openenv.validation.types import Level

from reproducegym.adapters.exporters.kept import carried
from reproducegym.adapters.tasks_server.app import tasks_app
from reproducegym.adapters.tasks_server.environment import Offered
from reproducegym.adapters.trainers import Scored, UnscoredError
from reproducegym.adapters.trainers.judging import InProcessVerifier
from reproducegym.cli import wiring
from reproducegym.cli.options import SandboxChoice
from reproducegym.pipeline.store import open_paper
from reproducegym.ports import CopyLimits

LIMITS = CopyLimits(max_files=50, max_bytes=1 << 20, max_file_bytes=1 << 20)


class Sometimes:
    """The real verifier, but where a submission holds `infra`."""

    def __init__(self, real: InProcessVerifier) -> None:
        self.real = real

    def verify(self, task_id: str, files: dict[str, bytes]) -> Scored:
        if "infra" in files:
            raise UnscoredError(f"{task_id} was not scored (infra); send it again")
        return self.real.verify(task_id, files)

    def check_task(self, task_id: str) -> None:
        self.real.check_task(task_id)


@pytest.fixture(scope="module")
def url(built_sample: Path) -> Iterator[str]:
    settings = wiring.config(None)
    built, _ = carried([open_paper(built_sample)], "this server")
    orders = {one.order.entry.task_id: one.order for one in built}
    offered = {
        name: Offered(name, order.instructions, order.input_files, order.contract.evidence_level)
        for name, order in orders.items()
    }
    verifier = Sometimes(InProcessVerifier(orders, wiring.judge(SandboxChoice.AUTO, settings), parallel=1))
    server = uvicorn.Server(uvicorn.Config(tasks_app(offered, verifier, LIMITS, sessions=4), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_openenvs_client_plays_and_its_validator_is_content(url: str):
    texts = {name: data.decode() for name, data in honest().items()}
    with GenericEnvClient(base_url=url).sync() as client:
        begun = client.reset(task_id=CHEAP_TASK, episode_id="mine")
        assert begun.observation["evidence_level"] == "reexecute"
        assert "conditions.json" in begun.observation["input_files"]
        assert "reproduce.sh" in begun.observation["instructions"]
        assert client.step({"files": texts}).reward == 1.0
        assert client.state() == {"episode_id": "mine", "step_count": 1, "task_id": CHEAP_TASK}
        with pytest.raises(RuntimeError, match="the episode is over"):
            client.step({"files": texts})
        first = client.reset(seed=3).observation["task_id"]
        assert client.reset(seed=3).observation["task_id"] == first
        for refused in ({"../x": "1"}, {"a": "1", "a/b": "2"}, {str(n): "" for n in range(60)}):
            client.reset(task_id=CHEAP_TASK)
            ended = client.step({"files": refused})
            assert (ended.reward, ended.done) == (0.0, True)
            assert "refused" in ended.observation["outcome"]
        client.reset(task_id=CHEAP_TASK)
        with pytest.raises(RuntimeError, match="send it again"):
            client.step({"files": {"infra": ""}})
        readme = base64.b64encode(b"\xff\x00").decode()
        assert client.step({"base64_files": {"README": readme}}).reward == 0.0, "a fault of ours ends no episode"
        with pytest.raises(RuntimeError, match="no task 'x'"):
            client.reset(task_id="x")
    told = validate_running_environment(url)
    assert told["passed"], told


@pytest.mark.parametrize(
    ("path", "body", "status", "line"),
    [
        ("reset", {"task_id": "x"}, 400, "no task 'x'"),
        ("reset", {"task_id": ["x"]}, 400, "task_id is a text"),
        ("reset", {"index": "1"}, 400, "index is a whole number"),
        ("reset", {"index": 99}, 400, "there are tasks 0 to"),
        ("reset", {"colour": "red"}, 400, "reset knows seed"),
        ("step", {"action": {"files": {}}}, 400, "no task is named"),
        ("step", {"action": {"task_id": CHEAP_TASK, "files": {"infra": ""}}}, 503, "send it again"),
    ],
)
def test_plain_http_is_told_what_is_wrong(url: str, path: str, body: dict[str, object], status: int, line: str):
    answer = httpx.post(f"{url}/{path}", json=body)
    assert answer.status_code == status, answer.text
    assert line in answer.json()["detail"]


def test_openenvs_static_validator_passes_the_export(built_sample: Path, tmp_path: Path):
    done = call("reproducegym", "export", "openenv", "--paper", built_sample, "--out", tmp_path / "space")
    assert done.returncode == 0, done.stderr
    assert "evidence level reexecute, kept in 12 tasks" in done.stderr
    report = run_validation(tmp_path / "space", max_level=Level.STATIC, skip_build=True)
    assert report.verdict.value == "pass", report
    assert repr(str(built_sample.parent.resolve())) in (tmp_path / "space" / "server.py").read_text()


def test_a_server_without_tasks_says_so(tmp_path: Path):
    assert "no built paper" in one_line(call("reproducegym", "serve-tasks", "--runs", tmp_path))
