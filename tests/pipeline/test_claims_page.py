"""What people read of a claim's guards."""

from compiler_paper import ucb_against_greedy
from pattern_claims import guarded

from reproducegym.pipeline.claims.page import claims_page
from reproducegym.pipeline.claims.report import claim_report
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.ports import Proposal
from reproducegym.schema.claim import Candidate
from reproducegym.schema.spec import ClaimSpec


def page_of(paper, claim: Candidate) -> tuple[str, ClaimSpec]:
    spec = compile_claim(paper, claim, load_config(None))
    assert isinstance(spec, ClaimSpec), spec
    proposal = Proposal(claim, claim_uid("bandits", claim), spec, ("rules",), None)
    return claims_page("Bandits", claim_report(paper, "rules", (proposal,), {}), ""), spec


def test_a_guard_stands_below_the_targets_with_its_place_and_what_it_lets_pass():
    page, spec = page_of(*guarded())
    (guard,) = spec.guards
    (metric,) = [one for one in spec.metrics if one.name == guard.metric]
    (line,) = [line for line in page.splitlines() if line.startswith(f"| {guard.metric} |")]
    assert f"| {float(guard.reference):.6g} {guard.unit}".strip() in line
    assert f"“{guard.provenance[0].quote}”" in line
    less = metric.direction == "lower_is_better"
    bound = guard.reference + guard.tolerance.abs * (1 if less else -1)
    assert f"{'at most' if less else 'at least'} {float(bound):.6g}" in line
    assert "| guard | reference | where | takes nothing away | rule |" in page


def test_a_claim_without_guards_has_no_such_table():
    page, _ = page_of(*ucb_against_greedy())
    assert "| guard |" not in page
