"""Every reason why a claim is no task is met by a real claim, through the compiler or a whole build."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from chart_paper import charted, read_point
from compiler_paper import PROTOCOL, candidate, cell_point, condition, paper, sentence_point, ucb_against_greedy
from given_claims import Given, build_given
from pattern_claims import ACCURACY, TOKENS, Case, near_zero, order, replaced

from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, MetricIdea, Reason, ReasonCode, Rejected
from reproducegym.schema.task import ClaimReport

CONFIG = load_config(None)
LOSS = MetricIdea(name="Loss", unit="", kind="loss", direction="lower_is_better")


def plain(source: ReadPaper, column: str, value: str, metric: MetricIdea, **point: str) -> Case:
    """The claim that UCB has a value."""
    cell = cell_point(source, "UCB", column, value, metric=metric.name, **point)
    return source, candidate(
        {"treatment": cell}, pattern="absolute", metric=metric, conditions=(condition("treatment", "UCB"),)
    )


def read(panel: str) -> Case:
    point = read_point("a", "ours", "200", "60", panel=panel)
    conditions = (condition("treatment", "ours"),)
    return charted(), candidate({"treatment": point}, pattern="absolute", metric=ACCURACY, conditions=conditions)


def forged() -> Case:
    source, claim = ucb_against_greedy()
    first = claim.points[0]
    moved = first.point.provenance[0].model_copy(update={"bbox": (0.0, 0.0, 1.0, 1.0)})
    point = first.point.model_copy(update={"provenance": (moved,)})
    return source, claim.model_copy(update={"points": (first.model_copy(update={"point": point}), claim.points[1])})


def twice() -> Case:
    source = paper({"UCB": {"Regret": "47.3", "Again": "48.9"}})
    both = [cell_point(source, "UCB", column, value) for column, value in (("Regret", "47.3"), ("Again", "48.9"))]
    conditions = (condition("treatment", "UCB"),)
    return source, candidate({"treatment": both}, pattern="absolute", conditions=conditions)


def of_zero() -> Case:
    source = paper({"UCB": {"Regret": "47.3"}, "Greedy": {"Regret": "0.0"}})
    points = {role: cell_point(source, label, "Regret", value) for role, label, value in ZERO}
    return source, candidate(points, pattern="ratio")


ZERO = (("treatment", "UCB", "47.3"), ("baseline", "Greedy", "0.0"))


def unsure() -> Case:
    source, claim = ucb_against_greedy()
    return source, claim.model_copy(update={"metric": claim.metric.model_copy(update={"direction": None})})


def contradicted() -> Case:
    source = paper(
        {"UCB": {"Regret": "47.3 ± 0.4"}, "Greedy": {"Regret": "60.1 ± 0.6"}}, "UCB saves 17.2 of the regret of Greedy."
    )
    _, claim = ucb_against_greedy()
    printed = candidate({"printed": sentence_point("17.2", "17.2", "")}).points
    return source, claim.model_copy(update={"points": (*claim.points, *printed)})


def closed() -> Case:
    source = paper({"GPT-4": {"Regret": "47.3 ± 0.4"}, "Greedy": {"Regret": "60.1 ± 0.6"}})
    points = {
        "treatment": cell_point(source, "GPT-4", "Regret", "47.3", spread="0.4"),
        "baseline": cell_point(source, "Greedy", "Regret", "60.1", spread="0.6"),
    }
    return source, candidate(points, conditions=(condition("treatment", "GPT-4"), condition("baseline", "Greedy")))


def unanswered() -> Case:
    doubt = Reason(code="unanswered", argument="budget", detail="the model was not asked")
    return ucb_against_greedy(doubts=(doubt,))


COMPILED: dict[str, Callable[[], Case]] = {
    "no_quantity": lambda: ucb_against_greedy(pattern="unquantified"),
    "no_grounded_target": forged,
    "ambiguous_target": twice,
    "unit_mismatch": lambda: plain(paper({"UCB": {"Accuracy (%)": "47.3%"}}), "Accuracy (%)", "47.3", TOKENS, unit="%"),
    "condition_mismatch": lambda: ucb_against_greedy(conditions=(condition("treatment", "UCB"),)),
    "panel_mismatch": lambda: read("c"),
    "formula_unsupported": of_zero,
    "direction_unknown": unsure,
    "effect_within_noise": lambda: order("40.0 ± 0.4", "39.9 ± 0.4"),
    "no_control": lambda: near_zero(control=None),
    "inconsistent_with_table": contradicted,
    "figure_unreadable": lambda: read("d"),
    "protocol_incomplete": lambda: ucb_against_greedy(protocol=PROTOCOL.model_copy(update={"dataset": None})),
    "needs_unavailable_asset": closed,
    "unanswered": unanswered,
}


@pytest.mark.parametrize("code", sorted(COMPILED))
def test_the_compiler_gives_this_reason(code: str):
    outcome = compile_claim(*COMPILED[code](), CONFIG)
    assert isinstance(outcome, Rejected), outcome
    assert {reason.code for reason in outcome.reasons} == {code}
    assert all(reason.detail for reason in outcome.reasons)


def twins() -> tuple[ReadPaper, list[Candidate]]:
    source, claim = ucb_against_greedy()
    return source, [claim, claim.model_copy(update={"importance": 1})]


def telling() -> tuple[ReadPaper, list[Candidate]]:
    source, claim = ucb_against_greedy(agent_statement="UCB has a regret of 47.3 only.")
    return source, [claim]


def astronomical() -> tuple[ReadPaper, list[Candidate]]:
    source, claim = plain(paper({"UCB": {"Loss": "5e300"}}), "Loss", "5e300", LOSS)
    return source, [claim]


BUILT: dict[str, Callable[[], tuple[ReadPaper, list[Candidate]]]] = {
    "duplicate_of": twins,
    "leak_unmaskable": telling,
    "selftest_failed": astronomical,
}


@pytest.mark.parametrize("code", sorted(BUILT))
def test_a_build_gives_this_reason(code: str, tmp_path: Path):
    source, claims = BUILT[code]()
    store, _ = build_given(tmp_path, Given(source, *claims))
    rows = store.read_extract(ClaimReport, "claim_verification_report.json").claims
    reasons = [reason for row in rows if row.pool == "exploration" for reason in row.reasons]
    assert {reason.partition(":")[0] for reason in reasons} == {code}
    if code != "leak_unmaskable":
        assert all(reason.partition(":")[2] for reason in reasons)


def test_no_reason_is_without_a_claim_that_gets_it():
    assert {*COMPILED, *BUILT} == set(get_args(ReasonCode))


@pytest.mark.parametrize(
    ("text", "is_closed"),
    [
        ("GPT-4", True),
        ("GPT-3.5 (5-shot)", True),
        ("ChatGPT", True),
        ("Claude 3 Opus", True),
        ("Gemini-1.5-Pro", True),
        ("OpenAI o1", True),
        ("JFT-300M", True),
        ("our internal search logs", True),
        ("a proprietary data set", True),
        ("Bard", False),
        ("Gopher", False),
        ("GPT-2", False),
        ("GPT-J", False),
        ("GPT-NeoX-20B", False),
        ("Llama-3.2-3B", False),
        ("DP-SGD (private)", False),
        ("Bardenet sampler", False),
        ("ImageNet", False),
    ],
)
def test_what_nobody_can_obtain_by_name_is_known(text: str, is_closed: bool):
    field = "dataset" if "data" in text or "logs" in text or text in {"JFT-300M", "ImageNet", "Bard"} else "method"
    protocol = PROTOCOL.model_copy(update={field: text})
    source, claim = replaced(ucb_against_greedy(), protocol=protocol)
    outcome = compile_claim(source, claim, CONFIG)
    assert isinstance(outcome, Rejected) == is_closed
