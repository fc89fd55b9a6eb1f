"""Reads the files of a submission out of one completion of a model."""

import re
from collections.abc import Mapping, Sequence

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

_BLOCK = re.compile(r"^(`{3,})[\w+-]*[ \t]+(\S+)[ \t]*\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)


def files_of(completion: Completion) -> dict[str, bytes]:
    """Files by path; none where the completion names none, or one that no submission may hold.

    Of a conversation the model's last message counts. A path that is named twice is the later block's.
    """
    if isinstance(completion, str):
        text = completion
    else:
        said = [one for one in completion if one.get("role") == "assistant"]
        text = str(said[-1].get("content") or "") if said else ""
    files = {match[2]: match[3].encode("utf-8", "replace") for match in _BLOCK.finditer(text)}
    try:
        for name in files:
            check_name(name)
        check_apart(files)
    except RefusedFileError:
        return {}
    return files
