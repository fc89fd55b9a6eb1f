"""`reproducegym clean`: removes what dead runs left in the sandbox engines."""

from pydantic import JsonValue

from reproducegym.cli.options import AsJson
from reproducegym.cli.voice import answer, say
from reproducegym.cli.wiring import backends
from reproducegym.pipeline.judging.rerun import STAGED
from reproducegym.scratch import sweep

__all__ = ["clean"]


def clean(as_json: AsJson = False) -> None:
    """Remove containers, networks, volumes and directories whose owner is dead; runs that live are left alone.

    Example: reproducegym clean
    """
    removed: dict[str, JsonValue] = {}
    for backend in backends():
        availability = backend.availability()
        if availability.works:
            removed[backend.name] = backend.reap()
            say(f"{backend.name}: removed {removed[backend.name]} leftovers")
        else:
            removed[backend.name] = None
            say(f"{backend.name}: not available ({availability.detail})")
    removed["submissions"] = sweep(STAGED)
    say(f"submissions: removed {removed['submissions']} leftovers")
    if as_json:
        answer({"removed": removed})
