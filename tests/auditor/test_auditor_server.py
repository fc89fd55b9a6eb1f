"""The server: OpenEnv's sessions and plain HTTP episodes take two steps, and each fault has its code."""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

pytest.importorskip("openenv", reason="the extra `openenv` is not installed")


from openenv.cli._validation import validate_running_environment
from openenv.core import GenericEnvClient
from playing import CAPACITY, case, true_audit, true_triage
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from reproducegym.adapters.auditor_client.seat import HttpSeat, LocalSeat
from reproducegym.adapters.auditor_server.app import MAX_BODY_BYTES
from reproducegym.adapters.auditor_server.environment import AuditorEnvironment
from reproducegym.adapters.auditor_server.episodes import Episodes, Limits
from reproducegym.adapters.auditor_server.errors import BusyEpisodeError, EngineError, FinishedEpisodeError
from reproducegym.adapters.auditor_server.wire import AuditorAction
from reproducegym.errors import InfrastructureError
from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.episode import files_text

EMPTY = {"suspicious_files": [], "suspected_categories": []}


def test_a_server_starts_without_openenvs_web_interface():
    script = "import reproducegym.adapters.auditor_server.app, sys; print('gradio' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert told.stdout == "False\n", told.stderr


def test_an_http_client_that_keeps_only_the_id_gets_an_episode_of_two_steps(url: str):
    one = case("medium", 4)
    begun = httpx.post(f"{url}/reset", json={"task": "medium", "seed": 4}).json()
    name = begun["episode_id"]
    assert (begun["observation"]["text"], begun["reward"], begun["done"]) == (files_text(one), None, False)
    other = httpx.post(f"{url}/reset", json={"task": "easy", "seed": 4}).json()  # another client in between
    told = httpx.post(f"{url}/step", json={"episode_id": name, "action": json.loads(true_triage(one))}).json()
    assert (told["reward"], told["done"]) == (1.0, False)
    assert all(claim["confirmed"] for claim in told["observation"]["feedback"])
    assert httpx.get(f"{url}/state", params={"episode_id": name}).json()["phase"] == "audit"
    ended = httpx.post(f"{url}/step", json=json.loads(true_audit(one)), headers={"X-Episode-Id": name}).json()
    assert (ended["reward"], ended["done"]) == (1.0, True)
    again = httpx.post(f"{url}/step", json={"episode_id": name, "action": EMPTY})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "episode_done")
    assert httpx.get(f"{url}/state", params={"episode_id": other["episode_id"]}).json() == {
        "episode_id": other["episode_id"],
        "step_count": 0,
        "task": "easy",
        "phase": "triage",
    }
    with httpx.Client(base_url=url) as client:  # a client with cookies needs not even that
        client.post("/reset")
        client.post("/step", json=EMPTY)
        malformed = client.post("/step", json={"violations": "all"}).json()
    assert (malformed["reward"], malformed["done"]) == (0.0, True)
    assert "violations" in malformed["observation"]["reason"]
    assert [task["id"] for task in httpx.get(f"{url}/tasks").json()["tasks"]] == ["easy", "medium", "hard"]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/reset", b"{", 400, "bad_json"),
        ("/reset", b"[]", 400, "bad_json"),
        ("/reset", b'{"task": "impossible"}', 404, "unknown_task"),
        ("/reset", b'{"seed": "one"}', 422, "bad_request"),
        ("/reset", b'{"seed": 99999999999}', 422, "bad_request"),
        ("/reset", b'{"seeds": 1}', 422, "bad_request"),
        ("/reset", b" " * (MAX_BODY_BYTES + 1), 413, "too_large"),
        ("/reset", b'{"seed": 1, "seed": 2}', 400, "bad_json"),
        ("/step", b'{"episode_id": "none", "action": {"violations": [{"a": 1, "a": 2}]}}', 400, "bad_json"),
        ("/step", b"{}", 422, "bad_request"),
        ("/step", b'{"episode_id": "none"}', 422, "bad_request"),
        ("/step", b'{"episode_id": "none", "action": {}}', 404, "unknown_episode"),
        ("/step", b"[" * 100_000, 400, "bad_json"),
        ("/step", b'{"episode_id": "\\ud800", "action": {}}', 400, "bad_json"),
        ("/reset", b'{"\\uD800": 1}', 400, "bad_json"),
        ("/reset", b'{"episode_id": "\\u5b57"}', 422, "bad_request"),
    ],
)
def test_each_fault_of_a_request_has_its_code(url: str, path: str, body: bytes, status: int, code: str):
    answer = httpx.post(url + path, content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert "\n" not in answer.json()["error"]["message"]


def test_a_step_without_an_action_leaves_the_episode_where_it_stands(url: str):
    name = httpx.post(f"{url}/reset", json={"seed": 3}).json()["episode_id"]
    answer = httpx.post(f"{url}/step", json={"episode_id": name})
    assert answer.status_code == 422 and answer.json()["error"]["message"].startswith("no action is sent")
    assert httpx.get(f"{url}/state", params={"episode_id": name}).json()["phase"] == "triage"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("{}", "suspicious_files: Field required"),
        ("I see nothing", "the reply holds no JSON object: Expecting value"),
        ('{"suspicious_files": [], "suspicious_files": [], "suspected_categories": []}', "'suspicious_files' twice"),
        ('{"episode_id": "x", "suspicious_files": [], "suspected_categories": []}', "episode_id: Extra inputs"),
        ('{"reasoning": "\\ud800"}', "the reply holds no JSON object"),
        ("\ud800", "the reply holds no JSON object"),
    ],
)
def test_a_reply_that_is_no_action_earns_0_at_a_server_as_it_does_here(url: str, reply: str, reason: str):
    for seat in (HttpSeat(url), LocalSeat(Classic())):
        seat.begin("easy", 3)
        seen = seat.step(reply)
        assert (seen.reward, seen.done) == (0.0, False) and seen.reason
        assert isinstance(seat, LocalSeat) or reason in seen.reason
        assert seat.step(true_audit(case("easy", 3))).done


