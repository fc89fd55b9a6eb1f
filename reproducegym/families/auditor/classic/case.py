"""A classic episode and its truth: which kinds are planted, and in which files they live."""

from collections.abc import Mapping
from dataclasses import dataclass

from reproducegym.families.auditor.classic.kind import Kind
from reproducegym.families.auditor.classic.reward import audit_reward, f1, hits
from reproducegym.families.auditor.nouns import Answers, Audit, Claim, Feedback, Finding, Level, Scored, Told, Triage

__all__ = ["ClassicCase"]


@dataclass(frozen=True)
class ClassicCase:
    """`planted` are the kinds in it, `names` the file name of each role."""

    level: Level
    seed: int
    files: Mapping[str, str]
    planted: tuple[Kind, ...]
    names: Mapping[str, str]

    def triage(self, said: Triage) -> Told:
        """0.6 · F1(files) + 0.4 · F1(categories); every claim is answered, in sorted order."""
        files, categories = frozenset(said.suspicious_files), frozenset(said.suspected_categories)
        true_files = frozenset(name for kind in self.planted for name in self.places(kind))
        true_categories = frozenset[str](kind.category for kind in self.planted)
        claims = (
            *(Claim("file", one, one in true_files) for one in sorted(files)),
            *(Claim("category", one, one in true_categories) for one in sorted(categories)),
        )
        return Told(0.6 * f1(files, true_files) + 0.4 * f1(categories, true_categories), Feedback(claims))

    def audit(self, claimed: Triage, told: Feedback, said: Audit) -> Scored:
        """Each planted kind that is named earns 1/N, each finding that names none costs 1/N."""
        living = [(number, kind, self.places(kind)) for number, kind in enumerate(self.planted)]
        matches = [
            [number for number, kind, places in living if hits(kind, places, finding)] for finding in said.violations
        ]
        return audit_reward(matches, len(self.planted))

    def answers(self) -> Answers:
        """Every planted kind by its name."""
        files = sorted({name for kind in self.planted for name in self.places(kind)})
        findings = tuple(
            Finding(violation_type=kind.id, file_name=self.names[kind.files[0]], suggested_fix_code=kind.keywords[0])
            for kind in self.planted
        )
        return Answers(
            Triage(
                suspicious_files=tuple(files),
                suspected_categories=tuple(sorted({kind.category for kind in self.planted})),
            ),
            Audit(violations=findings, reproducibility_score=0.0),
        )

    def places(self, kind: Kind) -> frozenset[str]:
        """The files in which a kind lives here."""
        return frozenset(self.names[role] for role in kind.files)
