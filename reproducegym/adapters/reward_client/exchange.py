"""What both clients send, and what they make of what comes back."""

import random
import secrets
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import httpx
import tenacity
from pydantic import JsonValue
from pydantic_core import to_json

from reproducegym.adapters.reward_service.wire import Answer
from reproducegym.errors import ReproduceGymError
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.judging.transfer import archive_of
from reproducegym.schema.run import EvidenceLevel, FailureKind

__all__ = [
    "RETRIED",
    "TIMEOUT",
    "AgainError",
    "Exchange",
    "Pace",
    "Patience",
    "Request",
    "Result",
    "Reward",
    "RewardRefusedError",
    "RewardUnavailableError",
    "Submission",
    "gave_up",
    "heard",
    "listed",
    "paced",
    "verified",
]

Submission = Mapping[str, bytes | str] | Path | str
"""Files by relative path, or the directory that holds them."""

_AGAIN = (429, 502, 503, 504)
_ROUND_S = 30.0
"""How long one request waits at the service for the end of a verification."""

TIMEOUT = httpx.Timeout(30.0, read=_ROUND_S + 30.0)
_ORDERS = "/v1/verifications"


class RewardRefusedError(ReproduceGymError):
    """The service does not take what was sent, and never will: `code` says why, `status` is that of the answer."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"the reward service refused ({status} {code}): {message}")
        self.status, self.code = status, code


class RewardUnavailableError(ReproduceGymError):
    """The service was out of reach or too busy for as long as the client's patience lasts."""

    exit_code = 12


class AgainError(Exception):
    """Not now: `wait_s` is what the service asks for, None where it asks for nothing."""

    def __init__(self, told: str, wait_s: float | None = None) -> None:
        super().__init__(told)
        self.wait_s = wait_s


@dataclass(frozen=True)
class Patience:
    """How long one reward may take in all, how long waits grow, how often an unscored one is ordered anew.

    Seconds; the service has tried an unscored submission several times itself.
    """

    total_s: float = 3600.0
    longest_wait_s: float = 30.0
    unscored_tries: int = 2


@dataclass(frozen=True)
class Reward:
    """What a submission earned. Where `valid` is false `reward` is None: leave the sample out, it is nobody's 0.

    `failure_kind` is `agent` where the submission failed, `infra` or `verifier` where we did.
    """

    task_id: str
    spec_hash: str
    reward: float | None
    valid: bool
    failure_kind: FailureKind | None
    evidence_level: EvidenceLevel
    verification: str


@dataclass(frozen=True)
class _Asked:
    """One order, ready to be sent as often as needed: its key makes all of them one verification."""

    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


def _asked(task_id: str, submission: Submission, spec_hash: str | None, key: str | None) -> _Asked:
    """The order for a submission; without a key of the caller each call is a verification of its own.

    Raises:
        RefusedFileError: a file's name may not be submitted.
        StorageError: the directory cannot be read.
    """
    if isinstance(submission, Path | str):
        files = read_tree(Path(submission))
    else:
        files = {name: data.encode() if isinstance(data, str) else data for name, data in submission.items()}
    params = {"task_id": task_id} | ({} if spec_hash is None else {"spec_hash": spec_hash})
    headers = {"Idempotency-Key": key or secrets.token_hex(16), "Content-Type": "application/x-tar"}
    return _Asked(params, headers, archive_of(files, executable=(), uid=0))


def heard(answer: httpx.Response) -> dict[str, JsonValue]:
    """The object that an answer holds.

    Raises:
        AgainError: it is worth to ask again.
        RewardRefusedError: it is not.
    """
    try:
        told: JsonValue = answer.json()
    except ValueError:
        told = None
    if answer.status_code in _AGAIN or (answer.status_code < 400 and not isinstance(told, dict)):
        wait = answer.headers.get("retry-after", "")
        raise AgainError(f"status {answer.status_code}", float(wait) if wait.isdecimal() else None)
    if answer.status_code >= 400 or not isinstance(told, dict):
        error = told.get("error") if isinstance(told, dict) else None
        code, line = (str(error["code"]), str(error["message"])) if isinstance(error, dict) else ("unknown", "")
        raise RewardRefusedError(answer.status_code, code, line)
    return told


