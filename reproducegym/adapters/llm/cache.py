"""Replies that were paid for, kept as files by what was asked; whatever is broken there is asked again, and said."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from pydantic import JsonValue, ValidationError

from reproducegym.adapters.llm.cost import Tokens
from reproducegym.adapters.llm.messages import read_reply
from reproducegym.pipeline.files import read_file, write_file
from reproducegym.ports import Question, ReplyT
from reproducegym.schema.base import digest
from reproducegym.schema.usage import KeptReply, Step

__all__ = ["Cached", "ReplyCache", "reply_key"]


@dataclass(frozen=True)
class Cached(Generic[ReplyT]):
    """A reply from the cache and the tokens that it had cost."""

    reply: ReplyT
    tokens: Tokens


def reply_key(question: Question, model: str, temperature: float, schema: Mapping[str, JsonValue]) -> str:
    """sha256 over everything that a reply depends on. Where the model is asked is no part of it."""
    asked = {
        "model": model,
        "temperature": temperature,
        "prompt": question.prompt,
        "version": question.version,
        "system": question.system,
        "user": question.user,
        "images": [digest(image) for image in question.images],
        "schema": schema,
    }
    return digest(json.dumps(asked, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode())


class ReplyCache:
    """A directory of replies, `<step>/<key>.json`. Files are put in place whole; a killed writer leaves none behind."""

    def __init__(self, directory: Path, tell: Callable[[str], None]) -> None:
        self._directory, self._tell = directory, tell

    def get(self, step: Step, key: str, reply: type[ReplyT]) -> Cached[ReplyT] | None:
        """The reply to a question, None if it was not asked or the file cannot be used; the latter is told.

        Raises:
            StorageError: the file is there but cannot be read.
        """
        path = self._path(step, key)
        raw = read_file(path)
        if raw is None:
            return None
        try:
            entry = KeptReply.from_json(raw)
            value = read_reply(entry.reply, reply)
        except ValidationError as error:
            self._tell(f"{path}: no reply that fits ({error.error_count()} faults); the model is asked again")
            return None
        if entry.key != key or digest(entry.reply.encode()) != entry.reply_sha256:
            self._tell(f"{path}: was changed since it was written; the model is asked again")
            return None
        return Cached(value, Tokens(entry.prompt_tokens, entry.completion_tokens, entry.estimated))

    def put(self, question: Question, key: str, model: str, text: str, tokens: Tokens) -> None:
        """Keep a reply that fits.

        Raises:
            StorageError: it cannot be written; then the cache is as before.
        """
        entry = KeptReply(
            schema_version=1,
            key=key,
            model=model,
            prompt=question.prompt,
            version=question.version,
            reply=text,
            reply_sha256=digest(text.encode()),
            prompt_tokens=tokens.prompt,
            completion_tokens=tokens.completion,
            estimated=tokens.estimated,
        )
        write_file(self._path(question.step, key), entry.to_json().encode())

    def _path(self, step: Step, key: str) -> Path:
        return self._directory / step / f"{key}.json"
