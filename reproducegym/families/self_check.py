"""What every task family must keep, run on a source of its own: the conformance test shipped beside the port."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from reproducegym.pipeline.hashing import contract_hash, sealed_spec
from reproducegym.ports import Proposal, ReadPaper, TaskFamily
from reproducegym.schema.base import canonical_json
from reproducegym.schema.claim import Rejected
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import CheckResult
from reproducegym.verifier.contract import ContractError, load_contract

__all__ = ["check_family"]


def check_family(family: TaskFamily, source: ReadPaper) -> tuple[CheckResult, ...]:
    """Every promise of `ports.TaskFamily`, tried on one source; a result that failed says what broke it."""
    proposals = tuple(family.propose(source))
    specs = [one.outcome for one in proposals if isinstance(one.outcome, ClaimSpec)]
    return (
        _result("named", [] if family.name and family.extractor_name else ["the family or its extractor has no name"]),
        _result("same_again", [] if tuple(family.propose(source)) == proposals else ["a second look differs"]),
        _result("numbered", _numbering(specs)),
        _result("identities", [fault for spec in specs for fault in _identity(family, spec)]),
        _result("contracts", [fault for spec in specs for fault in _contract(family, spec)]),
        _result("briefs", [fault for spec in specs for fault in _brief(family, spec, source)]),
        _result("refusals", _refusals(proposals)),
    )


def _result(name: str, faults: Sequence[str]) -> CheckResult:
    return CheckResult(name=name, passed=not faults, detail="; ".join(faults))


def _numbering(specs: Sequence[ClaimSpec]) -> list[str]:
    """Accepted claims count from c001 in the order in which they are proposed."""
    return [
        f"{spec.claim_id} is the accepted claim number {number}"
        for number, spec in enumerate(specs, 1)
        if not spec.claim_id.startswith(f"c{number:03d}_")
    ]


def _identity(family: TaskFamily, spec: ClaimSpec) -> list[str]:
    faults = []
    if spec.family != family.name:
        faults.append(f'{spec.claim_id} is of family "{spec.family}"')
    if sealed_spec(spec) != spec:
        faults.append(f"{spec.claim_id}: spec_hash is not the digest of the spec")
    if contract_hash(family.contract(spec)) != spec.contract_hash:
        faults.append(f"{spec.claim_id}: contract_hash is not the digest of the contract")
    return faults


def _contract(family: TaskFamily, spec: ClaimSpec) -> list[str]:
    """The verifier's own reader takes the contract."""
    try:
        load_contract(canonical_json(family.contract(spec)))
    except ContractError as error:
        return [f"{spec.claim_id}: {error}"]
    return []


def _brief(family: TaskFamily, spec: ClaimSpec, source: ReadPaper) -> list[str]:
    """Plain relative names, the conditions among them, no digest over a hidden value, the same bytes again."""
    files = family.brief(spec, source)
    faults = []
    for name, content in files.items():
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or parts[:1] == ("reward",):
            faults.append(f"{spec.claim_id}: the file name {name} may not stand in a brief")
        if any(digest.encode() in content for digest in (spec.spec_hash, spec.contract_hash)):
            faults.append(f"{spec.claim_id}: {name} shows a digest over hidden values")
    if "conditions.json" not in files:
        faults.append(f"{spec.claim_id}: the brief has no conditions.json")
    if dict(family.brief(spec, source)) != dict(files):
        faults.append(f"{spec.claim_id}: a second brief differs")
    return faults


def _refusals(proposals: Sequence[Proposal]) -> list[str]:
    """Every refusal says why, and a duplicate names an accepted claim."""
    accepted = {one.claim_uid for one in proposals if isinstance(one.outcome, ClaimSpec)}
    faults = []
    for proposal in proposals:
        if not isinstance(proposal.outcome, Rejected):
            continue
        if not proposal.outcome.reasons:
            faults.append(f"{proposal.claim_uid} is refused without a reason")
        faults += [
            f"{proposal.claim_uid} is a duplicate of {reason.argument}, which is no task"
            for reason in proposal.outcome.reasons
            if reason.code == "duplicate_of" and reason.argument not in accepted
        ]
    return faults
