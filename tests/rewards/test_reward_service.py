"""Rewards by HTTP: taken once, verified once, told once, whatever breaks on the way."""

import asyncio
import io
import json
import resource
import shutil
import signal
import socket
import tarfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from sample_paper import CHEAP_CLAIM, PAPER_ID, SAMPLE, call, call_anew, one_line
from serving import TOKEN, Serving, serving

from reproducegym.adapters.reward_client import (
    AsyncRewardClient,
    Patience,
    Reward,
    RewardRefusedError,
    RewardUnavailableError,
)
from reproducegym.adapters.reward_service.refusals import RefusedRequestError
from reproducegym.adapters.reward_service.submissions import read_submission
from reproducegym.adapters.trainers import ServiceVerifier, UnusableVerifierError, trl_reward
from reproducegym.ports import CopyLimits

TASK = f"{PAPER_ID}.{CHEAP_CLAIM}"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
SLOW = {"reproduce.sh": "sleep 0.2\nexit 3\n"}  # ten times: each run of the verification
JSON = {**HEADERS, "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def runs(built_sample: Path) -> Path:
    return built_sample.parent


@pytest.fixture(scope="module")
def service(runs: Path, docker_image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(runs, tmp_path_factory.mktemp("service") / "state", "--submission-mib", "1") as started:
        yield started


def post(service: Serving, body: bytes, form: str, **other: str) -> httpx.Response:
    told = {**HEADERS, "Content-Type": form, **other}
    return httpx.post(
        f"{service.url}/v1/verifications", params={"task_id": TASK, "wait": 30}, headers=told, content=body
    )


def ended(service: Serving) -> float:
    """How many verifications have ended, by the metrics."""
    text = httpx.get(f"{service.url}/metrics", headers=HEADERS).text
    return sum(
        float(line.split()[-1]) for line in text.splitlines() if line.startswith("reproducegym_verifications_total")
    )


def test_a_reference_is_paid_what_the_command_pays_and_nothing_hidden_is_told(service: Serving, tmp_path: Path):
    with service.client() as client:
        assert TASK in client.tasks()
        paid = client.verify(TASK, SAMPLE / "solution")
    assert (paid.reward, paid.valid, paid.failure_kind, paid.evidence_level) == (1.0, True, None, "reexecute")
    answer = post(service, json.dumps({"files": {"x": "1"}}).encode(), "application/json")
    assert answer.json() == {
        "id": answer.json()["id"],
        "task_id": TASK,
        "spec_hash": paid.spec_hash,
        "state": "done",
        "reward": 0.0,
        "reward_valid": True,
        "failure_kind": "agent",
        "evidence_level": "reexecute",
        "tries": 1,
    }


def test_one_key_is_one_verification_however_often_and_at_once(service: Serving):
    before = ended(service)
    with service.client() as client, ThreadPoolExecutor(8) as pool:
        order: Callable[[int], Reward] = lambda _: client.verify(TASK, {"a": "1"}, key="once")  # noqa: E731
        rewards = set(pool.map(order, range(8)))
        assert len(rewards) == 1
        assert ended(service) == before + 1
        with pytest.raises(RewardRefusedError, match="409 key_reused"):
            client.verify(TASK, {"a": "2"}, key="once")
        assert client.verify(TASK, {"a": "1"}).verification != rewards.pop().verification
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        entry = tarfile.TarInfo("./a")
        entry.size = 1
        archive.addfile(entry, io.BytesIO(b"1"))
    same = post(service, tar.getvalue(), "application/x-tar", **{"Idempotency-Key": "once"})
    assert same.status_code == 200, same.text  # the same files in another form


def test_the_client_that_awaits_hears_what_the_other_does(service: Serving):
    async def heard() -> tuple[list[str], list[Reward]]:
        async with AsyncRewardClient(service.url, TOKEN, patience=Patience(total_s=60)) as client:
            with pytest.raises(RewardRefusedError, match="404 unknown_task"):
                await client.verify("no.task", {})
            orders = (client.verify(TASK, {"a": "3"}, key="awaited") for _ in range(4))
            return await client.tasks(), await asyncio.gather(*orders)

    tasks, rewards = asyncio.run(heard())
    with service.client() as client:
        assert tasks == client.tasks()
        assert set(rewards) == {client.verify(TASK, {"a": "3"}, key="awaited")}


def zipped(name: str, data: bytes, mode: int = 0o100644) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
    return kept.getvalue()


def tarred(name: str, kind: bytes = tarfile.REGTYPE) -> bytes:
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, "/etc/passwd"
        archive.addfile(entry)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("form", "body", "status", "code"),
    [
        ("application/zip", zipped("a", b"0" * (2 << 20)), 413, "too_large"),
        ("application/zip", zipped("../a", b"0"), 400, "refused_file"),
        ("application/zip", zipped("a", b"/etc/passwd", 0o120777), 400, "refused_file"),
        ("application/zip", zipped("a", b"0")[:-9], 400, "bad_archive"),
        ("application/x-tar", tarred("a", tarfile.SYMTYPE), 400, "refused_file"),
        ("application/x-tar", tarred("/a"), 400, "refused_file"),
        ("application/x-tar", b"no tar at all" * 100, 400, "bad_archive"),
        ("application/x-tar", b"0" * (4 << 20), 413, "too_large"),
        ("application/json", b'{"files": {"a": 1}}', 400, "bad_request"),
        ("application/json", b'{"files": {"a": "1", "a": "2"}}', 400, "bad_request"),
        ("application/json", b'{"files": {"a": "1"}, "files": {}}', 400, "bad_request"),
        ("application/json", b'{"files_base64": {"a": "?"}}', 400, "bad_request"),
        ("application/json", '{"files_base64": {"a": "\u00e9"}}'.encode(), 400, "bad_request"),
        ("application/json", b'{"files": {"a": "", "a/b": ""}}', 400, "refused_file"),
        ("application/json", b'{"files": {"a": ""}, "files_base64": {"a": ""}}', 400, "refused_file"),
        ("application/json", json.dumps({"files": {"a" * 256: ""}}).encode(), 400, "refused_file"),
        ("text/plain", b"", 415, "unknown_form"),
    ],
)
def test_what_may_not_be_submitted_is_refused_with_a_code(
    service: Serving, form: str, body: bytes, status: int, code: str
):
    before = ended(service)
    answer = post(service, body, form)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
    assert ended(service) == before


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"[]", "the JSON does not fit: the body: Input should be an object"),
        (b'{"files": {"a": "1", "a": "2"}}', "the JSON does not fit: an object has the name 'a' twice"),
        (b'{"files": {"": "1"}}', "'': the name has an empty, `.` or `..` part"),
    ],
)
def test_a_refusal_names_its_place_where_that_has_no_name(body: bytes, words: str):
    with pytest.raises(RefusedRequestError) as refused:
        read_submission(body, "application/json", CopyLimits(max_files=9, max_bytes=99, max_file_bytes=99))
    assert str(refused.value) == words


