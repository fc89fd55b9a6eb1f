"""The suite before a submission: what a server must do, each check with a line on what it saw."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx
from pydantic import JsonValue

__all__ = ["CHECKS", "Check", "examined"]

_TIMEOUT_S = 60.0
_EMPTY_TRIAGE = '{"suspicious_files": [], "suspected_categories": []}'
_EMPTY_AUDIT = '{"violations": [], "reproducibility_score": 1.0}'
_APART = 8


@dataclass(frozen=True)
class Check:
    """How one check ended."""

    name: str
    passed: bool
    saw: str


class _FailedError(Exception):
    """A check saw something else than it wants."""


class _Server:
    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def get(self, path: str) -> dict[str, JsonValue]:
        return _object(self._client.get(path))

    def post(self, path: str, body: str, wanted: int = 200) -> dict[str, JsonValue]:
        answer = self._client.post(path, content=body.encode())
        if answer.status_code != wanted:
            raise _FailedError(f"POST {path} answers {answer.status_code}, not {wanted}")
        return _object(answer)

    def begin(self, task: str, seed: int) -> tuple[str, str]:
        """The id and the text of a new episode."""
        told = self.post("/reset", json.dumps({"task": task, "seed": seed}))
        return str(told["episode_id"]), str(_part(told, "observation")["text"])

    def step(self, episode_id: str, action: str, wanted: int = 200) -> dict[str, JsonValue]:
        return self.post("/step", f'{{"episode_id": {json.dumps(episode_id)}, "action": {action}}}', wanted)


def examined(url: str) -> Iterator[Check]:
    """Every check on the server at an address, in order; one that cannot be reached fails them."""
    with httpx.Client(base_url=url.rstrip("/"), timeout=_TIMEOUT_S) as client:
        for name, check in CHECKS.items():
            try:
                yield Check(name, passed=True, saw=check(_Server(client)))
            except (_FailedError, httpx.HTTPError, KeyError, ValueError) as error:
                yield Check(name, passed=False, saw=" ".join(str(error).split()) or type(error).__name__)


def _health(server: _Server) -> str:
    return _wanted(str(server.get("/health").get("status")), "healthy")


def _tasks(server: _Server) -> str:
    told = server.get("/tasks")
    names = [str(one["id"]) for one in _list(told, "tasks")]
    _wanted(", ".join(names), "easy, medium, hard")
    categories = told["categories"]
    return f"{', '.join(names)}; {len(categories) if isinstance(categories, list) else 0} categories"


def _schema(server: _Server) -> str:
    names = _part(server.get("/schema"), "action").get("properties")
    if not isinstance(names, dict) or not {"suspicious_files", "violations"} <= set(names):
        raise _FailedError("the schema of actions has no suspicious_files and violations")
    return f"{len(names)} fields of actions"


def _same_bytes(server: _Server) -> str:
    for task in ("easy", "medium", "hard"):
        texts = [server.begin(task, seed)[1] for seed in (11, 11, 12)]
        if texts[0] != texts[1]:
            raise _FailedError(f"seed 11 of {task} gives two texts")
        if texts[0] == texts[2]:
            raise _FailedError(f"seeds 11 and 12 of {task} give one text")
    return "one text a seed"


def _two_steps(server: _Server) -> str:
    seen = []
    for task in ("easy", "medium", "hard"):
        name, text = server.begin(task, 3)
        told = server.step(name, _EMPTY_TRIAGE)
        after = str(_part(told, "observation")["text"])
        if told["done"] is not False or not after.startswith(text) or after == text:
            raise _FailedError(f"the triage of {task} does not lead to the same files with feedback")
        ended = server.step(name, _EMPTY_AUDIT)
        if ended["done"] is not True:
            raise _FailedError(f"the audit of {task} does not end the episode")
        seen.append(f"{task} {_reward(told):.2f}, {_reward(ended):.2f}")
    return "; ".join(seen)


def _malformed(server: _Server) -> str:
    name, _ = server.begin("easy", 3)
    told = server.step(name, '{"suspicious_files": 7}')
    ended = server.step(name, '{"violations": "all of them"}')
    reasons = [_part(one, "observation").get("reason") for one in (told, ended)]
    if not all(reasons) or _reward(told) or _reward(ended):
        raise _FailedError("a malformed action does not earn 0 with a reason")
    return str(reasons[1])[:60]


def _over(server: _Server) -> str:
    name, _ = server.begin("easy", 3)
    for action in (_EMPTY_TRIAGE, _EMPTY_AUDIT):
        server.step(name, action)
    return _code(server.step(name, _EMPTY_AUDIT, wanted=409))


def _unknown(server: _Server) -> str:
    one = _code(server.post("/reset", '{"task": "impossible"}', wanted=404))
    return f"{one}, {_code(server.step('nobody', _EMPTY_TRIAGE, wanted=404))}"


def _bad_json(server: _Server) -> str:
    return _code(server.post("/reset", "{", wanted=400))


def _apart(server: _Server) -> str:
    begun = [server.begin("easy", seed) for seed in range(_APART)]
    for name, text in reversed(begun):
        after = str(_part(server.step(name, _EMPTY_TRIAGE), "observation")["text"])
        if not after.startswith(text):
            raise _FailedError("an episode shows another one's files")
    return f"{_APART} episodes at once, each its own"


CHECKS: dict[str, Callable[[_Server], str]] = {
    "health": _health,
    "tasks": _tasks,
    "schema": _schema,
    "a seed gives the same bytes": _same_bytes,
    "episodes of two steps": _two_steps,
    "malformed actions earn 0": _malformed,
    "a step after the end is refused": _over,
    "unknown tasks and episodes": _unknown,
    "bad JSON": _bad_json,
    "episodes at once": _apart,
}


def _object(answer: httpx.Response) -> dict[str, JsonValue]:
    told = json.loads(answer.content)
    if not isinstance(told, dict):
        raise _FailedError(f"{answer.url.path} answers no JSON object")
    return told


def _part(told: dict[str, JsonValue], name: str) -> dict[str, JsonValue]:
    part = told[name]
    if not isinstance(part, dict):
        raise _FailedError(f"{name} is no object")
    return part


def _list(told: dict[str, JsonValue], name: str) -> list[dict[str, JsonValue]]:
    part = told[name]
    if not isinstance(part, list) or not all(isinstance(one, dict) for one in part):
        raise _FailedError(f"{name} is no list of objects")
    return [one for one in part if isinstance(one, dict)]


def _reward(told: dict[str, JsonValue]) -> float:
    reward = told["reward"]
    if not isinstance(reward, float | int) or not 0 <= reward <= 1:
        raise _FailedError(f"a reward is {reward}, not from 0 to 1")
    return float(reward)


def _code(told: dict[str, JsonValue]) -> str:
    return str(_part(told, "error")["code"])


def _wanted(saw: str, wanted: str) -> str:
    if saw != wanted:
        raise _FailedError(f"{saw}, not {wanted}")
    return saw
