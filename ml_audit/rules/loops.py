"""Loops that train, as several rules read them."""

import re
from collections.abc import Iterator

from ml_audit.code.facts import Call, Facts
from ml_audit.rules.rule import Subject

__all__ = ["torch_files", "training_loops"]


def training_loops(facts: Facts) -> Iterator[tuple[list[Call], Call]]:
    """For each step of an optimizer in a loop: all calls of its innermost loop, and the step."""
    for call in facts.calls:
        if call.last == "step" and call.loops and re.search(r"optim|\bopt\b", call.receiver, re.I):
            if "sched" in call.receiver:
                continue
            yield [c for c in facts.calls if c.scope == call.scope and call.loops[-1] in c.loops], call


def torch_files(subject: Subject) -> Iterator[tuple[str, Facts]]:
    for path, facts in subject.project.main_facts.items():
        if any(i.module.split(".")[0] == "torch" for i in facts.imports):
            yield path, facts
