"""Stories of two extractors on one paper: what they agree on is one claim, what they don't is for the paper to say."""

import pytest
from compiler_paper import LINE, candidate, cell_point, condition, paper, sentence_point

from reproducegym.families.paper_claims import PaperClaims
from reproducegym.pipeline.claims.page import claims_page
from reproducegym.pipeline.claims.report import claim_report
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import Proposal
from reproducegym.schema.claim import Anchor, Candidate, Reason
from reproducegym.schema.spec import ClaimSpec

CONFIG = load_config(None)
SENTENCE = "UCB cuts the regret of Greedy by 21% on the ten-armed task."
SOURCE = paper(
    {
        "UCB": {"Regret": "47.3 ± 0.4", "Late regret": "31.0 ± 0.4"},
        "Thompson": {"Regret": "44.1 ± 0.5", "Late regret": "30.0 ± 0.4"},
        "Greedy": {"Regret": "60.1 ± 0.6", "Late regret": "50.2 ± 0.5"},
    },
    SENTENCE,
)
VALUES = {
    ("UCB", "Regret"): ("47.3", "0.4"),
    ("UCB", "Late regret"): ("31.0", "0.4"),
    ("Thompson", "Regret"): ("44.1", "0.5"),
    ("Greedy", "Regret"): ("60.1", "0.6"),
    ("Greedy", "Late regret"): ("50.2", "0.5"),
}


class Says:
    """An extractor of a given name that proposes what it was given."""

    def __init__(self, name: str, *candidates: Candidate):
        self.name = name
        self.candidates = candidates
        self.prompts = {}

    def extract(self, paper):
        return self.candidates

    def records(self):
        return {}


def anchor(words: str = SENTENCE) -> Anchor:
    return Anchor(kind="sentence", page=1, bbox=LINE, quote=words)


def claim(label: str = "UCB", column: str = "Regret", *, printed: str | None = None, **changes) -> Candidate:
    """That a method has less regret than Greedy, as the sentence says."""
    value, spread = VALUES[label, column]
    reference, noise = VALUES["Greedy", column]
    points = {
        "treatment": cell_point(SOURCE, label, column, value, spread=spread),
        "baseline": cell_point(SOURCE, "Greedy", column, reference, spread=noise),
    }
    if printed is not None:
        points["printed"] = sentence_point(f"{printed}%", printed, "%")
    given = {"anchors": (anchor(),), "conditions": (condition("treatment", label), condition("baseline", "Greedy"))}
    return candidate(points, **{**given, **changes})


def proposed(rules: tuple[Candidate, ...], llm: tuple[Candidate, ...]) -> list[Proposal]:
    return list(PaperClaims((Says("rules", *rules), Says("llm", *llm)), CONFIG, model="scripted").propose(SOURCE))


def story(*proposals: Proposal) -> list[tuple[tuple[str, ...], str]]:
    """Who proposed each claim and what became of it."""
    return [
        (one.proposed_by, "task" if isinstance(one.outcome, ClaimSpec) else str(one.outcome.reasons[0]))
        for one in proposals
    ]


def test_the_same_cells_and_pattern_are_one_claim_of_both() -> None:
    other_words = claim(anchors=(anchor("UCB cuts the regret of Greedy by 21%"),), title="UCB against Greedy")
    (one,) = proposed((claim(),), (other_words,))
    assert story(one) == [(("rules", "llm"), "task")]
    assert one.disagreement is None
    assert one.candidate.anchors == claim().anchors, "the uid is the one that the rules alone would give"


def test_what_only_one_knows_of_an_agreed_claim_is_kept() -> None:
    unknown = Reason(code="direction_unknown", argument=None, detail="no arrow")
    silent = claim(metric=claim().metric.model_copy(update={"direction": None}), doubts=(unknown,))
    (one,) = proposed((silent,), (claim(),))
    assert story(one) == [(("rules", "llm"), "task")]