def test_openenvs_client_and_its_validator_are_content(url: str):
    one = case("hard", 7)
    with GenericEnvClient(base_url=url).sync() as client:
        begun = client.reset(seed=7, episode_id="mine", task="hard")
        assert (begun.observation["text"], begun.reward, begun.done) == (files_text(one), None, False)
        told, ended = client.step(json.loads(true_triage(one))), client.step(json.loads(true_audit(one)))
        assert (told.reward, told.done, ended.reward, ended.done) == (1.0, False, 1.0, True)
        assert client.state() == {"episode_id": "mine", "step_count": 2, "task": "hard", "phase": "done"}
        with pytest.raises(RuntimeError, match="the episode is done"):
            client.step(EMPTY)
        with pytest.raises(RuntimeError, match="no task 'impossible'"):
            client.reset(task="impossible")
        client.reset(split="easy", index=3)
        assert "suspicious_files" in client.step({"suspicious_files": 3}).observation["reason"]
    told = validate_running_environment(url)
    assert told["passed"], told


def test_a_session_outlives_every_message_that_it_cannot_take(url: str):
    def told(sent: str | bytes) -> dict[str, str]:
        session.send(sent)
        answer = json.loads(session.recv())["data"]
        return {"code": answer.get("code", ""), "message": answer.get("message", "")}

    with connect(url.replace("http", "ws") + "/ws") as session:
        for sent in (
            "[]",
            "null",
            "[" * 100_000,
            b"\xff\xfe{",
            "{}".encode("utf-16"),
            "",
            '{"type": "step", "data": {"\\ud800": 1}}',
            '{"type": "reset", "data": {"seed": 1, "seed": 2}}',
        ):
            assert told(sent)["code"] == "INVALID_JSON", sent
        for field, value in (("seed", '"a"'), ("seed", "1.5"), ("seed", "true"), ("task", "7"), ("seeds", "1")):
            answer = told(f'{{"type": "reset", "data": {{"{field}": {value}}}}}')
            assert answer["code"] == "EXECUTION_ERROR" and answer["message"].startswith(f"{field}: "), answer
        assert told(b'{"type": "reset", "data": {"task": "hard"}}')["code"] == ""
        assert told('{"type": "step", "data": {"suspicious_files": [NaN]}}')["code"] == ""


