"""What both clients send, and what they make of what comes back."""

import random
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import tenacity
from pydantic import JsonValue
from pydantic_core import to_json

from reproducegym.adapters.reward_service.wire import Answer
from reproducegym.errors import ReproduceGymError
from reproducegym.pipeline.files import read_tree
from reproducegym.pipeline.judging.transfer import archive_of
from reproducegym.schema.run import EvidenceLevel, FailureKind

__all__ = [
    "RETRIED",
    "ROUND_S",
    "AgainError",
    "Asked",
    "Pace",
    "Patience",
    "Reward",
    "RewardRefusedError",
    "RewardUnavailableError",
    "Submission",
    "asked",
    "gave_up",
    "heard",
    "read_status",
]

Submission = Mapping[str, bytes | str] | Path | str
"""Files by relative path, or the directory that holds them."""

_AGAIN = (429, 502, 503, 504)
ROUND_S = 30.0
"""How long one request waits at the service for the end of a verification."""


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
class Asked:
    """One order, ready to be sent as often as needed: its key makes all of them one verification."""

    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


def asked(task_id: str, submission: Submission, spec_hash: str | None, key: str | None) -> Asked:
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
    return Asked(params, headers, archive_of(files, executable=(), uid=0))


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


def read_status(told: Mapping[str, JsonValue]) -> Reward | str:
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


RETRIED = tenacity.retry_if_exception_type((AgainError, httpx.TransportError))
"""What is worth another try."""


def gave_up(patience: Patience, last: BaseException | None) -> RewardUnavailableError:
    """The end of a client's patience."""
    told = f": {last or type(last).__name__}" if last is not None else ""
    return RewardUnavailableError(f"the reward service gave no reward within {patience.total_s:g} s{told}")
