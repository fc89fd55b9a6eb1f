"""A language model that plays episodes, behind any endpoint of OpenAI's chat API."""

import re
from dataclasses import dataclass

import openai
from openai.types.chat import ChatCompletion

from reproducegym.adapters.auditor_client.seat import Seat
from reproducegym.adapters.llm.endpoint import Endpoint
from reproducegym.errors import ModelUnavailableError
from reproducegym.families.auditor.nouns import CATEGORIES, Level
from reproducegym.pipeline.templates import render

__all__ = ["ModelPlayer", "Outcome", "json_of"]

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Outcome:
    """One episode as played; `reason` is why an action could not be read."""

    level: Level
    seed: int
    triage: float
    audit: float
    reason: str | None


class ModelPlayer:
    """Plays with a model; the key goes to the endpoint alone."""

    def __init__(self, base_url: str, key: str, model: str, retries: int) -> None:
        """Take the endpoint, its key, the model's name, and how often a failed request is sent again."""
        self._client = openai.OpenAI(base_url=base_url, api_key=key, max_retries=retries, timeout=_TIMEOUT_S)
        self._model, self._endpoint = model, Endpoint(base_url, key, "HF_TOKEN")

    def play(self, seat: Seat, level: Level, seed: int) -> Outcome:
        """Play one episode to its end.

        Raises:
            ModelUnavailableError: the endpoint is out of reach, refuses or fails again and again.
        """
        seen = seat.begin(level, seed)
        triage = self._ask(render("auditor/triage.md", {"categories": CATEGORIES, "text": seen.text}))
        told = seat.step(json_of(triage))
        audit = self._ask(render("auditor/audit.md", {"triage": triage, "text": told.text}))
        ended = seat.step(json_of(audit))
        return Outcome(level, seed, told.reward, ended.reward, told.reason or ended.reason)

    def _ask(self, words: str) -> str:
        try:
            reply = self._client.chat.completions.create(
                model=self._model, temperature=0.0, messages=[{"role": "user", "content": words}]
            )
        except (openai.OpenAIError, ValueError) as error:
            raise self._unavailable(str(error)) from error
        if not isinstance(reply, ChatCompletion):  # what the client makes of a page in place of an answer
            raise self._unavailable("this is no answer of a chat API; API_BASE_URL often ends in /v1")
        return reply.choices[0].message.content or "" if reply.choices else ""

    def _unavailable(self, words: str) -> ModelUnavailableError:
        return ModelUnavailableError(f"{self._endpoint.base_url}: {self._endpoint.redacted(words)[:300]}")


def json_of(reply: str) -> str:
    """The JSON of a reply: what is fenced, or from the first brace to the last; the reply where there is none."""
    fenced = _FENCED.search(reply)
    text = fenced[1] if fenced else reply
    first, last = text.find("{"), text.rfind("}")
    return text[first : last + 1] if 0 <= first < last else reply
