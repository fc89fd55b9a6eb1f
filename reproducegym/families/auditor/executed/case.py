"""An executed episode and its truth: a damaged project, judged by place and by running what fixes it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from reproducegym.families.auditor.executed.answers import answers_of
from reproducegym.families.auditor.executed.change import UnreadableFixError, edits_of
from reproducegym.families.auditor.executed.grader import Graded, Grader
from reproducegym.families.auditor.executed.matching import Matched, in_order, matched
from reproducegym.families.auditor.executed.reward import clean_reward, eliminated, reward, triage_score
from reproducegym.families.auditor.nouns import Answers, Audit, Claim, Feedback, Finding, Level, Scored, Told, Triage
from reproducegym.planting.edit import Edit
from reproducegym.planting.plant import Damaged

__all__ = ["ANSWERED", "ExecutedCase"]

ANSWERED = 3
"""How many claims of a triage are answered at most."""


@dataclass(frozen=True)
class ExecutedCase:
    """`damaged` is what was drawn; `grader` runs fixes."""

    level: Level
    seed: int
    damaged: Damaged
    grader: Grader

    @property
    def files(self) -> Mapping[str, str]:
        """The files of the damaged project."""
        return self.damaged.files

    def triage(self, said: Triage) -> Told:
        """No reward yet; three claims are answered, chosen by the episode and not by who makes them."""
        planted = self.damaged.planted
        files = {one.file for one in planted} | {place.file for one in planted for place in one.also}
        categories = {str(one.category) for one in planted}
        claims = [
            *(Claim("file", name, name.removeprefix("./") in files) for name in set(said.suspicious_files)),
            *(Claim("category", name, name in categories) for name in set(said.suspected_categories)),
        ]
        claims.sort(key=self._lot)
        return Told(0.0, Feedback(tuple(sorted(claims[:ANSWERED], key=lambda one: (one.kind, one.name)))))

    def audit(self, claimed: Triage, told: Feedback, said: Audit) -> Scored:
        """The reward of the whole episode.

        Raises:
            InfrastructureError: fixes could not be run; nothing is scored.
        """
        planted = self.damaged.planted
        if not planted:
            return clean_reward(len(said.violations))
        findings = in_order(said.violations)
        match = matched(findings, planted)
        barred = frozenset(number for number, one in enumerate(planted) if eliminated(claimed, told, one))
        fixes, unread = self._fixes(findings, match, barred)
        graded = self.grader.grade(self.damaged, fixes) if fixes else Graded(frozenset())
        triage = triage_score(claimed, planted, frozenset(self.files))
        scored = reward(len(planted), triage, match, barred, graded.earned, said.reproducibility_score)
        reasons = sorted({**unread, **graded.reasons}.items())
        return replace(scored, notes=tuple(f"{planted[number].file}: {why}" for number, why in reasons))

    def answers(self) -> Answers:
        """Every defect undone."""
        return answers_of(self.damaged)

    def _fixes(
        self, findings: tuple[Finding, ...], match: Matched, barred: frozenset[int]
    ) -> tuple[dict[int, tuple[Edit, ...]], dict[int, str]]:
        """The edits of each matched finding by its defect, and why the others give none."""
        fixes: dict[int, tuple[Edit, ...]] = {}
        unread: dict[int, str] = {}
        for finding, number, _ in match.pairs:
            if number in barred:
                unread[number] = "found by elimination from rejected claims, which earns nothing"
                continue
            try:
                edits = edits_of(findings[finding], self.files)
            except UnreadableFixError as error:
                unread[number] = str(error)
                continue
            if edits:
                fixes[number] = edits
        return fixes, unread

    def _lot(self, claim: Claim) -> str:
        told = f"{self.level}/{self.seed}/{claim.kind}/{claim.name}"
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