def test_sessions_have_a_bound_and_their_messages_too(url: str):
    address = url.replace("http", "ws") + "/ws"
    with ExitStack() as stack:
        open_ones = [stack.enter_context(connect(address)) for _ in range(CAPACITY)]
        for one in open_ones:
            one.send('{"type": "state"}')
            assert json.loads(one.recv())["type"] == "state"
        with connect(address) as refused:
            assert json.loads(refused.recv())["data"]["code"] == "CAPACITY_REACHED"
        open_ones[0].send("{")
        assert json.loads(open_ones[0].recv())["data"]["code"] == "INVALID_JSON"
        open_ones[1].send(" " * (MAX_BODY_BYTES + 1))
        with pytest.raises(ConnectionClosed):
            open_ones[1].recv()


def test_a_session_that_was_closed_for_idling_takes_nothing_more():
    session = AuditorEnvironment(Classic())
    session.reset(seed=1)
    session.close()
    for again in (session.reset, lambda: session.step(AuditorAction.model_validate(EMPTY))):
        with pytest.raises(FinishedEpisodeError, match="connect again"):
            again()


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_workers_share_episodes_forget_idle_ones_and_take_no_more_than_they_may(tmp_path: Path):
    clock, limits = Clock(), Limits(capacity=2, idle_s=60, step_s=10)
    one, two = (Episodes(tmp_path / "episodes.sqlite", Classic(), limits, clock) for _ in range(2))
    one.begin("a", "easy", 1)
    two.begin("b", "hard", 2)
    with pytest.raises(Exception, match="no more are taken"):
        one.begin("c", "easy", 3)
    with pytest.raises(Exception, match="choose another id"):
        two.begin("a", "easy", 3)
    assert two.step("a", true_triage(case("easy", 1)).encode())[1].reward == 1
    clock.now += 45
    standing, step = one.step("a", true_audit(case("easy", 1)).encode())
    assert (step.reward, step.done, standing.steps) == (1, True, 2)
    clock.now += 45
    assert one.count() == 0
    with pytest.raises(Exception, match="idle for too long"):
        two.standing("b")
    one.close()
    two.close()


class Failing(Classic):
    """A drawer whose cases meet an engine that is away, once."""

    away = True

    def draw(self, level, seed):
        found = super().draw(level, seed)
        if self.away:
            self.away = False
            raise InfrastructureError("the engine is away")
        return found


def test_a_step_that_the_engine_failed_may_be_sent_again_and_two_at_once_may_not(tmp_path: Path):
    drawer = Classic()
    episodes = Episodes(tmp_path / "episodes.sqlite", drawer, Limits())
    episodes.begin("a", "easy", 1)
    failing = Episodes(tmp_path / "episodes.sqlite", Failing(), Limits())
    with pytest.raises(EngineError):
        failing.step("a", b"{}")
    inside: list[str] = []

    class Nosy(Classic):
        def draw(self, level, seed):
            with pytest.raises(BusyEpisodeError) as refused:
                episodes.step("a", b"{}")
            inside.append(str(refused.value))
            return super().draw(level, seed)

    nosy = Episodes(tmp_path / "episodes.sqlite", Nosy(), Limits())
    assert nosy.step("a", true_triage(case("easy", 1)).encode())[1].reward == 1
    assert len(inside) == 1
    for one in (episodes, failing, nosy):
        one.close()
