"""The environment of one session: a task's words and files, then the verifier's reward for one submission."""

import base64
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from reproducegym import __version__
from reproducegym.adapters.tasks_server.wire import TaskAction, TaskObservation, TaskState
from reproducegym.adapters.trainers import Verifier
from reproducegym.pipeline.judging.transfer import RefusedFileError, check_apart, check_name
from reproducegym.ports import CopyLimits, Files
from reproducegym.schema.run import EvidenceLevel

__all__ = ["NAME", "SPLIT", "Offered", "RequestError", "TaskEnvironment", "made_of"]

NAME = "reproducegym-tasks"
SPLIT = "all"


class RequestError(Exception):
    """What a client asked for cannot be done; the message says why, and costs no reward."""


@dataclass(frozen=True)
class Offered:
    """A task as clients see it."""

    task_id: str
    instructions: str
    input_files: Files
    evidence_level: EvidenceLevel


class TaskEnvironment(Environment[TaskAction, TaskObservation, TaskState]):
    """One session: as many tasks as the client likes, one at a time."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, tasks: Mapping[str, Offered], verifier: Verifier, limits: CopyLimits) -> None:
        """Take the tasks by id, who verifies, and the bounds of a submission."""
        super().__init__()
        self._tasks, self._verifier, self._limits = tasks, verifier, limits
        self._state = TaskState()
        self._open = False

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        **others: object,
    ) -> TaskObservation:
        """Begin with a task: by id, by index, or by seed; else one at random.

        Raises:
            RequestError: there is no such task.
        """
        if others:
            raise RequestError(
                f"reset knows seed, episode_id, task_id, split and index; not {', '.join(sorted(others))}"
            )
        for name, given in (("task_id", task_id), ("split", split)):
            if not isinstance(given, str | None):
                raise RequestError(f"{name} is a text or absent")
        for name, number in (("index", index), ("seed", seed)):
            if not isinstance(number, int | None) or isinstance(number, bool):
                raise RequestError(f"{name} is a whole number or absent")
        if task_id is None:
            names = self._names(split or SPLIT)
            chosen = index if index is not None else seed
            if index is not None and not 0 <= index < len(names):
                raise RequestError(f"there are tasks 0 to {len(names) - 1}, not {index}")
            task_id = names[(secrets.randbelow(len(names)) if chosen is None else chosen) % len(names)]
        task = self._task(task_id)
        self._state = TaskState(episode_id=episode_id or secrets.token_hex(8), step_count=0, task_id=task_id)
        self._open = True
        texts, others_ = _told(task.input_files)
        return TaskObservation(
            task_id=task_id,
            instructions=task.instructions,
            input_files=texts,
            base64_input_files=others_,
            evidence_level=task.evidence_level,
        )

    def step(self, action: TaskAction, timeout_s: float | None = None, **others: object) -> TaskObservation:
        """Verify a submission; the episode is over with its reward.

        Raises:
            RequestError: no task is named, or the episode is over.
            UnscoredError: engine or judge failed; the step may be sent again.
        """
        named = action.task_id or self._state.task_id
        if named is None:
            raise RequestError("no task is named: send reset first, or task_id with the step")
        if action.task_id is None and not self._open:
            raise RequestError("the episode is over; send reset")
        task = self._task(named)
        try:
            files = self._submission(action)
        except RefusedFileError as error:
            reward, level, outcome = 0.0, task.evidence_level, f"the submission was refused: {error}"
        else:
            scored = self._verifier.verify(named, files)
            reward, level, outcome = scored.reward, scored.evidence_level, ""
        self._open = False
        self._state = self._state.model_copy(update={"step_count": self._state.step_count + 1, "task_id": named})
        return TaskObservation(task_id=named, evidence_level=level, outcome=outcome, reward=reward, done=True)

    @property
    def state(self) -> TaskState:
        """Where the session stands."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What this is, for people."""
        about = "Reproduce one claim of a paper; what reproduce.sh measures under hidden seeds is paid."
        return EnvironmentMetadata(name=NAME, description=about, version=__version__)

    def list_splits(self) -> list[str]:
        """One: our splits are by paper, and made by `reproducegym dataset`."""
        return [SPLIT]

    def num_tasks(self, split: str) -> int:
        """How many tasks there are."""
        return len(self._names(split))

    def get_task(self, split: str, index: int) -> dict[str, str | int]:
        """One task by its index."""
        names = self._names(split)
        if not 0 <= index < len(names):
            raise RequestError(f"there are tasks 0 to {len(names) - 1}, not {index}")
        return {"id": names[index], "index": index, "evidence_level": self._tasks[names[index]].evidence_level}

    def list_tasks(self, split: str) -> list[dict[str, str | int]]:
        """All of them."""
        return self.get_task_range(split)

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, str | int]]:
        """Those from `start` up to `stop`."""
        return [self.get_task(split, index) for index in range(self.num_tasks(split))[start:stop]]

    def _names(self, split: str) -> list[str]:
        if split != SPLIT:
            raise RequestError(f"no split {split[:64]!r}; there is {SPLIT!r}")
        return sorted(self._tasks)

    def _task(self, task_id: str) -> Offered:
        if task_id not in self._tasks:
            raise RequestError(f"no task {task_id[:200]!r}; ask for the list of tasks")
        return self._tasks[task_id]

    def _submission(self, action: TaskAction) -> dict[str, bytes]:
        """The files of an action, under the rules for everything that leaves a sandbox."""
        files = {name: text.encode("utf-8", "replace") for name, text in action.files.items()}
        for name, text in action.base64_files.items():
            try:
                files[name] = base64.b64decode(text, validate=True)
            except ValueError as error:  # binascii's, or the text has letters that are none of base64
                raise RefusedFileError("unreadable", name, "this is no base64") from error
        if len(files) > self._limits.max_files:
            raise RefusedFileError("count", "files", f"there are more than {self._limits.max_files} files")
        if sum(map(len, files.values())) > self._limits.max_bytes:
            raise RefusedFileError("size", "files", f"all files together exceed {self._limits.max_bytes} bytes")
        for name in files:
            check_name(name)
        check_apart(files)
        return files


def _told(files: Files) -> tuple[dict[str, str], dict[str, str]]:
    """Files as text, and in base64 what is none."""
    texts: dict[str, str] = {}
    others: dict[str, str] = {}
    for name, data in files.items():
        try:
            texts[name] = data.decode("utf-8")
        except UnicodeDecodeError:
            others[name] = base64.b64encode(data).decode("ascii")
    return texts, others


def made_of(tasks: Mapping[str, Offered], verifier: Verifier, limits: CopyLimits) -> Callable[[], TaskEnvironment]:
    """What makes a session's environment."""

    def make() -> TaskEnvironment:
        return TaskEnvironment(tasks, verifier, limits)

    return make