def test_a_doubt_of_one_is_a_doubt_of_the_agreed_claim() -> None:
    doubt = Reason(code="condition_mismatch", argument=None, detail="taken from other papers")
    (one,) = proposed((claim(doubts=(doubt,)),), (claim(),))
    assert story(one) == [(("rules", "llm"), "condition_mismatch")]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("another number", claim(column="Late regret")),
        ("another pattern", claim(pattern="relative_change")),
        ("another direction", claim(metric=claim().metric.model_copy(update={"direction": "higher_is_better"}))),
    ],
)
def test_two_readings_that_both_compile_are_both_kept_and_neither_wins(name: str, other: Candidate) -> None:
    found = proposed((claim(),), (other,))
    assert sorted(who for (who,), _ in story(*found)) == ["llm", "rules"], name
    assert "task" not in {became for _, became in story(*found)}
    assert "ambiguous_target" in {became for _, became in story(*found)}
    for one in found:
        assert one.disagreement is not None
        assert one.disagreement.startswith("the extractors disagree: ")


def test_the_reading_that_gives_the_printed_effect_stands() -> None:
    change = claim(pattern="relative_change", printed="21")
    found = proposed((change,), (claim(),))
    assert dict(story(*found))[("rules",)] == "task"
    assert dict(story(*found))[("llm",)] == "ambiguous_target"


def test_a_reading_that_the_paper_does_not_print_loses_to_one_that_it_does() -> None:
    invented = claim()
    point = invented.points[0].point.model_copy(update={"value": invented.points[0].point.value + 3})
    points = (invented.points[0].model_copy(update={"point": point}), *invented.points[1:])
    found = proposed((claim(),), (invented.model_copy(update={"points": points}),))
    became = dict(story(*found))
    assert became[("rules",)] == "task"
    assert became[("llm",)] != "task"


def test_no_reading_hides_that_the_paper_contradicts_itself() -> None:
    wrong = claim(pattern="relative_change", printed="21").model_copy()
    doubt = Reason(code="inconsistent_with_table", argument=None, detail='the sentence prints "31", table 1 has 21')
    found = proposed((wrong.model_copy(update={"doubts": (doubt,)}),), (claim(),))
    assert dict(story(*found)) == {("rules",): "inconsistent_with_table", ("llm",): "ambiguous_target"}


def test_a_plain_value_beside_the_comparison_that_it_is_part_of_is_no_disagreement() -> None:
    plain = claim(pattern="absolute")
    found = proposed((claim(),), (plain,))
    assert [one.disagreement for one in found] == [None, None]
    assert story(*found)[0] == (("rules",), "task")


def test_claims_of_one_sentence_on_other_methods_are_no_disagreement() -> None:
    found = proposed((claim(),), (claim("Thompson"),))
    assert [one.disagreement for one in found] == [None, None]


def test_who_found_no_number_is_not_heard_against_who_did() -> None:
    silent = claim(pattern="unquantified").model_copy(update={"points": ()})
    assert story(*proposed((silent,), (claim(),))) == [(("llm",), "task")]
    assert story(*proposed((silent,), (silent,))) == [(("rules", "llm"), "no_quantity")]


def test_claims_of_a_model_alone_stand_among_the_others_by_rank() -> None:
    late = claim("Thompson", importance=3, anchors=(anchor("Thompson too."),))
    found = proposed((claim(importance=1500),), (late,))
    assert [one.candidate.importance for one in found] == [1500, 1500]


def test_the_page_says_who_proposed_a_claim_and_how_the_others_read_it() -> None:
    found = proposed((claim(),), (claim(pattern="relative_change"), claim("Thompson")))
    page = claims_page("Bandits", claim_report(SOURCE, "both", found, {}), "")
    assert "Proposed by llm." in page
    assert "Proposed by rules. The extractors disagree: rules reads difference of treatment 47.3 (UCB)" in page
    assert "llm reads relative change of treatment 47.3 (UCB), baseline 60.1 (Greedy), lower is better" in page
