"""Actions, observations and states as they travel, in OpenEnv's forms."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

from openenv.core.env_server.types import Action, Observation, State
from pydantic import ConfigDict, Field, JsonValue, ValidationError, WithJsonSchema

from reproducegym.adapters.auditor_server.errors import BadRequestError
from reproducegym.families.auditor.episode import Episode, Phase, Step
from reproducegym.families.auditor.nouns import CATEGORIES, Audit, Finding, Level
from reproducegym.schema.base import Frozen

__all__ = [
    "AuditorAction",
    "AuditorObservation",
    "AuditorState",
    "Reset",
    "SessionReset",
    "asked_for",
    "begun",
    "stepped",
]

_NAMES = WithJsonSchema({"type": "array", "items": {"type": "string"}})
_CATEGORIES = WithJsonSchema({"type": "array", "items": {"type": "string", "enum": list(CATEGORIES)}})
_FINDINGS = WithJsonSchema({"type": "array", "items": Finding.model_json_schema()})
_SCORE = WithJsonSchema(Audit.model_json_schema()["properties"]["reproducibility_score"])
_WORDS = WithJsonSchema({"type": "string"})


class AuditorAction(Action):
    """A triage (the first three fields), then an audit (the others).

    Values are read by the episode and not here, so that a malformed action earns 0 with its reason.
    """

    model_config = ConfigDict(extra="allow")

    suspicious_files: Annotated[JsonValue, _NAMES] = None
    suspected_categories: Annotated[JsonValue, _CATEGORIES] = None
    reasoning: Annotated[JsonValue, _WORDS] = None
    violations: Annotated[JsonValue, _FINDINGS] = None
    reproducibility_score: Annotated[JsonValue, _SCORE] = None
    explanation: Annotated[JsonValue, _WORDS] = None

    def to_json(self) -> str:
        """The action as the episode reads it: the fields that were sent."""
        return self.model_dump_json(exclude={"metadata"}, exclude_unset=True)


class Reset(Frozen):
    """What begins an episode; all of it may be left out."""

    task: str | None = None
    seed: Annotated[int | None, Field(ge=0)] = None
    episode_id: Annotated[str | None, Field(min_length=1, max_length=128, pattern="^[A-Za-z0-9_.:-]+$")] = None


class SessionReset(Reset):
    """What begins an episode of a session: OpenEnv's tasks are named by split and index."""

    split: str | None = None
    index: Annotated[int | None, Field(ge=0)] = None


ResetT = TypeVar("ResetT", bound=Reset)


def asked_for(kind: type[ResetT], fields: Mapping[str, object]) -> ResetT:
    """What a client asks for.

    Raises:
        BadRequestError: a field is unknown or of the wrong type.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        known = ", ".join(kind.model_fields)
        raise BadRequestError(f"{where[:64]}: {first['msg']} (reset takes {known})") from error


class AuditorObservation(Observation):
    """The files and, after triage, the feedback; `reason` says why an action could not be read."""

    text: str
    task: Level
    phase: Phase
    episode_id: str
    feedback: list[dict[str, str | bool]] = Field(default_factory=list)
    reason: str | None = None
    parts: dict[str, float] = Field(default_factory=dict)
    notes: list[str] = Field(default_factory=list)


class AuditorState(State):
    """Where an episode stands; its seed is not told."""

    task: Level | None = None
    phase: Phase | None = None


def begun(episode: Episode, episode_id: str) -> AuditorObservation:
    """The first observation."""
    return AuditorObservation(text=episode.text, task=episode.case.level, phase="triage", episode_id=episode_id)


def stepped(step: Step, level: Level, episode_id: str) -> AuditorObservation:
    """The observation after a step."""
    claims = () if step.feedback is None else step.feedback.claims
    return AuditorObservation(
        text=step.text,
        task=level,
        phase=step.phase,
        episode_id=episode_id,
        feedback=[{"kind": one.kind, "name": one.name, "confirmed": one.confirmed} for one in claims],
        reason=step.reason,
        parts={} if step.scored is None else dict(step.scored.parts),
        notes=[] if step.scored is None else list(step.scored.notes),
        reward=step.reward,
        done=step.done,
    )
