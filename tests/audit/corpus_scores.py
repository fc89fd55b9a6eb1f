"""Scores the rules on damaged repositories: what was planted and found, and what was found for nothing."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ml_audit import Finding, Repository, findings
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged, all_operators

__all__ = ["Scores", "score"]

NEAR = 2
"""Lines between a finding and the planted lines at most."""


@dataclass
class Scores:
    """Counts by rule, and by kind (operator) how often and where it was planted; `missed` and `wrong` tell cases."""

    kinds: Counter[str] = field(default_factory=Counter)
    places: dict[str, set[str]] = field(default_factory=dict)
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def recall(self, rule: str) -> float:
        """The share of planted defects that the rule finds."""
        return self.found[rule] / self.planted[rule]

    def precision(self, rule: str) -> float:
        """The share of true findings among those of the rule; 1 where there is none."""
        told = self.found[rule] + self.false[rule]
        return self.found[rule] / told if told else 1.0


def score(corpus: Iterable[Damaged]) -> Scores:
    """Audit every repository and compare; only rules that some operator breaks count.

    What the clean project shows already is no false finding: base projects show nothing.
    """
    kinds = {operator.rule for operator in all_operators()}
    scores = Scores()
    before: dict[str, set[tuple[str, str]]] = {}
    for damaged in corpus:
        project = damaged.project
        if project.name not in before:
            before[project.name] = {(f.rule, f.code) for f in _told(project.name, project.files, kinds)}
        told = _told(project.name, damaged.files, kinds)
        implied = {rule for planted in damaged.planted for rule in planted.implies}
        for planted in damaged.planted:
            scores.planted[planted.rule] += 1
            scores.kinds[planted.operator] += 1
            scores.places.setdefault(planted.operator, set()).add(f"{damaged.project.name}/{planted.site}")
            if any(_hits(finding, planted) for finding in told):
                scores.found[planted.rule] += 1
            else:
                scores.missed.append(f"{planted.rule} ({planted.operator}): {_place(damaged, planted)}")
        for finding in told:
            known = finding.rule in implied or (finding.rule, finding.code) in before[project.name]
            if not known and not any(_hits(finding, planted) for planted in damaged.planted):
                scores.false[finding.rule] += 1
                where = f"{damaged.project.name}/{finding.file}:{finding.line}"
                beside = ", ".join(planted.operator for planted in damaged.planted)
                scores.wrong.append(f"{finding.rule}: {where} {finding.code!r} beside {beside or 'nothing'}")
    return scores


def _told(name: str, files: Mapping[str, str], kinds: set[str]) -> list[Finding]:
    """What rules say that some operator breaks."""
    repository = Repository(name, {path: text.encode() for path, text in files.items()})
    return [finding for finding in findings(repository) if finding.rule in kinds]


def _hits(finding: Finding, planted: Planted) -> bool:
    if finding.rule != planted.rule:
        return False
    places = [(planted.file, planted.first_line, planted.last_line)]
    places += [(place.file, place.first_line, place.last_line) for place in planted.also]
    line = finding.line or 0
    return any(
        (file in (finding.file, ".") and first - NEAR <= line <= last + NEAR) or (file == finding.file and not line)
        for file, first, last in places
    )


def _place(damaged: Damaged, planted: Planted) -> str:
    lines = damaged.files.get(planted.file, "").split("\n")
    shown = lines[planted.first_line - 1].strip() if 0 < planted.first_line <= len(lines) else ""
    return f"{damaged.project.name}/{planted.file}:{planted.first_line} {shown!r}"
