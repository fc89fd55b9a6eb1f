"""Claims of a paper as tasks: truth is a number that the paper prints."""

from collections.abc import Iterator

from reproducegym.pipeline.hashing import claim_uid
from reproducegym.pipeline.proof import prove
from reproducegym.pipeline.spec import compile_claim, contract_of, numbered
from reproducegym.pipeline.task import brief
from reproducegym.ports import Extractor, Files, Proposal, ReadPaper
from reproducegym.schema.claim import Candidate, Reason, Rejected
from reproducegym.schema.config import Config
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec

__all__ = ["PaperClaims"]


class PaperClaims:
    """The family of published claims: whatever the extractor proposes is grounded, compiled and proved here."""

    name = "paper_claims"

    def __init__(self, extractor: Extractor, config: Config) -> None:
        """Take the extractor that proposes claims, and the budgets and tolerance policy that they compile under."""
        self.extractor_name = extractor.name
        self.extractor_name = extractor.name
        self._extractor = extractor
        self._config = config

    def propose(self, source: ReadPaper) -> Iterator[Proposal]:
        """Every candidate, most important first; accepted ones are numbered in that order from c001.

        Of several claims with the same sentence or the same quantity the first that compiles is the task; the others
        are `duplicate_of` it.
        """
        accepted: dict[str, str] = {}
        number = 0
        for candidate in _by_importance(self._extractor.extract(source)):
            uid = claim_uid(source.document.paper_id, candidate.anchors)
            outcome = self._compiled(source, candidate)
            if isinstance(outcome, ClaimSpec):
                outcome = _unless_duplicate(outcome, accepted)
            if isinstance(outcome, ClaimSpec):
                outcome = self._proved(outcome)
            if isinstance(outcome, ClaimSpec):
                number += 1
                outcome = numbered(outcome, number)
                accepted.update(dict.fromkeys(_identities(outcome), uid))
            yield Proposal(candidate=candidate, claim_uid=uid, outcome=outcome)

    def brief(self, spec: ClaimSpec, source: ReadPaper) -> Files:
        """Everything that the agent may see."""
        return brief(spec, source, self._config.build.paper_text, self._config.verification.max_hours)

    def contract(self, spec: ClaimSpec) -> Contract:
        """How a submission is scored."""
        return contract_of(spec)

    def _compiled(self, source: ReadPaper, candidate: Candidate) -> ClaimSpec | Rejected:
        return compile_claim(source, candidate, self._config)

    def _proved(self, spec: ClaimSpec) -> ClaimSpec | Rejected:
        failed = [check for check in prove(spec) if not check.passed]
        if not failed:
            return spec
        return Rejected(
            reasons=tuple(Reason(code="selftest_failed", argument=check.name, detail=check.detail) for check in failed)
        )


def _by_importance(candidates: tuple[Candidate, ...]) -> list[Candidate]:
    """Largest importance first; the extractor's own order among equals."""
    return sorted(candidates, key=lambda candidate: -candidate.importance)


def _identities(spec: ClaimSpec) -> tuple[str, str]:
    """By what another claim is the same: its sentences, or its quantity (formula, value, and the paper's labels)."""
    labels = {one.label: one.source_label for one in spec.conditions}
    (target,) = spec.targets
    dataset = spec.protocol.dataset or ""
    formula = spec.metrics[0].formula
    return spec.claim_uid, repr((formula, sorted(labels.items()), str(target.value), target.unit, dataset))


def _unless_duplicate(spec: ClaimSpec, accepted: dict[str, str]) -> ClaimSpec | Rejected:
    for identity in _identities(spec):
        if identity in accepted:
            first = accepted[identity]
            detail = (
                "the same sentence" if identity == spec.claim_uid else "the same quantity under the same conditions"
            )
            return Rejected(reasons=(Reason(code="duplicate_of", argument=first, detail=detail),))
    return spec
