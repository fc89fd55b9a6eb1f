"""Claims of a paper as tasks: truth is a number that the paper prints."""

from collections.abc import Iterator, Mapping, Sequence

from reproducegym.pipeline.claims.disagreement import disagreements, settled
from reproducegym.pipeline.claims.merge import Proposed, merge
from reproducegym.pipeline.claims.triage import in_order
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim, numbered
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.probing.host_model import HostBench, SpokenClaim, measure
from reproducegym.pipeline.task import brief
from reproducegym.ports import Extractor, Files, Proposal, ReadPaper
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Reason, Rejected
from reproducegym.schema.config import Config
from reproducegym.schema.contract import Contract
from reproducegym.schema.host_model import HostRecord
from reproducegym.schema.spec import ClaimSpec

__all__ = ["PaperClaims"]


class PaperClaims:
    """The family of published claims: whatever the extractors propose is merged, grounded, compiled and proved here."""

    name = "paper_claims"

    def __init__(
        self,
        extractors: Sequence[Extractor],
        config: Config,
        *,
        model: str | None = None,
        laps: Laps | None = None,
        assets: Sequence[OfferedAsset] = (),
        host: HostBench | None = None,
    ) -> None:
        """Take who proposes claims, the first one's order counting most, what they compile under, and with which data.

        `model` says which language model an extractor asks; `laps` counts where the time goes; `host` is an operator's
        model of the paper, which is run for the claims that it speaks of.
        """
        self._host = host
        self.host_model = None if host is None else host.model.sha256
        self._measured: HostRecord | None = None
        self._laps = Laps() if laps is None else laps
        self.extractor_name = extractors[0].name if len(extractors) == 1 else "both"
        self.model = model
        self.prompts: Mapping[str, str] = {name: sha for one in extractors for name, sha in one.prompts.items()}
        self._extractors = tuple(extractors)
        self._config = config
        self._assets = tuple(assets)

    def propose(self, source: ReadPaper) -> Iterator[Proposal]:
        """Every candidate, most important first; accepted ones are numbered in that order from c001.

        A task proves itself when it is built, which costs more than to compile it.
        Where extractors read one thing in two ways, a reading is accepted only if the paper's numbers decide for it.
        Of several claims with the same sentence or the same quantity the first that compiles is the task; the others
        are `duplicate_of` it.
        """
        with self._laps.step("extract"):
            proposed = merge({one.name: one.extract(source) for one in self._extractors})
        with self._laps.step("compile"):
            compiled = [compile_claim(source, one.candidate, self._config, self._assets) for one in proposed]
        if self._host is not None:
            with self._laps.step("host model"):
                self._measured = self._measure(self._host, source, proposed, compiled)
            truths = {truth.claim_uid: truth for truth in self._measured.truths}
            compiled = [
                compile_claim(source, one.candidate, self._config, self._assets, truths[outcome.claim_uid])
                if isinstance(outcome, ClaimSpec) and outcome.claim_uid in truths
                else outcome
                for one, outcome in zip(proposed, compiled, strict=True)
            ]
        with self._laps.step("compile"):
            outcomes, said = settled(proposed, compiled), disagreements(proposed)
        accepted: dict[str, str] = {}
        number = 0
        for index in in_order(proposed):
            candidate, outcome = proposed[index].candidate, outcomes[index]
            uid = claim_uid(source.document.paper_id, candidate)
            if isinstance(outcome, ClaimSpec):
                outcome = _unless_duplicate(outcome, accepted)
            if isinstance(outcome, ClaimSpec):
                number += 1
                outcome = numbered(outcome, number)
                accepted.update(dict.fromkeys(_identities(outcome), uid))
            yield Proposal(candidate, uid, outcome, proposed[index].by, said[index])

    def records(self) -> Mapping[str, Frozen]:
        """What the extractors keep of the last paper, and what a host model measured for it."""
        kept = {name: content for one in self._extractors for name, content in one.records().items()}
        return kept if self._measured is None else {**kept, "host_model.json": self._measured}

    def _measure(
        self,
        host: HostBench,
        source: ReadPaper,
        proposed: Sequence[Proposed],
        compiled: Sequence[ClaimSpec | Rejected],
    ) -> HostRecord:
        claims = [
            SpokenClaim(one.candidate.metric.name, spec, contract_of(spec), self.brief(spec, source))
            for one, spec in zip(proposed, compiled, strict=True)
            if isinstance(spec, ClaimSpec)
        ]
        earlier = host.earlier if self._measured is None else self._measured
        return measure(host.model, source, claims, self._config, host.judge(), earlier)

    def brief(self, spec: ClaimSpec, source: ReadPaper) -> Files:
        """Everything that the agent may see."""
        return brief(spec, source, spec.paper_text, self._config.verification.max_hours)

    def contract(self, spec: ClaimSpec) -> Contract:
        """How a submission is scored."""
        return contract_of(spec)


def _identities(spec: ClaimSpec) -> tuple[str, str]:
    """By what another claim is the same: its sentences, or its quantities (formulas, values, the paper's labels)."""
    labels = sorted((one.label, one.source_label) for one in spec.conditions)
    values = [(str(target.value), target.unit) for target in spec.targets]
    formulas = [metric.formula for metric in spec.metrics]
    return spec.claim_uid, repr((formulas, labels, values, spec.protocol.dataset or ""))


def _unless_duplicate(spec: ClaimSpec, accepted: dict[str, str]) -> ClaimSpec | Rejected:
    for identity in _identities(spec):
        if identity in accepted:
            first = accepted[identity]
            detail = (
                "the same sentence" if identity == spec.claim_uid else "the same quantity under the same conditions"
            )
            return Rejected(reasons=(Reason(code="duplicate_of", argument=first, detail=detail),))
    return spec
