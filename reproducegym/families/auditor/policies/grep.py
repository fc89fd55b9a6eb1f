"""A grep for what defects look like, fitted on the train projects; with and without the help of feedback."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from reproducegym.families.auditor.nouns import CATEGORIES, Audit, Case, Feedback, Finding, Triage
from reproducegym.families.auditor.policies.policy import audited, triaged
from reproducegym.planting.edit import lines_of
from reproducegym.planting.plant import all_operators, joined, sites_of
from reproducegym.planting.project import base_projects

__all__ = ["ClaimingGrep", "Enumerator", "Grep"]

_NUMBER = re.compile(r"\d+")
_SITES = 2
"""Sites of an operator in a project that are looked at."""


@dataclass(frozen=True)
class _Seen:
    category: str
    fix: str


@cache
def _templates() -> Mapping[tuple[str, ...], _Seen]:
    """Lines, and pairs of neighbours, of damaged train projects that stand in no clean one; with the commonest cure."""
    projects = base_projects("train")
    clean = {key for project in projects for text in project.files.values() for key, _ in _keys(text)}
    found: dict[tuple[str, ...], Counter[_Seen]] = {}
    for project in projects:
        for operator in all_operators():
            for site in sites_of(project, operator)[:_SITES]:
                damaged = joined(project, [(operator, site)])
                (one,) = damaged.planted
                text = damaged.files.get(one.file, "")
                cure = _seen(one.category, "".join(edit.text for edit in one.fix if edit.file == one.file))
                for key, line in _keys(text):
                    if key not in clean and one.first_line - 1 <= line <= one.last_line + 1:
                        found.setdefault(key, Counter())[cure] += 1
    return {key: seen.most_common(1)[0][0] for key, seen in found.items()}


def _seen(category: str, fix: str) -> _Seen:
    return _Seen(category, fix)


def _keys(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    before = ""
    for number, line in enumerate(lines_of(text), 1):
        plain = _NUMBER.sub("0", line.strip())
        if plain:
            yield (plain,), number
            yield (before, plain), number
            before = plain


class Grep:
    """Reports what looks like a defect of a train project, and cures it in the commonest way."""

    def __init__(self, case: Case) -> None:
        """Search the episode's files."""
        self._files = case.files
        self._found = tuple(self._search())

    def triage(self) -> Triage:
        """Where it found something."""
        return triaged(
            sorted({one.file_name for one in self._found}), sorted({one.violation_type for one in self._found})
        )

    def audit(self, told: Feedback) -> Audit:
        """What it found."""
        return audited(self._found, 0.0 if self._found else 1.0)

    def _search(self) -> Iterator[Finding]:
        templates = _templates()
        for name, text in self._files.items():
            taken = 0
            for key, number in _keys(text):
                if key in templates and number > taken + 2:
                    taken = number
                    seen = templates[key]
                    yield Finding(
                        violation_type=seen.category,
                        file_name=name,
                        line_number=number,
                        suggested_fix_code=seen.fix,
                    )


class ClaimingGrep(Grep):
    """The same grep after a triage that claims everything; it does not listen to feedback."""

    def triage(self) -> Triage:
        """Everything."""
        return triaged(self._files, CATEGORIES)


class Enumerator(ClaimingGrep):
    """Claims everything, and drops what feedback rejects."""

    def audit(self, told: Feedback) -> Audit:
        """What it found and nobody rejected."""
        rejected = {one.name for one in told.claims if not one.confirmed}
        return audited(
            one for one in self._found if one.file_name not in rejected and one.violation_type not in rejected
        )
