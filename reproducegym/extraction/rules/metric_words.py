"""The words by which papers name metrics: which one a text speaks of, whether two texts speak of the same one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reproducegym.schema.claim import Direction, MetricKind

__all__ = ["UNKNOWN", "MetricWord", "distinct_metrics", "header_metric", "metric_word", "metrics_named", "same_metric"]

_HIGHER: Direction = "higher_is_better"
_LOWER: Direction = "lower_is_better"


@dataclass(frozen=True)
class MetricWord:
    """A metric as papers name it: `percent` says that its bare numbers above 1 are percentages.

    `family` is the entry of the vocabulary that knows the word.
    """

    name: str
    kind: MetricKind
    direction: Direction | None
    percent: bool = False
    family: str = ""

    @property
    def is_unknown(self) -> bool:
        """Whether only a header of the paper names the metric."""
        return self.family == UNKNOWN

    @property
    def is_strong(self) -> bool:
        """Whether the word names what is measured, and is no general or set-up word ("rate", "score", "steps")."""
        return self.family not in _WEAK and self.name.casefold() not in {"score", "scores"}


UNKNOWN = "unknown"
"""The family of metrics that no vocabulary knows."""
_WEAK = frozenset({"rate", "count", "cost", "time"})
_SPREAD = re.compile(
    r"standard (?:errors?|deviations?)(?: of (?:the )?means?)?|std\.? ?(?:err\w*|dev\w*)|error bars?|margins? of error"
    r"|\bs\.?e\.?m\.?(?=\W|$)",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"hacking|violation|toxic|forgetting|survival|lifetime|uptime|\bdrop|\bgap\b|degradation|decrease|reduction"
    r"|\bbias\b"
    r"|harm|difference|variance|until|before|to (?:reach )?\d",
    re.IGNORECASE,
)
_ALIASES = {
    "ppl": "perplexity",
    "negative log": "nll",
    "cross entropy": "cross-entropy",
    "bpc": "bits per",
    "bpd": "bits per",
    "bits/dim": "bits per",
    "calibration error": "ece",
    "f-1": "f1",
    "f1-score": "f1",
    "f1score": "f1",
    "f-measure": "f1",
    "fmeasure": "f1",
    "f-score": "f1",
    "auroc": "auc",
    "map": "ap",
    "miou": "iou",
    "absolute error": "mae",
    "squared error": "mse",
    "r²": "r2",
}
_SHARP = frozenset({"loss", "error", "score", "precision", "failure rate"})
"""Families whose members are different metrics; in the others every word means the same."""

_METRICS: tuple[tuple[str, MetricWord], ...] = (
    (r"error rate|misclassification|\bWER\b|\bCER\b|\bEER\b", MetricWord("error rate", "rate", _LOWER, percent=True)),
    (r"failure rate|collision rate|rejection rate", MetricWord("failure rate", "rate", _LOWER, percent=True)),
    (r"optimal (?:pulls|arms?|actions?)", MetricWord("optimal pulls", "rate", _HIGHER, percent=True)),
    (
        r"goals? reached|\bsolved\b|\bsuccess(?: rate)?\b|win[ -]?rate|completion rate",
        MetricWord("success rate", "rate", _HIGHER, percent=True),
    ),
    (r"balanced accurac(?:y|ies)", MetricWord("balanced accuracy", "rate", _HIGHER, percent=True)),
    (
        r"accurac(?:y|ies)|\bacc\b|top-?1|top-?5|exact match|\bEM\b|pass@\d+|avg@\d+|cons@\d+",
        MetricWord("accuracy", "rate", _HIGHER, percent=True),
    ),
    (r"\bF-?1\b|F1-?score|f-?measure|\bF-score", MetricWord("F1", "score", _HIGHER, percent=True)),
    (
        r"\bprecision\b|\brecall\b|specificity|sensitivity|\bAUC\b|AUROC|AUPRC|(?-i:\b[mM]?AP(?:50|75)?\b)|\bm?IoU\b|\bDice\b|\bDSC\b",
        MetricWord("precision", "rate", _HIGHER, percent=True),
    ),
    (
        (
            r"\bBLEU\b|ROUGE(?:-?[\dL]+)?|METEOR|chrF|\bCIDEr\b|\bSPICE\b|\bPSNR\b|\bSSIM\b|R2\b|R²"
            r"|NDCG|\bMRR\b|\bNMI\b|\bARI\b|Spearman|Pearson|correlation"
        ),
        MetricWord("score", "score", _HIGHER),
    ),
    (
        r"speed-?ups?|throughput|tokens? per second|frames per second|\bFPS\b",
        MetricWord("throughput", "ratio", _HIGHER),
    ),
    (
        r"perplexity|\bPPL\b|cross-?entropy|\bNLL\b|negative log|\bbits per|\bbits/\w+|\bBPC\b|\bBPD\b|\bloss(?:es)?\b",
        MetricWord("loss", "loss", _LOWER),
    ),
    (
        r"\bRMSE\b|\bMAE\b|\bMSE\b|\bMAPE\b|\bFID\b|\bLPIPS\b|\bECE\b|calibration error|\bBrier|\bKL\b"
        r"|squared error|absolute error|\berrors?\b",
        MetricWord("error", "loss", _LOWER),
    ),
    (r"\bregret\b", MetricWord("regret", "loss", _LOWER)),
    (r"\breturns?\b|\brewards?\b|episode score|human-normali[sz]ed", MetricWord("return", "return", _HIGHER)),
    (
        r"wall[- ]?clock|run[- ]?time|latency|training time|inference time|\btime\b|\bseconds\b|\bhours\b",
        MetricWord("time", "time", _LOWER),
    ),
    (
        r"iterations? to|steps to|episodes to|samples to|#\s?iterations|\biterations\b|\bFLOPs?\b|\bFLOPS\b|memory",
        MetricWord("cost", "count", _LOWER),
    ),
    (r"\brates?\b|\bpercentage\b|fraction of|share of|\(%\)|\[%\]", MetricWord("rate", "rate", None, percent=True)),
    (r"\bscores?\b", MetricWord("score", "score", _HIGHER)),
    (r"\blength\b|number of|\bcount\b|#", MetricWord("count", "count", None)),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), word) for pattern, word in _METRICS)


def metric_word(text: str) -> MetricWord | None:
    """The most telling metric named in a text, with the paper's own word for it; None when none is."""
    found = _matches(text)
    return min(found, key=lambda entry: entry[:2])[2] if found else None