def test_reward_functions_pay_nothing_for_what_is_refused(service: Serving):
    with service.client() as client:
        told = ServiceVerifier(client).verify(TASK, {"a": b"0" * (2 << 20)})
        with pytest.raises(RewardRefusedError, match="unknown_task"):  # the set-up's fault, not a submission's
            ServiceVerifier(client).verify("no.task", {})
        ServiceVerifier(client).check_task(TASK)
        with pytest.raises(UnusableVerifierError, match=f"no task 'no.task' is known to the service.*{TASK}"):
            trl_reward(ServiceVerifier(client))(["p"], ["no files"], task_id=["no.task"])
    assert (told.reward, told.evidence_level) == (0.0, "artifact")


def test_a_client_that_breaks_off_leaves_no_traceback(service: Serving):
    def refused() -> list[str]:
        lines = httpx.get(f"{service.url}/metrics", headers=HEADERS).text.splitlines()
        return [line for line in lines if line.startswith('reproducegym_submissions_total{outcome="bad_request"}')]

    at, before = httpx.URL(service.url), refused()
    with socket.create_connection((at.host, at.port)) as client:
        lines = (f"POST /v1/verifications?task_id={TASK} HTTP/1.1", "Host: x", "Content-Type: application/json")
        told = (*lines, f"Authorization: Bearer {TOKEN}", "Content-Length: 99", "", "{")
        client.sendall("\r\n".join(told).encode())
    while refused() == before:
        time.sleep(0.02)
    assert "Traceback" not in service.log.read_text()


