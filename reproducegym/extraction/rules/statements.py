"""Words a bound claim: the full statement, the one without numbers for the agent, and a title."""

from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.rules.bound import Bound
from reproducegym.extraction.rules.entries import Entry

__all__ = ["Wording", "word_claim"]


@dataclass(frozen=True)
class Wording:
    """The three wordings of a claim; only `statement` holds results."""

    statement: str
    agent_statement: str
    title: str


def word_claim(bound: Bound) -> Wording:
    """A claim in our own words, built from the paper's names for its parts."""
    entry = bound.treatment
    where = f" on {entry.dataset}" if entry.dataset else ""
    source = f" (Table {entry.table_name})"
    metric = entry.metric_name
    if bound.pattern == "absolute" or bound.baseline is None:
        title = f"{metric} of {entry.name}{where}"
        return Wording(
            f"{entry.name} has {metric} {_shown(entry)}{where}{source}",
            f"{entry.name} reaches the {metric}{where} that the paper reports",
            title,
        )
    base = bound.baseline
    more = "higher" if entry.value > base.value else "lower" if entry.value < base.value else "equal"
    against = "to" if more == "equal" else "than"
    agent = f"{entry.name} has {more} {metric} {against} {base.name}{where}"
    values = f"{_shown(entry)} against {_shown(base)}"
    size = f", {bound.printed.number.text} as the paper prints it" if bound.printed else ""
    kind = {"ratio": "Ratio of", "relative_change": "Relative change of"}.get(bound.pattern, "Difference in")
    return Wording(
        f"{agent}: {values}{size}{source}", agent, f"{kind} {metric}: {entry.name} against {base.name}{where}"
    )


def _shown(entry: Entry) -> str:
    unit = entry.unit if entry.unit in {"", "%", "×"} else f" {entry.unit}"
    return f"{_plain(entry.value)}{unit}"


def _plain(value: Decimal) -> str:
    return format(value, "f")
