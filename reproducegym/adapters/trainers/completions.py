"""Reads the files of a submission out of one completion of a model."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from reproducegym.errors import MisuseError
from reproducegym.pipeline.judging.transfer import RefusedFileError, check_apart, check_name

__all__ = ["FORMAT", "Completion", "files_of"]

Completion = str | Sequence[Mapping[str, object]]
"""A completion as trainers hand it over: plain text, or the messages of a conversation."""

FORMAT = """\
Answer with the files of your submission, each whole in a fenced block whose first line names its path:

```bash reproduce.sh
#!/usr/bin/env bash
python3 experiment.py
```
"""
"""What to tell a model that answers in one completion, behind a task's own words."""

_BEGIN = re.compile(r"(`{3,})[\w+-]*[ \t]+(\S+)[ \t]*")
_END = re.compile(r"(`{3,})[ \t]*")


def files_of(completion: Completion) -> dict[str, bytes]:
    """Files by path; none where the completion names none, or one that no submission may hold.

    Of a conversation the model's last message counts. A path that is named twice is the later block's.

    Raises:
        MisuseError: it is neither text nor messages: no model's fault.
    """
    if isinstance(completion, str):
        text = completion
    else:
        said = [one for one in _messages(completion) if one.get("role") == "assistant"]
        text = str(said[-1].get("content") or "") if said else ""
    files = {name: content.encode("utf-8", "replace") for name, content in _blocks(text.split("\n"))}
    try:
        for name in files:
            check_name(name)
        check_apart(files)
    except RefusedFileError:
        return {}
    return files


def _messages(completion: object) -> Sequence[Mapping[str, object]]:
    if (
        isinstance(completion, Sequence)
        and not isinstance(completion, bytes | bytearray)
        and all(isinstance(one, Mapping) for one in completion)
    ):
        return completion
    raise MisuseError(f"a completion is text or a list of messages (role, content), not {repr(completion)[:64]}")


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Name and content of each block that ends with the fence that it began with.

    In one walk: models that repeat themselves begin thousands that never end.
    """
    ends: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        if end := _END.fullmatch(line):
            ends.setdefault(end[1], []).append(place)
    place = 0
    while place < len(lines):
        begun, place = _BEGIN.fullmatch(lines[place]), place + 1
        if begun is None:
            continue
        own = ends.get(begun[1], [])
        which = bisect_left(own, place)
        if which < len(own):
            yield begun[2], "".join(f"{line}\n" for line in lines[place : own[which]])
            place = own[which] + 1
