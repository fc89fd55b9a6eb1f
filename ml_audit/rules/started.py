"""What of a class runs when a program is started: the methods that something calls, not all that it has."""

import re

from ml_audit.code.graph import Scope
from ml_audit.code.project import Entry, Project

__all__ = ["runs", "trains"]

_HOOK = re.compile(
    r"__\w+__$|forward$|call$|build$|(training|validation|test|predict)_step$|configure_\w+$|\w+_dataloader$|setup$|prepare_data$|on_\w+$|step$"
)
"""Methods that frameworks call, or Python."""


def runs(project: Project, entry: Entry) -> frozenset[Scope]:
    """What may be reached from an entry point, without methods whose names nothing reached calls or hands on."""
    named: set[str] = set()
    for path in {path for path, _ in entry.maybe}:
        facts = project.facts[path]
        named |= {c.last for c in facts.calls if (path, c.scope) in entry.maybe}
        handed = (r for r in facts.references if r.scope not in facts.classes and (path, r.scope) in entry.maybe)
        named |= {r.raw.rpartition(".")[2] for r in handed if "." in r.raw}
    return frozenset(s for s in entry.maybe if not _is_method(project, s) or _is_named(s, named))


def trains(project: Project, scopes: frozenset[Scope]) -> bool:
    """Whether parameters are updated in one of the scopes."""
    return any((path, call.scope) in scopes for path, call in project.training_steps)


def _is_method(project: Project, scope: Scope) -> bool:
    return scope[1].rpartition(".")[0] in project.facts[scope[0]].classes


def _is_named(scope: Scope, named: set[str]) -> bool:
    name = scope[1].rpartition(".")[2]
    return name in named or bool(_HOOK.match(name))
