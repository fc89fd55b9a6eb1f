"""Where a player sits: at a server's HTTP episodes, or at episodes of this process."""

import json
from dataclasses import dataclass, replace
from typing import Protocol

import httpx
from pydantic import BaseModel, ValidationError

from reproducegym.errors import MisuseError, SourceUnreachableError
from reproducegym.families.auditor.episode import Drawer, Episode
from reproducegym.families.auditor.nouns import Level
from reproducegym.schema.names_once import names_once

__all__ = ["HttpSeat", "LocalSeat", "Seat", "Seen"]

_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Seen:
    """What a player sees after a reset or a step."""

    text: str
    reward: float
    done: bool
    reason: str | None


class Seat(Protocol):
    """Plays one episode after the other."""

    def begin(self, level: Level, seed: int) -> Seen:
        """Begin an episode."""
        ...

    def step(self, action: str) -> Seen:
        """Take an action, as JSON text."""
        ...


class LocalSeat:
    """Episodes of this process."""

    def __init__(self, drawer: Drawer) -> None:
        """Take who draws them."""
        self._drawer = drawer
        self._episode: Episode | None = None

    def begin(self, level: Level, seed: int) -> Seen:
        """Begin an episode."""
        self._episode = Episode(self._drawer.draw(level, seed))
        return Seen(self._episode.text, 0.0, done=False, reason=None)

    def step(self, action: str) -> Seen:
        """Take an action, as JSON text.

        Raises:
            MisuseError: no episode has begun.
        """
        if self._episode is None:
            raise MisuseError("an episode begins before its first step")
        step = self._episode.step(action)
        return Seen(step.text, step.reward, step.done, step.reason)


class _Observation(BaseModel):
    text: str
    reason: str | None


class _Answer(BaseModel):
    observation: _Observation
    reward: float | None
    done: bool
    episode_id: str


class HttpSeat:
    """Episodes of a server."""

    def __init__(self, url: str) -> None:
        """Take the server's address."""
        self._client = httpx.Client(base_url=url.rstrip("/"), timeout=_TIMEOUT_S)
        self._id = ""

    def begin(self, level: Level, seed: int) -> Seen:
        """Begin an episode.

        Raises:
            SourceUnreachableError: the server is out of reach or refuses.
        """
        return self._seen(self._sent("/reset", f'{{"task": "{level}", "seed": {seed}}}'))

    def step(self, action: str) -> Seen:
        """Take an action; what is no JSON object, or has a name twice, goes as null, which earns 0 with its reason.

        Raises:
            SourceUnreachableError: the server is out of reach or refuses.
        """
        reason = "the reply holds no JSON object"
        try:
            body = json.dumps({"action": json.loads(action, object_pairs_hook=names_once)})
        except (ValueError, RecursionError) as error:
            reason = f"{reason}: {error}"
        else:
            answer = self._sent("/step", body)
            if answer.status_code != httpx.codes.BAD_REQUEST:  # half a character, say: no JSON to the server
                return self._seen(answer)
        return replace(self._seen(self._sent("/step", '{"action": null}')), reason=reason)

    def _sent(self, path: str, body: str) -> httpx.Response:
        headers = {"X-Episode-Id": self._id} if path == "/step" else {}
        try:
            return self._client.post(path, content=body.encode(), headers=headers)
        except httpx.HTTPError as error:
            raise SourceUnreachableError(f"{self._client.base_url}{path}: {error or type(error).__name__}") from error

    def _seen(self, answer: httpx.Response) -> Seen:
        url = answer.request.url
        if answer.status_code != httpx.codes.OK:
            raise SourceUnreachableError(f"{url}: status {answer.status_code}: {answer.text[:300]}")
        try:
            told = _Answer.model_validate_json(answer.content)
        except ValidationError as error:
            raise SourceUnreachableError(f"{url}: no answer of an auditor's server") from error
        self._id = told.episode_id
        return Seen(told.observation.text, told.reward or 0.0, told.done, told.observation.reason)