def _read_status(told: Mapping[str, JsonValue]) -> Reward | str:
    """The reward that an answer tells, or, where it is not done, the verification's id.

    Raises:
        RewardRefusedError: it is no answer of a reward service.
    """
    try:
        answer = Answer.model_validate_json(to_json(told))
    except ValueError as error:
        raise RewardRefusedError(200, "no_answer", "this is no answer of a reward service of this version") from error
    if answer.state != "done" or answer.evidence_level is None:
        return answer.id
    return Reward(
        task_id=answer.task_id,
        spec_hash=answer.spec_hash,
        reward=answer.reward,
        valid=answer.reward is not None,
        failure_kind=answer.failure_kind,
        evidence_level=answer.evidence_level,
        verification=answer.id,
    )


@dataclass(frozen=True)
class Pace:
    """When to ask again, for tenacity: until the patience of a whole order is over."""

    patience: Patience
    end: float

    def stop(self, _state: tenacity.RetryCallState) -> bool:
        """Whether there is no time left."""
        return time.monotonic() >= self.end

    def wait(self, state: tenacity.RetryCallState) -> float:
        """As long as the service asks for, else twice as long each time, and never past the end."""
        failed = state.outcome.exception() if state.outcome is not None else None
        asked_for = failed.wait_s if isinstance(failed, AgainError) else None
        grown = random.uniform(0.5, 1) * 2 ** min(state.attempt_number - 1, 10)  # noqa: S311 - spreads clients out
        wanted = min(asked_for if asked_for is not None else grown, self.patience.longest_wait_s)
        return max(0.0, min(wanted, self.end - time.monotonic()))


def paced(patience: Patience) -> Pace:
    """The pace of an exchange that begins now."""
    return Pace(patience, time.monotonic() + patience.total_s)


RETRIED = tenacity.retry_if_exception_type((AgainError, httpx.TransportError))
"""What is worth another try."""


def gave_up(patience: Patience, last: BaseException | None) -> RewardUnavailableError:
    """The end of a client's patience."""
    told = f": {last or type(last).__name__}" if last is not None else ""
    return RewardUnavailableError(f"the reward service gave no reward within {patience.total_s:g} s{told}")


@dataclass(frozen=True)
class Request:
    """One request to the service, which a client sends until it is answered."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


_Told = dict[str, JsonValue]
Result = TypeVar("Result")
Exchange = Generator[Request, _Told, Result]
"""Requests in turn: each is given the answer to it, or thrown the refusal; what it returns came of them all."""


def verified(
    task_id: str, submission: Submission, spec_hash: str | None, key: str | None, pace: Pace
) -> Exchange[Reward]:
    """Order a verification and ask for it until it is done; again where it is nobody's, as often as patience says.

    Raises:
        RefusedFileError: a file's name may not be submitted.
        StorageError: the directory cannot be read.
    """
    order = _asked(task_id, submission, spec_hash, key)
    found = yield from _ended(order, pace)
    for _ in range(1, pace.patience.unscored_tries):
        if found.valid:
            break
        found = yield from _ended(order, pace)
    return found


def listed() -> Exchange[list[str]]:
    """Ask for the ids of the tasks that the service verifies."""
    tasks = (yield Request("GET", "/v1/tasks"))["tasks"]
    return [str(one["task_id"]) for one in tasks if isinstance(one, dict)] if isinstance(tasks, list) else []


def _ended(order: _Asked, pace: Pace) -> Exchange[Reward]:
    found: Reward | str = ""
    while isinstance(found, str):
        found = _read_status((yield from _asked_once(order, found, pace)))
        if isinstance(found, str) and pace.end <= time.monotonic():
            raise gave_up(pace.patience, None)
    return found


def _asked_once(order: _Asked, name: str, pace: Pace) -> Exchange[_Told]:
    wait = str(round(max(0.0, min(_ROUND_S, pace.end - time.monotonic())), 3))
    try:
        if name:
            return (yield Request("GET", f"{_ORDERS}/{name}", {"wait": wait}))
    except RewardRefusedError as error:
        if error.code != "unknown_verification":  # the service has lost its queue: order it again
            raise
    return (yield Request("POST", _ORDERS, {**order.params, "wait": wait}, order.headers, order.body))