def test_a_body_that_does_not_say_its_size_is_cut_off_in_time(service: Serving):
    def endless() -> Iterator[bytes]:
        while True:
            yield b"0" * 65536

    told = {**HEADERS, "Content-Type": "application/zip"}
    try:
        answer = httpx.post(
            f"{service.url}/v1/verifications", params={"task_id": TASK}, headers=told, content=endless()
        )
    except httpx.TransportError:
        return  # the connection was closed while we still sent
    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/v1/tasks", "/metrics", "/v1/verifications/x", "/openapi.json"])
@pytest.mark.parametrize("given", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}])
def test_nothing_but_its_health_is_told_without_the_token(service: Serving, path: str, given: dict[str, str]):
    answer = httpx.get(service.url + path, headers=given)
    assert answer.status_code == (404 if path == "/openapi.json" else 401), answer.text
    assert httpx.get(f"{service.url}/healthz").json() == {"status": "ok", "waiting": 0}


def test_unknown_things_are_refused_in_one_line(service: Serving, runs: Path, tmp_path: Path):
    with service.client() as client:
        with pytest.raises(RewardRefusedError, match="404 unknown_task"):
            client.verify("no.task", {})
        with pytest.raises(RewardRefusedError, match=r"404 unknown_task.*it has [0-9a-f]{16}"):
            client.verify(TASK, {}, spec_hash="0" * 16)
    assert httpx.get(f"{service.url}/v1/verifications/x", headers=HEADERS).status_code == 404
    assert httpx.post(f"{service.url}/v1/verifications", headers=HEADERS).json()["error"]["code"] == "bad_request"
    for env, says in (({}, "set REPRODUCEGYM_SERVICE_TOKEN"), ({"REPRODUCEGYM_SERVICE_TOKEN": "short"}, "16 or more")):
        done = call("reproducegym", "serve-verifier", "--runs", runs, "--state", tmp_path, env=env)
        assert (done.returncode, says in one_line(done)) == (2, True), done.stderr
    taken = call_anew(
        *(
            "reproducegym",
            "serve-verifier",
            "--runs",
            runs,
            "--state",
            tmp_path,
            "--port",
            service.url.rpartition(":")[2],
        ),
        env={"REPRODUCEGYM_SERVICE_TOKEN": TOKEN},
    )
    assert (taken.returncode, "choose another --port" in taken.stderr) == (8, True), taken.stderr


def test_a_kill_loses_nothing_and_a_full_queue_says_when_to_come_again(runs: Path, docker_image: str, tmp_path: Path):
    state, options = tmp_path / "state", ("--parallel", "1", "--queue", "2", "--patience", "1")
    with serving(runs, state, *options) as first:
        ask = httpx.Client(base_url=first.url, headers=JSON, params={"task_id": TASK})
        slow = ask.post(
            "/v1/verifications", content=json.dumps({"files": SLOW}), headers={"Idempotency-Key": "0"}
        ).json()
        while ask.get(f"/v1/verifications/{slow['id']}").json()["state"] != "running":
            time.sleep(0.05)
        names = [
            ask.post("/v1/verifications", content=b"{}", headers={"Idempotency-Key": str(n)}).json()["id"]
            for n in (1, 2)
        ]
        full = ask.post("/v1/verifications", content=b"{}")
        assert (full.status_code, full.json()["error"]["code"]) == (429, "queue_full")
        assert int(full.headers["retry-after"]) >= 1
        first.end(signal.SIGKILL)
    with serving(runs, state, *options) as second, second.client() as client:
        rewards = [client.verify(TASK, {}, key=str(n)) for n in (1, 2)]
        assert [one.verification for one in rewards] == names
        again = client.verify(TASK, SLOW, key="0")
        assert (again.verification, again.reward, again.failure_kind) == (slow["id"], 0.0, "agent")
        told = {"Idempotency-Key": "long", **JSON}
        body = json.dumps({"files": {"reproduce.sh": "sleep 600\n"}})
        long = httpx.post(f"{second.url}/v1/verifications", params={"task_id": TASK}, headers=told, content=body).json()
        while "reproducegym_running 1.0" not in httpx.get(f"{second.url}/metrics", headers=HEADERS).text:
            time.sleep(0.1)
        assert second.end(signal.SIGINT) == 130
    assert "Traceback" not in second.log.read_text()
    with serving(runs, state, *options) as third, third.client() as client:
        assert client.verify(TASK, {}, key="1") == rewards[0]
        where = f"{third.url}/v1/verifications/{long['id']}"
        while (begun := httpx.get(where, headers=HEADERS).json())["state"] != "running":
            time.sleep(0.1)
        assert begun["tries"] == 1  # the one that Ctrl-C broke off does not count
        held = call(
            *("reproducegym", "serve-verifier", "--runs", runs, "--state", state, "--port", "0"),
            env={"REPRODUCEGYM_SERVICE_TOKEN": TOKEN},
        )
        assert (held.returncode, "another process" in held.stderr) == (11, True), held.stderr


