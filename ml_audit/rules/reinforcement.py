"""Rules about the environments of reinforcement learning, which have generators of their own."""

import ast
import re
from collections.abc import Iterator

from ml_audit.rules.rule import Hit, Subject, family

__all__ = ["REINFORCEMENT"]

REINFORCEMENT = family("seeds")


@REINFORCEMENT("environment-seed-missing")
def environment_seed_missing(subject: Subject) -> Iterator[Hit]:
    """Environments are made and never seeded."""
    signal = subject.signals["seed_env"]
    if signal.value in ("no", "partial") and signal.evidence:
        first = signal.evidence[0]
        said = "environments are made and never seeded" if signal.value == "no" else "seeded here, and not everywhere"
        yield Hit(first.file, first.line or 0, said)


@REINFORCEMENT("action-space-seed-missing")
def action_space_seed_missing(subject: Subject) -> Iterator[Hit]:
    """A file samples actions, and it seeds no action space."""
    for path, facts in subject.project.main_facts.items():
        looked_at = {id(n) for c in facts.calls if c.raw in ("isinstance", "type", "len") for n in ast.walk(c.node)}
        looked_at |= {id(n) for a in facts.assigned for n in _measured(a.value)}
        sampled = [
            c
            for c in facts.calls
            if c.last == "sample"
            and re.search(r"action_spaces?(\[\]|\(\))?$", c.receiver)
            and id(c.node) not in looked_at
        ]
        seeded = any(c.last == "seed" and "action_space" in c.receiver for c in facts.calls)
        if sampled and not seeded and "seed_env" in subject.signals:
            yield Hit(path, sampled[0].line, "samples actions from a space that nothing seeds")


def _measured(value: ast.expr) -> Iterator[ast.expr]:
    """What an expression asks for its shape or type alone: `space.sample()` of `space.sample().shape`."""
    for node in ast.walk(value):
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "dtype", "size", "ndim"):
            yield node.value
