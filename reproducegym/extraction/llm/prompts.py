"""Makes the questions of this room from the prompts that ship in `prompts/llm/`, with the paper as quoted data."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import get_args

from reproducegym.pipeline.templates import front_matter, render, template_digest
from reproducegym.ports import Question
from reproducegym.schema.base import digest
from reproducegym.schema.usage import Step

__all__ = ["fenced", "prompt_digests", "question"]

_FENCE = "paper-data"


def question(step: Step, values: Mapping[str, object], images: tuple[bytes, ...] = ()) -> Question:
    """The question of a step; `values` fill the slots of its prompt."""
    name = f"llm/{step}"
    matter = _matter(name)
    return Question(
        step=step,
        prompt=name,
        version=matter["version"],
        system=matter["system"].strip(),
        user=render(f"{name}.md", values).strip(),
        images=images,
    )


def prompt_digests() -> dict[str, str]:
    """sha256 of every prompt of this room, by file name: part of what built a task."""
    return {f"llm/{step}.md": template_digest(f"llm/{step}.md") for step in get_args(Step)}


def fenced(lines: Iterable[str]) -> str:
    """Lines of the paper between two marks that the lines cannot spell: the marks are a digest over them.

    Each piece of the paper is one line, so that no text can begin a line of its own.
    """
    body = "\n".join(" ".join(line.split()) if not line.startswith("  ") else f"  {_one_line(line)}" for line in lines)
    mark = digest(body.encode())[:16]
    return f"<{_FENCE} {mark}>\n{body}\n</{_FENCE} {mark}>"


def _one_line(text: str) -> str:
    return " ".join(text.split())


@cache
def _matter(name: str) -> dict[str, str]:
    matter = front_matter(f"{name}.md")
    return {"version": str(matter["version"]), "system": str(matter["system"])}