class Way:
    """The way to the Docker engine, which a test may close and open."""

    def __init__(self, place: Path) -> None:
        self.place, self.open = place, True
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(place))
        self.listening.listen(64)
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        while True:
            near, _ = self.listening.accept()
            if not self.open:
                near.close()
                continue
            far = socket.socket(socket.AF_UNIX)
            far.connect("/var/run/docker.sock")
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while self.open and (data := one.recv(65536)):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
            if not self.open:
                one.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the other side has gone


def test_a_dead_engine_is_nobodys_zero_and_all_goes_on_when_it_is_back(runs: Path, docker_image: str, tmp_path: Path):
    way = Way(tmp_path / "docker.sock")
    options = ("--tries", "3", "--sandbox", "docker")
    with serving(runs, tmp_path / "state", *options, DOCKER_HOST=f"unix://{way.place}") as service:
        way.open = False
        with service.client(total_s=3, longest_wait_s=1) as client, pytest.raises(RewardUnavailableError):
            client.verify(TASK, SLOW, key="late")
        while httpx.get(f"{service.url}/healthz").status_code != 503:
            time.sleep(0.1)
        refused = post(service, b"{}", "application/json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "engine_away")
        assert "retry-after" in refused.headers
        way.open = True
        with service.client() as client:
            paid = client.verify(TASK, SLOW, key="late")
        assert (paid.reward, paid.valid, paid.failure_kind) == (0.0, True, "agent")
        assert httpx.get(f"{service.url}/healthz").status_code == 200


def test_a_full_disk_is_told_and_all_goes_on_when_there_is_room(runs: Path, docker_image: str, tmp_path: Path):
    def room(service: Serving, most: int) -> None:
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    with serving(runs, tmp_path / "state", "--parallel", "1") as service, service.client() as client:
        told = {"Idempotency-Key": "slow", **JSON}
        body = json.dumps({"files": SLOW})
        httpx.post(f"{service.url}/v1/verifications", params={"task_id": TASK}, headers=told, content=body)
        while "reproducegym_running 1.0" not in httpx.get(f"{service.url}/metrics", headers=HEADERS).text:
            time.sleep(0.02)
        room(service, 1)
        refused = post(service, b"{}", "application/json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage_away")
        assert "retry-after" in refused.headers
        assert httpx.get(f"{service.url}/healthz").json()["status"] == "storage_away"
        while ended(service) < 1:
            time.sleep(0.02)  # the verification ends, and cannot be kept
        assert "reproducegym_running 1.0" in httpx.get(f"{service.url}/metrics", headers=HEADERS).text
        room(service, resource.RLIM_INFINITY)
        paid = client.verify(TASK, SLOW, key="slow")
        assert (paid.reward, paid.failure_kind) == (0.0, "agent")
        assert httpx.get(f"{service.url}/healthz").json()["status"] == "ok"
        assert "Traceback" not in service.log.read_text()


def test_a_tampered_task_is_our_fault_and_never_a_reward(built_sample: Path, docker_image: str, tmp_path: Path):
    copied = shutil.copytree(built_sample, tmp_path / "runs" / PAPER_ID)
    for contract in (copied / "03-task" / CHEAP_CLAIM).glob("*/reward/contract.json"):
        contract.write_text(contract.read_text().replace('"seeds": 2', '"seeds": 1'))
    with serving(copied.parent, tmp_path / "state", "--tries", "1", "--details") as service:
        answer = post(service, b"{}", "application/json", **{"Idempotency-Key": "k"}).json()
        told = (answer["reward"], answer["reward_valid"], answer["failure_kind"])
        assert told == (None, False, "infra")
        assert "contract.json was changed" in answer["details"]["failure_detail"]
        assert post(service, b"{}", "application/json", **{"Idempotency-Key": "k"}).json()["id"] == answer["id"]
