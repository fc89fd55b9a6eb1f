"""Actions, observations and states of paper tasks as they travel, in OpenEnv's forms."""

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

__all__ = ["TaskAction", "TaskObservation", "TaskState"]


class TaskAction(Action):
    """A whole submission: text files by relative path, others in base64.

    `task_id` is needed where no reset named it, as in OpenEnv's plain HTTP steps: each is a session of its own.
    """

    files: dict[str, str] = Field(default_factory=dict)
    base64_files: dict[str, str] = Field(default_factory=dict)
    task_id: str | None = None


class TaskObservation(Observation):
    """After a reset the task; after a step the outcome. `reward` rides in the envelope.

    `evidence_level` is that of the reward. `input_files` are text by path; pictures stand in `base64_input_files`.
    """

    task_id: str
    instructions: str = ""
    input_files: dict[str, str] = Field(default_factory=dict)
    base64_input_files: dict[str, str] = Field(default_factory=dict)
    evidence_level: str
    outcome: str = ""


class TaskState(State):
    """Where a session stands."""

    task_id: str | None = None
