"""Plays classic episodes for tests: the answers of someone who knows them."""

from reproducegym.families.auditor.classic.case import ClassicCase
from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.nouns import Level

CAPACITY = 24
"""Episodes and sessions that the shared server takes."""


def case(level: Level, seed: int) -> ClassicCase:
    return Classic().draw(level, seed)


def true_triage(one: ClassicCase) -> str:
    return one.answers().triage.to_json()


def true_audit(one: ClassicCase) -> str:
    return one.answers().audit.to_json()
