"""Whatever an extractor proposes, the compiler answers with a sound spec or with reasons: it never breaks."""

from collections.abc import Callable
from decimal import Decimal
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from test_golden_specs import CASES

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.schema.base import canonical_json
from reproducegym.schema.claim import Candidate, MetricIdea, Pattern, Rejected, RolePoint, Trend
from reproducegym.verifier.contract import load_contract

CONFIG = load_config(None)
PATTERNS = sorted(set(get_args(Pattern)) - {"unquantified"})
ROLES = ("treatment", "baseline", "part", "printed", "chance", "control", "series", "level", "guard")
METRIC = {
    "unit": st.sampled_from(["", "%", "s", "×", "pp", "tokens"]),
    "kind": st.sampled_from(["rate", "count", "loss", "return", "time", "ratio", "score"]),
    "direction": st.sampled_from(["higher_is_better", "lower_is_better", None]),
    "over_seeds": st.sampled_from(["mean", "median", "iqm", "max"]),
}
POINT = {
    "unit": st.sampled_from(["", "%", "s", "pp"]),
    "value": st.decimals(min_value=-100, max_value=1000, places=1),
    "resolution": st.sampled_from([Decimal("0.1"), Decimal(0), Decimal(1000)]),
    "condition": st.sampled_from(["UCB", "Greedy", "GRPO", "nobody"]),
    "metric": st.sampled_from(["regret", "accuracy", "Tokens"]),
    "dataset": st.sampled_from(["ten-armed", None, "chain"]),
    "spread": st.none(),
}


@st.composite
def mangled(draw: Callable) -> tuple[object, Candidate]:
    source, claim = CASES[draw(st.sampled_from(sorted(CASES)))]()
    points = list(claim.points)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(points) - 1)) if points else None
        if at is None:
            break
        change = draw(st.sampled_from(["drop", "double", "role", "x", *POINT]))
        one = points[at]
        if change == "drop":
            points.pop(at)
        elif change == "double":
            points.append(one)
        elif change == "role":
            points[at] = one.model_copy(update={"role": draw(st.sampled_from(ROLES))})
        elif change == "x":
            x = draw(st.none() | st.decimals(min_value=-5, max_value=500, places=0))
            points[at] = one.model_copy(update={"x": x})
        else:
            point = one.point.model_copy(update={change: draw(POINT[change])})
            points[at] = RolePoint(role=one.role, point=point, x=one.x)
    changes: dict[str, object] = {"points": tuple(points)}
    if draw(st.booleans()):
        changes["pattern"] = draw(st.sampled_from(PATTERNS))
    if draw(st.booleans()):
        field = draw(st.sampled_from(sorted(METRIC)))
        changes["metric"] = claim.metric.model_copy(update={field: draw(METRIC[field])})
    if draw(st.booleans()):
        statistic = draw(st.sampled_from(["slope", "spearman", "auc", "first_reach"]))
        changes["trend"] = draw(st.just(None) | st.just(Trend(statistic=statistic, x_name="", x_unit="")))
    if draw(st.booleans()):
        changes["conditions"] = draw(st.permutations(claim.conditions).map(lambda found: tuple(found[:2])))
    if draw(st.booleans()):
        changes["guards"] = (MetricIdea(name="accuracy", unit="%", kind="rate", direction="higher_is_better"),)
    if draw(st.booleans()):
        changes["relation"] = draw(st.sampled_from(["equals", "at_least", "at_most"]))
    return source, claim.model_copy(update=changes)


@given(case=mangled())
def test_any_proposal_is_compiled_or_refused(case):
    outcome = compile_claim(*case, CONFIG)
    if isinstance(outcome, Rejected):
        assert outcome.reasons
        assert all(reason.detail for reason in outcome.reasons)
    else:
        load_contract(canonical_json(contract_of(outcome)))
