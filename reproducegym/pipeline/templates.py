"""Renders the texts that ship in `prompts/`: one file a text, front matter on top, Jinja2 below."""

from collections.abc import Mapping
from functools import cache

import jinja2
import yaml

from reproducegym.resources import shipped
from reproducegym.schema.base import digest

__all__ = ["fixed_text", "front_matter", "render", "template_digest", "template_digests"]

_FENCE = "---\n"
_TASK_TEXTS = ("CLAIMS.md.j2", "reward.sh", "task.md.j2")


def render(name: str, values: Mapping[str, object]) -> str:
    """The text of a template; a name that the template uses and `values` lacks is an error.

    Raises:
        jinja2.UndefinedError: a value is missing.
    """
    return _template(name).render(values)


def fixed_text(name: str) -> bytes:
    """A shipped text without any slot."""
    return shipped("prompts", name).read_bytes()


def template_digests() -> dict[str, str]:
    """sha256 of every text that a build uses, by file name: part of what built a task."""
    return {name: template_digest(name) for name in _TASK_TEXTS}


def template_digest(name: str) -> str:
    """sha256 of one text."""
    return digest(fixed_text(name))


def front_matter(name: str) -> dict[str, object]:
    """What stands above a text: its version and what it is for.

    Raises:
        ValueError: the text has no front matter.
    """
    text = fixed_text(name).decode()
    if not text.startswith(_FENCE):
        raise ValueError(f"prompts/{name} has no front matter")
    matter: dict[str, object] = yaml.safe_load(text.split(_FENCE, 2)[1])
    return matter


@cache
def _template(name: str) -> jinja2.Template:
    text = fixed_text(name).decode()
    body = text.split(_FENCE, 2)[2] if text.startswith(_FENCE) else text
    environment = jinja2.Environment(  # noqa: S701 - Markdown for agents and people, not HTML
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(body)
