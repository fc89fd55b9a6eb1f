"""What no model answers for stays in sight with the reason, and the rest goes on."""

import pytest
from pond_paper import GAIN, HONEST, VALUE, accepted, pond, replies
from recorded_model import RecordedLlm, RecordedModel

from reproducegym.extraction.llm import LlmExtractor
from reproducegym.families.paper_claims import PaperClaims
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import Unanswered
from reproducegym.schema.claim import Rejected

PAPER = pond(results="Alder is also better than Birch in every other way.")
GAIN_VALUE = ("difference", "4.1")


def asked(unanswered: dict[str, Unanswered]):
    """Proposals and records of a build in which the model has no answer to some questions."""
    extractor = LlmExtractor(
        RecordedLlm(RecordedModel(replies(PAPER)), unanswered),
        evidence_characters=12_000,
        selected=12,
        crop=lambda image, figure, panel: image,
    )
    family = PaperClaims((extractor,), load_config(None))
    proposed = list(family.propose(PAPER))
    return proposed, extractor.records()["refined_claims.json"]


@pytest.mark.parametrize("why", ["budget", "too_long", "refused", "cut_short", "no_fit"])
def test_a_claim_without_an_answer_is_kept_with_the_reason(why):
    proposed, records = asked({VALUE: Unanswered(why, "the cap is met")})
    # The words stand in the question about doubles too, so that nothing is joined either.
    kept = [
        one for one in proposed if isinstance(one.outcome, Rejected) and one.outcome.reasons[0].code == "unanswered"
    ]
    assert [str(one.outcome.reasons[0]) for one in kept] == [f"unanswered:{why}"]
    assert kept[0].candidate.statement == VALUE
    assert accepted(proposed) == HONEST - {("absolute", "91.2")}
    assert [one.answered for one in records.claims].count(False) == 1


def test_a_section_without_an_answer_keeps_the_sentences_that_find_something():
    proposed, records = asked({"(results)": Unanswered("budget", "the cap is met")})
    kept = [one.candidate for one in proposed if isinstance(one.outcome, Rejected)]
    assert {reason.argument for one in kept for reason in one.doubts} == {"budget"}
    said = " ".join(one.statement for one in kept)
    assert "outperforms Birch by 4.1" in said
    assert "in every other way" in said
    assert [(one.title, one.reason) for one in records.unread] == [("3 Results", "budget")]
    assert ("absolute", "91.2") in accepted(proposed), "other sections are read"


def test_without_an_answer_about_doubles_the_same_quantity_is_still_one_task():
    proposed, records = asked({"merge": Unanswered("refused", "no")})
    assert accepted(proposed) == HONEST
    doubles = [one for one in proposed if isinstance(one.outcome, Rejected) and one.candidate.points]
    assert [one.outcome.reasons[0].code for one in doubles] == ["duplicate_of"]
    assert "not asked about doubles: refused" in records.joins_refused[0]


def test_without_any_answer_every_finding_is_kept_and_nothing_is_built():
    dead = Unanswered("budget", "nothing is left")
    proposed, records = asked({"extract": dead})
    assert accepted(proposed) == set()
    assert len(records.unread) >= 3
    assert any(GAIN.split()[0] in one.candidate.statement for one in proposed)
