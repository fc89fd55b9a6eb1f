"""Claims of every pattern over small papers: what the compiler's stories of derived targets start from."""

from decimal import Decimal

from chart_paper import CURVES, charted, read_point
from compiler_paper import candidate, cell_point, condition, paper, sentence_point

from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, MetricIdea, RolePoint, TargetPoint, Trend

TOKENS = MetricIdea(name="Tokens", unit="", kind="count", direction="lower_is_better")
ACCURACY = MetricIdea(name="Accuracy", unit="%", kind="rate", direction="higher_is_better")

Case = tuple[ReadPaper, Candidate]


def replaced(case: Case, **changes: object) -> Case:
    return case[0], case[1].model_copy(update=changes)


def with_points(claim: Candidate, points: dict[str, TargetPoint | list[TargetPoint]]) -> Candidate:
    """The claim with further points."""
    return claim.model_copy(update={"points": (*claim.points, *candidate(points).points)})


def ablations(
    full: str = "1000 ± 4",
    no_length: str = "700 ± 4",
    no_std: str = "940 ± 4",
    accuracies: tuple[str, str] | None = None,
) -> Case:
    """The full method against two ablations of it, in tokens; and accuracies of the full method and the first one."""
    texts = {"GRPO": full, "w/o length norm": no_length, "w/o std": no_std}
    rows = {label: {"Tokens": text} for label, text in texts.items()}
    if accuracies is not None:
        rows["GRPO"]["Accuracy (%)"], rows["w/o length norm"]["Accuracy (%)"] = accuracies
    source = paper(rows, "The length norm matters more for tokens than the std.")
    points: dict[str, TargetPoint | list[TargetPoint]] = {
        role: _measured(source, label, texts[label])
        for role, label in (("treatment", "w/o length norm"), ("control", "w/o std"), ("baseline", "GRPO"))
    }
    if accuracies is not None:
        points["guard"] = [
            cell_point(source, label, "Accuracy (%)", value, unit="%", metric="accuracy")
            for label, value in zip(("GRPO", "w/o length norm"), accuracies, strict=True)
        ]
    conditions = (
        condition("treatment", "w/o length norm"),
        condition("control", "w/o std"),
        condition("baseline", "GRPO"),
    )
    guards = () if accuracies is None else (ACCURACY,)
    return source, candidate(points, pattern="contrast", conditions=conditions, metric=TOKENS, guards=guards)


def near_zero(treatment: str = "41.0 ± 0.4", baseline: str = "41.2 ± 0.4", control: str | None = "30.0 ± 0.4") -> Case:
    """Two optimisers of one accuracy, and a third one that is worse."""
    texts = {"Adam": treatment, "AdamW": baseline} | ({} if control is None else {"SGD": control})
    source = paper({label: {"Score": text} for label, text in texts.items()}, "Adam and AdamW do not differ notably.")
    roles = dict(zip(texts, ("treatment", "baseline", "control"), strict=False))
    points: dict[str, TargetPoint | list[TargetPoint]] = {
        role: _measured(source, label, texts[label], column="Score", metric="score") for label, role in roles.items()
    }
    conditions = tuple(condition(role, label) for label, role in roles.items())
    score = MetricIdea(name="Score", unit="", kind="score", direction="higher_is_better")
    return source, candidate(points, pattern="near_zero", conditions=conditions, metric=score)


def order(*values: str) -> Case:
    """Methods A, B, C … in the order of their scores."""
    texts = dict(zip("ABCDE", values, strict=False))
    source = paper({label: {"Score": text} for label, text in texts.items()}, "A is before B, and B before C.")
    parts = [_measured(source, label, text, column="Score", metric="score") for label, text in texts.items()]
    score = MetricIdea(name="Score", unit="", kind="score", direction="higher_is_better")
    conditions = tuple(condition("part", label) for label in texts)
    return source, candidate({"part": parts}, pattern="order", conditions=conditions, metric=score)


def trend(statistic: str, rows: dict[str, dict[str, str]] | None = None, level: str | None = None) -> Case:
    """Regret of UCB (and of other rows) under 10, 20, 40 and 80 arms, which head the columns."""
    texts = rows or {"UCB": {"10": "20.0", "20": "31.0", "40": "44.0", "80": "90.0"}}
    source = paper(texts, f"Regret grows with the number of arms{f' and passes {level}' if level else ''}.")
    points = [
        RolePoint(role="series", point=_measured(source, label, text, column=x), x=Decimal(x))
        for label, values in texts.items()
        for x, text in values.items()
    ]
    if level is not None:
        points.append(RolePoint(role="level", point=sentence_point(level, level, "")))
    conditions = tuple(condition(role, label) for role, label in zip(("treatment", "baseline"), texts, strict=False))
    claim = candidate({}, pattern="trend", conditions=conditions)
    asked = Trend(statistic=statistic, x_name="number of arms", x_unit="arms")
    return source, claim.model_copy(update={"points": tuple(points), "trend": asked, "claim_type": "scaling"})


def figure_trend(statistic: str = "slope") -> Case:
    """Accuracy over steps, read off the first panel."""
    source = charted(sentence="Accuracy of ours grows with steps.")
    curve = zip((0, 100, 200, 400), CURVES["a"]["ours"], strict=True)
    points = [RolePoint(role="series", point=read_point("a", "ours", str(x), str(y)), x=Decimal(x)) for x, y in curve]
    base = candidate({}, pattern="trend", conditions=(condition("treatment", "ours"),), metric=ACCURACY)
    asked = Trend(statistic=statistic, x_name="steps", x_unit="steps")
    return source, base.model_copy(update={"points": tuple(points), "trend": asked})


def guarded(reference: str = "54.0", own: str | None = None, direction: str | None = "higher_is_better") -> Case:
    """Less regret than Greedy without losing accuracy, which Greedy has (and UCB, if `own` says so)."""
    source = paper(
        {
            "UCB": {"Regret": "47.3 ± 0.4", "Accuracy (%)": own or "55.0"},
            "Greedy": {"Regret": "60.1 ± 0.6", "Accuracy (%)": reference},
        }
    )
    points: dict[str, TargetPoint | list[TargetPoint]] = {
        "treatment": cell_point(source, "UCB", "Regret", "47.3", spread="0.4"),
        "baseline": cell_point(source, "Greedy", "Regret", "60.1", spread="0.6"),
    }
    values = {"Greedy": reference} | ({} if own is None else {"UCB": own})
    points["guard"] = [
        cell_point(source, label, "Accuracy (%)", value, unit="%", metric="accuracy") for label, value in values.items()
    ]
    guard = ACCURACY.model_copy(update={"direction": direction})
    return source, candidate(points, guards=(guard,))


def _measured(
    source: ReadPaper, label: str, text: str, column: str = "Tokens", metric: str | None = None
) -> TargetPoint:
    value, _, spread = text.partition(" ± ")
    name = metric or ("tokens" if column == "Tokens" else "regret")
    return cell_point(source, label, column, value, metric=name, spread=spread or None)
