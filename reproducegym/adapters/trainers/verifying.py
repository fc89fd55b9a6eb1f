"""Asks our verifier what a submission is worth: by the command on this machine, or by the reward service."""

import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from reproducegym.adapters.reward_client import RewardClient, RewardRefusedError
from reproducegym.errors import (
    AmbiguousError,
    AssetError,
    MisuseError,
    NotFoundError,
    ReproduceGymError,
    SchemaError,
    TamperedError,
)
from reproducegym.pipeline.judging.transfer import check_apart, check_name
from reproducegym.ports import Files
from reproducegym.schema.run import EvidenceLevel

__all__ = [
    "CommandVerifier",
    "Scored",
    "ServiceVerifier",
    "UnscoredError",
    "UnusableVerifierError",
    "Verifier",
    "unknown_task",
    "verifier_named",
]

_URL, _TOKEN, _COMMAND = "REPRODUCEGYM_REWARD_URL", "REPRODUCEGYM_REWARD_TOKEN", "REPRODUCEGYM_COMMAND"

_UNUSABLE = frozenset(
    kind.exit_code for kind in (MisuseError, NotFoundError, AmbiguousError, SchemaError, TamperedError, AssetError)
)
"""Exit codes of `reproducegym verify` that another try does not change."""

_OWN_FAULT = ("refused_file", "too_large")
"""What a service says of a submission that `reproducegym verify` scores with 0."""


_LISTED = 12


class UnscoredError(ReproduceGymError):
    """There is no reward: engine or judge failed. Never to be taken for a 0."""

    exit_code = 12


class UnusableVerifierError(UnscoredError):
    """Nothing will ever be scored so: the task is unknown, or the verifier is not set up; no sample's fault."""

    exit_code = 2


@dataclass(frozen=True)
class Scored:
    """What a submission earned, in [0, 1], and the evidence level that it was judged at."""

    reward: float
    evidence_level: EvidenceLevel
    detail: str


class Verifier(Protocol):
    """Who verifies submissions, files by relative path; may be called from many threads."""

    def verify(self, task_id: str, files: Files) -> Scored:
        """The reward.

        Raises:
            UnscoredError: there is none; UnusableVerifierError, one of these, where there never will be.
            RefusedFileError: a file's name may not be submitted.
            ReproduceGymError: the reward service refuses, or is out of reach.
        """
        ...

    def check_task(self, task_id: str) -> None:
        """Nothing, where the task is known; no submission is needed to tell.

        Raises:
            UnusableVerifierError: it is not.
            ReproduceGymError: the reward service refuses, or is out of reach.
        """
        ...


class CommandVerifier:
    """Runs `reproducegym verify` on this machine; `task_dirs` maps ids to built task directories."""

    def __init__(self, task_dirs: Mapping[str, Path], command: Sequence[str] = ("reproducegym",)) -> None:
        self._task_dirs = dict(task_dirs)
        self._command = tuple(command)

    def verify(self, task_id: str, files: Files) -> Scored:
        """The reward of one fresh verification."""
        self.check_task(task_id)
        for name in files:
            check_name(name)
        check_apart(files)
        with tempfile.TemporaryDirectory(prefix="reproducegym-submission-") as place:
            for name, content in files.items():
                path = Path(place, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            argv = [*self._command, "verify", place, "--task-dir", str(self._task_dirs[task_id]), "--json"]
            try:
                done = subprocess.run(argv, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
            except OSError as error:
                raise UnusableVerifierError(f"{self._command[0]} cannot be run: {error.strerror}") from error
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            kind = UnusableVerifierError if done.returncode in _UNUSABLE else UnscoredError
            raise kind(f"{task_id} was not verified: {last.removeprefix('error: ')}")
        told = json.loads(done.stdout)
        return Scored(float(told["reward"]), told["evidence_level"], str(told["failure_detail"]))

    def check_task(self, task_id: str) -> None:
        """Nothing, where its directory is known."""
        if task_id not in self._task_dirs:
            raise unknown_task(task_id, self._task_dirs, "here")


class ServiceVerifier:
    """Asks a reward service (`reproducegym serve-verifier`)."""

    def __init__(self, client: RewardClient) -> None:
        self._client = client
        self._served: frozenset[str] = frozenset()

    def verify(self, task_id: str, files: Files) -> Scored:
        """The reward of one verification of the service's; 0 for files that it does not take, of which none was run."""
        try:
            told = self._client.verify(task_id, files)
        except RewardRefusedError as error:
            if error.code not in _OWN_FAULT:
                raise
            return Scored(0.0, "artifact", f"the submission was refused: {error}")
        if told.reward is None:
            raise UnscoredError(f"{task_id} was not scored ({told.failure_kind}), verification {told.verification}")
        return Scored(told.reward, told.evidence_level, "")

    def check_task(self, task_id: str) -> None:
        """Nothing, where the service verifies it, whose list is asked for once, and for a task that is not there."""
        if task_id not in self._served:
            self._served = frozenset(self._client.tasks())  # again for a new one: services start anew
        if task_id not in self._served:
            raise unknown_task(task_id, self._served, "to the service")


def unknown_task(task_id: str, known: Iterable[str], where: str) -> UnusableVerifierError:
    """What is told of a task that a verifier does not know; a dozen of those that it does."""
    names = sorted(known)
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    told = ", ".join(names[:_LISTED]) or "none"
    return UnusableVerifierError(f"no task {task_id!r} is known {where}; known are {told}{more}")


def verifier_named(environment: Mapping[str, str], task_dirs: Mapping[str, Path]) -> Verifier:
    """The service at REPRODUCEGYM_REWARD_URL, or, where an environment names none, the command REPRODUCEGYM_COMMAND.

    Raises:
        UnusableVerifierError: there is no token for the service.
    """
    url, token = environment.get(_URL), environment.get(_TOKEN)
    if not url:
        return CommandVerifier(task_dirs, environment.get(_COMMAND, "reproducegym").split())
    if not token:
        raise UnusableVerifierError(f"{_URL} names a service: set {_TOKEN} to its token")
    return _service(url, token)


@cache
def _service(url: str, token: str) -> Verifier:
    """One for all submissions, whose connections stay."""
    return ServiceVerifier(RewardClient(url, token))