@lru_cache(maxsize=4096)
def metrics_named(text: str) -> tuple[MetricWord, ...]:
    """Every metric that a text names, in order; "error rate" is one, "standard error" none.

    What only qualifies the next one is left out: "error detection accuracy" names accuracy.
    """
    found = _apart(text)
    return tuple(
        word
        for index, (_, end, word) in enumerate(found)
        if not (
            word.family == "error"
            and index + 1 < len(found)
            and re.fullmatch(r"\s(?:(?!and|or|in|on|of|for|to|with|by|from)\w+\s)?", text[end : found[index + 1][0]])
        )
    )


def distinct_metrics(words: Sequence[MetricWord]) -> tuple[MetricWord, ...]:
    """One word for each metric that is named, the general ones left out."""
    kept: list[MetricWord] = []
    for word in words:
        if word.is_strong and not any(same_metric(word, other) for other in kept):
            kept.append(word)
    return tuple(kept)


def same_metric(first: MetricWord, second: MetricWord) -> bool:
    """Whether two words can mean one metric: of one family, and not two different members of it."""
    families = {first.family, second.family}
    if families == {"error", "error rate"}:
        return "error" in {_plain(first), _plain(second)} or "error rate" in {_plain(first), _plain(second)}
    if len(families) > 1:
        return False
    names = {_plain(first), _plain(second)}
    return first.family not in _SHARP or len(names) == 1 or bool(names & {"loss", "error", "score"})


@lru_cache(maxsize=4096)
def header_metric(label: str) -> MetricWord | None:
    """The metric of a row's or column's header; its direction is None where the header's words disagree about it.

    A header with nothing but a unit names no metric.
    """
    word = metric_word(label)
    if word is None or (word.name == "rate" and not re.search(r"[^\W\d_]", re.sub(r"[(\[]\s?%\s?[)\]]", "", label))):
        return None
    if word.name == "rate" and not re.search(r"rate|percentage|fraction|share", label, re.IGNORECASE):
        return None
    named = [one for _, _, one in _apart(label)]
    directions = {one.direction for one in named if one.direction is not None and one.family != "score"}
    directions |= {word.direction} if word.direction is not None else set()
    turned = bool(_TURNS.search(label)) or len(directions) > 1 or _scores_against(named)
    return MetricWord(word.name, word.kind, None if turned else word.direction, word.percent, word.family)


def _scores_against(named: Sequence[MetricWord]) -> bool:
    """ "Score error" and "error score": a general good word beside a bad one."""
    families = {one.family for one in named}
    return "score" in families and bool({"error", "loss"} & families)


def _apart(text: str) -> list[tuple[int, int, MetricWord]]:
    """Start, end and word of every metric in a text, the more telling one where two overlap."""
    found: list[tuple[int, int, MetricWord]] = []
    for _, start, word, end in sorted(_every_match(text), key=lambda entry: entry[:2]):
        if not any(start < stop and begin < end for begin, stop, _ in found):
            found.append((start, end, word))
    return sorted(found, key=lambda entry: entry[:2])


def _plain(word: MetricWord) -> str:
    name = word.name.casefold().replace(" score", "").strip()
    name = _ALIASES.get(name, name)
    return name.removesuffix("es") if name == "losses" else name.removesuffix("s") if name == "errors" else name


def _matches(text: str) -> list[tuple[int, int, MetricWord]]:
    found = []
    plain = _without_spreads(text)
    for order, (pattern, word) in enumerate(_COMPILED):
        match = pattern.search(plain)
        if match:
            found.append((order, match.start(), _as_said(word, match.group())))
    return found


def _every_match(text: str) -> list[tuple[int, int, MetricWord, int]]:
    plain = _without_spreads(text)
    return [
        (order, match.start(), _as_said(word, match.group()), match.end())
        for order, (pattern, word) in enumerate(_COMPILED)
        for match in pattern.finditer(plain)
    ]


def _without_spreads(text: str) -> str:
    """The text with what names a spread blanked, letter by letter."""
    return _SPREAD.sub(lambda match: " " * len(match.group()), text)


def _as_said(word: MetricWord, said: str) -> MetricWord:
    named = said.strip() if word.kind != "rate" or word.name == "precision" else word.name
    keep = word.name if word.name in {"rate", "cost", "count"} else named
    return MetricWord(keep, word.kind, word.direction, word.percent, word.name)
