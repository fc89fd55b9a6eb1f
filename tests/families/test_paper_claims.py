"""Stories of a paper's claims on their way to tasks."""

from compiler_paper import LINE, candidate, cell_point, condition, paper

from reproducegym.families.paper_claims import PaperClaims
from reproducegym.families.self_check import check_family
from reproducegym.pipeline.config_file import load_config
from reproducegym.schema.claim import Anchor, Rejected
from reproducegym.schema.spec import ClaimSpec

CONFIG = load_config(None)
SOURCE = paper(
    {
        "UCB": {"Regret": "47.3 ± 0.4"},
        "Thompson": {"Regret": "44.1 ± 0.5"},
        "Greedy": {"Regret": "60.1 ± 0.6"},
        "Lucky": {"Regret": "60.0 ± 9.0"},
    }
)
SPREADS = {"UCB": ("47.3", "0.4"), "Thompson": ("44.1", "0.5"), "Greedy": ("60.1", "0.6"), "Lucky": ("60.0", "9.0")}


class Proposing:
    """An extractor that proposes what it was given."""

    name = "given"

    def __init__(self, *candidates):
        self.candidates = candidates
        self.prompts = {}

    def extract(self, paper):
        return self.candidates

    def records(self):
        return {}


def claim(label: str, *, importance: int, sentence: str | None = None, **changes):
    """That a method has less regret than Greedy."""
    value, spread = SPREADS[label]
    points = {
        "treatment": cell_point(SOURCE, label, "Regret", value, spread=spread),
        "baseline": cell_point(SOURCE, "Greedy", "Regret", "60.1", spread="0.6"),
    }
    words = sentence or f"{label} beats Greedy."
    return candidate(
        points,
        importance=importance,
        anchors=(Anchor(kind="sentence", page=1, bbox=LINE, quote=words),),
        conditions=(condition("treatment", label), condition("baseline", "Greedy")),
        **changes,
    )


def proposed(*candidates):
    return list(PaperClaims((Proposing(*candidates),), CONFIG).propose(SOURCE))


def outcomes(*candidates) -> list[str]:
    return [
        one.outcome.claim_id if isinstance(one.outcome, ClaimSpec) else str(one.outcome.reasons[0])
        for one in proposed(*candidates)
    ]


def test_accepted_claims_are_numbered_by_importance_and_refused_ones_take_no_number():
    found = outcomes(claim("UCB", importance=1), claim("Lucky", importance=9), claim("Thompson", importance=5))
    assert found == ["effect_within_noise", "c001_thompson_regret", "c002_ucb_regret"]


def test_the_same_sentence_is_one_claim():
    first = claim("UCB", importance=5, sentence="Both beat Greedy.")
    second = claim("UCB", importance=4, sentence="Both  beat Greedy.")
    (one, other) = proposed(first, second)
    assert isinstance(other.outcome, Rejected)
    assert str(other.outcome.reasons[0]) == f"duplicate_of:{one.claim_uid}"


def test_two_numbers_of_one_sentence_are_two_claims():
    first = claim("UCB", importance=5, sentence="Both beat Greedy.")
    second = claim("Thompson", importance=4, sentence="Both beat Greedy.")
    (one, other) = proposed(first, second)
    assert one.claim_uid != other.claim_uid
    assert [one.outcome.claim_id, other.outcome.claim_id] == ["c001_ucb_regret", "c002_thompson_regret"]


def test_the_same_quantity_in_another_sentence_is_a_duplicate():
    first = claim("UCB", importance=5)
    again = claim("UCB", importance=4, sentence="In short, UCB has less regret.")
    (one, other) = proposed(first, again)
    assert one.claim_uid != other.claim_uid
    assert str(other.outcome.reasons[0]) == f"duplicate_of:{one.claim_uid}"


def test_a_claim_that_was_refused_does_not_shadow_one_that_compiles():
    broken = claim("UCB", importance=5, pattern="unquantified")
    assert outcomes(broken, claim("UCB", importance=4)) == ["no_quantity", "c001_ucb_regret"]


def test_the_family_keeps_what_every_family_must_keep():
    family = PaperClaims(
        (
            Proposing(
                claim("UCB", importance=5),
                claim("Thompson", importance=4, pattern="absolute"),
                claim("UCB", importance=3, sentence="Again."),
                claim("Lucky", importance=2),
            ),
        ),
        CONFIG,
    )
    failed = [check for check in check_family(family, SOURCE) if not check.passed]
    assert failed == []


def test_the_check_finds_a_family_that_breaks_its_promises():
    class Forgetful(PaperClaims):
        name = "forgetful"

        def brief(self, spec, source):
            return {"../reward/contract.json": spec.contract_hash.encode()}

    failed = {
        check.name
        for check in check_family(Forgetful((Proposing(claim("UCB", importance=5)),), CONFIG), SOURCE)
        if not check.passed
    }
    assert failed == {"identities", "briefs"}
